package segment

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// Windows cuts text into windows whose cost is at most budget, for a reader
// that takes only so much at once. Windows are ascending, begin and end at
// sentence borders, and together cover everything but white space. A text that
// fits as a whole is one window; a blank text has none.
//
// Neighbouring windows share whole sentences whose costs sum to at most
// overlap, so that a statement and its neighbour stand together in one of them.
// Overlap is in the unit of cost and is taken as budget/2 where it is more.
// A sentence that costs more than budget is cut between words into pieces of
// about a quarter of it, and a word that does not fit is cut between runes.
// Each window advances by at least one rune with its combining marks, even if
// that costs more than budget (the only case in which a window costs more).
//
// Cost must be at least roughly additive, as a count of tokens, runes or bytes
// is; nil counts bytes. It is called a number of times that is linear in the
// number of sentences and words of text, and each time with a part of text.
func Windows(text string, budget, overlap int, cost func(string) int) []Span {
	if cost == nil {
		cost = func(s string) int { return len(s) }
	}
	budget = max(budget, 1)
	overlap = min(max(overlap, 0), budget/2)
	all := trim(text, 0, len(text))
	if all.Empty() {
		return nil
	}
	if cost(all.Of(text)) <= budget {
		return []Span{all}
	}
	us := windowUnits(text, budget, cost)
	var out []Span
	for i := 0; i < len(us); {
		// Fill by the units' own costs, then ask for the true cost: blanks
		// between them may cost too.
		limit, j := budget, i
		var w Span
		for {
			sum := 0
			for j = i; j < len(us) && (j == i || sum+us[j].cost <= limit); j++ {
				sum += us[j].cost
			}
			w = Span{us[i].Start, us[j-1].End}
			if j == i+1 {
				break
			}
			c := cost(w.Of(text))
			if c <= budget {
				break
			}
			limit = min(int(math.Floor(float64(budget)/float64(c)*float64(sum))), sum-us[j-1].cost)
		}
		out = append(out, w)
		if j == len(us) {
			break
		}
		next, shared := j, 0
		for next-1 > i && shared+us[next-1].cost <= overlap {
			next--
			shared += us[next].cost
		}
		// The next window must bring something new beside what is shared.
		for next < j && shared+us[j].cost > budget {
			shared -= us[next].cost
			next++
		}
		i = next
	}
	return ascending(out)
}

// ascending drops windows that lie inside their predecessor, which a cost that
// is not additive can cause.
func ascending(ws []Span) []Span {
	out := ws[:0]
	for _, w := range ws {
		if len(out) > 0 && w.End <= out[len(out)-1].End {
			continue
		}
		out = append(out, w)
	}
	return out
}

type unit struct {
	Span
	cost int
}

// windowUnits returns the sentences of text, those that do not fit in pieces.
func windowUnits(text string, budget int, cost func(string) int) []unit {
	var us []unit
	for _, s := range Sentences(text) {
		c := cost(s.Of(text))
		if c <= budget {
			us = append(us, unit{s, c})
			continue
		}
		us = append(us, pieces(text, s, budget, cost)...)
	}
	return us
}

// pieces cuts the span s, which is too long, at word borders. A piece costs
// about a quarter of the budget, so that windows can share some.
func pieces(text string, s Span, budget int, cost func(string) int) []unit {
	limit := max(budget/4, 1)
	var borders []int // ascending ends of candidate pieces
	for _, w := range Words(s.Of(text)) {
		if b := s.Start + w.Start; b > s.Start {
			borders = append(borders, b)
		}
	}
	borders = append(borders, s.End)
	var us []unit
	for at := s.Start; at < s.End; {
		k, c := farthest(text, at, borders, limit, cost)
		if c > budget && k == 0 {
			// One word that does not fit: by runes.
			word := Span{at, borders[0]}
			for word.Start < word.End {
				e, c := cutRunes(text, word, limit, cost)
				us = appendUnit(us, text, Span{word.Start, e}, c)
				word.Start = e
			}
		} else {
			us = appendUnit(us, text, Span{at, borders[k]}, c)
		}
		at = borders[k]
		borders = borders[k+1:]
	}
	return us
}

func appendUnit(us []unit, text string, s Span, c int) []unit {
	if s = trim(text, s.Start, s.End); s.Empty() {
		return us
	}
	return append(us, unit{s, c})
}

// farthest returns the index of the last border to which text from at costs no
// more than limit, and the cost; index 0 if even the first costs more. It
// doubles its step and then halves it, so that it asks O(log k) times.
func farthest(text string, at int, borders []int, limit int, cost func(string) int) (int, int) {
	ask := func(k int) int { return cost(text[at:borders[k]]) }
	best, c := 0, ask(0)
	if c > limit {
		return 0, c
	}
	step := 1
	for best+step < len(borders) {
		n := ask(best + step)
		if n > limit {
			break
		}
		best, c = best+step, n
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if best+step < len(borders) {
			if n := ask(best + step); n <= limit {
				best, c = best+step, n
			}
		}
	}
	return best, c
}

// cutRunes returns the end of the longest start of w that costs no more than
// limit, at least one rune with its marks.
func cutRunes(text string, w Span, limit int, cost func(string) int) (end, c int) {
	n := 1
	var borders []int
	for {
		// Candidate borders are made as they are needed: the word may be long.
		borders = runeBorders(text, w, n)
		k, c := farthest(text, w.Start, borders, limit, cost)
		if k < len(borders)-1 || borders[k] == w.End {
			return borders[k], c
		}
		n *= 4
	}
}

// runeBorders returns up to n borders after w.Start, none of them before a
// combining mark.
func runeBorders(text string, w Span, n int) []int {
	borders := make([]int, 0, min(n, w.Len()))
	for i := w.Start; i < w.End && len(borders) < n; {
		_, size := utf8.DecodeRuneInString(text[i:w.End])
		i += size
		for i < w.End {
			r, size := utf8.DecodeRuneInString(text[i:w.End])
			// A run of marks without end must still be cut somewhere.
			if !unicode.Is(unicode.M, r) || i-w.Start > 64*(len(borders)+1) {
				break
			}
			i += size
		}
		borders = append(borders, i)
	}
	return borders
}

// trim returns the span [start, end) of text without white space at its ends.
func trim(text string, start, end int) Span {
	for start < end {
		r, n := utf8.DecodeRuneInString(text[start:end])
		if !unicode.IsSpace(r) {
			break
		}
		start += n
	}
	for end > start {
		r, n := utf8.DecodeLastRuneInString(text[start:end])
		if !unicode.IsSpace(r) {
			break
		}
		end -= n
	}
	return Span{start, end}
}
