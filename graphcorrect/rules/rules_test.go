package rules_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/graphcorrect/rules"
	"github.com/kgeval/kgeval/segment"
)

// why is a reason by what it is about in output and source.
type why struct{ kind, output, source string }

// propose asks about one contradicted claim: the sentence of the output that
// holds the first reason, against the sentence of the source that holds it.
func propose(t testing.TB, output, source string, reasons ...why) string {
	t.Helper()
	p, err := rules.New(rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := claim.Claim{Verdict: claim.Contradicted, PInconsistent: 0.9, Contradiction: 0.9, Whole: true}
	for _, r := range reasons {
		c.Reasons = append(c.Reasons, claim.Reason{Kind: r.kind, OutputSpan: find(t, output, r.output), SourceSpan: find(t, source, r.source)})
	}
	c.Sentence = sentence(output, c.Reasons[0].OutputSpan)
	c.Spans = []segment.Span{c.Sentence}
	c.Text = c.Sentence.Of(output)
	e := sentence(source, c.Reasons[0].SourceSpan)
	c.Evidence = []claim.Evidence{{Source: "0", Span: e, Role: claim.Contradicts, Text: e.Of(source)}}
	edits, err := p.Propose(context.Background(), claim.Sample{Sources: []claim.Source{{Text: source}}, Output: output}, c)
	if err != nil {
		t.Fatal(err)
	}
	text, applied, err := graphcorrect.Apply(output, edits)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range applied {
		if e.Reason == "" {
			t.Errorf("%q to %q has no reason", e.Old, e.New)
		}
	}
	return text
}

// find returns where part stands in text; "#2" at its end asks for the second
// place.
func find(t testing.TB, text, part string) segment.Span {
	t.Helper()
	if part == "" {
		return segment.Span{}
	}
	part, second := strings.CutSuffix(part, "#2")
	i := strings.Index(text, part)
	if second {
		i += len(part) + strings.Index(text[i+len(part):], part)
	}
	if i < 0 {
		t.Fatalf("%q is not in %q", part, text)
	}
	return segment.Span{Start: i, End: i + len(part)}
}

func sentence(text string, at segment.Span) segment.Span {
	all := segment.Sentences(text)
	for _, s := range all {
		if !at.Empty() && s.Overlaps(at) {
			return s
		}
	}
	return all[0]
}

func TestCorrections(t *testing.T) {
	for _, test := range []struct {
		name, output, source string
		reasons              []why
		want                 string
	}{
		// names
		{"a wrong name", "The bakery was opened by Nora Field in spring.", "The bakery was opened by Ida Holm in spring.",
			[]why{{"name", "Nora Field", "Ida Holm"}}, "The bakery was opened by Ida Holm in spring."},
		{"only the part of a name that differs", "The atlas was drawn by Peter Lindqvist.", "The atlas was drawn by Maria Lindqvist.",
			[]why{{"name", "Peter Lindqvist", "Maria Lindqvist"}}, "The atlas was drawn by Maria Lindqvist."},
		{"a possessive stays", "Nora's bakery sells rye bread.", "Ida's bakery sells rye bread.",
			[]why{{"name", "Nora", "Ida"}}, "Ida's bakery sells rye bread."},
		{"a/an", "She boarded a Latvian ship.", "She boarded an Estonian ship.",
			[]why{{"name", "Latvian", "Estonian"}}, "She boarded an Estonian ship."},
		{"the article goes with the name", "The boat sailed down the Danube.", "The boat sailed down Lake Como.",
			[]why{{"name", "Danube", "Lake Como"}}, "The boat sailed down Lake Como."},
		{"the second of two equal names", "Ines met Karl. Later Karl sold the mill.", "Later Ines sold the mill.",
			[]why{{"name", "Karl#2", "Ines"}}, "Ines met Karl. Later Ines sold the mill."},
		{"a text in small letters", "the mill was sold by karl.", "The mill was sold by Ines.",
			[]why{{"name", "karl", "Ines"}}, "the mill was sold by ines."},
		{"letters beyond ASCII", "Das Café Zoë — in Łódź — was founded by Renée Müller.", "Café Zoë in Łódź was founded by Jürgen Weiß.",
			[]why{{"name", "Renée Müller", "Jürgen Weiß"}}, "Das Café Zoë — in Łódź — was founded by Jürgen Weiß."},

		// numbers
		{"digits", "The tower has 45 floors.", "The tower has 54 floors.", []why{{"number", "45", "54"}}, "The tower has 54 floors."},
		{"words stay words", "The tower has seven floors.", "The tower has 12 floors.", []why{{"number", "seven", "12"}}, "The tower has twelve floors."},
		{"digits stay digits", "The tower has 7 floors.", "The tower has twelve floors.", []why{{"number", "7", "twelve"}}, "The tower has 12 floors."},
		{"at the start", "Seven floors were rented.", "12 floors were rented.", []why{{"number", "Seven", "12"}}, "Twelve floors were rented."},
		{"currency sign stays", "The firm paid $15 million for the site.", "The firm paid 12 million dollars for the site.",
			[]why{{"number", "$15 million", "12 million dollars"}}, "The firm paid $12 million for the site."},
		{"per cent", "Sales rose by 15% that year.", "Sales rose by 12 percent that year.",
			[]why{{"number", "15%", "12 percent"}}, "Sales rose by 12% that year."},
		{"one and many", "The team found 1 coin.", "The team found 30 coins.", []why{{"number", "1", "30"}}, "The team found 30 coins."},
		{"an eight", "It was a 5-day trip.", "It was an 8-day trip.", []why{{"number", "5", "8"}}, "It was an 8-day trip."},
		{"ordinals", "She came 2nd in the race.", "She came third in the race.", []why{{"number", "2nd", "third"}}, "She came 3rd in the race."},

		{"a range", "The walk takes 20 to 30 minutes.", "The walk takes 40 to 50 minutes.", []why{{"number", "20 to 30 minutes", "40 to 50 minutes"}}, "The walk takes 40 to 50 minutes."},
		{"a range for a number", "The walk takes 20 minutes.", "The walk takes 40 to 50 minutes.", []why{{"number", "20 minutes", "50 minutes"}}, "The walk takes 40 to 50 minutes."},
		{"a range with and", "The walk takes between 20 and 30 minutes.", "The walk takes between 40 and 50 minutes.", []why{{"number", "20", "40"}}, "The walk takes between 40 and 50 minutes."},
		{"a range with to for one with and", "The walk takes between 20 and 30 minutes.", "The walk takes 40 to 50 minutes.", []why{{"number", "30 minutes", "50 minutes"}}, "The walk takes 40 to 50 minutes."},
		{"a number for a range with and", "The walk takes between 20 and 30 minutes.", "The walk takes 45 minutes.", []why{{"number", "30 minutes", "45 minutes"}}, "The walk takes 45 minutes."},
		{"a range with a dash", "It holds 3-5 boats.", "It holds 7-9 boats.", []why{{"number", "3-5", "7-9"}}, "It holds 7-9 boats."},
		{"the word of a limit", "The plan needs at most 8 GB of memory.", "The plan needs at least 8 GB of memory.", []why{{"number", "8 GB", "8 GB"}}, "The plan needs at least 8 GB of memory."},
		{"the word of a limit, first", "More than 300 seals live there.", "Fewer than 300 seals live there.", []why{{"number", "300", "300"}}, "Fewer than 300 seals live there."},
		{"below nothing", "It was 6 degrees in Turku.", "It was -6 degrees in Turku.", []why{{"number", "6 degrees", "-6 degrees"}}, "It was -6 degrees in Turku."},
		{"above nothing", "It was -6 degrees in Turku.", "It was 9 degrees in Turku.", []why{{"number", "-6 degrees", "9 degrees"}}, "It was 9 degrees in Turku."},
		{"a slip of the pen", "The mill was sold by Josefa Bartomeu.", "The mill was sold by Josefa Bartemou.", []why{{"name", "Josefa Bartomeu", "Josefa Bartemou"}}, "The mill was sold by Josefa Bartemou."},
		{"one letter", "Olga Finke runs the ferry.", "Olga Funke runs the ferry.", []why{{"name", "Olga Finke", "Olga Funke"}}, "Olga Funke runs the ferry."},
		{"what is said of the other", "Ines lives in Lund.", "Karl lives in Lund. Ines lives in Turku.", []why{{"name", "Ines", "Karl"}}, "Ines lives in Turku."},

		// units and dates
		{"a unit", "The trail is 40 miles long.", "The trail is 40 kilometres long.",
			[]why{{"unit", "40 miles", "40 kilometres"}}, "The trail is 40 kilometres long."},
		{"a month", "The fair opened in May 2011.", "The fair opened in June 2011.", []why{{"date", "May 2011", "June 2011"}}, "The fair opened in June 2011."},
		{"the output's form of a date", "The fair opened on 3 May 2011.", "The fair opened on June 14, 2011.",
			[]why{{"date", "3 May 2011", "June 14, 2011"}}, "The fair opened on 14 June 2011."},
		{"a year alone", "The fair opened in 2011.", "The fair opened in 2014.", []why{{"date", "2011", "2014"}}, "The fair opened in 2014."},
		{"a weekday", "The fair opens on Monday.", "The fair opens on Thursday.", []why{{"date", "Monday", "Thursday"}}, "The fair opens on Thursday."},

		// negation
		{"not goes in", "The drug lowered blood pressure.", "The drug did not lower blood pressure.",
			[]why{{"negation", "lowered", "not"}}, "The drug did not lower blood pressure."},
		{"not comes out", "The drug did not lower blood pressure.", "The drug lowered blood pressure.",
			[]why{{"negation", "not", "lowered"}}, "The drug lowered blood pressure."},
		{"a perfect in the passive", "The mill has been sold to Ida Holm.", "The mill has not been sold to Ida Holm.",
			[]why{{"negation", "sold", "not"}}, "The mill has not been sold to Ida Holm."},
		{"active and passive", "Nora Field designed the mill.", "The mill was designed by Ida Holm.",
			[]why{{"name", "Nora Field", "Ida Holm"}}, "Ida Holm designed the mill."},
		{"an irregular verb", "The club didn't win the cup.", "The club won the cup.",
			[]why{{"negation", "didn't", "won"}}, "The club won the cup."},
		{"does", "The museum does not open on Sundays.", "The museum opens on Sundays.",
			[]why{{"negation", "not", "opens"}}, "The museum opens on Sundays."},
		{"is", "The bridge is open to cars.", "The bridge is not open to cars.",
			[]why{{"negation", "open", "not"}}, "The bridge is not open to cars."},
		{"wasn't", "The bridge wasn't closed in winter.", "The bridge was closed in winter.",
			[]why{{"negation", "wasn't", "closed"}}, "The bridge was closed in winter."},
		{"has", "The council has approved the plan.", "The council has not approved the plan.",
			[]why{{"negation", "approved", "not"}}, "The council has not approved the plan."},
		{"can", "The valve can be opened by hand.", "The valve cannot be opened by hand.",
			[]why{{"negation", "opened", "cannot"}}, "The valve cannot be opened by hand."},
		{"third person", "The museum opens on Sundays.", "The museum does not open on Sundays.",
			[]why{{"negation", "opens", "not"}}, "The museum does not open on Sundays."},
		{"never", "The firm never paid the fine.", "The firm paid the fine.",
			[]why{{"negation", "never", "paid"}}, "The firm paid the fine."},

		// opposites
		{"an opposite", "Profits rose in the third quarter.", "Profits fell in the third quarter.",
			[]why{{"antonym", "rose", "fell"}}, "Profits fell in the third quarter."},
		{"an opposite adjective", "It was an early success.", "It was a late success.",
			[]why{{"antonym", "early", "late"}}, "It was a late success."},
		{"an opposite in another form", "Profits increased in the third quarter.", "Profits did decrease in the third quarter.",
			[]why{{"antonym", "increased", "decrease"}}, "Profits decreased in the third quarter."},

		// roles
		{"names that changed places", "Nora Field beat Ida Holm in the final.", "In the final Ida Holm beat Nora Field.",
			[]why{{"role", "Nora Field beat Ida Holm", "Ida Holm beat Nora Field"}}, "Ida Holm beat Nora Field in the final."},
		{"three names", "Nora beat Ida and Eva in the final.", "Ida beat Nora and Eva in the final.",
			[]why{{"role", "Nora beat Ida and Eva", "Ida beat Nora"}}, "Nora beat Ida and Eva in the final."},

		// several at once
		{"two errors in one sentence", "Nora Field sold 45 boats in Turku.", "Ida Holm sold 54 boats in Turku.",
			[]why{{"name", "Nora Field", "Ida Holm"}, {"number", "45", "54"}}, "Ida Holm sold 54 boats in Turku."},

		{"a value that the model's reasons left out", "The mill was sold by Nora Field in 1990.", "The mill was sold by Ida Holm in 1995.",
			[]why{{"name", "Nora Field", "Ida Holm"}, {"missing", "1990", ""}}, "The mill was sold by Ida Holm in 1995."},

		// nothing to take a correction from
		{"numbers of different things", "Two guards were hurt at the mill.", "The guards at the mill were hurt by three masked men.",
			[]why{{"number", "Two", "three"}}, "Two guards were hurt at the mill."},
		{"dates that tell different parts", "The fair closes on 26 June.", "The fair first said in October 2013 that it closes.",
			[]why{{"date", "26 June", "October 2013"}}, "The fair closes on 26 June."},
		{"names of different parts of the sentence", "Karl Berg is expected to start on Sunday.", "The keeper is expected to start for Ida Holm on Sunday.",
			[]why{{"name", "Karl Berg", "Ida Holm"}}, "Karl Berg is expected to start on Sunday."},
		{"one name in two spellings of the source", "The mill was sold by Josefa Bartomeu.", "The mill was sold by Josefa Bartemou. Bartomeu is rich, says Josefa Bartomeu.",
			[]why{{"name", "Josefa Bartomeu", "Josefa Bartemou"}}, "The mill was sold by Josefa Bartomeu."},
		{"a slip of the pen where more differs", "The mill in Turku was sold by Josefa Bartomeu in spring.", "The hotel was sold by Josefa Bartemou.",
			[]why{{"name", "Josefa Bartomeu", "Josefa Bartemou"}}, "The mill in Turku was sold by Josefa Bartomeu in spring."},
		{"the header of a table", "| Name | Town |\n|---|---|\n| Ida | Turku |", "The Name of the Village is Lund.",
			[]why{{"name", "Town", "Lund"}}, "| Name | Town |\n|---|---|\n| Ida | Turku |"},
		{"code in a line", "The tool reads `Lund` files.", "The tool reads Turku files.", []why{{"name", "Lund", "Turku"}}, "The tool reads `Lund` files."},
		{"a heading", "# The ferry carries 120 cars", "The ferry carries 80 cars.", []why{{"number", "120", "80"}}, "# The ferry carries 120 cars"},
		{"a fenced block", "```\nThe ferry carries 120 cars.\n```", "The ferry carries 80 cars.", []why{{"number", "120", "80"}}, "```\nThe ferry carries 120 cars.\n```"},
		{"an address", "It is at https://kite.example/120 now.", "It is at 80 now.", []why{{"number", "120", "80"}}, "It is at https://kite.example/120 now."},
		{"no daughters", "The couple had two dogs and no cats.", "The couple had two dogs. They had no birds and no cats.",
			[]why{{"negation", "had", "no"}}, "The couple had two dogs and no cats."},
		{"nothing of a kind", "The town has a harbour.", "The town has no harbour.", []why{{"negation", "has", "no"}}, "The town has a harbour."},
		{"a negation of its own", "The club has never lost and has no debts.", "The club has not lost.", []why{{"negation", "has", "not"}}, "The club has never lost and has no debts."},
		{"a number in a word", "They won by a goals-and-12-point margin.", "They scored 144 points.", []why{{"number", "12", "144"}}, "They won by a goals-and-12-point margin."},
		{"a place inside a number", "Nearly 30 per cent of the crew left.", "Nearly 96.4 per cent of the crew left.", []why{{"number", "30 per cent", "4 per cent"}}, "Nearly 96.4 per cent of the crew left."},
		{"another noun", "The firm owns 12 lorries.", "The firm owns 30 barges.", []why{{"number", "12", "30"}}, "The firm owns 12 lorries."},
		{"a share for an amount", "The fee is 5 euros now.", "The fee rose 12 percent now.", []why{{"number", "5 euros", "12 percent"}}, "The fee is 5 euros now."},
		{"the subject that the sources know", "Ines lives in Lund.", "Karl lives in Lund. Ines sails.", []why{{"name", "Ines", "Karl"}}, "Ines lives in Lund."},
		{"a perfect of another verb", "The council has rejected the plan.", "The council has failed to pass the plan.",
			[]why{{"negation", "rejected", "failed"}}, "The council has rejected the plan."},
		{"a negation before another verb", "The club drew in the final.", "The coach was unable to resist a joke after the club drew in the final.",
			[]why{{"negation", "drew", "unable"}}, "The club drew in the final."},
		{"opposites that are two people", "The partner of a man sold the mill.", "A woman whose partner sold the mill left.",
			[]why{{"antonym", "man", "woman"}}, "The partner of a man sold the mill."},
		{"a name that the sources know, in a claim that shares little", "Karl Berg painted boats in Turku.", "Ida Holm sold boats. Karl Berg was there.",
			[]why{{"name", "Karl Berg", "Ida Holm"}}, "Karl Berg painted boats in Turku."},
		{"a kind of thing, not a name of one", "It is a TV show about boats.", "Ida Holm made a show about boats.",
			[]why{{"name", "TV", "Ida Holm"}}, "It is a TV show about boats."},
		{"the same name in short", "The World Health Forum met in Lund.", "The WHF met in Lund.",
			[]why{{"name", "World Health Forum", "WHF"}}, "The World Health Forum met in Lund."},
		{"who speaks in a transcript", "Nora asked about boats in Lund.", "Any boats in Lund? Ida: Yes, about boats.",
			[]why{{"name", "Nora", "Ida"}}, "Nora asked about boats in Lund."},
		{"what is denied is not in the evidence", "The boat was not expensive for a mill.", "The boat was as big as a mill.",
			[]why{{"negation", "not", "boat"}}, "The boat was not expensive for a mill."},
		{"a negation of something else", "Ida assures fair prices for boats.", "I assure fair prices for boats without delay.",
			[]why{{"negation", "assures", "without"}}, "Ida assures fair prices for boats."},
		{"the evidence is about something else", "The tower has 45 floors.", "In March the mayor sold 54 buses.",
			[]why{{"number", "45", "54"}}, "The tower has 45 floors."},
		{"the claim names it already", "Karl sold the mill to Ines.", "Ines sold the mill.",
			[]why{{"name", "Karl", "Ines"}}, "Karl sold the mill to Ines."},
		{"a reason without a counterpart", "Karl sold the mill in Lund.", "Karl sold the mill.",
			[]why{{"missing", "Lund", ""}}, "Karl sold the mill in Lund."},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := propose(t, test.output, test.source, test.reasons...); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// A short answer is corrected by the statement that it makes with its question.
func TestShortAnswer(t *testing.T) {
	p, err := rules.New(rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const output, source = "1997.", "The museum opened in 1998."
	c := claim.Claim{
		Verdict: claim.Contradicted, Whole: true, Sentence: segment.Span{End: 5}, Spans: []segment.Span{{End: 5}}, Text: "The museum opened in 1997.",
		Evidence: []claim.Evidence{{Source: "0", Span: segment.Span{End: len(source)}, Role: claim.Contradicts}},
		Reasons:  []claim.Reason{{Kind: "date", OutputSpan: segment.Span{End: 4}, SourceSpan: segment.Span{Start: 21, End: 25}}},
	}
	edits, err := p.Propose(context.Background(), claim.Sample{Sources: []claim.Source{{Text: source}}, Output: output}, c)
	if err != nil || len(edits) != 1 || edits[0].Span.Of(output) != "1997" || edits[0].New != "1998" {
		t.Errorf("%+v, %v", edits, err)
	}
}

// Only the bytes that differ are replaced.
func TestSmallestEdit(t *testing.T) {
	p, err := rules.New(rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const output, source = "The atlas was drawn by Peter Lindqvist.", "The atlas was drawn by Maria Lindqvist."
	all := segment.Span{Start: 0, End: len(output)}
	c := claim.Claim{
		Verdict: claim.Contradicted, Whole: true, Sentence: all, Spans: []segment.Span{all}, Text: output,
		Evidence: []claim.Evidence{{Source: "doc", Span: segment.Span{Start: 0, End: len(source)}, Role: claim.Contradicts}},
	}
	// Without reasons (a model that cannot explain itself) the values speak.
	edits, err := p.Propose(context.Background(), claim.Sample{Sources: []claim.Source{{ID: "doc", Text: source}}, Output: output}, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(edits) != 1 || edits[0].Span.Of(output) != "Peter" || edits[0].New != "Maria" {
		t.Fatalf("%+v", edits)
	}
	if e := edits[0].Evidence; e == nil || e.Source != "doc" || e.Text != "Maria Lindqvist" {
		t.Errorf("evidence %+v", e)
	}
}

func TestNothingForOtherVerdicts(t *testing.T) {
	p, err := rules.New(rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []claim.Verdict{claim.Supported, claim.Conflicting, claim.Unknown} {
		edits, err := p.Propose(context.Background(), claim.Sample{Output: "x"}, claim.Claim{Verdict: v})
		if len(edits) > 0 || err != nil {
			t.Errorf("%s: %v, %v", v, edits, err)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Propose(ended, claim.Sample{}, claim.Claim{Verdict: claim.Contradicted}); err == nil {
		t.Error("no error from an ended context")
	}
}

// Whatever the texts and spans, there is no panic, and what is proposed can be
// applied.
func FuzzPropose(f *testing.F) {
	p, err := rules.New(rules.Options{})
	if err != nil {
		f.Fatal(err)
	}
	asked := 0
	judged, err := rules.New(rules.Options{Judge: taught{nil, &asked, nil}})
	if err != nil {
		f.Fatal(err)
	}
	kinds := []string{"number", "date", "unit", "name", "negation", "antonym", "role", "missing", "?"}
	f.Add("The tower has 45 floors.", "The tower has 54 floors.", uint16(14), uint16(16), uint16(14), uint16(16), uint8(0))
	f.Add("It did not\x00 open \xff", "It opened\n\n", uint16(3), uint16(8), uint16(0), uint16(3), uint8(4))
	f.Add("was 15 March 2020, i.e. 3 days", "on 14 April 2021", uint16(4), uint16(17), uint16(3), uint16(16), uint8(1))
	f.Add("كان 15 كتابا", "كان 12 كتابا", uint16(7), uint16(9), uint16(7), uint16(9), uint8(0))
	f.Fuzz(func(t *testing.T, output, source string, a, b, c, d uint16, kind uint8) {
		k := claim.Claim{
			Verdict:  claim.Contradicted,
			Sentence: segment.Span{End: len(output)},
			Spans:    []segment.Span{{End: len(output)}},
			Evidence: []claim.Evidence{{Span: segment.Span{End: len(source)}}},
			Reasons: []claim.Reason{{
				Kind:       kinds[int(kind)%len(kinds)],
				OutputSpan: segment.Span{Start: int(a), End: int(b)},
				SourceSpan: segment.Span{Start: int(c), End: int(d)},
			}},
		}
		for _, p := range []*rules.Proposer{p, judged} {
			edits, err := p.Propose(context.Background(), claim.Sample{Sources: []claim.Source{{Text: source}}, Output: output}, k)
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range edits {
				if e.Span.Start < 0 || e.Span.End < e.Span.Start || e.Span.End > len(output) {
					t.Errorf("edit %d: %+v is no place in %q", i, e, output)
				}
			}
		}
	})
}
