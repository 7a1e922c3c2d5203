package segment

import (
	"sort"
	"unicode/utf8"
)

// stride is the distance in bytes between two checkpoints of Offsets: a lookup
// reads at most this much text.
const stride = 64

// Offsets converts between byte, rune and UTF-16 offsets of one text. It is
// read-only after NewOffsets and safe for concurrent use. A lookup costs one
// binary search (none towards runes and UTF-16) and a scan of at most 64 bytes.
//
// Offsets outside the text are clamped to it, and an offset inside a rune (or
// between the two UTF-16 units of one) counts as the start of that rune. A
// byte that is not UTF-8 counts as one rune and one UTF-16 unit, as it does
// when Go ranges over the string.
type Offsets struct {
	text string
	// marks[k] is the first rune border at or after byte k*stride; nil when the
	// text is ASCII and all three offsets are the same.
	marks []mark
	end   mark
}

type mark struct{ b, r, u int }

// NewOffsets reads text once and returns its converter.
func NewOffsets(text string) *Offsets {
	o := &Offsets{text: text}
	ascii := true
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		o.end = mark{len(text), len(text), len(text)}
		return o
	}
	o.marks = make([]mark, 0, len(text)/stride+1)
	var m mark
	for b, r := range text {
		m.b = b
		for b >= len(o.marks)*stride {
			o.marks = append(o.marks, m)
		}
		m.r++
		m.u += units(r)
	}
	m.b = len(text)
	o.end = m
	return o
}

func units(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// Rune returns how many runes stand before the byte offset b.
func (o *Offsets) Rune(b int) int { return o.at(b).r }

// UTF16 returns how many UTF-16 code units stand before the byte offset b.
func (o *Offsets) UTF16(b int) int { return o.at(b).u }

func (o *Offsets) at(b int) mark {
	switch {
	case b <= 0:
		return mark{}
	case b >= len(o.text):
		return o.end
	case o.marks == nil:
		return mark{b, b, b}
	}
	k := min(b/stride, len(o.marks)-1)
	for o.marks[k].b > b {
		k--
	}
	return o.scan(o.marks[k], func(m mark) bool { return m.b <= b })
}

// scan walks rune by rune from m to the last border at which ok still holds.
func (o *Offsets) scan(m mark, ok func(mark) bool) mark {
	for m.b < len(o.text) {
		r, n := utf8.DecodeRuneInString(o.text[m.b:])
		next := mark{m.b + n, m.r + 1, m.u + units(r)}
		if !ok(next) {
			break
		}
		m = next
	}
	return m
}

// FromRune returns the byte offset of the rune with index r.
func (o *Offsets) FromRune(r int) int {
	return o.back(r, o.end.r, func(m mark) int { return m.r })
}

// FromUTF16 returns the byte offset of the UTF-16 code unit with index u.
func (o *Offsets) FromUTF16(u int) int {
	return o.back(u, o.end.u, func(m mark) int { return m.u })
}

func (o *Offsets) back(x, end int, of func(mark) int) int {
	switch {
	case x <= 0:
		return 0
	case x >= end:
		return len(o.text)
	case o.marks == nil:
		return x
	}
	k := sort.Search(len(o.marks), func(i int) bool { return of(o.marks[i]) > x }) - 1
	return o.scan(o.marks[max(k, 0)], func(m mark) bool { return of(m) <= x }).b
}
