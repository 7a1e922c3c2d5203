package kg

import (
	"bufio"
	"strconv"
	"strings"
)

// DOT: how labels are written. An entity is a node whose name is the entity, as
// long as a quoted name can hold it; DOT's only escape there is \", so a name
// with a backslash, and for the reader's sake one with a line break or a control
// character, goes into the node's label instead, where \\ and \n are escapes
// ("escString"), and the node's name is made up. So does a name that begins with
// "%": Graphviz takes it for one of its own. A relation is the edge's label.

func encodeDOT(w *bufio.Writer, g *Graph, _ codecOptions) error {
	if g.Len() == 0 {
		_, err := w.WriteString("digraph {\n}\n")
		return err
	}
	w.WriteString("digraph {\n") // bufio keeps the first error for Flush
	names := make(map[string]string)
	made := 0
	for _, e := range g.Entities() {
		if !strings.HasPrefix(e, "%") && !strings.ContainsFunc(e, func(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f }) {
			names[e] = dotQuote(e)
			continue
		}
		id := ""
		for id == "" || g.HasEntity(id) {
			made++
			id = "n" + strconv.Itoa(made)
		}
		names[e] = dotQuote(id)
		w.WriteString("  " + names[e] + " [label=" + dotLabel(e) + "];\n")
	}
	for t := range g.Triples() {
		w.WriteString("  " + names[t.Head] + " -> " + names[t.Tail] + " [label=" + dotLabel(t.Relation) + "];\n")
	}
	_, err := w.WriteString("}\n")
	return err
}

func dotQuote(s string) string {
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
}

var escString = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// dotLabel writes s so that Graphviz shows it as it is.
func dotLabel(s string) string { return `"` + escString.Replace(s) + `"` }
