package cli

import (
	"fmt"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/segment"
)

// offsetUnit is what the numbers of a span in a row count.
type offsetUnit string

func (u *offsetUnit) String() string { return string(*u) }

func (u *offsetUnit) Type() string { return "byte|rune|utf16" }

func (u *offsetUnit) Set(s string) error {
	switch s {
	case "byte", "rune", "utf16":
		*u = offsetUnit(s)
		return nil
	}
	return fmt.Errorf("must be byte, rune or utf16")
}

// spans converts byte spans of one text. It is made once for a text.
func (u offsetUnit) spans(text string) func(segment.Span) segment.Span {
	if u == "byte" || u == "" {
		return func(s segment.Span) segment.Span { return s }
	}
	o := segment.NewOffsets(text)
	at := o.Rune
	if u == "utf16" {
		at = o.UTF16
	}
	return func(s segment.Span) segment.Span { return segment.Span{Start: at(s.Start), End: at(s.End)} }
}

// sample returns a conversion for the output (source -1) and the sources of a
// sample, as claim.Result.MapSpans wants it.
func (u offsetUnit) sample(s kgeval.Sample) func(source int, span segment.Span) segment.Span {
	output := u.spans(s.Output)
	sources := make([]func(segment.Span) segment.Span, len(s.Sources))
	return func(source int, span segment.Span) segment.Span {
		if source < 0 {
			return output(span)
		}
		if sources[source] == nil {
			sources[source] = u.spans(s.Sources[source].Text)
		}
		return sources[source](span)
	}
}
