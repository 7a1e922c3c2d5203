package nlp

import (
	"strings"
	"testing"
)

// TestMarkup: what decorates a text is in no token, and what only looks like it
// is. The sentences are our own.
func TestMarkup(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"<b>Mia</b> won.", "Mia won ."},
		{`<a href="x y">Mia</a> won<br/> again.`, "Mia won again ."},
		{"Mia [sued](https://a.example) Leo.", "Mia sued Leo ."},
		{"Mia [sued] (Leo).", "Mia [ sued ] ( Leo ) ."},
		{"Mia [1] won.", "Mia [ 1 ] won ."},
		{"The `cut` command ended.", "The cut command ended ."},
		{"He said ` no ' .", "He said ` no ' ."},
		{"Here 3 < 4 and 5 > 4.", "Here 3 < 4 and 5 > 4 ."},
		{"Then a <b and c> d.", "Then a < b and c > d ."},
		{"Mi\u200ba\u200d won\u2069.", "Mi\u200ba won ."},
		{`See C:\tmp\new.txt now.`, `See C:\tmp\new.txt now .`},
		{"See /usr/lib/x and and/or.", "See /usr/lib/x and and/or ."},
		{`"""""" Mia won.`, `"""""" Mia won .`},
	} {
		var got []string
		for _, k := range analyze(t, c.text).Tokens {
			got = append(got, k.Text)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %q, want %q", c.text, s, c.want)
		}
	}
}

// TestShortClauses: the verb of a short sentence is found, and a noun beside it
// stays one. Each row is a text, one of its words and the tag of its last place.
func TestShortClauses(t *testing.T) {
	for _, c := range []struct{ text, verb, tag string }{
		{"Mia cooks dinner.", "cooks", "VBZ"},
		{"Mia drinks milk.", "drinks", "VBZ"},
		{"My uncle bakes bread.", "bakes", "VBZ"},
		{"Horses eat grass.", "eat", "VBP"},
		{"Sheep eat grass.", "eat", "VBP"},
		{"Children sing songs.", "sing", "VBP"},
		{"The bell rings.", "rings", "VBZ"},
		{"If wages rise, prices rise.", "rise", "VBP"},
		{"The cat that bit Leo ran.", "bit", "VBD"},
		{"Nurses work in wards and teach in colleges.", "teach", "VBP"},
		{"Leo eats bread and drinks milk.", "drinks", "VBZ"},
		{"Mia left because Leo was ill.", "left", "VBD"},
		{"🎉 Leo won.", "won", "VBD"},
		{"MIA SOLD THE HOUSE.", "SOLD", "VBD"},
		// and what is a noun stays one
		{"Leo wrote a will.", "will", "NN"},
		{"Mia gave Leo and Kai books.", "books", "NNS"},
		{"They grow wheat and water melons.", "water", "NN"},
	} {
		found := ""
		for _, k := range analyze(t, c.text).Tokens {
			if k.Text == c.verb {
				found = k.Tag
			}
		}
		if found != c.tag {
			t.Errorf("%s: %s is %s, want %s", c.text, c.verb, found, c.tag)
		}
	}
}
