package cus

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kgeval/kgeval/metrics"
)

// Summary is how a model does on a data set.
type Summary struct {
	// CUS, GoldSim and CtxSim are means over the counted items, with bootstrap intervals;
	// zero if Counted is 0.
	CUS, GoldSim, CtxSim metrics.Interval
	// Items is the number of scores; of them Counted enter the means, Failed have an
	// error, and Degenerate holds the others by what has nothing to compare.
	Items, Counted, Failed int
	Degenerate             map[Side]int
	// Fallback is how many of the counted items were compared as sentences in part.
	Fallback int
}

// Summarize returns the means of scores. Items with the same Group are drawn together in
// the bootstrap: answers to questions about one document are not independent. All three
// intervals are measured on the same samples. The error is the context's.
func Summarize(ctx context.Context, scores []Score, r metrics.Resampling) (Summary, error) {
	out := Summary{Items: len(scores), Degenerate: map[Side]int{}}
	var counted []Score
	for _, s := range scores {
		switch {
		case s.Err != nil:
			out.Failed++
		case s.Degenerate != "":
			out.Degenerate[s.Degenerate]++
		default:
			counted = append(counted, s)
			if s.Fallback {
				out.Fallback++
			}
		}
	}
	out.Counted = len(counted)
	for _, m := range []struct {
		into  *metrics.Interval
		value func(Score) float64
	}{{&out.CUS, cusOf}, {&out.GoldSim, goldOf}, {&out.CtxSim, contextOf}} {
		x, err := interval(ctx, counted, r, m.value)
		if err != nil {
			return Summary{}, err
		}
		*m.into = x
	}
	return out, nil
}

// Difference is how much better one model does than another on the same items.
type Difference struct {
	// CUS, GoldSim and CtxSim are means of a's score minus b's over the pairs, in [-1,1],
	// with intervals of the paired bootstrap; zero if Pairs is 0. An interval without 0 is
	// a difference at its level.
	CUS, GoldSim, CtxSim metrics.Interval
	// Pairs is the number of items that are counted in both; in Better of them a's CUS is
	// higher, in Worse lower.
	Pairs, Better, Worse int
	// Unpaired is the number of items of either that have no partner, or that are not
	// counted in one of the two.
	Unpaired int
}

// IDError says that items cannot be paired, as two of one model have the same ID.
type IDError struct{ ID string }

func (e *IDError) Error() string {
	return fmt.Sprintf("cus: two items have the ID %q; give each item of a model an ID of its own to pair models", e.ID)
}

// Compare pairs the scores of two models by ID and returns the difference, a minus b.
// Groups are those of a. The error is an *IDError or the context's.
func Compare(ctx context.Context, a, b []Score, r metrics.Resampling) (Difference, error) {
	partner := make(map[string]Score, len(b))
	for _, s := range b {
		if _, twice := partner[s.ID]; twice {
			return Difference{}, &IDError{s.ID}
		}
		partner[s.ID] = s
	}
	var out Difference
	var pairs []Score // of differences
	seen := map[string]bool{}
	matched := 0
	for _, s := range a {
		if seen[s.ID] {
			return Difference{}, &IDError{s.ID}
		}
		seen[s.ID] = true
		t, ok := partner[s.ID]
		if ok {
			matched++
		}
		if !ok || !s.Counted() || !t.Counted() {
			out.Unpaired++
			continue
		}
		switch {
		case s.CUS > t.CUS:
			out.Better++
		case s.CUS < t.CUS:
			out.Worse++
		}
		pairs = append(pairs, Score{ID: s.ID, Group: s.Group, CUS: s.CUS - t.CUS, GoldSim: s.GoldSim - t.GoldSim, CtxSim: s.CtxSim - t.CtxSim})
	}
	out.Unpaired += len(b) - matched
	out.Pairs = len(pairs)
	for _, m := range []struct {
		into  *metrics.Interval
		value func(Score) float64
	}{{&out.CUS, cusOf}, {&out.GoldSim, goldOf}, {&out.CtxSim, contextOf}} {
		x, err := interval(ctx, pairs, r, m.value)
		if err != nil {
			return Difference{}, err
		}
		*m.into = x
	}
	return out, nil
}

func cusOf(s Score) float64     { return s.CUS }
func goldOf(s Score) float64    { return s.GoldSim }
func contextOf(s Score) float64 { return s.CtxSim }

// group is what an item is drawn with: its Group, or itself.
func group(i int, s Score) string {
	if s.Group == "" {
		return fmt.Sprintf("item %d", i)
	}
	return "group " + s.Group
}

// interval returns the mean of a value with its interval; the zero Interval without
// scores.
func interval(ctx context.Context, scores []Score, r metrics.Resampling, value func(Score) float64) (metrics.Interval, error) {
	type row struct {
		value float64
		group string
	}
	rows := make([]row, len(scores))
	for i, s := range scores {
		rows[i] = row{value(s), group(i, s)}
	}
	x, err := metrics.Bootstrap(ctx, rows, func(r row) string { return r.group }, r, func(sample []row) (float64, bool) {
		sum := 0.0
		for _, r := range sample {
			sum += r.value
		}
		return sum / float64(max(1, len(sample))), len(sample) > 0
	})
	if errors.Is(err, metrics.ErrUndefined) {
		return metrics.Interval{}, nil
	}
	return x, err
}

// String returns the summary for a terminal. The form may change.
func (s Summary) String() string {
	var b strings.Builder
	for _, m := range []struct {
		name string
		x    metrics.Interval
	}{{"CUS", s.CUS}, {"GoldSim", s.GoldSim}, {"CtxSim", s.CtxSim}} {
		if s.Counted > 0 {
			fmt.Fprintf(&b, "%-8s %s\n", m.name, show(m.x))
		} else {
			fmt.Fprintf(&b, "%-8s none: no item was counted\n", m.name)
		}
	}
	fmt.Fprintf(&b, "items    %d, counted %d, failed %d; with nothing to compare: answer %d, gold %d, context %d\n",
		s.Items, s.Counted, s.Failed, s.Degenerate[Answer], s.Degenerate[Gold], s.Degenerate[Context])
	if s.Fallback > 0 {
		fmt.Fprintf(&b, "         %d compared as sentences in part\n", s.Fallback)
	}
	return b.String()
}

// String returns the difference for a terminal. The form may change.
func (d Difference) String() string {
	var b strings.Builder
	for _, m := range []struct {
		name string
		x    metrics.Interval
	}{{"CUS", d.CUS}, {"GoldSim", d.GoldSim}, {"CtxSim", d.CtxSim}} {
		if d.Pairs > 0 {
			fmt.Fprintf(&b, "%-8s %s\n", m.name, show(m.x))
		} else {
			fmt.Fprintf(&b, "%-8s none: no item is counted in both\n", m.name)
		}
	}
	fmt.Fprintf(&b, "pairs    %d, better %d, worse %d; unpaired %d\n", d.Pairs, d.Better, d.Worse, d.Unpaired)
	return b.String()
}

func show(x metrics.Interval) string {
	if x.Samples == 0 {
		return fmt.Sprintf("%.3f", x.Value)
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", x.Value, x.Low, x.High)
}
