package reply

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
)

// Options say what a reader may expect.
type Options struct {
	// Text is the text that the triples are from. With it, triples of Examples
	// that do not occur in it are dropped, and a label whose escapes were read as
	// control characters ("C:\tmp") is put right.
	Text string
	// Examples are the triples of the prompt's worked examples.
	Examples []kg.Triple
	// Limit is the most triples that are kept; 0 means 10,000.
	Limit int
}

// maxLabel is the length in bytes of the longest label that is kept.
const maxLabel = 2000

// Triples reads a list of triples: in the order of the reply, each once. An
// explicitly empty list gives no triples and no error; anything else without a
// triple is an *Error.
//
// Read as a list of triples are
//
//   - lists of three labels, and objects with the keys of a triple in any case:
//     head, subject, source, from and the like; relation, predicate, type, edge;
//     tail, object, target, to. A key that comes again begins the next triple.
//   - these in lists of any depth, under any key of an object that is not known
//     to hold something else (entities, reasoning), in several values one after
//     the other, in JSON inside a string;
//   - a flat list of 3n labels, if n > 1 only as the whole answer;
//   - nodes and edges that refer to them by id;
//   - without any bracket: lines with |, tabs, arrows or <|>, lines "(a, b, c)"
//     with exactly two commas, and lines "head: …", "relation: …", "tail: …".
//
// A number or truth value is a label as it is spelled. A list of labels as tail or
// as head stands for one triple for each. Rows with null, an empty label, more or
// fewer than three parts, or a label over 2,000 bytes are dropped, as are
// placeholders ("subject", "predicate", "object"), copies of the prompt's
// examples, and repetitions.
func Triples(r llm.Response, o Options) ([]kg.Triple, Report, error) {
	var rep Report
	text, bad := open(r, &rep)
	if bad != nil {
		return nil, rep, bad
	}
	g := gatherer{rep: &rep, opts: o, seen: make(map[kg.Triple]bool), cutText: r.Stop == llm.StopLength, ended: r.Stop == llm.StopEnd}
	if o.Limit <= 0 {
		g.opts.Limit = 10_000
	}
	if bad := g.read(text); bad != "" {
		return nil, rep, &Error{Kind: ErrAmbiguous, Detail: bad, Raw: r.Text}
	}
	if len(g.out) == 0 {
		if g.none && !rep.Truncated {
			return nil, rep, nil
		}
		err := nothing(r.Text, text, &rep)
		if err.Kind == ErrUnreadable && len(rep.Dropped) > 0 {
			err.Detail = "nothing but what was dropped: " + rep.Dropped[0].Reason
		}
		return nil, rep, err
	}
	return g.out, rep, nil
}

// Triple reads exactly one triple, in any of the forms of Triples. Several
// different ones are ErrAmbiguous; where the reply says explicitly that there is
// none, that is ErrNone.
func Triple(r llm.Response, o Options) (kg.Triple, Report, error) {
	ts, rep, err := Triples(r, o)
	switch {
	case err != nil:
		return kg.Triple{}, rep, err
	case len(ts) == 0:
		return kg.Triple{}, rep, &Error{Kind: ErrNone, Raw: r.Text}
	case len(ts) > 1:
		return kg.Triple{}, rep, &Error{Kind: ErrAmbiguous, Detail: fmt.Sprintf("%d triples where one was asked for", len(ts)), Raw: r.Text}
	case rep.Truncated && rep.Counts[reasonCut] > 0:
		return kg.Triple{}, rep, &Error{Kind: ErrCut, Detail: "one triple and a part of another", Raw: r.Text}
	}
	return ts[0], rep, nil
}

// Reasons why rows are dropped.
const (
	reasonCut         = "cut: the reply ended inside it"
	reasonParts       = "not three parts"
	reasonNull        = "a part is null"
	reasonEmpty       = "a part is empty"
	reasonLong        = "a label is too long"
	reasonPlaceholder = "a placeholder"
	reasonExample     = "copied from the prompt's example"
	reasonRepeated    = "repeated"
	reasonLimit       = "over the limit of triples"
	reasonNoTriple    = "no triple"
	reasonLists       = "lists on both sides"
	reasonNested      = "a part is a list of lists or an object without a name"
)

// gatherer collects the triples of one reply.
type gatherer struct {
	rep     *Report
	opts    Options
	out     []kg.Triple
	seen    map[kg.Triple]bool
	none    bool // the reply says explicitly that there are none
	cutText bool // the token limit cut the reply
	ended   bool // the backend said that the reply is whole
	// partial holds the parts of a triple whose parts come in values of their own.
	partial [3]*value
	strings int               // how many strings the value that is read stands in
	nodes   map[string]string // by id, of a graph of nodes and edges
}

// read reads a whole answer; it returns why it is ambiguous, or "".
func (g *gatherer) read(text string) (ambiguous string) {
	if f, ok := strict(text); ok {
		g.top(f)
		return ""
	}
	for _, part := range [][]region{fences(text), tagged(text)} {
		if bad, ok := g.regions(part); ok {
			return bad
		}
	}
	bad, ok := g.plain(text, false)
	if !ok {
		g.lines(text, g.cutText)
	}
	return bad
}

// regions reads the parts of a reply that are set off. ok is false when none holds
// anything.
func (g *gatherer) regions(parts []region) (ambiguous string, ok bool) {
	var all [][]kg.Triple
	var between prose
	for i, part := range parts {
		sub := *g
		var rep Report
		sub.rep, sub.out, sub.seen, sub.none = &rep, nil, make(map[kg.Triple]bool), false
		bad, read := sub.plain(part.text, part.cut)
		if !read {
			read = sub.lines(part.text, part.cut)
		}
		if bad != "" {
			return bad, true
		}
		if !read {
			continue
		}
		ok = true
		merge(g.rep, rep)
		g.rep.Truncated = g.rep.Truncated || rep.Truncated
		g.none = g.none || sub.none
		if len(sub.out) == 0 {
			continue
		}
		if i > 0 {
			between.add(part.before)
		}
		all = append(all, sub.out)
	}
	if len(all) > 1 && between.replaces() && !sameAll(all) {
		return "several answers, of which one may replace the others", true
	}
	if len(all) > 1 {
		g.rep.repaired("several lists")
	}
	for _, ts := range all {
		for _, t := range ts {
			g.keep(t, t.String())
		}
	}
	return "", ok
}

func sameAll(all [][]kg.Triple) bool {
	set := func(ts []kg.Triple) map[kg.Triple]bool {
		m := make(map[kg.Triple]bool)
		for _, t := range ts {
			m[t] = true
		}
		return m
	}
	first := set(all[0])
	for _, other := range all[1:] {
		m := set(other)
		if len(m) != len(first) {
			return false
		}
		for t := range m {
			if !first[t] {
				return false
			}
		}
	}
	return true
}

// plain reads the values of text. ok is false when it holds none.
func (g *gatherer) plain(text string, cut bool) (ambiguous string, ok bool) {
	if f, ok := strict(text); ok {
		g.top(f)
		return "", true
	}
	fs := values(text, g.rep)
	if len(fs) == 0 {
		return "", false
	}
	if len(fs) > 1 {
		var between prose
		for _, f := range fs[1:] {
			between.add(f.before)
		}
		if nested(fs) > 1 && between.replaces() && !equalValues(fs) {
			return "several lists, of which one may replace the others", true
		}
		if nested(fs) > 1 {
			g.rep.repaired("several lists")
		}
	}
	// A run of single records reads as one list.
	all := value{kind: listValue}
	for _, f := range fs {
		all.items = append(all.items, f.value)
		all.cut = f.cut
	}
	if len(fs) == 1 {
		all = fs[0].value
	}
	g.top(found{all, "", text})
	return "", true
}

// nested counts the values that are lists of rows.
func nested(fs []found) int {
	n := 0
	for _, f := range fs {
		if f.kind == objectValue && len(f.items) > 0 && !f.items[len(f.items)-1].scalar() || f.kind == listValue && len(f.items) > 0 && !f.items[0].scalar() {
			n++
		}
	}
	return n
}

func equalValues(fs []found) bool {
	for _, f := range fs[1:] {
		if squeeze(f.src[f.at:f.end]) != squeeze(fs[0].src[fs[0].at:fs[0].end]) {
			return false
		}
	}
	return true
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// top reads the value that is the whole answer.
func (g *gatherer) top(f found) {
	if f.cut {
		g.cut(f)
	}
	g.walk(f.value, f.src, true, "")
	g.flush(f.src)
}

// cut marks the reply as cut where it ended inside a value. A reply that the
// backend calls whole and that only lacks its closing brackets is repaired.
func (g *gatherer) cut(f found) {
	v := f.value
	for len(v.items) > 0 && v.items[len(v.items)-1].cut {
		v = v.items[len(v.items)-1]
	}
	if v.scalar() || !g.ended || strings.HasSuffix(strings.TrimSpace(f.src), ",") {
		g.rep.Truncated = true
		return
	}
	g.rep.repaired("missing closing brackets")
}

// other are keys under which objects hold what is no triple.
var other = map[string]bool{
	"entities": true, "entity": true, "nodes": true, "node": true, "vertices": true, "thoughts": true, "thought": true, "reasoning": true,
	"explanation": true, "analysis": true, "coreference": true, "coreferences": true, "aliases": true, "steps": true, "notes": true, "note": true,
	"text": true, "sentence": true, "source_text": true, "metadata": true, "schema": true, "types": true, "labels": true,
}

// known are keys under which a flat list is an answer.
var known = map[string]bool{
	"triple": true, "triples": true, "triplet": true, "triplets": true, "relations": true, "relationships": true, "edges": true, "facts": true, "fact": true,
	"graph": true, "kg": true, "knowledge_graph": true, "result": true, "results": true, "data": true, "output": true, "answer": true, "response": true,
	"items": true, "list": true, "statements": true, "claims": true, "corrected": true, "corrected_triple": true, "correction": true, "final": true,
}

// walk reads all triples of v. A flat list of several triples is read only where
// flat is set. key is the object's key that holds v.
func (g *gatherer) walk(v value, src string, flat bool, key string) {
	switch v.kind {
	case objectValue:
		g.object(v, src)
	case listValue:
		g.list(v, src, flat, key)
	case stringValue:
		s := strings.TrimSpace(v.text)
		if g.strings < 3 && s != "" && strings.IndexByte("[{(\"", s[0]) >= 0 {
			var rep Report
			p := &parser{src: s, rep: &rep}
			in := p.value(0, "")
			if inner := in.kind == stringValue && in.quote == '"' && in.end == len(s) && !in.cut; !p.deep && (len(in.items) > 0 || inner) {
				g.rep.repaired("data inside a string")
				merge(g.rep, rep)
				if in.cut {
					g.rep.Truncated = true
				}
				g.strings++
				g.walk(in, s, flat, key)
				g.strings--
				return
			}
		}
		if t, ok := lineTriple(s); ok {
			g.rep.repaired("triples as text")
			g.line(t, s)
			return
		}
		if v.cut {
			g.rep.drop(src[v.at:v.end], reasonCut)
		} else if s != "" {
			g.rep.drop(src[v.at:v.end], reasonNoTriple)
		}
	case nullValue:
		if flat {
			return // an answer of null
		}
		g.rep.drop("null", reasonNull)
	default:
		g.rep.drop(src[v.at:v.end], reasonNoTriple)
	}
}

func (g *gatherer) list(v value, src string, flat bool, key string) {
	n, scalars, texts := len(v.items), 0, 0
	for _, it := range v.items {
		if it.scalar() {
			scalars++
		}
		if it.kind == stringValue {
			if _, ok := lineTriple(it.text); ok {
				texts++
			} else if s := strings.TrimSpace(it.text); s != "" && (s[0] == '[' || s[0] == '{') {
				texts++
			}
		}
	}
	switch {
	case n == 0:
		if v.cut {
			return
		}
		if flat {
			g.none = true
		}
		return
	case scalars == n && texts == n: // a list of triples as text
		for _, it := range v.items {
			g.walk(it, src, false, "")
		}
		return
	case scalars < n && !(n == 3 && scalars >= 1): // a list of rows
		for i, it := range v.items {
			switch {
			case it.scalar() && it.cut && i == n-1:
				g.rep.drop(src[it.at:it.end], reasonCut)
			case it.scalar():
				g.rep.drop(src[it.at:it.end], "stray text between rows")
			default:
				g.walk(it, src, false, key)
			}
		}
		return
	}
	// Labels.
	switch {
	case v.cut && (n%3 != 0 || v.items[n-1].cut):
		if n > 3 && flat { // a flat list that was cut: the whole triples
			for i := 0; i+3 < n || i+3 == n && !v.items[n-1].cut; i += 3 {
				g.row(v.items[i:i+3], src)
			}
		}
		g.rep.drop(src[v.at:v.end], reasonCut)
	case n == 3:
		if rowsOf(v) {
			for _, it := range v.items {
				g.walk(it, src, false, key)
			}
			return
		}
		g.row(v.items, src)
	case flat && n%3 == 0:
		for i := 0; i < n; i += 3 {
			g.row(v.items[i:i+3], src)
		}
	default:
		g.rep.drop(src[v.at:v.end], fmt.Sprintf("%s: %d", reasonParts, n))
	}
}

// rowsOf reports whether a list of three is one of rows after all: its lists have
// three members each, or it holds objects with keys of a triple.
func rowsOf(v value) bool {
	rows, scalars := 0, 0
	for _, it := range v.items {
		switch {
		case it.scalar():
			scalars++
		case it.kind == listValue && len(it.items) == 3:
			rows++
		case it.kind == objectValue:
			for _, k := range it.keys {
				if part, _ := role(k); part >= 0 && k != "label" && k != "type" {
					rows++
					break
				}
			}
		}
	}
	return rows >= 2 && scalars <= 1
}

// row keeps the triple of three values.
func (g *gatherer) row(parts []value, src string) {
	raw := src[parts[0].at:max(parts[0].at, parts[2].end)]
	if parts[2].at < parts[0].at { // in another order
		raw = src[min(parts[0].at, parts[1].at, parts[2].at):max(parts[0].end, parts[1].end, parts[2].end)]
	}
	var labels [3][]string
	for i, p := range parts {
		ls, why := g.labels(p)
		if why != "" {
			g.rep.drop(raw, why)
			return
		}
		labels[i] = ls
	}
	if len(labels[0]) > 1 && len(labels[2]) > 1 || len(labels[1]) > 1 {
		g.rep.drop(raw, reasonLists)
		return
	}
	for _, h := range labels[0] {
		for _, t := range labels[2] {
			g.keep(kg.Triple{Head: h, Relation: labels[1][0], Tail: t}, raw)
		}
	}
}

// labels returns the labels that v stands for, or why it stands for none.
func (g *gatherer) labels(v value) ([]string, string) {
	switch v.kind {
	case stringValue, numberValue, boolValue:
		s := g.label(v.text)
		switch {
		case v.cut:
			return nil, reasonCut
		case s == "":
			return nil, reasonEmpty
		case len(s) > maxLabel:
			return nil, reasonLong
		}
		if n, ok := g.nodes[s]; ok {
			s = n
		}
		return []string{s}, ""
	case nullValue:
		return nil, reasonNull
	case objectValue:
		for _, key := range []string{"name", "id", "label", "text", "value", "entity"} {
			for i, k := range v.keys {
				if strings.EqualFold(k, key) && v.items[i].scalar() && v.items[i].kind != nullValue {
					return g.labels(v.items[i])
				}
			}
		}
		return nil, reasonNested
	}
	var out []string
	for _, it := range v.items {
		if !it.scalar() {
			return nil, reasonNested
		}
		ls, why := g.labels(it)
		if why != "" {
			return nil, why
		}
		out = append(out, ls...)
	}
	switch {
	case len(out) == 0:
		return nil, reasonEmpty
	case len(out) > 50:
		return nil, "a list of too many labels"
	}
	g.rep.repaired("lists as parts")
	return out, ""
}

// label cleans a label: white space at its ends goes, control characters too.
func (g *gatherer) label(s string) string {
	s = strings.TrimSpace(s)
	if strings.IndexFunc(s, unicode.IsControl) < 0 {
		return s
	}
	if g.opts.Text != "" {
		// A path in a string of JSON that forgot to escape its backslashes.
		path := strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`, "\b", `\b`, "\f", `\f`).Replace(s)
		if path != s && strings.Contains(g.opts.Text, path) && !strings.Contains(g.opts.Text, s) {
			g.rep.repaired("backslashes that were not escaped")
			return path
		}
	}
	t := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' {
			return -1
		}
		return r
	}, s)
	if t != s {
		g.rep.repaired("control characters")
	}
	return strings.TrimSpace(t)
}

// keep takes a triple unless something speaks against it.
func (g *gatherer) keep(t kg.Triple, raw string) {
	switch {
	case g.seen[t]:
		g.rep.drop(raw, reasonRepeated)
	case placeholder(t):
		g.rep.drop(raw, reasonPlaceholder)
	case g.copied(t):
		g.rep.drop(raw, reasonExample)
	case len(g.out) >= g.opts.Limit:
		g.rep.drop(raw, reasonLimit)
	default:
		g.seen[t] = true
		g.out = append(g.out, t)
	}
}

// copied reports whether t is one of the prompt's examples that the text does not
// speak of.
func (g *gatherer) copied(t kg.Triple) bool {
	if len(g.opts.Examples) == 0 || g.opts.Text == "" {
		return false
	}
	for _, e := range g.opts.Examples {
		if strings.EqualFold(e.Head, t.Head) && strings.EqualFold(e.Relation, t.Relation) && strings.EqualFold(e.Tail, t.Tail) {
			return !mentions(g.opts.Text, t.Head) || !mentions(g.opts.Text, t.Tail)
		}
	}
	return false
}

func mentions(text, label string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(label))
}
