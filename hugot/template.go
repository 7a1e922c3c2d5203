package hugot

import (
	"fmt"
	"math"
	"strings"
)

// template is one text made of premise and hypothesis: runs of text with places in
// them, between special tokens.
type template []run

// run is a special token, or text with the places of premise and hypothesis.
type run struct {
	id    uint32
	parts []string // nil in a special token
}

// joints is how many tokens more than its parts a filled template may have where
// text meets text.
const joints = 6

const (
	premisePlace    = "{premise}"
	hypothesisPlace = "{hypothesis}"
)

// newTemplate reads text, in which each place stands once.
func newTemplate(text string, added []addedToken) (template, error) {
	for _, place := range []string{premisePlace, hypothesisPlace} {
		if n := strings.Count(text, place); n != 1 {
			return nil, fmt.Errorf("%w: Template has %s %d times, want once", ErrConfig, place, n)
		}
	}
	var t template
	for text != "" {
		at, token := len(text), addedToken{}
		for _, a := range added {
			i := strings.Index(text, a.Content)
			if a.Special && a.Content != "" && i >= 0 && (i < at || i == at && len(a.Content) > len(token.Content)) {
				at, token = i, a
			}
		}
		if at > 0 {
			t = append(t, run{parts: places(text[:at])})
		}
		if at < len(text) {
			t = append(t, run{id: uint32(token.ID)})
		}
		text = text[at+len(token.Content):]
	}
	return t, nil
}

// places cuts text at its places, which stay as parts of their own.
func places(text string) []string {
	var parts []string
	for {
		p, h := strings.Index(text, premisePlace), strings.Index(text, hypothesisPlace)
		at, place := p, premisePlace
		if p < 0 || h >= 0 && h < p {
			at, place = h, hypothesisPlace
		}
		if at < 0 {
			return append(parts, text)
		}
		parts = append(parts, text[:at], place)
		text = text[at+len(place):]
	}
}

// fill puts premise and hypothesis into the template, in one pass, so that what they
// hold is never a place or a special token, and what the tokenizer adds around a
// single text around it.
func (n *NLI) fill(premise, hypothesis string) (sequence, error) {
	var ids []uint32
	for _, r := range n.form {
		if r.parts == nil {
			ids = append(ids, r.id)
			continue
		}
		var b strings.Builder
		for _, p := range r.parts {
			switch p {
			case premisePlace:
				p = premise
			case hypothesisPlace:
				p = hypothesis
			}
			b.WriteString(p)
		}
		more, err := n.m.encode(b.String(), math.MaxInt)
		if err != nil {
			return sequence{}, err
		}
		ids = append(ids, more...)
	}
	return n.m.single.fill(ids), nil
}
