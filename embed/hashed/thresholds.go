package hashed

import "github.com/kgeval/kgeval/embed"

// Thresholds returns the cosines at or above which two labels are taken for the
// same, measured as docs/results/similarity.md tells.
func (Embedder) Thresholds() embed.Thresholds {
	return embed.Thresholds{Entity: 0.6, Relation: 0.6, Triple: 0.6}
}
