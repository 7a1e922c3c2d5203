package s3kg

import (
	"sync"

	"github.com/kgeval/kgeval/kg"
)

// reading is a triple as view reads it.
type reading struct {
	head, relation, tail label
	circumstances        []label
}

// readMark holds what Conflict looks at in a label; it is read when it is first asked for.
type readMark struct {
	once  sync.Once
	text  string
	marks marks
}

func (r *readMark) get() marks {
	r.once.Do(func() { r.marks = readMarks(r.text) })
	return r.marks
}

// read returns what Conflict looks at in a label.
func (l label) read() marks {
	if l.marks == nil {
		return readMarks(l.text)
	}
	return l.marks.get()
}

// maxReadings and maxReadBytes bound the triples whose readings a Scorer keeps, and the
// length of one of them.
const (
	maxReadings  = 1 << 14
	maxReadBytes = 512
)

// readings keeps how triples were read: reading a label takes longer than comparing
// it. A reading depends on the triple and the options alone.
type readings struct {
	mu    sync.RWMutex
	known map[kg.Triple]*reading
}

// of returns the reading of t.
func (k *readings) of(s *Scorer, t kg.Triple) *reading {
	if len(t.Head)+len(t.Relation)+len(t.Tail) > maxReadBytes {
		return s.read(t)
	}
	k.mu.RLock()
	r := k.known[t]
	k.mu.RUnlock()
	if r != nil {
		return r
	}
	r = s.read(t)
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) >= maxReadings {
		clear(k.known)
	}
	if k.known == nil {
		k.known = make(map[kg.Triple]*reading)
	}
	k.known[t] = r
	return r
}

// read reads a triple by the rules for English, unless it is taken literally.
func (s *Scorer) read(t kg.Triple) *reading {
	f := frame{relation: t.Relation, tail: t.Tail}
	head := t.Head
	if !s.opts.Literal {
		if identifies(t) {
			head, t.Tail = t.Tail, t.Head
		}
		f = readFrame(t.Relation, t.Tail)
	}
	entity := func(written string) label {
		text := spaced(written)
		return label{key: s.entity(written), text: text, first: written, marks: &readMark{text: text}}
	}
	r := &reading{head: entity(head), tail: entity(f.tail)}
	written := t.Relation
	if len(f.circumstances) > 0 {
		written = f.relation
	}
	text := readable(f.relation)
	r.relation = label{key: rewriteNumbers(s.normalizer.Relation(f.relation)), text: text, first: written, marks: &readMark{text: text}}
	r.relation.symmetric = s.opts.Symmetric(f.relation)
	if !s.opts.Literal {
		r.relation.voice = s.voice(f.relation)
	}
	for _, c := range f.circumstances {
		r.circumstances = append(r.circumstances, entity(c))
	}
	return r
}
