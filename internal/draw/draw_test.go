package draw

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kgeval/kgeval/kg"
)

func edge(h, r, t string, k Kind) Edge {
	return Edge{Triple: kg.Triple{Head: h, Relation: r, Tail: t}, Kind: k}
}

// random makes a graph of n entities with labels of any length and script.
func random(r *rand.Rand, n, m int) []Edge {
	words := []string{
		"Ada", "river", "of the", "Bürgermeister", "長江大橋", "مدينة", "ירושלים", "Pneumonoultramicroscopicsilicovolcanoconiosis",
		"<b>x</b>", "1935", "W", "iiii", "🏳️‍🌈", "สะพาน", "पुल", "é\u0301", "x-ray & co.", "",
	}
	text := func() string {
		var b []string
		for range r.IntN(9) {
			b = append(b, words[r.IntN(len(words))])
		}
		return strings.Join(b, " ")
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%d %s", i, text())
	}
	var out []Edge
	for range m {
		out = append(out, edge(names[r.IntN(n)], text(), names[r.IntN(n)], Kind(r.IntN(int(kinds)))))
	}
	return out
}

// shapes are graphs that are hard to lay out, and many random ones.
func shapes() map[string][]Edge {
	out := map[string][]Edge{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(40)
		out[fmt.Sprintf("random %d", seed)] = random(r, n, 1+r.IntN(2*n))
	}
	var hub, in, chain, circle, whole, loops, parallel, both []Edge
	for i := range 39 {
		a, b := fmt.Sprint("entity ", i), fmt.Sprint("entity ", i+1)
		hub = append(hub, edge("hub", "has a part that is called", a, Plain))
		in = append(in, edge(a, "belongs to", "hub", Bad))
		chain = append(chain, edge(a, "comes before", b, Plain))
		circle = append(circle, edge(a, "comes before", fmt.Sprint("entity ", (i+1)%39), Doubtful))
		loops = append(loops, edge(a, "knows", a, Missing))
		parallel = append(parallel, edge("a", fmt.Sprint("relation ", i), "b", Kind(i%int(kinds))))
		both = append(both, edge("a", fmt.Sprint("to ", i), "b", Plain), edge("b", fmt.Sprint("back ", i), "a", Extra))
		for j := range 39 {
			whole = append(whole, edge(a, "meets", fmt.Sprint("entity ", j), Plain))
		}
	}
	out["hub"], out["inward hub"], out["chain"], out["circle"] = hub, in, chain, circle
	out["complete"], out["loops"], out["parallel"], out["both ways"] = whole, loops, parallel, both
	out["one"] = []Edge{edge("", "", "", Plain)}
	return out
}

func TestNoLabelOverlapsAnother(t *testing.T) {
	for name, edges := range shapes() {
		for _, width := range []float64{300, 0, 2000} {
			d := Layout(edges, Options{Width: width})
			if len(d.Labels) == 0 {
				t.Errorf("%s: nothing drawn", name)
			}
			for i, a := range d.Labels {
				if a.X-a.W/2 < 0 || a.Y-a.H/2 < 0 || a.X+a.W/2 > d.Width || a.Y+a.H/2 > d.Height {
					t.Errorf("%s: label %q lies outside of the drawing", name, a.Full)
				}
				for _, b := range d.Labels[:i] {
					if a.Overlaps(b.Box) {
						t.Fatalf("%s, width %v: labels %q %v and %q %v overlap", name, width, a.Full, a.Box, b.Full, b.Box)
					}
				}
			}
		}
	}
}

// bezier returns points on the curve that curve writes.
func bezier(points []Point, upright bool, visit func(Point)) {
	for i := 1; i < len(points); i++ {
		p, q := points[i-1], points[i]
		m, n := Point{(p.X + q.X) / 2, p.Y}, Point{(p.X + q.X) / 2, q.Y}
		if upright {
			m, n = Point{p.X, (p.Y + q.Y) / 2}, Point{q.X, (p.Y + q.Y) / 2}
		}
		for s := 0.0; s <= 1; s += 0.05 {
			a, b, c, d := (1-s)*(1-s)*(1-s), 3*s*(1-s)*(1-s), 3*s*s*(1-s), s*s*s
			visit(Point{a*p.X + b*m.X + c*n.X + d*q.X, a*p.Y + b*m.Y + c*n.Y + d*q.Y})
		}
	}
}

func TestNoArrowLiesOnALabel(t *testing.T) {
	for name, edges := range shapes() {
		d := Layout(edges, Options{})
		for _, l := range d.Lines {
			for _, part := range l.Parts {
				bezier(part, l.Upright, func(p Point) {
					if math.IsNaN(p.X+p.Y) || math.IsInf(p.X+p.Y, 0) {
						t.Fatalf("%s: a line through %v", name, p)
					}
					for _, b := range d.Labels {
						if 2*math.Abs(p.X-b.X) < b.W-0.01 && 2*math.Abs(p.Y-b.Y) < b.H-0.01 {
							t.Errorf("%s: the line of %q runs over %q", name, l.Title, b.Full)
							return
						}
					}
				})
			}
		}
	}
}

// Every line of a label fits into its box, by the measure of the font.
func TestLabelsFitTheirBoxes(t *testing.T) {
	for name, edges := range shapes() {
		for _, l := range Layout(edges, Options{}).Labels {
			size, most := relationSize, relationLines
			if l.Entity {
				size, most = entitySize, entityLines
			}
			if len(l.Lines) == 0 || len(l.Lines) > most {
				t.Errorf("%s: %q has %d lines", name, l.Full, len(l.Lines))
			}
			for _, line := range l.Lines {
				if measure(line, size) > l.W || !utf8.ValidString(line) {
					t.Errorf("%s: line %q is wider than its box", name, line)
				}
			}
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		room float64
		want []string
	}{
		{"", 100, nil},
		{"Golden Gate Bridge", 80, []string{"Golden Gate", "Bridge"}},
		{"Golden Gate Bridge", 500, []string{"Golden Gate Bridge"}},
		{"one two three four five six seven", 45, []string{"one two", "three", "four…"}},
		{"aaaaaaaaaaaaaaaaaaaaaaaa b", 100, []string{"aaaaaaaaaaaaaa", "aaaaaaaaaa b"}},
		{"e\u0301e\u0301e\u0301", 10, []string{"e\u0301", "e\u0301", "e\u0301"}},
		{"長江大橋", 30, []string{"長江", "大橋"}},
	} {
		got := wrap(c.text, 12, c.room, 3)
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("wrap(%q, %v) = %q, want %q", c.text, c.room, got, c.want)
		}
	}
}

// text returns the text that the SVG shows, and fails if it is not well-formed
// XML or holds an element that Layout does not write.
func text(t *testing.T, svg string) string {
	t.Helper()
	known := " svg title desc g path rect text tspan "
	var b strings.Builder
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, svg)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if !strings.Contains(known, " "+tok.Name.Local+" ") {
				t.Fatalf("a label became the element %s", tok.Name.Local)
			}
			for _, a := range tok.Attr {
				if strings.HasPrefix(a.Name.Local, "on") {
					t.Fatalf("a label became the attribute %s", a.Name.Local)
				}
			}
		case xml.CharData:
			b.Write(tok)
			b.WriteString(" ")
		}
	}
}

func svg(t *testing.T, edges []Edge, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := Layout(edges, o).WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSVGIsWellFormedWhateverTheLabels(t *testing.T) {
	evil := []string{
		"</text><script>alert(1)</script>", `" onload="alert(1)`, "]]>", "&lt;", "a\x00b\x1b[31m", "\xff\xfe", "\u202eevil", "\ufffe", "<!--",
	}
	for _, e := range evil {
		got := text(t, svg(t, []Edge{edge(e, e, e+e, Bad), {Triple: kg.Triple{Head: e}, Note: e}}, Options{Title: e}))
		if !strings.Contains(got, "contradicted") {
			t.Errorf("%q: the kind is not said in %s", e, got)
		}
	}
	for name, edges := range shapes() {
		if text(t, svg(t, edges, Options{})) == "" {
			t.Errorf("%s: no text", name)
		}
	}
}

func TestSVGSaysWhatItShows(t *testing.T) {
	got := svg(t, []Edge{
		edge("The bridge", "opened in", "1935", Bad),
		edge("The bridge", "crosses", "the river", Good),
		edge("The bridge", "opened in", "1935", Plain),
	}, Options{Title: "Facts of the answer"})
	for _, want := range []string{
		`role="img"`, `aria-label="Facts of the answer: 2 facts, 1 contradicted, 1 supported"`, "<title>Facts of the answer</title>",
		"The bridge — opened in → 1935 (contradicted)", `stroke-dasharray="7 4"`, "✕\u00a0opened in", "currentColor",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, `class="kg-fact`); n != 2 {
		t.Errorf("%d facts drawn, want 2", n)
	}
}

// A kind is told by its colour, and also by dash or sign.
func TestKindsDifferWithoutColour(t *testing.T) {
	seen := map[string]Kind{}
	for k := Plain; k < kinds; k++ {
		if k == Good || k == Common {
			continue // drawn as a plain fact on purpose: nothing is wrong with it
		}
		key := looks[k].dash + "|" + looks[k].sign
		if other, ok := seen[key]; ok {
			t.Errorf("kinds %s and %s differ in colour only", k.Class(), other.Class())
		}
		seen[key] = k
	}
}

func TestSameEdgesSameBytes(t *testing.T) {
	edges := random(rand.New(rand.NewPCG(7, 7)), 30, 60)
	want := svg(t, edges, Options{})
	for range 20 {
		if got := svg(t, edges, Options{}); got != want {
			t.Fatal("two drawings of the same edges differ")
		}
	}
}

func TestFewFactsOfAHugeGraphAreDrawn(t *testing.T) {
	var edges []Edge
	for i := range 100_000 {
		k := Plain
		if i == 77_777 {
			k = Bad
		}
		edges = append(edges, edge(fmt.Sprint(i), "r", fmt.Sprint(i*7%100_000), k))
	}
	begin := time.Now()
	d := Layout(edges, Options{})
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	entities := 0
	for _, l := range d.Labels {
		if l.Entity {
			entities++
		}
	}
	if entities > 40 || len(d.Lines) > 60 || d.Left != len(edges)-len(d.Lines) {
		t.Errorf("%d entities and %d facts drawn, %d left", entities, len(d.Lines), d.Left)
	}
	if !strings.Contains(svg(t, edges, Options{}), "more not drawn") || d.facts[0].Kind != Bad && d.facts[len(d.facts)-1].Kind != Bad {
		t.Error("the contradicted fact must be drawn, and what is left out be said")
	}
	big := strings.Repeat("x", 10<<20)
	if got := svg(t, []Edge{edge(big, big, big, Bad)}, Options{}); len(got) > 40_000 {
		t.Errorf("a label of 10 MB makes %d bytes", len(got))
	}
	everything := svg(t, random(rand.New(rand.NewPCG(1, 2)), 2000, 9000), Options{Facts: 1 << 30, Entities: 1 << 30})
	if n := strings.Count(everything, `class="kg-fact`); n > 400 {
		t.Errorf("%d facts drawn", n)
	}
}

func TestNothingToDraw(t *testing.T) {
	if got := svg(t, Edges(nil, Plain), Options{}); !strings.Contains(got, "0 facts") {
		t.Error(got)
	}
}

func TestRightToLeft(t *testing.T) {
	for s, want := range map[string]bool{"": false, "Ada": false, "12 שלום": true, "مدينة X": true, "X مدينة": false} {
		if fromRight(s) != want {
			t.Errorf("fromRight(%q) = %t", s, !want)
		}
	}
}

func FuzzSVG(f *testing.F) {
	f.Add("The bridge", "opened in", "1935", 300.0)
	f.Add("\xff", "</svg>", "a\u200d\u0301", -1.0)
	f.Fuzz(func(t *testing.T, h, r, tail string, width float64) {
		edges := []Edge{edge(h, r, tail, Bad), edge(tail, r+h, h, Kind(len(r))), edge(h, tail, h, Plain)}
		text(t, svg(t, edges, Options{Title: r, Width: width}))
	})
}
