package numeric

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/kgeval/kgeval/segment"
)

// Verdict is what the sources say of one number. Values may be added.
type Verdict string

// The verdicts.
const (
	// Supported: a source states it of the same thing, or it follows from numbers
	// that a source states.
	Supported Verdict = "supported"
	// Contradicted: a source states another number of the same thing, or the
	// numbers that it states give another result.
	Contradicted Verdict = "contradicted"
	// NotFound: neither; the number cannot be verified.
	NotFound Verdict = "not found"
)

// Finding is the verdict on one number of a claim.
type Finding struct {
	// Quantity is the number; its Span is in the claim's text.
	Quantity Quantity
	Verdict  Verdict
	// Computed says that the verdict rests on arithmetic over what the source
	// states, a change of units included.
	Computed bool
	// How says in one line what was compared or computed: "120 - 100 = 20".
	How string
	// Places are the numbers of the sources that decided, in the order in which How
	// names them; empty where nothing was found.
	Places []Place
}

// Place is a number in a source.
type Place struct {
	Source int          // position of the source
	Span   segment.Span // of the number, in bytes of the source
	// Sentence is the sentence around it.
	Sentence segment.Span
}

// Check verifies the numbers of text, sentence by sentence, and returns a finding
// for each, in the order of the text; ranks and labels ("first", "Apollo 11") are
// left out where nothing was found on them. The error is the context's.
//
// The time is linear in the length of the text; for each of its sentences at most
// 4,096 sentences of the evidence are looked at for a word, and 16 compared. Of a
// text with more than 5,000 numbers the first 5,000 are verified; the others are
// not found, and How says why.
func (e *Evidence) Check(ctx context.Context, text string) ([]Finding, error) {
	var out []Finding
	known := func(stem string) int32 {
		if id, ok := e.stems[stem]; ok {
			return id
		}
		return -1
	}
	for _, part := range pieces(text) {
		p := parse(part.Of(text), e.style)
		for _, s := range p.sentences(known) {
			if len(s.quantities) == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("numeric: %w", err)
			}
			if len(out) >= maxFindings {
				for _, q := range s.quantities {
					q.Span.Start, q.Span.End = q.Span.Start+part.Start, q.Span.End+part.Start
					out = append(out, Finding{Quantity: q, Verdict: NotFound, How: "not verified: the text has more than 5,000 numbers"})
				}
				continue
			}
			c := e.claim(p, s)
			for i := range s.quantities {
				f := c.check(i)
				if f.Verdict == Contradicted && e.truncated {
					f = Finding{Quantity: f.Quantity, Verdict: NotFound, How: "the sources have more numbers than were read"}
				}
				if f.Verdict == NotFound && (f.Quantity.Kind == Rank || f.Quantity.Kind == Label) {
					continue
				}
				f.Quantity.Span.Start += part.Start
				f.Quantity.Span.End += part.Start
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// Check verifies the numbers of a claim against one source; see Evidence.Check.
func Check(ctx context.Context, claim, source string, o Options) ([]Finding, error) {
	e, err := Prepare(ctx, []string{source}, o)
	if err != nil {
		return nil, err
	}
	return e.Check(ctx, claim)
}

// claimed is one sentence of a claim beside the sentences of the evidence that
// could be about the same.
type claimed struct {
	e    *Evidence
	p    *parser
	s    sentence
	near []int // the sentences of the evidence, the best first
	// Which stems stand in each of near: 1, or a part of it where only a
	// neighbouring sentence has it.
	has []map[int32]float64
}

// The bounds of the search.
const (
	maxNear     = 16   // sentences that are compared with a claim
	maxPostings = 4096 // sentences that are looked at for a word
	maxFindings = 5000 // numbers of a text that are verified
)

// claim finds the sentences of the evidence that share most with s.
func (e *Evidence) claim(p *parser, s sentence) *claimed {
	c := &claimed{e: e, p: p, s: s}
	weight := map[int]float64{}
	seen := map[int32]bool{}
	for _, w := range s.words {
		if w.stem < 0 || seen[w.stem] {
			continue
		}
		seen[w.stem] = true
		at := e.in[w.stem]
		if len(at) > maxPostings {
			continue // says too little
		}
		r := e.rarity(w.stem)
		for _, n := range at {
			weight[int(n)] += r
			// What follows may refer to it.
			if k := int(n) + 1; k < len(e.sentences) && e.sentences[k].source == e.sentences[n].source {
				weight[k] += r / 3
			}
		}
	}
	// A sentence that states the same number is worth a look.
	for i := range s.quantities {
		at := e.values[s.quantities[i].key()]
		for _, n := range at[:min(len(at), 64)] {
			weight[int(n)] += 1
		}
	}
	for n := range weight {
		if len(e.sentences[n].quantities) > 0 {
			c.near = append(c.near, n)
		}
	}
	slices.SortFunc(c.near, func(a, b int) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b))
	})
	c.near = c.near[:min(len(c.near), maxNear)]
	for _, n := range c.near {
		has := map[int32]float64{}
		put := func(k int, share float64) {
			if k < 0 || k >= len(e.sentences) || e.sentences[k].source != e.sentences[n].source {
				return
			}
			for _, w := range e.sentences[k].words {
				has[w.stem] = max(has[w.stem], share)
			}
		}
		put(n-2, 0.4)
		put(n+1, 0.4)
		put(n-1, 0.7)
		put(n, 1)
		c.has = append(c.has, has)
	}
	return c
}

// candidate is a quantity of the evidence beside one of the claim.
type candidate struct {
	q     *Quantity
	near  int // position in claimed.near
	match match
	cover float64 // share of the words around the claim's number that its sentence has
	local float64 // how alike the words next to both numbers are
	head  int     // +1 the same noun counted, -1 another one, 0 untold
	named bool    // some name of the claim stands there, or it has none
}

func (k candidate) score() float64 { return k.cover + k.local + 0.25*float64(k.head) }

// check verifies quantity i of the claim.
func (c *claimed) check(i int) Finding {
	q := &c.s.quantities[i]
	f := Finding{Quantity: *q, Verdict: NotFound}
	cover, named := c.covers(q)
	if d, ok := c.compoundCount(q); ok {
		return c.computed(f, d)
	}
	around := c.around(q, &c.s)
	var support, against, vaguely *candidate
	better := func(k candidate, than *candidate) bool { return than == nil || k.score() > than.score() }
	for n, at := range c.near {
		s := &c.e.sentences[at]
		for j := range s.quantities {
			x := &s.quantities[j]
			m := compare(q, x)
			if m.relation == incomparable {
				continue
			}
			k := candidate{q: x, near: n, match: m, cover: cover[n], named: named[n], head: c.heads(q, x)}
			k.local = alike(around, c.around(x, s))
			switch m.relation {
			case entails:
				if better(k, support) || m.same && !support.match.same && k.score() > support.score()-0.1 {
					support = &k
				}
			case differs:
				if k.head >= 0 && better(k, against) {
					against = &k
				}
			case vague:
				if better(k, vaguely) {
					vaguely = &k
				}
			}
		}
	}
	if support != nil && c.about(q, support) {
		if against != nil && c.displaces(against, support) && c.opposes(q, against) {
			return c.contradicted(f, against)
		}
		f.Verdict, f.Computed = Supported, support.match.converted != nil
		f.How, f.Places = told(q, support), c.places(support)
		return f
	}
	if d, ok := c.derive(q); ok {
		// Among many numbers some fit by chance.
		if chance := d.verdict == Supported && !d.told && !c.intended(q); chance && against != nil && c.opposes(q, against) && against.cover+against.local >= 1.5 {
			return c.contradicted(f, against)
		}
		if d.verdict == Supported || against == nil || !c.opposes(q, against) {
			return c.computed(f, d)
		}
	}
	switch {
	case against != nil && c.opposes(q, against) && (vaguely == nil || vaguely.score() < against.score()-0.3):
		return c.contradicted(f, against)
	case vaguely != nil && vaguely.cover >= 0.3:
		f.How, f.Places = "the source says "+quote(c.e, c.near[vaguely.near], vaguely.q), c.places(vaguely)
	}
	return f
}

func (c *claimed) computed(f Finding, d derived) Finding {
	f.Verdict, f.Computed, f.How = d.verdict, true, d.how
	for _, k := range d.operands {
		f.Places = append(f.Places, c.places(&k)...)
	}
	return f
}

func (c *claimed) contradicted(f Finding, k *candidate) Finding {
	f.Verdict = Contradicted
	f.Places = c.places(k)
	f.How = plainText(f.Quantity.Text) + " against " + plainText(k.q.Text)
	if k.match.converted != nil {
		f.Computed = true
		f.How += " (" + decimal(k.match.converted) + " " + f.Quantity.Unit + ")"
	}
	return f
}

// about reports whether support is about what the claim says of q.
func (c *claimed) about(q *Quantity, k *candidate) bool {
	low := 0.35
	if distinctive(q) {
		low = 0.15
	}
	if len(c.s.words) == 0 {
		return true
	}
	return k.cover >= low || k.local >= 0.4 || k.head > 0 && k.cover >= 0.2
}

// distinctive reports whether q is a number that hardly stands in two places by
// chance.
func distinctive(q *Quantity) bool {
	switch q.Kind {
	case Date:
		return q.Day.Day > 0 || q.Day.Year > 0 && q.Day.Last == 0
	case Money, Score, Label:
		return true
	case Rank, Factor, Clock:
		return false
	}
	return q.Value.Cmp(big.NewRat(20, 1)) > 0
}

// displaces reports whether another number stands where the claim's should, and
// the claim's stands elsewhere.
func (c *claimed) displaces(against, support *candidate) bool {
	// The sentence that says all the rest says another number.
	if against.cover >= 0.9 && against.local >= 0.9 && support.cover < 0.6 && support.local < 0.9 {
		return true
	}
	if against.local < 0.5 || against.local < support.local+0.3 || against.cover < support.cover-0.02 {
		return false
	}
	return support.head <= 0 || against.head > 0
}

// opposes reports whether a number that differs is about the same thing.
func (c *claimed) opposes(q *Quantity, k *candidate) bool {
	if !k.named || k.head < 0 {
		return false
	}
	switch q.Kind {
	case Rank, Label:
		return k.head > 0 && k.cover >= 0.6 && k.local >= 0.6
	case Date:
		return k.cover >= 0.65 && k.local >= 0.55
	case Count, Clock, Factor:
		if k.head == 0 {
			return k.cover >= 0.6 && k.local >= 0.6
		}
	}
	return k.cover >= 0.55 && k.local >= 0.45
}

// places returns the place of k.
func (c *claimed) places(k *candidate) []Place {
	s := &c.e.sentences[c.near[k.near]]
	return []Place{{Source: s.source, Span: k.q.Span, Sentence: s.span}}
}

// covers returns, for each sentence of near, which share of the words around q it
// has, near words counting more, and whether it has a name of the claim.
func (c *claimed) covers(q *Quantity) (cover []float64, named []bool) {
	cover, named = make([]float64, len(c.near)), make([]bool, len(c.near))
	total, names := 0.0, 0
	for _, w := range c.s.words {
		d := 0
		if w.token < q.first {
			d = q.first - w.token
		} else if w.token >= q.last {
			d = w.token - q.last + 1
		}
		x := c.e.rarity(w.stem) / (1 + float64(d)/8)
		if w.name {
			x *= 1.5
			names++
		}
		total += x
		for n := range c.near {
			if w.stem < 0 {
				continue
			}
			share := c.has[n][w.stem]
			cover[n] += x * share
			if w.name && share > 0 {
				named[n] = true
			}
		}
	}
	for n := range cover {
		if total > 0 {
			cover[n] /= total
		}
		if names == 0 {
			named[n] = true
		}
	}
	return cover, named
}

// beside is a word near a number: how many words away, negative before it.
type beside struct {
	stem int32
	off  int
}

// around returns the words next to q in its sentence, at most five on each side.
func (c *claimed) around(q *Quantity, s *sentence) []beside {
	k, _ := slices.BinarySearchFunc(s.words, q.first, func(w word, at int) int { return cmp.Compare(w.token, at) })
	var out []beside
	for i := k - 1; i >= 0 && i >= k-5; i-- {
		out = append(out, beside{s.words[i].stem, -(k - i)})
	}
	for i := k; i < len(s.words) && i < k+5; i++ {
		out = append(out, beside{s.words[i].stem, i - k + 1})
	}
	return out
}

// alike compares the words around two numbers, from 0 to 1: near ones count more,
// and less where they stand at another distance or on the other side.
func alike(claim, evidence []beside) float64 {
	sum, total := 0.0, 0.0
	for _, a := range claim {
		w := 1 / float64(abs(a.off))
		total += w
		best := 0.0
		for _, b := range evidence {
			if a.stem != b.stem || a.stem < 0 {
				continue
			}
			x := 1 / (1 + math.Abs(float64(abs(a.off)-abs(b.off)))/3)
			if (a.off < 0) != (b.off < 0) {
				x *= 0.6
			}
			best = max(best, x)
		}
		sum += w * best
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

func abs(n int) int { return max(n, -n) }

// generic are nouns that stand for whatever is counted.
var generic = words("people person persons others times things items members units victims individuals")

// heads tells whether two quantities count the same noun.
func (c *claimed) heads(a, b *Quantity) int {
	if a.Kind == Label || b.Kind == Label {
		if a.Kind == b.Kind && a.Of == b.Of {
			return 1
		}
		return 0
	}
	if a.Of == "" || b.Of == "" {
		return 0
	}
	if stem(a.Of) == stem(b.Of) {
		return 1
	}
	if a.Kind != Count && a.Kind != Rank || generic[a.Of] || generic[b.Of] || !plural(a.Of) || !plural(b.Of) {
		return 0
	}
	return -1
}
