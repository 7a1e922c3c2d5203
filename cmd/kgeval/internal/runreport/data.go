package runreport

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"math"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/internal/draw"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/report"
	"github.com/kgeval/kgeval/segment"
	"github.com/kgeval/kgeval/tau"
)

// What the page's script reads. Rows are small and all there; texts and findings
// are packed in chunks that it opens when a reader asks for one of them.
type (
	data struct {
		Series   []seriesData `json:"series"`
		Verdicts []string     `json:"verdicts"`
		Classes  []string     `json:"classes"`
		// Items are by their place in the run: ID and the beginning of the question,
		// and where the texts are packed (-1 for nowhere).
		Items []itemData `json:"items"`
		Rows  []rowData  `json:"rows"`
	}
	seriesData struct {
		Name        string  `json:"name"`
		Model       string  `json:"model"`
		Temperature float64 `json:"t"`
	}
	itemData struct {
		ID       string `json:"id"`
		Question string `json:"q"`
		Text     int    `json:"x"`
	}
	rowData struct {
		Item    int      `json:"i"`
		Series  int      `json:"s"`
		Repeat  int      `json:"n,omitempty"`
		CUS     *float64 `json:"c"`
		Gold    *float64 `json:"g"`
		Ctx     *float64 `json:"k"`
		Verdict int      `json:"v"` // place in Verdicts, -1 for none
		Flagged int      `json:"f"`
		Claims  int      `json:"m"`
		Classes []int    `json:"t,omitempty"`
		// Status says why there is no number.
		Status string `json:"e,omitempty"`
		Detail int    `json:"d"`
	}
	// itemText is packed.
	itemText struct {
		Question string       `json:"q"`
		Gold     string       `json:"g"`
		Sources  []sourceText `json:"s"`
	}
	sourceText struct {
		Name string `json:"n"`
		Text string `json:"t"`
		Cut  int    `json:"c,omitempty"`
	}
	// detail is packed: the fragments of package report, and what is marked in the
	// sources ([start, end, class] in UTF-16 units, by source).
	detail struct {
		Answer string           `json:"a"`
		TAU    string           `json:"t,omitempty"`
		Ctx    string           `json:"k,omitempty"`
		Error  string           `json:"e,omitempty"`
		Marks  map[int][][3]any `json:"m,omitempty"`
	}
)

const (
	sourceBytes  = 24 << 10 // of a source, at most
	chunkEntries = 32
	chunkBytes   = 256 << 10
)

// packer packs JSON values in chunks.
type packer struct {
	chunks []string
	raw    bytes.Buffer
	n      int // values in raw
	total  int // values in all
	size   int // of the chunks
}

func (p *packer) add(v any) (int, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return -1, err
	}
	if p.n > 0 {
		p.raw.WriteByte(',')
	}
	p.raw.Write(b)
	p.n++
	p.total++
	at := len(p.chunks)<<8 | (p.n - 1)
	if p.n == chunkEntries || p.raw.Len() >= chunkBytes {
		err = p.flush()
	}
	return at, err
}

func (p *packer) flush() error {
	if p.n == 0 {
		return nil
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte("[")) // a buffer takes everything
	w.Write(p.raw.Bytes())
	w.Write([]byte("]"))
	if err := w.Close(); err != nil {
		return err
	}
	s := base64.StdEncoding.EncodeToString(z.Bytes())
	p.chunks = append(p.chunks, s)
	p.size += len(s)
	p.raw.Reset()
	p.n = 0
	return nil
}

// visible makes a text harmless without changing its length in UTF-16 units.
func visible(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		if r == '\n' || r == '\t' {
			b.WriteRune(r)
			continue
		}
		p := mark.Plain(string(r))
		b.WriteString(p)
		if r > 0xffff && len(p) < 4 {
			b.WriteString(p)
		}
	}
	return b.String()
}

// cut returns at most limit bytes of s, and how many are left.
func cut(s string, limit int) (string, int) {
	if len(s) <= limit {
		return s, 0
	}
	n := limit
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n], len(s) - n
}

// pack makes the page's data and chunks. It returns how many answers have their
// texts in the page.
func (r *Report) pack() (d data, texts, details *packer, full int, err error) {
	verdicts := []claim.Outcome{claim.Consistent, claim.Inconsistent, claim.NoClaims, claim.OutcomeUnknown}
	for _, v := range verdicts {
		d.Verdicts = append(d.Verdicts, string(v))
	}
	for _, c := range tau.Classes() {
		d.Classes = append(d.Classes, string(c))
	}
	for _, s := range r.Series {
		d.Series = append(d.Series, seriesData{s.Name, name(s.Model), s.Temperature})
	}
	for _, i := range r.Run.Items {
		q, left := cut(i.Question, 160)
		if left > 0 {
			q += "…"
		}
		if r.options.NoTexts {
			q = ""
		}
		id, _ := cut(i.ID, 80)
		d.Items = append(d.Items, itemData{mark.Plain(id), mark.Plain(q), -1})
	}
	texts, details = &packer{}, &packer{}
	for rank, at := range r.order() {
		x := r.Run.Records[at]
		i, ok := r.items[x.Item]
		if !ok {
			continue // a log that lost its item has nothing to show
		}
		row := r.row(x, i, verdicts)
		if !r.options.NoTexts && texts.size+details.size < r.options.Bytes && (x.Answer != nil || x.Failure != nil) {
			if d.Items[i].Text < 0 {
				if d.Items[i].Text, err = texts.add(newItemText(r.Run.Items[i])); err != nil {
					return
				}
			}
			var v detail
			if v, err = r.detail(x, r.Run.Items[i], rank); err != nil {
				return
			}
			if row.Detail, err = details.add(v); err != nil {
				return
			}
			full++
		}
		d.Rows = append(d.Rows, row)
	}
	if err = texts.flush(); err == nil {
		err = details.flush()
	}
	return
}

func (r *Report) row(x experiment.Record, item int, verdicts []claim.Outcome) rowData {
	row := rowData{Item: item, Series: r.series[seriesKey{x.Model, x.Temperature}], Repeat: x.Repeat, Verdict: -1, Detail: -1}
	s := x.Score
	switch {
	case s == nil && x.Failure != nil:
		row.Status = "failed"
		return row
	case s == nil:
		row.Status = "open"
		return row
	}
	if s.Counted() {
		row.CUS, row.Gold, row.Ctx = digits(s.CUS), digits(s.GoldSim), digits(s.CtxSim)
	} else {
		row.Status = "no facts in the " + string(s.Degenerate)
	}
	if c := s.Check; c != nil {
		for k, v := range verdicts {
			if c.Outcome == v {
				row.Verdict = k
			}
		}
		row.Claims, row.Flagged = c.Counts.Claims, len(c.Flagged())
	}
	n := map[tau.Class]int{}
	for _, f := range s.Gold {
		n[f.Class]++
	}
	for _, c := range tau.Classes() {
		row.Classes = append(row.Classes, n[c])
	}
	return row
}

// digits keeps four digits, which is what a reader can use.
func digits(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = math.Round(x*1e4) / 1e4
	return &x
}

func newItemText(i experiment.Item) itemText {
	q, _ := cut(i.Question, sourceBytes)
	g, _ := cut(i.Gold, sourceBytes)
	t := itemText{Question: visible(q), Gold: visible(g), Sources: []sourceText{}}
	for k, s := range i.Sources {
		text, left := cut(s.Text, sourceBytes)
		t.Sources = append(t.Sources, sourceText{mark.Plain(s.Name(k)), visible(text), left})
	}
	return t
}

// detail writes what is shown of an answer when it is opened.
func (r *Report) detail(x experiment.Record, item experiment.Item, rank int) (detail, error) {
	var d detail
	var b strings.Builder
	if x.Failure != nil {
		msg, _ := cut(x.Failure.Error, 2000)
		d.Error = mark.Plain(string(x.Failure.Stage) + ", " + x.Failure.Kind + ": " + msg)
	}
	if x.Answer == nil {
		return d, nil
	}
	s := x.Score
	sample := claim.Sample{Question: item.Question, Sources: item.Sources, Output: x.Answer.Text}
	var result claim.Result
	if s != nil && s.Check != nil {
		result = *s.Check
		o := report.Options{Name: "the answer", ID: "a", NoGraph: true}
		if err := report.Check(&b, sample, result, o); err != nil {
			return d, err
		}
		d.Answer = b.String()
		d.Marks = sourceMarks(result, item.Sources)
	} else {
		text, left := cut(x.Answer.Text, sourceBytes)
		if left > 0 {
			text += "…"
		}
		d.Answer = visible(text)
	}
	if s == nil {
		return d, nil
	}
	drawn := rank < r.options.Drawn
	for _, side := range []struct {
		findings experiment.Findings
		name, id string
		to       *string
		draw     bool
	}{{s.Gold, "the gold answer", "t", &d.TAU, drawn}, {s.Context, "the context", "k", &d.Ctx, false}} {
		if len(side.findings) == 0 {
			continue
		}
		b.Reset()
		o := report.Options{Name: "the answer", ID: side.id, NoGraph: !side.draw, AnswerOnly: side.id == "k", Width: 920}
		if err := report.TAU(&b, tau.Report{Findings: side.findings}, side.name, o); err != nil {
			return d, err
		}
		*side.to = b.String()
	}
	return d, nil
}

// sourceMarks are the places of the evidence, by source.
func sourceMarks(r claim.Result, sources []claim.Source) map[int][][3]any {
	by := map[int][]claim.Claim{}
	for _, c := range r.Claims {
		for _, e := range c.Evidence {
			// A source that contradicts an answer is not what is wrong: it is marked
			// like one that supports it.
			v := claim.Supported
			if e.Role == claim.Nearest {
				v = claim.Unknown
			}
			if e.Index >= 0 && e.Index < len(sources) {
				by[e.Index] = append(by[e.Index], claim.Claim{Verdict: v, Spans: []segment.Span{e.Span}})
			}
		}
	}
	out := map[int][][3]any{}
	for k, claims := range by {
		o := segment.NewOffsets(sources[k].Text)
		for _, m := range claim.Marks(claims) {
			out[k] = append(out[k], [3]any{o.UTF16(m.Span.Start), o.UTF16(m.Span.End), draw.ForVerdict(m.Verdict).Class()})
		}
	}
	return out
}
