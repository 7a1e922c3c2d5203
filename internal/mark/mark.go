// Package mark shows places of a text to a reader: by line and column, quoted
// with the place between » and «, or the whole text with marks under it. It is
// for terminals and test messages; machines get byte spans.
package mark

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/kgeval/kgeval/segment"
)

// Position returns the line and the column of a byte offset, both from 1; the
// column counts characters (runes). An offset outside of text is moved to its
// nearer end.
func Position(text string, offset int) (line, column int) {
	offset = min(max(offset, 0), len(text))
	before := text[:offset]
	line = 1 + strings.Count(before, "\n")
	column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return line, column
}

// At returns Position as "line:column".
func At(text string, offset int) string {
	l, c := Position(text, offset)
	return fmt.Sprintf("%d:%d", l, c)
}

// clip returns s moved inside text and onto rune borders.
func clip(text string, s segment.Span) segment.Span {
	s.Start = min(max(s.Start, 0), len(text))
	s.End = min(max(s.End, s.Start), len(text))
	for s.Start > 0 && s.Start < len(text) && !utf8.RuneStart(text[s.Start]) {
		s.Start--
	}
	for s.End < len(text) && !utf8.RuneStart(text[s.End]) {
		s.End++
	}
	return s
}

// Quote returns the part of text that around covers, on one line, with each of
// the spans between » and «. Spans must be ascending; what lies outside of
// around is left out. A span that covers all of around but its last punctuation
// is not marked: that would say nothing.
// A part longer than limit runes (0: no limit) is shortened to what stands
// around the first span, with … at the cut ends.
func Quote(text string, around segment.Span, limit int, spans ...segment.Span) string {
	around = clip(text, around)
	var inside []segment.Span
	for _, s := range spans {
		s = clip(text, s)
		s.Start, s.End = max(s.Start, around.Start), min(s.End, around.End)
		whole := s.Start == around.Start && strings.Trim(text[s.End:around.End], `.!?…"”') `) == ""
		if s.Empty() || whole {
			continue
		}
		if n := len(inside); n > 0 && inside[n-1].End >= s.Start {
			inside[n-1].End = max(inside[n-1].End, s.End)
			continue
		}
		inside = append(inside, s)
	}

	part := around
	if limit > 0 && utf8.RuneCountInString(around.Of(text)) > limit {
		center := around.Start
		if len(inside) > 0 {
			center = inside[0].Start
		}
		part = window(text, around, center, limit)
	}
	var b strings.Builder
	if part.Start > around.Start {
		b.WriteString("…")
	}
	at := part.Start
	for _, s := range inside {
		s.Start, s.End = max(s.Start, part.Start), min(s.End, part.End)
		if s.Empty() {
			continue
		}
		b.WriteString(Plain(text[at:s.Start]))
		b.WriteString("»" + Plain(s.Of(text)) + "«")
		at = s.End
	}
	b.WriteString(Plain(text[at:part.End]))
	if part.End < around.End {
		b.WriteString("…")
	}
	return b.String()
}

// window returns a part of around with at most limit runes, a third of them
// before center.
func window(text string, around segment.Span, center, limit int) segment.Span {
	start := center
	for n := 0; n < limit/3 && start > around.Start; n++ {
		_, size := utf8.DecodeLastRuneInString(text[around.Start:start])
		start -= size
	}
	end := start
	for n := 0; n < limit && end < around.End; n++ {
		_, size := utf8.DecodeRuneInString(text[end:around.End])
		end += size
	}
	return segment.Span{Start: start, End: end}
}

// Plain returns s on one line and without anything that could steer a terminal
// or reorder what a reader sees: line ends and tabs become blanks; other control
// characters, direction overrides and what is no character become the
// replacement character.
func Plain(s string) string {
	return strings.Map(visible, strings.ToValidUTF8(s, "\ufffd"))
}

func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return ' '
	case unicode.IsControl(r), r&0xfffe == 0xfffe, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return utf8.RuneError
	}
	return r
}

// Mark is a place to show.
type Mark struct {
	Span segment.Span
	// Under is the character set under each column of the place.
	Under rune
	// Paint, if not nil, colours the marked text and its marks.
	Paint func(string) string
}

type cell struct {
	r    rune
	cols int
	mark int // position in marks, -1 for none
}

// Write writes text to w with its line numbers, wrapped to the given number of
// columns, and under each line that has marks a line of them. Where marks
// overlap, the first one wins.
func Write(w io.Writer, text string, columns int, marks ...Mark) error {
	digits := len(fmt.Sprint(1 + strings.Count(text, "\n")))
	room := max(20, columns-digits-3)
	// Which mark each byte belongs to; the first mark is laid last, on top.
	top := make([]int32, len(text))
	for k := len(marks) - 1; k >= 0; k-- {
		s := clip(text, marks[k].Span)
		for i := s.Start; i < s.End; i++ {
			top[i] = int32(k) + 1
		}
	}
	offset := 0
	for n, line := range strings.Split(text, "\n") {
		first := true
		for _, row := range wrap(cells(line, top[offset:]), room) {
			gutter := strings.Repeat(" ", digits)
			if first {
				gutter = fmt.Sprintf("%*d", digits, n+1)
			}
			first = false
			body, under := render(row, marks)
			if _, err := fmt.Fprintf(w, "%s | %s\n", gutter, body); err != nil {
				return err
			}
			if under != "" {
				if _, err := fmt.Fprintf(w, "%s   %s\n", strings.Repeat(" ", digits), under); err != nil {
					return err
				}
			}
		}
		offset += len(line) + 1
	}
	return nil
}

func cells(line string, top []int32) []cell {
	out := make([]cell, 0, len(line))
	for i, r := range line {
		r = visible(r)
		out = append(out, cell{r: r, cols: columnsOf(r), mark: int(top[i]) - 1})
	}
	return out
}

func columnsOf(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case width.LookupRune(r).Kind() == width.EastAsianWide, width.LookupRune(r).Kind() == width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// wrap cuts a line into rows of at most room columns, after a blank where there
// is one.
func wrap(line []cell, room int) [][]cell {
	var rows [][]cell
	start, cols, blank := 0, 0, -1
	for i, c := range line {
		if cols+c.cols > room && i > start {
			cut := i
			if blank >= start {
				cut = blank + 1
			}
			rows = append(rows, line[start:cut])
			start, cols, blank = cut, 0, -1
			for _, d := range line[cut:i] {
				cols += d.cols
			}
		}
		cols += c.cols
		if c.r == ' ' {
			blank = i
		}
	}
	return append(rows, line[start:])
}

func render(row []cell, marks []Mark) (body, under string) {
	for len(row) > 0 && row[len(row)-1].r == ' ' {
		row = row[:len(row)-1]
	}
	var b, u strings.Builder
	for i := 0; i < len(row); {
		j, cols := i, 0
		var run strings.Builder
		for ; j < len(row) && row[j].mark == row[i].mark; j++ {
			run.WriteRune(row[j].r)
			cols += row[j].cols
		}
		if k := row[i].mark; k < 0 {
			b.WriteString(run.String())
			u.WriteString(strings.Repeat(" ", cols))
		} else {
			paint := marks[k].Paint
			if paint == nil {
				paint = func(s string) string { return s }
			}
			b.WriteString(paint(run.String()))
			u.WriteString(paint(strings.Repeat(string(marks[k].Under), cols)))
		}
		i = j
	}
	return b.String(), strings.TrimRight(u.String(), " ")
}
