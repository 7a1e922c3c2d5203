package nlp

import (
	"context"
	"flag"
	"math"
	"math/rand"
	"testing"
)

var tuneWeights = flag.Bool("tune", false, "tune the weights of the references on GAP validation and print them")

// gapLoss is the mean log loss of the right candidate over the rows, where a
// pronoun that means neither name is right with any other candidate and with
// none. A loss is at most -log 0.02, so that rows in which the right candidate
// can't be reached don't outweigh the others.
func gapLoss(a *Analyzer, rows []gapRow, docs []*Document, w *weights) float64 {
	const floor = 0.02
	total := 0.0
	for i, row := range rows {
		d := docs[i]
		d.References = map[int]Reference{}
		r := newResolver(a, d, w)
		p := floor
		r.probe = func(m mention, scores map[int]float64) {
			if !d.Tokens[m.head].Span.Overlaps(row.pronoun) {
				return
			}
			all, right := math.Exp(w[weak]), 0.0
			if !row.isA && !row.isB {
				right = all
			}
			// In the order of entities: a sum of floats depends on its order.
			for e := range r.entities {
				s, ok := scores[e]
				if !ok {
					continue
				}
				isA, isB := false, false
				for _, n := range d.Names {
					if of, ok := r.byName[n.Entity]; ok && of == e {
						isA = isA || n.Span.Overlaps(row.a)
						isB = isB || n.Span.Overlaps(row.b)
					}
				}
				x := math.Exp(s)
				all += x
				if row.isA && isA || row.isB && isB || !row.isA && !row.isB && !isA && !isB {
					right += x
				}
			}
			p = max(right/all, floor)
		}
		if err := r.run(context.Background()); err != nil {
			return math.Inf(1)
		}
		total -= math.Log(p)
	}
	return total / float64(len(rows))
}

// TestTuneReferences is how the weights were found: coordinate descent from
// those that stand, on the validation rows, with a penalty for moving away.
func TestTuneReferences(t *testing.T) {
	if !*tuneWeights {
		t.Skip("go test -run TuneReferences -v ./nlp -args -tune tunes the weights, for about a minute")
	}
	a := analyzer(t)
	rows := gapRows(t, "gap-validation.tsv")
	docs := make([]*Document, len(rows))
	for i, r := range rows {
		docs[i] = analyze(t, r.text)
	}
	byHand := map[feature]bool{margin: true, weakThing: true, placeForIt: true, groupForThey: true}
	goal := func(w *weights) float64 {
		moved := 0.0
		for k := range w {
			moved += (w[k] - standard[k]) * (w[k] - standard[k])
		}
		return gapLoss(a, rows, docs, w) + 0.01*moved
	}
	w := standard
	best := goal(&w)
	t.Logf("loss %.4f", best)
	rng := rand.New(rand.NewSource(1))
	for step := 0.6; step > 0.05; {
		better := false
		for _, k := range rng.Perm(int(features)) {
			if byHand[feature(k)] {
				continue
			}
			for _, d := range []float64{-step, step} {
				v := w
				v[k] += d
				if x := goal(&v); x < best-1e-5 {
					best, w, better = x, v, true
					break
				}
			}
		}
		if !better {
			step /= 2
		}
	}
	t.Logf("with penalty %.4f, loss %.4f", best, gapLoss(a, rows, docs, &w))
	for k, x := range w {
		t.Logf("feature %d: %.2f", k, x)
	}
}
