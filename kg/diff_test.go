package kg

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestDiff(t *testing.T) {
	a := gr("ana likes bo;ana knows cy;bo in rome;cy born 1990;x r y;k s l;keep it so")
	b := gr("keep it so;ana sued bo;cy knows ana;bo in oslo;dee born 1990;new r fact;k s l")
	d := Diff(a, b)
	check(t, "common", d.Common, tris("k s l;keep it so"))
	check(t, "removed", d.Removed, tris("x r y"))
	check(t, "added", d.Added, tris("new r fact"))
	check(t, "changed", d.Changed, []Change{
		{OtherRelation, tri("ana likes bo"), tri("ana sued bo")},
		{Reversed, tri("ana knows cy"), tri("cy knows ana")},
		{OtherTail, tri("bo in rome"), tri("bo in oslo")},
		{OtherHead, tri("cy born 1990"), tri("dee born 1990")},
	})
	check(t, "text", d.String(), `  … 2 common
- (ana, likes, bo)
+ (ana, sued, bo)  // other relation
- (ana, knows, cy)
+ (cy, knows, ana)  // reversed
- (bo, in, rome)
+ (bo, in, oslo)  // other tail
- (cy, born, 1990)
+ (dee, born, 1990)  // other head
- (x, r, y)
+ (new, r, fact)
`)
	if e := Diff(a, a.Clone()); !e.Empty() || e.String() != "" || len(e.Common) != a.Len() {
		t.Errorf("equal graphs differ: %v", e)
	}
	if e := Diff(nil, nil); !e.Empty() || e.Common != nil {
		t.Errorf("nil graphs differ: %v", e)
	}
	check(t, "against nothing", Diff(gr("a r b"), nil).Removed, tris("a r b"))
	check(t, "from nothing", Diff(nil, gr("a r b")).Added, tris("a r b"))
}

func TestDiffPairsOneToOne(t *testing.T) {
	d := Diff(gr("a r b;a s b"), gr("a t b"))
	check(t, "changed", d.Changed, []Change{{OtherRelation, tri("a r b"), tri("a t b")}})
	check(t, "removed", d.Removed, tris("a s b"))
	// The reversal wins over the other tail, wherever it stands.
	d = Diff(gr("a r b"), gr("a r c;b r a"))
	check(t, "changed", d.Changed, []Change{{Reversed, tri("a r b"), tri("b r a")}})
}

// Every triple of either graph is told exactly once, and the second graph can be
// made from the first and the Delta.
func TestDiffIsComplete(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		random := func() *Graph {
			g := NewGraph()
			for range r.IntN(25) {
				g.Add(Triple{strconv.Itoa(r.IntN(4)), strconv.Itoa(r.IntN(3)), strconv.Itoa(r.IntN(4))})
			}
			return g
		}
		a, b := random(), random()
		d := Diff(a, b)
		left, right := NewGraph(d.Common...), NewGraph(d.Common...)
		for _, x := range d.Removed {
			left.Add(x)
		}
		for _, x := range d.Added {
			right.Add(x)
		}
		for _, c := range d.Changed {
			left.Add(c.Old)
			right.Add(c.New)
			if c.Old == c.New {
				t.Fatalf("%v changed into itself", c.Old)
			}
		}
		n := len(d.Common) + len(d.Changed)
		if !left.Equal(a) || !right.Equal(b) || n+len(d.Removed) != a.Len() || n+len(d.Added) != b.Len() {
			t.Fatalf("the difference of\n%v\n%v\nis incomplete:\n%v", a.Slice(), b.Slice(), d)
		}
		if d.Empty() != a.Equal(b) {
			t.Fatal("Empty disagrees with Equal")
		}
	}
}
