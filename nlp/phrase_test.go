package nlp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Phrases are divided by |, the head is in capitals.
func TestNounPhrases(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"determiner and adjectives", "The old red mill burned a few years ago.", "The old red MILL|a few YEARS"},
		{"numbers and money", "It cost $3 million and took 25 workers.", "IT|$3 MILLION|25 WORKERS"},
		{"possessor", "Ana's old car hit the dogs' owner.", "Ana's old CAR|the dogs' OWNER"},
		{"possessive pronoun", "Her new book made them rich.", "Her new BOOK|THEM"},
		{"name with of", "The Bank of Ghana sued Acme Inc. in 2001.", "The Bank of GHANA|Acme INC.|2001"},
		{"title before a name", "opposition leader Peter Debnam lost", "opposition leader Peter DEBNAM"},
		{"prepositions divide", "the mayor of the town near Graz", "the MAYOR|the TOWN|GRAZ"},
		{"object of a gerund", "He began leading safaris for rich guests.", "HE|SAFARIS|rich GUESTS"},
		{"participle as adjective", "the broken window and a growing firm", "the broken WINDOW|a growing FIRM"},
		{"coordinated adjectives", "a big and noisy dog", "a big and noisy DOG"},
		{"year before a name", "In 1930 Hatton flew.", "1930|HATTON"},
		{"relative clause without a word", "the leaves Bob left", "the LEAVES|BOB"},
		{"demonstratives", "This was costly. Those are cheap.", "THIS"},
		{"date", "She came on 5 March 2001.", "SHE|5 March 2001"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := analyze(t, c.text)
			var got []string
			for _, p := range d.NounPhrases(d.Sentences[0]) {
				h := d.Tokens[p.Head]
				got = append(got, c.text[p.Span.Start:h.Start]+strings.ToUpper(h.Text)+c.text[h.Span.End:p.Span.End])
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
