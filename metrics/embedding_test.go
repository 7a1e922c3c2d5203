package metrics

import (
	"context"
	"errors"
	"hash/crc32"
	"math"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/embed/hashed"
)

// crcEncoder is the encoder of bench/peers/metrics/bert.py.
type crcEncoder struct{}

func (crcEncoder) ID() string { return "crc" }

func (crcEncoder) EmbedTokens(ctx context.Context, texts []string) ([]Tokens, error) {
	out := make([]Tokens, len(texts))
	for i, text := range texts {
		words := append(append([]string{"<s>"}, strings.Fields(text)...), "</s>")
		t := Tokens{First: 1, End: len(words) - 1}
		for k, w := range words {
			c := crc32.ChecksumIEEE([]byte(w))
			state := make([]float32, 16)
			for d := range state {
				state[d] = float32((c>>d)&255)/128 - 1 + float32(k%7)/16
			}
			t.IDs = append(t.IDs, int32(c&math.MaxInt32))
			t.States = append(t.States, state)
		}
		out[i] = t
	}
	return out, ctx.Err()
}

type bertRow struct {
	Set   string     `json:"set"`
	Row   int        `json:"row"`
	Plain [3]float64 `json:"plain"`
	IDF   [3]float64 `json:"idf"`
}

func bertRows(t *testing.T, name string) ([]bertRow, []TextPair) {
	t.Helper()
	rows := golden[bertRow](t, name)
	lines := dataLines(t, rows[0].Set)[1:]
	pairs := make([]TextPair, len(rows))
	for i, r := range rows {
		parts := strings.Split(strings.TrimSuffix(lines[r.Row], "\r"), "\t")
		pairs[i] = TextPair{Reference: parts[len(parts)-2], Candidate: parts[len(parts)-1]}
	}
	return rows, pairs
}

// bert-score 0.3.13 on 255 sentence pairs of MRPC; it computes in float32.
func TestBERTScoreIsBertScore(t *testing.T) {
	rows, pairs := bertRows(t, "bert.jsonl")
	var texts []string
	for _, p := range pairs {
		texts = append(texts, p.Reference)
	}
	weights, err := IDF(t.Context(), crcEncoder{}, texts)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := BERTScore(t.Context(), crcEncoder{}, pairs, nil)
	if err != nil {
		t.Fatal(err)
	}
	weighted, err := BERTScore(t.Context(), crcEncoder{}, pairs, weights)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		for _, c := range []struct {
			what string
			got  Score
			want [3]float64
		}{{"plain", plain[i], r.Plain}, {"weighted", weighted[i], r.IDF}} {
			for k, x := range []float64{c.got.Precision, c.got.Recall, c.got.F1} {
				if math.Abs(x-c.want[k]) > 2e-6 {
					t.Errorf("row %d, %s: got %v, want %v", r.Row, c.what, c.got, c.want)
				}
			}
		}
	}
}

func TestBERTScore(t *testing.T) {
	for _, c := range []struct {
		name, reference, candidate string
		precision, recall          float64
	}{
		{"equal", "Ana founded Orbix", "Ana founded Orbix", 1, 1},
		{"no content", "  ", "Ana", 0, 0},
		{"both without content", "", "", 0, 0},
	} {
		got, err := BERTScore(t.Context(), crcEncoder{}, []TextPair{{c.reference, c.candidate}}, nil)
		if err != nil || math.Abs(got[0].Precision-c.precision) > 1e-6 || math.Abs(got[0].Recall-c.recall) > 1e-6 {
			t.Errorf("%s: got %v, %v", c.name, got, err)
		}
	}
	// More pairs than a block; a pair does not depend on the others.
	pairs := make([]TextPair, 3*bertBlock)
	for i := range pairs {
		pairs[i] = TextPair{strings.Repeat("a b ", i), "b c"}
	}
	all, err := BERTScore(t.Context(), crcEncoder{}, pairs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pairs {
		if one, err := BERTScore(t.Context(), crcEncoder{}, []TextPair{p}, nil); err != nil || one[0] != all[i] {
			t.Fatalf("pair %d alone: %v, %v; among others %v", i, one, err, all[i])
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := BERTScore(cancelled, crcEncoder{}, pairs, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if got, err := BERTScore(t.Context(), crcEncoder{}, nil, nil); err != nil || len(got) != 0 {
		t.Errorf("no pairs: %v, %v", got, err)
	}
}

// brokenEncoder gives what it is told to.
type brokenEncoder struct {
	tokens []Tokens
	err    error
}

func (brokenEncoder) ID() string { return "broken" }

func (e brokenEncoder) EmbedTokens(context.Context, []string) ([]Tokens, error) {
	return e.tokens, e.err
}

func TestBERTScoreRefusesABrokenEncoder(t *testing.T) {
	one := Tokens{IDs: []int32{1}, States: [][]float32{{1}}, End: 1}
	nan := float32(math.NaN())
	failure := errors.New("out of order")
	for name, e := range map[string]brokenEncoder{
		"too few texts":       {tokens: []Tokens{one}},
		"no state":            {tokens: []Tokens{one, {IDs: []int32{1}, End: 1}}},
		"content outside":     {tokens: []Tokens{one, {IDs: []int32{1}, States: [][]float32{{1}}, End: 2}}},
		"not a number":        {tokens: []Tokens{one, {IDs: []int32{1}, States: [][]float32{{nan}}, End: 1}}},
		"a zero state":        {tokens: []Tokens{one, {IDs: []int32{1}, States: [][]float32{{0}}, End: 1}}},
		"states of two sizes": {tokens: []Tokens{one, {IDs: []int32{1}, States: [][]float32{{1, 0}}, End: 1}}},
		"an error":            {err: failure},
	} {
		_, err := BERTScore(t.Context(), e, []TextPair{{"a", "b"}}, nil)
		if err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("%s: %v", name, err)
		}
		if e.err != nil && !errors.Is(err, failure) {
			t.Errorf("%s: %v does not wrap it", name, err)
		}
	}
}

func TestCosines(t *testing.T) {
	got, err := Cosines(t.Context(), hashed.New(), []TextPair{{"a boat", "a boat"}, {"a boat", "many trains"}, {"", "a boat"}})
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != 1 || got[1] > 0.5 || got[2] != 0 {
		t.Errorf("got %v", got)
	}
}
