package builtin

import (
	"context"
	"fmt"
	"slices"

	"github.com/kgeval/kgeval/internal/bert"
	"github.com/kgeval/kgeval/metrics"
)

var _ metrics.TokenEmbedder = (*Embedder)(nil)

// EmbedTokens returns the last layer's states of each text's tokens, for
// metrics.BERTScore: those of the first MaxTokens-2 pieces between the two end
// marks. A blank text has the end marks alone. Errors are those of Embed. The
// states of all texts are in memory at once, 1.5 kB a token.
func (e *Embedder) EmbedTokens(ctx context.Context, texts []string) ([]metrics.Tokens, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("embed/builtin: %w", err)
	}
	out := make([]metrics.Tokens, len(texts))
	if len(texts) == 0 {
		return out, nil
	}
	m, err := e.model()
	if err != nil {
		return nil, fmt.Errorf("embed/builtin: %w", err)
	}
	width, length := m.Config().Hidden, min(MaxTokens, m.Config().Positions)
	seqs := make([]bert.Sequence, len(texts))
	for i, t := range texts {
		seqs[i] = m.Single(m.Tokenizer().EncodeFirst(nil, t, length-2), length)
	}
	err = m.Encode(ctx, seqs, e.workers, func(i int, hidden []float32) {
		ids := seqs[i].IDs
		states := make([][]float32, len(ids))
		kept := slices.Clone(hidden) // only valid during the call
		for k := range states {
			states[k] = kept[k*width : (k+1)*width : (k+1)*width]
		}
		out[i] = metrics.Tokens{IDs: ids, States: states, First: 1, End: len(ids) - 1}
	})
	if err != nil {
		return nil, fmt.Errorf("embed/builtin: %w", err)
	}
	return out, nil
}
