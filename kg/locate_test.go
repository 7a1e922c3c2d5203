package kg

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

func located(text string, spans []segment.Span) []string {
	var out []string
	for _, s := range spans {
		out = append(out, s.Of(text))
	}
	return out
}

func TestLocate(t *testing.T) {
	const curie = "Marie Curie, who was born in Warsaw, won the Nobel Prize twice. Pierre Curie taught in Paris. " +
		"Curie discovered polonium. She named the element after Poland."
	const drug = "Drug K did not lower blood pressure. It may help sleep. Drug L lowered blood pressure in 12 patients, and drug K lowered it in 1,200."
	for _, c := range []struct {
		name, text string
		t          Triple
		want       []string
	}{
		{"verbatim", "Lena works at Orbix.", Triple{"Lena", "works at", "Orbix"}, []string{"Lena works at Orbix"}},
		{"parts apart", curie, Triple{"Marie Curie", "won", "Nobel Prize"}, []string{"Marie Curie", "won the Nobel Prize"}},
		{"inflected", "Lena has worked at Orbix.", Triple{"Lena", "works at", "Orbix"}, []string{"Lena has worked at Orbix"}},
		{"irregular", "Mina wrote Song 4.", Triple{"Mina", "writes", "Song 4"}, []string{"Mina wrote Song 4"}},
		{"plural and possessive", "The dog's owners were Kai and Bo.", Triple{"dogs", "owner", "Kai"}, []string{"dog's owners were Kai"}},
		{"passive", "Song 4 was written by Mina.", Triple{"Mina", "wrote", "Song 4"}, []string{"Song 4 was written by Mina"}},
		{"case", "LENA WORKS AT ORBIX.", Triple{"Lena", "works at", "Orbix"}, []string{"LENA WORKS AT ORBIX"}},
		{"determiner of the label", "He joined United Nations staff.", Triple{"he", "joined", "the United Nations"}, []string{"He joined United Nations"}},
		{"identifier", "Warsaw is part of Poland.", Triple{"Warsaw", "isPartOf", "Poland"}, []string{"Warsaw is part of Poland"}},
		{"wiki title", "Marie Curie taught.", Triple{"Marie_Curie", "taught", ""}, []string{"Marie Curie taught"}},
		{"surname", curie, Triple{"Marie Curie", "discovered", "polonium"}, []string{"Curie discovered polonium"}},
		{"surname of somebody else", "Pierre Curie taught in Paris.", Triple{"Marie Curie", "taught in", "Paris"}, nil},
		{"two sentences", "Bo met Lena. She works at Orbix.", Triple{"Lena", "works at", "Orbix"}, []string{"Lena", "works at Orbix"}},
		{"too far", "Bo met Lena. It rained. It snowed. Kai works at Orbix.", Triple{"Lena", "works at", "Orbix"}, nil},
		{"the tightest of several", "Lena, like Bo and many others of her year, works at Orbix. Lena works at Orbix.", Triple{"Lena", "works at", "Orbix"}, []string{"Lena works at Orbix"}},
		{"the first of equals", "Lena works at Orbix. Lena works at Orbix.", Triple{"Lena", "works at", "Orbix"}, []string{"Lena works at Orbix"}},
		{"the nearest mention", "Lena sings. Lena works at Orbix, and Orbix pays.", Triple{"Lena", "works at", "Orbix"}, []string{"Lena works at Orbix"}},
		{"as written before inflected", "Dogs chase cats. The dog chases the cat.", Triple{"dog", "chases", "cat"}, []string{"dog chases the cat"}},
		{"other relation", "Lena left Orbix.", Triple{"Lena", "joined", "Orbix"}, nil},
		{"function words alone", "Warsaw is in Poland.", Triple{"Warsaw", "is in", "Poland"}, []string{"Warsaw is in Poland"}},
		{"half of the relation", "Lena, a citizen of Chile, sings.", Triple{"Lena", "country of citizen", "Chile"}, []string{"Lena, a citizen of Chile"}},
		{"negation must be there", "Drug K lowered blood pressure.", Triple{"Drug K", "did not lower", "blood pressure"}, nil},
		{"negation", drug, Triple{"Drug K", "did not lower", "blood pressure"}, []string{"Drug K did not lower blood pressure"}},
		{"contracted negation", "Drug K didn't lower blood pressure.", Triple{"Drug K", "did not lower", "blood pressure"}, []string{"Drug K didn't lower blood pressure"}},
		{"a place without negation is preferred", "Kai did not buy Orbix. Later that year, as he told us, Kai did buy Orbix.", Triple{"Kai", "buy", "Orbix"}, []string{"Kai did buy Orbix"}},
		{"number", "The trial is 14 days in Canada. The trial is 30 days in Chile.", Triple{"trial", "is", "30 days"}, []string{"trial is 30 days"}},
		{"other number", "The trial is 14 days.", Triple{"trial", "is", "30 days"}, nil},
		{"number with commas is one word", drug, Triple{"drug K", "lowered", "1,200"}, []string{"drug K lowered it in 1,200"}},
		{"thousands separators", "It cost 1,200 crowns.", Triple{"it", "cost", "1200 crowns"}, []string{"It cost 1,200 crowns"}},
		{"part of a number is none", "It cost 1,200.", Triple{"it", "cost", "200"}, nil},
		{"sign", "It rose from 5 to -5 degrees.", Triple{"it", "rose to", "-5"}, []string{"It rose", "-5"}},
		{"symbols", "He writes C and C++.", Triple{"He", "writes", "C++"}, []string{"He writes", "C++"}},
		{"punctuation in labels", `Smith, Jones & Co. bought Acme (UK), Ltd. in 1998.`, Triple{"Smith, Jones & Co.", "bought", "Acme (UK), Ltd."}, []string{"Smith, Jones & Co", "bought Acme (UK), Ltd"}},
		{"curly against straight", "D’Arcy’s Café opened in 1998.", Triple{"D'Arcy's Café", "opened in", "1998"}, []string{"D’Arcy’s Café opened in 1998"}},
		{"only symbols", "We mark it with <|> here.", Triple{"We", "mark", "<|>"}, []string{"We mark it with <|>"}},
		{"path", `The path is C:\tmp\new today.`, Triple{`C:\tmp\new`, "is", "path"}, []string{`path is C:\tmp\new`}},
		{"Chinese", "我喜欢柿子。柿子是水果。", Triple{"柿子", "是", "水果"}, []string{"柿子是水果"}},
		{"Thai", "แมวกินปลา", Triple{"แมว", "กิน", "ปลา"}, []string{"แมวกินปลา"}},
		{"self loop", "Narcissus loves Narcissus.", Triple{"Narcissus", "loves", "Narcissus"}, []string{"Narcissus loves Narcissus"}},
		{"one word answer", "柿子", Triple{"柿子", "is", "柿子"}, []string{"柿子"}},
		{"head inside the tail", "New York lies in New York State.", Triple{"New York", "lies in", "New York State"}, []string{"New York lies in New York State"}},
		{"head only inside the tail", "He moved to New York State.", Triple{"New York", "moved to", "New York State"}, nil},
		{"head alone", "Lena sleeps.", Triple{"Lena", "", ""}, []string{"Lena"}},
		{"tail alone", "Lena sleeps.", Triple{"", "sleeps", "Lena"}, []string{"Lena sleeps"}},
		{"relation alone", "Lena sleeps.", Triple{"", "sleep", ""}, []string{"sleeps"}},
		{"nothing to find", "Lena sleeps.", Triple{}, nil},
		{"blank labels", "Lena sleeps.", Triple{" ", "\n", "\t"}, nil},
		{"empty text", "", Triple{"Lena", "is", "x"}, nil},
		{"text without words", " … !? ", Triple{"…", "", "!?"}, nil},
		{"absent head", "Lena sleeps.", Triple{"Bo", "sleeps", ""}, nil},
		{"no part of a compound entity", "High prices hurt.", Triple{"high school", "hurt", ""}, nil},
		{"most of a long label", "The treaty that was signed at Versailles in 1919 ended the war.", Triple{"Versailles treaty of 1919", "ended", "war"}, []string{"treaty", "Versailles in 1919 ended the war"}},
		{"invalid UTF-8", "Le\xffna works at Orbix.", Triple{"na", "works at", "Orbix"}, []string{"na works at Orbix"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Locate(c.text, c.t)
			check(t, "spans", located(c.text, got), c.want)
			if (got == nil) != (c.want == nil) {
				t.Errorf("nil-ness: got %v", got)
			}
		})
	}
}

func TestFindTellsTheParts(t *testing.T) {
	const text = "It rained. Marie Curie, who was born in Warsaw, won the Nobel Prize twice. It snowed."
	l := NewLocator(text)
	loc, ok := l.Find(Triple{"Curie", "twice won", "Nobel Prize"})
	if !ok {
		t.Fatal("not found")
	}
	check(t, "head", located(text, loc.Head), []string{"Curie"})
	check(t, "relation", located(text, loc.Relation), []string{"won", "twice"})
	check(t, "tail", located(text, loc.Tail), []string{"Nobel Prize"})
	check(t, "spans", located(text, loc.Spans), []string{"Curie", "won the Nobel Prize twice"})
	check(t, "sentence", loc.Sentence.Of(text), "Marie Curie, who was born in Warsaw, won the Nobel Prize twice.")
	if loc, ok := l.Find(Triple{"Curie", "lost", "Nobel Prize"}); ok {
		t.Errorf("found %v", loc)
	}
}

func TestLocatorOptions(t *testing.T) {
	const text = "Lena went to Chile. Lena, after years, left Peru."
	tr := Triple{"Lena", "visits", "Chile"}
	if got := Locate(text, tr); got != nil {
		t.Errorf("without options: %q", located(text, got))
	}
	lemmas := lemmaTable{"went": "visit", "visits": "visit"}
	check(t, "with lemmas", located(text, NewLocator(text, WithLemmas(lemmas)).Locate(tr)), []string{"Lena went to Chile"})
	check(t, "loose", located(text, NewLocator(text, LooseRelation()).Locate(tr)), []string{"Lena", "Chile"})
	const more = text + " Yesterday Lena, so Kai told us, visited Chile."
	check(t, "loose, but said elsewhere", located(more, NewLocator(more, LooseRelation()).Locate(tr)), []string{"Lena", "visited Chile"})
}

// checkSpans checks what holds for any text and triple.
func checkSpans(t *testing.T, text string, spans []segment.Span) {
	t.Helper()
	end := -1
	for _, s := range spans {
		if s.Start <= end || s.Empty() || s.End > len(text) {
			t.Fatalf("spans %v of %d bytes", spans, len(text))
		}
		if !utf8.RuneStart(text[s.Start]) || s.End < len(text) && !utf8.RuneStart(text[s.End]) {
			if utf8.ValidString(text) {
				t.Fatalf("span %v cuts a character", s)
			}
		}
		end = s.End
	}
}

func FuzzLocate(f *testing.F) {
	f.Add("Lena works at Orbix. Bo didn’t.", "Lena", "works at", "Orbix")
	for i, l := range hardLabels {
		f.Add(l+" is "+hardLabels[(i+1)%len(hardLabels)], l, "is", hardLabels[(i+1)%len(hardLabels)])
	}
	f.Fuzz(func(t *testing.T, text, h, r, ta string) {
		for _, l := range []*Locator{NewLocator(text), NewLocator(text, LooseRelation(), WithLemmas(someLemmas))} {
			loc, ok := l.Find(Triple{h, r, ta})
			if ok != (loc.Spans != nil) {
				t.Fatalf("found %v, spans %v", ok, loc.Spans)
			}
			for _, spans := range [][]segment.Span{loc.Spans, loc.Head, loc.Relation, loc.Tail} {
				checkSpans(t, text, spans)
			}
			for _, s := range loc.Spans {
				if !loc.Sentence.Contains(s) {
					t.Fatalf("span %v outside the sentence %v", s, loc.Sentence)
				}
			}
		}
	})
}

// A sentence that a triple makes states the triple, wherever it stands.
func TestLocateFindsWhatWasWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	names := []string{"Ada Byron", "Kai", "the old mill", "Orbix", "Team Red", "blue paint", "42 boats", "柿子", "Chile"}
	verbs := []string{"visited", "does not own", "is made of", "wrote about", "was born near"}
	for range 200 {
		var all []Triple
		var b strings.Builder
		for range 1 + r.IntN(12) {
			p := r.Perm(len(names))
			x := Triple{names[p[0]], verbs[r.IntN(len(verbs))], names[p[1]]}
			if slices.Contains(all, x) {
				continue
			}
			all = append(all, x)
			b.WriteString(capital(x.Head) + " " + x.Relation + " " + x.Tail + ". ")
		}
		text := b.String()
		l := NewLocator(text)
		for _, x := range all {
			loc, ok := l.Find(x)
			if !ok {
				t.Fatalf("%v not found in %q", x, text)
			}
			want := capital(x.Head) + " " + x.Relation + " " + x.Tail + "."
			if loc.Sentence.Of(text) != want {
				t.Fatalf("%v found in %q, not in %q", x, loc.Sentence.Of(text), want)
			}
		}
	}
}

// The time is linear in the text, also where every word is a mention.
func TestLocateIsLinear(t *testing.T) {
	for name, unit := range map[string]string{
		"one sentence": "Lena and Orbix not work ", "many sentences": "Lena works at Orbix. ", "no blanks": "柿子", "digits": "1,2,3,",
	} {
		text := strings.Repeat(unit, 1<<18/len(unit))
		start := time.Now()
		l := NewLocator(text)
		for range 3 {
			checkSpans(t, text, l.Locate(Triple{"Lena Orbix", "works not", "Orbix Lena"}))
			checkSpans(t, text, l.Locate(Triple{"Lena", "works", "Orbix"}))
			checkSpans(t, text, l.Locate(Triple{"柿", "", "子"}))
			checkSpans(t, text, l.Locate(Triple{"1", "", "2"}))
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s: %v for a quarter of a megabyte", name, d)
		} else {
			t.Logf("%s: %v", name, d)
		}
	}
}

func BenchmarkLocator(b *testing.B) {
	text := strings.Repeat("Marie Curie, who was born in Warsaw, won the Nobel Prize twice. Pierre taught in Paris. ", 100)
	b.Run("prepare", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			NewLocator(text)
		}
	})
	b.Run("locate", func(b *testing.B) {
		l := NewLocator(text)
		for b.Loop() {
			l.Locate(Triple{"Marie Curie", "won", "Nobel Prize"})
		}
	})
}
