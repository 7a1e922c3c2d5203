package s3kg_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/s3kg"
)

// noGraph finds no triple in any text.
type noGraph struct{}

func (noGraph) ID() string { return "none" }

func (noGraph) Extract(_ context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	return make([]kg.Extraction, len(texts)), nil
}

// byWord is an encoder whose tokens are words, with the vectors of embed/hashed.
type byWord struct{}

func (byWord) ID() string { return "words" }

func (byWord) EmbedTokens(ctx context.Context, texts []string) ([]metrics.Tokens, error) {
	var out []metrics.Tokens
	for _, t := range texts {
		words := strings.Fields(strings.ToLower(t))
		v, err := hashed.New().Embed(ctx, words)
		if err != nil {
			return nil, err
		}
		for i, long := range v { // folded, so that long texts take no time
			v[i] = make([]float32, 32)
			for k, x := range long {
				v[i][k%32] += x
			}
		}
		out = append(out, metrics.Tokens{IDs: make([]int32, len(words)), States: v, End: len(words)})
	}
	return out, nil
}

func evidenceScorer(t testing.TB, m s3kg.TextModel) *s3kg.Scorer {
	t.Helper()
	s, err := s3kg.New(s3kg.Options{Embedder: hashed.New(), Extractor: noGraph{}, Texts: &m, Tokens: byWord{}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func evidence(t testing.TB, a, b string) s3kg.Evidence {
	t.Helper()
	r, err := evidenceScorer(t, s3kg.FittedTexts()).CompareTexts(t.Context(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	if r.Evidence == nil {
		t.Fatalf("%q, %q: no evidence", a, b)
	}
	return *r.Evidence
}

// Each kind of difference shows in the field that is for it, and in no other of its group.
func TestEvidence(t *testing.T) {
	const text = "On Monday the firm Orbix hired Ana Berg for 30 days in Graz."
	type found struct{ names, numbers, leftNames, leftNumbers, denied float64 }
	for _, c := range []struct {
		name, other string
		want        found
	}{
		{"other words", "On Monday the firm Orbix took on Ana Berg for 30 days in Graz.", found{}},
		{"another name", "On Monday the firm Orbix hired Cleo Berg for 30 days in Graz.", found{names: 0.5}},
		{"two other names", "On Monday the firm Orbix hired Cleo Wick for 30 days in Graz.", found{names: 2.0 / 3}},
		{"another number", "On Monday the firm Orbix hired Ana Berg for 14 days in Graz.", found{numbers: 0.5}},
		{"the number in words", "On Monday the firm Orbix hired Ana Berg for thirty days in Graz.", found{}},
		{"a name left out", "On Monday the firm Orbix hired Ana Berg for 30 days.", found{leftNames: 0.5}},
		{"a number left out", "On Monday the firm Orbix hired Ana Berg for days in Graz.", found{leftNumbers: 0.5}},
		{"negated", "On Monday the firm Orbix never hired Ana Berg for 30 days in Graz.", found{denied: 1}},
		{"the opposite verb", "On Monday the firm Orbix fired Ana Berg for 30 days in Graz.", found{denied: 1}},
	} {
		for _, order := range [][2]string{{text, c.other}, {c.other, text}} {
			e := evidence(t, order[0], order[1])
			got := found{e.ExchangedNames, e.ExchangedNumbers, e.LeftOutNames, e.LeftOutNumbers, e.Denied}
			for _, f := range []*float64{&got.names, &got.numbers, &got.leftNames, &got.leftNumbers, &got.denied} {
				*f = math.Round(*f*1e4) / 1e4
			}
			c.want.names = math.Round(c.want.names*1e4) / 1e4
			if got != c.want {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
		}
	}
	moved := evidence(t, "The firm Orbix sued the firm Acme.", "The firm Acme sued the firm Orbix.")
	if moved.Reordered < 0.5 || moved.Content != 1 || moved.WeakestBoth < 0.99 {
		t.Errorf("exchanged places: %+v", moved)
	}
	if e := evidence(t, text, text+" It rained."); !(e.WeakestEither < e.WeakestBoth) {
		t.Errorf("added words: %+v", e)
	}
}

// All evidence is in [0,1] and the same in either order, and so is the score, whatever the
// texts are.
func TestEvidenceIsBoundedAndSymmetric(t *testing.T) {
	long := strings.Repeat("Ana hired Bo in Graz. ", 1000)
	texts := []string{
		"Ana hired Bo.", "ANA HIRED BO.", "42", "Yes.", "—", "\x00\x01", "Анна наняла Бориса.", "安娜雇用了博。", "x", strings.Repeat("x", 1<<16), long, long + "No.",
		"5% of 1,000 is 50; not $5.", "e\u0301 \u200d \U0001F600",
	}
	s := evidenceScorer(t, s3kg.FittedTexts())
	for i, a := range texts {
		for _, b := range []string{a, texts[(i+1)%len(texts)], texts[(i+4)%len(texts)]} {
			x, err := s.CompareTexts(t.Context(), a, b)
			if err != nil {
				t.Fatal(err)
			}
			y, err := s.CompareTexts(t.Context(), b, a)
			if err != nil {
				t.Fatal(err)
			}
			if !(x.Score >= 0 && x.Score <= 1) || x.Score != y.Score || !reflect.DeepEqual(x.Evidence, y.Evidence) {
				t.Errorf("%.20q, %.20q: %v %+v, the other way %v %+v", a, b, x.Score, x.Evidence, y.Score, y.Evidence)
			}
			if (a == b) != (x.Score == 1) && !strings.EqualFold(a, b) {
				t.Errorf("%.20q, %.20q: %v", a, b, x.Score)
			}
			v := reflect.ValueOf(*x.Evidence)
			for i := range v.NumField() {
				if f := v.Field(i).Float(); !(f >= 0 && f <= 1) {
					t.Errorf("%.20q, %.20q: %s is %v", a, b, v.Type().Field(i).Name, f)
				}
			}
		}
	}
}

func TestTextModel(t *testing.T) {
	m := s3kg.TextModel{Bias: -1, Weights: s3kg.Evidence{Cosine: 2, Denied: -3}}
	for _, c := range []struct {
		e    s3kg.Evidence
		want float64
	}{
		{s3kg.Evidence{}, 1 / (1 + math.E)},
		{s3kg.Evidence{Cosine: 1}, 1 / (1 + 1/math.E)},
		{s3kg.Evidence{Cosine: 1, Denied: 1, Words: 1}, 1 / (1 + math.Exp(2))},
	} {
		if got := m.Score(c.e); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %v, want %v", c.e, got, c.want)
		}
	}
	huge := s3kg.TextModel{Bias: 1e300}
	if got := huge.Score(s3kg.Evidence{}); !(got > 0 && got < 1) {
		t.Errorf("%v", got)
	}
	var option *s3kg.OptionError
	for name, o := range map[string]s3kg.Options{
		"not a number":          {Texts: &s3kg.TextModel{Bias: math.NaN()}},
		"infinite":              {Texts: &s3kg.TextModel{Weights: s3kg.Evidence{Words: math.Inf(1)}}},
		"tokens without any":    {Texts: &s3kg.TextModel{Weights: s3kg.Evidence{Tokens: 1}}},
		"weakest without any":   {Texts: &s3kg.TextModel{Weights: s3kg.Evidence{WeakestBoth: 1}}},
		"beside Whole":          {Texts: &m, Whole: 0.5},
		"the fitted ones, bare": {Texts: new(s3kg.FittedTexts())},
	} {
		o.Embedder = hashed.New()
		if _, err := s3kg.New(o); !errors.As(err, &option) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
