package hashed

import "github.com/kgeval/kgeval/embed"

// Thresholds returns the cosines at or above which two labels are taken for the
// same: those at which at most 1% of the different labels of one text passed, on
// the development texts that docs/results/similarity.md names. No threshold was
// measured for whole facts.
func (Embedder) Thresholds() embed.Thresholds {
	return embed.Thresholds{Entity: 0.71, Relation: 0.82}
}
