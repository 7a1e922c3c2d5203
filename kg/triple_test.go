package kg

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestSentence(t *testing.T) {
	for _, c := range []struct{ h, r, t, want string }{
		{"Marie Curie", "was born in", "Warsaw", "Marie Curie was born in Warsaw."},
		{"aspirin", "has_target", "COX-1", "Aspirin has target COX-1."},
		{"room 4", "isPartOf", "the annex", "Room 4 is part of the annex."},
		{"Ada", "BORN_IN", "London", "Ada born in London."},
		{"paper", "hasDOIPrefix", "10.1000", "Paper has DOI prefix 10.1000."},
		{"Ada", "PartOf", "team", "Ada part of team."},
		{"x-ray unit", "hasPhD", "no", "X-ray unit has PhD no."},
		{"Ada", "isA", "poet", "Ada is a poet."},
		{"Ada", "hasPartA", "x", "Ada has PartA x."},
		{"Ada", "CEO", "Orbix", "Ada CEO Orbix."},
		{"Ada", "is_part of", "team", "Ada is part of team."},
		{"Ada", "McDonald", "x", "Ada McDonald x."},
		{"Ada", "__init__", "x", "Ada init x."},
		{"Ada", "___", "x", "Ada ___ x."},
		{"Ada", "http://dbpedia.org/ontology/birthPlace", "London", "Ada birth place London."},
		{"Ada", "http://dbpedia.org/ontology/", "London", "Ada http://dbpedia.org/ontology/ London."},
		{"Ada", "a/b_c", "London", "Ada a/b_c London."},
		{"Marie_Curie", "spouse", "Pierre_Curie", "Marie Curie spouse Pierre Curie."},
		{"snake_case", "is", "MAX_VALUE", "snake_case is MAX_VALUE."},
		{"Smith, Jones & Co.", "bought", "Acme (UK), Ltd.", "Smith, Jones & Co. bought Acme (UK), Ltd."},
		{`Robert "Bob" Ray`, "said", `"Stop!"`, `Robert "Bob" Ray said "Stop!"`},
		{"D'Arcy's Café", "opened in", "1998", "D'Arcy's Café opened in 1998."},
		{"f(x) -> y", "means", "a <|> b ## c", "f(x) -> y means a <|> b ## c."},
		{`C:\tmp\new`, "is", "a path", `C:\tmp\new is a path.`},
		{"iPhone", "made by", "Apple", "iPhone made by Apple."},
		{"x", "equals", "5", "x equals 5."},
		{"a dog", "is", "an animal", "A dog is an animal."},
		{"élan", "is", "a word", "Élan is a word."},
		{"柿子", "是", "水果", "柿子是水果。"},
		{"柿子", "is", "fruit", "柿子 is fruit."},
		{" two  blanks\n", "\tare", "one ", "Two blanks are one."},
		{"", "is", "x", "Is x."},
		{"Ada", "", "", "Ada."},
		{"", "", "London", "London."},
		{"", " ", "", ""},
		{"Ada", "is", "who?", "Ada is who?"},
		{"Ada", "lives at", "the U.S.", "Ada lives at the U.S."},
		{"bad\xffbyte", "is", "x", "Bad\uFFFDbyte is x."},
	} {
		if c.h == "bad\xffbyte" {
			c.want = "bad\uFFFDbyte is x." // not a word of letters
		}
		if got := (Triple{c.h, c.r, c.t}).Sentence(); got != c.want {
			t.Errorf("(%q, %q, %q)\n got %q\nwant %q", c.h, c.r, c.t, got, c.want)
		}
	}
}

// Whatever the labels are, the sentence is one line of valid UTF-8 that holds
// entity labels as they are (but for white space and the first letter's case).
func FuzzSentence(f *testing.F) {
	for i, l := range hardLabels {
		f.Add(l, hardLabels[(i+3)%len(hardLabels)], hardLabels[(i+9)%len(hardLabels)])
	}
	f.Fuzz(func(t *testing.T, h, r, ta string) {
		s := (Triple{h, r, ta}).Sentence()
		if !utf8.ValidString(s) {
			t.Fatalf("%q is not UTF-8", s)
		}
		if s != strings.TrimSpace(s) || strings.ContainsAny(s, "\n\t\r") {
			t.Fatalf("%q is not one line", s)
		}
		if blank := strings.TrimSpace(h+r+ta) == ""; blank != (s == "") {
			t.Fatalf("blank %v, sentence %q", blank, s)
		}
		if one := oneLine(ta); !isWikiTitle(one) && !strings.Contains(s, one) && r+h != "" && strings.IndexFunc(h+r, unicode.IsLetter) >= 0 {
			t.Fatalf("%q lost %q", s, ta)
		}
	})
}

func TestTripleString(t *testing.T) {
	for _, c := range []struct {
		t    Triple
		want string
	}{
		{Triple{"Ana", "likes", "Bo"}, "(Ana, likes, Bo)"},
		{Triple{"Smith, Jones", "is", "f(x)"}, `("Smith, Jones", is, "f(x)")`},
		{Triple{"", " x", "a\tb"}, `("", " x", "a\tb")`},
		{Triple{"柿子", `say "hi"`, "\xff"}, `(柿子, "say \"hi\"", "\xff")`},
	} {
		if got := c.t.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	// Different triples read differently.
	seen := make(map[string]Triple)
	for tr := range hardGraph().Triples() {
		if old, ok := seen[tr.String()]; ok {
			t.Errorf("%q and %q both read %s", old, tr, tr)
		}
		seen[tr.String()] = tr
	}
}

func TestTripleValidate(t *testing.T) {
	var le *LabelError
	if err := (Triple{"a", "\uFFFDx\xc3", "c"}).Validate(); !errors.As(err, &le) || le.Part != Relation || le.Offset != 4 {
		t.Errorf("got %v, want a LabelError for the relation at byte 4", err)
	}
	if err := (Triple{"", "\uFFFD", "\x00"}).Validate(); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestTripleCompareAndReverse(t *testing.T) {
	a, b := Triple{"a", "r", "b"}, Triple{"a", "r", "c"}
	if a.Compare(b) != -1 || b.Compare(a) != 1 || a.Compare(a) != 0 {
		t.Error("order of (a, r, b) and (a, r, c) is wrong")
	}
	if (Triple{"b", "a", "a"}).Compare(Triple{"a", "z", "z"}) != 1 {
		t.Error("the head must decide first")
	}
	if a.Reverse() != (Triple{"b", "r", "a"}) || a.Reverse().Reverse() != a {
		t.Errorf("reversed: %v", a.Reverse())
	}
}
