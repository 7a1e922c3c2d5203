package wl

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// Feature says how many nodes of a graph have a label. ID names the label of
// one iteration within one Refiner.
type Feature struct {
	ID    int
	Count int
}

// Vector is the sparse feature vector of a graph over all iterations 0..h,
// ordered by ID, each ID once, every Count positive. It holds at most (h+1) n
// features for n nodes; the empty graph has none.
type Vector []Feature

// Dot returns the dot product of two vectors of the same Refiner: the raw
// kernel of their graphs. Vectors of different Refiners have nothing to do with
// each other.
func Dot(a, b Vector) float64 {
	var sum float64
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x.ID < y.ID:
			a = a[1:]
		case x.ID > y.ID:
			b = b[1:]
		default:
			sum += float64(x.Count) * float64(y.Count)
			a, b = a[1:], b[1:]
		}
	}
	return sum
}

// Similarity returns Dot(a, b) / sqrt(Dot(a, a) Dot(b, b)), in [0,1]: 1 for two
// empty vectors, 0 for one.
func Similarity(a, b Vector) float64 {
	aa, bb := Dot(a, a), Dot(b, b)
	return normalise(aa, Dot(a, b), bb, math.Sqrt(aa), math.Sqrt(bb))
}

// ErrFull is returned when a Refiner has seen more than 2^32-2 different
// labels.
var ErrFull = errors.New("wl: the refiner's dictionary is full")

// Refiner turns graphs into feature vectors. It remembers every signature that
// it has seen, so that vectors stay comparable as more graphs arrive, and grows
// with them: about 16 bytes for each edge and 40 for each node, and iteration,
// of what is new. It is safe for concurrent use, one call at a time running.
// IDs depend on the order of calls; dot products do not.
type Refiner struct {
	mu   sync.Mutex
	opts Options
	r    refinement
	next []uint32 // IDs of the iteration that is being made
	ids  []uint32 // of all nodes, in all iterations
	dict dictionary
}

// NewRefiner returns a Refiner that has seen nothing; the error is an
// *OptionError.
func NewRefiner(o Options) (*Refiner, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r := &Refiner{opts: o}
	r.r.reset(o)
	r.dict.seed, r.dict.mask = r.r.seed, r.r.mask
	return r, nil
}

// Features returns the feature vector of g, in time O(h (n + m log d)): unlike
// Compare it goes through every iteration, as a later graph may yet tell apart
// what this one does not. The error is the context's, or ErrFull; the Refiner
// then stays usable (when full, for graphs that bring nothing new).
func (r *Refiner) Features(ctx context.Context, g *Graph) (Vector, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.r.reset(r.opts)
	if err := r.r.add(g); err != nil {
		return nil, err
	}
	n := len(r.r.label)
	class := resize(r.r.class, n)
	next := resize(r.next, n)
	r.r.class, r.next = class, next
	r.ids = r.ids[:0]
	for i := 0; i <= r.opts.Iterations && n > 0; i++ {
		for u := range n {
			if u%chunk == 0 {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
			}
			id, ok := r.lookup(u, i == 0, class)
			if !ok {
				return nil, ErrFull
			}
			next[u] = id
		}
		r.ids = append(r.ids, next...)
		class, next = next, class
	}
	return countIDs(r.ids), nil
}

// countIDs returns how often each ID occurs. It sorts ids.
func countIDs(ids []uint32) Vector {
	slices.Sort(ids)
	n := 0
	for i, id := range ids {
		if i == 0 || id != ids[i-1] {
			n++
		}
	}
	v := make(Vector, 0, n)
	for i, id := range ids {
		if i == 0 || id != ids[i-1] {
			v = append(v, Feature{ID: int(id)})
		}
		v[len(v)-1].Count++
	}
	return v
}

// lookup returns the ID of node u's signature, given the IDs of the iteration
// before. In iteration 0 the signature is the label alone.
func (r *Refiner) lookup(u int, zero bool, class []uint32) (uint32, bool) {
	if zero {
		r.r.word = append(r.r.word[:0], uint64(r.r.label[u]))
		return r.dict.id(noClass, r.r.word)
	}
	words := r.r.word[:0]
	for p := r.r.start[u]; p < r.r.start[u+1]; p++ {
		words = append(words, uint64(r.r.tag[p])<<32|uint64(class[r.r.node[p]]))
	}
	sortWords(words)
	r.r.word = words
	return r.dict.id(class[u], words)
}

// noClass is the class part of the signatures of iteration 0.
const noClass = math.MaxUint32

// dictionary numbers signatures from 0 in the order of first sight. As a
// signature holds the node's own ID, which belongs to one iteration, those of
// different iterations never meet.
type dictionary struct {
	seed, mask uint64
	words      []uint64 // of all signatures
	entries    []entry
	slots      []uint32 // 1 + ID, 0 when free
}

type entry struct {
	hash  uint64
	end   int // of its words; they start where those of the entry before end
	class uint32
}

func (d *dictionary) id(class uint32, words []uint64) (uint32, bool) {
	if 2*(len(d.entries)+1) > len(d.slots) {
		d.grow()
	}
	h := mix(d.seed ^ uint64(class))
	for _, w := range words {
		h = mix(h ^ w)
	}
	h &= d.mask
	m := uint64(len(d.slots) - 1)
	i := h & m
	for ; d.slots[i] != 0; i = (i + 1) & m {
		id := d.slots[i] - 1
		if e := &d.entries[id]; e.hash == h && e.class == class && slices.Equal(d.of(id), words) {
			return id, true
		}
	}
	id := uint64(len(d.entries))
	if id >= noClass {
		return 0, false
	}
	d.words = append(d.words, words...)
	d.entries = append(d.entries, entry{hash: h, end: len(d.words), class: class})
	d.slots[i] = uint32(id) + 1
	return uint32(id), true
}

func (d *dictionary) of(id uint32) []uint64 {
	from := 0
	if id > 0 {
		from = d.entries[id-1].end
	}
	return d.words[from:d.entries[id].end]
}

func (d *dictionary) grow() {
	d.slots = make([]uint32, 1<<bits.Len(uint(4*len(d.entries)+15)))
	m := uint64(len(d.slots) - 1)
	for id, e := range d.entries {
		i := e.hash & m
		for d.slots[i] != 0 {
			i = (i + 1) & m
		}
		d.slots[i] = uint32(id) + 1
	}
}
