package embed

import (
	"context"
	"fmt"
	"sync/atomic"
)

// Batched returns an embedder that asks e for at most limit texts at a time and
// puts the answers together in order. Each answer is checked (see Check): a short
// answer, a vector of another length, a NaN, or a zero vector for a text with
// content is an error that names the text's place in the whole call, never a
// made-up vector. A limit below 1 means no limit.
//
// Blank texts are not sent, since many services refuse them; they get the zero
// vector. The calls go one after the other; an error or the context's end stops
// them. The result carries the ID of e, and its thresholds if it has any, and is
// safe for concurrent use if e is.
func Batched(e Embedder, limit int) Embedder {
	return likeInner(&batched{inner: e, limit: limit}, e)
}

type batched struct {
	inner Embedder
	limit int
	// length of a vector, 0 until the first answer.
	length atomic.Int64
}

func (b *batched) ID() string { return b.inner.ID() }

func (b *batched) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	// index[i] is the place in texts of the i-th text that has content.
	index := make([]int, 0, len(texts))
	for i, t := range texts {
		if !blank(t) {
			index = append(index, i)
		}
	}
	length := int(b.length.Load())
	for len(index) > 0 {
		n := len(index)
		if b.limit > 0 {
			n = min(n, b.limit)
		}
		var err error
		if length, err = b.ask(ctx, texts, index[:n], vectors, length); err != nil {
			return nil, err
		}
		index = index[n:]
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var zero []float32
	for i := range vectors {
		if vectors[i] != nil {
			continue
		}
		if length == 0 {
			// Only blanks so far: a word tells the length, once.
			var err error
			if length, err = b.ask(ctx, []string{"length"}, []int{0}, make([][]float32, 1), 0); err != nil {
				return nil, err
			}
		}
		if zero == nil {
			zero = make([]float32, length)
		}
		vectors[i] = zero
	}
	return vectors, nil
}

// ask embeds the texts at the places in index and puts the vectors there. It
// returns the length of a vector; want is that length if it is known, else 0.
func (b *batched) ask(ctx context.Context, texts []string, index []int, vectors [][]float32, want int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	part := make([]string, len(index))
	for i, at := range index {
		part[i] = texts[at]
	}
	got, err := b.inner.Embed(ctx, part)
	if err != nil {
		return 0, fmt.Errorf("embed: texts %d to %d: %w", index[0], index[len(index)-1], err)
	}
	if err := Check(part, got); err != nil {
		return 0, placed(err, func(i int) int { return index[i] })
	}
	if want != 0 && len(got[0]) != want {
		return 0, &LengthError{Index: index[0], Want: want, Got: len(got[0])}
	}
	for i, at := range index {
		vectors[at] = got[i]
	}
	b.length.Store(int64(len(got[0])))
	return len(got[0]), nil
}
