package perturb

import (
	"fmt"

	"github.com/kgeval/kgeval/kg"
)

// Kind is a way to change a graph.
type Kind string

// The kinds of steps of Graph.
const (
	// NodeReplacement puts another entity into the place of one, in all its facts.
	NodeReplacement Kind = "node replacement"
	// NodeRemoval takes an entity out, with all its facts.
	NodeRemoval Kind = "node removal"
	// EdgeDeletion takes one fact out.
	EdgeDeletion Kind = "edge deletion"
	// EdgeReplacement gives one fact another relation of the graph.
	EdgeReplacement Kind = "edge replacement"
	// EdgeAntonym gives one fact the opposite relation.
	EdgeAntonym Kind = "edge antonym"
	// EdgeReversal exchanges head and tail of one fact.
	EdgeReversal Kind = "edge reversal"
	// EdgeAddition adds a fact between two entities of the graph.
	EdgeAddition Kind = "edge addition"
)

// Kinds returns all kinds, in a fixed order.
func Kinds() []Kind {
	return []Kind{NodeReplacement, NodeRemoval, EdgeDeletion, EdgeReplacement, EdgeAntonym, EdgeReversal, EdgeAddition}
}

// Step is one change of a graph, an entry of the log.
type Step struct {
	Kind Kind `json:"kind"`
	// OldNode is the entity that a step on a node takes away, NewNode what takes its
	// place; both are empty otherwise.
	OldNode string `json:"old_node,omitempty"`
	NewNode string `json:"new_node,omitempty"`
	// OldEdge is the fact that a step on an edge changes or takes away, NewEdge what it
	// becomes or what is added; zero otherwise.
	OldEdge kg.Triple `json:"old_edge,omitzero"`
	NewEdge kg.Triple `json:"new_edge,omitzero"`
	// Edits is the number of unit edits: nodes and edges taken away (an entity whose last
	// fact goes is one of them), replaced or added. A reversal is two, an edge taken
	// away and one added.
	Edits int `json:"edits"`
}

// StepError says why a step cannot be done on a graph.
type StepError struct {
	// Index is the place of the step in the log.
	Index  int
	Step   Step
	Reason string
}

func (e *StepError) Error() string {
	return fmt.Sprintf("perturb: step %d (%s): %s", e.Index, e.Step.Kind, e.Reason)
}

// Replay does the steps of a log on a copy of g. On the graph that the log was made
// from it gives the perturbed graph, with its triples in the same order. The error is
// a *StepError, above all where g lacks what a step changes; Step.Edits is not looked at.
func Replay(g *kg.Graph, steps []Step) (*kg.Graph, error) {
	out := g.Clone()
	for i, s := range steps {
		changes, err := s.changes(out)
		if err != nil {
			return nil, &StepError{i, s, err.Error()}
		}
		out = apply(out, changes)
	}
	return out, nil
}

// change is a triple and what becomes of it: another, or nothing. The zero old is for
// one that is added.
type change struct{ old, new kg.Triple }

// changes returns what the step does to g.
func (s Step) changes(g *kg.Graph) ([]change, error) {
	switch s.Kind {
	case NodeReplacement, NodeRemoval:
		if !g.HasEntity(s.OldNode) {
			return nil, fmt.Errorf("the graph has no entity %q", s.OldNode)
		}
		if s.Kind == NodeReplacement && (s.NewNode == "" || g.HasEntity(s.NewNode)) {
			return nil, fmt.Errorf("%q cannot take its place: it is empty or in the graph already", s.NewNode)
		}
		var out []change
		for t := range g.Triples() {
			if t.Head != s.OldNode && t.Tail != s.OldNode {
				continue
			}
			c := change{old: t}
			if s.Kind == NodeReplacement {
				c.new = t
				if t.Head == s.OldNode {
					c.new.Head = s.NewNode
				}
				if t.Tail == s.OldNode {
					c.new.Tail = s.NewNode
				}
			}
			out = append(out, c)
		}
		return out, nil
	case EdgeDeletion, EdgeReplacement, EdgeAntonym, EdgeReversal:
		if !g.Has(s.OldEdge) {
			return nil, fmt.Errorf("the graph has no fact %v", s.OldEdge)
		}
		if s.Kind == EdgeDeletion {
			return []change{{old: s.OldEdge}}, nil
		}
		if s.NewEdge == (kg.Triple{}) || g.Has(s.NewEdge) {
			return nil, fmt.Errorf("%v cannot take its place: it is empty or in the graph already", s.NewEdge)
		}
		return []change{{s.OldEdge, s.NewEdge}}, nil
	case EdgeAddition:
		if s.NewEdge == (kg.Triple{}) || g.Has(s.NewEdge) {
			return nil, fmt.Errorf("%v cannot be added: it is empty or in the graph already", s.NewEdge)
		}
		return []change{{new: s.NewEdge}}, nil
	}
	return nil, fmt.Errorf("unknown kind %q", s.Kind)
}

// apply returns g with the changes, what is replaced in the place of the old.
func apply(g *kg.Graph, changes []change) *kg.Graph {
	becomes := make(map[kg.Triple]kg.Triple, len(changes))
	for _, c := range changes {
		if c.old != (kg.Triple{}) {
			becomes[c.old] = c.new
		}
	}
	out := kg.NewGraph()
	for t := range g.Triples() {
		n, changed := becomes[t]
		switch {
		case !changed:
			out.Add(t)
		case n != (kg.Triple{}):
			out.Add(n)
		}
	}
	for _, c := range changes {
		if c.old == (kg.Triple{}) {
			out.Add(c.new)
		}
	}
	return out
}

// edits counts the unit edits of changes that turn g into h.
func (s Step) edits(g, h *kg.Graph, changes []change) int {
	switch s.Kind {
	case NodeReplacement, EdgeReplacement, EdgeAntonym:
		return 1
	case EdgeReversal:
		return 2
	}
	n := len(changes)
	for _, e := range ends(changes) {
		if g.HasEntity(e) != h.HasEntity(e) {
			n++
		}
	}
	return n
}

// ends are the entities of the changes' triples, each once.
func ends(changes []change) []string {
	g := kg.NewGraph()
	for _, c := range changes {
		for _, t := range [...]kg.Triple{c.old, c.new} {
			if t != (kg.Triple{}) {
				g.Add(t)
			}
		}
	}
	return g.Entities()
}
