package s3kg_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

// threeWords makes a triple of each sentence of three words.
type threeWords struct {
	err       error  // of the call
	failOn    string // a text that fails on its own
	truncated bool
	short     bool // one extraction too few
}

func (threeWords) ID() string { return "three-words" }

func (x threeWords) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if x.err != nil {
		return nil, x.err
	}
	var out []kg.Extraction
	for _, t := range texts {
		e := kg.Extraction{TextID: t.ID, Truncated: x.truncated}
		if t.Text == x.failOn && x.failOn != "" {
			e.Err = errors.New("unreadable")
		}
		for s := range strings.SplitSeq(t.Text, ".") {
			if w := strings.Fields(s); len(w) == 3 {
				e.Statements = append(e.Statements, kg.Statement{Triple: kg.Triple{Head: w[0], Relation: w[1], Tail: w[2]}})
			}
		}
		out = append(out, e)
	}
	if x.short {
		out = out[1:]
	}
	return out, nil
}

func TestCompareTexts(t *testing.T) {
	s := scorer(t, s3kg.Options{Extractor: threeWords{}})
	for _, c := range []struct {
		a, b                 string
		lo, hi               float64
		fallback, degenerate bool
	}{
		{"Lena leads Orbix.", "Lena leads Orbix.", 1, 1, false, false},
		{"Lena leads Orbix.", "Lena led Orbix.", 0.3, 1, false, false},
		{"Lena leads Orbix.", "Orbix leads Lena.", 0, 0.3, false, false},
		{"柿子", "柿子", 1, 1, true, false},
		{"42", "42", 1, 1, true, false},
		{"42", "42 ", 1, 1, true, false},
		{"Yes", "yes", 1, 1, true, false},
		{"Yes", "No", 0, 0, true, false},
		{"42", "43", 0, 0, true, false},
		{"It did not rain", "It did rain", 0, 0, true, false},
		{"the quick fox jumps over it", "a quick fox jumped over it", 0.8, 1, true, false},
		{"the quick fox jumps over it", "Lena leads Orbix.", 0, 0.3, true, false},
		{"", "", 1, 1, true, true},
		{" ", "\n", 1, 1, true, true},
		{"", "Yes", 0, 0, true, true},
		{"", "Lena leads Orbix.", 0, 0, true, true},
		{"?!", "?!", 1, 1, true, false},
	} {
		r, err := s.CompareTexts(t.Context(), c.a, c.b)
		if err != nil {
			t.Errorf("%q, %q: %v", c.a, c.b, err)
			continue
		}
		if r.Score < c.lo || r.Score > c.hi || r.Fallback != c.fallback || r.Degenerate != c.degenerate {
			t.Errorf("%q, %q: score %v, fallback %v, degenerate %v", c.a, c.b, r.Score, r.Fallback, r.Degenerate)
		}
		back, err := s.CompareTexts(t.Context(), c.b, c.a)
		if err != nil || back.Score != r.Score {
			t.Errorf("%q, %q: %v and %v the other way round, %v", c.a, c.b, r.Score, back.Score, err)
		}
		if r.Fallback && (r.Structure != r.Score || r.Meaning != r.Score) {
			t.Errorf("%q, %q: parts %v and %v of a fallback of %v", c.a, c.b, r.Structure, r.Meaning, r.Score)
		}
		if r.A == nil || r.B == nil || len(r.Matches) != r.A.Len() {
			t.Errorf("%q, %q: graphs %v and %v, matches %v", c.a, c.b, r.A, r.B, r.Matches)
		}
	}
}

func TestCompareTextsErrors(t *testing.T) {
	compare := func(x kg.Extractor) error {
		_, err := scorer(t, s3kg.Options{Extractor: x}).CompareTexts(t.Context(), "Lena leads Orbix.", "Kai leads Acme.")
		return err
	}
	if err := compare(nil); !errors.Is(err, s3kg.ErrNoExtractor) {
		t.Errorf("no extractor: %v", err)
	}
	cause := errors.New("model gone")
	var x *s3kg.ExtractError
	if err := compare(threeWords{err: cause}); !errors.As(err, &x) || x.Text != "" || !errors.Is(err, cause) {
		t.Errorf("failing extractor: %v", err)
	}
	if err := compare(threeWords{failOn: "Kai leads Acme."}); !errors.As(err, &x) || x.Text != "b" {
		t.Errorf("failing text: %v", err)
	}
	if err := compare(threeWords{short: true}); !errors.As(err, &x) {
		t.Errorf("an extraction too few: %v", err)
	}
	_, err := scorer(t, s3kg.Options{Extractor: threeWords{}, Embedder: broken{err: cause}}).CompareTexts(t.Context(), "apple", "pear")
	if e := new(s3kg.EmbedError); !errors.As(err, &e) || !errors.Is(err, cause) {
		t.Errorf("failing embedder: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := scorer(t, s3kg.Options{Extractor: threeWords{}}).CompareTexts(ctx, "one", "two"); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCompareTextsTruncated(t *testing.T) {
	r, err := scorer(t, s3kg.Options{Extractor: threeWords{truncated: true}}).CompareTexts(t.Context(), "Lena leads Orbix.", "Lena leads Acme.")
	if err != nil || !r.Truncated || !strings.HasSuffix(r.Method, " three-words") {
		t.Errorf("truncated %v, method %q, %v", r.Truncated, r.Method, err)
	}
}

func ExampleScorer_CompareTexts() {
	s, err := s3kg.New(s3kg.Options{Embedder: hashed.New(), Extractor: threeWords{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"Lena manages Orbix.", "Orbix manages Lena.", "Lena managed Orbix."} {
		r, err := s.CompareTexts(context.Background(), "Lena manages Orbix.", text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.2f %s\n", r.Score, text)
	}
	// Output:
	// 1.00 Lena manages Orbix.
	// 0.25 Orbix manages Lena.
	// 1.00 Lena managed Orbix.
}
