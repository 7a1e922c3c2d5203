package report

import (
	"html/template"
	"io"

	"github.com/kgeval/kgeval/internal/draw"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/tau"
)

// Graph writes a drawing of g as a <figure> with inline SVG whose text can be
// selected. Up to 40 entities and 60 facts are drawn; where there are more, the
// caption says how many are left out. A nil graph is an empty one. Errors are
// those of w.
func Graph(w io.Writer, g *kg.Graph, o Options) error {
	o = o.withDefaults()
	f, err := newFigure(draw.Edges(g, draw.Plain), "Facts of "+o.Name, o.Width)
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(w, "figure", f)
}

// figure is a drawing with a caption.
type figure struct {
	Caption string
	SVG     template.HTML
	Left    int
}

func newFigure(edges []draw.Edge, caption string, width float64) (figure, error) {
	f := figure{Caption: mark.Plain(caption)}
	if len(edges) == 0 {
		return f, nil
	}
	d := draw.Layout(edges, draw.Options{Title: caption, Width: width})
	f.Left = d.Left
	var err error
	f.SVG, err = svg(d)
	return f, err
}

// Pair writes the two graphs of a comparison as drawings beside each other (one
// above the other where it is narrow): what only the reference has is missing,
// what only the answer has is added, and what both have in another form is
// changed, each in a colour, dash and sign of its own. Names are what reference
// and answer are called. Errors are those of w.
func Pair(w io.Writer, r tau.Report, reference, answer string, o Options) error {
	v, err := newPair(r, reference, answer, o.withDefaults())
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(w, "pair", v)
}

type pairView struct {
	Figures []figure
	Legend  []key
}

func newPair(r tau.Report, reference, answer string, o Options) (pairView, error) {
	left, right := pairEdges(r)
	var v pairView
	for _, side := range []struct {
		edges []draw.Edge
		name  string
	}{{left, reference}, {right, answer}} {
		f, err := newFigure(side.edges, "Facts of "+side.name, o.Width/2)
		if err != nil {
			return v, err
		}
		v.Figures = append(v.Figures, f)
	}
	v.Legend = keys(append(left, right...))
	return v, nil
}

// pairEdges says how the facts of reference and answer are drawn.
func pairEdges(r tau.Report) (reference, answer []draw.Edge) {
	for _, f := range r.Findings {
		kind, note := draw.Changed, string(f.Class)
		switch f.Class {
		case tau.Aligned:
			kind, note = draw.Common, ""
		case tau.Missing:
			reference = append(reference, draw.Edge{Triple: f.Reference, Kind: draw.Missing})
			continue
		case tau.Extra:
			answer = append(answer, draw.Edge{Triple: f.Answer, Kind: draw.Extra})
			continue
		}
		reference = append(reference, draw.Edge{Triple: f.Reference, Kind: kind, Note: note})
		answer = append(answer, draw.Edge{Triple: f.Answer, Kind: kind, Note: note})
	}
	return reference, answer
}

// merged gives entities that differ only in case, an article or punctuation
// ("the bridge", "The bridge") one label, that of the first: a reader takes them
// for one thing.
func merged(edges []draw.Edge) []draw.Edge {
	var n kg.Normalizer
	first := map[string]string{}
	label := func(s string) string {
		k := n.Entity(s)
		if l, ok := first[k]; ok {
			return l
		}
		first[k] = s
		return s
	}
	out := make([]draw.Edge, len(edges))
	for i, e := range edges {
		e.Triple.Head, e.Triple.Tail = label(e.Triple.Head), label(e.Triple.Tail)
		out[i] = e
	}
	return out
}
