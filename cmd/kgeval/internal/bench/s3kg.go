package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

// S3KG measures the time of comparing graphs whose labels have their vectors, and the
// agreement of s3kg.Reference with the authors' package.
var S3KG = Bench{
	Name:  "s3kg",
	Short: "graph similarity: time of a pair and of 10,000; against kganalytica with --peer PYTHON",
	Run:   runS3KG,
}

func runS3KG(ctx context.Context, w io.Writer, dir string, args []string) error {
	flags := flag.NewFlagSet("s3kg", flag.ContinueOnError)
	flags.SetOutput(w)
	peer := flags.String("peer", "", "`python` of an environment with kganalytica (see bench/peers/kganalytica)")
	script := flags.String("script", filepath.FromSlash("bench/peers/kganalytica/peer.py"), "`path` of the peer's script")
	name := flags.String("embedder", "builtin", "builtin or hashed")
	triples := flags.Int("triples", 10, "triples of a graph, cut from the graphs of semantic_kg")
	pairs := flags.Int("pairs", 40, "pairs of graphs")
	rounds := flags.Int("rounds", 20, "calls for each pair; the least time counts")
	many := flags.Int("many", 10_000, "pairs in one call")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if *triples < 1 || *pairs < 1 || *rounds < 1 || *many < 0 {
		return errors.New("bench s3kg: --triples, --pairs and --rounds must be at least 1, --many at least 0")
	}
	e, err := embedderNamed(*name)
	if err != nil {
		return fmt.Errorf("bench s3kg: %w", err)
	}
	graphs, err := s3kgPairs(dir, *triples, *pairs)
	if err != nil {
		return err
	}
	one, err := s3kg.New(s3kg.Options{Embedder: e, Concurrency: 1})
	if err != nil {
		return err
	}
	reference := s3kg.Reference()
	reference.Embedder, reference.Concurrency = e, 1
	published, err := s3kg.New(reference)
	if err != nil {
		return err
	}
	// The vectors come first, for all that follows.
	var flat []*kg.Graph
	for _, p := range graphs {
		flat = append(flat, p.A, p.B)
	}
	prepared, err := one.Prepare(ctx, flat...)
	if err != nil {
		return err
	}
	results, err := published.ScoreAll(ctx, graphs)
	if err != nil {
		return err
	}
	rows := []struct {
		name string
		call func(i int) error
	}{
		{"Scorer.ScorePrepared", func(i int) error {
			_, err := one.ScorePrepared(ctx, prepared[2*i], prepared[2*i+1])
			return err
		}},
		{"Scorer.Score, embedder with its vectors cached", func(i int) error {
			_, err := one.Score(ctx, graphs[i].A, graphs[i].B)
			return err
		}},
		{"s3kg.Reference, Scorer.Score, both directions", func(i int) error {
			_, err := published.Score(ctx, graphs[i].A, graphs[i].B)
			return err
		}},
	}
	fmt.Fprintf(w, "%d pairs of graphs of at most %d triples of semantic_kg (CoDEx): a graph and its perturbed copy. One goroutine, the least of %d calls a pair; median over the pairs. Embedder %s, vectors at hand.\n\n| | microseconds |\n|---|---|\n",
		len(graphs), *triples, *rounds, e.ID())
	medians := make([]float64, len(rows))
	for k, row := range rows {
		times := make([]float64, len(graphs))
		for i := range graphs {
			times[i] = math.Inf(1)
			for range *rounds {
				start := time.Now()
				if err := row.call(i); err != nil {
					return err
				}
				times[i] = min(times[i], time.Since(start).Seconds())
			}
		}
		slices.Sort(times)
		medians[k] = times[len(times)/2]
		fmt.Fprintf(w, "| %s | %.0f |\n", row.name, 1e6*medians[k])
	}
	if *peer != "" {
		theirs, err := s3kgPeer(ctx, *peer, *script, e, graphs, *rounds)
		if err != nil {
			return err
		}
		seconds := slices.Clone(theirs.Seconds)
		slices.Sort(seconds)
		median := seconds[len(seconds)/2]
		worst := 0.0
		for i, r := range results {
			worst = max(worst, math.Abs(r.Score-theirs.Scores[i]))
		}
		var versions []string
		for _, n := range slices.Sorted(maps.Keys(theirs.Versions)) {
			versions = append(versions, n+" "+theirs.Versions[n])
		}
		fmt.Fprintf(w, "| kg_similarity of kganalytica, the same vectors at hand | %.0f |\n", 1e6*median)
		fmt.Fprintf(w, "\nPeer: %s. It takes %.0f times as long as ScorePrepared and %.0f times as long as Score. Largest difference between its scores and those of s3kg.Reference: %.1e.\n",
			strings.Join(versions, ", "), median/medians[0], median/medians[1], worst)
	}
	if *many == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n%d pairs in one call of ScoreAll, vectors at hand:\n\n| goroutines | seconds | CPU seconds | pairs a second |\n|---|---|---|---|\n", *many)
	all := make([]s3kg.Pair, *many)
	for i := range all {
		all[i] = graphs[i%len(graphs)]
	}
	for workers := 1; workers <= runtime.GOMAXPROCS(0); workers *= 2 {
		s, err := s3kg.New(s3kg.Options{Embedder: e, Concurrency: workers})
		if err != nil {
			return err
		}
		cpu, start := cpuTime(), time.Now()
		if _, err := s.ScoreAll(ctx, all); err != nil {
			return err
		}
		took := time.Since(start).Seconds()
		fmt.Fprintf(w, "| %d | %.2f | %.2f | %.0f |\n", workers, took, (cpuTime() - cpu).Seconds(), float64(*many)/took)
	}
	fmt.Fprintf(w, "\nPeak memory of the process: %s.\n", peakMemory())
	return nil
}

// s3kgPairs returns pairs of graphs of CoDEx and their perturbed copies, cut to the first n
// triples; those with fewer are left out.
func s3kgPairs(dir string, n, most int) ([]s3kg.Pair, error) {
	rows, err := readSemanticKG(dir, "codex", "all")
	if err != nil {
		return nil, err
	}
	cut := func(g *kg.Graph) *kg.Graph { return kg.NewGraph(g.Slice()[:min(n, g.Len())]...) }
	var out []s3kg.Pair
	for _, r := range rows {
		if len(out) < most && r.a.Len() >= n && r.b.Len() >= n-2 {
			out = append(out, s3kg.Pair{A: cut(r.a), B: cut(r.b)})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("bench s3kg: no graph of codex has %d triples", n)
	}
	return out, nil
}

// s3kgReply is what the peer's script writes.
type s3kgReply struct {
	Versions     map[string]string
	Scores       []float64
	Seconds, CPU []float64
}

// s3kgPeer runs the peer on the same graphs with the same vectors.
func s3kgPeer(ctx context.Context, python, script string, e embed.Embedder, pairs []s3kg.Pair, rounds int) (s3kgReply, error) {
	var job struct {
		Vectors map[string][]float32 `json:"vectors"`
		Pairs   [][2][][3]string     `json:"pairs"`
		Rounds  int                  `json:"rounds"`
	}
	job.Rounds, job.Vectors = rounds, map[string][]float32{}
	for _, p := range pairs {
		var two [2][][3]string
		for i, g := range [...]*kg.Graph{p.A, p.B} {
			for t := range g.Triples() {
				two[i] = append(two[i], [3]string{t.Head, t.Relation, t.Tail})
				for _, text := range []string{t.Head + " " + t.Relation + " " + t.Tail, strings.ToLower(t.Head), strings.ToLower(t.Relation), strings.ToLower(t.Tail)} {
					job.Vectors[text] = nil
				}
			}
		}
		job.Pairs = append(job.Pairs, two)
	}
	texts := slices.Sorted(maps.Keys(job.Vectors))
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return s3kgReply{}, err
	}
	for i, t := range texts {
		job.Vectors[t] = vectors[i]
	}
	in, err := json.Marshal(job)
	if err != nil {
		return s3kgReply{}, err
	}
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, python, script)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &said
	if err := cmd.Run(); err != nil {
		return s3kgReply{}, fmt.Errorf("bench s3kg: peer %s %s: %w\n%s", python, script, err, said.Bytes())
	}
	var reply s3kgReply
	if err := json.Unmarshal(out.Bytes(), &reply); err != nil {
		return s3kgReply{}, fmt.Errorf("bench s3kg: peer's reply: %w", err)
	}
	if len(reply.Scores) != len(pairs) || len(reply.Seconds) != len(pairs) {
		return s3kgReply{}, errors.New("bench s3kg: peer's reply is not complete")
	}
	return reply, nil
}
