package draw

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
)

// num writes a coordinate with a tenth of a pixel.
func num(x float64) string {
	s := strconv.FormatFloat(x, 'f', 1, 64)
	s = strings.TrimSuffix(s, ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

// describe says the drawing in words: how many facts of which kind.
func (d Drawing) describe() string {
	var b strings.Builder
	if len(d.facts) == 1 {
		b.WriteString("1 fact")
	} else {
		fmt.Fprintf(&b, "%d facts", len(d.facts))
	}
	var count [kinds]int
	for _, f := range d.facts {
		count[f.Kind]++
	}
	for k := kinds - 1; k > Plain; k-- {
		if count[k] > 0 {
			fmt.Fprintf(&b, ", %d %s", count[k], k.look().word)
		}
	}
	if d.Left > 0 {
		fmt.Fprintf(&b, "; %d more not drawn", d.Left)
	}
	return b.String()
}

const (
	spoken    = 30  // facts that the description says one by one
	tipLength = 8.0 // of an arrow's head
)

// WriteSVG writes the drawing as one <svg> element, for inline use in HTML. Its
// text can be selected. It stands alone in a light or dark page: ink is
// currentColor; a style sheet may set the colours by the classes "kg-…" (see
// package report). Nothing in a label can leave its place: everything is
// escaped. Errors are those of w.
func (d Drawing) WriteSVG(w io.Writer) error {
	b := bufio.NewWriter(w)
	width, height := num(max(d.Width, 1)), num(max(d.Height, 1))
	about := d.Title + ": " + d.describe()
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" class="kg-graph" role="img" aria-label="%s" width="%s" height="%s" viewBox="0 0 %s %s" font-family="'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif" fill="none">`,
		html.EscapeString(clean(about, 600)), width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title><desc>", html.EscapeString(clean(d.Title, 600)))
	for i, f := range d.facts {
		if i == spoken {
			b.WriteString("…")
			break
		}
		b.WriteString(html.EscapeString(title(f)) + ". ")
	}
	b.WriteString("</desc>\n")
	for _, l := range d.Lines {
		l.write(b)
	}
	for _, l := range d.Labels {
		l.write(b)
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

func (l Line) write(b *bufio.Writer) {
	look := l.Kind.look()
	dash := ""
	if look.dash != "" {
		dash = ` stroke-dasharray="` + look.dash + `"`
	}
	fmt.Fprintf(b, `<g class="kg-fact kg-%s"><title>%s</title>`, look.class, html.EscapeString(l.Title))
	// The curve ends where the arrow's head begins.
	last := l.Parts[1]
	tip, n := last[len(last)-1], len(last)-1
	for n > 1 && abs(last[n-1].X-tip.X)+abs(last[n-1].Y-tip.Y) < tipLength {
		n--
	}
	base := tip
	if l.Upright {
		base.Y += tipLength * sign(last[n-1].Y-tip.Y)
	} else {
		base.X += tipLength * sign(last[n-1].X-tip.X)
	}
	fmt.Fprintf(b, `<path class="kg-line" d="%s%s" stroke="%s" stroke-width="%s"%s/>`,
		curve(l.Parts[0], l.Upright), curve(append(last[:n:n], base), l.Upright), look.colour, num(look.width), dash)
	side := Point{0, 4}
	if l.Upright {
		side = Point{4, 0}
	}
	fmt.Fprintf(b, `<path class="kg-tip" d="M%s %sL%s %sL%s %sZ" fill="%s"/></g>`+"\n",
		num(tip.X), num(tip.Y), num(base.X+side.X), num(base.Y+side.Y), num(base.X-side.X), num(base.Y-side.Y), look.colour)
}

func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// curve is a path through the points that leaves and reaches each of them
// straight along.
func curve(points []Point, upright bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%s %s", num(points[0].X), num(points[0].Y))
	for i := 1; i < len(points); i++ {
		p, q := points[i-1], points[i]
		switch {
		case p == q:
		case p.X == q.X || p.Y == q.Y:
			fmt.Fprintf(&b, "L%s %s", num(q.X), num(q.Y))
		case upright:
			m := num((p.Y + q.Y) / 2)
			fmt.Fprintf(&b, "C%s %s %s %s %s %s", num(p.X), m, num(q.X), m, num(q.X), num(q.Y))
		default:
			m := num((p.X + q.X) / 2)
			fmt.Fprintf(&b, "C%s %s %s %s %s %s", m, num(p.Y), m, num(q.Y), num(q.X), num(q.Y))
		}
	}
	return b.String()
}

func (l Label) write(b *bufio.Writer) {
	look := l.Kind.look()
	class, size, weight := "kg-relation kg-"+look.class, relationSize, ""
	if l.Entity {
		class, size, weight = "kg-entity", entitySize, ` font-weight="600"`
	}
	fmt.Fprintf(b, `<g class="%s"><title>%s</title>`, class, html.EscapeString(l.Full))
	fill := look.colour
	if l.Entity {
		fill = "currentColor"
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" rx="7" stroke="currentColor" stroke-opacity=".35"/>`,
			num(l.X-l.W/2), num(l.Y-l.H/2), num(l.W), num(l.H))
	}
	direction := ""
	if l.Right {
		direction = ` direction="rtl"`
	}
	fmt.Fprintf(b, `<text font-size="%s"%s text-anchor="middle" fill="%s"%s>`, num(size), weight, fill, direction)
	// The baseline of the first line: the block of lines is centred.
	y := l.Y - float64(len(l.Lines))*size*leading/2 + size*(leading+0.72)/2
	for i, line := range l.Lines {
		fmt.Fprintf(b, `<tspan x="%s" y="%s">%s</tspan>`, num(l.X), num(y+float64(i)*size*leading), html.EscapeString(line))
	}
	b.WriteString("</text></g>\n")
}
