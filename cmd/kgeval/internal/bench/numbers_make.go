package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/segment"
)

// This file makes claims with numbers out of texts. It has lists and ways of its
// own and must not import what it is to measure (package numeric).

// madeClaim is one claim with the verdict that is right for it.
type madeClaim struct {
	ID       string `json:"id"`    // of the text it was made from
	Class    string `json:"class"` // true, changed, converted, computed, unsaid
	Way      string `json:"way"`   // how it was made
	Context  string `json:"context"`
	Claim    string `json:"claim"`
	Expected string `json:"expected"`
}

// The classes in the order of the table. An unsaid claim comes from another text:
// nothing in the context is about it.
var madeClasses = []string{"true", "changed", "converted", "computed", "unsaid"}

// numberText is a text to make claims of.
type numberText struct{ id, text string }

// maker makes the claims of one run.
type maker struct {
	rng  *rand.Rand
	want map[string]int
	out  []madeClaim
	used map[string]bool // sentences that were taken
}

// makeClaims makes per claims of each class out of texts, each class half right and
// half wrong where it has both.
func makeClaims(texts []numberText, per int, seed uint64) []madeClaim {
	m := &maker{rng: rand.New(rand.NewPCG(seed, 17)), want: map[string]int{}, used: map[string]bool{}}
	order := m.rng.Perm(len(texts))
	for _, class := range madeClasses {
		m.want[class] = per
	}
	// The rarest first, so that a text with a conversion or sum in it is not spent.
	for _, class := range []string{"computed", "converted", "changed", "true", "unsaid"} {
		for round := 0; round < 4 && m.want[class] > 0; round++ {
			for k, at := range order {
				if m.want[class] == 0 {
					break
				}
				m.from(class, texts[at], texts[order[(k+len(order)/2)%len(order)]], round)
			}
		}
	}
	slices.SortStableFunc(m.out, func(a, b madeClaim) int {
		return slices.Index(madeClasses, a.Class) - slices.Index(madeClasses, b.Class)
	})
	return m.out
}

// from makes at most one claim of a class out of a text; round says how many it
// gave before.
func (m *maker) from(class string, t, other numberText, round int) {
	var sentences []string
	for _, s := range segment.Sentences(t.text) {
		line := strings.Join(strings.Fields(s.Of(t.text)), " ")
		if n := len(strings.Fields(line)); n < 7 || n > 45 || strings.Contains(line, "<unk>") || m.used[line] || !strings.ContainsAny(line, "0123456789") && class != "true" && class != "changed" {
			continue
		}
		if last := line[len(line)-1]; last != '.' || strings.Count(line, "\"")%2 == 1 || strings.Count(line, "(") != strings.Count(line, ")") {
			continue
		}
		sentences = append(sentences, line)
	}
	if len(sentences) <= round {
		return
	}
	m.rng.Shuffle(len(sentences), func(i, j int) { sentences[i], sentences[j] = sentences[j], sentences[i] })
	for _, s := range sentences {
		c := madeClaim{ID: t.id, Class: class, Context: t.text}
		right := m.want[class]%2 == 0
		ok := false
		switch class {
		case "true", "unsaid":
			c.Claim, c.Way, ok = m.restate(s)
			c.Expected = "supported"
		case "changed":
			c.Claim, c.Way, ok = m.change(s, t.text)
			c.Expected = "contradicted"
		case "converted":
			c.Claim, c.Way, ok = m.convert(s, right)
			c.Expected = verdictOf(right)
		case "computed":
			c.Claim, c.Way, ok = m.compute(s, right)
			c.Expected = verdictOf(right)
		}
		if !ok || c.Claim == s && c.Class != "true" && c.Class != "unsaid" {
			continue
		}
		if class == "unsaid" {
			if other.id == t.id || sharesWords(s, other.text) {
				continue
			}
			c.Context, c.Expected = other.text, "not found"
			c.ID = t.id + " against " + other.id
		}
		m.used[s] = true
		m.out = append(m.out, c)
		m.want[class]--
		return
	}
}

func verdictOf(right bool) string {
	if right {
		return "supported"
	}
	return "contradicted"
}

// sharesWords reports whether a third of the longer words of s stand in text.
func sharesWords(s, text string) bool {
	all, in := 0, 0
	low := strings.ToLower(text)
	for _, w := range strings.Fields(strings.ToLower(s)) {
		if w = strings.Trim(w, ".,;()\""); len(w) > 4 {
			all++
			if strings.Contains(low, w) {
				in++
			}
		}
	}
	return 3*in > all
}

// The numbers that the maker sees.
const figure = `\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`

var (
	reCount   = regexp.MustCompile(`(?:^|[ (])(` + figure + `) ([a-z]{3,}s|people|men|women|children)\b`)
	reSpelled = regexp.MustCompile(`(?i)\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|sixteen|twenty|thirty|forty|fifty) ([a-z]{3,}s|people|men|women|children)\b`)
	reMoney   = regexp.MustCompile(`([$£€])(` + figure + `)( million| billion|m|bn)?\b`)
	rePercent = regexp.MustCompile(`(` + figure + `)( per cent| percent|%)`)
	reYear    = regexp.MustCompile(`\b([Ii]n|[Ss]ince|[Uu]ntil|by|after|before) (1[5-9]\d\d|20[0-2]\d)\b`)
	reDay     = regexp.MustCompile(`\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December) (1[5-9]\d\d|20[0-2]\d)\b`)
	reDayUS   = regexp.MustCompile(`\b(January|February|March|April|May|June|July|August|September|October|November|December) (\d{1,2}), (1[5-9]\d\d|20[0-2]\d)\b`)
	reLarge   = regexp.MustCompile(`(?:^|[ (])(\d{1,3}(?:,\d{3})+)\b`)
	reMillion = regexp.MustCompile(`\b(\d+(?:\.\d+)?) (million|billion)\b`)
)

// found is a number in a sentence.
type madeNumber struct {
	kind  string
	start int
	end   int // of what is replaced
	value float64
	text  string
	rest  []string // groups of the pattern
	// bounded says that words around it make a bound of it.
	bounded bool
}

// numbers finds numbers of the kinds that can be rewritten.
func numbersIn(s string) []madeNumber {
	var out []madeNumber
	taken := make([]bool, len(s)+1)
	put := func(kind string, re *regexp.Regexp, whole bool, group int) {
		for _, at := range re.FindAllStringSubmatchIndex(s, -1) {
			b, e := at[2*group], at[2*group+1]
			if whole {
				b, e = at[0], at[1]
			}
			if taken[b] || taken[e-1] || b > 0 && strings.ContainsRune("-–.,/:", rune(s[b-1])) || strings.HasPrefix(s[e:], "-") || strings.HasPrefix(s[e:], " – ") || b > 2 && strings.HasPrefix(s[b-2:], "– ") {
				continue
			}
			if b > 0 && s[b-1] >= 0x80 || inRange(s, b, e) {
				continue
			}
			var groups []string
			for g := 1; 2*g < len(at); g++ {
				if at[2*g] < 0 {
					groups = append(groups, "")
					continue
				}
				groups = append(groups, s[at[2*g]:at[2*g+1]])
			}
			for i := b; i < e; i++ {
				taken[i] = true
			}
			v, _ := strconv.ParseFloat(strings.ReplaceAll(s[at[2*group]:at[2*group+1]], ",", ""), 64)
			out = append(out, madeNumber{kind, b, e, v, s[b:e], groups, bounded(s, b, e)})
		}
	}
	put("day", reDay, true, 1)
	put("day-us", reDayUS, true, 2)
	put("money", reMoney, true, 2)
	put("percent", rePercent, true, 1)
	put("million", reMillion, true, 1)
	put("year", reYear, false, 2)
	put("large", reLarge, false, 1)
	put("count", reCount, false, 1)
	put("spelled", reSpelled, false, 1)
	return out
}

var (
	reBefore = regexp.MustCompile(`(?i)(?:more|less|fewer|greater|higher|lower|older|younger|longer|larger|better|smaller|shorter|heavier|taller|wider|deeper) than $|as (?:long|high|low|large|little|few|far) as $|(?:at least|at most|up to|over|under|above|below|nearly|almost|about|around|approximately|roughly|some|minimum of|maximum of|only|exceeding|exceeds|exceeded|no|as many as|as much as|estimated|by) $`)
	reAfter  = regexp.MustCompile(`(?i)^[a-z ]{0,24}\bor (?:more|less|older|younger|fewer|so|above|over)\b|^ ?\+`)
)

// bounded reports whether words around the number at [b, e) make a bound of it: a
// smaller one may then be true as well.
func bounded(s string, b, e int) bool {
	return reBefore.MatchString(s[:b]) || reAfter.MatchString(s[e:])
}

var (
	reRangeBefore = regexp.MustCompile(`(?i)(?:\d|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|sixty|hundred|thousand)(?: [a-z%]+)? (?:to|or|and|-|–) $|(?:twenty|thirty|forty|fifty|hundred|thousand|and)[ -]$`)
	reRangeAfter  = regexp.MustCompile(`(?i)^ (?:to|or|and|-|–|of) (?:every |the )?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|a hundred)`)
)

// inRange reports whether the number at [b, e) is one end of a range or list.
func inRange(s string, b, e int) bool {
	return reRangeBefore.MatchString(s[:b]) || reRangeAfter.MatchString(s[e:])
}

// frame makes a claim of the sentence whose number stands at [b, e) and was
// replaced by text: sometimes cut to its clause, sometimes with an opening.
func (m *maker) frame(s string, b, e int, text string) string {
	left, right := s[:b], s[e:]
	if m.rng.IntN(3) == 0 {
		for _, cut := range []string{", which ", "; ", ", but ", ", while ", ", although ", " ("} {
			if i := strings.Index(right, cut); i >= 0 && len(strings.Fields(left+right[:i])) >= 7 {
				right = strings.TrimRight(right[:i], " ,") + "."
				break
			}
		}
	}
	claim := left + text + right
	if m.rng.IntN(4) == 0 && b > 0 {
		first, rest, _ := strings.Cut(claim, " ")
		switch first {
		case "The", "It", "He", "She", "They", "In", "On", "A", "An", "This", "These", "There", "At", "By", "After", "For", "As", "His", "Her", "Their", "Its":
			opening := []string{"According to the report, ", "The text says that ", "As described, "}[m.rng.IntN(3)]
			claim = opening + strings.ToLower(first) + " " + rest
		}
	}
	return claim
}

// restate writes one number of s in another form, or leaves all as they are.
func (m *maker) restate(s string) (claim, way string, ok bool) {
	found := numbersIn(s)
	if len(found) == 0 {
		return "", "", false
	}
	n := found[m.rng.IntN(len(found))]
	if m.rng.IntN(3) == 0 {
		return m.frame(s, n.start, n.end, n.text), "as it is", true
	}
	text, way := m.reform(n)
	if text == "" {
		return m.frame(s, n.start, n.end, n.text), "as it is", true
	}
	return m.frame(s, n.start, n.end, text), way, true
}

// reform writes n in another form of the same value.
func (m *maker) reform(n madeNumber) (text, way string) {
	switch n.kind {
	case "day":
		if m.rng.IntN(3) == 0 {
			return n.rest[1] + " " + n.rest[2], "month"
		}
		return n.rest[1] + " " + n.rest[0] + ", " + n.rest[2], "date form"
	case "day-us":
		if m.rng.IntN(3) == 0 {
			return n.rest[0] + " " + n.rest[2], "month"
		}
		return n.rest[1] + " " + n.rest[0] + " " + n.rest[2], "date form"
	case "money":
		switch n.rest[2] {
		case "m", " million":
			return n.rest[0] + plainFigure(n.value) + map[string]string{"m": " million", " million": "m"}[n.rest[2]], "magnitude"
		case "bn", " billion":
			return n.rest[0] + plainFigure(n.value) + map[string]string{"bn": " billion", " billion": "bn"}[n.rest[2]], "magnitude"
		}
		if n.value >= 1e6 && math.Mod(n.value, 1e5) == 0 {
			return n.rest[0] + plainFigure(n.value/1e6) + " million", "magnitude"
		}
		if word := map[string]string{"$": "dollars", "£": "pounds", "€": "euros"}[n.rest[0]]; n.value == math.Trunc(n.value) {
			return grouped(n.value) + " " + word, "currency word"
		}
	case "percent":
		return plainFigure(n.value) + []string{" percent", "%", " per cent"}[(slices.Index([]string{" percent", "%", " per cent"}, n.rest[1])+1)%3], "percent word"
	case "million":
		scale := map[string]float64{"million": 1e6, "billion": 1e9}[n.rest[1]]
		return grouped(n.value * scale), "digits"
	case "large":
		if n.bounded {
			return "", ""
		}
		if n.value >= 1e6 {
			return "about " + plainFigure(math.Round(n.value/1e5)/10) + " million", "rounded"
		}
		if m.rng.IntN(2) == 0 && n.value >= 1e4 {
			return "roughly " + grouped(math.Round(n.value/1e3)*1e3), "rounded"
		}
		return strconv.FormatFloat(n.value, 'f', -1, 64), "no commas"
	case "count":
		if n.value == math.Trunc(n.value) && n.value < 1000 && n.value > 0 {
			return inWords(int(n.value)), "words"
		}
	case "spelled":
		if v := fromWord(n.rest[0]); v > 0 {
			return strconv.Itoa(v), "digits"
		}
	}
	return "", ""
}

// change makes one number of s wrong.
func (m *maker) change(s, text string) (claim, way string, ok bool) {
	found := numbersIn(s)
	if len(found) == 0 {
		return "", "", false
	}
	n := found[m.rng.IntN(len(found))]
	if bounded(s, n.start, n.end) {
		return "", "", false
	}
	// Another number of the same kind in the text, in its place.
	if m.rng.IntN(3) == 0 {
		for _, o := range numbersIn(text) {
			if o.kind == n.kind && o.value != n.value && !strings.Contains(s, o.text) && o.kind != "spelled" && o.kind != "day" && o.kind != "day-us" && math.Abs(o.value-n.value) > 0.02*n.value {
				return m.frame(s, n.start, n.end, o.text), "number of another place", true
			}
		}
	}
	other := func(v float64) float64 {
		f := []float64{0.4, 0.6, 0.75, 1.25, 1.5, 1.8, 2.5}[m.rng.IntN(7)]
		x := v * f
		switch {
		case v != math.Trunc(v):
			x = math.Round(x*10) / 10
		case v >= 1000:
			x = math.Round(x/10) * 10
		default:
			x = math.Round(x)
		}
		if x == v || x == 0 {
			x = v + 2
		}
		return x
	}
	years := func(y string) string {
		v, _ := strconv.Atoi(y)
		return strconv.Itoa(v + []int{-12, -7, -4, -2, -1, 1, 2, 3, 8}[m.rng.IntN(9)])
	}
	switch n.kind {
	case "day":
		if m.rng.IntN(2) == 0 {
			return m.frame(s, n.start, n.end, n.rest[0]+" "+n.rest[1]+" "+years(n.rest[2])), "year", true
		}
		d := int(n.value)%27 + 1
		return m.frame(s, n.start, n.end, fmt.Sprintf("%d %s %s", d, n.rest[1], n.rest[2])), "day", true
	case "day-us":
		return m.frame(s, n.start, n.end, n.rest[0]+" "+n.rest[1]+", "+years(n.rest[2])), "year", true
	case "year":
		return m.frame(s, n.start, n.end, years(n.text)), "year", true
	case "money":
		if n.rest[2] != "" && m.rng.IntN(3) == 0 {
			return m.frame(s, n.start, n.end, n.rest[0]+n.rest[1]+map[string]string{"m": "bn", " million": " billion", "bn": "m", " billion": " million"}[n.rest[2]]), "magnitude", true
		}
		return m.frame(s, n.start, n.end, n.rest[0]+plainFigure(other(n.value))+n.rest[2]), "value", true
	case "percent":
		x := other(n.value)
		if x > 100 {
			x = math.Round(n.value / 2)
		}
		if x == n.value {
			return "", "", false
		}
		return m.frame(s, n.start, n.end, plainFigure(x)+n.rest[1]), "value", true
	case "million":
		if m.rng.IntN(3) == 0 {
			return m.frame(s, n.start, n.end, n.rest[0]+map[string]string{"million": " billion", "billion": " million"}[n.rest[1]]), "magnitude", true
		}
		return m.frame(s, n.start, n.end, plainFigure(other(n.value))+" "+n.rest[1]), "value", true
	case "large":
		return m.frame(s, n.start, n.end, grouped(other(n.value))), "value", true
	case "count":
		if n.value == math.Trunc(n.value) && n.value < 20 {
			return m.frame(s, n.start, n.end, inWords(int(other(n.value)))), "words", true
		}
		return m.frame(s, n.start, n.end, plainFigure(other(n.value))), "value", true
	case "spelled":
		v := fromWord(n.rest[0])
		x := int(other(float64(v)))
		if x == 1 {
			x = v + 1
		}
		if m.rng.IntN(2) == 0 {
			return m.frame(s, n.start, n.end, strconv.Itoa(x)), "digits", true
		}
		return m.frame(s, n.start, n.end, inWords(x)), "words", true
	}
	return "", "", false
}

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

var timeNouns = map[string]bool{"years": true, "months": true, "weeks": true, "days": true, "hours": true, "minutes": true, "seconds": true}

// afterNoun drops the noun that stood behind a replaced number.
func afterNoun(rest string) string {
	f := strings.SplitN(strings.TrimPrefix(rest, " "), " ", 2)
	if strings.HasPrefix(rest, " ") && len(f) == 2 && strings.HasSuffix(f[0], "s") && len(f[0]) > 3 {
		return " " + f[1]
	}
	return rest
}

func years(m *maker, n int) string {
	if n < 20 && m.rng.IntN(2) == 0 {
		return inWords(n) + " years"
	}
	return strconv.Itoa(n) + " years"
}

func parseEither(s string) float64 {
	if v := fromWord(s); v > 0 {
		return float64(v)
	}
	v, _ := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	return v
}

var unitsInWords = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
var tensInWords = strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")

// inWords writes a number under 100,000 in words.
func inWords(n int) string {
	switch {
	case n < 20:
		return unitsInWords[n]
	case n < 100 && n%10 == 0:
		return tensInWords[n/10]
	case n < 100:
		return tensInWords[n/10] + "-" + unitsInWords[n%10]
	case n < 1000 && n%100 == 0:
		return unitsInWords[n/100] + " hundred"
	case n < 1000:
		return unitsInWords[n/100] + " hundred and " + inWords(n%100)
	}
	s := inWords(n/1000) + " thousand"
	if n%1000 != 0 {
		s += " " + inWords(n%1000)
	}
	return s
}

func fromWord(w string) int {
	w = strings.ToLower(w)
	if i := slices.Index(unitsInWords, w); i >= 0 {
		return i
	}
	if i := slices.Index(tensInWords, w); i >= 0 {
		return 10 * i
	}
	return 0
}

// plainFigure writes v with commas and as many decimals as it has, at most three.
func plainFigure(v float64) string {
	if v == math.Trunc(v) {
		return grouped(v)
	}
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v, 'f', 3, 64), "0"), ".")
}

func grouped(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if v < 0 {
		return "-" + s
	}
	return s
}

// significant rounds v to n digits.
func significant(v float64, n int) float64 {
	if v == 0 {
		return 0
	}
	p := math.Pow(10, float64(n-1)-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*p) / p
}
