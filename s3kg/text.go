package s3kg

import (
	"context"
	"errors"
	"strings"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// CompareTexts compares the graphs that the extractor makes of two texts.
//
// If either text gives no graph ("42", "Yes", a language that the extractor does
// not read), the texts are compared as wholes by the cosine of their embeddings
// and by the order of their words (see docs/s3kg.md), and the result is flagged
// Fallback: 1 if they are equal but for case, white space and the form of numbers,
// 0 if they conflict (see Options.Conflict) or the cosine is negative, else at
// most 0.999. A blank text has the score 0 with any other, and 1 with another
// blank one, flagged Degenerate too. Equal texts have exactly 1.
//
// With Options.Texts the score is a blend of all evidence, and Result.Evidence has it.
//
// The error is ErrNoExtractor, a *TextError for a text that is not UTF-8, an
// *ExtractError, an *EmbedError or the context's: a failure is never a score.
func (s *Scorer) CompareTexts(ctx context.Context, a, b string) (Result, error) {
	if s.opts.Extractor == nil {
		return Result{}, ErrNoExtractor
	}
	for _, t := range [...]kg.Text{{ID: "a", Text: a}, {ID: "b", Text: b}} {
		if err := segment.CheckUTF8(t.Text); err != nil {
			return Result{}, &TextError{Text: t.ID, Err: err}
		}
	}
	// One call, so that both texts share a label space; equal texts once, so
	// that they give equal graphs.
	texts := []kg.Text{{ID: "a", Text: a}, {ID: "b", Text: b}}
	if a == b {
		texts = texts[:1]
	}
	got, err := s.opts.Extractor.Extract(ctx, texts)
	if err == nil && len(got) != len(texts) {
		err = errors.New("the extractor did not return one extraction for each text")
	}
	if err != nil {
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		return Result{}, &ExtractError{Err: err}
	}
	truncated := false
	for i, e := range got {
		if e.Err != nil {
			return Result{}, &ExtractError{texts[i].ID, e.Err}
		}
		truncated = truncated || e.Truncated
	}
	ga, gb := got[0].Graph(), got[len(got)-1].Graph()
	var r Result
	if ga.Len() > 0 && gb.Len() > 0 {
		if r, err = s.Score(ctx, ga, gb); err == nil && s.opts.Whole > 0 {
			err = s.addWhole(ctx, &r, a, b)
		}
	} else {
		r, err = s.compareWhole(ctx, a, b)
		r.A, r.B = ga, gb
		for t := range ga.Triples() {
			r.Matches = append(r.Matches, Match{A: t, Class: Missing})
		}
		r.Extra = gb.Slice()
	}
	if err != nil {
		return Result{}, err
	}
	if s.opts.Texts != nil {
		if err := s.blendTexts(ctx, &r, a, b); err != nil {
			return Result{}, err
		}
	}
	r.Truncated = truncated
	r.Method += " " + s.opts.Extractor.ID()
	return r, nil
}

// addWhole blends the score of the texts as wholes into a result of their graphs.
func (s *Scorer) addWhole(ctx context.Context, r *Result, a, b string) error {
	whole, err := s.compareWhole(ctx, a, b)
	if err != nil {
		return err
	}
	r.Whole = whole.Score
	for _, p := range [...]*Parts{&r.AB, &r.BA} {
		if p.Score != r.Whole {
			p.Score = (1-s.opts.Whole)*p.Score + s.opts.Whole*r.Whole
		}
	}
	r.F1.Score = harmonic(r.AB.Score, r.BA.Score)
	r.pick(s.opts.Form)
	return nil
}

// blendTexts makes the score one of all evidence.
func (s *Scorer) blendTexts(ctx context.Context, r *Result, a, b string) error {
	if strings.TrimSpace(a) == "" || strings.TrimSpace(b) == "" {
		return nil // degenerate
	}
	e, err := s.evidence(ctx, r, a, b)
	if err != nil {
		return err
	}
	r.Evidence = &e
	score := 1.0
	if a, b := strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "); !strings.EqualFold(a, b) && s.entity(a) != s.entity(b) {
		score = s.opts.Texts.Score(e)
	}
	for _, p := range [...]*Parts{&r.AB, &r.BA, &r.F1} {
		p.Score = score
	}
	r.pick(s.opts.Form)
	return nil
}

func (s *Scorer) compareWhole(ctx context.Context, a, b string) (Result, error) {
	r := Result{Fallback: true, Method: s.method}
	wordsA, wordsB := strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " ")
	score := 0.0
	switch {
	case wordsA == "" || wordsB == "":
		r.Degenerate = true
		if wordsA == wordsB {
			score = 1
		}
	case strings.EqualFold(wordsA, wordsB), s.entity(wordsA) == s.entity(wordsB):
		score = 1
	case s.wholesConflict(wordsA, wordsB):
	default:
		vectors, err := s.embed(ctx, []string{wordsA, wordsB})
		if err != nil {
			return Result{}, err
		}
		score = max(0, round(embed.Cosine(vectors[wordsA], vectors[wordsB])*orderFactor(wordsA, wordsB)))
		// An embedder that cannot tell two texts apart is no proof of their
		// being equal.
		score = min(score, 0.999)
	}
	r.AB = Parts{score, score, score}
	r.BA, r.F1 = r.AB, r.AB
	r.pick(s.opts.Form)
	return r, ctx.Err()
}

func (s *Scorer) wholesConflict(a, b string) bool {
	if f := s.opts.Conflict; f != nil {
		return f(a, b)
	}
	return differ(readMarks(a), readMarks(b))
}

// orderFactor is what the order of their words leaves of the likeness of two texts:
// 1 if the words that they share stand in one order in both, or differ from it
// harmlessly; at most half if these are most of either text, since then somebody
// else does what is done, or other numbers stand for other things. Texts are
// read up to their first maxMarked words.
func orderFactor(a, b string) float64 {
	kept, much := reordered(newOrdering(readTokens(a)), newOrdering(readTokens(b)))
	switch {
	case kept == 1:
		return 1
	case much:
		return kept / 2
	}
	return (1 + kept) / 2
}
