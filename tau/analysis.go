package tau

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

// Item is an answer's graph with what it is held against.
type Item struct {
	ID     string
	Answer *kg.Graph
	// Gold is the graph of the gold answer, Context that of the context; nil for none,
	// while an empty graph is one that states nothing.
	Gold, Context *kg.Graph
}

// Reading says what an answer's fact is, seen beside the gold answer and the context.
type Reading string

// The readings. Where an item has only one of the two references, the other is taken to
// have nothing.
const (
	// Confirmed: gold answer and context have it.
	Confirmed Reading = "confirmed"
	// GoldOnly: the gold answer has it, the context does not.
	GoldOnly Reading = "gold answer only"
	// ContextOnly: the context has it, the gold answer does not, or says otherwise.
	ContextOnly Reading = "context only"
	// Drifted: one of the two says it otherwise, and neither has it.
	Drifted Reading = "drift"
	// Added: neither has anything for it.
	Added Reading = "addition"
)

// Readings returns all readings, in a fixed order.
func Readings() []Reading { return []Reading{Confirmed, GoldOnly, ContextOnly, Drifted, Added} }

// Fact is a fact of the answer, seen beside both references.
type Fact struct {
	Triple  kg.Triple
	Reading Reading
	// Gold and Context are the findings that hold it; nil where the item has no such
	// reference.
	Gold, Context *Finding
}

// Omitted is a fact of the gold answer that the answer does not state.
type Omitted struct {
	Triple kg.Triple
	// InContext says that the context has it, so that it could have been said.
	InContext bool
}

// Analysis is an item's answer beside its references.
type Analysis struct {
	ID string
	// Gold is the report against the gold answer, Context that against the context; nil
	// where the item has none. What is missing against the context is no fault of an
	// answer: it need not repeat everything.
	Gold, Context *Report
	// Facts are the answer's triples in order.
	Facts []Fact
	// Omissions are in the order of the gold answer.
	Omissions []Omitted
	// Err is why this item could not be compared; everything else is then empty.
	Err error
}

// Analyze compares the answers of many items with their references. Each distinct label
// is embedded once, in one call. If that call fails, items are compared one by one, and
// those that fail have Err: a *kg.LabelError for a label that is not UTF-8, or a
// *s3kg.EmbedError. The returned error is the context's, and ends it at once.
func Analyze(ctx context.Context, s *s3kg.Scorer, items []Item) ([]Analysis, error) {
	var pairs []s3kg.Pair
	for _, it := range items {
		pairs = append(pairs, it.pairs()...)
	}
	out := make([]Analysis, len(items))
	results, err := s.ScoreAll(ctx, pairs)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i, it := range items {
		mine := it.pairs()
		var some []s3kg.Result
		var failed error
		if err == nil {
			some, results = results[:len(mine)], results[len(mine):]
		} else {
			some, failed = s.ScoreAll(ctx, mine)
		}
		if failed == nil {
			out[i], failed = it.analysis(ctx, some)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if failed != nil {
			out[i] = Analysis{ID: it.ID, Err: failed}
		}
	}
	return out, nil
}

// pairs are the comparisons that an item needs: of gold and answer, context and answer,
// gold and context.
func (it Item) pairs() []s3kg.Pair {
	var out []s3kg.Pair
	if it.Gold != nil {
		out = append(out, s3kg.Pair{A: it.Gold, B: it.Answer})
	}
	if it.Context != nil {
		out = append(out, s3kg.Pair{A: it.Context, B: it.Answer})
	}
	if it.Gold != nil && it.Context != nil {
		out = append(out, s3kg.Pair{A: it.Gold, B: it.Context})
	}
	return out
}

// analysis reads the results of pairs.
func (it Item) analysis(ctx context.Context, results []s3kg.Result) (Analysis, error) {
	out := Analysis{ID: it.ID}
	inContext := map[kg.Triple]bool{}
	reports := make([]Report, len(results))
	for i, r := range results {
		var err error
		if reports[i], err = Of(ctx, r); err != nil {
			return Analysis{}, err
		}
	}
	if it.Gold != nil {
		out.Gold, reports = &reports[0], reports[1:]
	}
	if it.Context != nil {
		out.Context, reports = &reports[0], reports[1:]
	}
	if len(reports) > 0 {
		for _, f := range reports[0].Findings {
			inContext[f.Reference] = f.Class == Aligned
		}
	}
	gold, context := findings(out.Gold), findings(out.Context)
	for t := range it.Answer.Triples() {
		f := Fact{Triple: t, Gold: gold(t), Context: context(t)}
		f.Reading = reading(f.Gold, f.Context)
		out.Facts = append(out.Facts, f)
	}
	if out.Gold != nil {
		for _, f := range out.Gold.Findings {
			if f.Class == Missing {
				out.Omissions = append(out.Omissions, Omitted{f.Reference, inContext[f.Reference]})
			}
		}
	}
	return out, nil
}

// findings returns a look-up of the finding that holds a triple of the answer, or one
// that says the same fact.
func findings(r *Report) func(kg.Triple) *Finding {
	if r == nil {
		return func(kg.Triple) *Finding { return nil }
	}
	n := &kg.Normalizer{}
	exact, normal := map[kg.Triple]*Finding{}, map[kg.Triple]*Finding{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Class == Missing {
			continue
		}
		if exact[f.Answer] == nil {
			exact[f.Answer] = f
		}
		if k := n.Triple(f.Answer); normal[k] == nil {
			normal[k] = f
		}
	}
	return func(t kg.Triple) *Finding {
		if f := exact[t]; f != nil {
			return f
		}
		if f := normal[n.Triple(t)]; f != nil {
			return f
		}
		return &Finding{Class: Extra, Answer: t}
	}
}

func reading(gold, context *Finding) Reading {
	has := func(f *Finding) bool { return f != nil && f.Class == Aligned }
	drifts := func(f *Finding) bool { return f != nil && f.Class.Kind() == Drift }
	switch {
	case has(gold) && has(context):
		return Confirmed
	case has(gold):
		return GoldOnly
	case has(context):
		return ContextOnly
	case drifts(gold), drifts(context):
		return Drifted
	}
	return Added
}

// Lowest returns the given share of items, those with the lowest scores, lowest first;
// equal scores stay in order. The paper looks at the lowest 5% (a share of 0.05) by
// GoldSim and by CtxSim. Items without a score (ok false) are left out; of the others at
// least one is returned if share is above 0. A share over 1 means all.
func Lowest[T any](items []T, share float64, score func(T) (value float64, ok bool)) []T {
	type scored struct {
		item  T
		value float64
	}
	var all []scored
	for _, it := range items {
		if v, ok := score(it); ok && !math.IsNaN(v) {
			all = append(all, scored{it, v})
		}
	}
	if !(share > 0) || len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.value, b.value) })
	// Rounded up, but not for what only rounding of the product adds.
	n := int(math.Ceil(min(share, 1)*float64(len(all)) - 1e-9))
	out := make([]T, 0, max(1, n))
	for _, s := range all[:max(1, n)] {
		out = append(out, s.item)
	}
	return out
}
