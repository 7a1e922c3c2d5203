package wl

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
)

// refinement refines the labels of the nodes of some graphs together. After
// begin, and after each step, class[u] is the label of node u in the current
// iteration, one of 0..classes-1, each in use. The numbers mean nothing from
// one iteration to the next.
//
// A signature is what a new label stands for: the node's class and its sorted
// neighbour words. The words of all nodes stay in memory during a step, so
// the table of signatures needs no copy of them: an entry names the first node
// that has the signature.
type refinement struct {
	opts Options

	label []int32  // of each node, the graphs' nodes one after the other
	first []int32  // where the nodes of each graph start, and the end
	start []int    // where the neighbours of each node start, and the end
	node  []int32  // neighbours
	tag   []uint32 // kind of each neighbour: the edge's label, and its direction in the top bit

	class   []uint32
	size    []uint32 // nodes in each class
	classes int

	word []uint64 // of each neighbour: tag, class; sorted within a node
	hash []uint64 // of each node's signature
	next []uint32 // class of the next iteration
	slot []slot   // open addressing, a power of two

	seed uint64 // against inputs made to collide; changes no result
	mask uint64 // of hashes; tests narrow it to make hashes collide
}

// slot is an entry of the table of signatures; node is 1 + the first node that
// has the signature, 0 in a free slot.
type slot struct {
	hash uint32
	node uint32
}

const incoming = 1 << 31 // in a tag: the edge leads to the node

// chunk is how many nodes are worked on between two looks at the context.
const chunk = 512

// reset forgets all graphs.
func (r *refinement) reset(o Options) {
	r.opts = o
	if r.mask == 0 {
		r.mask = math.MaxUint64
		r.seed = rand.Uint64()
	}
	r.label = r.label[:0]
	r.first = append(r.first[:0], 0)
	r.start = append(r.start[:0], 0)
	r.node = r.node[:0]
	r.tag = r.tag[:0]
}

// add adds the nodes and edges of g.
func (r *refinement) add(g *Graph) error {
	base := len(r.label)
	if g.Nodes() > math.MaxInt32-1-base {
		return &SizeError{Nodes: base + g.Nodes(), Edges: len(r.node) + g.Edges()}
	}
	if g.Nodes() > 0 {
		r.label = append(r.label, g.label...)
		want := len(r.node) + g.Edges()
		if n := r.opts.Neighbours; n == Directed || n == Both {
			want += g.Edges()
		}
		r.node = slices.Grow(r.node, want-len(r.node))
		r.tag = slices.Grow(r.tag, want-len(r.tag))
		for u := range g.label {
			from := len(r.node)
			switch r.opts.Neighbours {
			case Out:
				r.addEdges(&g.out, u, base, 0)
			case In:
				r.addEdges(&g.in, u, base, 0)
			case Both:
				r.addEdges(&g.out, u, base, 0)
				r.addEdges(&g.in, u, base, 0)
			default:
				r.addEdges(&g.out, u, base, 0)
				r.addEdges(&g.in, u, base, incoming)
			}
			if r.opts.Simple && len(r.node)-from > 1 {
				r.dedupe(from)
			}
			r.start = append(r.start, len(r.node))
		}
	}
	r.first = append(r.first, int32(len(r.label)))
	return nil
}

func (r *refinement) addEdges(a *adjacency, u, base int, dir uint32) {
	for p, end := a.start[u], a.start[u+1]; p < end; p++ {
		tag := dir
		if !r.opts.IgnoreEdgeLabels {
			tag |= uint32(a.label[p])
		}
		r.node = append(r.node, int32(base)+a.node[p])
		r.tag = append(r.tag, tag)
	}
}

// dedupe keeps one of equal neighbours from position from on.
func (r *refinement) dedupe(from int) {
	n := len(r.node) - from
	r.word = resize(r.word, n)
	for i := range n {
		r.word[i] = uint64(r.tag[from+i])<<32 | uint64(r.node[from+i])
	}
	sortWords(r.word)
	kept := slices.Compact(r.word)
	for i, w := range kept {
		r.tag[from+i], r.node[from+i] = uint32(w>>32), int32(uint32(w))
	}
	r.node = r.node[:from+len(kept)]
	r.tag = r.tag[:from+len(kept)]
}

// begin makes iteration 0: nodes of the same class have the same label.
func (r *refinement) begin() {
	n := len(r.label)
	r.class = resize(r.class, n)
	r.next = resize(r.next, n)
	r.hash = resize(r.hash, n)
	r.word = resize(r.word, len(r.node))
	r.clearSlots(n)
	m := uint64(len(r.slot) - 1)
	classes := 0
	for u, l := range r.label {
		h := mix(r.seed^uint64(l)) & r.mask
		i := h & m
		for {
			s := &r.slot[i]
			if s.node == 0 {
				*s = slot{node: uint32(u) + 1}
				r.class[u] = uint32(classes)
				classes++
				break
			}
			if first := s.node - 1; r.label[first] == l {
				r.class[u] = r.class[first]
				break
			}
			i = (i + 1) & m
		}
	}
	r.classes = classes
	r.count()
}

// step makes the next iteration with up to the given number of goroutines. It
// reports whether any class was split; where none was, all later iterations
// are the same as this one.
func (r *refinement) step(ctx context.Context, workers int) (split bool, err error) {
	n := len(r.label)
	if r.classes == n { // every node alone
		return false, ctx.Err()
	}
	parallel := workers > 1 && n > 4*chunk
	if parallel {
		if err := inChunks(ctx, n, workers, r.sign); err != nil {
			return false, err
		}
	}
	r.clearSlots(n)
	classes := 0
	for lo := 0; lo < n; lo += chunk {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		hi := min(lo+chunk, n)
		if !parallel {
			r.sign(lo, hi)
		}
		classes = r.intern(lo, hi, classes)
	}
	split = classes != r.classes
	r.class, r.next = r.next, r.class
	r.classes = classes
	r.count()
	return split, nil
}

// sign makes the signatures of the nodes lo to hi. A node that is alone in its
// class stays so, and needs none.
func (r *refinement) sign(lo, hi int) {
	class, size := r.class, r.size
	for u := lo; u < hi; u++ {
		own := class[u]
		if size[own] == 1 {
			continue
		}
		from, end := r.start[u], r.start[u+1]
		words := r.word[from:end]
		node := r.node[from:end]
		tag := r.tag[from:end]
		for i := range words {
			words[i] = uint64(tag[i])<<32 | uint64(class[node[i]])
		}
		sortWords(words)
		h := mix(r.seed ^ uint64(own))
		for _, w := range words {
			h = mix(h ^ w)
		}
		r.hash[u] = h & r.mask
	}
}

// intern gives the nodes lo to hi the class of their signature. Classes are
// numbered in the order of nodes, whatever the hashes.
func (r *refinement) intern(lo, hi, classes int) int {
	m := uint64(len(r.slot) - 1)
	for u := lo; u < hi; u++ {
		if r.size[r.class[u]] == 1 {
			r.next[u] = uint32(classes)
			classes++
			continue
		}
		h := r.hash[u]
		short := uint32(h >> 32)
		i := h & m
		for {
			s := &r.slot[i]
			if s.node == 0 {
				*s = slot{hash: short, node: uint32(u) + 1}
				r.next[u] = uint32(classes)
				classes++
				break
			}
			if first := int(s.node - 1); s.hash == short && r.sameSignature(first, u) {
				r.next[u] = r.next[first]
				break
			}
			i = (i + 1) & m
		}
	}
	return classes
}

func (r *refinement) sameSignature(u, v int) bool {
	if r.class[u] != r.class[v] {
		return false
	}
	a := r.word[r.start[u]:r.start[u+1]]
	b := r.word[r.start[v]:r.start[v+1]]
	if len(a) != len(b) {
		return false
	}
	for i, w := range a {
		if w != b[i] {
			return false
		}
	}
	return true
}

// count counts the nodes of each class.
func (r *refinement) count() {
	r.size = resize(r.size, r.classes)
	clear(r.size)
	for _, c := range r.class {
		r.size[c]++
	}
}

// clearSlots makes the table ready for n signatures.
func (r *refinement) clearSlots(n int) {
	r.slot = resize(r.slot, 1<<bits.Len(uint(2*n)))
	clear(r.slot)
}

// mix is a hash of one word, by folding a 128 bit product.
func mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// sortWords sorts ascending. Most nodes have few neighbours, for which
// insertion is quickest.
func sortWords(w []uint64) {
	if len(w) > 16 {
		slices.Sort(w)
		return
	}
	for i := 1; i < len(w); i++ {
		x := w[i]
		j := i
		for ; j > 0 && w[j-1] > x; j-- {
			w[j] = w[j-1]
		}
		w[j] = x
	}
}

// inChunks calls f for ranges that together are 0..n, each once, from up to the
// given number of goroutines, and waits for them. It stops early when ctx ends.
func inChunks(ctx context.Context, n, workers int, f func(lo, hi int)) error {
	size := max(1, min(chunk, n/(8*workers)))
	var mu sync.Mutex
	at := 0
	take := func() (lo, hi int) {
		mu.Lock()
		defer mu.Unlock()
		lo = at
		at = min(at+size, n)
		return lo, at
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				lo, hi := take()
				if lo == hi {
					return
				}
				f(lo, hi)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
