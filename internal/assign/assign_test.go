package assign

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// best tries every assignment.
func best(rows, cols int, score map[[2]int]float64) float64 {
	taken := make([]bool, cols)
	var try func(row int) float64
	try = func(row int) float64 {
		if row == rows {
			return 0
		}
		top := try(row + 1)
		for c := range cols {
			if s, ok := score[[2]int{row, c}]; ok && !taken[c] {
				taken[c] = true
				top = max(top, s+try(row+1))
				taken[c] = false
			}
		}
		return top
	}
	return try(0)
}

func TestMaximizeEqualsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 3000 {
		rows, cols := r.IntN(7), r.IntN(7)
		density, min := r.Float64(), 0.25*float64(r.IntN(3))
		var edges []Edge
		score := map[[2]int]float64{}
		for i := range rows {
			for j := range cols {
				if r.Float64() > density {
					continue
				}
				// Few distinct scores, so that ties are common, and all of them
				// multiples of 1/8, so that sums are exact.
				s := float64(r.IntN(10)) / 8
				edges = append(edges, Edge{i, j, s})
				if s >= min {
					score[[2]int{i, j}] = s
				}
			}
		}
		got, err := Maximize(context.Background(), rows, cols, edges, min, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := best(rows, cols, score); got.Sum != want || !got.Exact {
			t.Fatalf("case %d: sum %v (exact %v), want %v: %v", n, got.Sum, got.Exact, want, edges)
		}
		used, sum := map[int]bool{}, 0.0
		for i, c := range got.Col {
			if c < 0 {
				continue
			}
			s, ok := score[[2]int{i, c}]
			if !ok || used[c] {
				t.Fatalf("case %d: row %d has column %d (allowed %v, used before %v)", n, i, c, ok, used[c])
			}
			used[c] = true
			sum += s
		}
		if sum != got.Sum {
			t.Fatalf("case %d: the pairs add up to %v, Sum is %v", n, sum, got.Sum)
		}
		// The order of edges must not matter, nor must transposing for the sum.
		shuffled := slices.Clone(edges)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again, _ := Maximize(context.Background(), rows, cols, shuffled, min, 0)
		if !slices.Equal(again.Col, got.Col) {
			t.Fatalf("case %d: %v after a shuffle, %v before", n, again.Col, got.Col)
		}
		for i := range shuffled {
			shuffled[i].Row, shuffled[i].Col = shuffled[i].Col, shuffled[i].Row
		}
		turned, _ := Maximize(context.Background(), cols, rows, shuffled, min, 0)
		if turned.Sum != got.Sum {
			t.Fatalf("case %d: %v transposed, %v before", n, turned.Sum, got.Sum)
		}
	}
}

func TestMaximizeGreedyBeyondLimit(t *testing.T) {
	// Greedy takes the 3 and is left with nothing; the optimum is 2 + 2.
	edges := []Edge{{0, 0, 3}, {0, 1, 2}, {1, 0, 2}}
	got, err := Maximize(context.Background(), 2, 2, edges, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Exact || got.Sum != 3 || !slices.Equal(got.Col, []int{0, -1}) {
		t.Errorf("got %+v, want the greedy pair alone, marked as not exact", got)
	}
	got, _ = Maximize(context.Background(), 2, 2, edges, 0, 0)
	if !got.Exact || got.Sum != 4 || !slices.Equal(got.Col, []int{1, 0}) {
		t.Errorf("got %+v, want the optimum", got)
	}
}

func TestMaximizeLeavesOutWhatIsNotAScore(t *testing.T) {
	edges := []Edge{
		{0, 0, math.NaN()}, {0, 1, math.Inf(1)}, {1, 0, -1}, {1, 1, 0},
		{-1, 0, 1}, {0, 9, 1}, {9, 0, 1}, {2, 2, 0.4}, {2, 2, 0.6}, {2, 2, 0.5},
	}
	got, err := Maximize(context.Background(), 3, 3, edges, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got.Sum != 0.6 || !slices.Equal(got.Col, []int{-1, -1, 2}) {
		t.Errorf("got %+v, want row 2 alone with its best score", got)
	}
}

func TestMaximizeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Maximize(ctx, 1, 1, []Edge{{0, 0, 1}}, 0, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func BenchmarkMaximizeDense(b *testing.B) {
	const n = 500
	r := rand.New(rand.NewPCG(1, 2))
	var edges []Edge
	for i := range n {
		for j := range n {
			edges = append(edges, Edge{i, j, r.Float64()})
		}
	}
	for b.Loop() {
		if _, err := Maximize(context.Background(), n, n, edges, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
}
