package graphcorrect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// remove takes out what could not be put right and can be cut cleanly. It
// reports whether the plan has changed; it does its work once.
func (p *plan) remove() bool {
	if p.removed {
		return false
	}
	p.removed = true
	changed := false
	for i, c := range p.before.Claims {
		l := p.left[i]
		if l == nil || c.Verdict != claim.Contradicted && c.Verdict != claim.Unsupported || max(c.Risk, c.PInconsistent) <= p.before.ClaimCutoff {
			continue
		}
		changed = true
		cut, what, ok := p.cut(i)
		if !ok {
			p.left[i] = &Left{Claim: i, Kind: NotRemovable, Reason: "not removed: the rest of its sentence is supported and cannot be kept without it", Err: l.Err}
			continue
		}
		if slices.ContainsFunc(p.taken, func(t taken) bool { return !t.removal && clash(t.Span, cut.Span) }) {
			p.left[i] = &Left{Claim: i, Kind: NotRemovable, Reason: "not removed: its place holds another correction", Err: l.Err}
			continue
		}
		// What is removed around or beside it becomes one with it.
		claims := []int{i}
		p.taken = slices.DeleteFunc(p.taken, func(t taken) bool {
			if !t.removal || !clash(t.Span, cut.Span) {
				return false
			}
			cut.Span = cut.Span.Union(t.Span)
			claims = append(claims, t.claims...)
			return true
		})
		cut.Claim = i
		cut.Old = cut.Span.Of(p.text)
		cut.Reason = fmt.Sprintf("removed the %s: the sources %s", what, verb(c.Verdict))
		if len(claims) > 1 {
			cut.Reason = fmt.Sprintf("removed the %s: the sources do not support it", what)
		}
		if len(c.Evidence) > 0 {
			e := c.Evidence[0]
			cut.Evidence = &e
		}
		p.taken = append(p.taken, taken{Edit: cut, claims: claims, removal: true})
		delete(p.left, i)
	}
	return changed
}

func verb(v claim.Verdict) string {
	if v == claim.Contradicted {
		return "contradict it"
	}
	return "do not support it"
}

// cut returns the edit that takes claim i out of the text.
func (p *plan) cut(i int) (e claim.Edit, what string, ok bool) {
	c := p.before.Claims[i]
	sentence := c.Sentence
	if sentence.Empty() || sentence.End > len(p.text) || sentence.Start < 0 {
		return e, "", false
	}
	// Does anything in the sentence stay?
	var stays []segment.Span
	for k, d := range p.before.Claims {
		if !d.Sentence.Overlaps(sentence) {
			continue
		}
		if p.left[k] == nil && !p.removedClaim(k) {
			stays = append(stays, d.Spans...)
		}
	}
	if len(stays) == 0 {
		return claim.Edit{Span: p.sentenceCut(sentence)}, "sentence", true
	}
	return clauseCut(p.text, sentence, c.Spans, claim.Merge(stays))
}

// removedClaim reports whether claim k is taken out already.
func (p *plan) removedClaim(k int) bool {
	return slices.ContainsFunc(p.taken, func(t taken) bool { return t.removal && slices.Contains(t.claims, k) })
}

// sentenceCut widens a sentence to what must go with it: its list marker and
// line when it is all of a line, else the blanks on one side.
func (p *plan) sentenceCut(s segment.Span) segment.Span {
	text := p.text
	lineStart := strings.LastIndexByte(text[:s.Start], '\n') + 1
	lineEnd := len(text)
	if k := strings.IndexByte(text[s.End:], '\n'); k >= 0 {
		lineEnd = s.End + k
	}
	before := text[lineStart:s.Start]
	for _, t := range p.taken {
		if t.removal && t.Span.Start >= lineStart && t.Span.End <= s.Start { // gone already
			before = before[:max(0, t.Span.Start-lineStart)] + strings.Repeat(" ", t.Span.Len()) + before[t.Span.End-lineStart:]
		}
	}
	blankBefore := onlyMarker.MatchString(before)
	blankAfter := strings.TrimSpace(text[s.End:lineEnd]) == ""
	switch {
	case blankBefore && blankAfter: // the whole line
		if lineEnd < len(text) {
			return segment.Span{Start: lineStart, End: lineEnd + 1}
		}
		if lineStart > 0 {
			return segment.Span{Start: lineStart - 1, End: lineEnd}
		}
		return segment.Span{Start: lineStart, End: lineEnd}
	case blankBefore: // the first of several: the blanks after it
		end := s.End
		for end < lineEnd && isBlank(text[end]) {
			end++
		}
		return segment.Span{Start: s.Start, End: end}
	}
	start := s.Start
	for start > lineStart && isBlank(text[start-1]) {
		start--
	}
	return segment.Span{Start: start, End: s.End}
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

var onlyMarker = regexp.MustCompile(`^\s*(?:[-*•‣–]|\(?\d{1,3}[.)])?\s*$`)

// joint is where a clause begins that can be taken off.
var joint = regexp.MustCompile(`(?:\s*[;—]|,|\s+[–-])?\s+(?:and|but|while|whereas|although|though|und|aber|mais|et|pero|y)\s+|\s*[;—]\s+|,\s+(?:which|who|whose|where)\s+`)

// clauseCut finds the clause of the sentence that says only what is flagged:
// after a conjunction, a semicolon or a relative pronoun, holding words of the
// flagged claim that nothing else states, and no word of what stays. The first
// clause is never taken off, since the others may need its subject.
func clauseCut(text string, sentence segment.Span, flagged, stays []segment.Span) (claim.Edit, string, bool) {
	body := sentence.Of(text)
	end := sentence.Start + len(strings.TrimRightFunc(body, func(r rune) bool {
		return unicode.IsPunct(r) && r != ')' && r != ']' || unicode.IsSpace(r)
	}))
	var own []segment.Span // words of the claim that no other claim states
	for _, w := range segment.Words(body) {
		w = w.Shift(sentence.Start)
		if covers(flagged, w) && !covers(stays, w) {
			own = append(own, w)
		}
	}
	joints := joint.FindAllStringIndex(body, -1)
	for k := len(joints) - 1; k >= 0; k-- {
		clause := segment.Span{Start: sentence.Start + joints[k][0], End: end}
		if k+1 < len(joints) {
			clause.End = sentence.Start + joints[k+1][0]
		}
		if clause.Empty() || len(own) == 0 {
			continue
		}
		if !slices.ContainsFunc(own, func(w segment.Span) bool { return !clause.Contains(w) }) &&
			!slices.ContainsFunc(stays, clause.Overlaps) && balanced(clause.Of(text)) {
			return claim.Edit{Span: clause}, "clause", true
		}
	}
	return claim.Edit{}, "", false
}

func covers(spans []segment.Span, w segment.Span) bool {
	return slices.ContainsFunc(spans, func(s segment.Span) bool { return s.Overlaps(w) })
}

// balanced reports whether brackets and quotes open and close within text.
func balanced(text string) bool {
	depth, quotes := 0, 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch r {
		case '(', '[', '“', '«':
			depth++
		case ')', ']', '”', '»':
			depth--
		case '"':
			quotes++
		}
		if depth < 0 {
			return false
		}
		i += n
	}
	return depth == 0 && quotes%2 == 0
}
