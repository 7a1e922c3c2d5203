package calibrate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sort"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/metrics"
)

// Pair is two labels or facts and whether they are the same thing.
type Pair struct {
	A, B string
	Same bool
	Unit Unit
	// Group names the text that the pair is from; pairs of one group stay in one
	// half. "" makes a group of A.
	Group string
}

// EmbedOptions are the settings of EmbedModel. The zero value is sound.
type EmbedOptions struct {
	// FalseMatches is the share of different pairs, in (0,1), that may be at or
	// above the threshold; 0 means 0.01. A wrong match makes two facts one, which
	// costs more than a missed one.
	FalseMatches float64
	// Data says in words what the pairs are, for the File.
	Data string
	// Batch is how many texts are given to the embedder at a time; 0 means 256.
	Batch int
	// OnProgress is told after each batch how many texts of how many are done.
	OnProgress func(done, of int)
}

// minSame and minDifferent are the fewest pairs of a unit that tell a threshold: of
// 100 different ones 1% is one.
const (
	minSame      = 20
	minDifferent = 100
)

// EmbedModel finds the match thresholds of e, for each unit that there are pairs of:
// the least cosine, in hundredths, at which at most the share FalseMatches of the
// different pairs match. The cosines of pairs of equal texts are left out: they are
// decided without an embedder.
//
// A unit with fewer than 20 same or 100 different pairs is a *TooFewError, one with
// pairs of one label only an *OneClassError, no pairs at all a *TooFewError, and too
// many different pairs with the same vector ErrApart. An error of e is returned as it
// is.
func EmbedModel(ctx context.Context, e embed.Embedder, pairs []Pair, o EmbedOptions) (File, error) {
	if o.FalseMatches == 0 {
		o.FalseMatches = 0.01
	}
	if !(o.FalseMatches > 0 && o.FalseMatches < 1) {
		return File{}, fmt.Errorf("calibrate: the share of false matches %v is not in (0,1)", o.FalseMatches)
	}
	byUnit := make(map[Unit][]Pair)
	for i, p := range pairs {
		if p.Unit != Entity && p.Unit != Relation && p.Unit != Triple {
			return File{}, fmt.Errorf("calibrate: pair %d: unit %.40q is none of %v", i, p.Unit, units)
		}
		if p.A != p.B {
			byUnit[p.Unit] = append(byUnit[p.Unit], p)
		}
	}
	if len(byUnit) == 0 {
		return File{}, &TooFewError{What: "pairs", Need: minSame + minDifferent}
	}
	var texts []string
	at := make(map[string]int)
	for _, unit := range units {
		all := byUnit[unit]
		if len(all) == 0 {
			continue
		}
		if err := enough(unit, all); err != nil {
			return File{}, err
		}
		for _, p := range all {
			for _, t := range [...]string{p.A, p.B} {
				if _, ok := at[t]; !ok {
					at[t] = len(texts)
					texts = append(texts, t)
				}
			}
		}
	}
	vectors, err := embedAll(ctx, e, texts, o)
	if err != nil {
		return File{}, err
	}
	f := File{Format: Format, Version: Version, Kind: Embed, Model: e.ID(), Data: o.Data, Matches: make(map[Unit]Match)}
	for _, unit := range units {
		if len(byUnit[unit]) == 0 {
			continue
		}
		points := make([]pairPoint, len(byUnit[unit]))
		for i, p := range byUnit[unit] {
			group := p.Group
			if group == "" {
				group = p.A
			}
			points[i] = pairPoint{embed.Cosine(vectors[at[p.A]], vectors[at[p.B]]), p.Same, half(group)}
		}
		m, ok := match(points, o.FalseMatches)
		if !ok {
			return File{}, fmt.Errorf("%w: of the pairs of unit %q more than %v of the different ones have the cosine 1", ErrApart, unit, o.FalseMatches)
		}
		f.Matches[unit] = m
	}
	return f, nil
}

func enough(unit Unit, pairs []Pair) error {
	same := 0
	for _, p := range pairs {
		if p.Same {
			same++
		}
	}
	different := len(pairs) - same
	switch {
	case same == 0:
		return &OneClassError{Unit: string(unit), Label: "different"}
	case different == 0:
		return &OneClassError{Unit: string(unit), Label: "same"}
	case same < minSame:
		return &TooFewError{What: fmt.Sprintf("pairs of unit %q that are the same", unit), Have: same, Need: minSame}
	case different < minDifferent:
		return &TooFewError{What: fmt.Sprintf("pairs of unit %q that are different", unit), Have: different, Need: minDifferent}
	}
	return nil
}

func embedAll(ctx context.Context, e embed.Embedder, texts []string, o EmbedOptions) ([][]float32, error) {
	batch := o.Batch
	if batch <= 0 {
		batch = 256
	}
	var vectors [][]float32
	for from := 0; from < len(texts); from += batch {
		part := texts[from:min(from+batch, len(texts))]
		v, err := e.Embed(ctx, part)
		if err == nil {
			err = embed.Check(part, v)
		}
		if err != nil {
			return nil, fmt.Errorf("calibrate: %s: %w", e.ID(), err)
		}
		vectors = append(vectors, v...)
		if o.OnProgress != nil {
			o.OnProgress(len(vectors), len(texts))
		}
	}
	return vectors, nil
}

// pairPoint is a pair's cosine, its label, and the half that it belongs to.
type pairPoint struct {
	cosine float64
	same   bool
	half   int
}

// match finds the threshold of the pairs and what it is worth.
func match(points []pairPoint, rate float64) (Match, bool) {
	t, ok := threshold(points, rate)
	if !ok {
		return Match{}, false
	}
	m := Match{Cosine: t}
	var binary []metrics.Point
	var halves [2][]pairPoint
	for _, p := range points {
		if p.same {
			m.Same++
		} else {
			m.Different++
		}
		halves[p.half] = append(halves[p.half], p)
		binary = append(binary, metrics.Point{Score: p.cosine, Positive: p.same})
	}
	m.Found, m.False = rates(points, func(pairPoint) float64 { return t })
	m.AUROC, _ = metrics.AUROC(binary)
	// Each half at the threshold of the other, or at 1 where that has none.
	var other [2]float64
	for h := range halves {
		other[1-h] = 1
		if x, ok := threshold(halves[h], rate); ok {
			other[1-h] = x
		}
	}
	m.HeldFound, m.HeldFalse = rates(points, func(p pairPoint) float64 { return other[p.half] })
	return m, true
}

// threshold is the least cosine in hundredths at which at most the rate of the
// different pairs match.
func threshold(points []pairPoint, rate float64) (float64, bool) {
	var different []float64
	for _, p := range points {
		if !p.same {
			different = append(different, p.cosine)
		}
	}
	if len(different) == 0 {
		return 0, false
	}
	sort.Float64s(different)
	allowed := int(rate * float64(len(different)))
	for h := -100; h <= 100; h++ {
		t := float64(h) / 100
		if h == 0 {
			continue // stands for "not measured"
		}
		if len(different)-sort.SearchFloat64s(different, t) <= allowed {
			return t, true
		}
	}
	return 0, false
}

// rates are the shares of the same and of the different pairs at or above their
// thresholds.
func rates(points []pairPoint, at func(pairPoint) float64) (found, wrong float64) {
	var n, pass [2]float64
	for _, p := range points {
		k := 0
		if p.same {
			k = 1
		}
		n[k]++
		if p.cosine >= at(p) {
			pass[k]++
		}
	}
	return pass[1] / max(n[1], 1), pass[0] / max(n[0], 1)
}

// half puts a group into one of two halves, the same ones in every run.
func half(group string) int { return int(sha256.Sum256([]byte(group))[0] & 1) }
