// Package draw draws a knowledge graph as SVG that stands alone or inline in
// HTML: entities in boxes, facts as arrows with the relation's words on them.
//
// The layout is layered (Sugiyama, Tagawa and Toda, 1981; label places as in
// Gansner et al., "A technique for drawing directed graphs", 1993): relations
// get layers of their own between those of the entities, so that no label, of
// an entity or of a relation, can lie on another one. It runs from left to
// right, as the facts are read, and from top to bottom where that would become
// too wide. The same edges and options give the same bytes.
//
// It is for graphs that a reader can take in, some dozens of facts; of a larger
// one the facts that matter most are drawn, and it says how many are left out.
package draw

import (
	"cmp"
	"slices"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/kg"
)

// Kind says how a fact is drawn. Each kind has a colour, a dash and a sign of
// its own, so that none is told by colour alone.
type Kind int

// The kinds, the ones to look at last.
const (
	// Plain is a fact without a judgement.
	Plain Kind = iota
	// Good is a fact that is supported.
	Good
	// Common is a fact that both graphs have.
	Common
	// Extra is a fact that the other graph lacks.
	Extra
	// Missing is a fact that this graph lacks and the other one has.
	Missing
	// Unsure is a fact that could not be judged.
	Unsure
	// Doubtful is a fact that nothing supports.
	Doubtful
	// Disputed is a fact on which the sources disagree.
	Disputed
	// Changed is a fact that the other graph has in another form.
	Changed
	// Bad is a fact that is contradicted.
	Bad
	kinds
)

// look is what tells a kind: class and colours for the light page, where no
// style sheet says otherwise.
type look struct {
	class, word, sign, dash, colour string
	width                           float64
}

var looks = [kinds]look{
	Plain:    {"plain", "", "", "", "#7a7f87", 1.2},
	Good:     {"good", "supported", "", "", "#4a7fa5", 1.5},
	Common:   {"good", "in both", "", "", "#4a7fa5", 1.5},
	Extra:    {"extra", "added", "+", "2 4", "#b3631a", 2},
	Missing:  {"missing", "missing", "−", "8 4", "#3467a8", 2},
	Unsure:   {"unsure", "not judged", "?", "1 5", "#7a7f87", 2},
	Doubtful: {"doubtful", "not in the sources", "?", "2 4", "#a86a00", 2},
	Disputed: {"disputed", "sources disagree", "!", "10 3 2 3", "#8a4f9e", 2},
	Changed:  {"changed", "changed", "≠", "10 3 2 3", "#8a4f9e", 2},
	Bad:      {"bad", "contradicted", "✕", "7 4", "#c0390f", 2.2},
}

func (k Kind) look() look {
	if k < 0 || k >= kinds {
		k = Plain
	}
	return looks[k]
}

// Class returns the CSS class of the kind, without the prefix "kg-".
func (k Kind) Class() string { return k.look().class }

// Sign returns the character that stands before the relation, "" for none.
func (k Kind) Sign() string { return k.look().sign }

// Edge is a fact to draw.
type Edge struct {
	Triple kg.Triple
	Kind   Kind
	// Note is said with the fact where the reader points at it; may be empty.
	Note string
}

// Edges returns the facts of g as edges of one kind; none for a nil graph.
func Edges(g *kg.Graph, k Kind) []Edge {
	var out []Edge
	for t := range g.Triples() {
		out = append(out, Edge{Triple: t, Kind: k})
	}
	return out
}

// Options say how to draw. The zero value is the default.
type Options struct {
	// Title names the drawing for who cannot see it; empty means "Knowledge graph".
	Title string
	// Width is the width in pixels that the drawing should not exceed if it can
	// be helped; 0 means 760. A label is never made smaller for it.
	Width float64
	// Facts and Entities bound what is drawn; 0 means 60 and 40. More than 400 and
	// 300 are never drawn.
	Facts, Entities int
}

func (o Options) withDefaults() Options {
	if o.Title == "" {
		o.Title = "Knowledge graph"
	}
	if !(o.Width > 0) {
		o.Width = 760
	}
	if o.Facts <= 0 {
		o.Facts = 60
	}
	if o.Entities <= 0 {
		o.Entities = 40
	}
	o.Facts, o.Entities = min(o.Facts, 400), min(o.Entities, 300)
	return o
}

// Drawing is a laid out graph. Coordinates are pixels, from the upper left.
type Drawing struct {
	Title         string
	Width, Height float64
	// Labels are those of the entities and of the relations; no two overlap.
	Labels []Label
	// Lines are the arrows, one for each fact.
	Lines []Line
	// Left is how many facts are not drawn.
	Left int

	facts []Edge // those that are drawn
}

// Box is a rectangle: its middle and its size.
type Box struct{ X, Y, W, H float64 }

// Overlaps reports whether the boxes share more than an edge.
func (b Box) Overlaps(c Box) bool {
	const touch = 1e-6
	return 2*abs(b.X-c.X) < b.W+c.W-touch && 2*abs(b.Y-c.Y) < b.H+c.H-touch
}

func abs(x float64) float64 { return max(x, -x) }

// Label is a text in its box.
type Label struct {
	Box
	// Entity tells an entity's label from a relation's.
	Entity bool
	Kind   Kind
	// Lines is the text as shown, wrapped and perhaps cut; Full is all of it.
	Lines []string
	Full  string
	// Right says that the text runs from right to left.
	Right bool
}

// Line is an arrow as the points that a smooth curve runs through; a gap for
// the label lies between the two parts. It ends in an arrow's head.
type Line struct {
	Kind  Kind
	Parts [2][]Point
	// Upright says that the curve leaves its points upwards or downwards, not
	// sideways.
	Upright bool
	Title   string
}

// Point is a place.
type Point struct{ X, Y float64 }

// Layout places the facts. Exact duplicates of a triple are drawn once, as the
// kind that matters most. It never fails; no edges give an empty drawing.
func Layout(edges []Edge, o Options) Drawing {
	o = o.withDefaults()
	edges = distinct(edges)
	drawn := choose(edges, o)
	d := Drawing{Title: o.Title, Left: len(edges) - len(drawn), facts: drawn}
	if len(drawn) == 0 {
		return d
	}
	var parts []Drawing
	for _, c := range components(drawn) {
		parts = append(parts, best(c, o.Width))
	}
	d.pack(parts, o.Width)
	return d
}

// best lays a component out from left to right, unless it fits only when
// laid out from top to bottom.
func best(c *component, width float64) Drawing {
	across := c.layout(false)
	if across.Width <= width {
		return across
	}
	if down := c.layout(true); down.Width <= width || down.Width*1.3 < across.Width {
		return down
	}
	return across
}

// distinct returns edges without repeated triples.
func distinct(edges []Edge) []Edge {
	at := make(map[kg.Triple]int, len(edges))
	var out []Edge
	for _, e := range edges {
		if e.Kind < 0 || e.Kind >= kinds {
			e.Kind = Plain
		}
		if i, ok := at[e.Triple]; ok {
			if e.Kind > out[i].Kind {
				out[i] = e
			}
			continue
		}
		at[e.Triple] = len(out)
		out = append(out, e)
	}
	return out
}

// choose returns the facts that are drawn, in their order: those that matter
// most, and then those that come first, as long as there is room.
func choose(edges []Edge, o Options) []Edge {
	order := make([]int, len(edges))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(edges[b].Kind, edges[a].Kind) })
	entities := map[string]bool{}
	var chosen []int
	for _, i := range order {
		if len(chosen) == o.Facts {
			break
		}
		t := edges[i].Triple
		more := 0
		if !entities[t.Head] {
			more++
		}
		if !entities[t.Tail] && t.Tail != t.Head {
			more++
		}
		if len(entities)+more > o.Entities {
			continue
		}
		entities[t.Head], entities[t.Tail] = true, true
		chosen = append(chosen, i)
	}
	slices.Sort(chosen)
	out := make([]Edge, len(chosen))
	for k, i := range chosen {
		out[k] = edges[i]
	}
	return out
}

const (
	margin = 8.0  // around the drawing
	apart  = 26.0 // between components
)

// pack sets the drawings of components beside each other in rows.
func (d *Drawing) pack(parts []Drawing, width float64) {
	x, y, row := margin, margin, 0.0
	for _, p := range parts {
		if x > margin && x+p.Width+margin > width {
			x, y, row = margin, y+row+apart, 0
		}
		for _, l := range p.Labels {
			l.X += x
			l.Y += y
			d.Labels = append(d.Labels, l)
		}
		for _, l := range p.Lines {
			for _, part := range l.Parts {
				for i := range part {
					part[i].X += x
					part[i].Y += y
				}
			}
			d.Lines = append(d.Lines, l)
		}
		d.Width = max(d.Width, x+p.Width+margin)
		x += p.Width + apart
		row = max(row, p.Height)
		d.Height = y + row + margin
	}
}

// Kinds returns the kinds, the one to look at first first.
func Kinds() []Kind {
	out := make([]Kind, 0, kinds)
	for k := kinds - 1; k >= Plain; k-- {
		out = append(out, k)
	}
	return out
}

// Word says the kind in words, "" for Plain.
func (k Kind) Word() string { return k.look().word }

// Key returns a short line as it is drawn for the kind, a small <svg> element
// for a legend that says the word beside it.
func (k Kind) Key() string {
	l := k.look()
	dash := ""
	if l.dash != "" {
		dash = ` stroke-dasharray="` + l.dash + `"`
	}
	return `<svg class="kg-key kg-` + l.class + `" width="34" height="10" viewBox="0 0 34 10" aria-hidden="true"><path class="kg-line" d="M0 5H26" stroke="` +
		l.colour + `" stroke-width="` + num(l.width) + `"` + dash + `/><path class="kg-tip" d="M34 5L26 9L26 1Z" fill="` + l.colour + `"/></svg>`
}

// ForVerdict returns the kind in which a claim of a verdict is drawn.
func ForVerdict(v claim.Verdict) Kind {
	switch v {
	case claim.Supported:
		return Good
	case claim.Contradicted:
		return Bad
	case claim.Conflicting:
		return Disputed
	case claim.Unsupported:
		return Doubtful
	}
	return Unsure
}
