package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/runreport"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/report"
)

// reportFormats are the forms of a report, by the ending of the file's name.
var reportFormats = map[string]func(*runreport.Report, io.Writer) error{
	".html": (*runreport.Report).WriteHTML,
	".md":   (*runreport.Report).WriteMarkdown,
	".csv":  (*runreport.Report).WriteCSV,
}

func reportFormat(name string) (func(*runreport.Report, io.Writer) error, error) {
	ending := strings.ToLower(filepath.Ext(name))
	if ending == ".htm" {
		ending = ".html"
	}
	write, ok := reportFormats[ending]
	if !ok {
		return nil, fmt.Errorf("--out must end in .html, .md or .csv, which says what is written; %q does not", name)
	}
	return write, nil
}

func (a *app) reportCommand() *cobra.Command {
	var (
		out           []string
		size          float64
		noTexts       bool
		graphs        int
		samples, seed int
	)
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Show a run: tables, plots, and every answer",
		Long: `Report sums up the log that kgeval run wrote, also while it is being written: a
summary with bootstrap intervals and paired differences, plots, and the answers,
those to look at first, with both graphs drawn and their differences marked.

The HTML report is one file that needs no network: mail it, keep it, print it.
Markdown has the same tables; CSV has a row for each answer. Without --out the
Markdown is printed.

Exit codes:
  0    the report was written
  2    wrong usage, or a file that could not be read or written
  3    written, but answers failed or are still open`,
		Example: `  kgeval report run.jsonl
  kgeval report run.jsonl -o report.html
  kgeval report run.jsonl -o report.html -o summary.md -o answers.csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("say which run: kgeval report RUN, the log that kgeval run wrote")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !(size > 0 && size <= 2000) {
				return fmt.Errorf("--size must be above 0 and at most 2000 MB, not %v", size)
			}
			if samples < 0 || graphs < 0 || seed < 0 {
				return errors.New("--samples, --graphs and --seed must not be negative")
			}
			for _, name := range out {
				if _, err := reportFormat(name); err != nil {
					return err
				}
			}
			run, err := experiment.Read(args[0])
			if err != nil {
				return plainError{err}
			}
			o := runreport.Options{
				Bytes: int(size * 1e6), Drawn: graphs, NoTexts: noTexts,
				Resampling: metrics.Resampling{Samples: samples, Seed: uint64(seed)},
			}
			if graphs == 0 {
				o.Drawn = -1
			}
			if samples == 0 {
				o.Resampling.Samples = -1
			}
			r, err := runreport.New(cmd.Context(), run, o)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if r.Incomplete() != "" {
				a.code = exitUnknown
			}
			if len(out) == 0 {
				return r.WriteMarkdown(a.stdout)
			}
			for _, name := range out {
				write, err := reportFormat(name)
				if err != nil {
					return err
				}
				n, err := a.writeWhole(name, func(w io.Writer) error { return write(r, w) })
				if err != nil {
					return err
				}
				fmt.Fprintf(a.stdout, "%s: %s\n", name, megabytes(n))
			}
			if bad := r.Incomplete(); bad != "" {
				fmt.Fprintf(a.stderr, "kgeval: %s\n", bad)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&out, "out", "o", nil, "write the report to `FILE`, .html, .md or .csv by its ending (may be given several times)")
	f.Float64Var(&size, "size", 12, "how much the texts of the answers may take in the HTML file, in `MB`; those to look at first come first")
	f.BoolVar(&noTexts, "no-texts", false, "leave out questions, contexts, answers and facts: a report to publish, of texts that are not to be passed on")
	f.IntVar(&graphs, "graphs", 60, "for how many answers, `N`, those to look at first, both graphs are drawn")
	f.IntVar(&samples, "samples", 1000, "how many bootstrap samples, `N`, the intervals are made from (0: no intervals)")
	f.IntVar(&seed, "seed", 0, "the seed of the bootstrap, `N`")
	return cmd
}

// megabytes writes a file's size.
func megabytes(n int) string {
	if n < 100_000 {
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// writeWhole writes a file for people as a whole or not at all, to a file beside
// it which then takes its name, and returns its size. "-" is standard output.
func (a *app) writeWhole(name string, write func(io.Writer) error) (int, error) {
	if name == "-" {
		return 0, write(a.stdout)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return 0, err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return 0, fmt.Errorf("cannot write %s: %w", name, err)
	}
	defer os.Remove(f.Name()) // gone already where all went well
	_, err = f.Write(b.Bytes())
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return 0, fmt.Errorf("cannot write %s: %w", name, err)
	}
	return b.Len(), nil
}

// writeCheckPage writes a check as a page.
func (a *app) writeCheckPage(file string, s kgeval.Sample, name string, r claim.Result) error {
	_, err := a.writeWhole(file, func(w io.Writer) error {
		return report.CheckPage(w, s, r, report.Options{Name: name})
	})
	return err
}
