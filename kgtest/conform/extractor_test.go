package conform

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// goodExtractor takes the first and last word of a text for a fact.
type goodExtractor struct{}

func (goodExtractor) ID() string { return "first and last word, version 1" }

func (goodExtractor) one(text kg.Text) kg.Extraction {
	e := kg.Extraction{TextID: text.ID}
	words := strings.Fields(strings.ToValidUTF8(text.Text, ""))
	if len(words) < 3 {
		return e
	}
	start := strings.Index(text.Text, words[0])
	if start < 0 {
		return e
	}
	e.Statements = []kg.Statement{{
		Triple: kg.Triple{Head: words[0], Relation: words[1], Tail: words[len(words)-1]},
		Spans:  []segment.Span{{Start: start, End: start + len(words[0])}},
	}}
	return e
}

func (x goodExtractor) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	var out []kg.Extraction
	for _, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("extract: %w", err)
		}
		out = append(out, x.one(t))
	}
	return out, nil
}

// extractorFunc is goodExtractor with another Extract.
type extractorFunc func(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error)

func (extractorFunc) ID() string { return "func" }

func (f extractorFunc) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	return f(ctx, texts)
}

type extractorWithID struct {
	goodExtractor
	id func() string
}

func (x extractorWithID) ID() string { return x.id() }

// tamper is goodExtractor with its results changed.
func tamper(change func(texts []kg.Text, out []kg.Extraction) []kg.Extraction) func() kg.Extractor {
	return func() kg.Extractor {
		return extractorFunc(func(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
			out, err := goodExtractor{}.Extract(ctx, texts)
			if err != nil {
				return nil, err
			}
			return change(texts, out), nil
		})
	}
}

// tamperEach changes each statement.
func tamperEach(change func(text string, s *kg.Statement)) func() kg.Extractor {
	return tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
		for i := range out {
			for k := range out[i].Statements {
				change(texts[i].Text, &out[i].Statements[k])
			}
		}
		return out
	})
}

func TestExtractorSuitePassesAGoodOne(t *testing.T) {
	checkPasses(t, extractorRules, quick(true), func() kg.Extractor { return goodExtractor{} })
	Extractor(t, func() kg.Extractor { return goodExtractor{} }, MaxText(10_000))
}

func TestExtractorSuiteCatches(t *testing.T) {
	const spans = "spans lie in their text, on rune borders, and confidences in [0,1]"
	counter := func() func() string {
		var n atomic.Int64
		return func() string { return fmt.Sprint(n.Add(1)) }
	}
	perInstance := counter()
	stop := make(chan struct{})
	defer close(stop)
	checkCatches(t, extractorRules, quick(true), []broken[kg.Extractor]{
		{"empty ID", func() kg.Extractor { return extractorWithID{id: func() string { return " " }} },
			"the ID is not empty and does not change", "want a name"},
		{"ID that counts", func() kg.Extractor { return extractorWithID{id: counter()} },
			"the ID is not empty and does not change", "after use"},
		{"ID of the instance", func() kg.Extractor {
			id := perInstance()
			return extractorWithID{id: func() string { return id }}
		}, "the ID is not empty and does not change", "a second one"},
		{"empty texts left out", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction { return out[:max(0, len(out)-1)] }),
			"one extraction for each text, in order", "75 extractions"},
		{"order of IDs", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			out[0], out[1] = out[1], out[0]
			return out
		}), "one extraction for each text, in order", "TextID"},
		{"error for no texts", func() kg.Extractor {
			return extractorFunc(func(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
				if len(texts) == 0 {
					return nil, errors.New("nothing to do")
				}
				return goodExtractor{}.Extract(ctx, texts)
			})
		}, "no texts give no extractions", "nothing to do"},
		{"panic for no texts", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			_ = texts[0]
			return out
		}), "no texts give no extractions", "panic"},
		{"error for a blank text", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			for i := range out {
				if strings.TrimSpace(texts[i].Text) == "" {
					out[i].Err = errors.New("blank")
				}
			}
			return out
		}), "blank texts give no statements and no error", "error blank"},
		{"statement from a blank text", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			for i := range out {
				out[i].Statements = append(out[i].Statements, kg.Statement{Triple: kg.Triple{Head: "a", Relation: "b", Tail: "c"}})
			}
			return out
		}), "blank texts give no statements and no error", "statements"},
		{"finds nothing", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			for i := range out {
				out[i].Statements = nil
			}
			return out
		}), "some plain text gives a statement", "no statement"},
		{"span behind the end", tamperEach(func(text string, s *kg.Statement) { s.Spans[0].End = len(text) + 1 }), spans, "is not in the text"},
		{"span in runes", tamperEach(func(text string, s *kg.Statement) { s.Spans[0] = segment.Span{Start: 1, End: 2} }), spans, "cuts a rune"},
		{"empty span", tamperEach(func(text string, s *kg.Statement) { s.Spans[0].End = s.Spans[0].Start }), spans, "is empty"},
		{"overlapping spans", tamperEach(func(text string, s *kg.Statement) { s.Spans = append(s.Spans, s.Spans[0]) }), spans, "overlap"},
		{"sentence backwards", tamperEach(func(text string, s *kg.Statement) { s.Sentence = segment.Span{Start: 3, End: 1} }), spans, "sentence"},
		{"label cut in bytes", tamperEach(func(text string, s *kg.Statement) { s.Triple.Head = s.Triple.Head[:1] }), spans, "not UTF-8"},
		{"confidence as logarithm", tamperEach(func(text string, s *kg.Statement) { s.Confidence = -0.3 }), spans, "confidence -0.3"},
		{"dropped out of the text", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			out[0].Dropped = []kg.Dropped{{Span: segment.Span{Start: -1}}}
			return out
		}), spans, "dropped"},
		{"statements of the neighbour", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			for i := 1; i < len(out); i++ {
				out[i].Statements = out[0].Statements
			}
			return out
		}), "unrelated texts do not disturb each other", "alone"},
		{"chance", func() kg.Extractor {
			var n atomic.Int64
			return tamperEach(func(text string, s *kg.Statement) { s.Triple.Relation = fmt.Sprint(n.Add(1)) })()
		}, "the same call gives the same result", "turn 2"},
		{"deaf to the context", func() kg.Extractor {
			return extractorFunc(func(_ context.Context, texts []kg.Text) ([]kg.Extraction, error) {
				return goodExtractor{}.Extract(context.Background(), texts)
			})
		}, "a context that has ended is an error that wraps its error", "error <nil>"},
		{"context's error as text", func() kg.Extractor {
			return extractorFunc(func(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
				out, err := goodExtractor{}.Extract(ctx, texts)
				if err != nil {
					err = errors.New(err.Error())
				}
				return out, err
			})
		}, "a context that has ended is an error that wraps its error", "want one that wraps"},
		{"partial result when cancelled", func() kg.Extractor {
			return extractorFunc(func(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
				var out []kg.Extraction
				for _, t := range texts {
					if ctx.Err() != nil {
						break
					}
					out = append(out, goodExtractor{}.one(t))
				}
				return out, nil
			})
		}, "a call ends with its context", "of 380 results and no error"},
		{"waits on", func() kg.Extractor {
			return extractorFunc(func(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
				select {
				case <-stop:
				case <-time.After(10 * time.Second):
				}
				return nil, ctx.Err()
			})
		}, "a call ends with its context", "did not return"},
		{"trims in place", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			for i := range texts {
				texts[i].Text = strings.TrimSpace(texts[i].Text)
			}
			return out
		}), "texts are not changed", "was changed"},
		{"appends in place", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			_ = append(texts, kg.Text{ID: "end"})
			return out
		}), "texts are not changed", "was changed"},
		{"panic for bad UTF-8", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			for _, t := range texts {
				if strings.ToValidUTF8(t.Text, "") != t.Text {
					panic("not UTF-8")
				}
			}
			return out
		}), "odd texts neither break the call nor each other", "panic: not UTF-8"},
		{"whole call fails for NUL", func() kg.Extractor {
			return extractorFunc(func(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
				for _, t := range texts {
					if strings.Contains(t.Text, "\x00") {
						return nil, errors.New("NUL")
					}
				}
				return goodExtractor{}.Extract(ctx, texts)
			})
		}, "odd texts neither break the call nor each other", "NUL"},
		{"other scripts refused", tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
			for i, t := range texts {
				if strings.HasPrefix(t.Text, "玛") {
					out[i].Err = errors.New("not English")
				}
			}
			return out
		}), "odd texts neither break the call nor each other", "Chinese: error not English"},
		{"state between calls", func() kg.Extractor {
			var last atomic.Pointer[[]kg.Text]
			return extractorFunc(func(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
				last.Store(&texts)
				time.Sleep(time.Millisecond)
				return goodExtractor{}.Extract(ctx, *last.Load())
			})
		}, "safe for concurrent use", "beside other calls"},
		{"leak", func() kg.Extractor {
			return tamper(func(texts []kg.Text, out []kg.Extraction) []kg.Extraction {
				go func() { <-stop }()
				return out
			})()
		}, "no goroutines stay behind", "goroutines behind"},
		{"leak when cancelled", func() kg.Extractor {
			return extractorFunc(func(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
				out, err := goodExtractor{}.Extract(ctx, texts)
				if err != nil {
					go func() { <-stop }()
				}
				return out, err
			})
		}, "no goroutines stay behind", "cancelling Extract"},
	})
}
