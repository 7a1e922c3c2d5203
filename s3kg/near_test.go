package s3kg

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kgeval/kgeval/embed"
)

// near finds what looking at every pair finds, with dense and with sparse vectors,
// however many goroutines.
func TestNearEqualsAllPairs(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		r := rand.New(rand.NewPCG(9, 1))
		vectors := map[string][]float32{}
		list := func(side string, n int) []label {
			var out []label
			for i := range n {
				text := fmt.Sprint(side, i)
				v := make([]float32, 64)
				for range 8 {
					v[r.IntN(8)] = 0.5 + r.Float32()
				}
				if !sparse {
					for d := range v {
						v[d] += 0.2 * r.Float32()
					}
				}
				embed.Normalize(v)
				vectors[text] = v
				out = append(out, label{key: text, text: text, first: text, vector: v})
			}
			return out
		}
		x, y := list("x", 150), list("y", 130)
		x = append(x, label{text: "blank"})
		exactX, exactY := make([]int, len(x)), make([]int, len(y))
		for i := range exactX {
			exactX[i] = -1
		}
		for j := range exactY {
			exactY[j] = -1
		}
		for k := range 20 {
			exactX[k*3], exactY[k*2] = k*2, k*3
		}
		clash := func(x, y label) bool { return (len(x.text)+len(y.text))%3 == 0 }
		const threshold = 0.9
		var want []nearPair
		for i := range x {
			for j := range y {
				c := embed.Cosine(vectors[x[i].text], vectors[y[j].text])
				if c >= threshold && !clash(x[i], y[j]) && (exactX[i] < 0 || exactY[j] < 0) {
					want = append(want, nearPair{i, j, round(c)})
				}
			}
		}
		if len(want) < 20 {
			t.Fatalf("only %d pairs to find", len(want))
		}
		for _, workers := range []int{1, 4} {
			got, err := near(context.Background(), x, y, exactX, exactY, threshold, clash, workers)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("sparse %v, %d workers: %d pairs, want %d", sparse, workers, len(got), len(want))
			}
		}
	}
}

// Where more labels than maxLooked are near, the nearest are taken.
func TestNearKeepsTheNearest(t *testing.T) {
	vectors := map[string][]float32{"x": {1, 0}}
	var y []label
	exactY := []int{}
	for i := range 3 * maxLooked {
		text := fmt.Sprint("y", i)
		v := []float32{1, float32((i*7)%(3*maxLooked)) / 1000}
		embed.Normalize(v)
		vectors[text] = v
		y = append(y, label{text: text, vector: v})
		exactY = append(exactY, -1)
	}
	got, err := near(context.Background(), []label{{text: "x", vector: vectors["x"]}}, y, []int{-1}, exactY, 0.5, func(x, y label) bool { return false }, 1)
	if err != nil || len(got) != maxNear {
		t.Fatalf("%d pairs, %v", len(got), err)
	}
	for _, p := range got {
		if (p.y*7)%(3*maxLooked) > maxNear+2 { // cosines are rounded

			t.Errorf("label %d is not among the nearest", p.y)
		}
	}
}
