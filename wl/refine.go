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
// begin, and after each step, two nodes have the same class exactly when the
// kernel gives them the same label in that iteration; the classes are
// 0..classes-1, each in use. A class keeps its number from one iteration to the
// next where it can: what the kernel counts is which nodes are alike, not what
// their label is called.
//
// A step therefore looks only at nodes with a neighbour that changed its class
// (colour refinement as in Cardon and Crochemore, 1982, but in rounds, as each
// iteration counts). The rest of a class has seen nothing new and stays alike,
// and unlike those that see a class that did not exist before.
//
// The signature of a node is its class and the multiset of its neighbour
// words. The words stay in memory during a step, so the table of signatures
// needs no copy of them: a group names the first node that has the signature.
type refinement struct {
	opts Options

	label []int32  // of each node, the graphs' nodes one after the other
	first []int32  // where the nodes of each graph start, and the end
	start []int    // where the neighbours of each node start, and the end
	node  []int32  // neighbours
	tag   []uint32 // kind of each neighbour: the edge's label, and its direction in the top bit

	// The nodes that have a node as neighbour: the neighbours themselves, or,
	// with Out and In, those at the other end of the other edges.
	watcherStart []int
	watcher      []int32

	class   []uint32
	size    []int32 // nodes in each class
	classes int
	moves   []move // of the latest step

	dirty []int32  // nodes to look at, ascending by time of marking
	mark  []bool   // of each node, whether it is in dirty
	hash  []uint64 // of the signature of each node in dirty
	in    []int32  // group of each node in dirty
	word  []uint64 // of each neighbour: tag, class
	group []group
	seen  []tally // of each class, zero between steps
	slot  []slot  // open addressing, a power of two

	touched uint32 // only keeps reads alive that warm the cache

	seed uint64 // against inputs made to collide; changes no result
	mask uint64 // of hashes; tests narrow it to make hashes collide
}

// move is a change of class of one node.
type move struct {
	node int32
	from uint32
}

// group is the nodes of one class that have the same signature.
type group struct {
	hash  uint64
	first int32 // node
	count int32
	id    uint32 // class before, then after the step
}

// tally is what a step saw of one class.
type tally struct {
	nodes int32 // that were looked at
	most  int32 // in one group
	group int32 // that group
}

// slot is an entry of the table of signatures; group is 1 + its position, 0 in
// a free slot.
type slot struct {
	hash  uint32
	group uint32
}

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
	r.watcherStart = append(r.watcherStart[:0], 0)
	r.watcher = r.watcher[:0]
}

// reserve makes room for graphs with so many nodes and edges together.
func (r *refinement) reserve(nodes, edges int) {
	r.label = slices.Grow(r.label, nodes)
	r.start = slices.Grow(r.start, nodes)
	if n := r.opts.Neighbours; n == Out || n == In {
		r.watcher = slices.Grow(r.watcher, edges)
		r.watcherStart = slices.Grow(r.watcherStart, nodes)
	} else {
		edges *= 2
	}
	r.node = slices.Grow(r.node, edges)
	r.tag = slices.Grow(r.tag, edges)
}

// add adds the nodes and edges of g.
func (r *refinement) add(g *Graph) error {
	base := len(r.label)
	if g.Nodes() > math.MaxInt32-1-base {
		return &SizeError{Nodes: base + g.Nodes(), Edges: len(r.node) + g.Edges()}
	}
	if g.Nodes() > 0 {
		r.label = append(r.label, g.label...)
		switch r.opts.Neighbours {
		case Out:
			r.addPart(base, g, true)
		case In:
			r.addPart(base, g, false)
		default:
			r.addNeighbours(base, g)
		}
	}
	r.first = append(r.first, int32(len(r.label)))
	return nil
}

// keep returns the bits of a tag that count.
func (o Options) keep() uint32 {
	var keep uint32
	if !o.IgnoreEdgeLabels {
		keep = incoming - 1
	}
	if o.Neighbours == Directed {
		keep |= incoming
	}
	return keep
}

// addNeighbours adds the neighbours at both ends of g's edges.
func (r *refinement) addNeighbours(base int, g *Graph) {
	at := len(r.node)
	r.node = extend(r.node, at+len(g.node))
	r.tag = extend(r.tag, at+len(g.node))
	node, tag := r.node[at:], r.tag[at:]
	keep := r.opts.keep()
	for i, v := range g.node {
		node[i] = int32(base) + v
		tag[i] = g.tag[i] & keep
	}
	from := len(r.start)
	r.start = extend(r.start, from+len(g.label))
	for u, p := range g.start[1:] {
		r.start[from+u] = at + int(p)
	}
	if r.opts.Simple {
		r.simplify(from)
	}
}

// addPart adds the neighbours at one end of g's edges, and those at the other
// as watchers.
func (r *refinement) addPart(base int, g *Graph, out bool) {
	keep := r.opts.keep()
	from := len(r.start)
	for u, mid := range g.mid {
		p, q := g.start[u], mid
		x, y := mid, g.start[u+1]
		if !out {
			p, q, x, y = x, y, p, q
		}
		for ; p < q; p++ {
			r.node = append(r.node, int32(base)+g.node[p])
			r.tag = append(r.tag, g.tag[p]&keep)
		}
		for ; x < y; x++ {
			r.watcher = append(r.watcher, int32(base)+g.node[x])
		}
		r.start = append(r.start, len(r.node))
		r.watcherStart = append(r.watcherStart, len(r.watcher))
	}
	if r.opts.Simple {
		r.simplify(from)
	}
}

// simplify keeps one of equal neighbours of each node whose end is at from or
// later in start.
func (r *refinement) simplify(from int) {
	begin := r.start[from-1]
	at := begin
	for i := from; i < len(r.start); i++ {
		end := r.start[i]
		n := end - begin
		if n > 1 {
			n = r.dedupe(r.node[begin:end], r.tag[begin:end])
		}
		if at != begin {
			copy(r.node[at:], r.node[begin:begin+n])
			copy(r.tag[at:], r.tag[begin:begin+n])
		}
		at += n
		begin = end
		r.start[i] = at
	}
	r.node, r.tag = r.node[:at], r.tag[:at]
}

// dedupe moves one of equal neighbours each to the front, and returns how many
// there are.
func (r *refinement) dedupe(node []int32, tag []uint32) int {
	if len(node) <= 8 {
		kept := 1
	next:
		for i := 1; i < len(node); i++ {
			for j := range kept {
				if node[i] == node[j] && tag[i] == tag[j] {
					continue next
				}
			}
			node[kept], tag[kept] = node[i], tag[i]
			kept++
		}
		return kept
	}
	r.word = resize(r.word, len(node))
	for i := range node {
		r.word[i] = uint64(tag[i])<<32 | uint64(node[i])
	}
	sortWords(r.word)
	kept := slices.Compact(r.word)
	for i, w := range kept {
		tag[i], node[i] = uint32(w>>32), int32(uint32(w))
	}
	return len(kept)
}

// watchers returns the nodes that have u as neighbour.
func (r *refinement) watchers(u int32) []int32 {
	if n := r.opts.Neighbours; n == Out || n == In {
		return r.watcher[r.watcherStart[u]:r.watcherStart[u+1]]
	}
	return r.node[r.start[u]:r.start[u+1]]
}

// begin makes iteration 0: nodes of the same class have the same label.
func (r *refinement) begin() {
	n := len(r.label)
	r.class = resize(r.class, n)
	r.size = resize(r.size, n)
	r.mark = resize(r.mark, n)
	r.seen = resize(r.seen, n)
	r.dirty = resize(r.dirty, n)[:0]
	r.word = resize(r.word, len(r.node))
	clear(r.mark)
	clear(r.seen)
	r.clearSlots(n)
	m := uint64(len(r.slot) - 1)
	classes := 0
	for u, l := range r.label {
		i := mix(r.seed^uint64(l)) & r.mask & m
		for {
			s := &r.slot[i]
			if s.group == 0 {
				*s = slot{hash: uint32(l), group: uint32(classes) + 1}
				r.class[u] = uint32(classes)
				r.size[classes] = 1
				classes++
				break
			}
			if s.hash == uint32(l) { // the label itself, and so exact
				r.class[u] = s.group - 1
				r.size[s.group-1]++
				break
			}
			i = (i + 1) & m
		}
	}
	r.classes = classes
	r.moves = r.moves[:0]
	r.all()
}

// all takes every node that can see a change at all. What is left of a class,
// nodes without neighbours, is alike and unlike those taken.
func (r *refinement) all() {
	n := 0
	dirty := r.dirty[:len(r.class)]
	for u, c := range r.class {
		dirty[n] = int32(u)
		// One condition, as it cannot be predicted.
		if min(int(r.size[c])-1, r.start[u+1]-r.start[u]) > 0 {
			n++
		}
	}
	r.dirty = dirty[:n]
}

// step makes the next iteration with up to the given number of goroutines. It
// reports whether any class was split, and leaves in moves what changed; where
// none was, all later iterations are the same as this one. A step that fails
// ends the refinement.
func (r *refinement) step(ctx context.Context, workers int) (split bool, err error) {
	if err := r.spread(ctx); err != nil {
		return false, err
	}
	n := len(r.dirty)
	r.moves = r.moves[:0]
	if n == 0 {
		return false, ctx.Err()
	}
	r.hash = resize(r.hash, n)
	r.in = resize(r.in, n)
	parallel := workers > 1 && n > 4*chunk
	if parallel {
		if err := inChunks(ctx, n, workers, r.sign); err != nil {
			return false, err
		}
	}
	r.clearSlots(n)
	r.group = resize(r.group, n)[:0]
	for lo := 0; lo < n; lo += chunk {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		hi := min(lo+chunk, n)
		if !parallel {
			r.sign(lo, hi)
		}
		r.intern(lo, hi)
	}
	r.move()
	return len(r.moves) > 0, nil
}

// spread finds the nodes that see a change of the latest step. A node that is
// alone in its class stays so, and needs no look.
func (r *refinement) spread(ctx context.Context) error {
	if len(r.moves) > len(r.class)/4 {
		r.all() // in the order of memory, which is quicker
		return nil
	}
	for i, m := range r.moves {
		if i%chunk == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for _, u := range r.watchers(m.node) {
			if !r.mark[u] && r.size[r.class[u]] > 1 {
				r.mark[u] = true
				r.dirty = append(r.dirty, u)
			}
		}
	}
	for _, u := range r.dirty {
		r.mark[u] = false
	}
	return nil
}

// sign makes the signatures of the nodes lo to hi of dirty.
func (r *refinement) sign(lo, hi int) {
	class, seed := r.class, r.seed
	for k := lo; k < hi; k++ {
		u := r.dirty[k]
		from, end := r.start[u], r.start[u+1]
		words := r.word[from:end]
		node := r.node[from:end][:len(words)]
		tag := r.tag[from:end][:len(words)]
		// The sum does not depend on the order, which saves sorting where
		// signatures differ.
		h := seed
		for i := range words {
			w := uint64(tag[i])<<32 | uint64(class[node[i]])
			words[i] = w
			h += mix(seed ^ w)
		}
		r.hash[k] = mix(h+uint64(class[u])) & r.mask
	}
}

// intern puts the nodes lo to hi of dirty into groups.
func (r *refinement) intern(lo, hi int) {
	m := uint64(len(r.slot) - 1)
	if len(r.slot) > 1<<15 {
		// A table beyond the cache: let the memory work on all places at once.
		for _, h := range r.hash[lo:hi] {
			r.touched += r.slot[h&m].group
		}
	}
	for k := lo; k < hi; k++ {
		u := r.dirty[k]
		h := r.hash[k]
		i := h & m
		for {
			s := &r.slot[i]
			if s.group == 0 {
				*s = slot{hash: uint32(h >> 32), group: uint32(len(r.group)) + 1}
				r.in[k] = int32(len(r.group))
				r.group = append(r.group, group{hash: h, first: u, count: 1, id: r.class[u]})
				break
			}
			if s.hash == uint32(h>>32) {
				if g := &r.group[s.group-1]; g.hash == h && r.sameSignature(g.first, u) {
					r.in[k] = int32(s.group - 1)
					g.count++
					break
				}
			}
			i = (i + 1) & m
		}
	}
}

// sameSignature compares in full. Most equal ones are in the same order, as
// texts that are alike name things in the same order.
func (r *refinement) sameSignature(u, v int32) bool {
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
			sortWords(a[i:])
			sortWords(b[i:])
			return slices.Equal(a[i:], b[i:])
		}
	}
	return true
}

// move gives the nodes of dirty their new classes: the largest group of a class
// all of whose nodes were looked at keeps it, every other group gets a new one.
func (r *refinement) move() {
	for i, g := range r.group {
		t := &r.seen[g.id]
		t.nodes += g.count
		if g.count > t.most {
			t.most, t.group = g.count, int32(i)
		}
	}
	for i := range r.group {
		g := &r.group[i]
		t := r.seen[g.id]
		if t.nodes == r.size[g.id] && t.group == int32(i) {
			continue
		}
		g.id = uint32(r.classes)
		r.size[r.classes] = 0
		r.classes++
	}
	r.moves = resize(r.moves, len(r.dirty))
	n := 0
	for k, u := range r.dirty {
		from := r.class[u]
		to := r.group[r.in[k]].id
		r.seen[from] = tally{}
		r.class[u] = to
		r.moves[n] = move{node: u, from: from}
		if to != from {
			n++
		}
	}
	r.moves = r.moves[:n]
	for _, m := range r.moves {
		r.size[m.from]--
		r.size[r.class[m.node]]++
	}
	r.dirty = r.dirty[:0]
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
