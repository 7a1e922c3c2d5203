package reply

import (
	"strings"

	"github.com/kgeval/kgeval/kg"
)

// roles are the keys under which objects hold each part of a triple. Weak ones
// are parts only where no strong one is there.
var roles, weakRoles = [3][]string{
	{"head", "subject", "subj", "source", "source_node", "source_entity", "from", "start", "head_entity", "entity1", "entity_1", "e1", "node1", "node_1", "arg1", "h", "s"},
	{"relation", "predicate", "pred", "rel", "relationship", "relation_type", "relationship_type", "edge", "verb", "link", "r", "p"},
	{"tail", "object", "obj", "target", "target_node", "target_entity", "to", "end", "tail_entity", "entity2", "entity_2", "e2", "node2", "node_2", "arg2", "t", "o"},
}, [3][]string{
	{"name", "entity"},
	{"type", "label", "property", "attribute", "action"},
	{"value"},
}

var roleOf, weakRoleOf = index(roles), index(weakRoles)

func index(r [3][]string) map[string]int {
	m := make(map[string]int)
	for part, keys := range r {
		for _, k := range keys {
			m[k] = part
		}
	}
	return m
}

// role returns the part of a triple that a key names, or -1.
func role(key string) (part int, strong bool) {
	k := strings.ToLower(strings.Join(strings.FieldsFunc(key, func(r rune) bool { return r == ' ' || r == '-' || r == '_' }), "_"))
	if p, ok := roleOf[k]; ok {
		return p, true
	}
	if p, ok := weakRoleOf[k]; ok {
		return p, false
	}
	return -1, false
}

// object reads a record, several records whose keys come again, a graph of nodes
// and edges, or what an object of other keys holds.
func (g *gatherer) object(v value, src string) {
	if len(v.items) == 0 {
		return
	}
	strongs := map[int]bool{}
	for _, k := range v.keys {
		if p, strong := role(k); strong {
			strongs[p] = true
		}
	}
	if len(strongs) > 0 && g.records(v, src, strongs) {
		return
	}
	g.learnNodes(v)
	for i, it := range v.items {
		k := strings.ToLower(v.keys[i])
		switch {
		case other[k]:
		case it.kind == listValue && known[k]:
			g.walk(it, src, true, k)
		case it.kind == listValue:
			// A flat list under a key that says nothing may list anything.
			rows := value{kind: listValue, at: it.at, end: it.end, cut: it.cut}
			for _, x := range it.items {
				if !x.scalar() {
					rows.items = append(rows.items, x)
				}
			}
			if len(rows.items) > 0 {
				g.walk(rows, src, false, k)
			}
		case it.kind == objectValue:
			g.walk(it, src, false, k)
		case it.kind == stringValue && known[k]:
			if strings.TrimSpace(it.text) != "" {
				g.walk(it, src, true, k)
			}
		case it.kind == nullValue && known[k]:
			g.none = true
		}
	}
}

// records reads v as one or more triples; false when its keys are none of a
// triple's.
func (g *gatherer) records(v value, src string, strongs map[int]bool) bool {
	var parts [3]*value
	took := false
	emit := func() {
		n := 0
		for _, p := range parts {
			if p != nil {
				n++
			}
		}
		switch n {
		case 0:
		case 3:
			took = true
			g.row([]value{*parts[0], *parts[1], *parts[2]}, src)
		default:
			took = true
			g.rep.drop(src[v.at:v.end], reasonParts+": keys are missing")
		}
		parts = [3]*value{}
	}
	for i, k := range v.keys {
		p, strong := role(k)
		if p < 0 || !strong && strongs[p] {
			continue
		}
		if it := v.items[i]; !it.scalar() && it.kind == objectValue && len(strongs) < 2 {
			continue
		}
		if parts[p] != nil {
			if !strong {
				continue
			}
			if parts[0] == nil || parts[1] == nil || parts[2] == nil {
				g.rep.drop(src[v.at:v.end], reasonParts+": keys are missing")
				parts = [3]*value{}
				took = true
			} else {
				g.rep.repaired("several records in one object")
				emit()
			}
		}
		parts[p] = &v.items[i]
	}
	n := 0
	for _, p := range parts {
		if p != nil {
			n++
		}
	}
	if n > 0 && n < 3 && !took {
		if v.cut {
			g.rep.drop(src[v.at:v.end], reasonCut)
			return true
		}
		if len(v.items) > n || n == 0 {
			// Other keys too: perhaps a wrapper with a "source" of its own.
			for _, it := range v.items {
				if !it.scalar() && it.kind == listValue && len(it.items) > 0 && !it.items[0].scalar() {
					return false
				}
			}
		}
		return g.join(parts, src, v)
	}
	emit()
	return true
}

// join completes a record whose parts come in objects of their own.
func (g *gatherer) join(parts [3]*value, src string, v value) bool {
	for i, p := range parts {
		if p == nil {
			continue
		}
		if g.partial[i] != nil {
			g.rep.drop(src[v.at:v.end], reasonParts+": keys are missing")
			return true
		}
		g.partial[i] = p
	}
	if g.partial[0] != nil && g.partial[1] != nil && g.partial[2] != nil {
		g.rep.repaired("one record in several objects")
		g.row([]value{*g.partial[0], *g.partial[1], *g.partial[2]}, src)
		g.partial = [3]*value{}
	}
	return true
}

// flush drops a record that was never completed.
func (g *gatherer) flush(src string) {
	for _, p := range g.partial {
		if p != nil {
			g.rep.drop(src[p.at:p.end], reasonParts+": keys are missing")
		}
	}
	g.partial = [3]*value{}
}

// learnNodes remembers the labels of nodes that edges name by id.
func (g *gatherer) learnNodes(v value) {
	for i, k := range v.keys {
		if k = strings.ToLower(k); k != "nodes" && k != "entities" && k != "vertices" || v.items[i].kind != listValue {
			continue
		}
		for _, n := range v.items[i].items {
			id, label := "", ""
			for j, key := range n.keys {
				if !n.items[j].scalar() {
					continue
				}
				switch strings.ToLower(key) {
				case "id", "node_id", "key":
					id = n.items[j].text
				case "label", "name", "text":
					label = n.items[j].text
				}
			}
			if id != "" && label != "" && id != label {
				if g.nodes == nil {
					g.nodes = make(map[string]string)
				}
				g.nodes[id] = label
			}
		}
	}
}

// placeholder reports whether t repeats the names of its parts, as a header or a
// template does, or has an ellipsis for a part.
func placeholder(t kg.Triple) bool {
	named := 0
	for i, l := range [...]string{t.Head, t.Relation, t.Tail} {
		l = strings.ToLower(strings.Trim(l, "<>[]{}()*_`\"' "))
		if strings.Trim(l, ".… ") == "" || strings.Trim(l, "-=: ") == "" {
			return true
		}
		l = strings.TrimSpace(strings.TrimRight(l, "0123456789"))
		l = strings.ReplaceAll(l, " ", "_")
		if p, ok := roleOf[l]; ok && (p == i || l == "entity" || l == "object") {
			named++
			continue
		}
		switch l {
		case "entity", "string", "str", "label", "text", "entity_a", "entity_b", "name", "value", "x", "y", "head_entity", "tail_entity":
			named++
		}
	}
	return named == 3
}
