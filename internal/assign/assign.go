// Package assign pairs rows with columns one to one so that the sum of the
// pairs' scores is as large as it can be: the rectangular linear assignment
// problem, with pairs that are not allowed and rows that may stay alone.
package assign

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Edge is a pair that may be chosen, with its score.
type Edge struct {
	Row, Col int
	Score    float64
}

// Assignment is a set of pairs in which no row and no column occurs twice.
type Assignment struct {
	// Col is the column of each row, -1 for a row that stays alone.
	Col []int
	// Sum is the sum of the chosen pairs' scores, added up in the order of rows.
	Sum float64
	// Exact says that no other assignment has a larger sum (but for rounding;
	// see Maximize). It is false if a part was too large and was paired
	// greedily.
	Exact bool
}

// DefaultLimit is the limit that Maximize uses for a limit of 0: about a second of
// work for one component.
const DefaultLimit = 500_000_000

// maxCells bounds the matrix of one component: 128 MB.
const maxCells = 1 << 24

// Maximize returns the assignment of rows rows to cols columns that has the
// largest sum among those that use the given edges only. An edge whose score is
// below min, not above 0 or not finite is not used, nor one outside the ranges;
// of several edges for one pair the best counts.
//
// The connected components of the edges are solved apart, each by shortest
// augmenting paths with potentials (R. Jonker and A. Volgenant, "A shortest
// augmenting path algorithm for dense and sparse linear assignment problems",
// Computing 38, 1987, without its initialisation steps): for n rows and m
// columns, n <= m or the other way round, at most n*n*m steps and n*m numbers. A
// component of more than limit steps (0: DefaultLimit) or 1<<24 numbers is paired
// greedily instead, best edge first, which gives at least half of the largest sum, and
// Exact becomes false.
//
// The result depends on the set of edges, not on their order; where several
// assignments have the largest sum, the numbering of rows and columns decides.
// If all scores are multiples of a common power of two with few enough bits, no
// sum is ever rounded, and the largest sum is found exactly. The error is the
// context's, which is asked at each row.
func Maximize(ctx context.Context, rows, cols int, edges []Edge, min float64, limit int64) (Assignment, error) {
	if limit == 0 {
		limit = DefaultLimit
	}
	a := Assignment{Col: make([]int, max(rows, 0)), Exact: true}
	for i := range a.Col {
		a.Col[i] = -1
	}
	if err := ctx.Err(); err != nil {
		return Assignment{}, err
	}
	usable := make([]Edge, 0, len(edges))
	for _, e := range edges {
		if e.Row >= 0 && e.Row < rows && e.Col >= 0 && e.Col < cols &&
			e.Score > 0 && e.Score >= min && !math.IsInf(e.Score, 0) {
			usable = append(usable, e)
		}
	}
	// Rows first, and of one pair the best first.
	slices.SortFunc(usable, func(x, y Edge) int {
		return cmp.Or(cmp.Compare(x.Row, y.Row), cmp.Compare(x.Col, y.Col), cmp.Compare(y.Score, x.Score))
	})
	usable = slices.CompactFunc(usable, func(x, y Edge) bool { return x.Row == y.Row && x.Col == y.Col })

	for _, part := range components(rows, cols, usable) {
		if err := ctx.Err(); err != nil {
			return Assignment{}, err
		}
		p := newProblem(part)
		n, m := int64(len(p.rows)), int64(len(p.cols))
		if n <= maxCells/m && n*n <= limit/m {
			if err := p.solve(ctx, a.Col); err != nil {
				return Assignment{}, err
			}
			continue
		}
		a.Exact = false
		greedy(part, a.Col)
	}
	next := 0
	for row, col := range a.Col {
		for col >= 0 && next < len(usable) {
			e := usable[next]
			next++
			if e.Row == row && e.Col == col {
				a.Sum += e.Score
				break
			}
		}
	}
	return a, nil
}

// components splits edges, which are sorted by row, into connected parts, each
// sorted like the whole, in the order of their first rows.
func components(rows, cols int, edges []Edge) [][]Edge {
	parent := make([]int, max(rows, 0)+max(cols, 0))
	for i := range parent {
		parent[i] = i
	}
	find := func(x int) int {
		for parent[x] != x {
			parent[x] = parent[parent[x]]
			x = parent[x]
		}
		return x
	}
	for _, e := range edges {
		x, y := find(e.Row), find(rows+e.Col)
		if x > y {
			x, y = y, x
		}
		parent[y] = x
	}
	var parts [][]Edge
	number := map[int]int{}
	for _, e := range edges {
		root := find(e.Row)
		i, ok := number[root]
		if !ok {
			i = len(parts)
			number[root] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], e)
	}
	return parts
}

// problem is a component as a dense matrix with no more rows than columns.
type problem struct {
	rows, cols []int // numbers in the whole problem; swapped if transposed
	transposed bool
	cost       []float64 // len(rows) x len(cols): minus the score, 0 without edge
	edges      []Edge
}

func newProblem(edges []Edge) *problem {
	p := &problem{edges: edges}
	for _, e := range edges {
		p.rows = append(p.rows, e.Row)
		p.cols = append(p.cols, e.Col)
	}
	slices.Sort(p.rows)
	slices.Sort(p.cols)
	p.rows, p.cols = slices.Compact(p.rows), slices.Compact(p.cols)
	if len(p.rows) > len(p.cols) {
		p.rows, p.cols, p.transposed = p.cols, p.rows, true
	}
	return p
}

// solve writes the best assignment to col.
func (p *problem) solve(ctx context.Context, col []int) error {
	n, m := len(p.rows), len(p.cols)
	p.cost = make([]float64, n*m)
	for _, e := range p.edges {
		row, c := e.Row, e.Col
		if p.transposed {
			row, c = c, row
		}
		i, _ := slices.BinarySearch(p.rows, row)
		j, _ := slices.BinarySearch(p.cols, c)
		p.cost[i*m+j] = -e.Score
	}
	// Rows and columns count from 1 here; column 0 is where a path starts.
	var (
		rowPotential = make([]float64, n+1)
		colPotential = make([]float64, m+1)
		rowOf        = make([]int, m+1)
		previous     = make([]int, m+1)
		distance     = make([]float64, m+1)
		done         = make([]bool, m+1)
	)
	for i := 1; i <= n; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		for j := range distance {
			distance[j], done[j] = math.Inf(1), false
		}
		rowOf[0] = i
		j0 := 0
		for rowOf[j0] != 0 {
			done[j0] = true
			i0 := rowOf[j0]
			cost := p.cost[(i0-1)*m : i0*m]
			delta, j1 := math.Inf(1), 0
			for j := 1; j <= m; j++ {
				if done[j] {
					continue
				}
				if d := cost[j-1] - rowPotential[i0] - colPotential[j]; d < distance[j] {
					distance[j], previous[j] = d, j0
				}
				if distance[j] < delta {
					delta, j1 = distance[j], j
				}
			}
			for j := 0; j <= m; j++ {
				if done[j] {
					rowPotential[rowOf[j]] += delta
					colPotential[j] -= delta
				} else {
					distance[j] -= delta
				}
			}
			j0 = j1
		}
		for j0 != 0 {
			rowOf[j0] = rowOf[previous[j0]]
			j0 = previous[j0]
		}
	}
	for j := 1; j <= m; j++ {
		i := rowOf[j]
		if i == 0 || p.cost[(i-1)*m+j-1] == 0 {
			continue // a column or a row that stays alone
		}
		row, c := p.rows[i-1], p.cols[j-1]
		if p.transposed {
			row, c = c, row
		}
		col[row] = c
	}
	return nil
}

// greedy pairs the best edge first, by row and column where scores are equal.
func greedy(edges []Edge, col []int) {
	byScore := slices.Clone(edges)
	slices.SortStableFunc(byScore, func(x, y Edge) int { return cmp.Compare(y.Score, x.Score) })
	taken := map[int]bool{}
	for _, e := range byScore {
		if col[e.Row] < 0 && !taken[e.Col] {
			col[e.Row], taken[e.Col] = e.Col, true
		}
	}
}
