package perturb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kgeval/kgeval/nlp"
)

func analyzer(t testing.TB) *nlp.Analyzer {
	t.Helper()
	a, err := nlp.New()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const story = "Marie Curie discovered radium in Paris, and Pierre Curie helped her. In 1911 she accepted a prize. Marie Curie left Paris later."

func TestAntonyms(t *testing.T) {
	f := Antonyms(analyzer(t))
	for relation, want := range map[string]string{
		"increases the risk of": "decreases the risk of",
		"decrease_efficacy":     "increase_efficacy",
		"was accepted by":       "was refused by",
		"Winning against":       "Losing against",
		"is capital of":         "",
		"":                      "",
		"Ω\xff":                 "",
	} {
		got, ok := f(relation)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", relation, got, ok, want)
		}
	}
}

// The list in the program is that of the data set, without its auxiliaries and phrases.
func TestAntonymListIsWordNet(t *testing.T) {
	dir := os.Getenv("KGEVAL_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	f, err := os.Open(filepath.Join(dir, "lexicon", "wordnet_verb_antonyms.tsv"))
	if err != nil {
		t.Skip("no lexicon/wordnet_verb_antonyms.tsv: set KGEVAL_DATA to the folder of the data sets to turn this test on")
	}
	defer f.Close()
	pairs := map[string]bool{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		pairs[sc.Text()] = true
	}
	for verb, antonym := range verbAntonyms {
		if !pairs[verb+"\t"+antonym] {
			t.Errorf("%s, %s: no such pair in WordNet", verb, antonym)
		}
	}
	if len(verbAntonyms) < 700 {
		t.Errorf("%d verbs", len(verbAntonyms))
	}
}

func TestTextKinds(t *testing.T) {
	a := analyzer(t)
	for _, c := range []struct {
		kind TextKind
		want []string // any of them
	}{
		{EntityReplacement, []string{
			strings.ReplaceAll(story, "Marie Curie", "Dora Lind"),
			strings.ReplaceAll(story, "Pierre Curie", "Dora Lind"),
			strings.ReplaceAll(story, "Paris", "Dora Lind"),
		}},
		{EntityDeletion, []string{
			strings.ReplaceAll(strings.ReplaceAll(story, " in Paris", ""), " Paris", ""),
			strings.ReplaceAll(strings.Replace(story, "Marie Curie ", "", 1), " Marie Curie", ""),
			strings.ReplaceAll(story, " Pierre Curie", ""),
		}},
		{ClauseDeletion, []string{
			strings.Replace(story, ", and Pierre Curie helped her", "", 1),
			strings.Replace(story, " In 1911 she accepted a prize.", "", 1),
			strings.Replace(story, " Marie Curie left Paris later.", "", 1),
			strings.Replace(story, "Marie Curie discovered radium in Paris, and Pierre Curie helped her. ", "", 1),
		}},
		{VerbAntonym, []string{
			strings.Replace(story, "accepted", "refused", 1),
			strings.Replace(story, "helped", "hindered", 1),
			strings.Replace(story, "left", "arrived", 1),
			strings.Replace(story, "left", "entered", 1),
		}},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			seen := map[string]bool{}
			for seed := range uint64(20) {
				r, err := Text(t.Context(), a, story, TextOptions{Seed: seed, Kinds: []TextKind{c.kind}, Entities: []string{"Dora Lind"}})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Contains(c.want, r.Text) {
					t.Errorf("seed %d: %s (%+v)", seed, r.Text, r.Edits)
				}
				if r.Kept >= 1 || r.Kept < 0.5 {
					t.Errorf("kept %g", r.Kept)
				}
				seen[r.Text] = true
			}
			if len(seen) < 2 && c.kind != VerbAntonym {
				t.Errorf("20 seeds, %d texts", len(seen))
			}
		})
	}
	// Without a pool the name is one of the same kind in the text.
	r, err := Text(t.Context(), a, story, TextOptions{Kinds: []TextKind{EntityReplacement}})
	if err != nil || r.Text == story || strings.Contains(r.Text, "Dora") {
		t.Errorf("%+v, %v", r, err)
	}
}

// A graph's labels are no names to an analyzer of English.
func TestTextMentions(t *testing.T) {
	a := analyzer(t)
	text := "The drug targets estrogen receptor alpha. Estrogen receptor alpha, not estrogen receptor alphas, binds it."
	o := TextOptions{Kinds: []TextKind{EntityReplacement}, Mentions: []string{"estrogen receptor alpha", "zinc", " ", "\xff"}, Entities: []string{"VHL"}}
	r, err := Text(t.Context(), a, text, o)
	if want := "The drug targets VHL. VHL, not estrogen receptor alphas, binds it."; err != nil || r.Text != want {
		t.Errorf("got %+v, %v", r, err)
	}
	o.Kinds = []TextKind{EntityDeletion}
	r, err = Text(t.Context(), a, text, o)
	if want := "The drug targets., not estrogen receptor alphas, binds it."; err != nil || r.Text != want {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestTextRefuses(t *testing.T) {
	a := analyzer(t)
	if _, err := Text(t.Context(), a, story, TextOptions{Kinds: []TextKind{"rhyme"}}); err == nil {
		t.Error("an unknown kind is no error")
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Text(cancelled, a, story, TextOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	r, err := Text(t.Context(), a, story, TextOptions{Edits: 2})
	if err != nil || len(r.Edits) != 2 {
		t.Fatal(r, err)
	}
	if _, err := ApplyText(story, append(r.Edits, r.Edits[0])); err == nil {
		t.Error("the same edit twice is no error")
	}
	if _, err := ApplyText("short", r.Edits); err == nil {
		t.Error("edits of another text are no error")
	}
}

func FuzzText(f *testing.F) {
	a := analyzer(f)
	f.Add(story, uint64(1))
	f.Add("", uint64(2))
	f.Add("Ana\x00\xff Bo, and who won in Graz Graz?", uint64(3))
	f.Add("柿子。Anna Berg 勝つ, because he won.", uint64(4))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		o := TextOptions{Seed: seed, Edits: int(seed%5) + 1}
		r, err := Text(context.Background(), a, text, o)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := Text(context.Background(), a, text, o); again.Text != r.Text {
			t.Fatalf("%q, then %q", r.Text, again.Text)
		}
		if utf8.ValidString(text) && !utf8.ValidString(r.Text) {
			t.Fatalf("%q became %q", text, r.Text)
		}
		if !(r.Kept >= 0 && r.Kept <= 1) || len(r.Edits) == 0 && (r.Text != text || r.Kept != 1) {
			t.Fatalf("%+v", r)
		}
		for _, e := range r.Edits {
			if e.Old != e.Spans[0].Of(text) {
				t.Fatalf("%+v", e)
			}
		}
	})
}

func ExampleText() {
	a, err := nlp.New()
	if err != nil {
		panic(err)
	}
	r, err := Text(context.Background(), a, "Orbix accepted the offer in May.", TextOptions{Kinds: []TextKind{VerbAntonym}})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Text)
	fmt.Println(r.Edits[0].Old, "->", r.Edits[0].New)
	// Output:
	// Orbix refused the offer in May.
	// accepted -> refused
}
