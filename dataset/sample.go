package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
	"slices"
)

// place is a number in [0,1) that depends on seed and key alone.
func place(seed uint64, key string) float64 {
	h := sha256.New()
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	io.WriteString(h, key)
	return float64(binary.BigEndian.Uint64(h.Sum(nil))>>11) / (1 << 53)
}

// Sample returns n of the rows, or all if there are no more, in the order they have.
// key names a row; which rows are drawn depends on seed and keys alone, so that a row
// stays in the sample when others are added or taken away, as far as there is room.
// With n below 1 there are none.
func Sample[R any](rows []R, n int, seed uint64, key func(R) string) []R {
	if n <= 0 {
		return nil
	}
	if n >= len(rows) {
		return slices.Clone(rows)
	}
	type drawn struct {
		place float64
		at    int
	}
	all := make([]drawn, len(rows))
	for i, r := range rows {
		all[i] = drawn{place(seed, key(r)), i}
	}
	slices.SortFunc(all, func(a, b drawn) int {
		switch {
		case a.place < b.place:
			return -1
		case a.place > b.place:
			return 1
		}
		return a.at - b.at // equal keys
	})
	all = all[:n]
	slices.SortFunc(all, func(a, b drawn) int { return a.at - b.at })
	out := make([]R, n)
	for i, d := range all {
		out[i] = rows[d.at]
	}
	return out
}

// Balanced returns up to n rows of each class, drawn as Sample does, in the order they
// have. Classes with fewer rows give what they have; with n below 1 every class gives as
// many as the smallest one has. Rows of the class "" are left out.
func Balanced[R any](rows []R, n int, seed uint64, key, class func(R) string) []R {
	count := map[string]int{}
	for _, r := range rows {
		count[class(r)]++
	}
	delete(count, "")
	if n <= 0 {
		for _, c := range count {
			if n <= 0 || c < n {
				n = c
			}
		}
	}
	byClass := map[string][]int{}
	for i, r := range rows {
		if c := class(r); c != "" {
			byClass[c] = append(byClass[c], i)
		}
	}
	var keep []int
	for _, at := range byClass {
		keep = append(keep, Sample(at, n, seed, func(i int) string { return key(rows[i]) })...)
	}
	slices.Sort(keep)
	out := make([]R, len(keep))
	for i, at := range keep {
		out[i] = rows[at]
	}
	return out
}

// Split divides rows into parts whose sizes are in the given proportions, on the
// average. All rows with the same group (a document, say) go into the same part, and
// which one depends on seed, group and shares alone. Shares below 0 count as 0; if all
// are 0, the parts are empty but for the last, which has all rows.
func Split[R any](rows []R, seed uint64, group func(R) string, shares ...float64) [][]R {
	parts := make([][]R, len(shares))
	if len(parts) == 0 {
		return parts
	}
	sum, last := 0.0, len(shares)-1
	for i, s := range shares {
		if s > 0 {
			sum, last = sum+s, i
		}
	}
	for _, r := range rows {
		at, p := last, place(seed, group(r))*sum
		for i, s := range shares {
			if p -= max(0, s); p < 0 {
				at = i
				break
			}
		}
		parts[at] = append(parts[at], r)
	}
	return parts
}
