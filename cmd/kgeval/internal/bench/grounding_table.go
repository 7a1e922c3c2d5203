package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/metrics"
)

// groundingReport makes the tables of what was judged.
type groundingReport struct {
	ctx     context.Context
	w       io.Writer
	sets    []groundingSet
	ways    []groundingWay
	scores  map[string]groundingScore
	samples int
	seed    uint64
}

// judged is a row with its result by one way, and by the raw way of the same model.
type judged struct {
	set    string
	row    groundingRow
	score  groundingScore
	raw    groundingScore
	hasRaw bool
}

// flags reports whether a result calls its output inconsistent: one that could not
// be judged is not called consistent, one without claims is.
func flags(g groundingScore) bool {
	return g.Outcome == claim.Inconsistent || g.Outcome == claim.OutcomeUnknown
}

// of returns a set's rows with their results by a way; false where some are missing.
func (r groundingReport) of(set groundingSet, way groundingWay) ([]judged, bool) {
	raw := slices.IndexFunc(r.ways, func(x groundingWay) bool { return x.model == way.model && x.method == wayRaw })
	var out []judged
	for _, row := range set.rows {
		key := groundingScore{Way: way.id, Row: row.id, Sum: sumOf(row)}
		g, ok := r.scores[key.key()]
		if !ok {
			return nil, false
		}
		j := judged{set: set.name, row: row, score: g}
		if raw >= 0 {
			key.Way = r.ways[raw].id
			j.raw, j.hasRaw = r.scores[key.key()]
		}
		out = append(out, j)
	}
	return out, len(out) > 0
}

// balanced is the balanced accuracy of what flag says of rows; false where a class
// is missing.
func balanced(rows []judged, flag func(judged) bool) (float64, bool) {
	var right, all [2]int
	for _, j := range rows {
		k := 0
		if j.row.consistent {
			k = 1
		}
		all[k]++
		if flag(j) != j.row.consistent {
			right[k]++
		}
	}
	if all[0] == 0 || all[1] == 0 {
		return 0, false
	}
	return (float64(right[0])/float64(all[0]) + float64(right[1])/float64(all[1])) / 2, true
}

// acrossSets is the mean of the sets' balanced accuracies, weighed by their rows.
func acrossSets(rows []judged, flag func(judged) bool) (float64, bool) {
	by := map[string][]judged{}
	var names []string
	for _, j := range rows {
		if by[j.set] == nil {
			names = append(names, j.set)
		}
		by[j.set] = append(by[j.set], j)
	}
	slices.Sort(names) // for the same sum in the same order
	sum := 0.0
	for _, name := range names {
		x, ok := balanced(by[name], flag)
		if !ok {
			return 0, false
		}
		sum += x * float64(len(by[name]))
	}
	return sum / float64(len(rows)), len(rows) > 0
}

func (j judged) flagged() bool    { return flags(j.score) }
func (j judged) rawFlagged() bool { return flags(j.raw) }

// measured formats a measure of rows with its interval over documents.
func (r groundingReport) measured(rows []judged, factor float64, format string, measure func([]judged) (float64, bool)) string {
	x, err := metrics.Bootstrap(r.ctx, rows, func(j judged) string { return j.set + "\x00" + j.row.document() },
		metrics.Resampling{Samples: r.samples, Seed: r.seed}, measure)
	switch {
	case err != nil:
		return "-"
	case x.Samples == 0:
		return fmt.Sprintf(format, factor*x.Value)
	}
	return fmt.Sprintf(format+" ["+format+", "+format+"]", factor*x.Value, factor*x.Low, factor*x.High)
}

// gain is how much better a way is than the raw one, on the same rows.
func gain(measure func([]judged, func(judged) bool) (float64, bool)) func([]judged) (float64, bool) {
	return func(rows []judged) (float64, bool) {
		a, ok := measure(rows, judged.flagged)
		b, ok2 := measure(rows, judged.rawFlagged)
		return a - b, ok && ok2
	}
}

func hasRaw(rows []judged) bool {
	return !slices.ContainsFunc(rows, func(j judged) bool { return !j.hasRaw })
}

// paperSets are those of the GraphEval paper's Table 2.
var paperSets = []string{"SummEval", "QAGS-CNN", "QAGS-XSum"}

func (r groundingReport) write() {
	r.writeMean()
	r.writeSets()
	r.writeLengths()
	r.writeTypes()
	r.writeCost()
}

// writeMean is a table like the paper's Table 2.
func (r groundingReport) writeMean() {
	fmt.Fprintf(r.w, "\n## Balanced accuracy on the paper's sets\n\nIn points (0-100), each way at its own threshold; the mean weighs the sets by their rows; the gain is over the raw model, paired.\n\n")
	fmt.Fprintf(r.w, "| model | way | %s | mean | gain over raw |\n|---|---|%s---|---|\n", strings.Join(paperSets, " | "), strings.Repeat("---|", len(paperSets)))
	for _, way := range r.ways {
		var all []judged
		var cells []string
		whole := true
		for _, name := range paperSets {
			k := slices.IndexFunc(r.sets, func(s groundingSet) bool { return s.name == name })
			if k < 0 {
				whole = false
				cells = append(cells, "")
				continue
			}
			rows, ok := r.of(r.sets[k], way)
			if !ok {
				whole = false
				cells = append(cells, "")
				continue
			}
			all = append(all, rows...)
			cells = append(cells, r.measured(rows, 100, "%.1f", func(rows []judged) (float64, bool) { return balanced(rows, judged.flagged) }))
		}
		if len(all) == 0 {
			continue
		}
		mean, better := "", ""
		if whole {
			mean = r.measured(all, 100, "%.1f", func(rows []judged) (float64, bool) { return acrossSets(rows, judged.flagged) })
			if way.method != wayRaw && hasRaw(all) {
				better = r.measured(all, 100, "%+.1f", gain(acrossSets))
			}
		}
		fmt.Fprintf(r.w, "| %s | %s | %s | %s | %s |\n", way.model, way.method, strings.Join(cells, " | "), mean, better)
	}
	for i, name := range []string{"HHEM (738 MB), published", "HHEM with GraphEval, published"} {
		fmt.Fprintf(r.w, "| %s | whole sets |", name)
		for _, s := range paperSets {
			fmt.Fprintf(r.w, " %.1f |", publishedGrounding[s][i])
		}
		fmt.Fprintln(r.w, " | |")
	}
}

// chosen returns the threshold of P(inconsistent) with the best mean of balanced
// accuracies over all sets but one.
func (r groundingReport) chosen(without string, way groundingWay) (float64, bool) {
	var others [][]judged
	for _, s := range r.sets {
		if s.name == without {
			continue
		}
		if rows, ok := r.of(s, way); ok {
			others = append(others, rows)
		}
	}
	best, at := -1.0, 0.0
	for t := 0.01; t < 0.995; t += 0.01 {
		sum, n := 0.0, 0
		for _, rows := range others {
			if x, ok := balanced(rows, func(j judged) bool { return j.score.P > t }); ok {
				sum += x
				n++
			}
		}
		if n > 0 && sum/float64(n) > best+1e-12 {
			best, at = sum/float64(n), t
		}
	}
	return at, best >= 0
}

func (r groundingReport) writeSets() {
	fmt.Fprintf(r.w, "\n## Each set\n\nBalanced accuracy at the way's own threshold and at the one that is best on the other sets; recall of inconsistent outputs where at most 5%% and 10%% of the set's consistent ones are flagged; ECE: how far P(inconsistent) is from the share of inconsistent outputs, in ten bins; the gain over the raw model is paired.\n\n")
	fmt.Fprintf(r.w, "| set | rows (documents), consistent | model | way | balanced accuracy | threshold of the others | AUROC | recall at 5%%, 10%% | ECE | gain over raw | no claims, unknown |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, set := range r.sets {
		documents := map[string]bool{}
		consistent := 0
		for _, row := range set.rows {
			documents[row.document()] = true
			if row.consistent {
				consistent++
			}
		}
		for _, way := range r.ways {
			rows, ok := r.of(set, way)
			if !ok {
				continue
			}
			other := "-"
			if t, ok := r.chosen(set.name, way); ok {
				if x, ok := balanced(rows, func(j judged) bool { return j.score.P > t }); ok {
					other = fmt.Sprintf("%.1f (%.2f)", 100*x, t)
				}
			}
			better := ""
			if way.method != wayRaw && hasRaw(rows) {
				better = r.measured(rows, 100, "%+.1f", gain(balanced))
			}
			none, unknown := 0, 0
			for _, j := range rows {
				switch j.score.Outcome {
				case claim.NoClaims:
					none++
				case claim.OutcomeUnknown:
					unknown++
				}
			}
			fmt.Fprintf(r.w, "| %s | %d (%d), %d | %s | %s | %s | %s | %s | %s, %s | %s | %s | %d, %d |\n",
				set.name, len(rows), len(documents), consistent, way.model, way.method,
				r.measured(rows, 100, "%.1f", func(rows []judged) (float64, bool) { return balanced(rows, judged.flagged) }), other,
				r.measured(rows, 1, "%.3f", auroc), percent(recallAt(rows, 0.05)), percent(recallAt(rows, 0.10)),
				three(calibrationError(rows)), better, none, unknown)
		}
	}
}

func percent(x float64, ok bool) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*x)
}

func three(x float64, ok bool) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.3f", x)
}

func auroc(rows []judged) (float64, bool) {
	points := make([]metrics.Point, len(rows))
	for i, j := range rows {
		points[i] = metrics.Point{Score: 1 - j.score.P, Positive: j.row.consistent}
	}
	return metrics.AUROC(points)
}

// recallAt is the share of the inconsistent outputs over the lowest threshold over
// which lies at most the given share of the consistent ones.
func recallAt(rows []judged, alarms float64) (float64, bool) {
	var good, bad []float64
	for _, j := range rows {
		if j.row.consistent {
			good = append(good, j.score.P)
		} else {
			bad = append(bad, j.score.P)
		}
	}
	if len(good) == 0 || len(bad) == 0 {
		return 0, false
	}
	slices.Sort(good)
	limit := good[len(good)-1-int(alarms*float64(len(good)))]
	n := 0
	for _, p := range bad {
		if p > limit {
			n++
		}
	}
	return float64(n) / float64(len(bad)), true
}

// calibrationError is the expected calibration error of P(inconsistent) in ten bins
// of equal width, over the outputs that were judged.
func calibrationError(rows []judged) (float64, bool) {
	var sum, bad, n [10]float64
	all := 0.0
	for _, j := range rows {
		if j.score.Outcome != claim.Consistent && j.score.Outcome != claim.Inconsistent {
			continue
		}
		k := min(int(10*j.score.P), 9)
		sum[k] += j.score.P
		n[k]++
		all++
		if !j.row.consistent {
			bad[k]++
		}
	}
	if all == 0 {
		return 0, false
	}
	e := 0.0
	for k := range n {
		if n[k] > 0 {
			e += math.Abs(sum[k]-bad[k]) / all
		}
	}
	return e, true
}

// outputLengths are bounds of lengths in words.
var outputLengths = []struct {
	name string
	most int
}{{"up to 25", 25}, {"26 to 50", 50}, {"more than 50", math.MaxInt}}

// writeLengths tells how ways compare on short and long outputs: the paper expects
// the graph to gain more where there is more to be wrong.
func (r groundingReport) writeLengths() {
	fmt.Fprintf(r.w, "\n## By the length of the output\n\nAll sets together, in words; balanced accuracy at the way's own threshold, and the paired gain over the raw model.\n\n")
	fmt.Fprintf(r.w, "| model | way | words | outputs, consistent | balanced accuracy | gain over raw |\n|---|---|---|---|---|---|\n")
	for _, way := range r.ways {
		var all []judged
		for _, set := range r.sets {
			rows, _ := r.of(set, way)
			all = append(all, rows...)
		}
		least := 0
		for _, l := range outputLengths {
			var rows []judged
			consistent := 0
			for _, j := range all {
				if n := len(strings.Fields(j.row.output)); n > least && n <= l.most {
					rows = append(rows, j)
					if j.row.consistent {
						consistent++
					}
				}
			}
			least = l.most
			if len(rows) == 0 {
				continue
			}
			better := ""
			if way.method != wayRaw && hasRaw(rows) {
				better = r.measured(rows, 100, "%+.1f", gain(balanced))
			}
			fmt.Fprintf(r.w, "| %s | %s | %s | %d, %d | %s | %s |\n", way.model, way.method, l.name, len(rows), consistent,
				r.measured(rows, 100, "%.1f", func(rows []judged) (float64, bool) { return balanced(rows, judged.flagged) }), better)
		}
	}
}

// writeTypes tells which kinds of errors are found, where a set names them.
func (r groundingReport) writeTypes() {
	header := false
	for _, set := range r.sets {
		kinds := map[string]int{}
		for _, row := range set.rows {
			if !row.consistent {
				for _, k := range row.types {
					kinds[k]++
				}
			}
		}
		var names []string
		for k := range kinds {
			names = append(names, k)
		}
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(kinds[b], kinds[a]), cmp.Compare(a, b)) })
		for _, way := range r.ways {
			rows, ok := r.of(set, way)
			if !ok || len(names) == 0 {
				continue
			}
			if !header {
				header = true
				fmt.Fprintf(r.w, "\n## By the kind of error\n\nThe share of inconsistent outputs with an error of the kind that is flagged, at the way's own threshold, and where at most 10%% of the set's consistent outputs are.\n\n")
				fmt.Fprintf(r.w, "| set | model | way | kind | outputs | flagged | at 10%% false alarms |\n|---|---|---|---|---|---|---|\n")
			}
			var good []float64
			for _, j := range rows {
				if j.row.consistent {
					good = append(good, j.score.P)
				}
			}
			slices.Sort(good)
			for _, kind := range names {
				flagged, over := 0, 0
				for _, j := range rows {
					if j.row.consistent || !slices.Contains(j.row.types, kind) {
						continue
					}
					if j.flagged() {
						flagged++
					}
					if len(good) > 0 && j.score.P > good[len(good)-1-len(good)/10] {
						over++
					}
				}
				n := float64(kinds[kind])
				fmt.Fprintf(r.w, "| %s | %s | %s | %s | %d | %.0f%% | %.0f%% |\n", set.name, way.model, way.method, kind, kinds[kind], 100*float64(flagged)/n, 100*float64(over)/n)
			}
		}
	}
}

// writeCost tells what an output takes.
func (r groundingReport) writeCost() {
	fmt.Fprintf(r.w, "\n## Time and tokens an output\n\nEach way has a model of its own that remembers pairs within the run, as the library does; no search for evidence; tokens are those that a network read. The time is the machine's at the time of the run.\n\n")
	fmt.Fprintf(r.w, "| model | way | outputs | claims | seconds | of processor time | tokens |\n|---|---|---|---|---|---|---|\n")
	for _, way := range r.ways {
		var n, claims, seconds, cpu, tokens float64
		for _, set := range r.sets {
			rows, _ := r.of(set, way)
			for _, j := range rows {
				n++
				claims += float64(j.score.Claims)
				seconds += j.score.Seconds
				cpu += j.score.CPU
				tokens += float64(j.score.Tokens)
			}
		}
		if n > 0 {
			fmt.Fprintf(r.w, "| %s | %s | %.0f | %.1f | %.2f | %.2f | %.0f |\n", way.model, way.method, n, claims/n, seconds/n, cpu/n, tokens/n)
		}
	}
}
