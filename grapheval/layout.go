package grapheval

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// ErrFragment says that a claim is no sentence but a label and a value ("City:
// Lund", a cell of a table) whose value stands in the sources, while no source
// was found to state the two together: nothing tells whether it is right.
var ErrFragment = errors.New("a label and a value without a statement: the value stands in the sources, what it is the value of does not")

// layout is what of an output is no running text.
type layout struct {
	code []segment.Span // fenced blocks of code, fences included
	rows []tableRow
}

// tableRow is a line of a table.
type tableRow struct {
	at     segment.Span
	header bool
	cells  []segment.Span // without the blanks around them, in order; some may be empty
	names  []string       // of the columns; nil without a header
}

// layoutOf finds blocks of code and tables, in linear time.
func layoutOf(output string) layout {
	var l layout
	var table []tableRow
	fence, start := "", 0
	ruled := false // a line of dashes stands under the table's first row
	grid := false  // one stands over it
	end := func() {
		l.rows = append(l.rows, closeTable(table, output, ruled && !grid)...)
		table, ruled, grid = nil, false, false
	}
	for at := 0; at < len(output); {
		stop := len(output)
		if k := strings.IndexByte(output[at:], '\n'); k >= 0 {
			stop = at + k
		}
		line := strings.TrimSpace(output[at:stop])
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == "" {
				l.code = append(l.code, codeBlock(output, start, stop)...)
				fence = ""
			}
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			end()
			n := len(line) - len(strings.TrimLeft(line, line[:1]))
			if !strings.Contains(line[n:], "`") { // else code within a line
				fence, start = line[:n], at
			}
		case tableRule.MatchString(line):
			ruled = ruled || len(table) == 1
			grid = grid || len(table) == 0
		default:
			row := cellsOf(output, at, stop)
			if len(row.cells) < 2 || len(table) > 0 && len(row.cells) != len(table[0].cells) {
				end()
			}
			if len(row.cells) >= 2 {
				table = append(table, row)
			}
		}
		at = stop + 1
	}
	end()
	if fence != "" { // cut off, as outputs are
		l.code = append(l.code, codeBlock(output, start, len(output))...)
	}
	return l
}

// tableRule is the line under a table's header, or between its rows.
var tableRule = regexp.MustCompile(`^[|+]?(?:\s*:?[-=]+:?\s*[|+])+(?:\s*:?[-=]+:?\s*)?$`)

// cellsOf returns the line as a row of a table: what stands between bars when it
// begins with one, or between tabs.
func cellsOf(output string, from, to int) tableRow {
	at := trim(output, from, to)
	row := tableRow{at: at}
	if at.Empty() {
		return row
	}
	separator := byte('\t')
	inner := at
	if output[at.Start] == '|' {
		separator = '|'
		inner.Start++
		if inner.End > inner.Start && output[inner.End-1] == '|' {
			inner.End--
		}
	}
	for start := inner.Start; start <= inner.End; {
		stop := inner.End
		if k := strings.IndexByte(output[start:inner.End], separator); k >= 0 {
			stop = start + k
		}
		row.cells = append(row.cells, trim(output, start, stop))
		start = stop + 1
	}
	return row
}

func trim(text string, from, to int) segment.Span {
	t := text[from:to]
	from += len(t) - len(strings.TrimLeftFunc(t, unicode.IsSpace))
	to -= len(t) - len(strings.TrimRightFunc(t, unicode.IsSpace))
	return segment.Span{Start: from, End: max(from, to)}
}

// closeTable tells a table's header: the row over a line of dashes, or a first row
// without a number over rows that have some (in a grid each row is over such a
// line). One row alone is no table.
func closeTable(rows []tableRow, output string, ruled bool) []tableRow {
	if len(rows) < 2 && !ruled {
		return nil
	}
	number := func(r tableRow) bool { return strings.ContainsFunc(r.at.Of(output), unicode.IsNumber) }
	if !ruled && (number(rows[0]) || !slices.ContainsFunc(rows[1:], number)) {
		return rows
	}
	rows[0].header = true
	var names []string
	for _, c := range rows[0].cells {
		names = append(names, unmarked(c.Of(output)))
	}
	for i := range rows[1:] {
		rows[i+1].names = names
	}
	return rows
}

// codeBlock returns the span of a fenced block, or nothing when it holds prose: it
// says so, or says nothing and most of its lines are sentences.
func codeBlock(output string, start, end int) []segment.Span {
	at := []segment.Span{{Start: start, End: end}}
	first, rest, _ := strings.Cut(output[start:end], "\n")
	switch strings.ToLower(strings.TrimSpace(strings.Trim(strings.TrimSpace(first), "`~"))) {
	case "text", "txt", "plain", "plaintext", "markdown", "md", "quote":
		return nil
	case "":
	default:
		return at
	}
	lines, prose := 0, 0
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if !strings.ContainsFunc(line, unicode.IsLetter) {
			continue
		}
		lines++
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(line, "-*•>\"“ "))
		if unicode.IsUpper(r) && strings.HasSuffix(strings.TrimRight(line, "\"”*"), ".") && strings.Count(line, " ") >= 2 {
			prose++
		}
	}
	if 2*prose > lines {
		return nil
	}
	return at
}

// inCode reports whether a sentence lies in a block of code.
func (l layout) inCode(s segment.Span) bool {
	i, found := slices.BinarySearchFunc(l.code, s.Start, func(c segment.Span, at int) int { return spanAt(c, at) })
	return found && i < len(l.code)
}

// row returns the position of the row that a sentence begins in, or -1.
func (l layout) row(s segment.Span) int {
	i, found := slices.BinarySearchFunc(l.rows, s.Start, func(r tableRow, at int) int { return spanAt(r.at, at) })
	if !found {
		return -1
	}
	return i
}

// spanAt is negative when s ends before the offset, positive when it begins after
// it, else 0.
func spanAt(s segment.Span, at int) int {
	switch {
	case s.End <= at:
		return -1
	case s.Start > at:
		return 1
	}
	return 0
}

// maxLabelWords is how long a label is, and the value beside it.
const maxLabelWords, maxValueWords = 4, 6

// claims are what a row of a table states: each cell, of what its first cell
// names. values gets what each of them says, by its text.
func (r tableRow) claims(output string, values map[string]string) []claim.Claim {
	var out []claim.Claim
	add := func(text, value string, spans ...segment.Span) {
		values[text] = value
		out = append(out, claim.Claim{Text: text, Whole: true, Spans: claim.Merge(spans), Sentence: r.at})
	}
	subject := unmarked(r.cells[0].Of(output))
	for i, c := range r.cells[1:] {
		cell := unmarked(c.Of(output))
		switch {
		case !strings.ContainsFunc(cell, wordRune):
		case len(segment.Words(cell)) > maxValueWords && Checkable(cell):
			add(cell, cell, c) // a sentence of its own
		case !strings.ContainsFunc(subject, wordRune):
			add(cell, cell, c)
		default:
			label := ""
			if i+1 < len(r.names) && !emptyName.MatchString(r.names[i+1]) {
				label = strings.ToLower(r.names[i+1]) + " "
			}
			add(subject+": "+label+cell, cell, r.cells[0], c)
		}
	}
	return out
}

// emptyName is a name of a column that says nothing about what is in it.
var emptyName = regexp.MustCompile(`(?i)^(?:values?|details?|descriptions?|answers?|info(?:rmation)?|data|facts?|notes?|contents?|results?|)$`)

// labelled splits a line of the form "Opening year: 1998".
func labelled(sentence string) (value string, ok bool) {
	text := unmarked(plain(sentence))
	label, value, ok := strings.Cut(text, ": ")
	if !ok || strings.ContainsAny(value, ".!?;:\"“”") && len(segment.Words(value)) > 2 {
		return "", false
	}
	n, m := len(segment.Words(label)), len(segment.Words(value))
	if n < 1 || n > maxLabelWords || m < 1 || m > maxValueWords {
		return "", false
	}
	return strings.TrimRight(strings.TrimSpace(value), "."), true
}

// unmarked returns text without Markdown's emphasis and HTML's tags.
func unmarked(text string) string {
	t := emphasis.Replace(text)
	if strings.HasPrefix(t, "<") {
		t = tag.ReplaceAllString(t, " ")
	}
	return strings.TrimSpace(t)
}

var (
	emphasis = strings.NewReplacer("**", "", "__", "", "`", "")
	tag      = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)
)

// fragments leaves those claims unknown of which only the value stands in the
// sources; see ErrFragment.
func (p *Prepared) fragments(claims []claim.Claim, values map[string]string) {
	for i := range claims {
		c := &claims[i]
		value, ok := values[c.Text]
		if !ok || c.Verdict != claim.Unsupported && c.Verdict != claim.Contradicted {
			continue
		}
		if _, stands := p.mention(value, false); stands {
			*c = claim.Claim{Triple: c.Triple, Text: c.Text, Whole: c.Whole, Spans: c.Spans, Sentence: c.Sentence, Windows: c.Windows}
			unjudged(c, ErrFragment)
		}
	}
}
