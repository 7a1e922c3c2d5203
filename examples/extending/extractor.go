// Package extending shows a part of your own for each interface; the snippets
// of docs/extending.md stand here, where they are compiled and tested.
package extending

import (
	"context"
	"strings"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// Ends makes a fact of each sentence of three words or more: its first word,
// what stands between, and its last word. It can tell where each fact stands.
type Ends struct{}

var _ kgeval.Extractor = Ends{}

// ID names the method and its version.
func (Ends) ID() string { return "ends/1" }

// Extract returns one Extraction for each text, in order.
func (Ends) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	out := make([]kg.Extraction, len(texts))
	for i, t := range texts {
		out[i].TextID = t.ID
		for _, place := range segment.Sentences(t.Text) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			words := strings.Fields(strings.TrimRight(place.Of(t.Text), ".!?"))
			n := len(words)
			if n < 3 {
				out[i].Dropped = append(out[i].Dropped, kg.Dropped{Raw: place.Of(t.Text), Reason: "too short", Span: place})
				continue
			}
			out[i].Statements = append(out[i].Statements, kg.Statement{
				Triple:   kg.Triple{Head: words[0], Relation: strings.Join(words[1:n-1], " "), Tail: words[n-1]},
				Spans:    []segment.Span{place},
				Sentence: place,
			})
		}
	}
	return out, ctx.Err()
}
