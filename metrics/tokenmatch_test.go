package metrics_test

import (
	"context"
	"math"
	"testing"

	"github.com/kgeval/kgeval/metrics"
)

// letters is an encoder whose tokens are the bytes of a text, each with a direction of its
// own, between two special tokens.
type letters struct{}

func (letters) ID() string { return "letters" }

func (letters) EmbedTokens(_ context.Context, texts []string) ([]metrics.Tokens, error) {
	var out []metrics.Tokens
	for _, t := range texts {
		k := metrics.Tokens{First: 1, End: 1 + len(t)}
		for _, c := range []byte("^" + t + "$") {
			angle := float64(c)
			k.IDs = append(k.IDs, int32(c))
			k.States = append(k.States, []float32{float32(math.Cos(angle)), float32(math.Sin(angle))})
		}
		out = append(out, k)
	}
	return out, nil
}

// The matches of tokens are what BERTScore is the mean of, and name the token that has no
// partner.
func TestTokenMatches(t *testing.T) {
	pairs := []metrics.TextPair{{"abc", "abc"}, {"abc", "acc"}, {"abcde", "a"}, {"", "abc"}, {"", ""}}
	matches, err := metrics.TokenMatches(t.Context(), letters{}, pairs)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := metrics.BERTScore(t.Context(), letters{}, pairs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range matches {
		got, want := m.Score(), scores[i]
		for _, d := range []float64{got.Precision - want.Precision, got.Recall - want.Recall, got.F1 - want.F1} {
			if math.Abs(d) > 1e-12 {
				t.Errorf("%v: %+v, want %+v", pairs[i], got, want)
			}
		}
	}
	if m := matches[1]; len(m.Reference) != 3 || m.Reference[0] < 0.999 || m.Reference[1] > 0.999 || m.Reference[2] < 0.999 {
		t.Errorf("%+v", m)
	}
	if m := matches[3]; m.Reference != nil || m.Candidate != nil {
		t.Errorf("%+v", m)
	}
}
