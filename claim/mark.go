package claim

import (
	"slices"
	"sort"

	"github.com/kgeval/kgeval/segment"
)

func sortStable(x []int, less func(a, b int) bool) {
	sort.SliceStable(x, func(i, j int) bool { return less(x[i], x[j]) })
}

// Mark is a stretch of an output and the claims that it states.
type Mark struct {
	Span segment.Span `json:"span"`
	// Claims are positions in the claims given to Marks, ascending; never empty.
	Claims []int `json:"claims"`
	// Verdict is the worst of those claims' verdicts, in the order of
	// Result.Flagged.
	Verdict Verdict `json:"verdict"`
}

// Marks cuts an output at the borders of its claims' spans, so that a view can
// show it: the marks ascend, do not overlap, and are not empty; what lies
// between two marks belongs to no claim. Neighbours that belong to the same
// claims are one mark. Spans that are empty or negative are left out.
func Marks(claims []Claim) []Mark {
	type border struct {
		at    int
		claim int
		open  bool
	}
	var borders []border
	for i, c := range claims {
		for _, s := range Merge(c.Spans) {
			if s.Start < 0 {
				continue
			}
			borders = append(borders, border{s.Start, i, true}, border{s.End, i, false})
		}
	}
	sort.SliceStable(borders, func(i, j int) bool { return borders[i].at < borders[j].at })
	var (
		out  []Mark
		open []int // claims that cover the current place, ascending
		last int
	)
	for i := 0; i < len(borders); {
		at := borders[i].at
		if len(open) > 0 && at > last {
			m := Mark{Span: segment.Span{Start: last, End: at}, Claims: slices.Clone(open)}
			m.Verdict = claims[open[0]].Verdict
			for _, c := range open[1:] {
				if gravity(claims[c].Verdict) > gravity(m.Verdict) {
					m.Verdict = claims[c].Verdict
				}
			}
			if n := len(out); n > 0 && out[n-1].Span.End == last && slices.Equal(out[n-1].Claims, m.Claims) {
				out[n-1].Span.End = at
			} else {
				out = append(out, m)
			}
		}
		for ; i < len(borders) && borders[i].at == at; i++ {
			k, found := slices.BinarySearch(open, borders[i].claim)
			switch {
			case borders[i].open && !found:
				open = slices.Insert(open, k, borders[i].claim)
			case !borders[i].open && found:
				open = slices.Delete(open, k, k+1)
			}
		}
		last = at
	}
	return out
}

// Merge returns spans in ascending order with those that overlap or touch made
// one; empty spans are left out. The argument is not changed.
func Merge(spans []segment.Span) []segment.Span {
	var out []segment.Span
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b segment.Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return a.End - b.End
	})
	for _, s := range sorted {
		if s.Empty() {
			continue
		}
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}
