package mark

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// Finding is a claim said in words for a reader.
type Finding struct {
	Verdict claim.Verdict
	// Fact is the claim as one sentence.
	Fact string
	// At is the line and column of the output where the words that are wrong
	// begin, and Quote the sentence with those words between » and «.
	At, Quote string
	// Why are the model's reasons.
	Why []string
	// Passages are the evidence. Where there is none, Nothing says so.
	Passages []Passage
	Nothing  string
}

// Passage is a place in a source that bears on a claim.
type Passage struct {
	// Lead says what the passage does: "supported by", "but", "nearest in".
	Lead string
	// Source names the source, At is the line and column in it.
	Source, At string
	Quote      string
}

// missing reports whether r says that the sources lack something, and not that
// they say something else.
func missing(r claim.Reason) bool { return r.Kind == string(nli.ReasonMissing) }

// wrongWords returns the words of the output that stand against the sources,
// merged and ascending. Nil where the model cannot tell, and where the sources
// merely lack the claim: then all of it is to be shown.
func wrongWords(c claim.Claim) []segment.Span {
	var words []segment.Span
	for _, r := range c.Reasons {
		if !missing(r) {
			words = append(words, r.OutputSpan)
		}
	}
	return claim.Merge(words)
}

// Places returns where a reader should look for c in the output: the words that
// stand against the sources where the model can tell, else the words that it
// fails by otherwise (claim.Claim.Places), else all of the claim. They ascend and
// do not overlap.
func Places(c claim.Claim) []segment.Span {
	if words := wrongWords(c); len(words) > 0 {
		return words
	}
	return c.Places()
}

// joined makes one of places that nothing but blanks divides.
func joined(text string, places []segment.Span) []segment.Span {
	var out []segment.Span
	for _, p := range places {
		if n := len(out); n > 0 && p.Start <= len(text) && strings.TrimSpace(text[min(out[n-1].End, p.Start):p.Start]) == "" {
			out[n-1].End = p.End
			continue
		}
		out = append(out, p)
	}
	return out
}

// why says the reasons against c in words: one line each for what the sources
// say otherwise, and one for all that they lack.
func why(output string, c claim.Claim) []string {
	var lines, lacking []string
	for _, r := range c.Reasons {
		switch {
		case !missing(r):
			if r.Detail != "" {
				lines = append(lines, Plain(r.Detail))
			}
		case !r.OutputSpan.Empty() && r.OutputSpan.Start >= 0 && r.OutputSpan.End <= len(output):
			word := Plain(r.OutputSpan.Of(output))
			if !slices.Contains(lacking, word) {
				lacking = append(lacking, word)
			}
		}
	}
	const most = 8
	if len(lacking) > most {
		lacking = append(lacking[:most], "…")
	}
	if len(lacking) > 0 {
		lines = append(lines, "nothing there on: "+strings.Join(lacking, ", "))
	}
	return lines
}

// NewFinding says c, a claim of s, in words. Quotes of the output are cut to
// limit runes, those of the sources to half as many more.
func NewFinding(s claim.Sample, c claim.Claim, limit int) Finding {
	f := Finding{Verdict: c.Verdict, Fact: Plain(c.Text)}
	around := c.Sentence
	if around.Empty() {
		around = segment.Span{Start: 0, End: len(s.Output)}
	}
	look := joined(s.Output, Places(c))
	start := around.Start
	if len(look) > 0 {
		start = look[0].Start
	}
	f.At, f.Quote = At(s.Output, start), Quote(s.Output, around, limit, look...)
	f.Why = why(s.Output, c)
	for _, e := range c.Evidence {
		if e.Index < 0 || e.Index >= len(s.Sources) {
			continue
		}
		text := s.Sources[e.Index].Text
		f.Passages = append(f.Passages, Passage{
			Lead: lead(e.Role), Source: Plain(e.Source), At: At(text, e.Span.Start),
			Quote: Quote(text, e.Span, limit+limit/2),
		})
	}
	switch {
	case c.Err != nil:
		f.Nothing = fmt.Sprintf("could not be judged: %s", Plain(c.Err.Error()))
	case len(f.Passages) == 0 && c.Verdict == claim.Unsupported:
		f.Nothing = "nothing in the context is close to it"
	}
	return f
}

func lead(r claim.Role) string {
	switch r {
	case claim.Supports:
		return "supported by"
	case claim.Contradicts:
		return "but"
	}
	return "nearest in"
}

// Letter returns the character that stands under the words of a claim with the
// given verdict: ^ contradicted, ~ unsupported, ! conflicting, - supported, and
// ? for anything else.
func Letter(v claim.Verdict) rune {
	switch v {
	case claim.Supported:
		return '-'
	case claim.Contradicted:
		return '^'
	case claim.Conflicting:
		return '!'
	case claim.Unsupported:
		return '~'
	}
	return '?'
}

// Flagged returns a mark for each stretch of the output that a flagged claim
// states, where the model can tell only for the words that are wrong. paint may
// be nil.
func Flagged(claims []claim.Claim, paint func(claim.Verdict, string) string) []Mark {
	// Where two claims share words, one that knows which are wrong comes first.
	var exact, rest []claim.Claim
	for _, c := range claims {
		if !c.Flagged() {
			continue
		}
		if words := wrongWords(c); len(words) > 0 {
			c.Spans = words
			exact = append(exact, c)
		} else {
			rest = append(rest, c)
		}
	}
	var out []Mark
	for _, m := range append(claim.Marks(exact), claim.Marks(rest)...) {
		k := Mark{Span: m.Span, Under: Letter(m.Verdict)}
		if paint != nil {
			k.Paint = func(s string) string { return paint(m.Verdict, s) }
		}
		out = append(out, k)
	}
	return out
}

// Stretches cuts the output at the borders of what its flagged claims' places
// cover: claim.Marks of them, with positions in claims.
func Stretches(claims []claim.Claim) []claim.Mark {
	look := make([]claim.Claim, len(claims))
	for i, c := range claims {
		if c.Flagged() {
			look[i] = claim.Claim{Verdict: c.Verdict, Spans: Places(c)}
		}
	}
	return claim.Marks(look)
}
