package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences returns the sentences of text in order. Between two of them, before
// the first and after the last there is white space only, so nothing is lost; a
// sentence holds its closing quotes and brackets, and a list item its marker.
//
// A sentence ends
//
//   - at a full stop, question or exclamation mark (of Latin, CJK, Arabic,
//     Devanagari and other scripts) that is not part of an abbreviation, an
//     initial, a number, a name or a quotation that the sentence goes on after;
//   - at a blank line, and at a line break unless the line looks as if it had
//     been wrapped there: a list item, a heading and a line of a table are
//     sentences without a full stop;
//   - before a bullet in the middle of a line.
//
// Text that was tokenised and joined again with blanks ("gone . 'He") and text
// in lower case are read as well. Scripts that mark no end of a sentence (Thai,
// Lao) are cut at line breaks only. The time is linear in the length of text.
func Sentences(text string) []Span {
	s := splitter{text: text}
	s.run()
	return s.out
}

// look is how many bytes around a full stop are read to judge it. It bounds
// the work for each of them.
const look = 80

type splitter struct {
	text string
	out  []Span

	start int // of the present sentence: first byte that is not white space, or -1
	body  int // where its words start, after a list marker
	// Quotes that are open in the present sentence: " and a lone '.
	double, single bool

	lineStart int // of the present line
	lineCells int // columns of the present line so far; a wide rune counts 2
	item      bool
}

func (s *splitter) run() {
	s.start = -1
	s.beginLine(0)
	for i := 0; i < len(s.text); {
		r, n := rune(s.text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s.text[i:])
		}
		switch {
		case isBreak(r):
			i = s.lineBreak(i, n)
			continue
		case unicode.IsSpace(r):
			s.lineCells++
			i += n
			continue
		case s.start < 0:
			s.begin(i)
		case isBullet(r) && spaceBefore(s.text, i) && spaceAt(s.text, i+n):
			s.end(i)
			s.begin(i)
		}
		if i < s.body {
			// Inside a list marker, where a full stop ends nothing.
			i = s.body
			s.lineCells++
			continue
		}
		s.lineCells += cells(r)
		switch {
		case r == '.' || r == '!' || r == '?' || r == '…':
			end, more := s.terminal(i)
			if more {
				s.end(end)
			} else if end < i+n {
				end = i + n
			}
			i = end
			continue
		case isFullStop(r):
			end := s.closers(i+n, true)
			if !wide(r) && !s.atGap(end) {
				break
			}
			if wide(r) && s.quoteGoesOn(i+n, end) {
				i = end
				continue
			}
			s.end(end)
			i = end
			continue
		case r == '"':
			s.double = !s.double
		case r == '“':
			s.double = true
		case r == '”':
			s.double = false
		case r == '\'' && spaceBefore(s.text, i):
			// An opening or a lone quote; an apostrophe follows a letter.
			s.single = !s.single || !spaceAt(s.text, i+1)
		case r == '\'' && s.single && spaceAt(s.text, i+1):
			s.single = false
		}
		i += n
	}
	s.end(len(s.text))
}

// begin starts a sentence at i.
func (s *splitter) begin(i int) {
	s.start = i
	s.body = i
	s.double, s.single = false, false
	if n := listMarker(s.text[i:]); n > 0 {
		s.body = i + n
	}
}

// end closes the present sentence at i, if there is one.
func (s *splitter) end(i int) {
	if s.start >= 0 {
		if sp := trim(s.text, s.start, i); !sp.Empty() {
			s.out = append(s.out, sp)
		}
	}
	s.start = -1
}

func (s *splitter) beginLine(i int) {
	s.lineStart, s.lineCells = i, 0
	j := i
	for j < len(s.text) && (s.text[j] == ' ' || s.text[j] == '\t') {
		j++
	}
	s.item = j < len(s.text) && ownLine(s.text[j:])
}

// lineBreak handles the line break of n bytes at i and returns the start of the
// next line. The sentence goes on only if the break looks like a wrapped line.
func (s *splitter) lineBreak(i, n int) int {
	next := i + n
	if s.text[i] == '\r' && next < len(s.text) && s.text[next] == '\n' {
		next++
	}
	head := s.item && (s.text[s.lineStart] == '#' || s.text[s.lineStart] == '|')
	long := s.lineCells
	s.beginLine(next)
	j := next
	for j < len(s.text) && (s.text[j] == ' ' || s.text[j] == '\t') {
		j++
	}
	if s.start < 0 {
		return next
	}
	if j == len(s.text) || s.item || head || !wrapped(s.text[j:], long) {
		s.end(i)
	} else if r, _ := utf8.DecodeRuneInString(s.text[j:]); isBreak(r) {
		s.end(i)
	}
	return next
}

// terminal judges the full stop, question or exclamation mark or ellipsis at i.
// It returns the end of the run with its closing quotes and brackets, and
// whether a sentence ends there.
func (s *splitter) terminal(i int) (end int, border bool) {
	run := s.terminalRun(i)
	end = s.closers(run, true)
	if end == len(s.text) {
		return end, true
	}
	glued := !spaceAt(s.text, end)
	if glued {
		return s.glued(i, run, end)
	}
	next := strings.TrimLeft(s.text[end:min(len(s.text), end+look)], " \t\u00a0")
	if next == "" || isBreak(rune(next[0])) {
		// Let the line break decide, unless this is plainly the end.
		w := s.wordBefore(i)
		return end, !(s.text[i:run] == "." && (neverEnds[lower(w)] || initial(w)))
	}
	return end, s.ends(i, run, end, next)
}

// terminalRun returns the end of the run of terminal marks that starts at i,
// those set apart by single blanks (". . .") included.
func (s *splitter) terminalRun(i int) int {
	end := i
	for end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if r != '.' && r != '!' && r != '?' && r != '…' && !(end > i && isFullStop(r)) {
			if r == ' ' && end+1 < len(s.text) && strings.IndexByte(".!?", s.text[end+1]) >= 0 &&
				(end+2 == len(s.text) || strings.IndexByte(" .!?\n", s.text[end+2]) >= 0) {
				end += n
				continue
			}
			break
		}
		end += n
	}
	return end
}

// closers returns the end of the closing quotes, brackets and footnote marks
// after i. A quote set apart by a blank closes only what is open.
func (s *splitter) closers(i int, apart bool) int {
	end := i
	for j := i; j < len(s.text); {
		r, n := utf8.DecodeRuneInString(s.text[j:])
		stop := j + n
		switch {
		case strings.ContainsRune(")]}”»」』）】》〉", r):
		case r == '’' || r == '\'' && strings.HasPrefix(s.text[j:], "''"):
			if r == '\'' {
				stop++
			}
			if !spaceAt(s.text, stop) && !closing(s.text[stop:]) {
				return end
			}
			s.single = false
		case r == '"':
			if j > end && (!s.double || !spaceAt(s.text, stop)) {
				return end
			}
			if j == end && !spaceAt(s.text, stop) && !closing(s.text[stop:]) && !s.double {
				return end
			}
			s.double = false
		case r == '\'':
			if !spaceAt(s.text, stop) && !closing(s.text[stop:]) || j > end && !s.single {
				return end
			}
			s.single = false
		case r == '[' && j == end && footnote(s.text[j:]) > 0:
			stop = j + footnote(s.text[j:])
		case r == '*' || r == '_':
			// The end of emphasised text: **Note.**
			if j > end || !spaceAt(s.text, stop) && s.text[stop] != byte(r) {
				return end
			}
		case strings.HasPrefix(s.text[j:], "-RRB-"):
			stop = j + len("-RRB-")
		case r == ' ' && apart && j == end && spaceBefore(s.text, s.lastMark(end)):
			// Re-tokenised text: the mark stands apart, so may what closes it.
			j++
			continue
		default:
			return end
		}
		end, j = stop, stop
	}
	return end
}

// lastMark returns the start of the rune that ends at end.
func (s *splitter) lastMark(end int) int {
	_, n := utf8.DecodeLastRuneInString(s.text[:end])
	return end - n
}

// glued judges a mark after which no blank follows ("3.14", "example.com",
// "went home.The dog"): it ends a sentence only where a word that often starts
// one follows a word in lower case.
func (s *splitter) glued(i, run, end int) (int, bool) {
	r, _ := utf8.DecodeRuneInString(s.text[end:])
	if s.text[i:run] != "." {
		return end, unicode.IsUpper(r) && end == run && s.text[i] != '.'
	}
	if !unicode.IsUpper(r) {
		return run, false
	}
	w := s.wordBefore(i)
	first, _ := utf8.DecodeRuneInString(w)
	last, _ := utf8.DecodeLastRuneInString(w)
	if len(w) < 3 || !unicode.IsLower(last) && !unicode.IsDigit(last) && last != '%' || unicode.IsUpper(first) && len(w) < 4 ||
		strings.ContainsAny(w, "/@\\._") || neverEnds[lower(w)] {
		return run, false
	}
	next := firstWord(s.text[end:min(len(s.text), end+look)])
	after := end + len(next)
	if after < len(s.text) && strings.IndexByte(" ,'", s.text[after]) < 0 {
		return run, false
	}
	if starters[lower(next)] {
		return end, true
	}
	return run, false
}

// ends judges the run of marks [i, run), with its closers up to end and white
// space after it; next is the text that follows.
func (s *splitter) ends(i, run, end int, next string) bool {
	mark := s.text[i:run]
	w := s.wordBefore(i)
	nr, _ := utf8.DecodeRuneInString(next)
	nextWord := firstWord(strings.TrimLeft(next, "\"'“‘`([{«*_-– "))
	fr, _ := utf8.DecodeRuneInString(nextWord)
	lowerNext := unicode.IsLower(fr) && nextWord != ""
	starter := starters[lower(nextWord)]
	apart := spaceBefore(s.text, i)

	if strings.ContainsRune(",;:", nr) {
		return false
	}
	if end > run && lowerNext && (!apart || s.startsUpper()) {
		// "Stop!" he said; (and so on.) with
		return false
	}
	switch {
	case strings.ContainsAny(mark, "?!"):
		if lowerNext && mark == "!" && unicode.IsUpper(firstRune(w)) && s.bodyBefore(i-len(w)) {
			return false // a name: Yahoo! is
		}
		return true
	case mark != ".":
		// An ellipsis.
		return apart && !lowerNext || unicode.IsUpper(fr) && nextWord != "I"
	case apart:
		// Punctuation set apart: the text was tokenised, abbreviations keep
		// their stops. Only a stray stop before a number is no end.
		return s.bodyBefore(i)
	case w == "":
		return !lowerNext
	}

	lw := lower(w)
	digitNext := unicode.IsDigit(nr)
	switch {
	case initial(w):
		// "George W. Bush" against "vitamin C. It".
		return starter && !lowerNext && !s.namesBefore(i-len(w))
	case lw == "no" || lw == "nos" || lw == "nr":
		return !digitNext && !(lw != "no" && lowerNext)
	case numbered[lw] && (digitNext || romanNumeral(nextWord)):
		return false
	case neverEnds[lw]:
		return false
	case monthAbbreviations[lw]:
		return !digitNext && !lowerNext && starter
	case mayEnd[lw] || acronym(w):
		return !lowerNext && (starter || !unicode.IsUpper(fr) && !digitNext && nextWord != "") && end == run ||
			end > run && !lowerNext
	case allDigits(w):
		if i-len(w) == s.body || lowerNext && len(w) <= 2 {
			return false
		}
		return true
	case lowerNext:
		// Text in lower case, or an abbreviation that we do not know.
		return starter || utf8.RuneCountInString(w) >= 4 || shortWords[lw]
	}
	return true
}

// bodyBefore reports whether the present sentence has words before i.
func (s *splitter) bodyBefore(i int) bool {
	return s.start >= 0 && strings.TrimSpace(s.text[s.body:max(i, s.body)]) != ""
}

// startsUpper reports whether the first letter of the present sentence is a
// capital.
func (s *splitter) startsUpper() bool {
	for _, r := range s.text[s.body:min(len(s.text), s.body+look)] {
		if unicode.IsLetter(r) {
			return unicode.IsUpper(r)
		}
	}
	return false
}

// namesBefore reports whether the word before i starts with a capital, as the
// first name before an initial does.
func (s *splitter) namesBefore(i int) bool {
	for i > s.start && s.text[i-1] == ' ' {
		i--
	}
	w := s.wordBefore(i)
	return w != "" && unicode.IsUpper(firstRune(w)) && i-len(w) > s.start
}

// wordBefore returns what stands between i and the white space, bracket or
// quote before it, at most look bytes.
func (s *splitter) wordBefore(i int) string {
	low := max(s.start, i-look, 0)
	j := i
	for j > low {
		r, n := utf8.DecodeLastRuneInString(s.text[low:j])
		if unicode.IsSpace(r) || strings.ContainsRune("([{\"“”‘«/—–|*", r) || r == '\'' && j == i {
			break
		}
		j -= n
	}
	w := s.text[j:i]
	if k := strings.LastIndexByte(w, '-'); k >= 0 && k < len(w)-1 {
		w = w[k+1:]
	}
	return w
}

// quoteGoesOn reports whether, after a wide full stop at the end of a quotation
// (closers up to end), the sentence goes on: 「そうだ。」と言った
func (s *splitter) quoteGoesOn(run, end int) bool {
	if end == run || end >= len(s.text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[end:])
	return strings.ContainsRune("とっ，、,的", r)
}

// atGap reports whether white space or the end of the text follows i.
func (s *splitter) atGap(i int) bool { return i >= len(s.text) || spaceAt(s.text, i) }
