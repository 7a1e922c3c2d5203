package rules_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/graphcorrect/rules"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// taught holds a sentence to be supported if it is one of those it was told.
type taught struct {
	right []string
	asked *int
	err   error
}

func (taught) ID() string { return "taught/1" }

func (j taught) Classify(_ context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	if j.err != nil {
		return nil, j.err
	}
	out := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		*j.asked++
		out[i] = nli.Probs{Entailment: 0.2, Neutral: 0.8}
		if slices.Contains(j.right, p.Hypothesis) {
			out[i] = nli.Probs{Entailment: 0.9, Neutral: 0.1}
		}
	}
	return out, nil
}

// searched proposes for the only sentence of output, whose evidence is the first
// sentence of the source, with no reason given.
func searched(t testing.TB, output, source string, judge nli.Model) (string, error) {
	t.Helper()
	p, err := rules.New(rules.Options{Judge: judge})
	if err != nil {
		t.Fatal(err)
	}
	e := segment.Sentences(source)[0]
	c := claim.Claim{
		Verdict: claim.Unsupported, PInconsistent: 0.7, Whole: true, Text: output,
		Sentence: segment.Span{End: len(output)}, Spans: []segment.Span{{End: len(output)}},
		Evidence: []claim.Evidence{{Source: "0", Span: e, Role: claim.Contradicts, Text: e.Of(source)}},
	}
	edits, err := p.Propose(context.Background(), claim.Sample{Sources: []claim.Source{{Text: source}}, Output: output}, c)
	if err != nil {
		return "", err
	}
	text, applied, err := graphcorrect.Apply(output, edits)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range applied {
		if e.Reason == "" || e.Evidence == nil {
			t.Errorf("%q to %q has no reason or no evidence", e.Old, e.New)
		}
	}
	return text, nil
}

// With a judge every value of the sources is tried in the place of each value of
// its kind, names that the sources have elsewhere too; where several fit, the judge
// decides, and nothing is done without its word.
func TestJudgedSearch(t *testing.T) {
	const source = "The board met on the pier at noon. Vera Dahl told the board of the flood in Bergen and asked Nils Moe for 40 boats. " +
		"Nils Moe answered the board that the yard had 25 boats ready by March 2014."
	for _, test := range []struct{ name, output, right, want string }{
		{"a name that no source has", "The yard was asked for boats by Olga Rud.", "The yard was asked for boats by Vera Dahl.", ""},
		{"a name of the same source", "Nils Moe told the board of the flood in Bergen.", "Vera Dahl told the board of the flood in Bergen.", ""},
		{"a possessive", "The flood in Bergen was Olga Rud's news for the board.", "The flood in Bergen was Vera Dahl's news for the board.", ""},
		{"a number", "The yard had 95 boats ready.", "The yard had 25 boats ready.", ""},
		{"a date", "The boats of the yard were ready by March 1999.", "The boats of the yard were ready by March 2014.", ""},
		{"a negation taken out", "The board was not told of the flood in Bergen.", "The board was told of the flood in Bergen.", ""},
		// and nothing is done
		{"what the judge does not bear out", "Olga Rud fed the cat.", "Olga Rud fed the dog.", "Olga Rud fed the cat."},
		{"a word that counts nothing", "It was the one boat that the yard had.", "It was the 25 boat that the yard had.", "It was the one boat that the yard had."},
		{"two names alike", "Olga Rud slept.", "Vera Dahl slept.|Nils Moe slept.", "Olga Rud slept."},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			if want == "" {
				want = test.right
			}
			asked := 0
			got, err := searched(t, test.output, source, taught{strings.Split(test.right, "|"), &asked, nil})
			if err != nil || got != want {
				t.Errorf("got  %q (%v)\nwant %q", got, err, want)
			}
			if asked > 9 {
				t.Errorf("the judge read %d pairs, at most 9 are promised", asked)
			}
		})
	}
}

// A negation that the evidence has too stays, whatever a judge holds of the sentence
// without it.
func TestSharedNegationStays(t *testing.T) {
	for _, output := range []string{"The board did not meet at dusk.", "The board didn't meet at dusk.", "The board never met at dusk."} {
		asked := 0
		judge := taught{[]string{"The board did meet at dusk.", "The board met at dusk."}, &asked, nil}
		if got, err := searched(t, output, "The board did not meet on the pier at noon.", judge); err != nil || got != output {
			t.Errorf("got %q (%v), want %q", got, err, output)
		}
	}
}

// The judge's own failure is an error of the proposal, never a correction.
func TestFailingJudge(t *testing.T) {
	broken := errors.New("out of order")
	asked := 0
	if _, err := searched(t, "The yard had 95 boats ready.", "The yard had 25 boats ready.", taught{nil, &asked, broken}); !errors.Is(err, broken) {
		t.Errorf("%v, want the judge's error", err)
	}
}
