package numeric

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

type tokens []token

// kind returns the kind of token i, 0 outside the text.
func (t tokens) kind(i int) tokenKind {
	if i < 0 || i >= len(t) {
		return 0
	}
	return t[i].kind
}

// parser finds the quantities of one text.
type parser struct {
	text   string
	style  Style
	tokens tokens
	out    []Quantity
}

// Find returns the quantities of text in the order of their places; no two
// overlap. Text may be any bytes. Time is linear in its length.
func Find(text string, style Style) []Quantity {
	return parse(text, style).out
}

func parse(text string, style Style) *parser {
	p := &parser{text: text, style: style, tokens: scan(text, style)}
	for i := 0; i < len(p.tokens); {
		if end := p.next(i); end > i {
			i = end
			continue
		}
		i++
	}
	p.pairs()
	return p
}

// next reads the quantity at token i and returns the position behind it, i where
// there is none.
func (p *parser) next(i int) int {
	if p.tokens[i].kind == markToken && currencySign(p.tokens[i].text) == nil && !isDash(p.word(i)) && p.word(i) != "#" {
		return i
	}
	if p.tokens[i].kind == numberToken && p.word(i+1) == ")" && p.tokens[i].plain && (i == 0 || p.tokens[i].newline) {
		return i // the number of an item in a list
	}
	if m, half, end, ok := p.clock(i); ok {
		q := Quantity{Kind: Clock, Value: big.NewRat(int64(m), 1)}
		q.Low, q.High = q.Value, q.Value
		if half {
			q.Unit = "of 24 hours"
		}
		return p.add(i, end, q)
	}
	if d, end, ok := p.date(i); ok {
		return p.add(i, end, Quantity{Kind: Date, Day: d})
	}
	return p.quantity(i)
}

// add appends a quantity that covers the tokens [i, end).
func (p *parser) add(i, end int, q Quantity) int {
	q.Span = segment.Span{Start: p.tokens[i].Start, End: p.tokens[end-1].End}
	q.Text = q.Span.Of(p.text)
	q.first, q.last = i, end
	p.out = append(p.out, q)
	return end
}

func (p *parser) word(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.tokens[i].lower
}

func (p *parser) glued(i int) bool { return i > 0 && i < len(p.tokens) && p.tokens[i].glued }

func (p *parser) capital(i int) bool {
	if i < 0 || i >= len(p.tokens) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(p.tokens[i].text)
	return unicode.IsUpper(r)
}

// pluralFollows reports whether the token at i is a noun that can be counted.
func (p *parser) pluralFollows(i int) bool {
	for k := i; k < i+2; k++ {
		w := p.word(k)
		if p.tokens.kind(k) != wordToken || function[w] {
			return false
		}
		if plural(w) {
			return true
		}
	}
	return false
}

func plural(w string) bool {
	switch w {
	case "people", "men", "women", "children", "police", "sheep", "fish", "cattle", "staff", "personnel", "feet", "mice", "teeth", "species", "aircraft":
		return true
	}
	return len(w) > 3 && w[len(w)-1] == 's' && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "'s") && !strings.HasSuffix(w, "is")
}

// quantity reads a number that is no date at token i.
func (p *parser) quantity(i int) int {
	j := i
	negative := false
	if w := p.word(j); (isDash(w) && w != "—" && !p.glued(j) && p.glued(j+1)) || w == "minus" {
		if p.tokens.kind(j+1) == numberToken || currencySign(p.textAt(j+1)) != nil {
			negative = true
			j++
		}
	}
	currency, j := p.currency(j)
	if currency == nil && !negative {
		if end := p.worded(i); end > i {
			return end
		}
	}
	a, end, ok := p.amount(j, currency != nil)
	if !ok {
		return i
	}
	if negative {
		a.value = new(big.Rat).Neg(a.value)
	}
	if a.words && p.noNumber(i, end) {
		return end
	}
	q, end := p.tail(a, end, currency)
	b, after, hasRange := p.second(i, end, currency)
	if !hasRange {
		p.finish(&q, a, i, end)
		if q.Kind == Count {
			p.counted(&q, i, end, a)
		}
		return p.add(i, end, q)
	}
	// A range, a pair, or a result.
	r, rend := p.tail(b, after, currency)
	if q.Kind == Count && r.Kind != Count {
		// "5 to 10 miles", "$5-10 million"
		q.Kind, q.unit, q.Unit = r.Kind, r.unit, r.Unit
		if q.Kind == Points && r.unit == nil {
			q.Value = new(big.Rat).Set(a.value)
		}
	}
	if q.Kind == r.Kind && a.plain && !b.plain && b.scaled && a.value.Cmp(power(10, 3)) < 0 && q.Value.Cmp(r.Value) < 0 && p.word(end) != "to" {
		// "3-4 million"
		s := scaleOf(p.word(after - 1))
		if s != nil {
			a.value, a.half = new(big.Rat).Mul(a.value, s), new(big.Rat).Mul(a.half, s)
			q.Value = a.value
		}
	}
	if isDash(p.word(end)) && q.Kind == Count && a.plain && b.plain && r.Kind == Count && (a.value.Cmp(b.value) >= 0 || !p.pluralFollows(rend)) && a.value.Cmp(big.NewRat(200, 1)) < 0 {
		q.Kind, q.High, q.Low = Score, b.value, a.value
		return p.add(i, rend, q)
	}
	if q.Kind != r.Kind || !comparableUnits(q.unit, r.unit) || p.pairBefore(i) || q.Value.Cmp(r.Value) >= 0 {
		// Each for itself; pairs joins "from 5 to 10".
		p.finish(&q, a, i, end)
		if q.Kind == Count {
			p.counted(&q, i, end, a)
			if q.Of == "" || q.Of == "to" {
				p.counted(&q, i, rend, b)
			}
		}
		return p.add(i, end, q)
	}
	q.Bound = Between
	q.Low = q.Value
	q.High = r.Value
	if q.unit != nil && r.unit != nil && q.unit != r.unit {
		q.High = convert(r.Value, r.unit, q.unit)
	}
	q.exact = a.half.Cmp(big.NewRat(1, 2)) == 0 && q.Kind == Count
	if q.Kind == Count {
		p.counted(&q, i, rend, b)
	}
	return p.add(i, rend, q)
}

// textAt returns token i as written.
func (p *parser) textAt(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.tokens[i].text
}
