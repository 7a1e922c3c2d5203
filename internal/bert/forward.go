package bert

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/kgeval/kgeval/internal/bert/kernel"
)

// Sequence is one input of the encoder, special tokens and all.
type Sequence struct {
	IDs []int32
	// Second is the position from which on tokens are of type 1, the second
	// text of a pair; 0 in a single text.
	Second int
}

// Single returns the sequence of one text, its pieces cut to fit length.
func (m *Model) Single(pieces []int32, length int) Sequence {
	t := m.tokenizer
	ids := make([]int32, 0, min(len(pieces)+2, length))
	ids = append(ids, t.cls)
	ids = append(ids, pieces[:min(len(pieces), length-2)]...)
	return Sequence{IDs: append(ids, t.sep)}
}

// Pair returns the sequence of two texts. It cuts nothing: the caller sees to
// it that PairLength(len(a), len(b)) is at most the number of positions.
func (m *Model) Pair(a, b []int32) Sequence {
	t := m.tokenizer
	ids := make([]int32, 0, m.PairLength(len(a), len(b)))
	ids = append(append(ids, t.cls), a...)
	for range m.config.Separators {
		ids = append(ids, t.sep)
	}
	second := len(ids)
	if m.config.Types < 2 {
		second = 0
	}
	return Sequence{IDs: append(append(ids, b...), t.sep), Second: second}
}

// PairLength is the length of a pair's sequence with special tokens.
func (m *Model) PairLength(a, b int) int { return a + b + 2 + m.config.Separators }

// groupTokens is how many tokens go through the layers together: enough that
// the weights' way from memory is paid for, few enough that the activations
// stay in the second-level cache.
const groupTokens = 192

// innerRows is how many rows of the wide feed-forward part exist at a time.
const innerRows = 96

// Encode runs the encoder over the sequences and calls use once for each with
// its last hidden states (len(IDs) x Hidden, row-major). Calls of use may
// come at the same time for different sequences and in any order; hidden is
// only valid during the call. A sequence's states are the same bits whatever
// stands beside it. An empty sequence, one longer than the positions, or an
// id out of the vocabulary is an error, before anything runs. Encode stops
// between groups of about 192 tokens when ctx ends and returns its error. At
// most workers goroutines are used; 0 means GOMAXPROCS.
func (m *Model) Encode(ctx context.Context, seqs []Sequence, workers int, use func(i int, hidden []float32)) error {
	for i, s := range seqs {
		if err := m.checkSequence(s); err != nil {
			return fmt.Errorf("bert: sequence %d: %w", i, err)
		}
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	groups := m.group(seqs, workers)
	workers = min(workers, len(groups))
	var next atomic.Int64
	work := func() error {
		s := m.scratch()
		defer m.release(s)
		for {
			g := int(next.Add(1)) - 1
			if g >= len(groups) {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			m.forward(s, seqs, groups[g], use)
		}
	}
	if workers <= 1 {
		return work()
	}
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() { errs[w] = work() })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) checkSequence(s Sequence) error {
	switch {
	case len(s.IDs) == 0:
		return fmt.Errorf("it is empty")
	case len(s.IDs) > m.config.Positions:
		return fmt.Errorf("%d tokens, the model reads %d", len(s.IDs), m.config.Positions)
	case s.Second < 0 || s.Second > len(s.IDs) || s.Second > 0 && m.config.Types < 2:
		return fmt.Errorf("second text at %d of %d tokens", s.Second, len(s.IDs))
	}
	for _, id := range s.IDs {
		if id < 0 || int(id) >= m.tokenizer.size {
			return fmt.Errorf("token %d is not in the vocabulary", id)
		}
	}
	return nil
}

// group cuts the sequences, in order, into groups of about groupTokens
// tokens, or fewer where there would be less than one for each worker.
func (m *Model) group(seqs []Sequence, workers int) [][2]int {
	total := 0
	for _, s := range seqs {
		total += len(s.IDs)
	}
	limit := min(groupTokens, (total+workers-1)/workers)
	var groups [][2]int
	first, tokens := 0, 0
	for i, s := range seqs {
		if i > first && tokens+len(s.IDs) > limit+limit/8 {
			groups = append(groups, [2]int{first, i})
			first, tokens = i, 0
		}
		tokens += len(s.IDs)
	}
	if first < len(seqs) {
		groups = append(groups, [2]int{first, len(seqs)})
	}
	return groups
}

// buffers is the memory of one worker. Its size follows the largest group,
// that is about groupTokens or one sequence of the longest kind.
type buffers struct {
	x, y, qkv, context []float32
	inner, scores      []float32
	key, value         kernel.Panels
}

var pool sync.Pool

func (m *Model) scratch() *buffers {
	s, _ := pool.Get().(*buffers)
	if s == nil {
		s = &buffers{}
	}
	return s
}

func (m *Model) release(s *buffers) { pool.Put(s) }

func grow(b []float32, n int) []float32 {
	if cap(b) < n {
		return make([]float32, n)
	}
	return b[:n]
}

// forward runs the layers over the sequences [g[0], g[1]).
func (m *Model) forward(s *buffers, seqs []Sequence, g [2]int, use func(int, []float32)) {
	c := m.config
	h := c.Hidden
	tokens := 0
	for _, q := range seqs[g[0]:g[1]] {
		tokens += len(q.IDs)
	}
	s.x, s.y = grow(s.x, tokens*h), grow(s.y, tokens*h)
	s.qkv, s.context = grow(s.qkv, tokens*3*h), grow(s.context, tokens*h)
	s.inner = grow(s.inner, min(tokens, innerRows)*c.Inner)

	k := m.kernel
	t := 0
	for _, q := range seqs[g[0]:g[1]] {
		for i, id := range q.IDs {
			x := s.x[t*h : (t+1)*h]
			m.word.row(x, int(id))
			kind := m.types[:h]
			if q.Second > 0 && i >= q.Second {
				kind = m.types[h : 2*h]
			}
			k.LayerNorm(x, m.position[i*h:(i+1)*h], kind, m.embedGain, m.embedBias, c.NormEps)
			t++
		}
	}
	for i := range m.layers {
		l := &m.layers[i]
		k.Mul(s.x, h, l.qkv, s.qkv, 3*h, tokens, 0, -1)
		for t := range tokens {
			k.Add(s.qkv[t*3*h:(t+1)*3*h], l.qkvBias)
		}
		t := 0
		for _, q := range seqs[g[0]:g[1]] {
			m.attend(s, t, len(q.IDs))
			t += len(q.IDs)
		}
		k.Mul(s.context, h, l.out, s.y, h, tokens, 0, -1)
		for t := range tokens {
			k.LayerNorm(s.y[t*h:(t+1)*h], l.outBias, s.x[t*h:(t+1)*h], l.gain1, l.bias1, c.NormEps)
		}
		for t := 0; t < tokens; t += innerRows {
			n := min(innerRows, tokens-t)
			k.Mul(s.y[t*h:], h, l.up, s.inner, c.Inner, n, 0, -1)
			for r := range n {
				k.GELU(s.inner[r*c.Inner:(r+1)*c.Inner], l.upBias)
			}
			k.Mul(s.inner, c.Inner, l.down, s.x[t*h:], h, n, 0, -1)
			for r := t; r < t+n; r++ {
				k.LayerNorm(s.x[r*h:(r+1)*h], l.downBias, s.y[r*h:(r+1)*h], l.gain2, l.bias2, c.NormEps)
			}
		}
	}
	t = 0
	for i := g[0]; i < g[1]; i++ {
		n := len(seqs[i].IDs)
		use(i, s.x[t*h:(t+n)*h])
		t += n
	}
}

// queryRows is how many queries' scores exist at a time.
const queryRows = 128

// attend computes the attention of one sequence, the n tokens from t on.
func (m *Model) attend(s *buffers, t, n int) {
	c := m.config
	h, d := c.Hidden, m.headWidth
	k := m.kernel
	scale := float32(1 / math.Sqrt(float64(d)))
	width := (n + 31) / 32 * 32
	s.scores = grow(s.scores, min(n, queryRows)*width)
	inf := float32(math.Inf(-1))
	for head := range c.Heads {
		k.Resize(&s.key, d, n)
		k.Resize(&s.value, n, d)
		for j := range n {
			row := s.qkv[(t+j)*3*h:]
			s.key.SetColumn(j, row[h+head*d:h+(head+1)*d])
			s.value.SetRow(j, row[2*h+head*d:2*h+(head+1)*d])
		}
		for q := 0; q < n; q += queryRows {
			rows := min(queryRows, n-q)
			k.Mul(s.qkv[(t+q)*3*h+head*d:], 3*h, &s.key, s.scores, width, rows, 0, -1)
			for r := range rows {
				row := s.scores[r*width : (r+1)*width]
				by := scale
				if m.relative != nil {
					bias := m.relative[head*m.relativeRow+c.Positions-1-(q+r):]
					k.ScaleAdd(row, bias[:width], scale)
					by = 1
				}
				for j := n; j < width; j++ {
					row[j] = inf
				}
				k.Softmax(row, by)
			}
			k.Mul(s.scores, width, &s.value, s.context[(t+q)*h+head*d:], h, rows, 0, -1)
		}
	}
}

// bucket is T5's bucket of a relative position (key minus query): half of the
// buckets for each direction, the nearer half of those exact, the others
// logarithmic up to 128 positions.
func bucket(relative, buckets int) int {
	buckets /= 2
	b := 0
	n := -relative
	if n < 0 {
		b, n = buckets, -n
	}
	exact := buckets / 2
	if n < exact {
		return b + n
	}
	far := exact + int(float32(math.Log(float64(n)/float64(exact)))/float32(math.Log(128/float64(exact)))*float32(buckets-exact))
	return b + min(far, buckets-1)
}
