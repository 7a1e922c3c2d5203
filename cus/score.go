package cus

import (
	"context"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

// Options say which numbers of the comparisons the score is made of. The zero value is
// the default.
type Options struct {
	// Gold is the form of GoldSim. Empty means s3kg.F1: what the answer lacks costs, and so
	// does what it adds. With s3kg.Cover only what the answer adds or changes does: it is
	// how well the gold answer covers the answer.
	Gold s3kg.Form
	// Context is the form of CtxSim. Empty means s3kg.Cover, how well the context covers
	// the answer: an answer need not repeat its whole context.
	Context s3kg.Form
}

// Paper returns the options of the paper: Cover for both, so that an answer that holds
// one fact of the gold answer and leaves out the rest has the GoldSim 1.
func Paper() Options { return Options{Gold: s3kg.Cover, Context: s3kg.Cover} }

// Item is a model's answer with what it is held against, as graphs. A nil graph is an
// empty one.
type Item struct {
	ID string
	// Group names what items share that are not independent, such as their context; see
	// Summarize. Empty means that the item stands alone.
	Group                 string
	Answer, Gold, Context *kg.Graph
}

// Score is an item's score with the parts it is made of, each in [0,1].
type Score struct {
	ID, Group            string
	CUS, GoldSim, CtxSim float64

	// Degenerate names what has nothing to compare, or is empty. The numbers are then
	// s3kg's conventions (1 for two empty graphs, else 0) and enter no mean.
	Degenerate Side
	// Fallback says that texts were compared as whole sentences in one comparison at
	// least; see s3kg.Result.
	Fallback bool
	// Method names what compared the graphs.
	Method string
	// Err is why the item has no score; the numbers are then 0 and enter no mean.
	Err error
}

// Side is a graph of an item.
type Side string

// The sides, in the order in which they are looked at.
const (
	// Answer: the answer states nothing, as "I don't know".
	Answer  Side = "answer"
	Gold    Side = "gold"
	Context Side = "context"
)

// Counted reports whether the score enters means.
func (s Score) Counted() bool { return s.Err == nil && s.Degenerate == "" }

// Of returns the score of comparisons that were made already: gold is
// Score(answer, gold answer), ctx is Score(answer, context), or CompareTexts in the same
// order. It sets no ID. An unknown form means s3kg.F1.
func Of(gold, ctx s3kg.Result, o Options) Score {
	s := Score{
		GoldSim:  number(gold, o.Gold, s3kg.F1),
		CtxSim:   number(ctx, o.Context, s3kg.Cover),
		Fallback: gold.Fallback || ctx.Fallback,
		Method:   gold.Method,
	}
	if sum := s.GoldSim + s.CtxSim; s.GoldSim > 0 && s.CtxSim > 0 {
		s.CUS = min(1, 2*s.GoldSim*s.CtxSim/sum)
	}
	switch {
	case !gold.Degenerate && !ctx.Degenerate:
	case gold.Degenerate && ctx.Degenerate && gold.A.Len() == 0:
		s.Degenerate = Answer
	case gold.Degenerate:
		s.Degenerate = Gold
	default:
		s.Degenerate = Context
	}
	return s
}

func number(r s3kg.Result, form, fallback s3kg.Form) float64 {
	if form == "" {
		form = fallback
	}
	if form == s3kg.Cover {
		return r.AB.Score
	}
	return r.F1.Score
}

// Evaluate scores items with s; the scorer's form does not matter. Each distinct label is
// embedded once, in one call. If that call fails, items are scored one by one, and those
// that fail have Err: a *kg.LabelError for a label that is not UTF-8, or a
// *s3kg.EmbedError. Scores are in the order of items. The returned error is the
// context's, and ends it at once.
func Evaluate(ctx context.Context, s *s3kg.Scorer, items []Item, o Options) ([]Score, error) {
	pairs := make([]s3kg.Pair, 0, 2*len(items))
	for _, it := range items {
		pairs = append(pairs, s3kg.Pair{A: it.Answer, B: it.Gold}, s3kg.Pair{A: it.Answer, B: it.Context})
	}
	results, err := s.ScoreAll(ctx, pairs)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out := make([]Score, len(items))
	for i, it := range items {
		if err == nil {
			out[i] = Of(results[2*i], results[2*i+1], o)
		} else if two, failed := s.ScoreAll(ctx, pairs[2*i:2*i+2]); failed == nil {
			out[i] = Of(two[0], two[1], o)
		} else if ctx.Err() != nil {
			return nil, ctx.Err()
		} else {
			out[i] = Score{Err: failed}
		}
		out[i].ID, out[i].Group = it.ID, it.Group
	}
	return out, nil
}
