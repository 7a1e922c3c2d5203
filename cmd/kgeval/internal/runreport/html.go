package runreport

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/report"
	"github.com/kgeval/kgeval/tau"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

var page = template.Must(template.New("run").Funcs(template.FuncMap{
	"interval": interval, "signed": signed, "classes": tau.Classes,
	"whisker": whisker,
	"setting": func(s string) string {
		if len(s) > 300 {
			return strings.ToValidUTF8(s[:300], "") + "…"
		}
		return s
	},
}).Parse(pageHTML))

// whisker draws a value with its interval on the axis from 0 to 1, or from -1 to
// 1 for a difference.
func whisker(v metrics.Interval, difference bool) template.HTML {
	const w = 120.0
	x := func(v float64) float64 { return 4 + (w-8)*min(max(v, 0), 1) }
	zero := ""
	if difference {
		scale := 0.5
		x = func(v float64) float64 { return w/2 + (w/2-4)*min(max(v/scale, -1), 1) }
		zero = fmt.Sprintf(`<path d="M%.1f 1V15" class="zero"/>`, x(0))
	}
	return template.HTML(fmt.Sprintf(`<svg class="whisker" width="120" height="16" viewBox="0 0 120 16" aria-hidden="true"><path d="M4 8H116" class="axis"/>%s<path d="M%.1f 8H%.1f" class="range"/><circle cx="%.1f" cy="8" r="3.5"/></svg>`,
		zero, x(v.Low), x(v.High), x(v.Value)))
}

type pageView struct {
	*Report
	Title, Lead, Facts, Incomplete, Method string
	Policy                                 string
	CSS                                    template.CSS
	JS                                     template.JS
	Figures                                []figure
	Data, Texts, Details                   template.JS
	Answers, Full, Drawn                   int
	Settings                               [][2]string
	// Checked says that the run judges answers against their sources.
	Checked bool
}

// Share and the like are for the template.
func (s Series) ShareText() string { return s.share() }

// Nothing is how many answers have nothing to compare.
func (s Series) Nothing() int { return s.degenerate() }

// Verdict says in words whether a difference is beyond noise.
func (d Difference) Verdict() string { return d.verdict() }

// WriteHTML writes the report as one HTML file: it loads nothing, and a policy in
// it keeps it from running anything but its own script, whatever stands in the
// answers. Errors are those of w.
func (r *Report) WriteHTML(w io.Writer) error {
	figures, err := r.figures()
	if err != nil {
		return err
	}
	d, texts, details, full, err := r.pack()
	if err != nil {
		return err
	}
	var scripts [3]template.JS
	for i, v := range []any{d, texts.chunks, details.chunks} {
		b, err := json.Marshal(v) // escapes < and >
		if err != nil {
			return err
		}
		scripts[i] = template.JS(b)
	}
	sum := sha256.Sum256([]byte(pageJS))
	v := pageView{
		Report: r, Title: r.Title(), Lead: r.Lead(), Facts: r.facts(), Incomplete: r.Incomplete(), Method: r.method(),
		Policy: "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src 'sha256-" +
			base64.StdEncoding.EncodeToString(sum[:]) + "'",
		CSS: template.CSS(report.CSS() + pageCSS), JS: template.JS(pageJS), Figures: figures,
		Data: scripts[0], Texts: scripts[1], Details: scripts[2],
		Answers: len(d.Rows), Full: full, Drawn: min(full, max(0, r.options.Drawn)),
	}
	for _, s := range r.Series {
		v.Checked = v.Checked || len(s.Verdicts) > 0
	}
	for _, k := range slices.Sorted(maps.Keys(r.Run.Header.Settings)) {
		v.Settings = append(v.Settings, [2]string{k, r.Run.Header.Settings[k]})
	}
	return page.Execute(w, v)
}
