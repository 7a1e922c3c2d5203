package s3kg

import (
	"slices"
	"strings"
)

// An ordering holds the content words, numbers and signs of a label in the order
// in which they stand, so that "from Rome to Oslo" can be told from "from Oslo to
// Rome". Words of grammar are left out, but for those that say which part
// something has:
//
//   - what follows a preposition bears that word with it, and the place of the whole
//     phrase then means nothing: "to Oslo from Rome" is "from Rome to Oslo";
//   - a passive with its agent is read as the active: "Carl was sued by Bo" is
//     "Bo sued Carl";
//   - day, month and year are one thing in any order, and a time or place after
//     "in", "on", "at" or "during" may be first or last;
//   - adverbs in -ly float.
type ordering []orderToken

type orderToken struct {
	text string
	role string // the preposition before it, "" for the rest
	list bool   // separates the items of a list
	of   bool
}

// newOrdering reads the tokens of a label.
func newOrdering(tokens []token) ordering {
	var o ordering
	role := ""
	for i, t := range activeTokens(tokens) {
		w := strings.ToLower(t.text)
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		switch {
		case t.kind == listToken || listWords[w]:
			role = ""
			// A comma before "and" is one separator with it.
			if n := len(o); n > 0 && !o[n-1].list {
				o = append(o, orderToken{list: true})
			}
		case w == "of":
			o = append(o, orderToken{text: w, of: true})
		case roleWords[w] != "":
			role = roleWords[w]
		case t.kind == wordToken && grammar[w]:
			if grammarEndsRole[w] {
				role = ""
			}
		case t.kind == wordToken && len(w) > 4 && strings.HasSuffix(w, "ly") && i > 0:
		case t.kind == numberToken:
			n, _ := numbersIn(t.text)
			o = append(o, orderToken{text: strings.Join(n, " "), role: role})
		case t.kind == signToken:
			o = append(o, orderToken{text: w, role: role})
		case signWords[w] != "":
			o = append(o, orderToken{text: signWords[w], role: role})
		case cardinals[w] != "":
			o = append(o, orderToken{text: cardinals[w], role: role})
		case monthWords[w]:
			o = append(o, orderToken{text: w[:3], role: role})
		default:
			if base := baseForms[w]; base != "" {
				w = base
			}
			o = append(o, orderToken{text: rootOf(w), role: role})
		}
	}
	for len(o) > 0 && o[len(o)-1].list {
		o = o[:len(o)-1]
	}
	return slices.Clip(o.datesSorted())
}

var (
	roleWords = pairs(`from from, to to, into to, onto to, with with, for for, by by, at in, in in, on in, near near, under under,
		over over, after after, before before, during in, since since, until until, against against, about about, through through,
		across across, via via, than than`)
	listWords       = words(`and or und oder et ou y o e och og en 和 与 及 と`)
	grammarEndsRole = words(`that if when because who which as`)
	grammar         = words(`a an the is are was were be been being am has have had do does did will would shall
		in on at by with for as it its their his her this these those that which who whom also during since then`)
	clauseStarts = words(`that if when because while although though whether says said`)
)

// activeTokens turns the passives with an agent among tokens: the agent goes to
// the front of its clause, what was there goes behind the participle.
func activeTokens(tokens []token) []token {
	for i := 2; i+1 < len(tokens); i++ {
		if !strings.EqualFold(tokens[i].text, "by") || tokens[i-1].kind != wordToken || !isParticiple(strings.ToLower(tokens[i-1].text)) {
			continue
		}
		ends := func(t token) bool {
			w := strings.ToLower(t.text)
			return t.kind == listToken || listWords[w] || clauseStarts[w]
		}
		from := i - 1
		for from > 0 && !ends(tokens[from-1]) {
			from--
		}
		to := i + 1
		for to < len(tokens) && !ends(tokens[to]) && !circumstancePrepositions[strings.ToLower(tokens[to].text)] {
			to++
		}
		verb := i - 1 // with its forms of "be"
		for verb > from && be[strings.ToLower(tokens[verb-1].text)] {
			verb--
		}
		if to == i+1 || from == verb || verb == i-1 {
			continue // "stood by", a participle that describes
		}
		turned := slices.Concat(tokens[:from], tokens[i+1:to], tokens[verb:i], tokens[from:verb], tokens[to:])
		return turned
	}
	return tokens
}

// datesSorted puts the day, the month and the year of each date in one order.
func (o ordering) datesSorted() ordering {
	numeral := func(i int) bool {
		return i >= 0 && i < len(o) && o[i].text != "" && strings.Trim(o[i].text, "0123456789") == ""
	}
	for i := 0; i < len(o); i++ {
		if len(o[i].text) != 3 || !monthWords[o[i].text] {
			continue
		}
		from, to := i, i+1
		if numeral(from - 1) {
			from--
		}
		for n := 0; n < 2; n++ {
			skip := to
			if skip < len(o) && o[skip].list {
				skip++ // "April 7, 1805"
			}
			if !numeral(skip) || skip > to && len(o[skip].text) != 4 {
				break
			}
			if skip > to {
				o = slices.Delete(o, to, skip)
			}
			to++
		}
		slices.SortFunc(o[from:to], func(a, b orderToken) int { return strings.Compare(a.text, b.text) })
		i = to - 1
	}
	return o
}

// content leaves out separators and "of". It may share memory with o.
func (o ordering) content() ordering {
	apart := func(t orderToken) bool { return t.list || t.of }
	if !slices.ContainsFunc(o, apart) {
		return o
	}
	return slices.DeleteFunc(slices.Clone(o), apart)
}

func (o ordering) counts() map[string]int {
	m := map[string]int{}
	for _, t := range o {
		if !t.list && !t.of {
			m[t.text]++
		}
	}
	return m
}

// only keeps of o what the counts allow, and separators.
func (o ordering) only(counts map[string]int) ordering {
	left := map[string]int{}
	for k, n := range counts {
		left[k] = n
	}
	var out ordering
	for _, t := range o {
		if !t.list && !t.of {
			if left[t.text] == 0 {
				continue
			}
			left[t.text]--
		}
		out = append(out, t)
	}
	return out
}

// reordered compares the order of what two labels have in common. kept is the
// share of the common words that stand in one order in both (the longest common
// subsequence), 1 if the difference is harmless. much says that the common words
// are at least two thirds of either label: only then does another order say that
// the labels differ.
func reordered(a, b ordering) (kept float64, much bool) {
	common, countsB := a.counts(), b.counts()
	n, wordsA, wordsB := 0, 0, 0
	for k, c := range common {
		wordsA += c
		common[k] = min(c, countsB[k])
		n += common[k]
	}
	for _, c := range countsB {
		wordsB += c
	}
	much = 3*n >= 2*max(wordsA, wordsB)
	if n < 2 {
		return 1, much
	}
	a, b = a.only(common), b.only(common)
	if sameOrder(a, b) {
		return 1, much
	}
	x, y := a.content(), b.content()
	if kept = float64(commonSubsequence(x, y)) / float64(n); kept == 1 {
		// Only "from" and "to" have changed places.
		kept = float64(n-1) / float64(n)
	}
	return kept, much
}

// plainlyOrdered reports whether the words that two contents have in common stand
// in one order, without roles, which is so for most labels: they begin and end
// alike and share nothing between. False means that it takes a closer look.
func plainlyOrdered(a, b ordering) bool {
	same := func(s, t orderToken) bool { return s.text == t.text && s.role == t.role }
	for len(a) > 0 && len(b) > 0 && same(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && same(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a)*len(b) > 64 {
		return false
	}
	for _, s := range a {
		for _, t := range b {
			if s.text == t.text {
				return false
			}
		}
	}
	return true
}

func sameText(s, t orderToken) bool { return s.text == t.text && s.list == t.list && s.of == t.of }

func equalContent(a, b ordering) bool {
	return slices.EqualFunc(a.content(), b.content(), sameText)
}

// sameOrder reports whether two orderings of the same words mean the same as far
// as order and roles tell.
func sameOrder(a, b ordering) bool {
	if rolesExchanged(a, b) {
		return false
	}
	if harmless(a, b) {
		return true
	}
	tagged := func(o ordering, role string) ordering {
		return slices.DeleteFunc(slices.Clone(o), func(t orderToken) bool { return t.role != role || t.list || t.of })
	}
	same := true
	for _, o := range [...]ordering{a, b} {
		for _, t := range o {
			if t.list || t.of {
				continue
			}
			// The words of each role, and those of none, in one order.
			same = same && slices.EqualFunc(tagged(a, t.role), tagged(b, t.role), sameText)
		}
	}
	if same {
		return true
	}
	// "gave Bo a book" and "gave a book to Bo".
	toA, toB := tagged(a, "to"), tagged(b, "to")
	if (len(toA) == 0) == (len(toB) == 0) {
		return false
	}
	receiver := map[string]bool{}
	for _, t := range slices.Concat(toA, toB) {
		receiver[t.text] = true
	}
	drop := func(t orderToken) bool { return receiver[t.text] }
	return harmless(slices.DeleteFunc(slices.Clone(a), drop), slices.DeleteFunc(slices.Clone(b), drop))
}

// rolesExchanged reports whether two words have each the preposition in a that the
// other has in b.
func rolesExchanged(a, b ordering) bool {
	type change struct{ from, to string }
	inB := map[string]string{}
	for _, t := range b {
		inB[t.text] += t.role
	}
	inA := map[string]string{}
	for _, t := range a {
		inA[t.text] += t.role
	}
	changed := map[change]bool{}
	for w, r := range inA {
		if s := inB[w]; r != "" && s != "" && r != s {
			changed[change{r, s}] = true
		}
	}
	for c := range changed {
		if changed[change{c.to, c.from}] {
			return true
		}
	}
	return false
}

// harmless reports whether a and b differ by nothing but the order of a list's
// items, "X of Y" for "Y's X", "Curie, Marie" for "Marie Curie", or something at
// the front that stands behind in the other, set off by a comma or being a date.
func harmless(a, b ordering) bool {
	if equalContent(a, b) {
		return true
	}
	prefix, suffix := 0, 0
	for prefix < min(len(a), len(b)) && sameText(a[prefix], b[prefix]) {
		prefix++
	}
	for suffix < min(len(a), len(b))-prefix && sameText(a[len(a)-1-suffix], b[len(b)-1-suffix]) {
		suffix++
	}
	for _, p := range [...]int{0, prefix} {
		for _, s := range [...]int{0, suffix} {
			x, y := a[p:len(a)-s], b[p:len(b)-s]
			if sameItems(x, y) || genitive(x, y) || genitive(y, x) || dateMoved(x, y) || dateMoved(y, x) {
				return true
			}
		}
	}
	return false
}

// sameItems compares the items of two lists without their order.
func sameItems(a, b ordering) bool {
	items := func(o ordering) []string {
		var out []string
		var item []string
		for _, t := range append(slices.Clone(o), orderToken{list: true}) {
			if !t.list {
				item = append(item, t.text)
			} else if len(item) > 0 {
				out = append(out, strings.Join(item, " "))
				item = nil
			}
		}
		slices.Sort(out)
		return out
	}
	x, y := items(a), items(b)
	if len(x) > 1 && slices.Equal(x, y) {
		return true
	}
	// One item that stands first in one and, after a comma or not, last in the
	// other: "Curie, Marie", "In Paris, Ana met Bo".
	for range 2 {
		for i, t := range a {
			if t.list && i > 0 && equalContent(slices.Concat(a[i+1:], a[:i]), b) && countLists(a) == 1 && countLists(b) == 0 {
				return true
			}
		}
		a, b = b, a
	}
	return false
}

func countLists(o ordering) (n int) {
	for _, t := range o {
		if t.list {
			n++
		}
	}
	return n
}

// genitive reports whether a is "X of Y" and b "Y X".
func genitive(a, b ordering) bool {
	for i, t := range a {
		if t.of && i > 0 && slices.EqualFunc(slices.Concat(a[i+1:], a[:i]), b, sameText) {
			return true
		}
	}
	return false
}

// dateMoved reports whether a begins with a date with which b ends.
func dateMoved(a, b ordering) bool {
	clock := func(w string) bool { return w == "am" || w == "pm" }
	named, timed := false, false // more than a bare number; a time of day
	for n := 0; n+1 < len(a) && n < 4 && !a[n].of && dateText(a[n].text); n++ {
		named = named || len(a[n].text) == 4 || a[n].text[0] > '9'
		timed = timed || clock(a[n].text)
		thing := func(t orderToken) bool {
			return t.text != "" && !dateText(t.text) || !timed && clock(t.text)
		}
		if named && slices.ContainsFunc(a[n+1:], thing) && equalContent(slices.Concat(a[n+1:], a[:n+1]), b) {
			return true
		}
	}
	return false
}

func dateText(w string) bool {
	return isYear(w) || w == "am" || w == "pm" || monthWords[w] || dateWords[w] && !grammar[w] || len(w) <= 2 && w != "" && strings.Trim(w, "0123456789") == ""
}

func commonSubsequence(a, b ordering) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x.text == y.text {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
