package wl_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kgeval/kgeval/wl"
)

// openData opens a file of the data sets, or skips the test.
func openData(t *testing.T, name string) *os.File {
	t.Helper()
	dir := os.Getenv("KGEVAL_DATA")
	if dir == "" {
		dir = filepath.FromSlash("../../shared/data")
	}
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Skipf("data set not found: %v (set KGEVAL_DATA to the folder that holds %s)", err, name)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

type oracleRow struct {
	Oracle     string
	Neighbours wl.Neighbours
	EdgeLabels bool `json:"edge_labels"`
	Iterations int
	A, B       oracleGraph
	Gram       [2][2]float64
	Normalised float64
}

type oracleGraph struct {
	Nodes []string
	Edges [][]any // [from, to] or [from, to, label]
}

func (g oracleGraph) graph(t *testing.T, labels *wl.Labels) *wl.Graph {
	t.Helper()
	nodes := make([]int, len(g.Nodes))
	for i, s := range g.Nodes {
		nodes[i] = labels.ID(s)
	}
	edges := make([]wl.Edge, len(g.Edges))
	for i, e := range g.Edges {
		edges[i] = wl.Edge{From: int(e[0].(float64)), To: int(e[1].(float64))}
		if len(e) > 2 {
			edges[i].Label = labels.ID(e[2].(string))
		}
	}
	out, err := wl.NewGraph(nodes, edges)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// GraKeL and networkx agree with the kernel on every row: GraKeL's
// WeisfeilerLehman over VertexHistogram, which ignores edge labels, and the
// equal hashes among networkx's weisfeiler_lehman_subgraph_hashes with node and
// edge attributes and the initial labels. Both work on simple graphs.
func TestOracles(t *testing.T) {
	if rows := checkOracle(t, openData(t, "wl/oracle_cases.jsonl")); rows != 700 {
		t.Errorf("read %d rows, want 700", rows)
	}
}

// The same for graphs with self loops, edges in both directions and nodes
// without edges, and for direction (bench/peers/grakel/oracle.py makes them).
func TestOwnOracles(t *testing.T) {
	f, err := os.Open(filepath.FromSlash("testdata/oracle.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if rows := checkOracle(t, f); rows != 80 {
		t.Errorf("read %d rows, want 80", rows)
	}
}

// checkOracle compares every way to compute the kernel with each row of f, and
// returns how many there are.
func checkOracle(t *testing.T, f *os.File) (rows int) {
	t.Helper()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		rows++
		var row oracleRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("row %d: %v", rows, err)
		}
		var labels wl.Labels
		a, b := row.A.graph(t, &labels), row.B.graph(t, &labels)
		o := wl.Options{
			Iterations:       row.Iterations,
			Neighbours:       row.Neighbours,
			IgnoreEdgeLabels: !row.EdgeLabels,
			Simple:           row.Neighbours == wl.Both,
		}
		name := fmt.Sprintf("row %d (%s)", rows, row.Oracle)

		got, err := wl.Compare(t.Context(), a, b, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Gram != row.Gram {
			t.Errorf("%s: Compare gives %v, want %v", name, got.Gram, row.Gram)
		}
		if math.Abs(got.Normalised-row.Normalised) > 1e-9 {
			t.Errorf("%s: Compare gives %v normalised, want %v", name, got.Normalised, row.Normalised)
		}

		m, err := wl.Gram(t.Context(), []*wl.Graph{a, b}, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := [2][2]float64{{m.At(0, 0), m.At(0, 1)}, {m.At(1, 0), m.At(1, 1)}}; got != row.Gram {
			t.Errorf("%s: Gram gives %v, want %v", name, got, row.Gram)
		}

		r, err := wl.NewRefiner(o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		va, err := r.Features(t.Context(), a)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		vb, err := r.Features(t.Context(), b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := [2][2]float64{{wl.Dot(va, va), wl.Dot(va, vb)}, {wl.Dot(vb, va), wl.Dot(vb, vb)}}; got != row.Gram {
			t.Errorf("%s: feature vectors give %v, want %v", name, got, row.Gram)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}
