// Package embed holds the interface to text embeddings: vectors whose cosine
// tells how alike two texts are. Models live in packages of their own; here are
// their contract, cosine, batching, caching in memory and in a store, and the match
// threshold that an embedder may carry.
package embed

import "context"

// Embedder turns texts into vectors.
//
// Embed returns one vector for each text, in order, all of the same length,
// finite, and with unit Euclidean norm (within 1e-3), except that a text
// without any content (empty, blanks) may give the zero vector. A vector does
// not depend on the other texts of the call. An empty slice gives an empty
// result. Any failure fails the call: a vector is never missing or made up.
// Callers must not change the vectors. Implementations must be safe for
// concurrent use.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)

	// ID names the model, its version and the sum of its weights, for caches
	// and results.
	ID() string
}

// Thresholder is an optional extension of Embedder: the cosines at or above
// which two texts of a kind count as the same, measured for this embedder.
type Thresholder interface {
	Embedder
	Thresholds() Thresholds
}

// Thresholds are cosines in [-1,1]. A zero field means "not measured".
type Thresholds struct {
	// Entity is for entity labels ("Marie Curie", "M. Curie").
	Entity float64
	// Relation is for relation labels ("works for", "is employed by").
	Relation float64
	// Triple is for whole facts written as sentences.
	Triple float64
}
