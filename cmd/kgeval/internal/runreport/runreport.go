// Package runreport makes the report of a run: one HTML file that needs nothing
// else, the same numbers as Markdown, and one CSV row an answer.
//
// It reads what package experiment wrote and measures nothing anew but means,
// intervals and differences. It lives in the module of the command, since its
// plots are gonum's.
package runreport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cus"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/tau"
)

// Options say how a report is made. The zero value is the default.
type Options struct {
	// Resampling is for the intervals.
	Resampling metrics.Resampling
	// Bytes is what the texts and facts of the answers may take in the HTML file; 0
	// means 12 MB. The answers to look at first come first; of the others the
	// numbers are shown, and it says so.
	Bytes int
	// Drawn is for how many answers, those to look at first, both graphs are drawn; 0
	// means 60, below 0 none.
	Drawn int
	// NoTexts leaves out questions, contexts, answers and facts: a report to publish, of
	// texts that are not to be passed on.
	NoTexts bool
}

func (o Options) withDefaults() Options {
	if o.Bytes == 0 {
		o.Bytes = 12 << 20
	}
	if o.Drawn == 0 {
		o.Drawn = 60
	}
	return o
}

// ErrEmpty says that a run has no answer yet.
var ErrEmpty = errors.New("the run has no answer yet: there is nothing to report")

// Report is a run, summed up.
type Report struct {
	Run *experiment.Run
	// Series are the models at their temperatures, in the order of the header.
	Series []Series
	// Pairs are the differences between series.
	Pairs []Difference
	// Paired says which series were compared, where not all were.
	Paired string

	options Options
	summary experiment.Summary
	items   map[string]int // place in Run.Items
	series  map[seriesKey]int
}

type seriesKey struct {
	model       string
	temperature float64
}

// Series is a model at a temperature.
type Series struct {
	experiment.SummaryRow
	// Name is what tells it from the others.
	Name string
	// Gold and Context count the findings of TAU in all its answers.
	Gold, Context map[tau.Class]int

	scores []cus.Score
	values [][2]float64 // GoldSim and CtxSim of the counted ones
}

// Difference is what two series differ by, on the same items.
type Difference struct {
	A, B string
	cus.Difference
}

// Clear reports whether the difference in CUS is beyond noise: its interval
// does not hold 0.
func (d Difference) Clear() bool {
	return d.Pairs > 0 && d.CUS.Samples > 0 && (d.CUS.Low > 0 || d.CUS.High < 0)
}

// New sums a run up. The error is ErrEmpty or the context's.
func New(ctx context.Context, run *experiment.Run, o Options) (*Report, error) {
	if len(run.Records) == 0 {
		return nil, ErrEmpty
	}
	r := &Report{Run: run, options: o.withDefaults(), items: map[string]int{}, series: map[seriesKey]int{}}
	for i, item := range run.Items {
		r.items[item.ID] = i
	}
	sum, err := experiment.Summarize(ctx, run, r.options.Resampling)
	if err != nil {
		return nil, err
	}
	r.summary = sum
	temperatures := map[string]int{}
	for _, row := range sum.Rows {
		temperatures[row.Model]++
	}
	for i, row := range sum.Rows {
		r.series[seriesKey{row.Model, row.Temperature}] = i
		s := Series{SummaryRow: row, Name: name(row.Model), Gold: map[tau.Class]int{}, Context: map[tau.Class]int{}}
		if temperatures[row.Model] > 1 {
			s.Name += " at " + strconv.FormatFloat(row.Temperature, 'g', -1, 64)
		}
		r.Series = append(r.Series, s)
	}
	for _, x := range run.Records {
		if x.Score != nil {
			r.Series[r.series[seriesKey{x.Model, x.Temperature}]].add(x, r.item(x.Item))
		}
	}
	return r, r.compare(ctx)
}

// name is a model's name, harmless and short enough for a table.
func name(s string) string {
	s = strings.TrimSpace(mark.Plain(s))
	if s == "" {
		return "(no name)"
	}
	if r := []rune(s); len(r) > 48 {
		return string(r[:47]) + "…"
	}
	return s
}

func (r *Report) item(id string) experiment.Item {
	if i, ok := r.items[id]; ok {
		return r.Run.Items[i]
	}
	return experiment.Item{ID: id}
}

func (s *Series) add(x experiment.Record, item experiment.Item) {
	// Repeats of a question, and questions on one document, are not independent:
	// they are drawn together.
	group := item.Group
	if group == "" {
		group = "item " + item.ID
	}
	s.scores = append(s.scores, cus.Score{
		ID: fmt.Sprintf("%s #%d", x.Item, x.Repeat), Group: group,
		CUS: x.Score.CUS, GoldSim: x.Score.GoldSim, CtxSim: x.Score.CtxSim,
		Degenerate: x.Score.Degenerate, Fallback: x.Score.Fallback,
	})
	if x.Score.Counted() {
		s.values = append(s.values, [2]float64{x.Score.GoldSim, x.Score.CtxSim})
	}
	for _, f := range x.Score.Gold {
		s.Gold[f.Class]++
	}
	for _, f := range x.Score.Context {
		s.Context[f.Class]++
	}
}

// Judged is how many answers were found true to their sources or not.
func (s Series) Judged() int { return s.Verdicts[claim.Consistent] + s.Verdicts[claim.Inconsistent] }

// compare pairs the series: each with each of up to six, else the models at the
// same temperature and each model's neighbouring temperatures.
func (r *Report) compare(ctx context.Context) error {
	for i := range r.Series {
		for j := i + 1; j < len(r.Series); j++ {
			a, b := &r.Series[i], &r.Series[j]
			if len(r.Series) > 6 {
				r.Paired = "Models at the same temperature, and neighbouring temperatures of a model, were compared."
				if a.Temperature != b.Temperature && (a.Model != b.Model || j != i+1) {
					continue
				}
			}
			if len(r.Pairs) == 60 {
				r.Paired += " The first 60 comparisons are listed."
				return nil
			}
			d, err := cus.Compare(ctx, a.scores, b.scores, r.options.Resampling)
			if err != nil {
				return err
			}
			r.Pairs = append(r.Pairs, Difference{A: a.Name, B: b.Name, Difference: d})
		}
	}
	return nil
}

// order returns the records' places, those to look at first: what failed, then
// by rising CUS, and what has nothing to compare last.
func (r *Report) order() []int {
	out := make([]int, len(r.Run.Records))
	for i := range out {
		out[i] = i
	}
	key := func(i int) (rank int, value float64) {
		x := r.Run.Records[i]
		switch {
		case x.Score == nil && x.Failure != nil:
			return 0, 0
		case x.Score != nil && x.Score.Counted():
			return 1, x.Score.CUS
		}
		return 2, 0
	}
	slices.SortStableFunc(out, func(a, b int) int {
		ra, va := key(a)
		rb, vb := key(b)
		return cmp.Or(cmp.Compare(ra, rb), cmp.Compare(va, vb))
	})
	return out
}

// Title is what the report is called.
func (r *Report) Title() string {
	if n := strings.TrimSpace(r.Run.Header.Name); n != "" {
		return mark.Plain(n)
	}
	return "Which model understands its context?"
}

// Lead says in a sentence or two what was found, for a reader in a hurry.
func (r *Report) Lead() string {
	var best *Series
	for i := range r.Series {
		s := &r.Series[i]
		if s.Similarity.Counted > 0 && (best == nil || s.Similarity.CUS.Value > best.Similarity.CUS.Value) {
			best = s
		}
	}
	if best == nil {
		return "No answer could be scored."
	}
	lead := fmt.Sprintf("%s has the highest context understanding score, %s", best.Name, interval(best.Similarity.CUS))
	if len(r.Series) == 1 {
		return fmt.Sprintf("%s has a context understanding score of %s over %d answers.", best.Name, interval(best.Similarity.CUS), best.Similarity.Counted)
	}
	var alike []string
	for _, d := range r.Pairs {
		if (d.A == best.Name || d.B == best.Name) && d.Pairs > 0 && !d.Clear() {
			other := d.A
			if other == best.Name {
				other = d.B
			}
			alike = append(alike, other)
		}
	}
	switch n := len(alike); {
	case n == 0:
		lead += "; its lead is beyond noise in every comparison made."
	case n <= 3:
		lead += "; its lead over " + strings.Join(alike, " and ") + " is within noise."
	default:
		lead += fmt.Sprintf("; its lead over %d others is within noise.", n)
	}
	return lead
}

// interval writes a value with its interval, to three digits.
func interval(v metrics.Interval) string {
	if v.Samples == 0 {
		return fmt.Sprintf("%.3f", v.Value)
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", v.Value, v.Low, v.High)
}

func signed(v metrics.Interval) string {
	if v.Samples == 0 {
		return fmt.Sprintf("%+.3f", v.Value)
	}
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", v.Value, v.Low, v.High)
}
