package reply

import (
	"encoding/json"
	"regexp"
	"strings"
)

// region is a part of a reply that may hold the answer.
type region struct {
	text string
	// cut says that its end was not found.
	cut bool
	// before is the prose between the region before and this one.
	before string
}

// maxRegions bounds how many parts of a reply are looked at.
const maxRegions = 500

// fenceLine is a line that opens or closes a block of code.
var fenceLine = regexp.MustCompile("(?m)^[ \t>]*(```+|~~~+)[ \t]*([^`~\r\n]*?)[ \t]*\r?$")

// fences returns the contents of fenced blocks of any tag.
func fences(text string) []region {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return nil
	}
	var out []region
	open, mark, from, last := false, "", 0, 0
	for _, m := range fenceLine.FindAllStringSubmatchIndex(text, 2*maxRegions) {
		fence, tag := text[m[2]:m[3]], text[m[4]:m[5]]
		switch {
		case !open:
			// Data that follows the opening on its line: ```json [["a", …
			open, mark, from = true, fence, m[1]
			if tag != "" && strings.IndexByte(`[{("`, tag[0]) >= 0 {
				from = m[4]
			}
			out = append(out, region{before: text[last:m[0]]})
		case tag == "" && fence[0] == mark[0] && len(fence) >= len(mark):
			out[len(out)-1].text = text[from:m[0]]
			open, last = false, m[1]
		}
	}
	if open {
		out[len(out)-1].text, out[len(out)-1].cut = text[from:], true
	}
	// A block within one line: ```json [["a","b","c"]] ```
	if len(out) == 0 {
		if i := strings.Index(text, "```"); i >= 0 {
			body, _, closed := strings.Cut(text[i+3:], "```")
			k := strings.IndexAny(body, "[{(\"\n")
			if closed && k >= 0 && strings.Trim(body[:k], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+ ") == "" {
				out = append(out, region{text: body[k:], before: text[:i]})
			}
		}
	}
	return out
}

// emptyFence reports whether text is a fence with nothing in it.
func emptyFence(text string) bool {
	f := fences(text)
	return len(f) > 0 && blank(f[0].text) && len(f) == 1 ||
		len(f) == 0 && strings.Trim(text, "`~ \t\r\njsonJSON") == "" && strings.Contains(text, "```")
}

// answerTags are the names of tags that hold an answer.
var answerTags = regexp.MustCompile(`(?i)<(/?)(python|json|answer|output|result|results|triples|triplets|response|final|final_answer|kg|graph|knowledge_graph|triple|verdicts|verdict|text|corrected|corrected_text|correction|corrected_triple)>`)

// tagged returns the contents of the outermost answer tags.
func tagged(text string) []region {
	if !strings.Contains(text, ">") {
		return nil
	}
	var out []region
	name, from, depth, last := "", 0, 0, 0
	for _, m := range answerTags.FindAllStringSubmatchIndex(text, 2*maxRegions) {
		n := strings.ToLower(text[m[4]:m[5]])
		closing := m[3] > m[2]
		switch {
		case depth == 0 && !closing:
			name, from, depth = n, m[1], 1
			out = append(out, region{before: text[last:m[0]]})
		case depth > 0 && n == name && !closing:
			depth++
		case depth > 0 && n == name:
			if depth--; depth == 0 {
				out[len(out)-1].text = text[from:m[0]]
				last = m[1]
			}
		}
	}
	if depth > 0 {
		out[len(out)-1].text, out[len(out)-1].cut = text[from:], true
	}
	return out
}

// replaces are words with which a model takes back what it gave before, or gives
// a choice.
var replaces = regexp.MustCompile(`(?i)\b(?:or|alternatively|instead|corrected|correction|revised|updated|improved|final|actually|wait|another (?:way|version|option|possibility)|version|option|better)\b`)

// maxProse is how much of the prose between answers is looked at, in bytes.
const maxProse = 20_000

// prose joins what stands between answers, as far as it is looked at.
type prose struct{ b strings.Builder }

func (p *prose) add(s string) {
	if room := maxProse - p.b.Len(); room > 0 {
		p.b.WriteString(head(s, room))
	}
}

// replaces reports whether an answer behind it may take the place of one before.
func (p *prose) replaces() bool { return replaces.MatchString(p.b.String()) }

// found is a top-level value of a region.
type found struct {
	value
	before string // the prose between the value before and this one
	src    string // the text that its places are in
}

// values returns the values of a region: all that begin with a bracket, one
// after the other, and what stands between them.
func values(text string, rep *Report) []found {
	var out []found
	var open *found // a value in the middle of a line that is never closed
	var openRep Report
	last := 0
	budget := 8*len(text) + 1024 // for what is read more than once
	for pos := 0; pos < len(text); pos++ {
		i := strings.IndexAny(text[pos:], "[{(")
		if i < 0 {
			break
		}
		pos += i
		first := firstOnLine(text, pos)
		if text[pos] == '(' && !first && !quoteAfter(text, pos) {
			continue
		}
		var local Report
		p := &parser{src: text, pos: pos, rep: &local}
		v := p.value(0, "")
		if budget -= v.end - v.at; budget < 0 {
			rep.drop(text[pos:], "too many brackets that are never closed")
			break
		}
		if p.deep {
			rep.drop(text[pos:], "nested too deep")
			break
		}
		if !worthwhile(v, text, first, p.quoted) {
			continue
		}
		f := found{v, text[last:v.at], text}
		if v.cut && !first {
			if open == nil {
				open, openRep = &f, local
			}
			continue
		}
		merge(rep, local)
		out = append(out, f)
		pos = max(v.end, pos+1) - 1
		last = pos + 1
	}
	if len(out) == 0 && open != nil {
		merge(rep, openRep)
		out = append(out, *open)
	}
	return out
}

// quoteAfter reports whether a string begins right behind the bracket at the byte
// at.
func quoteAfter(text string, at int) bool {
	for at++; at < len(text) && text[at] == ' '; at++ {
	}
	return at < len(text) && (text[at] == '"' || text[at] == '\'')
}

// firstOnLine reports whether nothing but a list's marker stands before the byte
// at on its line.
func firstOnLine(text string, at int) bool {
	from := max(0, at-16)
	s := text[from:at]
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		s = s[i+1:]
	} else if from > 0 {
		return false
	}
	return strings.Trim(s, " \t\r-*•>0123456789.),;:") == ""
}

// worthwhile reports whether v may be an answer and is no bracket in prose: it
// stands first on its line, or has quoted strings, lists or objects in it.
func worthwhile(v value, text string, first, quoted bool) bool {
	switch {
	case len(v.items) == 0:
		return first
	case text[v.at] == '(' && !tupleLike(v):
		return false
	case v.cut && !quoted:
		return v.at == 0
	case quoted:
		return true
	}
	for _, it := range v.items {
		if !it.scalar() {
			return true
		}
	}
	return first && (text[v.at] == '{' || len(v.items) >= 3)
}

// tupleLike reports whether a value in parentheses is a tuple of data.
func tupleLike(v value) bool {
	quoted := 0
	for _, it := range v.items {
		if !it.scalar() {
			if !tupleLike(it) && it.kind == listValue && len(it.items) == 0 {
				return false
			}
			return true
		}
		if it.quote != 0 {
			quoted++
		}
	}
	return quoted >= 2 || quoted == 1 && len(v.items) >= 3
}

// merge adds what reading a part did to rep.
func merge(rep *Report, part Report) {
	for _, r := range part.Repaired {
		rep.repaired(r)
	}
	for _, d := range part.Dropped {
		rep.drop(d.Raw, d.Reason)
	}
}

// strict parses text as one JSON value without repairs.
func strict(text string) (found, bool) {
	t := strings.TrimSpace(text)
	if t == "" || !json.Valid([]byte(t)) {
		return found{}, false
	}
	var rep Report
	p := &parser{src: t, rep: &rep}
	v := p.value(0, "")
	if p.deep {
		return found{}, false
	}
	v.cut = false
	return found{v, "", t}, true
}
