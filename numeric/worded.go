package numeric

import (
	"math/big"
	"strings"
)

// function are the words of English that carry no meaning of their own; they
// neither name what is counted nor tell what a sentence is about.
var function = words(`a an the this that these those some any each every all both no none neither either another other such
 i me my mine you your yours he him his she her hers it its we us our ours they them their theirs one who whom whose which what
 myself himself herself itself ourselves themselves and or but nor so yet if because although though while whereas unless until since
 as than when where why how whether of in on at by for with about against between into through during before after above below to
 from up down out off over under again further then once here there upon within without toward towards across along among around
 behind beside besides beyond despite per via am is are was were be been being have has had having do does did doing will would shall
 should can could may might must ought not n't never only just too very also more most less least few fewer much many own same even
 still already isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't cannot couldn't shouldn't haven't hasn't hadn't
 it's he's she's they're there's that's nearly almost approximately roughly least total according said says say`)

// worded reads a quantity that does not begin with a plain number: a fraction, a
// rank, a multiple.
func (p *parser) worded(i int) int {
	if end := p.share(i); end > i {
		return end
	}
	w := p.word(i)
	if n := multiples[w]; n > 0 && p.tokens.kind(i) == wordToken {
		if w == "double" && (p.word(i+1) == "-" || p.capital(i)) || w == "treble" {
			return i
		}
		v := big.NewRat(n, 1)
		return p.add(i, i+1, Quantity{Kind: Factor, Value: v, Low: v, High: v})
	}
	if w == "half" && p.word(i+1) == "as" {
		v := big.NewRat(1, 2)
		return p.add(i, i+1, Quantity{Kind: Factor, Value: v, Low: v, High: v})
	}
	// "half an hour", "half a mile"
	if w == "half" && (p.word(i+1) == "a" || p.word(i+1) == "an") {
		if u, e := p.unit(i + 2); u != nil {
			v := big.NewRat(1, 2)
			return p.add(i, e, Quantity{Kind: Measure, Value: v, Low: big.NewRat(9, 20), High: big.NewRat(11, 20), unit: u, Unit: u.symbol})
		}
	}
	if n, end := p.ordinalNumber(i); n > 0 {
		if w == "second" && p.tokens.kind(i-1) == numberToken || w == "first" && (p.word(i-1) == "at" || p.word(end) == ",") {
			return end
		}
		v := big.NewRat(n, 1)
		q := Quantity{Kind: Rank, Value: v, Low: v, High: v, exact: true}
		q.Of = p.noun(end)
		return p.add(i, end, q)
	}
	return i
}

// share reads a part of a whole at token i: "two thirds of", "one in five", "9 out
// of 10", "half of".
func (p *parser) share(i int) int {
	put := func(end int, numerator, denominator int64) int {
		v := new(big.Rat).Mul(big.NewRat(100, 1), big.NewRat(numerator, denominator))
		half := big.NewRat(1, 2)
		q := Quantity{Kind: Share, Value: v, Bound: p.bound(i, end)}
		q.Low, q.High = new(big.Rat).Sub(v, half), new(big.Rat).Add(v, half)
		switch q.Bound {
		case About:
			q.Low, q.High = new(big.Rat).Sub(v, big.NewRat(4, 1)), new(big.Rat).Add(v, big.NewRat(4, 1))
		case MoreThan, AtLeast:
			q.Low, q.High = v, nil
		case LessThan, AtMost:
			q.Low, q.High = nil, v
		}
		return p.add(i, end, q)
	}
	w := p.word(i)
	if w == "half" {
		if has(ordinals, p.word(i-1)) || sides[p.word(i-1)] {
			return i
		}
		switch p.word(i + 1) {
		case "of":
			return put(i+1, 1, 2)
		case "the", "their", "its", "his", "her", "all":
			if !p.capital(i) || p.word(i-1) == "" || p.word(i-1) == "." {
				return put(i+1, 1, 2)
			}
		}
		return i
	}
	var numerator int64
	var j int
	if n := smallNumbers[w]; n > 0 && n < 20 {
		numerator, j = n, i+1
	} else if w == "a" {
		numerator, j = 1, i+1
	} else if n, ok := p.small(i, 1, 99); ok {
		numerator, j = int64(n), i+1
	} else {
		return i
	}
	k := j
	if isDash(p.word(k)) && p.glued(k) && p.glued(k+1) {
		k++
	}
	d := denominators[p.word(k)]
	pl := strings.HasSuffix(p.word(k), "s") || p.word(k) == "halves"
	if d > numerator && w != "a" && d != 0 && (pl == (numerator > 1)) && p.tokens.kind(i) == wordToken {
		if !(numerator == 1 && p.word(k+1) != "of" && k == j && d != 3 && d != 4) {
			return put(k+1, numerator, d)
		}
	}
	if w == "a" && d > 2 && !pl && p.word(k+1) == "of" {
		return put(k+1, 1, d)
	}
	if w == "a" || numerator == 0 {
		return i
	}
	// one in five, 9 out of 10
	k = j
	out := p.word(k) == "out" && p.word(k+1) == "of"
	if out {
		k += 2
		if p.word(k) == "every" {
			k++
		}
	} else if p.word(k) == "in" && numerator < 10 {
		k++
		if p.word(k) == "every" {
			k++
		}
	} else {
		return i
	}
	b, end, ok := p.amount(k, false)
	if !ok || !b.value.IsInt() || !b.value.Num().IsInt64() {
		return i
	}
	whole := b.value.Num().Int64()
	if whole <= numerator || whole > 1000 || p.unitFollows(end) || !out && (numerator > 3 || whole > 100) {
		return i
	}
	if !out && p.tokens.kind(i) == numberToken && p.fourDigits(k) > 0 {
		return i
	}
	return put(end, numerator, whole)
}

// sides are words that pick one half.
var sides = words("other latter former top bottom upper lower better left right western eastern northern southern opening closing")

// ordinalWord reads a rank in words at token i: "third", "twenty-first".
func (p *parser) ordinalWord(i int) (n int64, end int) {
	w := p.word(i)
	if p.tokens.kind(i) != wordToken {
		return 0, i
	}
	if n := ordinals[w]; n > 0 {
		return n, i + 1
	}
	if t := tens[w]; t > 0 && isDash(p.word(i+1)) && p.glued(i+1) && p.glued(i+2) {
		if n := ordinals[p.word(i+2)]; n > 0 && n < 10 {
			return t + n, i + 3
		}
	}
	return 0, i
}

// ordinalNumber reads a rank in words or digits at token i.
func (p *parser) ordinalNumber(i int) (n int64, end int) {
	if n, end = p.ordinalWord(i); n > 0 {
		return n, end
	}
	if p.tokens.kind(i) == numberToken && ordinalSuffix(p.word(i+1)) && p.glued(i+1) && p.tokens[i].value.IsInt() && p.tokens[i].value.Num().IsInt64() {
		return p.tokens[i].value.Num().Int64(), i + 2
	}
	return 0, i
}

// noNumber reports whether the number word at [i, end) counts nothing: "one of
// them", "no one", "another one".
func (p *parser) noNumber(i, end int) bool {
	if end != i+1 {
		return false
	}
	switch p.word(i) {
	case "one":
		switch p.word(end) {
		case "of", "another", "day", "that", "who", "which", "by", "with", "thing", "way", "to", "or", "side", "more", "time", "such", "can", "is", "was", "has", "should", "would", "could", "may", "where", "in", "for", "at", "on", "as", "and", ",", ".", "'s", "side's", "":
			return true
		}
		switch p.word(i - 1) {
		case "no", "this", "that", "the", "any", "every", "each", "which", "another", "only", "some", "new", "old", "good", "big", "small", "last", "next", "first", "'":
			return true
		}
	case "zero":
		return p.word(end) == "-"
	}
	return false
}

// counted sets what a count counts, or makes a label, an age or a result of it.
func (p *parser) counted(q *Quantity, i, end int, a amount) {
	prev := p.word(i - 1)
	if prev == "aged" || prev == "age" || prev == "ages" || prev == "of" && p.word(i-2) == "age" {
		q.Kind, q.unit = Measure, units["years"]
		q.Unit, q.Of = q.unit.symbol, "old"
		return
	}
	q.Of = p.noun(end)
	if a.token < 0 || !a.plain {
		return
	}
	if prev == "," && p.tokens.kind(i-2) == wordToken && q.Of == "" && (p.word(end) == "," || p.word(end) == "." || p.word(end) == ";") && a.value.Cmp(big.NewRat(115, 1)) < 0 {
		q.apposed = true
	}
	if names[prev] || prev == "#" && p.glued(i) {
		q.Kind, q.Of = Label, prev
		return
	}
	if prev == "." && p.word(i-2) == "no" && p.glued(i-1) {
		q.Kind, q.Of = Label, "no"
		return
	}
	if p.glued(i) && isDash(prev) && p.tokens.kind(i-2) == wordToken && p.glued(i-1) && !has(smallNumbers, p.word(i-2)) {
		q.Kind, q.Of = Label, p.word(i-2) // "COVID-19"
		return
	}
	if i > 0 && p.tokens.kind(i-1) == wordToken && p.capital(i-1) && !p.tokens[i].newline && !function[prev] && !p.pluralFollows(end) {
		start := i < 2 || p.word(i-2) == "." || p.word(i-2) == "!" || p.word(i-2) == "?" || p.tokens[i-1].newline
		if !start || q.Of == "" {
			q.Kind, q.Of = Label, prev
		}
	}
}

// names are words that a number names one of.
var names = words(`no number chapter section article page figure table level type phase grade stage step part volume route highway flight room
 channel line act episode season game version zone ward district division unit apartment bus`)

// noun returns the noun that a number before token j counts: the first plural
// within three words, else the next word, "" where none follows.
func (p *parser) noun(j int) string {
	if isDash(p.word(j)) && p.glued(j) {
		j++
	}
	first := ""
	for k := j; k < j+4; k++ {
		w := p.word(k)
		if w == "more" || w == "other" || w == "new" || w == "of" && p.word(k+1) == "the" || w == "the" && p.word(k-1) == "of" || w == "additional" || w == "extra" {
			continue
		}
		if p.tokens.kind(k) != wordToken || function[w] {
			break
		}
		if first == "" {
			first = w
		}
		if plural(w) {
			return w
		}
	}
	return first
}
