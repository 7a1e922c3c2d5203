package numeric

import (
	"math/big"
	"strings"
)

// unit is a unit of measure. A value in it, times factor, plus offset, is in the
// base unit of its dimension.
type unit struct {
	symbol    string
	dimension string
	factor    *big.Rat
	offset    *big.Rat // nil for 0
	// others are further units that the same word can stand for: a gallon is
	// American or imperial, a pound is money or mass.
	others []*unit
}

// Dimensions that the code asks for by name.
const (
	timeDimension   = "time"   // base: the second
	monthsDimension = "months" // base: the month; a year is twelve of them exactly
	dollarDimension = "money $"
)

// units holds every unit by each of its names: abbreviations as written, words in
// lower case.
var units = unitTable()

// isUnitName reports whether s names a unit.
func isUnitName(s string) bool { return unitNamed(s) != nil }

// unitNamed finds a unit by a name as written, nil where there is none.
func unitNamed(s string) *unit {
	if u := units[s]; u != nil {
		return u
	}
	return units[strings.ToLower(s)]
}

// unitLines defines the units: dimension, then for each unit its symbol ("_" for a
// blank), its factor in the dimension's base and its names. A name in capitals
// counts only as it is written. Sources: the SI brochure, 9th edition, and NIST
// Special Publication 811 for the units outside of it.
const unitLines = `
length: m 1 metre metres meter meters; in 0.0254 inch inches; ft 0.3048 foot feet; yd 0.9144 yard yards yds;
 mi 1609.344 mile miles; nmi 1852; ly 9460730472580800 light-year light-years lightyear lightyears; furlong 201.168 furlongs;
mass: g 1 gram grams gramme grammes gm; t 1000000 tonne tonnes; oz 28.349523125 ounce ounces; lb 453.59237 lbs;
 stone 6350.29318 stones; carat 0.2 carats; cwt 50802.34544 hundredweight;
time: s 1 sec secs second seconds; min 60 mins minute minutes; h 3600 hr hrs hour hours; day 86400 days;
 week 604800 weeks wk wks; fortnight 1209600 fortnights;
months: month 1 months; year 12 years yr yrs yo; decade 120 decades; century 1200 centuries; millennium 12000 millennia;
volume: l 1 L litre litres liter liters; cl 0.01; bushel 35.23907016688 bushels; tsp 0.00492892159375 teaspoon teaspoons;
 tbsp 0.01478676478125 tablespoon tablespoons; cup 0.2365882365 cups; acre-foot 1233481.83754752 acre-feet;
area: sq_m 1 m² m2 sqm; acre 4046.8564224 acres; ha 10000 hectare hectares; sq_km 1000000 km² km2; sq_cm 0.0001 cm² cm2; sq_ft 0.09290304 sqft;
speed: m/s 1 mps; km/h 5/18 kph kmh; mph 0.44704; kn 463/900 knot knots kt kts;
power: W 1 watt watts; hp 745.69987158227022 horsepower;
energy: J 1 joule joules; Wh 3600 watt-hour watt-hours; cal 4.184; btu 1055.05585262;
 eV 0.0000000000000000001602176634;
voltage: V 1 volt volts; current: ampere 1 amp amps amperes; frequency: Hz 1 hertz hz;
pressure: Pa 1 pascal pascals; bar 100000 bars; psi 6894.757293168; atm 101325; mmHg 133.322387415 mmhg;
data: B 1 byte bytes; bit 1/8 bits; KiB 1024 kib; MiB 1048576 mib; GiB 1073741824 gib; TiB 1099511627776 tib;
angle: ° 1 degree degrees; force: newton 1 newtons; amount: mol 1 mole moles; luminance: lumen 1 lumens; sound: dB 1 decibel decibels db;
resolution: px 1 pixel pixels; radiation: Sv 1 sievert sieverts; rotation: rpm 1;
money $: $ 1 dollar dollars; ¢ 0.01 cent cents;
money USD: USD 1 usd; money AUD: AUD 1 aud; money CAD: CAD 1 cad; money NZD: NZD 1 nzd; money HKD: HKD 1 hkd; money SGD: SGD 1 sgd;
money EUR: EUR 1 eur euro euros; money GBP: GBP 1 gbp sterling quid; pence 0.01 penny;
money JPY: JPY 1 jpy yen; money CNY: CNY 1 cny rmb yuan renminbi; money INR: INR 1 inr rupee rupees rs; money CHF: CHF 1 chf;
money RUB: RUB 1 rub rouble roubles ruble rubles; money KRW: KRW 1 krw; money SEK: SEK 1 sek; money NOK: NOK 1 nok; money DKK: DKK 1 dkk;
money PLN: PLN 1 pln zloty zlotys; money BRL: BRL 1 brl reais; money MXN: MXN 1 mxn pesos peso; money ZAR: ZAR 1 zar rand;
money TRY: TRY 1 lira liras; money ILS: ILS 1 shekel shekels; money NGN: NGN 1 naira; money KES: KES 1 shillings shilling;
barrel: bbl 1 barrel barrels
`

// prefixed are the units that take the prefixes of the SI, by symbol and by word.
var prefixed = []struct{ symbol, word string }{
	{"m", "metre metres meter meters"}, {"g", "gram grams gramme grammes"}, {"l", "litre litres liter liters"},
	{"s", "second seconds"}, {"W", "watt watts"}, {"J", "joule joules"}, {"V", "volt volts"}, {"ampere", "amp amps ampere amperes"},
	{"Hz", "hertz"}, {"Pa", "pascal pascals"}, {"B", "byte bytes"}, {"bit", "bit bits"}, {"Wh", "watt-hour watt-hours"},
	{"cal", "calorie calories"}, {"eV", "electronvolt electronvolts"}, {"newton", "newton newtons"}, {"mol", "mole moles"}, {"px", "pixel pixels"}, {"t", "ton tons tonne tonnes"}, {"Sv", "sievert sieverts"},
}

var prefixes = []struct {
	symbol, word string
	exponent     int
}{
	{"n", "nano", -9}, {"µ", "micro", -6}, {"μ", "micro", -6}, {"m", "milli", -3}, {"c", "centi", -2}, {"d", "deci", -1},
	{"k", "kilo", 3}, {"M", "mega", 6}, {"G", "giga", 9}, {"T", "tera", 12}, {"P", "peta", 15},
}

func unitTable() map[string]*unit {
	m := map[string]*unit{}
	bySymbol := map[string]*unit{}
	dimension := ""
	for part := range strings.SplitSeq(strings.ReplaceAll(unitLines, "\n", " "), ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if name, rest, ok := strings.Cut(part, ": "); ok {
			dimension = name
			part = rest
		}
		f := strings.Fields(part)
		if len(f) < 2 {
			continue
		}
		u := &unit{symbol: strings.ReplaceAll(f[0], "_", " "), dimension: dimension, factor: rational(f[1])}
		bySymbol[f[0]] = u
		for _, name := range append(f[2:], f[0]) {
			m[name] = u
		}
	}
	for _, p := range prefixed {
		base := bySymbol[p.symbol]
		for _, x := range prefixes {
			u := &unit{symbol: x.symbol + base.symbol, dimension: base.dimension, factor: new(big.Rat).Mul(base.factor, power(10, x.exponent))}
			if base.dimension == "data" && x.exponent >= 3 {
				// 1,000 or 1,024 at each step.
				u.others = []*unit{{symbol: u.symbol, dimension: "data", factor: new(big.Rat).Mul(base.factor, power(1024, x.exponent/3))}}
			}
			if m[u.symbol] == nil {
				m[u.symbol] = u
			}
			for w := range strings.FieldsSeq(p.word) {
				if w == "ton" || w == "tons" {
					continue
				}
				m[x.word+w] = u
			}
		}
	}
	add := func(u *unit, names ...string) {
		for _, n := range names {
			m[n] = u
		}
	}
	for _, alias := range [][2]string{{"kilo", "kg"}, {"kilos", "kg"}, {"kgs", "kg"}, {"kms", "km"}, {"mcg", "µg"}, {"kwh", "kWh"}, {"KWh", "kWh"}, {"mwh", "MWh"}, {"KB", "kB"},
		{"kb", "kB"}, {"mb", "MB"}, {"gb", "GB"}, {"tb", "TB"}, {"khz", "kHz"}, {"mhz", "MHz"}, {"ghz", "GHz"}, {"kw", "kW"}, {"gw", "GW"}, {"mw", "MW"}, {"ml", "ml"}, {"mL", "ml"}, {"dL", "dl"},
		{"Kg", "kg"}, {"KG", "kg"}, {"Km", "km"}, {"KM", "km"}, {"kcals", "kcal"}, {"Calories", "kcal"}, {"Mbps", "Mbit"}, {"mbps", "Mbit"}, {"gbps", "Gbit"}, {"Gbps", "Gbit"}, {"msec", "ms"}} {
		if u := m[alias[1]]; u != nil {
			m[alias[0]] = u
		}
	}
	// A kilocalorie is what most people call a calorie.
	m["calories"] = &unit{symbol: "cal", dimension: "energy", factor: rational("4.184"), others: []*unit{m["kcal"]}}
	m["calorie"] = m["calories"]
	add(&unit{symbol: "ton", dimension: "mass", factor: rational("1000000"), others: []*unit{
		{symbol: "short ton", dimension: "mass", factor: rational("907184.74")}, {symbol: "long ton", dimension: "mass", factor: rational("1016046.9088")},
	}}, "ton", "tons")
	gallon := func(symbol, american, imperial string, names ...string) {
		add(&unit{symbol: symbol, dimension: "volume", factor: rational(american), others: []*unit{{symbol: "imperial " + symbol, dimension: "volume", factor: rational(imperial)}}}, names...)
	}
	gallon("gal", "3.785411784", "4.54609", "gallon", "gallons", "gal")
	gallon("qt", "0.946352946", "1.1365225", "quart", "quarts", "qt")
	gallon("pt", "0.473176473", "0.56826125", "pint", "pints")
	gallon("fl oz", "0.0295735295625", "0.0284130625", "fl oz", "fluid ounce", "fluid ounces")
	add(&unit{symbol: "GBP", dimension: "money GBP", factor: one, others: []*unit{{symbol: "lb", dimension: "mass", factor: rational("453.59237")}}}, "pound", "pounds")
	celsius := &unit{symbol: "°C", dimension: "temperature", factor: one}
	fahrenheit := &unit{symbol: "°F", dimension: "temperature", factor: rational("5/9"), offset: rational("-160/9")}
	kelvin := &unit{symbol: "K", dimension: "temperature", factor: one, offset: rational("-273.15")}
	add(celsius, "°C", "°c", "ºC", "celsius", "centigrade", "degree celsius", "degrees celsius", "degrees centigrade", "degree centigrade", "degrees c", "°celsius")
	add(fahrenheit, "°F", "°f", "ºF", "fahrenheit", "degree fahrenheit", "degrees fahrenheit", "degrees f", "°fahrenheit")
	add(kelvin, "kelvin", "kelvins", "degrees kelvin")
	// Symbols that are other words or abbreviations more often.
	for w := range strings.FieldsSeq("dm nt pm Pm cs ds ps Ms Gs Ts Ps PV Mm Tm Gm") {
		delete(m, w)
	}
	return m
}

var one = big.NewRat(1, 1)

// rational parses a constant of this package.
func rational(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// compound returns the unit a per b ("miles per hour").
func compound(a, b *unit) *unit {
	u := &unit{symbol: a.symbol + "/" + b.symbol, dimension: a.dimension + "/" + b.dimension, factor: new(big.Rat).Quo(a.factor, b.factor)}
	if u.dimension == "length/time" {
		u.dimension = "speed"
	}
	return u
}

// raised returns the square or cube of a length.
func raised(a *unit, n int) *unit {
	if a.dimension != "length" || n != 2 && n != 3 {
		return nil
	}
	f := new(big.Rat).Mul(a.factor, a.factor)
	if n == 2 {
		return &unit{symbol: "sq " + a.symbol, dimension: "area", factor: f}
	}
	// The base of volume is the litre.
	f.Mul(f, a.factor)
	return &unit{symbol: "cu " + a.symbol, dimension: "volume", factor: f.Mul(f, big.NewRat(1000, 1))}
}

// money reports whether u is a currency.
func (u *unit) money() bool { return strings.HasPrefix(u.dimension, "money") }

// base returns v of unit u in the base unit of u's dimension.
func (u *unit) base(v *big.Rat) *big.Rat {
	r := new(big.Rat).Mul(v, u.factor)
	if u.offset != nil {
		r.Add(r, u.offset)
	}
	return r
}

// currencySign returns the unit of a sign or code before a number, nil for none.
func currencySign(s string) *unit {
	switch s {
	case "$":
		return units["$"]
	case "€":
		return units["EUR"]
	case "£":
		return units["GBP"]
	case "¥":
		return units["JPY"]
	case "₹":
		return units["INR"]
	case "US", "U.S.":
		return units["USD"]
	}
	if u := units[s]; u != nil && u.money() && strings.ToUpper(s) == s && len(s) == 3 {
		return u
	}
	return nil
}
