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
