package cli

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/calibrate"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/dataset"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/metrics"
)

// triaged is an answer with how much it needs a human's eye.
type triaged struct {
	sample kgeval.Sample
	result claim.Result
	need   experiment.Need
	err    error
}

func (a *app) triageCommand() *cobra.Command {
	var (
		how    checkFlags
		fields string
		form   string
		top    int
		export string
	)
	cmd := &cobra.Command{
		Use:   "triage FILE",
		Short: "Which answers need a human's eye most, and why?",
		Long: `Triage checks answers against their contexts and ranks them by how much they need
a human's eye: what is probably wrong, what is close, where sources or models
disagree, and what could not be judged. FILE is a log of kgeval run, whose
verdicts are taken as they are, or rows with context and output in any form of
kgeval's data sets (--data-format).

With --export the ranking becomes a table for a spreadsheet, with an empty
column "label"; kgeval calibrate check reads it back when people have filled it
in (consistent, inconsistent) and finds the threshold for your data.

Exit codes:
  0    ranked
  2    wrong usage, or a file that could not be read or written
  3    ranked, but some rows could not be checked
  130  interrupted`,
		Example: `  kgeval triage answers.jsonl --top 20
  kgeval triage monday.run.jsonl --export label-me.csv
  kgeval triage answers.csv --fields "context=article,output=summary"`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name the file with the answers: kgeval triage FILE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if top < 0 {
				return fmt.Errorf("--top must be at least 1, not %d", top)
			}
			all, err := a.triage(cmd, args[0], form, fields, &how)
			if err != nil {
				return err
			}
			slices.SortStableFunc(all, func(x, y triaged) int { return cmp.Compare(y.need.Value, x.need.Value) })
			for _, x := range all {
				if x.err != nil {
					a.code = exitUnknown
				}
			}
			if top > 0 {
				all = all[:min(top, len(all))]
			}
			if export != "" {
				if _, err := a.writeWhole(export, func(w io.Writer) error { return exportLabels(w, all) }); err != nil || export == "-" {
					return err
				}
				fmt.Fprintf(a.stderr, "wrote %s to %s\n", count(len(all), "answer", "answers"), export)
				return nil
			}
			return a.showTriage(all)
		},
	}
	how.register(cmd)
	f := cmd.Flags()
	f.StringVar(&form, "data-format", "", "the `FORM` of FILE: "+formatNames()+" (default: told by its ending)")
	f.StringVar(&fields, "fields", "", "which columns hold what, `A=B,…` such as context=article,output=summary")
	f.IntVar(&top, "top", 0, "show only the `N` that need it most")
	f.StringVar(&export, "export", "", "write a table for labelling to `FILE` (CSV; - for standard output)")
	return cmd
}

// formatNames lists the forms of data sets, for help.
func formatNames() string {
	var names []string
	for _, f := range dataset.Formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// triage reads a log, or rows, and checks what has no verdict.
func (a *app) triage(cmd *cobra.Command, name, form, fields string, how *checkFlags) ([]triaged, error) {
	if form == "" {
		run, err := experiment.Read(name)
		if err == nil {
			return triageRun(run)
		}
		// What is no log may be rows.
		if !errors.Is(err, experiment.ErrNoRun) {
			return nil, plainError{err}
		}
	}
	mapped, err := dataset.ParseFields(fields)
	if err != nil {
		return nil, fmt.Errorf("--fields: %w", plainError{err})
	}
	options, err := how.options(cmd)
	if err != nil {
		return nil, err
	}
	checker, err := a.parts.checker(options)
	if err != nil {
		return nil, err
	}
	var out []triaged
	for row, err := range dataset.Open(form, name, mapped) {
		var bad *dataset.RowError
		switch {
		case errors.As(err, &bad):
			fmt.Fprintf(a.stderr, "kgeval: left out: %v\n", bad)
			a.code = exitUnknown
			continue
		case err != nil:
			return nil, plainError{err}
		}
		x := triaged{sample: row.Sample()}
		x.result, x.err = checker.Check(cmd.Context(), x.sample)
		if cmd.Context().Err() != nil {
			return nil, cmd.Context().Err()
		}
		x.need = experiment.NeedOf(x.result)
		if x.err != nil {
			x.need = experiment.Need{Value: 1, Reasons: []string{oneLine(plainError{x.err}.Error())}}
			x.result = claim.Result{Outcome: claim.OutcomeUnknown, PInconsistent: 1}
		}
		out = append(out, x)
	}
	return out, nil
}

func triageRun(r *experiment.Run) ([]triaged, error) {
	items := map[string]experiment.Item{}
	for _, it := range r.Items {
		items[it.ID] = it
	}
	var out []triaged
	for _, x := range r.Records {
		if x.Answer == nil || x.Score == nil || x.Score.Check == nil {
			continue
		}
		it := items[x.Item]
		id := fmt.Sprintf("%s/%s/%g/%d", x.Item, x.Model, x.Temperature, x.Repeat)
		out = append(out, triaged{
			sample: kgeval.Sample{ID: id, Question: it.Question, Sources: it.Sources, Output: x.Answer.Text},
			result: *x.Score.Check, need: experiment.NeedOf(*x.Score.Check),
		})
	}
	if len(out) == 0 {
		return nil, errors.New("the log has no checked answer (scoring.check may be off in its configuration)")
	}
	return out, nil
}

func (a *app) showTriage(all []triaged) error {
	w := bufio.NewWriter(a.stdout)
	for i, x := range all {
		fmt.Fprintf(w, "%d. %s  %s  need %.2f\n", i+1, a.paint.strong(safe(x.sample.ID)), x.result.Outcome, x.need.Value)
		for _, r := range x.need.Reasons {
			fmt.Fprintf(w, "   - %s\n", safe(r))
		}
	}
	if len(all) == 0 {
		fmt.Fprintln(w, "no answers")
	}
	return w.Flush()
}

// safe makes a text from a file harmless for a terminal.
func safe(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// labelColumns are those of the table for labelling.
var labelColumns = []string{"id", "label", "verdict", "p_inconsistent", "need", "reasons", "question", "output", "context", "group", "model", "extractor"}

func exportLabels(w io.Writer, all []triaged) error {
	c := csv.NewWriter(w)
	c.Write(labelColumns)
	for _, x := range all {
		var context []string
		for _, s := range x.sample.Sources {
			context = append(context, s.Text)
		}
		p := ""
		if v, ok := x.result.Score(); ok && x.result.Outcome != claim.OutcomeUnknown {
			p = strconv.FormatFloat(v, 'g', -1, 64)
		}
		joined := strings.Join(context, "\n\n")
		c.Write([]string{
			x.sample.ID, "", string(x.result.Outcome), p, fmt.Sprintf("%.3f", x.need.Value), spreadsheet(strings.Join(x.need.Reasons, "\n")),
			spreadsheet(x.sample.Question), spreadsheet(x.sample.Output), spreadsheet(joined), groupOf(joined), x.result.Model, x.result.Extractor,
		})
	}
	c.Flush()
	return c.Error()
}

// spreadsheet keeps a program for tables from taking a text for a formula.
func spreadsheet(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// groupOf names a context, so that answers about one stay together.
func groupOf(context string) string {
	sum := sha256.Sum256([]byte(context))
	return hex.EncodeToString(sum[:8])
}

func (a *app) calibrateCheckCommand() *cobra.Command {
	var alarms float64
	var out, plot, model string
	cmd := &cobra.Command{
		Use:   "check LABELS",
		Short: "Find the threshold for your own data, on answers that people labelled",
		Long: `Check reads the table that kgeval triage --export wrote, after people have filled
in its column "label" (consistent or inconsistent; rows without are left out). It
shows what each threshold would have flagged, picks one, and says how far the
probabilities can be believed. Which threshold is picked is measured too on rows
that it was not picked on (each half by the other, contexts kept together).

--out writes the threshold to a file for kgeval check --calibration.`,
		Example: `  kgeval triage answers.jsonl --export labels.csv
  kgeval calibrate check labels.csv --max-false-alarms 0.05 --out mine.json
  kgeval calibrate check labels.csv --svg reliability.svg`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name the table with the labels: kgeval calibrate check LABELS")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !(alarms > 0 && alarms <= 1) {
				return fmt.Errorf("--max-false-alarms must be above 0 and at most 1, not %v", alarms)
			}
			rows, judges, skipped, err := readLabels(args[0])
			if err != nil {
				return err
			}
			curve := experiment.Curve(rows)
			if curve == nil {
				return fmt.Errorf("%s has %s, and a threshold needs both consistent and inconsistent ones; fill in the column \"label\"", args[0], count(len(rows), "labelled answer, or all with one label", "labelled answers, or all with one label"))
			}
			best := experiment.Choose(curve, alarms)
			a.showCalibration(rows, skipped, curve, best, alarms)
			if plot != "" {
				if _, err := a.writeWhole(plot, func(w io.Writer) error { return reliabilitySVG(w, experiment.Reliability(rows, 10)) }); err != nil {
					return err
				}
			}
			if out == "" {
				return nil
			}
			return a.writeThreshold(out, model, judges, rows, best, alarms, args[0])
		},
	}
	f := cmd.Flags()
	f.Float64Var(&alarms, "max-false-alarms", 1, "the largest share of consistent answers that may be flagged, `F` (default: weigh both errors alike)")
	f.StringVar(&out, "out", "", "write the threshold to this `FILE`")
	f.StringVar(&model, "model", "", "the `ID` of the model that judged, if the table names several")
	f.StringVar(&plot, "svg", "", "write the reliability plot to this `FILE`")
	return cmd
}

// judge is the IDs of what judged an answer and of what found its claims.
type judge struct{ model, extractor string }

// readLabels reads a table for labelling; judges counts the rows of each.
func readLabels(name string) (rows []experiment.Labelled, judges map[judge]int, skipped int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, 0, err
	}
	defer f.Close()
	fields := dataset.Fields{ID: "id", Label: "label", Class: "p_inconsistent", Output: "id", Question: "-", Context: "-", Gold: "-", Set: "extractor", Split: "-"}
	judges = map[judge]int{}
	for row, err := range dataset.CSV(',', fields)(name, f) {
		var bad *dataset.RowError
		if errors.As(err, &bad) && strings.Contains(bad.Error(), `field "label" is missing`) {
			skipped++ // nobody has labelled it yet
			continue
		}
		if err != nil {
			return nil, nil, 0, plainError{err}
		}
		p, err := strconv.ParseFloat(row.Class, 64)
		if err != nil || !(p >= 0 && p <= 1) {
			return nil, nil, 0, fmt.Errorf("%s:%d: p_inconsistent is %q, not a number from 0 to 1", name, row.Line, row.Class)
		}
		judges[judge{row.Model, row.Set}]++
		rows = append(rows, experiment.Labelled{P: p, Inconsistent: row.Label == dataset.Inconsistent, Group: cmp.Or(row.Group, row.ID)})
	}
	return rows, judges, skipped, nil
}

func (a *app) showCalibration(rows []experiment.Labelled, skipped int, curve []experiment.Point, best experiment.Point, alarms float64) {
	w := a.stdout
	inconsistent := 0
	points := make([]metrics.Point, len(rows))
	for i, r := range rows {
		points[i] = metrics.Point{Score: r.P, Positive: r.Inconsistent}
		if r.Inconsistent {
			inconsistent++
		}
	}
	area, _ := metrics.AUROC(points)
	fmt.Fprintf(w, "%s with a label, %d of them inconsistent; %d without. AUROC %.3f\n\n", count(len(rows), "answer", "answers"), inconsistent, skipped, area)
	fmt.Fprintf(w, "threshold  flagged  precision  recall  false alarms\n")
	for _, p := range thin(curve, best, 12) {
		mark := ""
		if p == best {
			mark = "  <- chosen"
		}
		fmt.Fprintf(w, "%9.3f  %7d  %9.3f  %6.3f  %12.3f%s\n", p.Threshold, p.Flagged, p.Precision, p.Recall, p.FalseAlarms, mark)
	}
	if held, ok := heldOut(rows, alarms); ok {
		fmt.Fprintf(w, "\nOn rows that it was not chosen on: balanced accuracy %.3f, false alarms %.3f (chosen on these: %.3f, %.3f)\n",
			held.BalancedAccuracy(), held.FalseAlarms, best.BalancedAccuracy(), best.FalseAlarms)
	} else {
		fmt.Fprintf(w, "\nToo few rows to say how it does on others.\n")
	}
	bins := experiment.Reliability(rows, 10)
	fmt.Fprintf(w, "\nReliability: of the answers that were given a P(inconsistent), how many are (mean distance %.3f)\n", experiment.CalibrationError(bins))
	for _, b := range bins {
		if b.Answers == 0 {
			fmt.Fprintf(w, "%.1f to %.1f  -\n", b.Low, b.High)
			continue
		}
		bar := strings.Repeat("#", int(math.Round(b.Found*40)))
		at := min(39, int(b.Said*40))
		line := []byte(fmt.Sprintf("%-40s", bar))
		line[at] = '|'
		fmt.Fprintf(w, "%.1f to %.1f  %s  said %.2f, found %.2f of %d\n", b.Low, b.High, line, b.Said, b.Found, b.Answers)
	}
}

// heldOut chooses a threshold on each half of the contexts and looks at the other.
func heldOut(rows []experiment.Labelled, alarms float64) (experiment.Point, bool) {
	halves := dataset.Split(rows, 1, func(r experiment.Labelled) string { return r.Group }, 1, 1)
	var sum experiment.Point
	var positives, negatives int
	for i, half := range halves {
		curve := experiment.Curve(half)
		if curve == nil {
			return sum, false
		}
		t := experiment.Choose(curve, alarms).Threshold
		for _, r := range halves[1-i] {
			flagged := r.P > t
			switch {
			case r.Inconsistent:
				positives++
				if flagged {
					sum.Recall++
				}
			default:
				negatives++
				if flagged {
					sum.FalseAlarms++
				}
			}
		}
	}
	if positives == 0 || negatives == 0 {
		return sum, false
	}
	sum.Recall /= float64(positives)
	sum.FalseAlarms /= float64(negatives)
	return sum, true
}

// thin leaves n points of a curve, evenly, the chosen one among them.
func thin(curve []experiment.Point, best experiment.Point, n int) []experiment.Point {
	if len(curve) <= n {
		return curve
	}
	var out []experiment.Point
	next := 0.0
	for i, p := range curve {
		if p == best || float64(i) >= next || i == len(curve)-1 {
			out = append(out, p)
			if float64(i) >= next {
				next += float64(len(curve)) / float64(n)
			}
		}
	}
	return out
}

// writeThreshold writes a calibration file: the model's own numbers, with the verdict
// turning at the chosen threshold.
func (a *app) writeThreshold(out, model string, judges map[judge]int, rows []experiment.Labelled, best experiment.Point, alarms float64, data string) error {
	models, extractors := map[string]int{}, map[string]int{}
	for j, n := range judges {
		models[j.model] += n
		if model == "" || j.model == model {
			extractors[j.extractor] += n
		}
	}
	if model == "" {
		if len(models) != 1 {
			return fmt.Errorf("--out: the rows were judged by several models (%s); say which with --model", strings.Join(slices.Sorted(maps.Keys(models)), ", "))
		}
		for m := range models {
			model = m
		}
	}
	if model == "" {
		return errors.New("--out: the table does not name the model that judged; say which with --model")
	}
	if len(extractors) > 1 {
		return fmt.Errorf("--out: the claims of the rows were found in several ways (column \"extractor\": %q); thresholds hold for one: keep the rows of one in the table", slices.Sorted(maps.Keys(extractors)))
	}
	c := movedCutoff(grapheval.CalibrationFor(model), best.Threshold, alarms < 1)
	v := calibrate.Verdicts{Threshold: c.Threshold, Denial: c.Denial, Center: c.Center, Slope: c.Slope, Claims: c.Claims, Balanced: c.Balanced, FewFalseAlarms: c.FewFalseAlarms}
	points := make([]metrics.Point, len(rows))
	for i, r := range rows {
		points[i] = metrics.Point{Score: r.P, Positive: r.Inconsistent}
		if r.Inconsistent {
			v.Inconsistent++
		} else {
			v.Consistent++
		}
	}
	for x := range extractors {
		v.Extractor = x
	}
	v.AUROC, _ = metrics.AUROC(points)
	if held, ok := heldOut(rows, alarms); ok {
		v.HeldAccuracy, v.HeldAlarms = held.BalancedAccuracy(), held.FalseAlarms
	}
	f := calibrate.File{Format: calibrate.Format, Version: calibrate.Version, Kind: calibrate.NLI, Model: model, Data: "labels in " + data, Verdicts: &v}
	return a.writeCalibration(f, out)
}

// movedCutoff returns a calibration whose verdict turns where c's probability is t: with few,
// at the point of few false alarms too. A t below one half moves the center instead, as
// cutoffs are at least one half.
func movedCutoff(c grapheval.Calibration, t float64, few bool) grapheval.Calibration {
	logit := func(p float64) float64 { return math.Log(p) - math.Log1p(-p) }
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	t = min(max(t, 1e-6), 1-1e-6)
	if few {
		c.FewFalseAlarms = t
	}
	c.Balanced, c.FewFalseAlarms = t, max(t, c.FewFalseAlarms)
	if t < 0.5 {
		c.Center = sigmoid(logit(c.Center) + logit(t)/c.Slope)
		c.Threshold = min(c.Threshold, c.Center)
		c.Balanced, c.FewFalseAlarms = 0.5, min(sigmoid(logit(c.FewFalseAlarms)-logit(t)), 1-1e-9)
	}
	return c
}

// reliabilitySVG draws the bins as a plot of found against said.
func reliabilitySVG(w io.Writer, bins []experiment.Bin) error {
	const size, left, top = 320, 50, 20
	var b strings.Builder
	x := func(v float64) float64 { return left + v*size }
	y := func(v float64) float64 { return top + (1-v)*size }
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="reliability" font-family="sans-serif" font-size="12">`+"\n", left+size+20, top+size+50, left+size+20, top+size+50)
	fmt.Fprintf(&b, `<title>%s</title>`+"\n", html.EscapeString("Reliability: share of inconsistent answers against P(inconsistent)"))
	fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="white" stroke="#888"/>`+"\n", left, top, size, size)
	fmt.Fprintf(&b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#888" stroke-dasharray="4 4"/>`+"\n", x(0), y(0), x(1), y(1))
	most := 1
	for _, n := range bins {
		most = max(most, n.Answers)
	}
	for _, n := range bins {
		if n.Answers == 0 {
			continue
		}
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="#2563eb" fill-opacity="0.7"><title>said %.2f, found %.2f of %d</title></circle>`+"\n",
			x(n.Said), y(n.Found), 3+9*math.Sqrt(float64(n.Answers)/float64(most)), n.Said, n.Found, n.Answers)
	}
	for _, v := range []float64{0, 0.5, 1} {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%g</text><text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n", x(v), top+size+18, v, left-6, y(v)+4, v)
	}
	fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">P(inconsistent) that was said</text>`+"\n", x(0.5), top+size+38)
	fmt.Fprintf(&b, `<text x="14" y="%.1f" text-anchor="middle" transform="rotate(-90 14 %.1f)">share found inconsistent</text>`+"\n</svg>\n", y(0.5), y(0.5))
	_, err := io.WriteString(w, b.String())
	return err
}
