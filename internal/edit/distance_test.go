package edit

import (
	"math/rand/v2"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"abc", "acb", 2}, {"柿子", "柿", 1}} {
		if got := Distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// It is a metric: 0 only for equal lists, symmetric, and no detour is shorter.
func TestDistanceIsAMetric(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	list := func() []int {
		l := make([]int, r.IntN(7))
		for i := range l {
			l[i] = r.IntN(3)
		}
		return l
	}
	for range 2000 {
		a, b, c := list(), list(), list()
		ab, ba, bc, ac := Distance(a, b), Distance(b, a), Distance(b, c), Distance(a, c)
		if ab != ba || ac > ab+bc || Distance(a, a) != 0 {
			t.Fatalf("%v %v %v: %d %d %d %d", a, b, c, ab, ba, bc, ac)
		}
	}
}
