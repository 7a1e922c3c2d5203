package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/cus"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
	"github.com/kgeval/kgeval/segment"
	"github.com/kgeval/kgeval/tau"
)

// Scoring is what turns answers into scores.
type Scoring struct {
	// Extractor makes the graphs. The gold answer and each answer are read together with
	// the item's sources, in one call, so that they share their names for things; but where
	// the sources have more than 64 KB, by themselves: to read them again for every answer
	// would take longer than the name of a thing is worth.
	Extractor kg.Extractor
	// Scorer compares graphs, and texts where one gives no graph; it needs an extractor
	// and an embedder of its own.
	Scorer *s3kg.Scorer
	// Checker gives the verdicts; nil leaves them out.
	Checker *grapheval.Checker
	// CUS says which numbers of the comparisons count.
	CUS cus.Options
	// MaxAnswer bounds the bytes of an answer that is scored; 0 stands for
	// DefaultMaxAnswer. A longer one is kept and is a failure of scoring, with an
	// *AnswerLengthError: it is no answer to a question, and comparing it takes hours.
	MaxAnswer int
}

// DefaultMaxAnswer is Scoring.MaxAnswer, unless it is set.
const DefaultMaxAnswer = 64 << 10

// AnswerLengthError says that an answer is too long to be scored.
type AnswerLengthError struct{ Bytes, Most int }

func (e *AnswerLengthError) Error() string {
	return fmt.Sprintf("the answer has %d bytes, and no more than %d are scored", e.Bytes, e.Most)
}

func (s Scoring) maxAnswer() int {
	if s.MaxAnswer > 0 {
		return s.MaxAnswer
	}
	return DefaultMaxAnswer
}

// settings are those of the parts, for the header.
func (s Scoring) settings(ctx context.Context) (map[string]string, error) {
	if s.Extractor == nil || s.Scorer == nil {
		return nil, errors.New("experiment: scoring needs an extractor and a scorer")
	}
	// A comparison of nothing names its method.
	r, err := s.Scorer.Score(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	out := map[string]string{
		"scoring.extractor":  s.Extractor.ID(),
		"scoring.similarity": r.Method,
		"scoring.cus":        fmt.Sprintf("gold %s, context %s", or(s.CUS.Gold, s3kg.F1), or(s.CUS.Context, s3kg.Cover)),
		"scoring.max_answer": fmt.Sprint(s.maxAnswer()),
	}
	if s.Checker == nil {
		out["scoring.check"] = "off"
	} else {
		out["scoring.check"] = "on"
	}
	return out, nil
}

func or(a, b s3kg.Form) s3kg.Form {
	if a == "" {
		return b
	}
	return a
}

// subject is an item made ready for scoring.
type subject struct {
	Item
	context string // all sources
	checked *grapheval.Prepared
	err     error // why it cannot be scored
}

// prepare reads an item. What fails is in subject.err; the returned error is the
// context's alone.
func (s Scoring) prepare(ctx context.Context, it Item) (subject, error) {
	out := subject{Item: it}
	texts := make([]string, len(it.Sources))
	for i, x := range it.Sources {
		texts[i] = x.Text
	}
	out.context = strings.Join(texts, "\n")
	out.ContextGraph, out.err = s.graphs(ctx, it, nil)
	if out.err == nil {
		out.GoldGraph, out.err = s.graphs(ctx, it, &it.Gold)
	}
	if out.err == nil && s.Checker != nil {
		out.checked, out.err = s.Checker.Prepare(ctx, it.Sources)
	}
	return out, ctx.Err()
}

// readBeside is the most bytes of sources that an answer is read together with.
const readBeside = 64 << 10

// graphs returns the graph of a text that is read beside an item's sources, or that of
// the sources.
func (s Scoring) graphs(ctx context.Context, it Item, text *string) (*kg.Graph, error) {
	var texts []kg.Text
	size := 0
	for _, x := range it.Sources {
		texts = append(texts, kg.Text{ID: x.ID, Text: x.Text})
		size += len(x.Text)
	}
	if text != nil {
		if size > readBeside {
			texts = nil
		}
		texts = append(texts, kg.Text{ID: "answer", Text: *text})
	}
	read, err := s.Extractor.Extract(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("extractor: %w", err)
	}
	if len(read) != len(texts) {
		return nil, fmt.Errorf("extractor %s gave %d results for %d texts", s.Extractor.ID(), len(read), len(texts))
	}
	if text != nil {
		read = read[len(read)-1:]
	}
	g := kg.NewGraph()
	for _, e := range read {
		if e.Err != nil {
			return nil, fmt.Errorf("extractor, on %s: %w", e.TextID, e.Err)
		}
		for t := range e.Graph().Triples() {
			g.Add(t)
		}
	}
	return g, nil
}

// score scores an answer.
func (s Scoring) score(ctx context.Context, it subject, a Answer) (Score, error) {
	out := Score{Task: a.Task, Graph: kg.NewGraph()}
	if n := len(a.Text); n > s.maxAnswer() {
		return out, &AnswerLengthError{n, s.maxAnswer()}
	}
	if it.err != nil {
		return out, it.err
	}
	var err error
	if out.Graph, err = s.graphs(ctx, it.Item, &a.Text); err != nil {
		return out, err
	}
	if err := s.similarity(ctx, it, a.Text, &out); err != nil {
		return out, err
	}
	if out.Gold, err = s.findings(ctx, it.GoldGraph, out.Graph); err != nil {
		return out, err
	}
	if out.Context, err = s.findings(ctx, it.ContextGraph, out.Graph); err != nil {
		return out, err
	}
	out.Context = slices.DeleteFunc(out.Context, func(f tau.Finding) bool { return f.Class == tau.Missing })
	if it.checked != nil {
		r, err := it.checked.Check(ctx, it.Question, a.Text)
		if err != nil {
			return out, fmt.Errorf("check: %w", err)
		}
		r.ID = ""
		out.Check = &r
	}
	return out, nil
}

// similarity fills in CUS and its parts.
func (s Scoring) similarity(ctx context.Context, it subject, text string, out *Score) error {
	switch {
	case !states(text):
		out.Degenerate = cus.Answer
		return nil
	case !states(it.Gold):
		out.Degenerate = cus.Gold
		return nil
	case !states(it.context):
		out.Degenerate = cus.Context
		return nil
	}
	gold, err := s.compare(ctx, out.Graph, it.GoldGraph, text, it.Gold)
	if err != nil {
		return err
	}
	context, err := s.compare(ctx, out.Graph, it.ContextGraph, text, it.context)
	if err != nil {
		return err
	}
	c := cus.Of(gold, context, s.CUS)
	out.CUS, out.GoldSim, out.CtxSim = c.CUS, c.GoldSim, c.CtxSim
	out.Degenerate, out.Fallback = c.Degenerate, c.Fallback
	return nil
}

// compare compares graphs, or texts where one of them gave no graph.
func (s Scoring) compare(ctx context.Context, a, b *kg.Graph, textA, textB string) (s3kg.Result, error) {
	if a.Len() > 0 && b.Len() > 0 {
		return s.Scorer.Score(ctx, a, b)
	}
	return s.Scorer.CompareTexts(ctx, textA, textB)
}

// states reports whether a text says anything that can be compared: "I don't know" does
// not.
func states(text string) bool {
	for _, span := range segment.Sentences(text) {
		if grapheval.Checkable(span.Of(text)) {
			return true
		}
	}
	return false
}

func (s Scoring) findings(ctx context.Context, reference, answer *kg.Graph) (Findings, error) {
	if reference.Len() == 0 {
		return nil, nil
	}
	r, err := tau.Compare(ctx, s.Scorer, reference, answer)
	return r.Findings, err
}
