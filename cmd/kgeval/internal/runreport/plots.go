package runreport

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/kgeval/kgeval/tau"
)

// Plots are drawn in stand-in colours, which become the page's own properties:
// so they follow light and dark. #01xxxx is no colour that a plot would use.
var (
	ink  = standIn(1)
	soft = standIn(2)
	rule = standIn(3)
)

// Of series and classes: stand-ins from 16 and 48 on.
func seriesColor(i int) color.Color { return standIn(16 + uint8(i%colours)) }
func classColor(i int) color.Color  { return standIn(48 + uint8(i)) }

const colours = 8

func standIn(n uint8) color.Color { return color.RGBA{R: 1, G: 2, B: n, A: 255} }

// names are the properties of the stand-ins.
func property(n int) string {
	switch {
	case n == 1:
		return "--kg-ink"
	case n == 2:
		return "--kg-soft"
	case n == 3:
		return "--kg-rule"
	case n >= 48:
		return fmt.Sprintf("--kg-t%d", n-48)
	}
	return fmt.Sprintf("--kg-c%d", n-16)
}

// shapes and dashes tell series apart without colour.
var (
	shapes = []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}, draw.RingGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{},
	}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {10, 4}, {4, 2}, {1, 3}, {12, 2, 2, 2}}
)

// figure is a plot with its words.
type figure struct {
	ID, Title, Note string
	SVG             template.HTML
	Keys            []plotKey
}

// plotKey is an entry of a legend in HTML: a colour with a shape and a name.
type plotKey struct {
	Color template.CSS
	Shape string
	Name  string
}

// shapeSigns are the characters that stand for shapes in a legend.
var shapeSigns = []string{"●", "△", "□", "○", "▲", "■", "✕", "+"}

func (r *Report) keys() []plotKey {
	var out []plotKey
	for i, s := range r.Series {
		out = append(out, plotKey{template.CSS(fmt.Sprintf("color:var(--kg-c%d)", i%colours)), shapeSigns[i%len(shapeSigns)], s.Name})
	}
	return out
}

func style(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  draw.XCenter,
		YAlign:  draw.YCenter,
		Handler: plot.DefaultTextHandler,
	}
}

// newPlot is a plot in the page's style: no frame, a light grid, small words.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []struct {
		axis  *plot.Axis
		label string
	}{{&p.X, x}, {&p.Y, y}} {
		a.axis.Label.Text = a.label
		old := a.axis.Label.TextStyle
		a.axis.Label.TextStyle = style(10, soft)
		a.axis.Label.TextStyle.XAlign, a.axis.Label.TextStyle.YAlign = old.XAlign, old.YAlign
		a.axis.Label.TextStyle.Rotation = old.Rotation
		a.axis.Label.Padding = 6
		old = a.axis.Tick.Label
		a.axis.Tick.Label = style(9, soft)
		a.axis.Tick.Label.XAlign, a.axis.Tick.Label.YAlign = old.XAlign, old.YAlign
		a.axis.LineStyle.Color = rule
		a.axis.LineStyle.Width = 1
		a.axis.Tick.LineStyle.Color = rule
		a.axis.Tick.Length = 3
		a.axis.Padding = 6
	}
	return p
}

func grid(p *plot.Plot) {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = rule, rule
	g.Vertical.Width, g.Horizontal.Width = 0.6, 0.6
	p.Add(g)
}

// share is an axis from 0 to 1.
func share(a *plot.Axis) {
	a.Min, a.Max = 0, 1
	a.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.25}, {Value: 0.5, Label: "0.5"}, {Value: 0.75}, {Value: 1, Label: "1"}}
}

var (
	colour = regexp.MustCompile(`#0102([0-9A-Fa-f]{2})`)
	root   = regexp.MustCompile(`(?s)^.*?<svg[^>]*?viewBox="([^"]*)"[^>]*>`)
	family = regexp.MustCompile(`font-family:[^;"]*;`)
)

// inline writes a plot as an SVG element for a page: text as text, colours as
// properties, a name for who cannot see it.
func inline(p *plot.Plot, w, h vg.Length, title string) (template.HTML, error) {
	c := vgsvg.New(w, h)
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", err
	}
	s := b.String()
	m := root.FindStringSubmatch(s)
	if m == nil {
		return "", fmt.Errorf("plot %q: no SVG element", title)
	}
	s = s[len(m[0]):]
	s = colour.ReplaceAllStringFunc(s, func(c string) string {
		var n int
		fmt.Sscanf(c[len("#0102"):], "%x", &n)
		return "var(" + property(n) + ")"
	})
	s = family.ReplaceAllString(s, "")
	t := html.EscapeString(title)
	return template.HTML(fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" aria-label="%s" viewBox="%s" style="max-width:%.0fpx"><title>%s</title>%s`,
		t, m[1], float64(w)*1.2, t, strings.TrimSpace(s))), nil
}

// figures are the report's plots. A plot without values is left out.
func (r *Report) figures() ([]figure, error) {
	var out []figure
	add := func(f figure, ok bool, err error) error {
		if ok && err == nil {
			out = append(out, f)
		}
		return err
	}
	for _, draw := range []func() (figure, bool, error){r.byTemperature, r.scatter, r.distribution} {
		if err := add(draw()); err != nil {
			return nil, err
		}
	}
	for _, t := range r.taxonomies() {
		f, err := r.stacked(t)
		if err := add(f, true, err); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// models returns the names of models in order with the places of their series.
func (r *Report) models() (names []string, series map[string][]int) {
	series = map[string][]int{}
	for i, s := range r.Series {
		if series[s.Model] == nil {
			names = append(names, s.Model)
		}
		series[s.Model] = append(series[s.Model], i)
	}
	return names, series
}

// byTemperature draws CUS with its interval against the temperature, a line a
// model.
func (r *Report) byTemperature() (figure, bool, error) {
	f := figure{ID: "temperature", Title: "Context understanding against temperature", Note: "Means with bootstrap intervals. Each model is moved a little sideways so that intervals can be told apart."}
	p := newPlot("temperature", "CUS")
	grid(p)
	names, series := r.models()
	drawn := false
	bottom, top := 1.0, 0.0
	low, high := math.Inf(1), math.Inf(-1)
	for k, n := range names {
		var xy plotter.XYs
		var errs plotter.YErrors
		for _, i := range series[n] {
			s := r.Series[i]
			if s.Similarity.Counted == 0 {
				continue
			}
			v := s.Similarity.CUS
			x := s.Temperature + 0.012*(float64(k)-float64(len(names)-1)/2)
			xy = append(xy, plotter.XY{X: x, Y: v.Value})
			errs = append(errs, struct{ Low, High float64 }{v.Value - v.Low, v.High - v.Value})
			low, high = min(low, s.Temperature), max(high, s.Temperature)
			bottom, top = min(bottom, v.Low), max(top, v.High)
		}
		if len(xy) == 0 {
			continue
		}
		drawn = true
		c := seriesColor(k)
		line, points, err := plotter.NewLinePoints(xy)
		if err != nil {
			return f, false, err
		}
		line.Color, line.Width, line.Dashes = c, 1.5, dashes[k%len(dashes)]
		points.Shape, points.Color, points.Radius = shapes[k%len(shapes)], c, 3.5
		bars, err := plotter.NewYErrorBars(struct {
			plotter.XYer
			plotter.YErrorer
		}{xy, errs})
		if err != nil {
			return f, false, err
		}
		bars.Color, bars.Width, bars.CapWidth = c, 1.2, 5
		p.Add(line, bars, points)
		f.Keys = append(f.Keys, plotKey{template.CSS(fmt.Sprintf("color:var(--kg-c%d)", k%colours)), shapeSigns[k%len(shapeSigns)], name(n)})
	}
	if !drawn {
		return f, false, nil
	}
	p.X.Min, p.X.Max = low-0.08, high+0.08
	// Not from 0 to 1: differences between models are small. The axis says so.
	p.Y.Min, p.Y.Max = max(0, math.Floor(bottom*10)/10), min(1, math.Ceil(top*10)/10)
	if p.Y.Min == 0 && p.Y.Max == 0 {
		p.Y.Max = 0.1
	}
	var ticks plot.ConstantTicks
	for _, t := range r.Run.Header.Temperatures {
		ticks = append(ticks, plot.Tick{Value: t, Label: fmt.Sprintf("%g", t)})
	}
	if len(ticks) > 0 {
		p.X.Tick.Marker = ticks
	}
	var err error
	f.SVG, err = inline(p, 420, 300, f.Title)
	return f, true, err
}

// plotted bounds the points of a scatter plot.
const plotted = 2000

// scatter draws GoldSim against CtxSim, a point an answer.
func (r *Report) scatter() (figure, bool, error) {
	f := figure{ID: "scatter", Title: "Alike to the gold answer, covered by the context", Keys: r.keys(),
		Note: "A point an answer. High and left: right, but not from the context. Low and right: from the context, but not what was asked."}
	p := newPlot("CtxSim: covered by the context", "GoldSim: like the gold answer")
	grid(p)
	share(&p.X)
	share(&p.Y)
	total := 0
	for _, s := range r.Series {
		total += len(s.values)
	}
	if total == 0 {
		return f, false, nil
	}
	step := (total + plotted - 1) / plotted
	if step > 1 {
		f.Note += fmt.Sprintf(" One in %d of %d answers is drawn.", step, total)
	}
	for i, s := range r.Series {
		var xy plotter.XYs
		for k := 0; k < len(s.values); k += step {
			xy = append(xy, plotter.XY{X: s.values[k][1], Y: s.values[k][0]})
		}
		if len(xy) == 0 {
			continue
		}
		points, err := plotter.NewScatter(xy)
		if err != nil {
			return f, false, err
		}
		points.Shape, points.Color, points.Radius = shapes[i%len(shapes)], seriesColor(i), 2.4
		p.Add(points)
	}
	var err error
	f.SVG, err = inline(p, 420, 340, f.Title)
	return f, true, err
}

// lanes sets up a plot with one horizontal lane for each series, the first one
// on top, and returns its height.
func (r *Report) lanes(p *plot.Plot) vg.Length {
	n := len(r.Series)
	var ticks plot.ConstantTicks
	for i := range r.Series {
		ticks = append(ticks, plot.Tick{Value: float64(n - 1 - i), Label: short(r.Series[i].Name)})
	}
	p.Y.Tick.Marker = ticks
	p.Y.Tick.Length = 0
	p.Y.Tick.Label.Color = ink
	p.Y.LineStyle.Width = 0
	p.Y.Min, p.Y.Max = -0.6, float64(n)-0.4
	p.Y.Padding = 8
	return vg.Length(70 + 30*n)
}

// short cuts a name for an axis.
func short(s string) string {
	if r := []rune(s); len(r) > 26 {
		return string(r[:25]) + "…"
	}
	return s
}

// stacked draws the shares of TAU's classes, a bar a series.
func (r *Report) stacked(t taxonomy) (figure, error) {
	f := figure{ID: t.ID, Title: t.Title, Note: t.Note}
	p := newPlot("share of findings", "")
	height := r.lanes(p)
	p.X.Min, p.X.Max = 0, 1
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.25, Label: "25%"}, {Value: 0.5, Label: "50%"}, {Value: 0.75, Label: "75%"}, {Value: 1, Label: "100%"}}
	classes := tau.Classes()
	n := len(r.Series)
	totals := make([]float64, n)
	for i := range r.Series {
		for _, c := range classes {
			totals[i] += float64(t.Counts[i][c])
		}
	}
	var below *plotter.BarChart
	at := make([]float64, n)
	var labels plotter.XYLabels
	for k, c := range classes {
		values := make(plotter.Values, n)
		for i := range r.Series {
			lane := n - 1 - i
			if totals[i] > 0 {
				values[lane] = float64(t.Counts[i][c]) / totals[i]
			}
			if values[lane] >= 0.06 {
				labels.XYs = append(labels.XYs, plotter.XY{X: at[lane] + values[lane]/2, Y: float64(lane)})
				labels.Labels = append(labels.Labels, fmt.Sprintf("%.0f%%", 100*values[lane]))
			}
			at[lane] += values[lane]
		}
		bars, err := plotter.NewBarChart(values, 17)
		if err != nil {
			return f, err
		}
		bars.Horizontal, bars.Color, bars.LineStyle.Width = true, classColor(k), 0
		if below != nil {
			bars.StackOn(below)
		}
		below = bars
		p.Add(bars)
		if slices.Max(values) > 0 {
			f.Keys = append(f.Keys, plotKey{template.CSS(fmt.Sprintf("color:var(--kg-t%d)", k)), "■", string(c)})
		}
	}
	if len(labels.XYs) > 0 {
		l, err := plotter.NewLabels(labels)
		if err != nil {
			return f, err
		}
		for i := range l.TextStyle {
			l.TextStyle[i] = style(9, standIn(48+uint8(len(classes))))
		}
		p.Add(l)
	}
	var err error
	f.SVG, err = inline(p, 520, height, f.Title)
	return f, err
}

// distribution draws quartiles, whiskers and outliers of CUS for each series.
func (r *Report) distribution() (figure, bool, error) {
	f := figure{ID: "distribution", Title: "How the scores are spread", Note: "The box holds the middle half of the answers' CUS, the line in it is the median; circles lie over 1.5 box lengths away."}
	p := newPlot("CUS", "")
	height := r.lanes(p)
	share(&p.X)
	g := plotter.NewGrid()
	g.Vertical.Color, g.Vertical.Width, g.Horizontal.Width = rule, 0.6, 0
	p.Add(g)
	drawn := false
	for i, s := range r.Series {
		var values plotter.Values
		for _, x := range s.scores {
			if x.Counted() {
				values = append(values, x.CUS)
			}
		}
		if len(values) == 0 {
			continue
		}
		// Outliers are drawn one by one: of many answers a part is enough.
		if step := (len(values) + plotted - 1) / plotted; step > 1 {
			slices.Sort(values)
			var some plotter.Values
			for k := step / 2; k < len(values); k += step {
				some = append(some, values[k])
			}
			values = some
		}
		drawn = true
		box, err := plotter.NewBoxPlot(13, float64(len(r.Series)-1-i), values)
		if err != nil {
			return f, false, err
		}
		c := seriesColor(i)
		box.Horizontal = true
		box.BoxStyle.Color, box.MedianStyle.Color, box.WhiskerStyle.Color, box.GlyphStyle.Color = c, c, c, c
		box.BoxStyle.Width, box.MedianStyle.Width, box.WhiskerStyle.Width = 1.2, 2.4, 1
		box.WhiskerStyle.Dashes = nil
		box.GlyphStyle.Shape, box.GlyphStyle.Radius = draw.RingGlyph{}, 2
		p.Add(box)
	}
	if !drawn {
		return f, false, nil
	}
	p.X.Min, p.X.Max = 0, 1
	p.Y.Min, p.Y.Max = -0.6, float64(len(r.Series))-0.4
	var err error
	f.SVG, err = inline(p, 520, height, f.Title)
	return f, true, err
}
