package reply

import (
	"fmt"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
)

// Set is the triples of one of several texts.
type Set struct {
	Triples []kg.Triple
	// Read says that the reply has a list for this text, if an empty one.
	Read bool
}

// Sets reads the triples of several texts, numbered from 1, from one reply: an
// object with a list for each number ("1", "text 1"), perhaps inside others. They
// are joined by number; numbers that were not asked about are dropped. texts has
// the options of each text. A reply without any such list is an *Error.
func Sets(r llm.Response, texts []Options) ([]Set, Report, error) {
	var rep Report
	out := make([]Set, len(texts))
	text, bad := open(r, &rep)
	if bad != nil {
		return out, rep, bad
	}
	var fs []found
	if f, ok := strict(text); ok {
		fs = []found{f}
	} else {
		parts := append(fences(text), tagged(text)...)
		for _, part := range append(parts, region{text: text}) {
			if fs = values(part.text, &rep); len(fs) > 0 {
				break
			}
		}
	}
	read := 0
	for _, f := range fs {
		read += sets(f.value, f.src, texts, out, &rep, r.Stop == llm.StopEnd, 0)
		if f.cut && r.Stop != llm.StopEnd {
			rep.Truncated = true
		}
	}
	if read == 0 {
		err := nothing(r.Text, text, &rep)
		if err.Kind == ErrUnreadable && len(fs) > 0 {
			err.Detail = "no list under the number of a text"
		}
		return out, rep, err
	}
	return out, rep, nil
}

// sets reads the lists under the numbers of v and returns how many there were.
func sets(v value, src string, texts []Options, out []Set, rep *Report, ended bool, depth int) int {
	if depth > 4 {
		return 0
	}
	n := 0
	for i, it := range v.items {
		if v.kind != objectValue {
			if !it.scalar() {
				n += sets(it, src, texts, out, rep, ended, depth+1)
			}
			continue
		}
		id, ok := number(value{kind: stringValue, text: v.keys[i]})
		switch {
		case !ok && !it.scalar():
			n += sets(it, src, texts, out, rep, ended, depth+1)
		case !ok:
		case id < 1 || id > len(texts):
			rep.drop(src[it.at:it.end], fmt.Sprintf("no text has the number %d", id))
		case out[id-1].Read:
			rep.drop(src[it.at:it.end], "a second list for one text")
		default:
			n++
			g := gatherer{rep: rep, opts: texts[id-1], seen: make(map[kg.Triple]bool), ended: ended}
			if g.opts.Limit <= 0 {
				g.opts.Limit = 10_000
			}
			g.top(found{it, "", src})
			out[id-1] = Set{Triples: g.out, Read: len(g.out) > 0 || g.none}
			if it.cut && !ended {
				rep.Truncated = true
			}
		}
	}
	return n
}
