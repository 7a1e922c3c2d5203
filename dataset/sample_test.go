package dataset_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/kgeval/kgeval/dataset"
)

func numbers(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint("row ", i)
	}
	return out
}

func self(s string) string { return s }

func TestSampleIsOfTheSizeInOrderAndByTheSeed(t *testing.T) {
	rows := numbers(1000)
	for _, n := range []int{-1, 0, 1, 10, 999, 1000, 2000} {
		got := dataset.Sample(rows, n, 7, self)
		if len(got) != min(max(n, 0), 1000) {
			t.Errorf("n %d: %d rows", n, len(got))
		}
		if !slices.IsSortedFunc(got, func(a, b string) int { return slices.Index(rows, a) - slices.Index(rows, b) }) {
			t.Errorf("n %d: another order", n)
		}
		if !slices.Equal(got, dataset.Sample(rows, n, 7, self)) {
			t.Errorf("n %d: the second sample is another one", n)
		}
	}
	if slices.Equal(dataset.Sample(rows, 10, 1, self), dataset.Sample(rows, 10, 2, self)) {
		t.Error("two seeds, one sample")
	}
	// A row that is drawn from many is drawn from few too.
	few := rows[:500]
	for _, r := range dataset.Sample(rows, 100, 3, self) {
		if slices.Contains(few, r) && !slices.Contains(dataset.Sample(few, 100, 3, self), r) {
			t.Errorf("%s left the sample when others were taken away", r)
		}
	}
}

func TestEveryRowIsDrawnAsOften(t *testing.T) {
	rows := numbers(20)
	count := map[string]int{}
	const seeds = 4000
	for seed := range uint64(seeds) {
		for _, r := range dataset.Sample(rows, 5, seed, self) {
			count[r]++
		}
	}
	// 5 of 20: a quarter, with a standard deviation of about 27.
	for _, r := range rows {
		if math.Abs(float64(count[r])-seeds/4) > 140 {
			t.Errorf("%s was drawn %d times of %d", r, count[r], seeds)
		}
	}
}

func TestBalanced(t *testing.T) {
	rows := numbers(100)
	class := func(s string) string {
		var i int
		fmt.Sscanf(s, "row %d", &i)
		switch {
		case i%10 == 0:
			return "rare"
		case i%10 == 1:
			return "" // not labelled
		}
		return "common"
	}
	for n, want := range map[int][2]int{0: {10, 10}, 4: {4, 4}, 30: {10, 30}} {
		count := map[string]int{}
		for _, r := range dataset.Balanced(rows, n, 1, self, class) {
			count[class(r)]++
		}
		if count["rare"] != want[0] || count["common"] != want[1] || len(count) != 2 {
			t.Errorf("n %d: %v", n, count)
		}
	}
	if got := dataset.Balanced([]string{}, 0, 1, self, class); len(got) != 0 {
		t.Error(got)
	}
}

func TestSplitKeepsDocumentsTogether(t *testing.T) {
	rows := numbers(6000)
	document := func(s string) string { return s[:len(s)-1] } // ten rows each
	parts := dataset.Split(rows, 5, document, 0.5, 0.3, 0, 0.2, -1)
	where := map[string]int{}
	total := 0
	for i, p := range parts {
		total += len(p)
		for _, r := range p {
			if at, ok := where[document(r)]; ok && at != i {
				t.Fatalf("%s is in parts %d and %d", document(r), at, i)
			}
			where[document(r)] = i
		}
	}
	if total != len(rows) || len(parts[2]) != 0 || len(parts[4]) != 0 {
		t.Errorf("sizes %d", total)
	}
	for i, want := range map[int]float64{0: 3000, 1: 1800, 3: 1200} {
		if math.Abs(float64(len(parts[i]))-want) > 400 {
			t.Errorf("part %d has %d rows, want about %v", i, len(parts[i]), want)
		}
	}
	if got := dataset.Split(rows, 5, document); len(got) != 0 {
		t.Error("parts without shares")
	}
	if got := dataset.Split(rows, 5, document, 0, 0); len(got[1]) != len(rows) {
		t.Error("rows were lost where all shares are 0")
	}
}
