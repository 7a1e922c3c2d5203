package numeric

import (
	"math/big"
	"unicode/utf8"
)

// amount reads a number at token i. money says that a currency stands before it.
func (p *parser) amount(i int, money bool) (a amount, end int, ok bool) {
	if p.tokens.kind(i) != numberToken {
		a, end, ok = p.spelled(i)
		a.token = -1
		return a, end, ok
	}
	t := &p.tokens[i]
	a = amount{value: t.value, plain: t.plain, token: i}
	switch {
	case t.places > 0:
		a.half = new(big.Rat).Mul(big.NewRat(1, 2), power(10, -t.places))
	case t.zeros >= 2:
		a.half = new(big.Rat).Mul(big.NewRat(1, 2), power(10, t.zeros))
		a.rounded = true
	default:
		a.half = big.NewRat(1, 2)
	}
	j := i + 1
	// 3½, 3 1/2, 1/2
	if p.tokens.kind(j) == numberToken && p.glued(j) && vulgarToken(p.tokens[j]) && t.plain {
		a.value = new(big.Rat).Add(a.value, p.tokens[j].value)
		a.half = big.NewRat(1, 8)
		j++
	} else if v := p.slash(j); v != nil && t.plain && !p.glued(j) {
		a.value = new(big.Rat).Add(a.value, v)
		a.half = big.NewRat(1, 16)
		j += 3
	} else if v := p.slash(i); v != nil {
		a.value, a.half, a.plain = v, big.NewRat(1, 100), false
		j = i + 3
	}
	for range 2 {
		k := j
		if isDash(p.word(k)) && p.glued(k) && p.glued(k+1) {
			k++
		}
		s := scaleOf(p.word(k))
		if s == nil {
			s = p.letterScale(k, money)
		}
		if s == nil {
			break
		}
		a.value = new(big.Rat).Mul(a.value, s)
		a.half = new(big.Rat).Mul(a.half, s)
		a.rounded, a.scaled = true, s.Cmp(power(10, 6)) >= 0
		a.plain = false
		if t.places > 0 {
			a.rounded = false
		}
		j = k + 1
	}
	// "two and a half", in digits
	if p.word(j) == "and" && p.word(j+1) == "a" && p.word(j+2) == "half" && t.plain {
		a.value = new(big.Rat).Add(a.value, big.NewRat(1, 2))
		a.half = big.NewRat(1, 4)
		j += 3
		if s := scaleOf(p.word(j)); s != nil {
			a.value, a.half = new(big.Rat).Mul(a.value, s), new(big.Rat).Mul(a.half, s)
			j++
		}
	}
	return a, j, true
}

func vulgarToken(t token) bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return vulgar(r) != nil
}

// slash returns the fraction at token i, nil for none: "3/4".
func (p *parser) slash(i int) *big.Rat {
	n, ok1 := p.small(i, 1, 15)
	d, ok2 := p.small(i+2, 2, 16)
	if !ok1 || !ok2 || n >= d || p.word(i+1) != "/" || !p.glued(i+1) || !p.glued(i+2) || p.word(i+3) == "/" && p.glued(i+3) {
		return nil
	}
	return big.NewRat(int64(n), int64(d))
}

// letterScale reads a letter of magnitude glued to its number: "5k", "$3m".
func (p *parser) letterScale(i int, money bool) *big.Rat {
	if p.tokens.kind(i) != wordToken || !p.glued(i) && !money {
		return nil
	}
	switch w := p.word(i); {
	case w == "k" && p.glued(i):
		return power(10, 3)
	case w == "m" && (money || p.pluralFollows(i+1) || p.tokens[i].text == "M"):
		return power(10, 6)
	case w == "b" && (money || p.pluralFollows(i+1)):
		return power(10, 9)
	case w == "tn" || w == "t" && money && p.glued(i):
		return power(10, 12)
	}
	return nil
}
