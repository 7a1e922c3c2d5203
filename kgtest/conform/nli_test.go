package conform

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// goodNLI looks for the hypothesis' words in the premise. It is an Explainer
// and a Windower.
type goodNLI struct{}

func (goodNLI) ID() string { return "words, version 1" }

func (goodNLI) Cost(text string) int { return len(strings.Fields(text)) }

func (goodNLI) Budget() int { return 512 }

func (goodNLI) one(p nli.Pair) nli.Probs {
	if strings.TrimSpace(p.Hypothesis) == "" || len(p.Premise) > 100_000 {
		return nli.Probs{Err: errors.New("cannot judge")}
	}
	words := strings.Fields(p.Hypothesis)
	found := 0
	for _, w := range words {
		if strings.Contains(p.Premise, w) {
			found++
		}
	}
	share := float64(found) / float64(len(words)+1)
	if strings.Contains(p.Premise, " not ") != strings.Contains(p.Hypothesis, " not ") {
		return nli.Probs{Contradiction: share, Neutral: 1 - share}
	}
	return nli.Probs{Entailment: share, Neutral: 1 - share}
}

func (m goodNLI) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	var out []nli.Probs
	for _, p := range pairs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("classify: %w", err)
		}
		out = append(out, m.one(p))
	}
	return out, nil
}

func (m goodNLI) Explain(ctx context.Context, p nli.Pair) (nli.Explanation, error) {
	if err := ctx.Err(); err != nil {
		return nli.Explanation{}, fmt.Errorf("explain: %w", err)
	}
	return nli.Explanation{
		Probs:    m.one(p),
		Evidence: segment.Span{End: len(p.Premise)},
		Reasons:  []nli.Reason{{Kind: nli.ReasonMissing, Hypothesis: segment.Span{End: len(p.Hypothesis)}}},
	}, nil
}

type nliFunc func(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error)

func (nliFunc) ID() string { return "func" }

func (f nliFunc) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	return f(ctx, pairs)
}

type nliWith struct {
	goodNLI
	id      string
	explain func(p nli.Pair, e *nli.Explanation)
	deaf    bool
	cost    func(text string) int
	budget  int
}

func (m nliWith) ID() string { return m.id }

func (m nliWith) Explain(ctx context.Context, p nli.Pair) (nli.Explanation, error) {
	if m.deaf {
		ctx = context.Background()
	}
	e, err := m.goodNLI.Explain(ctx, p)
	if m.explain != nil {
		m.explain(p, &e)
	}
	return e, err
}

func (m nliWith) Cost(text string) int {
	if m.cost != nil {
		return m.cost(text)
	}
	return m.goodNLI.Cost(text)
}

func (m nliWith) Budget() int { return m.budget }

// shortsighted says that it reads 512 words, and reads 40.
type shortsighted struct{ nliWith }

func (m shortsighted) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	short := slices.Clone(pairs)
	for i := range short {
		words := strings.Fields(short[i].Premise)
		short[i].Premise = strings.Join(words[:min(len(words), 40)], " ")
	}
	return m.nliWith.Classify(ctx, short)
}

// skew is goodNLI with its results changed.
func skew(change func(pairs []nli.Pair, out []nli.Probs) []nli.Probs) func() nli.Model {
	return func() nli.Model {
		return nliFunc(func(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
			out, err := goodNLI{}.Classify(ctx, pairs)
			if err != nil {
				return nil, err
			}
			return change(pairs, out), nil
		})
	}
}

func explainWrong(change func(p nli.Pair, e *nli.Explanation)) func() nli.Model {
	return func() nli.Model { return nliWith{id: "x", budget: 1, explain: change} }
}

func TestNLISuitePassesAGoodOne(t *testing.T) {
	checkPasses(t, nliRules, quick(true), func() nli.Model { return goodNLI{} })
	NLI(t, func() nli.Model { return goodNLI{} }, MaxText(50_000))
}

func TestNLISuiteCatches(t *testing.T) {
	const probs = "probabilities are in [0,1] and sum to 1"
	const alone = "a result does not depend on the other pairs or its position"
	const explains = "an explanation agrees with the classification"
	const odd = "odd texts neither break the call nor each other"
	const ended = "a context that has ended is an error that wraps its error"
	stop := make(chan struct{})
	defer close(stop)
	checkCatches(t, nliRules, quick(true), []broken[nli.Model]{
		{"no ID", func() nli.Model { return nliWith{} }, "the ID is not empty and does not change", "want a name"},
		{"panic for no pairs", skew(func(pairs []nli.Pair, out []nli.Probs) []nli.Probs {
			_ = pairs[0]
			return out
		}), "no pairs give no results", "panic"},
		{"logits", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			for i := range out {
				out[i].Neutral -= 3
			}
			return out
		}), probs, "is not in [0,1]"},
		{"sigmoids", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			for i := range out {
				out[i] = nli.Probs{Entailment: 0.9, Neutral: 0.9, Contradiction: 0.1}
			}
			return out
		}), probs, "sum to 1.9"},
		{"NaN", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			out[2].Entailment = math.NaN()
			return out
		}), probs, "NaN is not in [0,1]"},
		{"support from a failure", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			out[1] = nli.Probs{Entailment: 1, Err: errors.New("timeout")}
			return out
		}), probs, "and yet gives"},
		{"every pair fails", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			for i := range out {
				out[i] = nli.Probs{Err: errors.New("no model")}
			}
			return out
		}), probs, "no model"},
		{"fewer results", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs { return out[:max(0, len(out)-1)] }), probs, "results"},
		{"order", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			if len(out) > 2 {
				out[0], out[1] = out[1], out[0]
			}
			return out
		}), alone, "when the call is reversed"},
		{"scaled by batch", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			for i := range out {
				out[i].Entailment /= float64(len(out))
				out[i].Neutral = 1 - out[i].Entailment - out[i].Contradiction
			}
			return out
		}), alone, "and alone"},
		{"chance", func() nli.Model {
			var n atomic.Int64
			return skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
				for i := range out {
					x := 1 / float64(1+n.Add(1))
					out[i] = nli.Probs{Entailment: x, Neutral: 1 - x}
				}
				return out
			})()
		}, "the same call gives the same result", "in turn 2"},
		{"always neutral", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			for i := range out {
				out[i] = nli.Probs{Neutral: 1}
			}
			return out
		}), "different pairs are told apart", "all give"},
		{"labels exchanged", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			for i := range out {
				out[i].Entailment, out[i].Contradiction = out[i].Contradiction, out[i].Entailment
			}
			return out
		}), "plain pairs are judged the right way round", "entails itself"},
		{"deaf to not", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			for i := range out {
				out[i].Entailment, out[i].Contradiction = out[i].Entailment+out[i].Contradiction, 0
			}
			return out
		}), "plain pairs are judged the right way round", "contradicts"},
		{"everything follows from nothing", skew(func(pairs []nli.Pair, out []nli.Probs) []nli.Probs {
			for i, p := range pairs {
				if strings.TrimSpace(p.Premise) == "" {
					out[i] = nli.Probs{Entailment: 1}
				}
			}
			return out
		}), "nothing is supported by an empty premise", "supports"},
		{"cuts the premise", func() nli.Model {
			return nliFunc(func(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
				short := slices.Clone(pairs)
				for i := range short {
					short[i].Premise = short[i].Premise[:min(len(short[i].Premise), 2000)]
				}
				return goodNLI{}.Classify(ctx, short)
			})
		}, "the end of a long premise is read", "the last sentence"},
		{"a budget that it does not read", func() nli.Model { return shortsighted{nliWith{id: "x", budget: 512}} }, "the end of a long premise is read", "the last sentence"},
		{"deaf to the context", func() nli.Model {
			return nliFunc(func(_ context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
				return goodNLI{}.Classify(context.Background(), pairs)
			})
		}, ended, "error <nil>"},
		{"Explain deaf to the context", func() nli.Model { return nliWith{id: "x", budget: 9, deaf: true} }, ended, "Explain: error <nil>"},
		{"zeros when cancelled", func() nli.Model {
			return nliFunc(func(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
				out := make([]nli.Probs, len(pairs))
				for i, p := range pairs {
					if ctx.Err() != nil {
						break
					}
					out[i] = goodNLI{}.one(p)
				}
				return out, nil
			})
		}, "a call ends with its context", "no error"},
		{"sorts in place", skew(func(pairs []nli.Pair, out []nli.Probs) []nli.Probs {
			slices.SortFunc(pairs, func(a, b nli.Pair) int { return len(a.Premise) - len(b.Premise) })
			return out
		}), "pairs are not changed", "was changed"},
		{"blank hypothesis divided by its words", skew(func(pairs []nli.Pair, out []nli.Probs) []nli.Probs {
			for i, p := range pairs {
				if strings.TrimSpace(p.Hypothesis) == "" {
					out[i] = nli.Probs{Entailment: math.NaN()}
				}
			}
			return out
		}), odd, "NaN"},
		{"one bad pair fails all", func() nli.Model {
			return nliFunc(func(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
				for _, p := range pairs {
					if strings.ToValidUTF8(p.Premise, "") != p.Premise {
						return nil, errors.New("not UTF-8")
					}
				}
				return goodNLI{}.Classify(ctx, pairs)
			})
		}, odd, "the whole call fails"},
		{"padded to the longest", skew(func(pairs []nli.Pair, out []nli.Probs) []nli.Probs {
			for i := range out {
				if len(pairs[0].Premise) > 2000 && out[i].Err == nil {
					out[i] = nli.Probs{Neutral: 1}
				}
			}
			return out
		}), odd, "the pair beside it"},
		{"explains another result", explainWrong(func(_ nli.Pair, e *nli.Explanation) {
			e.Probs = nli.Probs{Contradiction: 1}
		}), explains, "Explain gives"},
		{"evidence out of the premise", explainWrong(func(p nli.Pair, e *nli.Explanation) { e.Evidence.End++ }), explains, "is not in the text"},
		{"evidence in runes", explainWrong(func(p nli.Pair, e *nli.Explanation) { e.Evidence = segment.Span{End: min(1, len(p.Premise))} }), explains, "cuts a rune"},
		{"reason out of the hypothesis", explainWrong(func(p nli.Pair, e *nli.Explanation) {
			e.Reasons[0].Hypothesis.End = len(p.Hypothesis) + 9
		}), explains, "reason 0, hypothesis"},
		{"reason without kind", explainWrong(func(_ nli.Pair, e *nli.Explanation) { e.Reasons[0].Kind = "" }), explains, "has no kind"},
		{"missing, but where", explainWrong(func(p nli.Pair, e *nli.Explanation) {
			e.Reasons[0].Premise.End = len(p.Premise)
		}), explains, "missing, and yet"},
		{"no budget", func() nli.Model { return nliWith{id: "x"} }, "costs and budget are usable", "the budget is 0"},
		{"Chinese is free", func() nli.Model {
			return nliWith{id: "x", budget: 99, cost: func(text string) int { return strings.Count(text, " ") }}
		}, "costs and budget are usable", "Chinese costs nothing"},
		{"cost below nothing", func() nli.Model {
			return nliWith{id: "x", budget: 99, cost: func(text string) int { return len(text) - 2 }}
		}, "costs and budget are usable", "empty costs -2"},
		{"state between calls", func() nli.Model {
			var last atomic.Pointer[[]nli.Pair]
			return nliFunc(func(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
				last.Store(&pairs)
				time.Sleep(time.Millisecond)
				return goodNLI{}.Classify(ctx, *last.Load())
			})
		}, "safe for concurrent use", "beside other calls"},
		{"leak", skew(func(_ []nli.Pair, out []nli.Probs) []nli.Probs {
			go func() { <-stop }()
			return out
		}), "no goroutines stay behind", "goroutines behind"},
	})
}
