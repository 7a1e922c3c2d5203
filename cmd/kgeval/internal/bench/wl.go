package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/kgeval/kgeval/wl"
)

// WL measures package wl: pairs and Gram matrices of small graphs, against
// GraKeL when its Python is given, and one pair of growing size.
var WL = Bench{
	Name:  "wl",
	Short: "Weisfeiler-Lehman kernel: speed on random graphs, against GraKeL with --peer PYTHON",
	Run:   runWL,
}

const (
	wlIterations = 5
	wlPairs      = 200
	wlGraphs     = 2000
	wlNodes      = 15
	wlEdges      = 14
	wlRows       = 50 // of the Gram matrix, compared with the peer's
)

// wlLikePeer makes GraKeL's kernel of undirected graphs.
var wlLikePeer = wl.Options{Iterations: wlIterations, Neighbours: wl.Both, IgnoreEdgeLabels: true, Simple: true}

// wlDefault keeps direction and edge labels.
var wlDefault = wl.Options{Iterations: wlIterations}

// wlRaw is a graph before it is built; Nodes and Edges are what the peer reads.
type wlRaw struct {
	Nodes []string `json:"nodes"`
	Edges [][2]int `json:"edges"`

	labels []int
	edges  []wl.Edge
}

func (g *wlRaw) build() (*wl.Graph, error) { return wl.NewGraph(g.labels, g.edges) }

// wlRandom returns graphs in which every second is a copy of the one before
// with one node's label and two edges changed, as a wrong answer beside a
// right one.
func wlRandom(seed uint64, n, nodes, edges, labels, relations int) []*wlRaw {
	rng := rand.New(rand.NewPCG(seed, 0))
	random := func() wl.Edge {
		return wl.Edge{From: rng.IntN(nodes), To: rng.IntN(nodes), Label: rng.IntN(relations)}
	}
	var all []*wlRaw
	for i := range n {
		g := &wlRaw{labels: make([]int, nodes), edges: make([]wl.Edge, edges)}
		if i%2 == 0 {
			for u := range g.labels {
				g.labels[u] = rng.IntN(labels)
			}
			for k := range g.edges {
				g.edges[k] = random()
			}
		} else {
			copy(g.labels, all[i-1].labels)
			copy(g.edges, all[i-1].edges)
			g.labels[rng.IntN(nodes)] = rng.IntN(labels)
			for range 2 {
				g.edges[rng.IntN(edges)] = random()
			}
		}
		all = append(all, g)
	}
	return all
}

func runWL(ctx context.Context, w io.Writer, _ string, args []string) error {
	flags := flag.NewFlagSet("bench wl", flag.ContinueOnError)
	flags.SetOutput(w)
	peer := flags.String("peer", "", "`python` of an environment with GraKeL (see bench/peers/grakel)")
	script := flags.String("script", filepath.FromSlash("bench/peers/grakel/bench.py"), "`path` of the peer's script")
	seed := flags.Uint64("seed", 1, "seed of the random graphs")
	largest := flags.Int("largest", 1_000_000, "edges of the largest graph")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	fmt.Fprintf(w, "%s, %s/%s, GOMAXPROCS %d, seed %d, h = %d.\n", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.GOMAXPROCS(0), *seed, wlIterations)
	for _, labels := range []int{10, 200} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := wlSmall(ctx, w, *seed, labels, *peer, *script); err != nil {
			return err
		}
	}
	return wlLarge(ctx, w, *seed, *largest)
}

// wlTimes are the seconds of several runs.
type wlTimes []float64

func (t wlTimes) median() float64 { s := slices.Sorted(slices.Values(t)); return s[len(s)/2] }
func (t wlTimes) best() float64   { return slices.Min(t) }

// wlTime runs f the given number of times, after one run that is not counted;
// each time is divided by per.
func wlTime(rounds, per int, f func() error) (wlTimes, error) {
	if err := f(); err != nil {
		return nil, err
	}
	var t wlTimes
	for range rounds {
		start := time.Now()
		if err := f(); err != nil {
			return nil, err
		}
		t = append(t, time.Since(start).Seconds()/float64(per))
	}
	return t, nil
}

// wlLine is a line of the table of small graphs: f does what is measured, for
// all pairs or for one Gram matrix.
type wlLine struct {
	what  string
	gram  bool
	f     func() error
	times wlTimes
}

// wlMeasure adds the times of some more rounds to each line.
func wlMeasure(lines []*wlLine) error {
	for _, l := range lines {
		rounds, per := 51, wlPairs
		if l.gram {
			rounds, per = 7, 1
		}
		t, err := wlTime(rounds, per, l.f)
		if err != nil {
			return err
		}
		l.times = append(l.times, t...)
	}
	return nil
}

// wlSmall writes the table of pairs and Gram matrices of small graphs.
func wlSmall(ctx context.Context, w io.Writer, seed uint64, labels int, peer, script string) error {
	raws := wlRandom(seed, wlGraphs, wlNodes, wlEdges, labels, 20)
	graphs := make([]*wl.Graph, len(raws))
	for i, g := range raws {
		var err error
		if graphs[i], err = g.build(); err != nil {
			return err
		}
	}
	pairs := func(ws *wl.Workspace, o wl.Options) func() error {
		return func() error {
			for i := range wlPairs {
				if _, err := ws.Compare(ctx, graphs[2*i], graphs[2*i+1], o); err != nil {
					return err
				}
			}
			return nil
		}
	}
	matrix := func(o wl.Options) func() error {
		return func() error {
			m, err := wl.Gram(ctx, graphs, o)
			if err != nil {
				return err
			}
			if len(m.NormalisedValues()) != len(graphs)*len(graphs) {
				return errors.New("bench wl: Gram matrix of another size")
			}
			return nil
		}
	}
	var ws wl.Workspace
	one := func(f func() error) func() error {
		return func() error {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			return f()
		}
	}
	var g [2]wl.Graph
	built := func() error {
		for i := range wlPairs {
			for k := range g {
				if err := g[k].Reset(raws[2*i+k].labels, raws[2*i+k].edges); err != nil {
					return err
				}
			}
			if _, err := ws.Compare(ctx, &g[0], &g[1], wlLikePeer); err != nil {
				return err
			}
		}
		return nil
	}
	lines := []*wlLine{
		{what: "pair, as GraKeL", f: pairs(&ws, wlLikePeer)},
		{what: "pair, as GraKeL, with building both graphs", f: built},
		{what: "pair, default (direction, edge labels)", f: pairs(&ws, wlDefault)},
		{what: "Gram and normalising, as GraKeL", gram: true, f: matrix(wlLikePeer)},
		{what: "Gram and normalising, as GraKeL, GOMAXPROCS 1", gram: true, f: one(matrix(wlLikePeer))},
		{what: "Gram and normalising, default", gram: true, f: matrix(wlDefault)},
	}
	if err := wlMeasure(lines); err != nil {
		return err
	}
	var theirs *wlReply
	if peer != "" {
		var err error
		if theirs, err = wlPeer(ctx, peer, script, raws); err != nil {
			return err
		}
		// Once more, in case the machine was busier before than it is now.
		if err := wlMeasure(lines); err != nil {
			return err
		}
	}

	fmt.Fprintf(w, "\n%d graphs of %d nodes and %d edges, %d node labels, 20 edge labels; %d pairs.\n\n",
		wlGraphs, wlNodes, wlEdges, labels, wlPairs)
	if theirs == nil {
		fmt.Fprint(w, "| | median | best |\n|---|---|---|\n")
		for _, l := range lines {
			fmt.Fprintf(w, "| %s | %s | %s |\n", l.what, wlSeconds(l.times.median()), wlSeconds(l.times.best()))
		}
		return nil
	}
	fmt.Fprint(w, "| | median | best | GraKeL median / ours | GraKeL best / ours |\n|---|---|---|---|---|\n")
	fmt.Fprintf(w, "| GraKeL %s (Python %s), fit_transform of a pair | %s | %s | | |\n", theirs.Version, theirs.Python,
		wlSeconds(theirs.PairSeconds.median()), wlSeconds(theirs.PairSeconds.best()))
	fmt.Fprintf(w, "| GraKeL, fit_transform of all | %s | %s | | |\n",
		wlSeconds(theirs.GramSeconds.median()), wlSeconds(theirs.GramSeconds.best()))
	for _, l := range lines {
		t := theirs.PairSeconds
		if l.gram {
			t = theirs.GramSeconds
		}
		fmt.Fprintf(w, "| %s | %s | %s | %.0f | %.0f |\n", l.what, wlSeconds(l.times.median()), wlSeconds(l.times.best()),
			t.median()/l.times.median(), t.best()/l.times.best())
	}
	return wlAgree(ctx, w, graphs, theirs)
}

// wlReply is what the peer's script writes.
type wlReply struct {
	Version     string      `json:"version"`
	Python      string      `json:"python"`
	PairSeconds wlTimes     `json:"pair_seconds"`
	PairValues  []float64   `json:"pair_values"`
	GramSeconds wlTimes     `json:"gram_seconds"`
	GramRows    [][]float64 `json:"gram_rows"`
}

// wlPeer runs the peer on the same graphs.
func wlPeer(ctx context.Context, python, script string, raws []*wlRaw) (*wlReply, error) {
	for _, g := range raws {
		g.Nodes, g.Edges = nil, nil
		for _, l := range g.labels {
			g.Nodes = append(g.Nodes, "label "+strconv.Itoa(l))
		}
		for _, e := range g.edges {
			g.Edges = append(g.Edges, [2]int{e.From, e.To})
		}
	}
	var pairs [][2]*wlRaw
	for i := range wlPairs {
		pairs = append(pairs, [2]*wlRaw{raws[2*i], raws[2*i+1]})
	}
	job, err := json.Marshal(map[string]any{
		"iterations": wlIterations, "pair_rounds": 3, "gram_rounds": 3, "rows": wlRows,
		"pairs": pairs, "graphs": raws,
	})
	if err != nil {
		return nil, err
	}
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, python, script)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(job), &out, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("bench wl: peer %s %s: %w\n%s", python, script, err, said.Bytes())
	}
	r := new(wlReply)
	if err := json.Unmarshal(out.Bytes(), r); err != nil {
		return nil, fmt.Errorf("bench wl: peer's reply: %w", err)
	}
	if len(r.PairSeconds) == 0 || len(r.GramSeconds) == 0 || len(r.PairValues) != wlPairs || len(r.GramRows) != wlRows {
		return nil, errors.New("bench wl: peer's reply is not complete")
	}
	return r, nil
}

// wlAgree writes how far the two sides' values are apart; far is an error.
func wlAgree(ctx context.Context, w io.Writer, graphs []*wl.Graph, theirs *wlReply) error {
	worst, n := 0.0, 0
	see := func(a, b float64) { worst, n = max(worst, math.Abs(a-b)), n+1 }
	for i, v := range theirs.PairValues {
		r, err := wl.Compare(ctx, graphs[2*i], graphs[2*i+1], wlLikePeer)
		if err != nil {
			return err
		}
		see(r.Normalised, v)
	}
	m, err := wl.Gram(ctx, graphs, wlLikePeer)
	if err != nil {
		return err
	}
	for i, row := range theirs.GramRows {
		for j, v := range row {
			see(m.Normalised(i, j), v)
		}
	}
	if !(worst <= 1e-9) {
		return fmt.Errorf("bench wl: values differ from the peer's by up to %g", worst)
	}
	fmt.Fprintf(w, "\nLargest difference of %d normalised values from GraKeL's: %.1g.\n", n, worst)
	return nil
}

// wlLarge writes the table of pairs of growing size.
func wlLarge(ctx context.Context, w io.Writer, seed uint64, largest int) error {
	fmt.Fprint(w, "\nOne pair, default options, each graph with the given number of edges; nodes = edges / 2, node labels = edges / 20, 20 edge labels; "+
		"the second graph is a copy in which one node's label and two edges differ, or another random graph. Per edge: time / edges of both graphs. Memory: of one graph, and of a new workspace that compares it with its copy.\n\n"+
		"| edges of each graph | build one | per edge | compare copy | per edge | compare random | per edge | one hub | per edge | graph | workspace |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for edges := 1000; edges <= largest; edges *= 10 {
		raws := wlRandom(seed, 3, edges/2, edges, edges/20, 20)
		var graphs [3]*wl.Graph
		build, err := wlTime(5, 1, func() (err error) {
			graphs[0], err = raws[0].build()
			return err
		})
		if err != nil {
			return err
		}
		for i := 1; i < len(graphs); i++ {
			if graphs[i], err = raws[i].build(); err != nil {
				return err
			}
		}
		for i := range raws[2].edges { // every edge leads to the node 0
			raws[2].edges[i].To = 0
		}
		hub, err := raws[2].build()
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %d | %s | %.0f ns |", edges, wlSeconds(build.median()), build.median()/float64(edges)*1e9)
		for _, pair := range [][2]*wl.Graph{{graphs[0], graphs[1]}, {graphs[0], graphs[2]}, {hub, graphs[2]}} {
			var ws wl.Workspace
			t, err := wlTime(max(5, 200_000/edges), 1, func() error {
				_, err := ws.Compare(ctx, pair[0], pair[1], wlDefault)
				return err
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(w, " %s | %.0f ns |", wlSeconds(t.median()), t.median()/float64(2*edges)*1e9)
		}
		graph := wlAllocated(func() { graphs[0], err = raws[0].build() })
		if err != nil {
			return err
		}
		workspace := wlAllocated(func() { _, err = new(wl.Workspace).Compare(ctx, graphs[0], graphs[1], wlDefault) })
		if err != nil {
			return err
		}
		fmt.Fprintf(w, " %.3g MB | %.3g MB |\n", graph, workspace)
	}
	return nil
}

// wlAllocated returns how many MB f allocates, in all.
func wlAllocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / 1e6
}

// wlSeconds writes a time with three digits.
func wlSeconds(s float64) string {
	switch {
	case s < 1e-3:
		return fmt.Sprintf("%.3g µs", s*1e6)
	case s < 1:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
	return fmt.Sprintf("%.3g s", s)
}
