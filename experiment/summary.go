package experiment

import (
	"context"
	"math"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cus"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/tau"
)

// LowestShare is the share of a row's answers whose errors are counted by class, as in
// the paper: the lowest by GoldSim, and by CtxSim.
const LowestShare = 0.05

// Summary is a run as a table: a row for each model and temperature.
type Summary struct {
	Header Header
	Rows   []SummaryRow
	// Open is how many tasks of the run have neither a score nor a failure.
	Open int
}

// SummaryRow is a model at a temperature.
type SummaryRow struct {
	Model       string
	Temperature float64
	// Similarity holds CUS, GoldSim and CtxSim with their intervals, and what was not
	// counted.
	Similarity cus.Summary
	// Answers is how many were scored, Failed how many tasks ended with an error.
	Answers, Failed int
	// Verdicts counts the outcomes of the check. Inconsistent is the share of those
	// outputs among the ones that were judged either way, with its interval; zero
	// without any.
	Verdicts     map[claim.Outcome]int
	Inconsistent metrics.Interval
	// LowestGold and LowestContext count the classes of errors among the LowestShare of
	// answers, by GoldSim against the gold answer, and by CtxSim against the context.
	LowestGold, LowestContext Lowest
	// Tokens and Cost are those of all answers; Seconds is the mean time of one.
	Tokens  int
	Cost    float64
	Seconds float64
}

// Lowest counts the findings of the answers with the lowest scores.
type Lowest struct {
	Answers int
	Classes map[tau.Class]int
}

// Summarize returns the table of a run. Items with the same Group are drawn together in
// the bootstrap. The error is the context's.
func Summarize(ctx context.Context, r *Run, how metrics.Resampling) (Summary, error) {
	out := Summary{Header: r.Header, Open: r.Open()}
	groups := groupsOf(r)
	for _, rows := range cells(r) {
		row := SummaryRow{Model: rows[0].Model, Temperature: rows[0].Temperature, Verdicts: map[claim.Outcome]int{}}
		var scores []cus.Score
		var scored []Record
		var judged []verdict
		answers := 0
		for _, x := range rows {
			if x.Answer != nil {
				answers++
				row.Tokens += x.Answer.Usage.Input + x.Answer.Usage.Output
				row.Cost += x.Answer.Cost
				row.Seconds += x.Answer.Seconds
			}
			if x.Failure != nil {
				row.Failed++
				row.Tokens += x.Failure.Usage.Input + x.Failure.Usage.Output
				row.Cost += x.Failure.Cost
			}
			if x.Score == nil {
				continue
			}
			row.Answers++
			scored = append(scored, x)
			scores = append(scores, x.Score.similarity(groups[x.Item]))
			if c := x.Score.Check; c != nil {
				row.Verdicts[c.Outcome]++
				if c.Outcome == claim.Consistent || c.Outcome == claim.Inconsistent {
					judged = append(judged, verdict{groups[x.Item], c.Outcome == claim.Inconsistent})
				}
			}
		}
		if answers > 0 {
			row.Seconds /= float64(answers)
		}
		var err error
		if row.Similarity, err = cus.Summarize(ctx, scores, how); err != nil {
			return out, err
		}
		if len(judged) > 0 {
			if row.Inconsistent, err = metrics.Bootstrap(ctx, judged, verdict.of, how, share); err != nil {
				return out, err
			}
		}
		row.LowestGold = lowest(scored, func(s *Score) float64 { return s.GoldSim }, func(s *Score) Findings { return s.Gold })
		row.LowestContext = lowest(scored, func(s *Score) float64 { return s.CtxSim }, func(s *Score) Findings { return s.Context })
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

type verdict struct {
	group        string
	inconsistent bool
}

func (v verdict) of() string { return v.group }

func share(vs []verdict) (float64, bool) {
	n := 0
	for _, v := range vs {
		if v.inconsistent {
			n++
		}
	}
	return float64(n) / float64(len(vs)), len(vs) > 0
}

// similarity is the score as package cus has it.
func (s *Score) similarity(group string) cus.Score {
	return cus.Score{ID: s.Item, Group: group, CUS: s.CUS, GoldSim: s.GoldSim, CtxSim: s.CtxSim, Degenerate: s.Degenerate, Fallback: s.Fallback}
}

func groupsOf(r *Run) map[string]string {
	groups := map[string]string{}
	for _, it := range r.Items {
		groups[it.ID] = it.Group
		if it.Group == "" {
			groups[it.ID] = it.ID // repeats of an item are not independent
		}
	}
	return groups
}

// cells returns the records of each model and temperature, in their order.
func cells(r *Run) [][]Record {
	var out [][]Record
	for _, x := range r.Records {
		if n := len(out); n > 0 && out[n-1][0].Model == x.Model && out[n-1][0].Temperature == x.Temperature {
			out[n-1] = append(out[n-1], x)
			continue
		}
		out = append(out, []Record{x})
	}
	return out
}

func lowest(rows []Record, score func(*Score) float64, findings func(*Score) Findings) Lowest {
	out := Lowest{Classes: map[tau.Class]int{}}
	for _, x := range tau.Lowest(rows, LowestShare, func(x Record) (float64, bool) {
		return score(x.Score), x.Score.Counted() && !math.IsNaN(score(x.Score))
	}) {
		out.Answers++
		for _, f := range findings(x.Score) {
			out.Classes[f.Class]++
		}
	}
	return out
}
