package grapheval_test

import (
	"context"
	"slices"
	"testing"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
)

// Short answers are checked as what they say to their question.
func TestReplies(t *testing.T) {
	parts, err := kgeval.Offline()
	if err != nil {
		t.Fatal(err)
	}
	c, err := parts.Checker(grapheval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		question, answer, source string
		want                     claim.Outcome
		claims                   []string // texts; nil: any
	}{
		{"Did the mill burn down in 1890?", "Correct.", "The mill burned down in 1890.", claim.Consistent, nil},
		{"Did the mill burn down in 1890?", "That's right.", "The mill burned down in 1890.", claim.Consistent, nil},
		{"Did the mill burn down in 1890?", "True", "The mill burned down in 1812.", claim.Inconsistent, nil},
		{"Is Ida a baker?", "Incorrect.", "Ida is a baker.", claim.Inconsistent, nil},
		{"When did the ferry sink?", "It was 1961.", "The ferry sank in 1961.", claim.Consistent, nil},
		{"When did the ferry sink?", "It was 1962.", "The ferry sank in 1961.", claim.Inconsistent, nil},
		{"Where is the mill?", "Turku, Finland", "The mill is in Turku. Turku lies in Finland.", "", []string{"The mill is in Turku.", "The mill is in Finland."}},
		{"Which town has a mill? (A) Lund (B) Turku (C) Oslo", "B", "Turku has a mill.", claim.Consistent, nil},
		{"Which town has a mill? A) Lund B) Turku C) Oslo", "(C)", "Turku has a mill.", claim.Inconsistent, nil},
		{"Which town has a mill?\nA. Lund\nB. Turku", "The answer is B.", "Turku has a mill.", claim.Consistent, nil},
	} {
		r, err := c.Check(context.Background(), claim.Sample{Question: test.question, Sources: []claim.Source{{Text: test.source}}, Output: test.answer})
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, k := range r.Claims {
			texts = append(texts, k.Text)
		}
		if test.want != "" && r.Outcome != test.want || test.claims != nil && !slices.Equal(texts, test.claims) || len(r.Claims) == 0 {
			t.Errorf("%q, %q: %q %v", test.question, test.answer, r.Outcome, texts)
		}
	}
}
