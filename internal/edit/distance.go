// Package edit holds the edit distance, for words and for letters.
package edit

// Distance returns how many insertions, deletions and replacements of single
// elements turn a into b (Levenshtein). Time is len(a)*len(b), memory len(b).
func Distance[T comparable](a, b []T) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
