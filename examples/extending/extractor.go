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

// Arrows extracts facts from notes in which each line is "head -> relation ->
// tail". It can tell where each fact stands.
type Arrows struct{}

var _ kgeval.Extractor = Arrows{}

// ID names the method and its version.
func (Arrows) ID() string { return "arrows/1" }

// Extract returns one Extraction for each text, in order.
func (Arrows) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	out := make([]kg.Extraction, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i].TextID = t.ID
		at := 0
		for line := range strings.Lines(t.Text) {
			place := segment.Span{Start: at, End: at + len(strings.TrimRight(line, "\r\n"))}
			at += len(line)
			switch f := strings.Split(place.Of(t.Text), " -> "); {
			case len(f) == 3:
				out[i].Statements = append(out[i].Statements, kg.Statement{
					Triple:   kg.Triple{Head: f[0], Relation: f[1], Tail: f[2]},
					Spans:    []segment.Span{place},
					Sentence: place,
				})
			case strings.TrimSpace(line) != "":
				out[i].Dropped = append(out[i].Dropped, kg.Dropped{Raw: place.Of(t.Text), Reason: "no arrows", Span: place})
			}
		}
	}
	return out, nil
}
