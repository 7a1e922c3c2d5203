package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/kgeval/kgeval/internal/mark"
)

// Sizes of text, in pixels. The fonts asked for have the widths of Helvetica;
// slack is for those that are wider.
const (
	entitySize   = 13.0
	relationSize = 12.0
	leading      = 1.3
	slack        = 1.06

	entityWidth   = 168.0 // of a line, at most
	relationWidth = 132.0
	entityLines   = 3
	relationLines = 2
)

// ascii holds the advances of Helvetica (Adobe's font metrics) for the
// characters from blank to tilde, in thousandths of the size.
var ascii = [...]uint16{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// advance is the width of a character, in parts of the size; for other scripts
// than Latin a generous guess.
func advance(r rune) float64 {
	switch {
	case r >= ' ' && r <= '~':
		return float64(ascii[r-' ']) / 1000
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case wide(r):
		return 1
	case r >= 0x1f000 || unicode.Is(unicode.So, r):
		return 1.3
	case unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic):
		if unicode.IsUpper(r) {
			return 0.8
		}
		return 0.66
	case unicode.In(r, unicode.Hebrew, unicode.Arabic):
		return 0.7
	case unicode.IsPunct(r):
		return 0.6
	}
	return 0.9
}

func wide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

// measure returns the width of one line of text at a size.
func measure(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		w += advance(r)
	}
	return w * size * slack
}

// cluster returns the length in bytes of the character at the start of s with
// the marks that belong to it.
func cluster(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	joined := false
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case joined:
			joined = false
		case r == 0x200d:
			joined = true
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc), r >= 0xfe00 && r <= 0xfe0f, r >= 0x1f3fb && r <= 0x1f3ff:
		default:
			return n
		}
		n += size
	}
	return n
}

// wrap sets s in lines of at most room pixels, at blanks where it can, and cuts
// what is more than most lines with an ellipsis.
func wrap(s string, size, room float64, most int) []string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }) // other blanks hold together
	var lines []string
	line, used := "", 0.0
	end := func() {
		lines = append(lines, line)
		line, used = "", 0
	}
	blank := measure(" ", size)
	for _, w := range words {
		if len(lines) > most {
			break
		}
		width := measure(w, size)
		if line != "" && used+blank+width <= room {
			line, used = line+" "+w, used+blank+width
			continue
		}
		if line != "" {
			end()
		}
		for width > room && len(lines) <= most {
			// A word that is longer than a line is broken between characters.
			at, part := 0, 0.0
			for at < len(w) {
				n := cluster(w[at:])
				step := measure(w[at:at+n], size)
				if at > 0 && part+step > room {
					break
				}
				at, part = at+n, part+step
			}
			line = w[:at]
			w, width = w[at:], width-part
			if w == "" {
				used = part
				break
			}
			end()
		}
		if w != "" {
			line, used = w, width
		}
	}
	if line != "" {
		end()
	}
	if len(lines) > most {
		lines = append(lines[:most-1], ellipsis(lines[most-1], size, room))
	}
	return lines
}

// ellipsis ends a line with …, cut as far as that needs.
func ellipsis(line string, size, room float64) string {
	room -= measure("…", size)
	at, used := 0, 0.0
	for at < len(line) {
		n := cluster(line[at:])
		used += measure(line[at:at+n], size)
		if used > room {
			break
		}
		at += n
	}
	return strings.TrimRight(line[:at], " ") + "…"
}

// clean returns at most limit bytes of a label, on one line and harmless, and
// says so with an ellipsis if it was longer.
func clean(s string, limit int) string {
	end := ""
	if len(s) > limit {
		n := limit
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s, end = s[:n], "…"
	}
	s = strings.Join(strings.Fields(mark.Plain(s)), " ") + end
	if s == "" {
		return "(empty)"
	}
	return s
}

// fromRight reports whether the first letter of s belongs to a script that is
// written from right to left.
func fromRight(s string) bool {
	for _, r := range s {
		if unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam) {
			return true
		}
		if unicode.IsLetter(r) {
			return false
		}
	}
	return false
}

// entityLabel and relationLabel measure labels; the box has its size and no place.
func entityLabel(text string) Label {
	full := clean(text, 4000)
	l := Label{Entity: true, Full: full, Right: fromRight(full)}
	l.Lines = wrap(full, entitySize, entityWidth, entityLines)
	l.W, l.H = block(l.Lines, entitySize, 11, 7)
	return l
}

func relationLabel(e Edge) Label {
	full := clean(e.Triple.Relation, 4000)
	l := Label{Kind: e.Kind, Full: full, Right: fromRight(full)}
	shown := full
	if s := e.Kind.Sign(); s != "" {
		shown = s + "\u00a0" + full
	}
	l.Lines = wrap(shown, relationSize, relationWidth, relationLines)
	l.W, l.H = block(l.Lines, relationSize, 5, 3)
	return l
}

// block is the size of lines with a padding beside and above them.
func block(lines []string, size, beside, above float64) (w, h float64) {
	for _, l := range lines {
		w = max(w, measure(l, size))
	}
	return w + 2*beside, float64(len(lines))*size*leading + 2*above
}
