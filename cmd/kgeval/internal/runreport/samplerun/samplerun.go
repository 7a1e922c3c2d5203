// Package samplerun makes up runs for tests of reports: sentences about bridges
// that nobody built, answered by models that do not exist.
package samplerun

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cus"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/segment"
	"github.com/kgeval/kgeval/tau"
)

// Evil is a text that is markup, where it is taken for it.
const Evil = `</script><script>document.title="owned"</script><img src=x onerror="document.title='owned'">`

// Options say what the run is like.
type Options struct {
	Items int
	// Models is how many there are, each at Temperatures.
	Models       int
	Temperatures []float64
	// Odd adds items that are hard to show: markup, other scripts, a megabyte, a
	// failure, an answer without facts.
	Odd bool
}

var (
	names  = []string{"Alder", "Birch", "Cedar", "Dorn", "Elm", "Fennel", "Gorse", "Hazel", "Iris", "Juniper"}
	rivers = []string{"Wen", "Tarn", "Ouse", "Lune", "Ribble", "Swale", "Esk", "Nidd"}
	people = []string{"Mara Holt", "Tomas Lind", "Oskar Brandt", "Ruth Ellison", "Ines Duarte", "Pavel Novak"}
	models = []string{"small-instruct", "extractive baseline", "large-instruct", "tuned-instruct", "other-a", "other-b", "other-c", "other-d"}
)

func triple(h, r, t string) kg.Triple { return kg.Triple{Head: h, Relation: r, Tail: t} }

// fact is a triple with the sentence that says it.
type fact struct {
	t    kg.Triple
	text string
}

// New makes a run. The same options give the same run.
func New(o Options) *experiment.Run {
	r := rand.New(rand.NewPCG(7, 11))
	run := &experiment.Run{Header: experiment.Header{
		Format: experiment.Format, Version: experiment.Version, Name: "Bridges that nobody built",
		Settings: map[string]string{"data.sum": "sha256:0123", "library": "kgeval (devel)", "prompt": "answer/1", "scoring.embedder": "builtin/1"},
		Models:   models[:o.Models], Temperatures: o.Temperatures, Repeats: 1, Started: time.Date(2026, 12, 1, 9, 30, 0, 0, time.UTC),
	}}
	var all [][]fact
	for i := range o.Items {
		item, facts := newItem(r, i)
		all = append(all, facts)
		run.Items = append(run.Items, item)
	}
	if o.Odd {
		for _, text := range []string{Evil, "الجسر يعبر النهر. افتتح في 1932.", "長江大橋は1957年に開通した。", strings.Repeat("no blanks", 120_000), ""} {
			i := len(run.Items)
			run.Items = append(run.Items, experiment.Item{ID: fmt.Sprintf("odd-%d %.20s", i, text), Question: "What of " + text + "?", Gold: text, Sources: []claim.Source{{ID: "s", Text: text + " "}}})
			all = append(all, []fact{{triple(text, text, text), text}})
		}
	}
	for m := range o.Models {
		for _, t := range o.Temperatures {
			for i, item := range run.Items {
				task := experiment.Task{Item: item.ID, Model: models[m], Temperature: t}
				run.Records = append(run.Records, record(r, task, item, all[i], 0.1+0.08*float64(m)+0.25*t, i >= o.Items))
			}
		}
	}
	run.Header.Items, run.Header.Tasks = len(run.Items), len(run.Records)
	return run
}

func newItem(r *rand.Rand, i int) (experiment.Item, []fact) {
	name := fmt.Sprintf("%s Bridge %d", names[r.IntN(len(names))], i+1)
	year := 1850 + r.IntN(150)
	facts := []fact{
		{triple("the "+name, "crosses", "the "+rivers[r.IntN(len(rivers))]), ""},
		{triple("the "+name, "opened in", fmt.Sprint(year)), ""},
		{triple("the "+name, "was designed by", people[r.IntN(len(people))]), ""},
		{triple("the "+name, "carries", fmt.Sprintf("%d cars a day", 1000+100*r.IntN(300))), ""},
	}
	var context strings.Builder
	for k, f := range facts {
		s := strings.ToUpper(f.t.Head[:1]) + f.t.Head[1:] + " " + f.t.Relation + " " + f.t.Tail + "."
		facts[k].text = s
		fmt.Fprintf(&context, "%s Nobody who lives near it would doubt that. ", s)
	}
	item := experiment.Item{
		ID: fmt.Sprintf("bridge-%05d", i+1), Question: fmt.Sprintf("What is known about the %s?", name),
		Sources: []claim.Source{{ID: "gazetteer", Text: context.String()}, {ID: "council notes", Text: "The council met in " + fmt.Sprint(year+40) + " and spoke of paint."}},
		Gold:    facts[0].text + " " + facts[1].text + " " + facts[2].text,
	}
	item.GoldGraph, item.ContextGraph = kg.NewGraph(), kg.NewGraph()
	for k, f := range facts {
		item.ContextGraph.Add(f.t)
		if k < 3 {
			item.GoldGraph.Add(f.t)
		}
	}
	return item, facts
}

// record makes an answer that is wrong in each fact with the given chance.
func record(r *rand.Rand, task experiment.Task, item experiment.Item, facts []fact, wrong float64, odd bool) experiment.Record {
	x := experiment.Record{Task: task}
	if r.Float64() < 0.01 {
		x.Failure = &experiment.Failure{Task: task, Stage: "answer", Kind: "truncated", Error: "the reply was cut at 512 tokens: " + Evil}
		return x
	}
	s := &experiment.Score{Task: task, Graph: kg.NewGraph(), Check: &claim.Result{Model: "model/1", Extractor: "rules/1", Threshold: 0.5, Cutoff: 0.5, Outcome: claim.Consistent}}
	var text strings.Builder
	say := func(sentence string) segment.Span {
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		from := text.Len()
		text.WriteString(sentence)
		return segment.Span{Start: from, End: text.Len()}
	}
	good := 0
	for k, f := range facts {
		gold := k < 3 || odd
		if r.Float64() < wrong*0.4 { // left out
			if gold {
				s.Gold = append(s.Gold, tau.Finding{Class: tau.Missing, Reference: f.t})
			}
			continue
		}
		t, sentence, class := f.t, f.text, tau.Aligned
		if !odd && r.Float64() < wrong {
			t.Tail = []string{"the Humber", fmt.Sprint(1850 + r.IntN(150)), people[r.IntN(len(people))], "12 cars a day"}[k]
			class = tau.TailMismatch
			if r.Float64() < 0.2 {
				t.Head, t.Tail, class = f.t.Tail, f.t.Head, tau.Reversed
			}
			sentence = strings.ToUpper(t.Head[:1]) + t.Head[1:] + " " + t.Relation + " " + t.Tail + "."
		}
		at := say(sentence)
		s.Graph.Add(t)
		c := claim.Claim{Triple: t, Text: sentence, Spans: []segment.Span{at}, Sentence: at, Verdict: claim.Supported, PInconsistent: 0.04, Support: 0.96}
		source := item.Sources[0].Text
		if i := strings.Index(source, f.text); i >= 0 {
			c.Evidence = []claim.Evidence{{Source: item.Sources[0].ID, Span: segment.Span{Start: i, End: i + len(f.text)}, Role: claim.Supports, Text: f.text}}
		}
		if class != tau.Aligned {
			c.Verdict, c.PInconsistent, c.Support, c.Contradiction = claim.Contradicted, 0.97, 0.03, 0.9
			s.Check.Outcome, s.Check.PInconsistent = claim.Inconsistent, 0.95
			if len(c.Evidence) > 0 {
				c.Evidence[0].Role = claim.Contradicts
				where := at.Start + strings.LastIndex(sentence, t.Tail)
				c.Reasons = []claim.Reason{{Kind: "number", Detail: fmt.Sprintf("%q against %q", t.Tail, f.t.Tail), OutputSpan: segment.Span{Start: where, End: where + len(t.Tail)},
					SourceSpan: segment.Span{Start: c.Evidence[0].Span.End - 1 - len(f.t.Tail), End: c.Evidence[0].Span.End - 1}}}
			}
		} else {
			good++
		}
		s.Check.Claims = append(s.Check.Claims, c)
		if gold {
			s.Gold = append(s.Gold, tau.Finding{Class: class, Reference: f.t, Answer: t, Similarity: 0.5})
		} else {
			s.Gold = append(s.Gold, tau.Finding{Class: tau.Extra, Answer: t})
		}
		s.Context = append(s.Context, tau.Finding{Class: class, Reference: f.t, Answer: t})
	}
	if !odd && r.Float64() < wrong*0.5 {
		at := say("It is painted green every year.")
		t := triple(facts[0].t.Head, "is painted", "green every year")
		s.Graph.Add(t)
		s.Gold = append(s.Gold, tau.Finding{Class: tau.Extra, Answer: t})
		s.Context = append(s.Context, tau.Finding{Class: tau.Extra, Answer: t})
		s.Check.Claims = append(s.Check.Claims, claim.Claim{Triple: t, Text: "It is painted green every year.", Spans: []segment.Span{at}, Sentence: at, Verdict: claim.Unsupported, PInconsistent: 0.8})
	}
	s.Check.Counts = claim.Count(s.Check.Claims)
	n := float64(len(s.Gold))
	switch {
	case s.Graph.Len() == 0:
		s.Degenerate = cus.Answer
		s.Check.Outcome = claim.NoClaims
		say("I don't know.")
	default:
		s.GoldSim = min(1, max(0, float64(good)/max(n, 1)+0.1*(r.Float64()-0.5)))
		s.CtxSim = min(1, max(0, float64(good)/float64(s.Graph.Len())+0.1*(r.Float64()-0.5)))
		if s.GoldSim+s.CtxSim > 0 {
			s.CUS = 2 * s.GoldSim * s.CtxSim / (s.GoldSim + s.CtxSim)
		}
	}
	x.Answer = &experiment.Answer{Task: task, Text: text.String(), Usage: llm.Usage{Input: 180, Output: 40}, Seconds: 0.5 + r.Float64(), At: time.Date(2026, 12, 1, 9, 31, 0, 0, time.UTC)}
	x.Score = s
	return x
}
