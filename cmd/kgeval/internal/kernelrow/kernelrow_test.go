package kernelrow

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/wl"
)

func eval(t *testing.T, line string) Result {
	t.Helper()
	row, err := Parse([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Eval(t.Context(), row)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEval(t *testing.T) {
	for _, c := range []struct {
		name, row, want string
	}{
		// Iteration 0: one equal pair of nodes. Later nothing is equal.
		{"out", `{"neighbours":"out","iterations":2,"a":{"nodes":["x","y"],"edges":[[0,1]]},"b":{"nodes":["x","z"],"edges":[[0,1]]}}`,
			`{"gram":[[6,1],[1,6]],"normalised":0.16666666666666666}`},
		// y is a sink in both, and stays equal.
		{"sinks", `{"neighbours":"out","iterations":2,"a":{"nodes":["x","y"],"edges":[[0,1]]},"b":{"nodes":["z","y"],"edges":[[0,1]]}}`,
			`{"gram":[[6,3],[3,6]],"normalised":0.5}`},
		{"in", `{"neighbours":"in","iterations":2,"a":{"nodes":["x","y"],"edges":[[1,0]]},"b":{"nodes":["z","y"],"edges":[[1,0]]}}`,
			`{"gram":[[6,3],[3,6]],"normalised":0.5}`},
		{"reversed edge, both", `{"neighbours":"both","iterations":1,"a":{"nodes":["x","y"],"edges":[[0,1]]},"b":{"nodes":["x","y"],"edges":[[1,0]]}}`,
			`{"gram":[[4,4],[4,4]],"normalised":1}`},
		{"reversed edge, told apart by default", `{"iterations":1,"a":{"nodes":["x","y"],"edges":[[0,1]]},"b":{"nodes":["x","y"],"edges":[[1,0]]}}`,
			`{"gram":[[4,2],[2,4]],"normalised":0.5}`},
		{"both directions are one edge, both", `{"neighbours":"both","iterations":1,"a":{"nodes":["x","y"],"edges":[[0,1],[1,0],[0,1]]},"b":{"nodes":["x","y"],"edges":[[1,0]]}}`,
			`{"gram":[[4,4],[4,4]],"normalised":1}`},
		{"last label of a pair, both", `{"neighbours":"both","edge_labels":true,"iterations":1,"a":{"nodes":["x","y"],"edges":[[0,1,"p"],[1,0,"q"]]},"b":{"nodes":["x","y"],"edges":[[1,0,"q"]]}}`,
			`{"gram":[[4,4],[4,4]],"normalised":1}`},
		{"edge labels on", `{"neighbours":"out","edge_labels":true,"iterations":1,"a":{"nodes":["x","y"],"edges":[[0,1,"p"]]},"b":{"nodes":["x","y"],"edges":[[0,1,"q"]]}}`,
			`{"gram":[[4,3],[3,4]],"normalised":0.75}`},
		{"edge labels off", `{"neighbours":"out","iterations":1,"a":{"nodes":["x","y"],"edges":[[0,1,"p"]]},"b":{"nodes":["x","y"],"edges":[[0,1,"q"]]}}`,
			`{"gram":[[4,4],[4,4]],"normalised":1}`},
		{"one empty", `{"neighbours":"out","iterations":1,"a":{"nodes":[],"edges":[]},"b":{"nodes":["x"],"edges":[]}}`,
			`{"gram":[[0,0],[0,2]],"normalised":0,"degenerate":true}`},
		{"both empty", `{"neighbours":"out","iterations":1,"a":{"nodes":[]},"b":{"nodes":[],"edges":[]}}`,
			`{"gram":[[0,0],[0,0]],"normalised":1,"degenerate":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := json.Marshal(eval(t, c.row))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestBadRows(t *testing.T) {
	for _, c := range []struct{ name, row, want string }{
		{"not JSON", `{`, "unexpected end"},
		{"unknown neighbours", `{"neighbours":"all","iterations":1,"a":{"nodes":[]},"b":{"nodes":[]}}`, "Neighbours cannot be all"},
		{"negative iterations", `{"iterations":-1,"a":{"nodes":[]},"b":{"nodes":[]}}`, "Iterations cannot be -1"},
		{"edge to nowhere", `{"iterations":1,"a":{"nodes":["x"],"edges":[[0,1]]},"b":{"nodes":[]}}`, "graph a: wl: edge 0 leads from node 0 to node 1 of a graph with 1 nodes"},
		{"negative node", `{"iterations":1,"a":{"nodes":[]},"b":{"nodes":["x"],"edges":[[-1,0]]}}`, "graph b: wl: edge 0 leads from node -1"},
		{"no label", `{"edge_labels":true,"iterations":1,"a":{"nodes":["x"],"edges":[[0,0]]},"b":{"nodes":[]}}`, "edge 0 has no label"},
		{"short edge", `{"iterations":1,"a":{"nodes":["x"],"edges":[[0]]},"b":{"nodes":[]}}`, "edge must be [from, to]"},
		{"fraction", `{"iterations":1,"a":{"nodes":["x"],"edges":[[0,0.5]]},"b":{"nodes":[]}}`, "node must be a position, not 0.5"},
		{"null node", `{"iterations":1,"a":{"nodes":["x"],"edges":[[0,null]]},"b":{"nodes":[]}}`, "node must be a position, not null"},
		{"nothing", `{}`, `"iterations" is missing`},
		{"no b", `{"iterations":1,"a":{"nodes":[]}}`, `"b" is missing`},
		{"null for a graph", `{"iterations":1,"a":null,"b":{"nodes":[]}}`, `"a" is missing`},
		{"no nodes", `{"iterations":1,"a":{"edges":[]},"b":{"nodes":[]}}`, `"a": "nodes" is missing`},
		{"null for a label", `{"iterations":1,"a":{"nodes":["x",null]},"b":{"nodes":[]}}`, `"a": node 1 is null`},
		{"number for a label", `{"iterations":1,"a":{"nodes":[1]},"b":{"nodes":[]}}`, `a node must be a string`},
		{"list for a graph", `{"iterations":1,"a":[],"b":{"nodes":[]}}`, `a graph is {"nodes"`},
		{"iterations in words", `{"iterations":"two","a":{"nodes":[]},"b":{"nodes":[]}}`, `"iterations" must be a whole number, not "two"`},
		{"half an iteration", `{"iterations":1.5,"a":{"nodes":[]},"b":{"nodes":[]}}`, `"iterations" must be a whole number, not 1.5`},
		{"edge labels in words", `{"edge_labels":"yes","iterations":1,"a":{"nodes":[]},"b":{"nodes":[]}}`, `"edge_labels" must be true or false`},
		{"another spelling", `{"neighbors":"out","iterations":1,"a":{"nodes":[]},"b":{"nodes":[]}}`, `spelt "neighbours"`},
		{"label of another type", `{"iterations":1,"a":{"nodes":["x"],"edges":[[0,0,7]]},"b":{"nodes":[]}}`, "label must be a string, not 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, err := Parse([]byte(c.row))
			if err == nil {
				_, err = Eval(t.Context(), row)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestErrorsCanBeTold(t *testing.T) {
	row, err := Parse([]byte(`{"iterations":1,"a":{"nodes":["x"],"edges":[[0,3]]},"b":{"nodes":[]}}`))
	if err != nil {
		t.Fatal(err)
	}
	var edge *wl.EdgeError
	if _, err := Eval(t.Context(), row); !errors.As(err, &edge) || edge.Index != 0 {
		t.Errorf("error %v is no *wl.EdgeError of edge 0", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Eval(ctx, Row{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancel, want context.Canceled", err)
	}
}

func TestOracleRows(t *testing.T) {
	dir := os.Getenv("KGEVAL_DATA")
	if dir == "" {
		dir = filepath.FromSlash("../../../../../shared/data")
	}
	f, err := os.Open(filepath.Join(dir, "wl", "oracle_cases.jsonl"))
	if err != nil {
		t.Skipf("data set not found: %v (set KGEVAL_DATA to the folder that holds wl/oracle_cases.jsonl)", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		var want Result
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		got := eval(t, lines.Text())
		if got.Gram != want.Gram || math.Abs(got.Normalised-want.Normalised) > 1e-9 {
			t.Errorf("row %d: got %v, want %v", n, got, want)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func FuzzRow(f *testing.F) {
	f.Add([]byte(`{"neighbours":"both","edge_labels":true,"iterations":3,"a":{"nodes":["x","y"],"edges":[[0,1,"p"],[1,1,"q"]]},"b":{"nodes":["x"],"edges":[]}}`))
	f.Add([]byte(`{"iterations":1000000000,"a":{"nodes":["x","x","x"],"edges":[[0,1],[1,2]]},"b":{"nodes":[]}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		row, err := Parse(line)
		if err != nil {
			return
		}
		r, err := Eval(context.Background(), row)
		if err != nil {
			return
		}
		if !(r.Normalised >= 0 && r.Normalised <= 1) {
			t.Errorf("normalised value %v is not in [0,1]", r.Normalised)
		}
	})
}
