package tau

import (
	"fmt"
	"html/template"
	"io"
	"strings"
)

// String returns the findings that are not aligned, a line each, for a terminal or a
// failure message; "" if there are none. The form may change.
func (r Report) String() string {
	var b strings.Builder
	for _, f := range r.Errors() {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

// String returns the finding in one line. The form may change.
func (f Finding) String() string {
	class := string(f.Class)
	if f.Opposite {
		class += " (the opposite)"
	}
	switch f.Class {
	case Missing, Aligned:
		return fmt.Sprintf("%s: %v", class, f.Reference)
	case Extra:
		return fmt.Sprintf("%s: %v", class, f.Answer)
	}
	return fmt.Sprintf("%s: %v for %v", class, f.Answer, f.Reference)
}

// String returns the answer's facts beside both references, for a terminal. The form
// may change.
func (a Analysis) String() string {
	var b strings.Builder
	if a.ID != "" {
		fmt.Fprintln(&b, a.ID)
	}
	if a.Err != nil {
		fmt.Fprintf(&b, "  could not be compared: %v\n", a.Err)
		return b.String()
	}
	for _, f := range a.Facts {
		fmt.Fprintf(&b, "  %-16s  %v\n", f.Reading, f.Triple)
		for _, s := range f.otherwise() {
			fmt.Fprintf(&b, "  %-16s  %s\n", "", s)
		}
	}
	for _, o := range a.Omissions {
		fmt.Fprintf(&b, "  %-16s  %v", Omission, o.Triple)
		if o.InContext {
			b.WriteString("  (in the context)")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// otherwise says what the references have in the fact's place.
func (f Fact) otherwise() []string {
	var out []string
	for _, s := range []struct {
		name    string
		finding *Finding
	}{{"gold", f.Gold}, {"context", f.Context}} {
		if s.finding != nil && s.finding.Class.Kind() == Drift {
			class := string(s.finding.Class)
			if s.finding.Opposite {
				class += ", the opposite"
			}
			out = append(out, fmt.Sprintf("%s: %v  (%s)", s.name, s.finding.Reference, class))
		}
	}
	return out
}

// fragment is the HTML of an analysis. Everything that comes from a graph is escaped by
// the template.
var fragment = template.Must(template.New("tau").Funcs(template.FuncMap{
	"reading": func(r Reading) string { return "tau-" + strings.ReplaceAll(string(r), " ", "-") },
}).Parse(`<section class="tau">
{{- with .ID}}
<h3>{{.}}</h3>
{{- end}}
{{- if .Err}}
<p class="tau-error">Could not be compared: {{.Err}}</p>
{{- else}}
<table>
<thead><tr><th>the answer says</th><th></th><th>gold answer</th><th>context</th></tr></thead>
<tbody>
{{- range .Facts}}
<tr class="{{reading .Reading}}"><td>{{.Triple}}</td><td>{{.Reading}}</td><td>{{template "side" .Gold}}</td><td>{{template "side" .Context}}</td></tr>
{{- end}}
{{- range .Omissions}}
<tr class="tau-omission"><td></td><td>omission</td><td>{{.Triple}}</td><td>{{if .InContext}}aligned{{end}}</td></tr>
{{- end}}
</tbody>
</table>
{{- end}}
</section>
{{define "side"}}{{with .}}{{.Class}}{{if .Opposite}} (the opposite){{end}}{{if eq .Class.Kind "drift"}}: {{.Reference}}{{end}}{{end}}{{end}}`))

// WriteHTML writes the analysis as an HTML fragment, a section with one table, for a
// report; it brings no style of its own but classes that begin with "tau". Texts of the
// graphs are escaped. Errors are those of w.
func (a Analysis) WriteHTML(w io.Writer) error {
	return fragment.Execute(w, a)
}

// summaryFragment is the HTML of a summary.
var summaryFragment = template.Must(template.New("summary").Parse(`<section class="tau-summary">
<p>items: {{.Items}}, failed: {{.Failed}}, with nothing to compare on one side: {{.Degenerate}}</p>
<table>
<thead><tr><th>class</th><th>against gold</th><th>items</th><th>against context</th><th>items</th></tr></thead>
<tbody>
{{- range .Classes}}
<tr><td>{{.}}</td>{{with index $.Gold .}}<td>{{.Findings}}</td><td>{{.Items}}</td>{{end}}{{with index $.Context .}}<td>{{.Findings}}</td><td>{{.Items}}</td>{{end}}</tr>
{{- end}}
</tbody>
</table>
<table>
<thead><tr><th>the answers' facts</th><th>number</th><th>items</th></tr></thead>
<tbody>
{{- range .All}}
<tr><td>{{.}}</td>{{with index $.Readings .}}<td>{{.Findings}}</td><td>{{.Items}}</td>{{end}}</tr>
{{- end}}
</tbody>
</table>
<p>facts of the gold answers omitted: {{.Omissions}}, of them in the context: {{.OmissionsInContext}}</p>
</section>
`))

// WriteHTML writes the summary as an HTML fragment; see Analysis.WriteHTML.
func (s Summary) WriteHTML(w io.Writer) error {
	return summaryFragment.Execute(w, struct {
		Summary
		Classes []Class
		All     []Reading
	}{s, Classes(), Readings()})
}
