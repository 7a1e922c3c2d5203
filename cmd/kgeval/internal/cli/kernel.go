package cli

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/jsonl"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/kernelrow"
)

var kernelFormat = format{"kgeval.kernel", 1}

// kernelRow is an output row of kgeval kernel; docs/rows.md describes it.
type kernelRow struct {
	jsonl.Head
	Gram       *[2][2]float64 `json:"gram"`
	Normalised *float64       `json:"normalised"`
	Degenerate bool           `json:"degenerate,omitempty"`
	Error      *string        `json:"error"`
}

func failedKernel(h jsonl.Head, err error) any {
	msg := oneLine(err.Error())
	return kernelRow{Head: h, Error: &msg}
}

func judgeError(row []byte) (int, string) {
	var r struct {
		Error *string `json:"error"`
	}
	if err := json.Unmarshal(row, &r); err != nil || r.Error != nil {
		return exitUnknown, "failed"
	}
	return exitOK, "done"
}

func (a *app) kernelCommand() *cobra.Command {
	var many batchFlags
	cmd := &cobra.Command{
		Use:   "kernel --jsonl FILE",
		Short: "Weisfeiler-Lehman kernel values of pairs of labelled graphs",
		Long: `Kernel computes the Weisfeiler-Lehman subtree kernel of two labelled graphs for
each row: {"a": {"nodes": ["x", …], "edges": [[0, 1, "label"], …]}, "b": …,
"iterations": h, "neighbours": "out", "in", "both" or "directed",
"edge_labels": true or false} gives {"gram": [[k(a,a), k(a,b)], [k(b,a),
k(b,b)]], "normalised": k(a,b)/sqrt(k(a,a) k(b,b))}. Rows with "neighbours":
"both" are simple undirected graphs: a pair of nodes joined twice counts once.

` + exitHelp,
		Example: `  kgeval kernel --jsonl pairs.jsonl --out values.jsonl`,
		Args:    noArgs("name the file with --jsonl"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := many.check(cmd, args); err != nil {
				return err
			}
			if many.jsonl == "" {
				return errors.New("say which pairs of graphs: --jsonl FILE")
			}
			return a.run(cmd.Context(), many, batch{
				format:   kernelFormat,
				settings: "kernel",
				row: func(ctx context.Context, h jsonl.Head, line []byte) (any, error) {
					row, err := kernelrow.Parse(line)
					if err != nil {
						return nil, err
					}
					v, err := kernelrow.Eval(ctx, row)
					if err != nil {
						return nil, err
					}
					return kernelRow{Head: h, Gram: &v.Gram, Normalised: &v.Normalised, Degenerate: v.Degenerate}, nil
				},
				failed: failedKernel,
				judge:  judgeError,
			})
		},
	}
	many.register(cmd)
	cmd.Flags().MarkHidden("json")
	return cmd
}
