package openie

import (
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// sectionBytes is how much text is analysed at once: an analysis takes some 50
// times the room of its text.
const sectionBytes = 1 << 20

// section is a part of a text that is analysed alone.
type section struct {
	text int // position of the text in the call
	at   segment.Span
	doc  *nlp.Document // nil where it was not kept
}

// sections cuts a text of over limit bytes at borders of sentences into parts of
// about limit bytes; a sentence is never cut.
func sections(text string, limit int) []segment.Span {
	whole := segment.Span{End: len(text)}
	if len(text) <= limit {
		return []segment.Span{whole}
	}
	var out []segment.Span
	start := 0
	for _, s := range segment.Sentences(text) {
		if s.Start > start && s.End-start > limit {
			out = append(out, segment.Span{Start: start, End: s.Start})
			start = s.Start
		}
	}
	return append(out, segment.Span{Start: start, End: len(text)})
}

// add appends what was found in the section to what was found before it, its
// places moved into the text.
func (p section) add(x kg.Extraction, to *kg.Extraction) {
	for _, s := range x.Statements {
		for i := range s.Spans {
			s.Spans[i] = s.Spans[i].Shift(p.at.Start)
		}
		if !s.Sentence.Empty() {
			s.Sentence = s.Sentence.Shift(p.at.Start)
		}
		to.Statements = append(to.Statements, s)
	}
	for _, d := range x.Dropped {
		d.Span = d.Span.Shift(p.at.Start)
		to.Dropped = append(to.Dropped, d)
	}
}
