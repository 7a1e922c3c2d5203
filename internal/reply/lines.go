package reply

import (
	"regexp"
	"strings"

	"github.com/kgeval/kgeval/kg"
)

// marker is what a line of a list begins with.
var marker = regexp.MustCompile(`^(?:[-*•‣–]\s+|\(?\d{1,4}[.):]\s+|(?:triple|fact)\s*\d*\s*:\s*)`)

// field is a line that names one part of a triple.
var field = regexp.MustCompile(`^[*_"']*([A-Za-z][A-Za-z _-]{0,20}?\d?)[*_"']*\s*[:=]\s*(.*)$`)

var arrow = regexp.MustCompile(`^(.+?)\s*(?:-+\[:?(.+?)\]-*>|-{1,2}(?:>)?\s+(.+?)\s+-{1,2}>|→\s*(.+?)\s*→|--\s*(.+?)\s*-->)\s*(.+)$`)

// lines reads triples from lines without brackets; it reports whether there were
// any. In a text that was cut the last line does not count.
func (g *gatherer) lines(text string, cut bool) bool {
	all := strings.Split(text, "\n")
	found := false
	var rec [3]string
	count := func() (n int) {
		for _, s := range rec {
			if s != "" {
				n++
			}
		}
		return n
	}
	for i, line := range all {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		last := cut && i == len(all)-1
		if t, ok := lineTriple(line); ok {
			found = true
			if last {
				g.rep.drop(line, reasonCut)
				g.rep.Truncated = true
				continue
			}
			g.rep.repaired("triples as text")
			g.line(t, line)
			continue
		}
		var m []string
		if strings.ContainsAny(head(line, 80), ":=") {
			m = field.FindStringSubmatch(marker.ReplaceAllString(line, ""))
		}
		if m == nil {
			if parts := cells(line); len(parts) > 3 && strings.Count(line, "|") >= 2 {
				found = true
				g.rep.drop(line, reasonParts)
			}
			continue
		}
		part, strong := role(m[1])
		if part < 0 || !strong || strings.TrimSpace(m[2]) == "" {
			continue
		}
		if rec[part] != "" {
			g.rep.drop(strings.Join(rec[:], " | "), reasonParts+": keys are missing")
			rec = [3]string{}
		}
		if last {
			g.rep.drop(line, reasonCut)
			g.rep.Truncated = true
			continue
		}
		rec[part] = unquote(strings.TrimSuffix(strings.TrimSpace(m[2]), ","))
		if count() == 3 {
			found = true
			g.rep.repaired("triples as text")
			g.line(kg.Triple{Head: rec[0], Relation: rec[1], Tail: rec[2]}, strings.Join(rec[:], " | "))
			rec = [3]string{}
		}
	}
	if n := count(); n > 0 && found {
		g.rep.drop(strings.Join(rec[:], " | "), reasonParts+": keys are missing")
	}
	return found
}

// line keeps a triple of plain text if its labels can be used.
func (g *gatherer) line(t kg.Triple, raw string) {
	for _, l := range []*string{&t.Head, &t.Relation, &t.Tail} {
		*l = g.label(*l)
		switch {
		case *l == "":
			g.rep.drop(raw, reasonEmpty)
			return
		case len(*l) > maxLabel:
			g.rep.drop(raw, reasonLong)
			return
		}
	}
	g.keep(t, raw)
}

// lineTriple reads one line as a triple: its parts set apart by |, tabs, arrows or
// <|>, or in parentheses with exactly two commas.
func lineTriple(line string) (kg.Triple, bool) {
	if len(line) > 3*maxLabel {
		return kg.Triple{}, false
	}
	s := strings.TrimSpace(marker.ReplaceAllString(strings.TrimSpace(line), ""))
	s = strings.TrimRight(s, ",;")
	if n := len(s); n > 2 && s[0] == '"' && s[n-1] == '"' && strings.Count(s, `"`) == 2 {
		s = s[1 : n-1] // the whole line in quotes
	}
	bare := strings.Trim(strings.TrimSuffix(s, "."), "`")
	if len(bare) > 2 && (bare[0] == '(' && bare[len(bare)-1] == ')' || bare[0] == '<' && bare[len(bare)-1] == '>' && !strings.Contains(bare, "<|>")) {
		in := bare[1 : len(bare)-1]
		for _, sep := range []string{" | ", "|", ";", ","} {
			if parts := strings.Split(in, sep); len(parts) == 3 {
				return triple(parts)
			} else if len(parts) > 1 {
				return kg.Triple{}, false
			}
		}
		return kg.Triple{}, false
	}
	for _, sep := range []string{"<|>", "\t", "|"} {
		if strings.Contains(s, sep) {
			if parts := cells2(s, sep); len(parts) == 3 {
				return triple(parts)
			}
			return kg.Triple{}, false
		}
	}
	if !strings.Contains(s, ">") && !strings.Contains(s, "→") {
		return kg.Triple{}, false
	}
	if m := arrow.FindStringSubmatch(s); m != nil {
		rel := m[2] + m[3] + m[4] + m[5]
		return triple([]string{m[1], rel, m[6]})
	}
	return kg.Triple{}, false
}

func cells(line string) []string { return cells2(line, "|") }

// cells2 splits a row at sep; the bars at the ends of a table's row are no cells.
func cells2(line, sep string) []string {
	if sep == "|" {
		line = strings.TrimPrefix(strings.TrimSpace(line), "|")
		line = strings.TrimSuffix(strings.TrimSpace(line), "|")
	}
	return strings.Split(line, sep)
}

func triple(parts []string) (kg.Triple, bool) {
	t := kg.Triple{Head: unquote(parts[0]), Relation: unquote(parts[1]), Tail: unquote(parts[2])}
	return t, t.Head != "" && t.Relation != "" && t.Tail != ""
}

// unquote cuts blanks and one pair of quotes off.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	for _, q := range [...][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"`", "`"}, {"**", "**"}} {
		if len(s) >= len(q[0])+len(q[1]) && strings.HasPrefix(s, q[0]) && strings.HasSuffix(s, q[1]) {
			return strings.TrimSpace(s[len(q[0]) : len(s)-len(q[1])])
		}
	}
	return s
}
