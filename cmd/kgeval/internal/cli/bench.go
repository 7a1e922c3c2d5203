package cli

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/bench"
)

// benches are the benchmarks in the order in which they are listed.
var benches = []bench.Bench{
	bench.Check, bench.Grounding, bench.Long, bench.Numbers, bench.Errors, bench.NLI, bench.Combine, bench.Where, bench.Evidence, bench.Correct, bench.CorrectSwaps,
	bench.CaRB, bench.MINE, bench.Extract, bench.GAP, bench.Locate,
	bench.SemanticKG, bench.S3KG, bench.Relations, bench.Similarity, bench.TAU, bench.Labels, bench.Embed, bench.WL, bench.Encoder, bench.Cost, bench.LLMLeak, bench.LLMCorrect,
}

func (a *app) benchCommand() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "bench [name [arguments]]",
		Short: "Measure kgeval against data sets and peers",
		Long: `Bench lists the benchmarks, or runs one of them and prints its table in Markdown.
The data sets are read from the folder in KGEVAL_DATA (default: ../shared/data
seen from the current folder). A benchmark without its data says so by name.`,
		Example: `  kgeval bench
  KGEVAL_DATA=~/data kgeval bench wl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if data == "" {
				data = bench.DataDir()
			}
			if len(args) == 0 {
				w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
				for _, b := range benches {
					fmt.Fprintf(w, "%s\t%s\n", b.Name, b.Short)
				}
				if err := w.Flush(); err != nil {
					return err
				}
				if st, err := os.Stat(data); err != nil || !st.IsDir() {
					fmt.Fprintf(a.stderr, "kgeval: no data sets at %s; set KGEVAL_DATA to the folder that holds them\n", data)
				}
				return nil
			}
			for _, b := range benches {
				if b.Name != args[0] {
					continue
				}
				// "--" is how many tools part their own flags from those of what
				// they run.
				rest := args[1:]
				if len(rest) > 0 && rest[0] == "--" {
					rest = rest[1:]
				}
				err := b.Run(cmd.Context(), a.stdout, data, rest)
				if errors.Is(err, flag.ErrHelp) {
					return nil
				}
				if errors.Is(err, bench.ErrNoData) {
					return fmt.Errorf("bench %s did not run: %s", b.Name, strings.TrimPrefix(err.Error(), "bench "+b.Name+": "))
				}
				return err
			}
			return fmt.Errorf("there is no benchmark %q; kgeval bench lists them", args[0])
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "the `FOLDER` of the data sets, instead of KGEVAL_DATA")
	cmd.Flags().SetInterspersed(false)
	return cmd
}
