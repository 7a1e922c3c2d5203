package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/metrics"
)

func (a *app) diffCommand() *cobra.Command {
	var (
		bound   float64
		names   []string
		rename  map[string]string
		how     metrics.Resampling
		form    string
		level   float64
		samples int
	)
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "What got better or worse between two runs, beyond noise",
		Long: `Diff pairs the answers of two logs of kgeval run by item, model, temperature and
repeat, and says for each number what changed. A change counts as better or
worse only if the interval of a paired bootstrap over the items does not hold 0;
everything else is the same. CUS, GoldSim and CtxSim are better when they rise,
inconsistent (the share of answers that are not true to their context) when it
falls.

Exit codes:
  0    nothing got worse by more than --bound
  1    something did
  2    wrong usage, or logs that cannot be read or compared
  130  interrupted`,
		Example: `  kgeval diff last-week.run.jsonl today.run.jsonl
  kgeval diff old.run.jsonl new.run.jsonl --bound 0.02 --metric CUS
  kgeval diff small.run.jsonl large.run.jsonl --rename small=large`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("name the two logs: kgeval diff OLD NEW")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case !(bound >= 0 && bound < 1):
				return fmt.Errorf("--bound must be at least 0 and below 1, not %v", bound)
			case !(level > 0 && level < 1):
				return fmt.Errorf("--level must be between 0 and 1, not %v", level)
			case samples < 100:
				return fmt.Errorf("--samples must be at least 100, not %d", samples)
			case form != "markdown" && form != "csv":
				return fmt.Errorf("--format must be markdown or csv, not %q", form)
			}
			for i, m := range names {
				at := slices.IndexFunc(experiment.Metrics(), func(x experiment.Metric) bool { return strings.EqualFold(string(x), m) })
				if at < 0 {
					return fmt.Errorf("--metric must be CUS, GoldSim, CtxSim or inconsistent, not %q", m)
				}
				names[i] = string(experiment.Metrics()[at])
			}
			how.Level, how.Samples = level, samples
			var runs [2]*experiment.Run
			for i, name := range args {
				var err error
				if runs[i], err = experiment.Read(name); err != nil {
					return plainError{err}
				}
			}
			for from := range rename {
				if !slices.Contains(runs[0].Header.Models, from) {
					return fmt.Errorf("--rename: %s has no model %q; it has %s", args[0], from, strings.Join(runs[0].Header.Models, ", "))
				}
			}
			d, err := experiment.Compare(cmd.Context(), runs[0], runs[1], rename, how)
			if err != nil {
				return err
			}
			for _, r := range d.Rows {
				if r.Loss() > bound && (len(names) == 0 || slices.Contains(names, string(r.Metric))) {
					a.code = exitBad
					fmt.Fprintf(a.stderr, "kgeval: %s at %g: %s went from %.3f to %.3f\n", r.Model, r.Temperature, r.Metric, r.Old, r.New)
				}
			}
			if form == "csv" {
				return d.WriteCSV(a.stdout)
			}
			return d.WriteMarkdown(a.stdout)
		},
	}
	f := cmd.Flags()
	f.Float64Var(&bound, "bound", 0, "how much worse, beyond noise, is still borne, `D` between 0 and 1")
	f.StringSliceVar(&names, "metric", nil, "let only these decide the exit code, `NAMES` of CUS, GoldSim, CtxSim, inconsistent (default: all)")
	f.StringToStringVar(&rename, "rename", nil, "take a model of OLD for one of NEW, `A=B`")
	f.Float64Var(&level, "level", 0.95, "level of the intervals, `P`")
	f.IntVar(&samples, "samples", 2000, "bootstrap samples, `N`")
	f.Uint64Var(&how.Seed, "seed", 1, "`SEED` of the bootstrap")
	f.StringVar(&form, "format", "markdown", "how it is printed, `FORM`: markdown or csv")
	return cmd
}
