package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wrapped reports whether a line of the given width goes on with next: hard
// line ends stand near a common right margin, and the next line then starts in
// the middle of a sentence.
func wrapped(next string, width int) bool {
	r, _ := utf8.DecodeRuneInString(next)
	switch {
	case width < 30:
		return false
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return width >= 60
	case unicode.IsLower(r), unicode.IsDigit(r):
		return true
	}
	return width >= 45
}

// listMarker returns the length of the bullet or number that starts a list
// item, or 0.
func listMarker(line string) int {
	r, n := utf8.DecodeRuneInString(line)
	if isBullet(r) || strings.ContainsRune("-*+–—", r) {
		if spaceAt(line, n) && n < len(line) {
			return n
		}
		return 0
	}
	i := 0
	if line[0] == '(' {
		i++
	}
	j := i
	for j < len(line) && j-i < 3 && digit(rune(line[j])) {
		j++
	}
	if j == i && j < len(line) {
		for j < len(line) && j-i < 5 && strings.IndexByte("ivxIVX", line[j]) >= 0 {
			j++
		}
		if j == i && (line[j] >= 'a' && line[j] <= 'z' || line[j] >= 'A' && line[j] <= 'Z') {
			j++
		}
	}
	if j == i || j >= len(line) {
		return 0
	}
	if line[j] == ')' || line[j] == '.' && i == 0 && digitOrSmall(line[0]) {
		if j+1 < len(line) && spaceAt(line, j+1) {
			return j + 1
		}
	}
	return 0
}

func digitOrSmall(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' }

// ownLine reports whether line starts as a list item, a heading, a quotation or
// a row of a table does, which never continue the line before.
func ownLine(line string) bool {
	if line == "" {
		return false
	}
	switch line[0] {
	case '#', '|', '>':
		return true
	}
	if strings.HasPrefix(line, "---") || strings.HasPrefix(line, "===") || strings.HasPrefix(line, "***") {
		return true
	}
	// A wrapped line may begin with a number and a stop by accident ("in\n1990.
	// He"), so that only short numbers count; listMarker sees to that.
	return listMarker(line) > 0
}

func isBullet(r rune) bool { return strings.ContainsRune("•‣◦▪▫●○■□⁃∙", r) }

func isBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func cells(r rune) int {
	if r >= 0x1100 && (unspaced(r) || unicode.Is(unicode.Hangul, r)) {
		return 2
	}
	return 1
}
