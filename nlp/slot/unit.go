package slot

import "strings"

// unit is one unit of measure: value*factor (+ offset) is in the base unit of
// its dimension. Units of one dimension convert exactly; what has no exact
// factor (months in days, tons of three kinds, currencies) is a dimension of
// its own.
type unit struct {
	symbol    string
	dimension string
	factor    float64
	offset    float64
}

var units = buildUnits()

func buildUnits() map[string]unit {
	m := map[string]unit{}
	add := func(symbol, dimension string, factor float64, names ...string) {
		for _, n := range names {
			m[n] = unit{symbol: symbol, dimension: dimension, factor: factor}
		}
	}
	add("mm", "length", 1e-3, "mm", "millimetre", "millimetres", "millimeter", "millimeters")
	add("cm", "length", 1e-2, "cm", "centimetre", "centimetres", "centimeter", "centimeters")
	add("m", "length", 1, "m", "metre", "metres", "meter", "meters")
	add("km", "length", 1e3, "km", "kms", "kilometre", "kilometres", "kilometer", "kilometers")
	add("in", "length", 0.0254, "inch", "inches")
	add("ft", "length", 0.3048, "ft", "foot", "feet")
	add("yd", "length", 0.9144, "yd", "yard", "yards")
	add("mi", "length", 1609.344, "mi", "mile", "miles")
	add("nmi", "length", 1852, "nmi")
	add("ly", "lightyear", 1, "light-year", "light-years", "lightyear", "lightyears")

	add("mg", "mass", 1e-6, "mg", "milligram", "milligrams", "milligramme", "milligrammes")
	add("ug", "mass", 1e-9, "mcg", "microgram", "micrograms", "µg", "μg")
	add("g", "mass", 1e-3, "g", "gram", "grams", "gramme", "grammes")
	add("kg", "mass", 1, "kg", "kgs", "kilo", "kilos", "kilogram", "kilograms", "kilogramme", "kilogrammes")
	add("t", "mass", 1e3, "tonne", "tonnes")
	add("oz", "mass", 0.028349523125, "oz", "ounce", "ounces")
	add("lb", "mass", 0.45359237, "lb", "lbs")
	add("stone", "mass", 6.35029318, "stone")
	add("ton", "ton", 1, "ton", "tons")
	// A pound is money or mass; Compare takes it for either.
	add("pound", "pound", 1, "pound", "pounds")

	add("ms", "time", 1e-3, "ms", "millisecond", "milliseconds")
	add("s", "time", 1, "sec", "secs", "second", "seconds")
	add("min", "time", 60, "min", "mins", "minute", "minutes")
	add("h", "time", 3600, "hr", "hrs", "hour", "hours")
	add("day", "time", 86400, "day", "days")
	add("week", "time", 604800, "week", "weeks")
	add("fortnight", "time", 2*604800, "fortnight", "fortnights")
	add("month", "months", 1, "month", "months")
	add("year", "months", 12, "year", "years", "yr", "yrs")
	add("decade", "months", 120, "decade", "decades")
	add("century", "months", 1200, "century", "centuries")

	add("ml", "volume", 1e-3, "ml", "millilitre", "millilitres", "milliliter", "milliliters")
	add("l", "volume", 1, "litre", "litres", "liter", "liters")
	add("gal", "gallon", 1, "gallon", "gallons")
	add("pint", "pint", 1, "pint", "pints")
	add("bbl", "barrel", 1, "barrel", "barrels")
	add("cup", "cup", 1, "cup", "cups")

	add("km2", "area", 1e6, "km²", "km2")
	add("ha", "area", 1e4, "ha", "hectare", "hectares")
	add("sq m", "area", 1, "m²", "m2", "sqm")
	add("acre", "area", 4046.8564224, "acre", "acres")

	add("km/h", "speed", 1/3.6, "kph", "kmh", "km/h")
	add("mph", "speed", 0.44704, "mph")
	add("kn", "speed", 1852.0/3600, "knot", "knots")

	add("W", "power", 1, "watt", "watts")
	add("kW", "power", 1e3, "kw", "kilowatt", "kilowatts")
	add("MW", "power", 1e6, "mw", "megawatt", "megawatts")
	add("GW", "power", 1e9, "gw", "gigawatt", "gigawatts")
	add("kWh", "energy", 1, "kwh", "kilowatt-hours")
	add("MWh", "energy", 1e3, "mwh")
	add("cal", "food energy", 1, "calorie", "calories")
	add("kcal", "food energy", 1e3, "kcal")
	add("V", "voltage", 1, "volt", "volts")
	add("Hz", "frequency", 1, "hz", "hertz")
	add("kHz", "frequency", 1e3, "khz", "kilohertz")
	add("MHz", "frequency", 1e6, "mhz", "megahertz")
	add("GHz", "frequency", 1e9, "ghz", "gigahertz")
	add("B", "data", 1, "byte", "bytes")
	add("kB", "data", 1e3, "kb", "kilobyte", "kilobytes")
	add("MB", "data", 1e6, "mb", "megabyte", "megabytes")
	add("GB", "data", 1e9, "gb", "gigabyte", "gigabytes")
	add("TB", "data", 1e12, "tb", "terabyte", "terabytes")
	add("degree", "angle", 1, "degree", "degrees")
	add("mmHg", "pressure", 1, "mmhg")
	add("mol", "amount", 1, "mol", "mole", "moles")
	add("mmol", "amount", 1e-3, "mmol")

	for code, names := range map[string]string{
		"USD": "dollar dollars usd", "EUR": "euro euros eur", "GBP": "gbp sterling",
		"JPY": "yen jpy", "CNY": "yuan renminbi cny", "INR": "rupee rupees inr", "CHF": "chf",
		"RUB": "rouble roubles ruble rubles", "KRW": "krw", "BRL": "reais", "SEK": "kronor", "PLN": "zloty zlotys",
	} {
		add(code, "money "+code, 1, strings.Fields(names)...)
	}
	m["°c"] = unit{"°C", "temperature", 1, 0}
	m["celsius"] = m["°c"]
	m["°f"] = unit{"°F", "temperature", 5.0 / 9, -160.0 / 9}
	m["fahrenheit"] = m["°f"]
	return m
}

// unitOf returns the unit that the lower-case word names.
func unitOf(word string) (unit, bool) {
	u, ok := units[word]
	return u, ok
}

// bySymbol finds a unit by its canonical symbol.
var bySymbol = func() map[string]unit {
	m := map[string]unit{}
	for _, u := range units {
		m[u.symbol] = u
	}
	return m
}()

// currencySign returns the currency code of a sign before a number.
func currencySign(s string) string {
	switch s {
	case "$":
		return "USD"
	case "€":
		return "EUR"
	case "£":
		return "GBP"
	case "¥":
		return "JPY"
	case "₹":
		return "INR"
	}
	return ""
}
