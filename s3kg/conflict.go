package s3kg

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kgeval/kgeval/internal/antonym"
)

// Conflict is the default of Options.Conflict: it reports whether two labels must
// not be taken for the same, however alike they look to an embedder. They
// conflict in any of these cases:
//
//   - One is negated and the other is not ("lowered", "did not lower", "failed to
//     lower"); two negations cancel each other.
//   - They do not hold the same numbers: "14 days" and "30 days", "Apollo" and
//     "Apollo 11", "GABRR1" and "GABRR2". 1,000 and 1000 are the same number, so
//     are 1.0 and 1, "three" and 3. Roman numerals of two or more capitals count
//     ("Elizabeth II"), and the months of labels that hold a number ("7 April").
//   - They do not hold the same signs: "$5" and "€5", "5%" and "5", "C++" and "C#",
//     "A+" and "A-", "<5" and ">5"; which marks are signs is fixed (see docs/s3kg.md),
//     and "percent" or "dollars" are signs too.
//   - One says "former", "alleged" or the like, and the other does not.
//   - Two thirds of the words of each are the same and stand in another order, so
//     that the parts are exchanged ("from 5 to 7", "from 7 to 5"; "that Bo sued Carl",
//     "that Carl sued Bo"). The order of a list's items, "X of Y" for "Y's X", the
//     passive for the active, and a time or place moved from the front to the end
//     are no such difference.
//   - Each has a letter standing alone, and not the same ones ("hepatitis A",
//     "hepatitis B").
//   - One has a word and the other its opposite, from a short list ("increased",
//     "decreased"; "before", "after"; "parent", "child") or by a prefix
//     ("approved", "disapproved").
//
// The words are English (with the commonest negations of some other languages);
// numbers are read in any script's digits. Equal labels never conflict. It is
// symmetric.
func Conflict(a, b string) bool {
	if a == b {
		return false
	}
	return conflict(readMarks(a), readMarks(b))
}

// marks are what Conflict looks at in a label.
type marks struct {
	negated bool
	numbers []string // sorted
	letters []string // sorted
	words   []string // stems of the other words, sorted, each once
	signs   []string // sorted; see readTokens
	unreal  bool     // "former", "alleged"
	order   ordering
	content ordering // of order
}

// contrary reports whether one of two labels denies what the other says ("no
// history", "a history"; "former judge", "judge"), and not merely differs.
func contrary(a, b marks) bool {
	if a.negated == b.negated && a.unreal == b.unreal {
		return false
	}
	count := func(m marks) (n int) {
		for _, w := range m.words {
			if !grammar[w] && !quantifiers[w] {
				n++
			}
		}
		return n
	}
	common := 0
	for _, w := range a.words {
		if _, ok := slices.BinarySearch(b.words, w); ok && !grammar[w] && !quantifiers[w] {
			common++
		}
	}
	return common == max(count(a), count(b)) && slices.Equal(a.numbers, b.numbers)
}

func conflict(a, b marks) bool {
	if differ(a, b) {
		return true
	}
	if plainlyOrdered(a.content, b.content) {
		return false
	}
	kept, much := reordered(a.order, b.order)
	return much && kept < 1
}

// differ is conflict without a look at the order.
func differ(a, b marks) bool {
	if a.negated != b.negated || a.unreal != b.unreal || !slices.Equal(a.numbers, b.numbers) || !slices.Equal(a.signs, b.signs) {
		return true
	}
	if len(a.letters) > 0 && len(b.letters) > 0 && !slices.Equal(a.letters, b.letters) {
		return true
	}
	for _, x := range a.words {
		if _, both := slices.BinarySearch(b.words, x); both {
			continue
		}
		for _, y := range b.words {
			if _, both := slices.BinarySearch(a.words, y); !both && opposite(x, y) {
				return true
			}
		}
	}
	return false
}

func readMarks(label string) marks {
	var m marks
	var months []string
	tokens := readTokens(readable(label))
	m.order = newOrdering(tokens)
	m.content = m.order.content()
	for i, token := range tokens {
		t := token.text
		w := strings.ToLower(t)
		next := ""
		if i+1 < len(tokens) {
			next = strings.ToLower(tokens[i+1].text)
			if next == "," && w == "no" && i+2 < len(tokens) && tokens[i+2].kind == numberToken {
				next = tokens[i+2].text // "No. 5"
			}
		}
		switch token.kind {
		case listToken:
			continue
		case signToken:
			m.signs = append(m.signs, signOf(t))
			continue
		}
		if n, found := numbersIn(t); found {
			m.numbers = append(m.numbers, n...)
			continue
		}
		switch {
		case w == "no" && next != "" && next[0] >= '0' && next[0] <= '9':
			// "No. 5"
		case isNegation(w), next == "to" && failing[w]:
			m.negated = !m.negated
		case privatives[w]:
			m.unreal = true
		case signWords[w] != "" && i > 0:
			m.signs = append(m.signs, signWords[w])
		case isRoman(t):
			m.numbers = append(m.numbers, "roman "+w)
		case w == "one" && next == "of":
		case numberWords[w] != "":
			m.numbers = append(m.numbers, numberWords[w])
		case monthWords[w]:
			months = append(months, w[:3])
		case t != "A" && (grammar[w] || roleWords[w] != ""):
			m.words = append(m.words, rootOf(w))
		case len(t) == 1 && t != "a" && t != "I":
			m.letters = append(m.letters, w)
		default:
			for _, r := range w {
				if negationSigns[r] {
					m.negated = !m.negated
				}
			}
			m.words = append(m.words, rootOf(w))
		}
	}
	if len(m.numbers) > 0 {
		m.numbers = append(m.numbers, months...)
	}
	slices.Sort(m.signs)
	slices.Sort(m.numbers)
	slices.Sort(m.letters)
	slices.Sort(m.words)
	m.words = slices.Compact(m.words)
	return m
}

// numbersIn returns the numbers in a token in plain form, and whether there are
// any.
func numbersIn(token string) ([]string, bool) {
	var numbers []string
	var b strings.Builder
	negative := false
	flush := func() {
		s := strings.Trim(b.String(), ".")
		b.Reset()
		if s == "" {
			return
		}
		if strings.Count(s, ".") == 1 {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		if s = strings.TrimLeft(s, "0"); s == "" || s[0] == '.' {
			s = "0" + s
		}
		if negative && s != "0" {
			s = "-" + s
		}
		negative = false
		numbers = append(numbers, s)
	}
	for _, r := range token {
		switch {
		case (r == '-' || r == '\u2212') && b.Len() == 0:
			negative = true
		case unicode.IsDigit(r):
			b.WriteByte(byte('0' + digit(r)))
		case r == ',' && b.Len() > 0:
			// 1,000 is 1000
		case r == '.' && b.Len() > 0:
			b.WriteByte('.')
		default:
			flush()
		}
	}
	flush()
	return numbers, len(numbers) > 0
}

// digit returns the value of a decimal digit of any script: the ten digits of a
// script stand together, the zero first.
func digit(r rune) int {
	if r >= '0' && r <= '9' {
		return int(r - '0')
	}
	zero := r
	for i := 0; i < 9 && unicode.IsDigit(zero-1); i++ {
		zero--
	}
	return int(r-zero) % 10
}

func isNegation(w string) bool {
	return negations[w] || strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t")
}

// signOf returns one form of a sign.
func signOf(s string) string {
	switch s {
	case "'", "’":
		return "′"
	case "\"", "”":
		return "″"
	case "\u2212", "–", "⁻":
		return "-"
	case "⁺":
		return "+"
	}
	return s
}

func isRoman(token string) bool {
	return len(token) > 1 && strings.Trim(token, "IVX") == ""
}

var (
	negations = words(`not no never without neither nor none nothing nobody cannot non nicht kein keine keinen
		keiner nie ohne jamais sans nunca jamás sem sin niet geen inte ikke не без`)
	failing       = words(`fail fails failed failing refuse refuses refused decline declines declined unable`)
	privatives    = words(`former formerly ex erstwhile alleged allegedly supposed supposedly fake would-be purported`)
	quantifiers   = words(`all every each any some alway ever always both`)
	negationSigns = map[rune]bool{'不': true, '没': true, '沒': true, '未': true, '無': true, '无': true}
	numberWords   = pairs(`zero 0, one 1, two 2, three 3, four 4, five 5, six 6, seven 7, eight 8, nine 9, ten 10,
		eleven 11, twelve 12, thirteen 13, fourteen 14, fifteen 15, sixteen 16, seventeen 17, eighteen 18, nineteen 19,
		twenty 20, thirty 30, forty 40, fifty 50, sixty 60, seventy 70, eighty 80, ninety 90, hundred 100,
		thousand 1000, million 1000000, billion 1000000000, twice 2, second 2, third 3, fourth 4, fifth 5`)
	monthWords = words(`january february march april may june july august september october november december
		jan feb mar apr jun jul aug sep sept oct nov dec`)
)

// rootOf cuts the commonest English endings, so that the list of opposites needs
// only one form of each word.
func rootOf(w string) string {
	switch {
	case len(w) > 5 && strings.HasSuffix(w, "ies"), len(w) > 5 && strings.HasSuffix(w, "ied"):
		return w[:len(w)-3] + "y"
	case len(w) > 5 && strings.HasSuffix(w, "ing"):
		w = w[:len(w)-3]
	case len(w) > 4 && strings.HasSuffix(w, "ed"):
		w = w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		w = w[:len(w)-1]
	}
	if n := len(w); n > 4 && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' {
		return w[:n-1]
	}
	return strings.TrimSuffix(w, "e")
}

func opposite(x, y string) bool {
	if slices.Contains(opposites[x], y) {
		return true
	}
	if a, b := baseOf(x), baseOf(y); (a != x || b != y) && slices.Contains(opposites[a], b) {
		return true // "lost", "found"
	}
	return prefixed(x, y) || prefixed(y, x) || contrasted(x, y)
}

// baseOf returns the root of the verb of which x is an irregular past or participle, or x.
func baseOf(x string) string {
	if b := baseForms[x]; b != "" {
		return rootOf(b)
	}
	return x
}

// prefixed reports whether x is y with a prefix that turns its meaning round.
func prefixed(x, y string) bool {
	if len(y) < 4 {
		return false
	}
	for _, p := range [...]string{"un", "dis", "non", "in", "im", "il", "ir", "mis", "de", "anti", "counter", "ab"} {
		if rest, ok := strings.CutPrefix(x, p); ok && rest == y {
			return true
		}
	}
	return false
}

// contrasted reports whether x and y are one stem with opposite prefixes.
func contrasted(x, y string) bool {
	for _, p := range [...][2]string{
		{"in", "de"}, {"in", "ex"}, {"im", "ex"}, {"en", "dis"}, {"over", "under"}, {"up", "down"}, {"pre", "post"},
		{"hyper", "hypo"}, {"pro", "anti"}, {"super", "sub"}, {"macro", "micro"}, {"maxi", "mini"}, {"in", "out"},
		{"ac", "de"}, {"as", "des"}, {"up", "under"}, {"inter", "intra"}, {"ant", "post"},
	} {
		for range 2 {
			a, okA := strings.CutPrefix(x, p[0])
			b, okB := strings.CutPrefix(y, p[1])
			if okA && okB && a == b && len(a) >= 3 {
				return true
			}
			p[0], p[1] = p[1], p[0]
		}
	}
	return false
}

// opposites holds the roots (see rootOf) of words that exclude each other when
// one stands in the other's place: antonyms, and the two ends of a relation.
var opposites = oppositeRoots()

func oppositeRoots() map[string][]string {
	m := map[string][]string{}
	add := func(x, y string) {
		m[x] = append(m[x], y)
		m[y] = append(m[y], x)
	}
	for a, b := range antonym.Listed() {
		add(rootOf(a), rootOf(b))
	}
	for a, b := range antonym.WordNet() {
		add(rootOf(a), rootOf(b))
	}
	return m
}
