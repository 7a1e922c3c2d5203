package nli_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/nli"
)

func TestNearest(t *testing.T) {
	passages := nli.NewPassages([]string{
		"The cat sleeps on the mat.",
		"The dog barks at the cat.",
		"Nothing else.",
		"The old dog of Bo is sleeping.",
		"",
		"The committee approved the plan.",
	})
	for _, c := range []struct {
		hypothesis string
		n          int
		want       []int
	}{
		{"The dog of Bo sleeps", 2, []int{3, 0}}, // "Bo", "of" stand once, "dog" twice
		{"the", 3, []int{0, 1, 3}},               // equals in their order
		{"A plan with the COMMITTEES' approval", 1, []int{5}},
		{"zebra", 3, nil},
		{"", 3, nil},
		{"cat", 0, nil},
		{"cat", -1, nil},
		{"cat", 9, []int{0, 1}},
	} {
		if got := passages.Nearest(c.hypothesis, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%q, %d: %v, want %v", c.hypothesis, c.n, got, c.want)
		}
	}
	if got := nli.NewPassages(nil).Nearest("cat", 2); len(got) != 0 {
		t.Errorf("no passages: %v", got)
	}
}

func FuzzNearest(f *testing.F) {
	f.Add("The cat. The dog.", "dog", 1)
	f.Add("\xff\xfe a b", "\xff", 3)
	f.Add(strings.Repeat("é", 50), "éééééé", 2)
	f.Fuzz(func(t *testing.T, text, hypothesis string, n int) {
		texts := strings.SplitAfter(text, ".")
		got := nli.NewPassages(texts).Nearest(hypothesis, n)
		if len(got) > max(n, 0) || len(got) > len(texts) {
			t.Errorf("%d of %d passages, asked for %d", len(got), len(texts), n)
		}
		for i, k := range got {
			if k < 0 || k >= len(texts) || slices.Contains(got[:i], k) {
				t.Errorf("%v of %d passages", got, len(texts))
			}
		}
	})
}

// With Nearest fewer windows are read, and the one with the words is among them.
func TestJudgeReadsTheNearestWindows(t *testing.T) {
	m := narrow{&fake{}, 8}
	all, err := nli.Judge(context.Background(), m, story, []string{"Bo bought", "zebra"}, nli.Options{})
	if err != nil {
		t.Fatal(err)
	}
	few, err := nli.Judge(context.Background(), m, story, []string{"Bo bought", "zebra"}, nli.Options{Nearest: 2})
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Windows <= 2 || few[0].Windows != 2 || few[0].Support != all[0].Support || few[0].Supporting != all[0].Supporting {
		t.Errorf("all: %+v, nearest two: %+v", all[0], few[0])
	}
	// What shares no word with any window is still read against some.
	if few[1].Windows != 2 || few[1].Supporting.Empty() {
		t.Errorf("%+v", few[1])
	}
	if fmt.Sprint(few[1].Err) != fmt.Sprint(all[1].Err) && few[1].Err != nil {
		t.Errorf("%v, with all %v", few[1].Err, all[1].Err)
	}
}
