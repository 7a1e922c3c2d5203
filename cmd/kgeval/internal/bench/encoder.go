package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kgeval/kgeval/internal/bert"
	"github.com/kgeval/kgeval/internal/bert/kernel"
)

// Encoder measures the forward pass of internal/bert beside onnxruntime, torch
// and hugot, with the same weights in one run.
var Encoder = Bench{
	Name:  "encoder",
	Short: "transformer forward pass: speed beside onnxruntime and torch with --peer PYTHON, hugot with --hugot",
	Run:   runEncoder,
}

// encoderShapes are tokens of a sequence and sequences of a batch.
const encoderShapes = "26x1,128x16,256x8,26x64"

// encoderRunner is one side. run does the batch n times and returns the
// seconds of each; states are those of the first sequence (hidden) or their
// mean (pooled), when asked for.
type encoderRunner struct {
	name   string
	slow   bool // fewer rounds
	run    func(b encoderBatch, n int, states bool) (seconds []float64, hidden [][]float64, pooled []float64, err error)
	times  []float64
	differ float64
}

// encoderBatch is the same input in the forms that the sides read.
type encoderBatch struct {
	ids   [][]int32
	texts []string
}

// encoderSizes reads a list such as "26x1,128x16".
func encoderSizes(list string) ([][2]int, error) {
	var sizes [][2]int
	for _, s := range strings.Split(list, ",") {
		a, b, _ := strings.Cut(s, "x")
		length, err1 := strconv.Atoi(a)
		batch, err2 := strconv.Atoi(b)
		if err1 != nil || err2 != nil || length < 3 || length > 512 || batch < 1 || batch > 1024 {
			return nil, fmt.Errorf("bench encoder: --shapes %q: want lengths (3 to 512) x batches (1 to 1024), such as %s", list, encoderShapes)
		}
		sizes = append(sizes, [2]int{length, batch})
	}
	return sizes, nil
}

func runEncoder(ctx context.Context, w io.Writer, _ string, args []string) error {
	flags := flag.NewFlagSet("bench encoder", flag.ContinueOnError)
	flags.SetOutput(w)
	peer := flags.String("peer", "", "`python` of an environment with the peers (see bench/peers/encoder)")
	script := flags.String("script", filepath.FromSlash("bench/peers/encoder/peer.py"), "`path` of the peers' script")
	withHugot := flags.String("hugot", "", "`program` built of bench/peers/hugot")
	work := flags.String("work", "", "`folder` for the model in the peers' forms (default: in the user's cache)")
	encoder := flags.String("encoder", "", "`folder` of another BERT or MPNet in Hugging Face's form (give it a --work of its own)")
	shapes := flags.String("shapes", encoderShapes, "`list` of tokens x sequences")
	rounds := flags.Int("rounds", 7, "measurements of each side, one side after the other")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if *peer == "" {
		return errors.New("bench encoder: it needs --peer PYTHON, which also writes the weights that all sides share (see bench/peers/encoder/README.md)")
	}
	if *rounds < 1 {
		return fmt.Errorf("bench encoder: --rounds is %d, want at least 1", *rounds)
	}
	sizes, err := encoderSizes(*shapes)
	if err != nil {
		return err
	}
	if *work == "" {
		if *encoder != "" {
			return errors.New("bench encoder: --encoder needs --work, a folder for its own files")
		}
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("bench encoder: %w; name a folder with --work", err)
		}
		*work = filepath.Join(cache, "kgeval", "encoder-bench")
	}
	command := []string{*peer, *script, *work}
	if *encoder != "" {
		command = append(command, *encoder)
	}
	python, err := startEncoderPeer(ctx, command, nil)
	if err != nil {
		return err
	}
	defer python.stop()
	sides, names := python.sides("onnxruntime", "onnxruntime, fused", "torch")
	ours, model, vocabulary, err := encoderOurs(ctx, *work)
	if err != nil {
		return err
	}
	sides = append(sides, ours...)
	if *withHugot != "" {
		p, err := startEncoderPeer(ctx, []string{*withHugot, *work}, []string{"GOMAXPROCS=1"})
		if err != nil {
			return err
		}
		defer p.stop()
		more, versions := p.sides("hugot")
		more[0].slow = true
		sides, names = append(sides, more...), names+", "+versions
	}
	fmt.Fprintf(w, "%s, float32, one thread; %s; %s, %s/%s; %d rounds (hugot: at most 3).\n", model, names,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, *rounds)
	for _, shape := range sizes {
		b := encoderInput(vocabulary, shape[0], shape[1])
		if err := encoderMeasure(ctx, sides, b, shape[0]*shape[1], *rounds); err != nil {
			return err
		}
		encoderTable(w, sides, shape)
	}
	return nil
}

// encoderMeasure fills the times of every side, round by round, so that what
// else the machine does meets all alike.
func encoderMeasure(ctx context.Context, sides []*encoderRunner, b encoderBatch, tokens, rounds int) error {
	reference := sides[0]
	var hidden [][]float64
	var mean []float64
	for _, s := range sides {
		s.times = nil
		_, h, p, err := s.run(b, 1, true) // also what is made on first use
		if err != nil {
			return fmt.Errorf("bench encoder: %s: %w", s.name, err)
		}
		if s == reference {
			hidden, mean = h, encoderMean(h)
			continue
		}
		s.differ = encoderDiffer(hidden, mean, h, p)
		if !(s.differ < 1e-3) {
			return fmt.Errorf("bench encoder: %s and %s differ by %g", s.name, reference.name, s.differ)
		}
	}
	for r := range rounds {
		for _, s := range sides {
			if err := ctx.Err(); err != nil {
				return err
			}
			if s.slow && r >= 3 || s.slow && r >= 1 && tokens > 500 {
				continue
			}
			n := max(1, 400/tokens) // about as many tokens at a time for each shape
			if s.slow {
				n = max(1, 100/tokens)
			}
			t, _, _, err := s.run(b, n, false)
			if err != nil {
				return fmt.Errorf("bench encoder: %s: %w", s.name, err)
			}
			s.times = append(s.times, t...)
		}
	}
	return nil
}

func encoderTable(w io.Writer, sides []*encoderRunner, shape [2]int) {
	median := func(t []float64) float64 { s := slices.Sorted(slices.Values(t)); return s[len(s)/2] }
	faster := sides[0]
	for _, s := range sides {
		if strings.HasPrefix(s.name, "onnxruntime") && median(s.times) < median(faster.times) {
			faster = s
		}
	}
	fmt.Fprintf(w, "\n%d tokens x %d:\n\n", shape[0], shape[1])
	fmt.Fprintf(w, "| | sequences/s (median) | best | x %s | best / best | differs by |\n|---|---|---|---|---|---|\n", "faster onnxruntime")
	var hugot float64
	for _, s := range sides {
		if s.slow {
			hugot = median(s.times)
		}
		n := float64(shape[1])
		fmt.Fprintf(w, "| %s | %.1f | %.1f | %.2f | %.2f | %.1e |\n", s.name, n/median(s.times), n/slices.Min(s.times),
			median(faster.times)/median(s.times), slices.Min(faster.times)/slices.Min(s.times), s.differ)
	}
	if hugot > 0 {
		for _, s := range sides {
			if strings.HasPrefix(s.name, "kgeval") {
				fmt.Fprintf(w, "\n%s: %.0f times as fast as hugot.\n", s.name, hugot/median(s.times))
			}
		}
	}
}

// encoderOurs returns a side for each instruction set of this machine, the best
// first and without the scalar one where there is another, the model's name,
// and the words that are one piece of the vocabulary.
func encoderOurs(ctx context.Context, folder string) ([]*encoderRunner, string, map[string]int32, error) {
	var sides []*encoderRunner
	var name string
	words := map[string]int32{}
	sets := kernel.Available()
	slices.Reverse(sets)
	for _, k := range sets {
		if k.Name() == "scalar" && len(sets) > 1 {
			continue
		}
		m, err := bert.LoadFS(os.DirFS(folder), []string{"model.f32.kgw"}, bert.WithKernel(k))
		if err != nil {
			return nil, "", nil, fmt.Errorf("bench encoder: %w", err)
		}
		name = m.Headers()[0].Model
		width := m.Config().Hidden
		sides = append(sides, &encoderRunner{name: "kgeval, " + k.Name(), run: func(b encoderBatch, n int, states bool) ([]float64, [][]float64, []float64, error) {
			seqs := make([]bert.Sequence, len(b.ids))
			for i, ids := range b.ids {
				seqs[i].IDs = ids
			}
			var seconds []float64
			var first [][]float64
			for range n {
				start := time.Now()
				err := m.Encode(ctx, seqs, 1, func(i int, h []float32) {
					if i > 0 || !states {
						return
					}
					for t := 0; t < len(h); t += width {
						row := make([]float64, width)
						for j, v := range h[t : t+width] {
							row[j] = float64(v)
						}
						first = append(first, row)
					}
				})
				if err != nil {
					return nil, nil, nil, err
				}
				seconds = append(seconds, time.Since(start).Seconds())
			}
			return seconds, first, nil, nil
		}})
		if len(words) == 0 {
			b, err := os.ReadFile(filepath.Join(folder, "vocab.txt"))
			if err != nil {
				return nil, "", nil, fmt.Errorf("bench encoder: %w", err)
			}
			for i, p := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
				plain := strings.Trim(p, "abcdefghijklmnopqrstuvwxyz") == ""
				switch {
				case plain && len(p) > 1:
					words[p] = int32(i)
				case p == "[CLS]" || p == "<s>":
					words["["] = int32(i)
				case p == "[SEP]" || p == "</s>":
					words["]"] = int32(i)
				}
			}
		}
	}
	return sides, name, words, nil
}

// encoderInput draws sequences of whole words, the same each time; "[" and "]"
// of the vocabulary are the tokens at the ends.
func encoderInput(vocabulary map[string]int32, length, batch int) encoderBatch {
	rng := rand.New(rand.NewPCG(1, uint64(length)))
	first, last := vocabulary["["], vocabulary["]"]
	var words []string
	for p := range vocabulary {
		if p != "[" && p != "]" {
			words = append(words, p)
		}
	}
	slices.Sort(words)
	var b encoderBatch
	for range batch {
		ids := []int32{first}
		var text []string
		for len(ids) < length-1 {
			p := words[rng.IntN(len(words))]
			ids, text = append(ids, vocabulary[p]), append(text, p)
		}
		b.ids = append(b.ids, append(ids, last))
		b.texts = append(b.texts, strings.Join(text, " "))
	}
	return b
}

func encoderMean(h [][]float64) []float64 {
	m := make([]float64, len(h[0]))
	for _, row := range h {
		for j, v := range row {
			m[j] += v / float64(len(h))
		}
	}
	return m
}

// encoderDiffer is the largest difference of the states, or of their means
// where a side gives only these.
func encoderDiffer(hidden [][]float64, mean []float64, h [][]float64, pooled []float64) float64 {
	worst := 0.0
	see := func(a, b []float64) {
		if len(a) != len(b) {
			worst = math.Inf(1)
			return
		}
		for j := range a {
			worst = max(worst, math.Abs(a[j]-b[j]))
		}
	}
	if h == nil {
		see(mean, pooled)
		return worst
	}
	if len(h) != len(hidden) {
		return math.Inf(1)
	}
	for i := range h {
		see(hidden[i], h[i])
	}
	return worst
}

// encoderPeer is a process that answers a line by a line.
type encoderPeer struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	versions map[string]string
}

func startEncoderPeer(ctx context.Context, command, env []string) (*encoderPeer, error) {
	p := &encoderPeer{cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	p.cmd.Env = append(os.Environ(), env...)
	var said strings.Builder
	p.cmd.Stderr = &said
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("bench encoder: %w", err)
	}
	var hello struct {
		Peers map[string]string `json:"peers"`
	}
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &hello)
	}
	if err != nil {
		p.stop()
		return nil, fmt.Errorf("bench encoder: %s gave no answer: %w\n%s", strings.Join(command, " "), err, said.String())
	}
	p.versions = hello.Peers
	return p, nil
}

func (p *encoderPeer) stop() {
	p.in.Close()
	p.cmd.Wait() //nolint:errcheck // it ends because nobody asks any more
}

// sides returns a runner for each of the peer's names, and names with versions.
func (p *encoderPeer) sides(names ...string) ([]*encoderRunner, string) {
	var sides []*encoderRunner
	var all []string
	for _, n := range names {
		if p.versions[n] == "" {
			continue // it has no such form of this model
		}
		if !strings.Contains(n, ",") {
			all = append(all, n+" "+p.versions[n])
		}
		sides = append(sides, &encoderRunner{name: n, run: func(b encoderBatch, times int, states bool) ([]float64, [][]float64, []float64, error) {
			line, err := json.Marshal(map[string]any{"peer": n, "ids": b.ids, "texts": b.texts, "times": times, "hidden": states})
			if err != nil {
				return nil, nil, nil, err
			}
			if _, err := p.in.Write(append(line, '\n')); err != nil {
				return nil, nil, nil, err
			}
			var r struct {
				Seconds []float64   `json:"seconds"`
				Hidden  [][]float64 `json:"hidden"`
				Pooled  []float64   `json:"pooled"`
			}
			if line, err = p.out.ReadBytes('\n'); err != nil {
				return nil, nil, nil, err
			}
			if err := json.Unmarshal(line, &r); err != nil {
				return nil, nil, nil, err
			}
			if len(r.Seconds) != times {
				return nil, nil, nil, fmt.Errorf("%d times, asked for %d", len(r.Seconds), times)
			}
			return r.Seconds, r.Hidden, r.Pooled, nil
		}})
	}
	return sides, strings.Join(all, ", ")
}
