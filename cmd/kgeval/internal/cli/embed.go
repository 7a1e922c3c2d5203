package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/jsonl"
	"github.com/kgeval/kgeval/embed"
)

var embedFormat = format{"kgeval.embed", 1}

// embedRow is an output row of kgeval embed; docs/rows.md describes it.
type embedRow struct {
	jsonl.Head
	Vector []float32 `json:"vector"`
	Error  *string   `json:"error"`
}

func failedEmbed(h jsonl.Head, err error) any {
	msg := oneLine(err.Error())
	return embedRow{Head: h, Vector: []float32{}, Error: &msg}
}

func (a *app) embedCommand() *cobra.Command {
	var many batchFlags
	cmd := &cobra.Command{
		Use:   "embed --jsonl FILE",
		Short: "Vectors of texts whose cosines tell how alike they are",
		Long: `Embed turns the text of each row {"id": …, "text": …} into a vector of unit norm:
{"id": …, "vector": [x, …]}. The cosine of two vectors, the sum of the products of
their elements, tells how alike the texts are. Only the first 190 words or so of
a text are read; the vector of a text of blanks alone is zero. kgeval model info
says which model it is. Same texts, same model and same processor: same bits.

` + exitHelp,
		Example: `  kgeval embed --jsonl texts.jsonl --out vectors.jsonl`,
		Args:    noArgs("name the file with --jsonl"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := many.check(cmd, args); err != nil {
				return err
			}
			if many.jsonl == "" {
				return errors.New("say which texts: --jsonl FILE")
			}
			p, err := a.parts.load()
			if err != nil {
				return err
			}
			return a.run(cmd.Context(), many, batch{
				format:   embedFormat,
				settings: "embed " + p.Embedder.ID(),
				row: func(ctx context.Context, h jsonl.Head, line []byte) (any, error) {
					var row struct {
						Text *string `json:"text"`
					}
					if err := decode(line, &row); err != nil {
						return nil, err
					}
					if row.Text == nil {
						return nil, errors.New(`"text" is missing`)
					}
					texts := []string{*row.Text}
					vectors, err := p.Embedder.Embed(ctx, texts)
					if err == nil {
						err = embed.Check(texts, vectors)
					}
					if err != nil {
						return nil, err
					}
					return embedRow{Head: h, Vector: vectors[0]}, nil
				},
				failed: failedEmbed,
				judge:  judgeError,
			})
		},
	}
	many.register(cmd)
	cmd.Flags().MarkHidden("json")
	return cmd
}
