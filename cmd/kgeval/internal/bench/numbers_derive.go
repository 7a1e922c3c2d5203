package bench

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Claims of the maker (numbers_make.go) whose number follows from the text's by a
// conversion or a calculation.

// conversions are the units that the maker turns into others, with a factor and,
// for temperatures, an offset.
var conversions = []struct {
	re     *regexp.Regexp
	to     string
	factor float64
	offset float64
}{
	{unitRe(`km|kilometers|kilometres|kilometer|kilometre`), "miles", 0.621371192, 0},
	{unitRe(`miles|mile|mi`), "kilometres", 1.609344, 0},
	{unitRe(`metres|meters|m`), "feet", 3.280839895, 0},
	{unitRe(`feet|ft`), "metres", 0.3048, 0},
	{unitRe(`inches`), "centimetres", 2.54, 0},
	{unitRe(`cm|centimetres|centimeters`), "inches", 1 / 2.54, 0},
	{unitRe(`mm|millimetres|millimeters`), "centimetres", 0.1, 0},
	{unitRe(`kg|kilograms|kilos`), "pounds", 2.2046226218, 0},
	{unitRe(`lb|lbs`), "kilograms", 0.45359237, 0},
	{unitRe(`g|grams`), "milligrams", 1000, 0},
	{unitRe(`mg|milligrams`), "grams", 0.001, 0},
	{unitRe(`tonnes|tonne`), "kilograms", 1000, 0},
	{unitRe(`hours|hour|h`), "minutes", 60, 0},
	{unitRe(`minutes|min`), "seconds", 60, 0},
	{unitRe(`weeks`), "days", 7, 0},
	{unitRe(`days`), "hours", 24, 0},
	{unitRe(`years`), "months", 12, 0},
	{unitRe(`decades`), "years", 10, 0},
	{unitRe(`acres|acre`), "hectares", 0.40468564, 0},
	{unitRe(`hectares|ha`), "acres", 2.4710538, 0},
	{unitRe(`mph|miles per hour`), "km/h", 1.609344, 0},
	{unitRe(`km/h|kilometres per hour|kilometers per hour`), "mph", 0.621371192, 0},
	{unitRe(`° C|°C|degrees Celsius`), "degrees Fahrenheit", 1.8, 32},
	{unitRe(`° F|°F|degrees Fahrenheit`), "degrees Celsius", 5.0 / 9, -160.0 / 9},
	{unitRe(`litres|liters`), "millilitres", 1000, 0},
	{unitRe(`ml|mL`), "litres", 0.001, 0},
	{unitRe(`sq mi|square miles`), "square kilometres", 2.589988, 0},
	{unitRe(`km2|km²|square kilometres|square kilometers`), "square miles", 0.386102, 0},
	{unitRe(`sq ft|square feet`), "square metres", 0.09290304, 0},
}

func unitRe(names string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[ (])(` + figure + `) (` + names + `)(?:[ ,.;)]|$)`)
}

// convert writes a measure of s in another unit, rightly or not.
func (m *maker) convert(s string, right bool) (claim, way string, ok bool) {
	for _, k := range m.rng.Perm(len(conversions)) {
		c := conversions[k]
		at := c.re.FindStringSubmatchIndex(s)
		if at == nil {
			continue
		}
		b, e := at[2], at[5]
		if b >= 2 && (s[b-2] == '-' || strings.HasSuffix(s[:b], "– ") || strings.HasSuffix(s[:b], "- ") || strings.HasSuffix(s[:b], " to ") || strings.HasSuffix(s[:b], " and ") || strings.HasSuffix(s[:b], " or ")) || strings.HasPrefix(s[e:], " to ") || strings.HasPrefix(s[e:], " and ") {
			continue
		}
		unit := s[at[4]:at[5]]
		// Another unit in brackets would give it away: cut it.
		right2 := s[e:]
		if strings.HasPrefix(right2, " (") {
			if i := strings.Index(right2, ")"); i > 0 {
				right2 = right2[i+1:]
			}
		}
		if bounded(s, b, e) {
			continue
		}
		if strings.HasPrefix(right2, " per ") || strings.HasPrefix(right2, " old") || strings.HasPrefix(right2, " × ") || strings.HasSuffix(s[:b], "(") || strings.HasSuffix(s[:b], " × ") {
			continue
		}
		v, err := strconv.ParseFloat(strings.ReplaceAll(s[at[2]:at[3]], ",", ""), 64)
		if err != nil || v == 0 || v > 1e6 {
			continue
		}
		x := v*c.factor + c.offset
		way := unit + " to " + c.to
		if !right {
			switch m.rng.IntN(3) {
			case 0:
				x, way = v, way+", number kept"
			case 1:
				x, way = (x-c.offset)*1.4+c.offset, way+", too much"
			default:
				x, way = (x-c.offset)*0.6+c.offset, way+", too little"
			}
			if math.Abs(x-(v*c.factor+c.offset)) < 0.2*math.Abs(v*c.factor+c.offset) {
				continue
			}
		}
		if math.Abs(x) < 0.01 {
			continue
		}
		text := plainFigure(significant(x, 3))
		return m.frame(s[:e]+right2, b, e, text+" "+c.to), way, true
	}
	// A share in other words.
	if n := rePercent.FindStringSubmatchIndex(s); n != nil && !bounded(s, n[0], n[1]) && !inRange(s, n[0], n[1]) {
		v, _ := strconv.ParseFloat(s[n[2]:n[3]], 64)
		rest := s[n[1]:]
		if word := map[float64]string{50: "half", 25: "a quarter", 75: "three quarters", 20: "one fifth", 10: "one in ten", 80: "four out of five", 40: "two fifths", 60: "three fifths"}[v]; word != "" && strings.HasPrefix(rest, " of ") {
			if !right {
				word = map[string]string{"half": "a third", "a quarter": "a fifth", "three quarters": "two thirds", "one fifth": "one third", "one in ten": "one in four", "four out of five": "three out of five", "two fifths": "three fifths", "three fifths": "four fifths"}[word]
			}
			return m.frame(s, n[0], n[1], word), "percent to fraction", true
		}
	}
	return "", "", false
}

var (
	reSpan    = regexp.MustCompile(`\b(from|between) (1[5-9]\d\d|20[0-2]\d) (to|until|and) (1[5-9]\d\d|20[0-2]\d)\b`)
	reFromTo  = regexp.MustCompile(`\b(rose|fell|increased|decreased|grew|dropped|declined|raised|reduced|expanded|rising|falling|increasing|decreasing|growing|up|down|jumped|climbed)((?: [a-z]+){0,3}) from ([$£€]?)(` + figure + `)(%| per cent| percent| million| billion)? to ([$£€]?)(` + figure + `)(%| per cent| percent| million| billion)?`)
	reTwo     = regexp.MustCompile(`\b(` + figure + `|two|three|four|five|six|seven|eight|nine|ten|twelve) ([a-z]{3,}s|men|women|children) and (` + figure + `|two|three|four|five|six|seven|eight|nine|ten|twelve) ([a-z]{3,}s|men|women|children)\b`)
	reOutOf   = regexp.MustCompile(`\b(\d{1,5}) (?:out )?of (?:the |their |its |all )?(\d{2,5}) ([a-z]{3,}s|people|children|women|men)\b`)
	reLater   = regexp.MustCompile(`\b(two|three|four|five|six|seven|eight|nine|ten) years later\b`)
	reAnyYear = regexp.MustCompile(`\b(1[5-9]\d\d|20[0-2]\d)\b`)
	reResult  = regexp.MustCompile(`\b(?:won|beat|beating|defeated|defeating)(?: [A-Z][A-Za-z']+){0,4}( (\d{1,3})[–-](\d{1,2}))(?:[.,]| (?:in|on|at|against|to|and|with)\b)`)
	reBracket = regexp.MustCompile(`\((1[5-9]\d\d|20[0-2]\d) ?[–-] ?(1[5-9]\d\d|20[0-2]\d)\)`)
)

// compute makes a claim whose number follows from two numbers of s, or does not.
func (m *maker) compute(s string, right bool) (claim, way string, ok bool) {
	off := func(v float64) float64 {
		if right {
			return v
		}
		f := []float64{0.5, 0.7, 1.4, 1.6, 2}[m.rng.IntN(5)]
		x := v * f
		if v == math.Trunc(v) {
			x = math.Round(x)
		} else {
			x = math.Round(x*10) / 10
		}
		if math.Abs(x-v) < 0.15*math.Abs(v) || x == v {
			x = v + math.Max(2, math.Round(0.5*v))
		}
		return x
	}
	for _, k := range m.rng.Perm(7) {
		switch k {
		case 0: // how long
			at := reSpan.FindStringSubmatchIndex(s)
			if at == nil {
				continue
			}
			a, _ := strconv.Atoi(s[at[4]:at[5]])
			b, _ := strconv.Atoi(s[at[8]:at[9]])
			if b-a < 2 {
				continue
			}
			n := int(off(float64(b - a)))
			return m.frame(s, at[0], at[1], "for "+years(m, n)), "how long", true
		case 1: // change
			at := reFromTo.FindStringSubmatchIndex(s)
			if at == nil {
				continue
			}
			group := func(g int) string {
				if at[2*g] < 0 {
					return ""
				}
				return s[at[2*g]:at[2*g+1]]
			}
			a, _ := strconv.ParseFloat(strings.ReplaceAll(group(4), ",", ""), 64)
			b, _ := strconv.ParseFloat(strings.ReplaceAll(group(7), ",", ""), 64)
			unit := group(8)
			if group(5) != "" && group(5) != unit || a == 0 || a == b || group(3) != group(6) {
				continue
			}
			d := math.Abs(b - a)
			rest := s[at[1]:]
			if m.rng.IntN(2) == 0 && !strings.Contains(unit, "%") && !strings.Contains(unit, "cent") {
				p := off(math.Round(d/a*1000) / 10)
				// The noun behind the second number goes with it.
				return s[:at[0]] + group(1) + group(2) + " by " + plainFigure(p) + "%" + afterNoun(rest), "change in percent", true
			}
			if times := b / a; right && times == math.Trunc(times) && times > 1 && times < 6 || !right && b > a && m.rng.IntN(6) == 0 && math.Abs(times-4) > 1 {
				word := "fourfold"
				if right {
					word = map[float64]string{2: "twofold", 3: "threefold", 4: "fourfold", 5: "fivefold"}[times]
				}
				return s[:at[0]] + group(1) + group(2) + " " + word + rest, "ratio", true
			}
			if strings.Contains(unit, "%") || strings.Contains(unit, "cent") {
				return s[:at[0]] + group(1) + group(2) + " by " + plainFigure(off(math.Round(d*100)/100)) + " percentage points" + rest, "change in points", true
			}
			return s[:at[0]] + group(1) + group(2) + " by " + group(3) + plainFigure(off(math.Round(d*100)/100)) + unit + rest, "change", true
		case 2: // sum
			at := reTwo.FindStringSubmatchIndex(s)
			if at == nil {
				continue
			}
			a, b := parseEither(s[at[2]:at[3]]), parseEither(s[at[6]:at[7]])
			if a == 0 || b == 0 {
				continue
			}
			x, y := s[at[4]:at[5]], s[at[8]:at[9]]
			if timeNouns[x] || timeNouns[y] || x == y || bounded(s, at[0], at[5]) || bounded(s, at[6], at[9]) {
				continue
			}
			if a > b && m.rng.IntN(3) == 0 {
				return m.frame(s, at[0], at[1], grouped(off(a-b))+" more "+x+" than "+y), "more than", true
			}
			return m.frame(s, at[0], at[1], "a total of "+grouped(off(a+b))+" "+x+" and "+y), "sum", true
		case 3: // share
			at := reOutOf.FindStringSubmatchIndex(s)
			if at == nil {
				continue
			}
			a, _ := strconv.ParseFloat(s[at[2]:at[3]], 64)
			b, _ := strconv.ParseFloat(s[at[4]:at[5]], 64)
			if a >= b || a == 0 {
				continue
			}
			p := off(math.Round(a / b * 100))
			if p > 100 {
				p = math.Round(a/b*100) / 2
			}
			return m.frame(s, at[0], at[1], plainFigure(math.Round(p))+"% of the "+s[at[6]:at[7]]), "share", true
		case 4: // a later year
			at := reLater.FindStringSubmatchIndex(s)
			if at == nil {
				continue
			}
			year := reAnyYear.FindString(s)
			if year == "" || len(reAnyYear.FindAllString(s, -1)) != 1 {
				continue
			}
			y, _ := strconv.Atoi(year)
			y += fromWord(s[at[2]:at[3]])
			if !right {
				y += []int{-3, -2, 2, 3, 5}[m.rng.IntN(5)]
			}
			return m.frame(s, at[0], at[1], "in "+strconv.Itoa(y)), "a later year", true
		case 5: // by how much a match was won
			at := reResult.FindStringSubmatchIndex(s)
			if at == nil {
				continue
			}
			a, _ := strconv.Atoi(s[at[4]:at[5]])
			b, _ := strconv.Atoi(s[at[6]:at[7]])
			if a-b < 2 || a > 150 {
				continue
			}
			return m.frame(s, at[2], at[3], " by a margin of "+strconv.Itoa(int(off(float64(a-b))))), "margin", true
		case 6: // years in brackets
			at := reBracket.FindStringSubmatchIndex(s)
			if at == nil {
				continue
			}
			a, _ := strconv.Atoi(s[at[2]:at[3]])
			b, _ := strconv.Atoi(s[at[4]:at[5]])
			if b-a < 2 {
				continue
			}
			return m.frame(s, at[0], at[1], "(over "+years(m, int(off(float64(b-a))))+")"), "how long", true
		}
	}
	return "", "", false
}
