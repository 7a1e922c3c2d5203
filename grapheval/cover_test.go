package grapheval_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// stating is an extractor that states what stands before the first bar of each
// sentence, and leaves the rest.
type stating struct{ clauses }

func (stating) Extract(_ context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	out := make([]kg.Extraction, len(texts))
	for i, t := range texts {
		for _, s := range segment.Sentences(t.Text) {
			fact, _, ok := strings.Cut(s.Of(t.Text), " |")
			if !ok {
				continue
			}
			out[i].Statements = append(out[i].Statements, kg.Statement{
				Triple: kg.Triple{Head: fact, Relation: "is", Tail: "stated"}, Claim: fact + ".",
				Spans: []segment.Span{{Start: s.Start, End: s.Start + len(fact)}}, Sentence: s,
			})
		}
	}
	return out, nil
}

// What an extractor leaves of a sentence is checked with the whole sentence, and
// flagged where it stands, if it says something of its own.
func TestWhatNoTripleStates(t *testing.T) {
	for _, test := range []struct {
		name, output string
		rest         []string // the places of a further claim
	}{
		{"everything is stated", "Ada runs a mill |.", nil},
		{"a small word is left", "Ada runs a mill | well.", nil},
		{"a number is left", "Ada runs a mill | since 1998.", []string{"1998"}},
		{"a name is left", "Ada runs a mill | near Lund.", []string{"near Lund"}},
		{"several words are left", "Ada runs a mill | that grinds rye and sells flour.", []string{"grinds rye and sells flour"}},
		{"words that the claim repeats", "Ada runs a mill | runs a mill, runs.", nil},
		{"no triple at all", "Ada runs a mill.", []string{"Ada runs a mill."}},
	} {
		r := check(t, checker(t, lookup(), func(o *grapheval.Options) { o.Extractor = stating{} }), test.output, "Ada runs a mill.")
		var got []string
		for _, k := range r.Claims {
			if !k.Whole {
				continue
			}
			for _, s := range k.Spans {
				got = append(got, s.Of(test.output))
			}
			if k.Text != test.output {
				t.Errorf("%s: the claim is %q, not the sentence", test.name, k.Text)
			}
		}
		if d := cmp.Diff(test.rest, got); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
	paper := grapheval.Paper()
	paper.Extractor, paper.Model = stating{}, lookup()
	c, err := grapheval.New(paper)
	if err != nil {
		t.Fatal(err)
	}
	if r := check(t, c, "Ada runs a mill | since 1998.", "Ada runs a mill."); len(r.Claims) != 1 {
		t.Error("the paper checks triples alone")
	}
}

// A detail that the extractor of the offline parts drops is found all the same.
func TestOfflineDroppedDetail(t *testing.T) {
	const source = "Agent: We have a plan that costs $185 per month and pays for dental care after a year. The deductible is $1,500 and the co-payment is 20%."
	const output = "The agent offers a plan that costs $185 per month, has a $2,000 deductible and a 20% co-payment, and pays for dental care after a year."
	r := check(t, offline(t, grapheval.Options{}), output, source)
	if r.Outcome != claim.Inconsistent {
		t.Errorf("%q", r.Outcome)
	}
}

// many is an extractor that finds a fact in every third word.
type many struct{ clauses }

func (many) Extract(_ context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	out := make([]kg.Extraction, len(texts))
	for i, t := range texts {
		for k, w := range segment.Words(t.Text) {
			if k%3 == 0 {
				out[i].Statements = append(out[i].Statements, kg.Statement{
					Triple: kg.Triple{Head: w.Of(t.Text), Relation: "is", Tail: "so"}, Claim: "So.",
					Spans: []segment.Span{w}, Sentence: segment.Span{End: len(t.Text)},
				})
			}
		}
	}
	return out, nil
}

// A sentence of any length with any number of facts is read in linear time.
func TestCoverIsLinear(t *testing.T) {
	output := strings.Repeat("mill 12 ferry ", 10_000)
	began := time.Now()
	c := checker(t, lookup(), func(o *grapheval.Options) { o.Extractor, o.NoEvidence, o.MaxPairs = many{}, true, 4 })
	if _, err := c.Check(t.Context(), claim.Sample{Sources: []claim.Source{{Text: "So."}}, Output: output}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 60*time.Second {
		t.Errorf("%v", took)
	}
}
