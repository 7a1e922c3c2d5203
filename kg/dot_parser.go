package kg

import (
	"slices"
	"strings"
)

// maxGroupEdges bounds what edges between groups, {a b c} -> {d e f}, may
// multiply to.
const maxGroupEdges = 1 << 22

// dotText is an ID as the attribute of something; only a quoted string has the
// escapes of an escString.
type dotText struct {
	text   string
	escape bool
}

type dotEdge struct {
	head, tail string
	label      dotText
}

// dotScope is what the defaults of a graph or subgraph set.
type dotScope struct {
	nodeLabel, edgeLabel *dotText
}

type dotParser struct {
	dotLexer
	tok      dotToken
	graph    string // its name, for \G
	directed bool
	labels   map[string]*dotText // by node; nil where it has none
	edges    []dotEdge
}

// decodeDOT reads a graph of Graphviz's language.
func decodeDOT(src string, _ codecOptions) (*Graph, error) {
	p := &dotParser{dotLexer: dotLexer{src: src}, labels: make(map[string]*dotText)}
	if strings.HasPrefix(src, bom) {
		p.pos = len(bom)
	}
	if err := p.file(); err != nil {
		return nil, err
	}
	g := NewGraph()
	for _, e := range p.edges {
		g.Add(Triple{p.entity(e.head), p.relation(e), p.entity(e.tail)})
	}
	return g, nil
}

func (p *dotParser) advance() (err error) {
	p.tok, err = p.next()
	return err
}

func (p *dotParser) unexpected(want string) error {
	got := "the end of the input"
	if p.tok.kind != dotEnd {
		got = clip(p.tok.text)
		if p.tok.kind == dotString {
			got = `"` + got + `"`
		}
	}
	return p.errorf(p.tok.at, "unexpected %s, want %s", got, want)
}

func (p *dotParser) file() error {
	if err := p.advance(); err != nil {
		return err
	}
	if p.tok.is("strict") {
		if err := p.advance(); err != nil {
			return err
		}
	}
	p.directed = p.tok.is("digraph")
	if !p.directed && !p.tok.is("graph") {
		return p.unexpected(`"digraph" or "graph"`)
	}
	if err := p.advance(); err != nil {
		return err
	}
	if p.tok.id() {
		p.graph = p.tok.text
		if err := p.advance(); err != nil {
			return err
		}
	}
	if _, err := p.block(dotScope{}, 0); err != nil {
		return err
	}
	if p.tok.kind != dotEnd {
		return p.unexpected("nothing after the graph")
	}
	return nil
}

// block reads { … } and returns the nodes in it, each once, in order.
func (p *dotParser) block(scope dotScope, depth int) ([]string, error) {
	if !p.tok.is("{") {
		return nil, p.unexpected(`"{"`)
	}
	if depth > maxDepth {
		return nil, p.errorf(p.tok.at, "subgraphs nested deeper than %d", maxDepth)
	}
	open := p.tok.at
	if err := p.advance(); err != nil {
		return nil, err
	}
	var nodes []string
	seen := make(map[string]bool)
	for !p.tok.is("}") {
		if p.tok.kind == dotEnd {
			return nil, p.errorf(open, `"{" is never closed`)
		}
		got, err := p.statement(&scope, depth)
		if err != nil {
			return nil, err
		}
		for _, n := range got {
			if !seen[n] {
				seen[n] = true
				nodes = append(nodes, n)
			}
		}
		if p.tok.is(";") {
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
	}
	return nodes, p.advance()
}

// statement reads one statement and returns the nodes that it names.
func (p *dotParser) statement(scope *dotScope, depth int) ([]string, error) {
	if p.tok.kind == dotWord && (p.tok.is("node") || p.tok.is("edge") || p.tok.is("graph")) {
		what := strings.ToLower(p.tok.text)
		if err := p.advance(); err != nil {
			return nil, err
		}
		if !p.tok.is("[") {
			return nil, p.unexpected(`"["`)
		}
		label, err := p.attributes()
		switch {
		case label == nil:
		case what == "node":
			scope.nodeLabel = label
		case what == "edge":
			scope.edgeLabel = label
		}
		return nil, err
	}
	ends, name, single, err := p.endpoint(scope, depth)
	if err != nil {
		return nil, err
	}
	if single && p.tok.is("=") { // an attribute of the graph
		if err := p.advance(); err != nil {
			return nil, err
		}
		if !p.tok.id() {
			return nil, p.unexpected("a value")
		}
		return nil, p.advance()
	}
	if single {
		p.declare(name, scope)
		if err := p.port(); err != nil {
			return nil, err
		}
	}
	nodes := slices.Clone(ends)
	first := len(p.edges)
	for p.tok.is("->") || p.tok.is("--") {
		if p.tok.is("->") != p.directed {
			return nil, p.unexpected(map[bool]string{true: "-> in a digraph", false: "-- in a graph"}[p.directed])
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
		to, name, single, err := p.endpoint(scope, depth)
		if err != nil {
			return nil, err
		}
		if single {
			p.declare(name, scope)
			if err := p.port(); err != nil {
				return nil, err
			}
		}
		if n := len(ends) * len(to); n > 1 && len(p.edges)+n > maxGroupEdges {
			return nil, p.errorf(p.tok.at, "edges between groups of nodes stand for more than %d edges", maxGroupEdges)
		}
		for _, a := range ends {
			for _, b := range to {
				e := dotEdge{head: a, tail: b}
				if scope.edgeLabel != nil {
					e.label = *scope.edgeLabel
				}
				p.edges = append(p.edges, e)
			}
		}
		nodes = append(nodes, to...)
		ends = to
	}
	if !p.tok.is("[") {
		return nodes, nil
	}
	isEdge := len(p.edges) > first
	label, err := p.attributes()
	switch {
	case err != nil || label == nil:
	case isEdge:
		for i := first; i < len(p.edges); i++ {
			p.edges[i].label = *label
		}
	case single:
		p.labels[name] = label
	}
	return nodes, err
}

// endpoint reads a node's name or a subgraph: the nodes that it stands for, and
// for a single name that name.
func (p *dotParser) endpoint(scope *dotScope, depth int) (nodes []string, name string, single bool, err error) {
	switch {
	case p.tok.kind == dotWord && p.tok.is("subgraph"):
		if err := p.advance(); err != nil {
			return nil, "", false, err
		}
		if p.tok.id() {
			if err := p.advance(); err != nil {
				return nil, "", false, err
			}
		}
		fallthrough
	case p.tok.is("{"):
		nodes, err := p.block(*scope, depth+1)
		return nodes, "", false, err
	case p.tok.id():
		name := p.tok.text
		return []string{name}, name, true, p.advance()
	}
	return nil, "", false, p.unexpected("a node or an edge")
}

// declare notes a node at its first sight, with the label that is the default
// then.
func (p *dotParser) declare(name string, scope *dotScope) {
	if _, ok := p.labels[name]; !ok {
		p.labels[name] = scope.nodeLabel
	}
}

// port skips ":port" and ":port:compass".
func (p *dotParser) port() error {
	for n := 0; n < 2 && p.tok.is(":"); n++ {
		if err := p.advance(); err != nil {
			return err
		}
		if !p.tok.id() {
			return p.unexpected("the name of a port")
		}
		if err := p.advance(); err != nil {
			return err
		}
	}
	return nil
}

// attributes reads one or more [ name = value, … ] and returns the label among
// them, if any.
func (p *dotParser) attributes() (label *dotText, err error) {
	for p.tok.is("[") {
		open := p.tok.at
		if err := p.advance(); err != nil {
			return nil, err
		}
		for !p.tok.is("]") {
			if p.tok.kind == dotEnd {
				return nil, p.errorf(open, `"[" is never closed`)
			}
			if !p.tok.id() {
				return nil, p.unexpected("the name of an attribute")
			}
			name := p.tok.text
			if err := p.advance(); err != nil {
				return nil, err
			}
			if p.tok.is("=") {
				if err := p.advance(); err != nil {
					return nil, err
				}
				if !p.tok.id() {
					return nil, p.unexpected("the value of an attribute")
				}
				if name == "label" {
					label = &dotText{p.tok.text, p.tok.kind == dotString}
				}
				if err := p.advance(); err != nil {
					return nil, err
				}
			}
			if p.tok.is(",") || p.tok.is(";") {
				if err := p.advance(); err != nil {
					return nil, err
				}
			}
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	return label, nil
}

// entity returns what the node stands for: its label, or else its name.
func (p *dotParser) entity(name string) string {
	l := p.labels[name]
	if l == nil {
		return name
	}
	return l.resolve(map[byte]string{'N': name, 'G': p.graph})
}

func (p *dotParser) relation(e dotEdge) string {
	arrow := "--"
	if p.directed {
		arrow = "->"
	}
	return e.label.resolve(map[byte]string{'G': p.graph, 'T': e.head, 'H': e.tail, 'E': e.head + arrow + e.tail})
}

// resolve replaces the escapes of an escString: \n, \l and \r are line breaks,
// the given letters stand for names, any other escaped character for itself.
func (t dotText) resolve(names map[byte]string) string {
	if !t.escape || !strings.Contains(t.text, `\`) {
		return t.text
	}
	var b strings.Builder
	for i := 0; i < len(t.text); i++ {
		c := t.text[i]
		if c != '\\' || i+1 == len(t.text) {
			b.WriteByte(c)
			continue
		}
		i++
		switch c = t.text[i]; c {
		case 'n', 'l', 'r':
			b.WriteByte('\n')
		default:
			if s, ok := names[c]; ok {
				b.WriteString(s)
			} else {
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}
