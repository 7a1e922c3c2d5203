package kg

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

// lemmaTable is a Lemmatizer for tests; words that it lacks stay.
type lemmaTable map[string]string

func (l lemmaTable) Lemma(word, tag string) string {
	if m, ok := l[tag+":"+word]; ok {
		return m
	}
	if m, ok := l[word]; ok {
		return m
	}
	return word
}

var someLemmas = lemmaTable{
	"VB:works": "work", "VB:worked": "work", "VB:is": "be", "VB:was": "be", "VB:does": "do", "VB:did": "do", "VB:lowered": "lower",
	"NN:dogs": "dog", "NN:cities": "city", "NN:leaves": "leaf", "NNS:james": "jame", "VB:leaves": "leave", "NNS:children": "child", "VB:religious": "religiou",
	// What a bad lemmatizer could do.
	"ping": "pong", "pong": "ping", "not": "be", "never": "ever", "no": "", "two": "2", "zzz": "not", "yyy": "a b", "xxx": "Éa", "www": "\xff", "2nd": "2",
	"vvv": "the", "aaa": "bbb", "bbb": "ccc", "ccc": "ddd",
}

func TestNormalizer(t *testing.T) {
	var plain Normalizer
	lemmas := Normalizer{Lemmatizer: someLemmas}
	for _, c := range []struct {
		n                *Normalizer
		part             Part
		in, want, reason string
	}{
		{&plain, Head, "  Marie\u00a0 CURIE\n", "marie curie", "case and white space"},
		{&plain, Head, "Straße", "strasse", "full case folding"},
		{&plain, Head, "Café", "café", "composition"},
		{&plain, Head, "Cafe\u0301", "café", "composition"},
		{&plain, Head, "ﬁle ＡＢＣ１２", "file abc12", "compatibility characters"},
		{&plain, Head, "the United States", "united states", "determiner"},
		{&plain, Head, "The Who", "who", "determiner"},
		{&plain, Head, "The 1975", "the 1975", "a determiner without a word after it is the name"},
		{&plain, Head, "the The a Who", "who", "determiners"},
		{&plain, Head, "the the 1975", "the 1975", ""},
		{&plain, Head, "a a 5", "a a 5", ""},
		{&plain, Head, "the the", "the", ""},
		{&plain, Head, "A", "a", "a determiner alone"},
		{&plain, Head, "the", "the", "a determiner alone"},
		{&plain, Head, "a b", "a b", "no word of two letters after it"},
		{&plain, Head, "the 柿子", "柿子", "one ideograph is a word"},
		{&plain, Head, `"Acme, Inc."`, "acme, inc", "quotes and final marks"},
		{&plain, Head, "“Acme”", "acme", "curly quotes"},
		{&plain, Head, "'tis", "'tis", "a lone quote"},
		{&plain, Head, `"a" and "b c"`, `"a" and "b c"`, "quotes not around the whole"},
		{&plain, Head, "O’Hara", "o'hara", "apostrophe"},
		{&plain, Head, `5'`, `5'`, "feet"},
		{&plain, Head, `5"`, `5"`, "inches"},
		{&plain, Head, "5!", "5!", "factorial"},
		{&plain, Head, "C++", "c++", "symbols stay"},
		{&plain, Head, "Yahoo!", "yahoo", "final mark"},
		{&plain, Head, "...", "...", "nothing but marks"},
		{&plain, Head, ".NET", ".net", "leading stop"},
		{&plain, Head, "5 – 3", "5 - 3", "dash"},
		{&plain, Head, "−5", "-5", "minus"},
		{&plain, Head, "10²", "10²", "a power is no 2"},
		{&plain, Head, "2ⁿ", "2ⁿ", "a power is no letter"},
		{&plain, Head, "1½", "1½", "a fraction is not 1 ⁄ 2 after a 1"},
		{&plain, Head, "①", "①", "circled"},
		{&plain, Head, "CO₂", "co2", "subscript after a letter"},
		{&plain, Head, "log₂8", "log₂8", "subscript before a digit"},
		{&plain, Head, "10₂", "10₂", "subscript after a digit"},
		{&plain, Head, "zero\u200bwidth\u00ad", "zerowidth", "invisible characters"},
		{&plain, Head, "柿子", "柿子", ""},
		{&plain, Head, `C:\tmp\new`, `c:\tmp\new`, ""},
		{&plain, Head, "f(x) -> y", "f(x) -> y", ""},
		{&plain, Head, "a <|> b ## c", "a <|> b ## c", ""},
		{&plain, Head, "Marie_Curie", "marie curie", "wiki title"},
		{&plain, Head, "snake_case", "snake_case", "not a title"},
		{&plain, Head, "isPartOf", "ispartof", "camel case is for relations"},
		{&plain, Head, "", "", ""},
		{&plain, Head, " \n", "", ""},
		{&plain, Head, "a\xffb", "a\uFFFDb", "not UTF-8"},
		{&plain, Head, "nul\x00", "nul\x00", ""},
		{&plain, Relation, "isPartOf", "is part of", ""},
		{&plain, Relation, "has_target", "has target", ""},
		{&plain, Relation, "BORN_IN", "born in", ""},
		{&plain, Relation, "isn’t", "is not", ""},
		{&plain, Relation, "cannot reach", "can not reach", ""},
		{&plain, Relation, "won't do", "will not do", ""},
		{&plain, Head, "can't", "can't", "contractions of relations only"},
		{&lemmas, Relation, "works for", "work for", ""},
		{&lemmas, Relation, "Worked For", "work for", ""},
		{&lemmas, Relation, "did not lower", "do not lower", "negation stays"},
		{&lemmas, Relation, "never lowered", "never lower", "negation stays"},
		{&lemmas, Head, "two dogs", "two dog", "number stays"},
		{&lemmas, Head, "leaves", "leaf", "nouns"},
		{&lemmas, Relation, "leaves", "leave", "verbs"},
		{&lemmas, Head, "2nd Cities", "2nd city", ""},
		{&lemmas, Relation, "the aaa", "ddd", "to the end"},
		{&lemmas, Head, "lowered", "lowered", "no verbs in entities"},
		{&lemmas, Head, "James", "james", "a name is no plural"},
		{&lemmas, Head, "children", "child", "irregular plural"},
		{&lemmas, Relation, "religious", "religious", "no inflection"},
		{&lemmas, Relation, "ping", "ping", "a cycle has one end"},
		{&lemmas, Relation, "pong", "ping", "a cycle has one end"},
		{&lemmas, Relation, "zzz yyy xxx www vvv no", "zzz yyy xxx www vvv no", "no lemma that is a negation, more than a word, or no word"},
		{&Normalizer{KeepCase: true, Lemmatizer: someLemmas}, Head, "The Dogs dogs", "Dogs dog", ""},
		{&Normalizer{KeepDeterminers: true}, Head, "The Dogs.", "the dogs", ""},
		{&Normalizer{KeepPunctuation: true}, Head, `The "Dogs".`, `"dogs".`, ""},
	} {
		norm := c.n.Entity
		if c.part == Relation {
			norm = c.n.Relation
		}
		if got := norm(c.in); got != c.want {
			t.Errorf("%s %q: got %q, want %q (%s)", c.part, c.in, got, c.want, c.reason)
		}
	}
}

var normalizers = []*Normalizer{
	{}, {Lemmatizer: someLemmas}, {KeepCase: true, Lemmatizer: someLemmas}, {KeepDeterminers: true}, {KeepPunctuation: true},
	{Lemmatizer: someLemmas, KeepDeterminers: true, KeepPunctuation: true},
}

// counted returns what must never be lost of a label: its digits and its
// negations. Digits are compared as numbers are spelled, so 1,000 and 1000 count
// as different.
func counted(s string) string {
	var out []string
	for _, r := range strings.ToValidUTF8(s, "") {
		if unicode.IsNumber(r) {
			out = append(out, string(r))
		}
	}
	low := strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	for _, w := range regexp.MustCompile(`[a-z']+`).FindAllString(low, -1) {
		if strings.HasSuffix(w, "n't") || w == "cannot" {
			w = "not"
		}
		if isNegation(w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, "|")
}

func randomWords(r *rand.Rand, seps ...string) string {
	words := []string{"the", "a", "A", "not", "never", "no", "isn't", "cannot", "won’t", "dogs", "Dogs", "ping", "pong", "zzz", "two", "2", "2²", "1.5", "-5", "5.", "½", "works",
		"does", "isPartOf", "has_target", "Marie_Curie", "“x", "y”", "'", "\"", "ok.", "!", "...", ",", "(", ")", "é", "ﬁ", "ß", "İ", "柿子", "_", "C++", "vvv", "aaa"}
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteString(seps[r.IntN(len(seps))])
	}
	return b.String()
}

func checkNormal(t *testing.T, label string) {
	t.Helper()
	for i, n := range normalizers {
		for what, norm := range map[string]func(string) string{"entity": n.Entity, "relation": n.Relation} {
			once := norm(label)
			if twice := norm(once); twice != once {
				t.Fatalf("normalizer %d, %s %q: %q, normalised again %q", i, what, label, once, twice)
			}
			if strings.TrimSpace(strings.ToValidUTF8(label, "x")) != "" && once == "" && strings.IndexFunc(label, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0 {
				t.Fatalf("normalizer %d, %s %q: nothing is left", i, what, label)
			}
		}
	}
}

func TestNormalizingIsIdempotent(t *testing.T) {
	for _, l := range hardLabels {
		checkNormal(t, l)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		checkNormal(t, randomWords(r, " ", "  ", "", "_", "-", "\u00a0", "\n"))
	}
}

func TestNormalizingKeepsNumbersAndNegations(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range normalizers {
		byForm := make(map[string]string)
		for range 5000 {
			l := randomWords(r, " ", "  ", "_", "-", "\u00a0", "\n")
			f := n.Relation(l)
			if old, ok := byForm[f]; ok && counted(old) != counted(l) {
				t.Fatalf("%q and %q both become %q", old, l, f)
			}
			byForm[f] = l
		}
	}
}

func FuzzNormalizer(f *testing.F) {
	for _, l := range hardLabels {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, l string) { checkNormal(t, l) })
}

func TestNormalizingIsLinear(t *testing.T) {
	for _, unit := range []string{"the ", "a ", "\"", "' ", "x.", "isA", "_", "柿 ", "²", "n't ", "e\u0301", "\u0301", "₂"} {
		label := strings.Repeat(unit, 1<<17/len(unit))
		begin := time.Now()
		for _, n := range normalizers[1:3] {
			n.Entity(label)
			n.Relation(label + "z")
		}
		_ = (Triple{label, label, label}).Sentence()
		if d := time.Since(begin); d > 8*time.Second {
			t.Errorf("%v for many %q", d, unit)
		} else if d > time.Second {
			t.Logf("%v for many %q", d, unit)
		}
	}
}

func TestNormalizeKeepsAliases(t *testing.T) {
	g := NewGraph(
		Triple{"The Nobel Prize", "was won by", "Marie Curie"},
		Triple{"Nobel prize", "was won by", "marie curie"},
		Triple{"Nobel Prize.", "wasWonBy", "Pierre Curie"},
		Triple{"Nobel Prize", "was not won by", "Freud"},
	)
	before := g.Clone()
	n := (&Normalizer{}).Normalize(g)
	check(t, "normal form", n.Graph.Slice(), []Triple{
		{"nobel prize", "was won by", "marie curie"}, {"nobel prize", "was won by", "pierre curie"}, {"nobel prize", "was not won by", "freud"}})
	check(t, "aliases", n.Entities["nobel prize"], []string{"The Nobel Prize", "Nobel prize", "Nobel Prize.", "Nobel Prize"})
	check(t, "relation aliases", n.Relations["was won by"], []string{"was won by", "wasWonBy"})
	check(t, "shown", n.Entity("nobel prize"), "The Nobel Prize")
	check(t, "unknown", n.Relation("knows"), "knows")
	check(t, "sources", n.Sources[Triple{"nobel prize", "was won by", "marie curie"}], g.Slice()[:2])
	check(t, "surface", n.SurfaceGraph().Slice(), []Triple{
		{"The Nobel Prize", "was won by", "Marie Curie"}, {"The Nobel Prize", "was won by", "Pierre Curie"}, {"The Nobel Prize", "was not won by", "Freud"}})
	if !g.Equal(before) {
		t.Error("the graph itself changed")
	}
	again := (&Normalizer{}).Normalize(n.Graph)
	if !slices.Equal(again.Graph.Slice(), n.Graph.Slice()) {
		t.Error("normalising a normal graph changes it")
	}
	if e := (&Normalizer{}).Normalize(nil); e.Graph.Len() != 0 || e.Entities == nil {
		t.Error("a nil graph must give an empty result")
	}
}
