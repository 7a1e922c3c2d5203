// Package kernelrow evaluates rows of `kgeval kernel --jsonl`: two graphs with
// string labels and the options of the Weisfeiler-Lehman kernel in, its values
// out.
package kernelrow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kgeval/kgeval/wl"
)

// Row is one input row. Parse demands a, b and iterations; fields that are not
// named here are ignored.
type Row struct {
	// Neighbours is "out" (a node sees the nodes its edges lead to), "in",
	// "directed" (both, told apart; the default when absent) or "both" (in and
	// out alike: the graphs are simple undirected graphs, in which a pair of
	// nodes is joined or not, and where two edges join a pair the label of the
	// last counts).
	Neighbours wl.Neighbours `json:"neighbours"`
	// EdgeLabels says whether edge labels are aggregated; every edge must then
	// have one.
	EdgeLabels bool `json:"edge_labels"`
	// Iterations is h, at least 0.
	Iterations int   `json:"iterations"`
	A          Graph `json:"a"`
	B          Graph `json:"b"`
}

// Graph is a graph of a Row.
type Graph struct {
	// Nodes holds the label of each node.
	Nodes []string `json:"nodes"`
	Edges []Edge   `json:"edges"`
}

// Edge is an edge: in JSON the array [from, to] or [from, to, label], with
// positions in Graph.Nodes.
type Edge struct {
	From, To int
	Label    string
	// Labelled says whether there was a label.
	Labelled bool
}

// UnmarshalJSON reads [from, to] or [from, to, label].
func (e *Edge) UnmarshalJSON(b []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil || len(parts) < 2 || len(parts) > 3 {
		return fmt.Errorf("edge must be [from, to] or [from, to, label], not %.80s", b)
	}
	*e = Edge{}
	for i, to := range []*int{&e.From, &e.To} {
		if err := json.Unmarshal(parts[i], to); err != nil || bytes.Equal(parts[i], []byte("null")) {
			return fmt.Errorf("edge %.80s: node must be a position, not %.40s", b, parts[i])
		}
	}
	if len(parts) == 3 && !bytes.Equal(parts[2], []byte("null")) {
		if err := json.Unmarshal(parts[2], &e.Label); err != nil {
			return fmt.Errorf("edge %.80s: label must be a string, not %.40s", b, parts[2])
		}
		e.Labelled = true
	}
	return nil
}

// Result is one output row.
type Result struct {
	// Gram holds the raw kernel values k(a,a), k(a,b), k(b,a), k(b,b).
	Gram [2][2]float64 `json:"gram"`
	// Normalised is k(a,b) / sqrt(k(a,a) k(b,b)), in [0,1].
	Normalised float64 `json:"normalised"`
	// Degenerate says that a graph is empty: Normalised is then 1 by convention
	// when both are, 0 when one is.
	Degenerate bool `json:"degenerate,omitempty"`
}

// Parse reads one line of JSON. A field that is missing or of another type is
// an error that names it: an empty graph must be written as one, since two
// empty graphs are as alike as can be.
func Parse(line []byte) (Row, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return Row{}, fmt.Errorf("kernel row: %w", err)
	}
	if _, ok := fields["neighbors"]; ok {
		return Row{}, errors.New(`kernel row: the field is spelt "neighbours"`)
	}
	var row Row
	for _, f := range []struct {
		name, kind string
		to         any
		optional   bool
	}{
		{"neighbours", `"out", "in", "both" or "directed"`, &row.Neighbours, true},
		{"edge_labels", "true or false", &row.EdgeLabels, true},
		{"iterations", "a whole number", &row.Iterations, false},
		{"a", "", &row.A, false},
		{"b", "", &row.B, false},
	} {
		raw, ok := fields[f.name]
		if !ok && f.optional {
			continue
		}
		if !ok || bytes.Equal(raw, []byte("null")) {
			return Row{}, fmt.Errorf("kernel row: %q is missing", f.name)
		}
		err := json.Unmarshal(raw, f.to)
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &kind) && f.kind != "":
			return Row{}, fmt.Errorf("kernel row: %q must be %s, not %.40s", f.name, f.kind, raw)
		case err != nil:
			return Row{}, fmt.Errorf("kernel row: %q: %w", f.name, err)
		}
	}
	return row, nil
}

// UnmarshalJSON reads {"nodes": [label, …], "edges": [edge, …]}. Nodes must be
// there; a graph without edges may leave them out.
func (g *Graph) UnmarshalJSON(b []byte) error {
	var fields struct {
		Nodes *[]*string
		Edges []Edge
	}
	err := json.Unmarshal(b, &fields)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field == "Nodes":
		return errors.New("a node must be a string, its label")
	case errors.As(err, &kind):
		return fmt.Errorf(`a graph is {"nodes": [label, …], "edges": [[from, to, label], …]}, not %.80s`, b)
	case err != nil:
		return err
	case fields.Nodes == nil:
		return errors.New(`"nodes" is missing`)
	}
	*g = Graph{Nodes: make([]string, len(*fields.Nodes)), Edges: fields.Edges}
	for i, n := range *fields.Nodes {
		if n == nil {
			return fmt.Errorf("node %d is null; a node must be a string, its label", i)
		}
		g.Nodes[i] = *n
	}
	return nil
}

// Eval returns the kernel of the row's graphs. The error names the graph, and
// wraps wl's error or the context's.
func Eval(ctx context.Context, row Row) (Result, error) {
	var labels wl.Labels
	a, err := row.graph(row.A, &labels)
	if err != nil {
		return Result{}, fmt.Errorf("kernel row: graph a: %w", err)
	}
	b, err := row.graph(row.B, &labels)
	if err != nil {
		return Result{}, fmt.Errorf("kernel row: graph b: %w", err)
	}
	r, err := wl.Compare(ctx, a, b, wl.Options{
		Iterations:       row.Iterations,
		Neighbours:       row.Neighbours,
		IgnoreEdgeLabels: !row.EdgeLabels,
		Simple:           row.Neighbours == wl.Both,
	})
	if err != nil {
		return Result{}, fmt.Errorf("kernel row: %w", err)
	}
	return Result(r), nil
}

// graph translates g. Edge labels and node labels never meet in the kernel, so
// that they can share one translation.
func (row Row) graph(g Graph, labels *wl.Labels) (*wl.Graph, error) {
	nodes := make([]int, len(g.Nodes))
	for i, s := range g.Nodes {
		nodes[i] = labels.ID(s)
	}
	edges := make([]wl.Edge, 0, len(g.Edges))
	at := make(map[[2]int]int) // of a pair's edge in edges
	for i, e := range g.Edges {
		edge := wl.Edge{From: e.From, To: e.To}
		if row.EdgeLabels {
			if !e.Labelled {
				return nil, fmt.Errorf("edge %d has no label, and edge_labels is true", i)
			}
			edge.Label = labels.ID(e.Label)
		}
		if row.Neighbours == wl.Both {
			pair := [2]int{min(e.From, e.To), max(e.From, e.To)}
			if old, ok := at[pair]; ok {
				edges[old] = edge
				continue
			}
			at[pair] = len(edges)
		}
		edges = append(edges, edge)
	}
	return wl.NewGraph(nodes, edges)
}
