package kg

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func tri(s string) Triple {
	f := strings.Fields(s)
	return Triple{f[0], f[1], f[2]}
}

// gr makes a graph of "head relation tail" separated by semicolons.
func gr(s string) *Graph {
	g := NewGraph()
	for _, x := range strings.Split(s, ";") {
		if strings.TrimSpace(x) != "" {
			g.Add(tri(x))
		}
	}
	return g
}

func tris(s string) []Triple { return gr(s).Slice() }

func check[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestGraphIsAnOrderedSetThatKeepsParallelsAndLoops(t *testing.T) {
	g := NewGraph(tri("a r b"), tri("a s b"), tri("b r a"), tri("a r a"), tri("a r b"))
	check(t, "triples", g.Slice(), []Triple{tri("a r b"), tri("a s b"), tri("b r a"), tri("a r a")})
	if g.Add(tri("a s b")) || !g.Add(tri("c r a")) || g.Len() != 5 {
		t.Error("Add must report what is new")
	}
	check(t, "entities", g.Entities(), []string{"a", "b", "c"})
	check(t, "relations", g.Relations(), []string{"r", "s"})
	check(t, "out", g.Out("a"), tris("a r b;a s b;a r a"))
	check(t, "in", g.In("a"), tris("b r a;a r a;c r a"))
	check(t, "neighbours of a", g.Neighbors("a"), []string{"b", "a", "c"})
	check(t, "neighbours of b", g.Neighbors("b"), []string{"a"})
	check(t, "degree", g.Degree("a"), 6)
	check(t, "between", g.Between("b", "a"), tris("a r b;a s b;b r a"))
	check(t, "loops", g.Between("a", "a"), tris("a r a"))
	check(t, "between strangers", g.Between("b", "c"), nil)
}

func TestNilAndZeroGraphsReadAsEmpty(t *testing.T) {
	var zero Graph
	for name, g := range map[string]*Graph{"nil": nil, "zero": &zero, "new": NewGraph()} {
		t.Run(name, func(t *testing.T) {
			if g.Len() != 0 || g.Has(Triple{}) || g.HasEntity("") || g.Degree("x") != 0 || g.Remove(Triple{}) {
				t.Error("not empty")
			}
			if g.Slice() != nil || g.Entities() != nil || g.Relations() != nil || g.Out("") != nil || g.In("") != nil || g.Neighbors("") != nil || g.Between("", "") != nil || g.Components() != nil {
				t.Error("a list is not nil")
			}
			other := gr("a r b")
			for _, h := range []*Graph{g.Clone(), g.Intersect(other), other.Intersect(g), g.Minus(other), g.Filter(nil), g.Subgraph("a"), g.Around(3, "a"), g.Union(nil)} {
				if h == nil || h.Len() != 0 {
					t.Errorf("%v is not an empty graph", h)
				}
			}
			if !g.Equal(nil) || g.Equal(other) || !other.Union(g).Equal(other) || !g.Union(other).Equal(other) {
				t.Error("set operations are wrong")
			}
			if g.Hash() != NewGraph().Hash() {
				t.Error("the hash is not that of the empty graph")
			}
			for range g.Triples() {
				t.Error("yields a triple")
			}
		})
	}
	if !zero.Add(Triple{"a", "b", "c"}) || zero.Len() != 1 {
		t.Error("the zero value cannot be added to")
	}
	var g Graph
	if err := json.Unmarshal([]byte(`[["a","b","c"]]`), &g); err != nil || !g.Add(tri("d e f")) {
		t.Errorf("cannot add after reading: %v", err)
	}
}

func TestRemove(t *testing.T) {
	g := gr("a r b;b r c;c r a")
	if !g.Remove(tri("b r c")) || g.Remove(tri("b r c")) || g.Has(tri("b r c")) {
		t.Error("Remove must report whether it was there")
	}
	check(t, "left", g.Slice(), tris("a r b;c r a"))
	check(t, "entities", g.Entities(), []string{"a", "b", "c"})
	g.Remove(tri("a r b"))
	check(t, "entities", g.Entities(), []string{"c", "a"})
	if g.HasEntity("b") {
		t.Error("b has no triple left")
	}
	g.Add(tri("b r c"))
	check(t, "added again comes last", g.Slice(), tris("c r a;b r c"))
}

// A graph that triples come to and go from is always equal to a plain list that
// the same happens to.
func TestGraphAgainstAList(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		g := NewGraph()
		var list []Triple
		for range 600 {
			x := Triple{strconv.Itoa(r.IntN(6)), strconv.Itoa(r.IntN(3)), strconv.Itoa(r.IntN(6))}
			at := slices.Index(list, x)
			if r.IntN(5) < 2 {
				if g.Remove(x) != (at >= 0) {
					t.Fatal("Remove reports the wrong thing")
				}
				if at >= 0 {
					list = slices.Delete(list, at, at+1)
				}
			} else {
				if g.Add(x) != (at < 0) {
					t.Fatal("Add reports the wrong thing")
				}
				if at < 0 {
					list = append(list, x)
				}
			}
			if g.Len() != len(list) {
				t.Fatalf("length %d, want %d", g.Len(), len(list))
			}
		}
		if !slices.Equal(g.Slice(), list) {
			t.Fatalf("got %v\nwant %v", g.Slice(), list)
		}
		for e := range 6 {
			e := strconv.Itoa(e)
			var out, in []Triple
			for _, x := range list {
				if x.Head == e {
					out = append(out, x)
				}
				if x.Tail == e {
					in = append(in, x)
				}
			}
			if !slices.Equal(g.Out(e), out) || !slices.Equal(g.In(e), in) || g.Degree(e) != len(in)+len(out) {
				t.Fatalf("incident triples of %s are wrong", e)
			}
			for f := range 6 {
				f := strconv.Itoa(f)
				var both []Triple
				for _, x := range list {
					if x.Head == e && x.Tail == f || x.Head == f && x.Tail == e {
						both = append(both, x)
					}
				}
				if !slices.Equal(g.Between(e, f), both) {
					t.Fatalf("triples between %s and %s are wrong", e, f)
				}
			}
		}
	}
}

func TestGraphString(t *testing.T) {
	check(t, "text", NewGraph(tri("a r b"), Triple{"x, y", "", "z"}).String(), "(a, r, b)\n(\"x, y\", \"\", z)\n")
	check(t, "empty", (*Graph)(nil).String(), "")
}

func TestIterationStops(t *testing.T) {
	n := 0
	for range gr("a r b;b r c").Triples() {
		n++
		break
	}
	check(t, "triples seen", n, 1)
}

func TestSetOperations(t *testing.T) {
	a, b := gr("a r b;b r c;c r d"), gr("c r d;x r y;a r b")
	check(t, "union", a.Union(b).Slice(), tris("a r b;b r c;c r d;x r y"))
	check(t, "intersection", a.Intersect(b).Slice(), tris("a r b;c r d"))
	check(t, "difference", a.Minus(b).Slice(), tris("b r c"))
	if a.Equal(b) || !a.Equal(gr("c r d;b r c;a r b")) || a.Equal(gr("c r d;b r c;a r z")) {
		t.Error("Equal must compare sets")
	}
	c := a.Clone()
	c.Add(tri("n e w"))
	c.Remove(tri("a r b"))
	check(t, "the original after the clone changed", a.Slice(), tris("a r b;b r c;c r d"))
}

func TestParts(t *testing.T) {
	g := gr("a r b;b r c;c r d;d r d;x r y;y s x;d r a")
	check(t, "filter", g.Filter(func(t Triple) bool { return t.Relation == "s" }).Slice(), tris("y s x"))
	check(t, "subgraph", g.Subgraph("a", "b", "d", "no").Slice(), tris("a r b;d r d;d r a"))
	check(t, "around 0", g.Around(0, "a").Slice(), nil)
	check(t, "around -1", g.Around(-1, "a").Slice(), nil)
	check(t, "around 1", g.Around(1, "a", "no", "a").Slice(), tris("a r b;d r a"))
	check(t, "around 2", g.Around(2, "a").Slice(), tris("a r b;b r c;c r d;d r d;d r a"))
	check(t, "around 9 of two", g.Around(9, "a", "x").Slice(), g.Slice())
	var parts [][]Triple
	for _, c := range g.Components() {
		parts = append(parts, c.Slice())
	}
	check(t, "components", parts, [][]Triple{tris("a r b;b r c;c r d;d r d;d r a"), tris("x r y;y s x")})
}

func TestComponentsOfALongChain(t *testing.T) {
	g := NewGraph()
	const n = 50000
	for i := range n {
		g.Add(Triple{strconv.Itoa(n - i), "r", strconv.Itoa(n - i - 1)})
	}
	if c := g.Components(); len(c) != 1 || c[0].Len() != n {
		t.Errorf("got %d components", len(c))
	}
}

// The hash is a contract over versions: these values, made by a program of its
// own from the comment of Hash, must never change under the prefix kg1.
func TestHashGolden(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "kg1:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"Ana likes Bo":       "kg1:a2efbde1007b2e9252ad4a19748286ed458be35db0f4d20076f00998ecf21dbc",
		"b r c;Ana likes Bo": "kg1:c79f69d3b451a1b73ab584464cf15109930c5b455391b54bfc48f3b6a689c385",
	} {
		if got := gr(in).Hash(); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestHash(t *testing.T) {
	g := hardGraph()
	ts := g.Slice()
	slices.Reverse(ts)
	if NewGraph(ts...).Hash() != g.Hash() {
		t.Error("the hash depends on the order")
	}
	seen := make(map[string]*Graph)
	for _, h := range []*Graph{nil, gr("a r b"), gr("b r a"), gr("a b r"), NewGraph(Triple{"ar", "", "b"}), NewGraph(Triple{"a", "rb", ""}), NewGraph(Triple{"a", "r", "b\x00"}),
		gr("a r 1"), gr("a r 1.0"), gr("a r 0.0"), gr("a r -0.0"), gr("a r b;a r c"), gr("a r b;a r d")} {
		if old, ok := seen[h.Hash()]; ok {
			t.Errorf("%v and %v have one hash", old.Slice(), h.Slice())
		}
		seen[h.Hash()] = h
	}
}

func BenchmarkGraphAdd(b *testing.B) {
	ts := make([]Triple, 100000)
	for i := range ts {
		ts[i] = Triple{strconv.Itoa(i % 5000), "r" + strconv.Itoa(i%50), strconv.Itoa(i * 7 % 9000)}
	}
	for b.Loop() {
		NewGraph(ts...)
	}
}

func TestConcurrentReads(t *testing.T) {
	g := hardGraph()
	want := g.Hash()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				for _, e := range g.Entities()[:20] {
					g.Neighbors(e)
					g.Around(2, e)
				}
				if g.Hash() != want || !g.Equal(g.Clone()) || len(g.Components()) == 0 {
					t.Error("a reader saw another graph")
				}
			}
		})
	}
	wg.Wait()
}
