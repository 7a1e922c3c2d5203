package openie

import (
	"sort"
	"strings"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// statements writes the candidates of one sentence in the order of the text.
func (g *generator) statements(sent segment.Span, names *labels, resolve bool, drop func(raw, reason string, at segment.Span)) []kg.Statement {
	s := g.s
	sort.SliceStable(g.out, func(i, j int) bool { return g.out[i].at < g.out[j].at })
	var out []kg.Statement
	seen := map[kg.Triple]bool{}
	for _, c := range g.out {
		// The claim is one sentence: what it names once, a pronoun may mean.
		w := &writer{s: s, resolve: resolve, own: map[int]bool{}}
		w.show(join(c.head, c.rel, c.tail, join(c.front...)))
		// A head that is a pronoun shows what the pronoun stands for.
		if c.np != nil && c.np.end == c.np.first+1 {
			if r, ok := w.reference(c.np.first); ok {
				for i := r.First; i < r.End; i++ {
					w.own[i] = true
				}
			}
		}
		// A tail stands alone: it names what the head names.
		alone := &writer{s: s, resolve: resolve, own: map[int]bool{}, head: w.own}
		alone.show(join(c.tail, join(c.front...)))
		head := w.text(c.head)
		w.mid, alone.mid = true, true
		alone.inHead, alone.from = head, c.at
		alone.means = func(r nlp.Reference) bool {
			if c.np == nil {
				return false
			}
			if h, ok := w.reference(c.np.first); ok && c.np.end == c.np.first+1 {
				return h == r
			}
			at := s.toks[c.np.head].doc
			return r.First <= at && at < r.End
		}
		if len(c.head) > 0 && c.head[0].lit == "" && oneOf(s.tag(c.head[0].first), "DT", "PDT") {
			alone.inHead = w.lowerFirst(head, c.head[0].first)
		}
		rel := w.text(c.rel)
		tail := alone.text(c.tail)
		claim := strings.TrimSpace(head + " " + rel + " " + w.text(c.tail))
		if c.said != nil {
			claim = head + " " + w.text(c.said)
		}
		first := c.head
		if c.claim != nil {
			w.mid = false
			claim = w.text(c.claim)
			if c.claim[0].lit != "" {
				first = nil
			}
		}
		var lead []string
		hedge := ""
		for _, f := range c.front {
			spoken := w.text(f)
			t := alone.text(f)
			if t == "" {
				continue
			}
			if f[0].lit == "," {
				// "it is believed", with the content of its that-clause
				t = strings.TrimLeft(t, ", ")
				hedge = strings.TrimLeft(spoken, ", ") + " that "
				tail += ", " + t
				continue
			}
			switch {
			case tail == "":
			case w.hasVerb(c.tail):
				tail += ", " // not about the clause inside the tail
			default:
				tail += " "
			}
			tail += t
			lead = append(lead, spoken)
		}
		if len(lead) > 0 {
			claim = strings.Join(lead, ", ") + ", " + hedge + lowerHead(claim, w, first)
		} else if hedge != "" {
			claim = hedge + lowerHead(claim, w, first)
		}
		tail = strings.TrimLeft(tail, ", ")
		if head == "" || rel == "" || tail == "" {
			continue
		}
		all := append([]phrase{c.head, c.rel, c.tail}, c.front...)
		spans := w.spans(all...)
		if len(spans) == 0 {
			continue
		}
		if resolve {
			if p := unresolved(head); p != "" {
				drop(claim, "unresolved pronoun \""+p+"\"", segment.Span{Start: spans[0].Start, End: spans[len(spans)-1].End})
				continue
			}
			if strings.EqualFold(head, tail) && len(c.tail) == 1 && c.tail[0].end == c.tail[0].first+1 && s.tag(c.tail[0].first) == "PRP" {
				// An object that is no reflexive is not its own subject.
				drop(claim, "unresolved pronoun \""+s.toks[c.tail[0].first].text+"\"", segment.Span{Start: spans[0].Start, End: spans[len(spans)-1].End})
				continue
			}
			if p := unresolved(tail); p != "" {
				drop(claim, "unresolved pronoun \""+p+"\"", segment.Span{Start: spans[0].Start, End: spans[len(spans)-1].End})
				continue
			}
		}
		at := segment.Span{Start: spans[0].Start, End: spans[len(spans)-1].End}
		if reason := g.unsound(c, w, rel, claim); reason != "" {
			drop(claim, reason, at)
			continue
		}
		if resolve {
			var singular bool
			if head, singular, _ = participant(head); singular {
				rel = g.thirdPersonOf(c, rel)
			}
			tail, _, _ = participant(tail)
		}
		t := kg.Triple{Head: visible(names.apply(head)), Relation: visible(rel), Tail: visible(names.apply(tail))}
		if seen[t] {
			continue
		}
		seen[t] = true
		out = append(out, kg.Statement{Triple: t, Claim: sentenceCase(visible(claim)), Spans: spans, Sentence: sent, Confidence: confidence(c, all)})
	}
	return out
}

func lowerHead(claim string, w *writer, head phrase) string {
	if len(head) == 0 || head[0].lit != "" || !strings.HasPrefix(claim, w.s.toks[head[0].first].text) {
		return claim
	}
	return w.lowerFirst(claim, head[0].first)
}

// unresolved returns the pronoun when the label is nothing else.
func unresolved(label string) string {
	low := strings.ToLower(label)
	if thirdPerson.has(low) && low != "'s" && !strings.HasSuffix(low, "self") && !strings.HasSuffix(low, "selves") || demonstratives.has(low) {
		return label
	}
	return ""
}

// confidence scores a candidate in (0,1]: how directly the clause states it,
// less a little for every token beyond the first dozen.
func confidence(c candidate, all []phrase) float64 {
	n := 0
	for _, p := range all {
		n += p.tokens()
	}
	v := c.conf
	if n > 12 {
		v -= 0.004 * float64(n-12)
	}
	return min(1, max(0.05, v))
}
