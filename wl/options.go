package wl

import "fmt"

// Neighbours says which neighbours a node takes labels from.
type Neighbours int

// The kinds of neighbours.
const (
	// Directed: both ends of every edge, told apart. A node sees the nodes its
	// edges lead to as one multiset, and those that lead to it as another; a
	// self loop is in each once.
	Directed Neighbours = iota
	// Out: only the nodes that a node's edges lead to, as GraKeL does with
	// directed graphs. A node without such edges keeps what it is.
	Out
	// In: only the nodes whose edges lead to a node.
	In
	// Both: both ends of every edge alike, as in an undirected graph; a self
	// loop counts twice, unless Simple.
	Both
)

var neighbourNames = [...]string{Directed: "directed", Out: "out", In: "in", Both: "both"}

// String returns the name in lower case, such as "directed".
func (n Neighbours) String() string {
	if n < 0 || int(n) >= len(neighbourNames) {
		return fmt.Sprintf("Neighbours(%d)", int(n))
	}
	return neighbourNames[n]
}

// MarshalText returns the name; an unknown value is an *OptionError.
func (n Neighbours) MarshalText() ([]byte, error) {
	if n < 0 || int(n) >= len(neighbourNames) {
		return nil, &OptionError{Option: "Neighbours", Value: n}
	}
	return []byte(neighbourNames[n]), nil
}

// UnmarshalText reads a name as String writes it; another is an *OptionError.
func (n *Neighbours) UnmarshalText(b []byte) error {
	for i, s := range neighbourNames {
		if s == string(b) {
			*n = Neighbours(i)
			return nil
		}
	}
	return &OptionError{Option: "Neighbours", Value: string(b)}
}

// Options choose the kernel. The zero value compares node labels alone, as
// Iterations is 0; with Iterations set it is the kernel that keeps all that a
// Graph says.
type Options struct {
	// Iterations is h, how many times labels are refined; at least 0.
	Iterations int

	Neighbours Neighbours

	// IgnoreEdgeLabels takes all edges for equally labelled.
	IgnoreEdgeLabels bool

	// Simple counts each neighbour once, as in a graph without parallel edges:
	// equal entries of a node's neighbour list, the same node at the other end
	// of an edge with the same label (any label with IgnoreEdgeLabels), become
	// one. With Both that covers a pair of nodes joined in both directions, and
	// a self loop counts once. With Directed an edge and its reverse stay two.
	Simple bool
}

// OptionError says that an option has a value that it cannot have.
type OptionError struct {
	// Option is the name of the field of Options.
	Option string
	Value  any
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("wl: %s cannot be %v", e.Option, e.Value)
}

func (o Options) check() error {
	if o.Iterations < 0 {
		return &OptionError{Option: "Iterations", Value: o.Iterations}
	}
	if o.Neighbours < Directed || o.Neighbours > Both {
		return &OptionError{Option: "Neighbours", Value: int(o.Neighbours)}
	}
	return nil
}
