package kg

import (
	"context"

	"github.com/kgeval/kgeval/segment"
)

// Text is one input of an Extractor. ID names it in errors and results and may
// be empty.
type Text struct {
	ID   string
	Text string
}

// Statement is a triple together with the place that states it.
type Statement struct {
	Triple Triple

	// Claim says the triple as one natural sentence that can be checked alone:
	// pronouns replaced by what they stand for, negation, hedges, quantities,
	// times and places kept. Empty means that Triple.Sentence() is as good.
	Claim string

	// Spans are the parts of the text that state the triple, ascending and not
	// overlapping. Nil when the extractor cannot tell (Locate can then try).
	Spans []segment.Span

	// Sentence is the sentence of the text that states the triple; the zero
	// Span when unknown.
	Sentence segment.Span

	// Confidence says how sure the extractor is of the triple, in (0,1]; higher
	// is surer, and only the order has a meaning across extractors. 0 means
	// that the extractor does not say.
	Confidence float64
}

// Dropped is something an extractor saw and did not turn into a triple.
type Dropped struct {
	// Raw is the candidate as found: a part of the text or of a model's reply.
	Raw string
	// Reason says in a few words why it was dropped.
	Reason string
	// Span is the place in the text, the zero Span when it has none.
	Span segment.Span
}

// Extraction is what an Extractor made of one Text.
type Extraction struct {
	// TextID is the ID of the Text.
	TextID string
	// Statements are in the order of the text. Exact duplicates of a triple
	// may occur, each with its own place.
	Statements []Statement
	// Dropped lists what was left out, and why.
	Dropped []Dropped
	// Repaired says what had to be put right in a model's reply before it could
	// be read, each thing once; empty for an extractor without a model.
	Repaired []string
	// Truncated says that a part of the text was not read (a model's reply
	// ended early); the statements are then a lower bound.
	Truncated bool
	// Err is why this one text could not be read. Statements holds what was
	// found before, and the caller must not take them for the whole.
	Err error
}

// Graph returns the set of the extraction's triples in order of first sight.
func (e Extraction) Graph() *Graph {
	g := NewGraph()
	for _, s := range e.Statements {
		g.Add(s.Triple)
	}
	return g
}

// Extractor turns texts into triples.
//
// Extract returns one Extraction for each text, in the order of texts. The
// texts of one call share a label space: an extractor may write the same thing
// the same way in all of them (a surname in the second text becomes the full
// name of the first). An empty or blank text gives an Extraction without
// statements and without an error. A text that fails on its own sets
// Extraction.Err and does not disturb the others; the returned error is for
// what stops the whole call, above all the context's error. Implementations
// must be safe for concurrent use and, with a deterministic backend, give the
// same result for the same call.
type Extractor interface {
	Extract(ctx context.Context, texts []Text) ([]Extraction, error)

	// ID names the method with its version (and model), for caches and results.
	ID() string
}
