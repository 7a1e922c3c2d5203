package experiment

import (
	"context"
	"fmt"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/metrics"
)

// Metric is a number of a run that a difference is looked at in.
type Metric string

// The metrics. A higher one is better, but for Inconsistency, the share of answers that
// were judged inconsistent with their sources.
const (
	CUS           Metric = "CUS"
	GoldSim       Metric = "GoldSim"
	CtxSim        Metric = "CtxSim"
	Inconsistency Metric = "inconsistent"
)

// Metrics returns all metrics in a fixed order.
func Metrics() []Metric { return []Metric{CUS, GoldSim, CtxSim, Inconsistency} }

// Direction says which way a metric went.
type Direction string

// The directions. Same means that the interval holds 0: nothing beyond noise.
const (
	Better Direction = "better"
	Worse  Direction = "worse"
	Same   Direction = "same"
)

// Difference is what changed from one run to another.
type Difference struct {
	Old, New Header
	Rows     []DifferenceRow
	// Settings are those that differ.
	Settings []Change
	// Unpaired names models and temperatures that only one of the runs has.
	Unpaired []string
}

// DifferenceRow is a metric of a model at a temperature.
type DifferenceRow struct {
	Model       string
	Temperature float64
	Metric      Metric
	// Old and New are the means over the answers that both runs have.
	Old, New float64
	// Change is New minus Old, with the interval of the paired bootstrap over items.
	Change metrics.Interval
	// Pairs is how many answers both runs have a number for, Unpaired how many only one
	// has.
	Pairs, Unpaired int
	Direction       Direction
}

// Loss is by how much the row got worse; 0 where it did not, or only within noise.
func (r DifferenceRow) Loss() float64 {
	if r.Direction != Worse {
		return 0
	}
	if r.Metric == Inconsistency {
		return r.Change.Value
	}
	return -r.Change.Value
}

// UnlikeError says that two runs cannot be compared, since they asked other questions.
type UnlikeError struct{ Reason string }

func (e *UnlikeError) Error() string { return e.Reason }

// Compare pairs the answers of two runs by item, model, temperature and repeat, and
// returns what changed from old to new. rename gives a model of old the name that it has
// in new, so that two models can be compared; nil renames none. A difference counts as
// better or worse only if the interval of how does not hold 0.
//
// The error is an *UnlikeError where the runs have no answer in common, or where items with
// the same ID have other texts, and otherwise the context's.
func Compare(ctx context.Context, old, new *Run, rename map[string]string, how metrics.Resampling) (Difference, error) {
	d := Difference{Old: old.Header, New: new.Header, Settings: changesOf(old.Header.Settings, new.Header.Settings)}
	texts := map[string]string{}
	for _, it := range old.Items {
		texts[it.ID] = it.text()
	}
	for _, it := range new.Items {
		if t, ok := texts[it.ID]; ok && t != it.text() {
			return d, &UnlikeError{fmt.Sprintf("item %q has another question, context or gold answer in the two runs", it.ID)}
		}
	}
	groups := groupsOf(old)
	before := map[Task]*Score{}
	cellsOf := map[Task]bool{} // model and temperature alone
	for _, x := range old.Records {
		if to, ok := rename[x.Model]; ok {
			x.Task.Model = to
		}
		cellsOf[Task{Model: x.Task.Model, Temperature: x.Temperature}] = true
		if x.Score != nil {
			before[x.Task] = x.Score
		}
	}
	for _, rows := range cells(new) {
		cell := Task{Model: rows[0].Model, Temperature: rows[0].Temperature}
		if !cellsOf[cell] {
			d.Unpaired = append(d.Unpaired, fmt.Sprintf("%s at %g is in the new run alone", cell.Model, cell.Temperature))
			continue
		}
		delete(cellsOf, cell)
		for _, m := range Metrics() {
			row, err := compareCell(ctx, rows, before, groups, m, how)
			if err != nil {
				return d, err
			}
			if row.Pairs == 0 {
				continue
			}
			d.Rows = append(d.Rows, row)
		}
	}
	for _, rows := range cells(old) {
		model := rows[0].Model
		if to, ok := rename[model]; ok {
			model = to
		}
		if cell := (Task{Model: model, Temperature: rows[0].Temperature}); cellsOf[cell] {
			d.Unpaired = append(d.Unpaired, fmt.Sprintf("%s at %g is in the old run alone", cell.Model, cell.Temperature))
			delete(cellsOf, cell)
		}
	}
	if len(d.Rows) == 0 {
		return d, &UnlikeError{"the runs have no scored answer in common: no item, model and temperature is in both"}
	}
	return d, nil
}

func (it Item) text() string {
	s := it.Question + "\x00" + it.Gold
	for _, x := range it.Sources {
		s += "\x00" + x.Text
	}
	return s
}

// pair is a number in both runs.
type pair struct {
	group    string
	old, new float64
}

func (p pair) of() string { return p.group }

func compareCell(ctx context.Context, rows []Record, before map[Task]*Score, groups map[string]string, m Metric, how metrics.Resampling) (DifferenceRow, error) {
	out := DifferenceRow{Model: rows[0].Model, Temperature: rows[0].Temperature, Metric: m}
	var pairs []pair
	for _, x := range rows {
		a, okA := number(before[x.Task], m)
		b, okB := number(x.Score, m)
		switch {
		case okA && okB:
			pairs = append(pairs, pair{groups[x.Item], a, b})
		case okA || okB:
			out.Unpaired++
		}
	}
	if out.Pairs = len(pairs); out.Pairs == 0 {
		return out, ctx.Err()
	}
	for _, p := range pairs {
		out.Old += p.old / float64(len(pairs))
		out.New += p.new / float64(len(pairs))
	}
	var err error
	out.Change, err = metrics.Bootstrap(ctx, pairs, pair.of, how, func(ps []pair) (float64, bool) {
		sum := 0.0
		for _, p := range ps {
			sum += p.new - p.old
		}
		return sum / float64(len(ps)), len(ps) > 0
	})
	out.Direction = Same
	if c := out.Change; c.Samples > 0 && (c.Low > 0 || c.High < 0) {
		if (c.Value > 0) == (m != Inconsistency) {
			out.Direction = Better
		} else {
			out.Direction = Worse
		}
	}
	return out, err
}

func number(s *Score, m Metric) (float64, bool) {
	if s == nil {
		return 0, false
	}
	if m == Inconsistency {
		if s.Check == nil {
			return 0, false
		}
		switch s.Check.Outcome {
		case claim.Consistent:
			return 0, true
		case claim.Inconsistent:
			return 1, true
		}
		return 0, false
	}
	x := map[Metric]float64{CUS: s.CUS, GoldSim: s.GoldSim, CtxSim: s.CtxSim}[m]
	return x, s.Counted()
}
