package reply

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/kgeval/kgeval/llm"
)

// textKeys hold the text in an object.
var textKeys = []string{"corrected_text", "corrected", "text", "corrected_summary", "summary", "output", "result", "answer", "correction", "final", "response", "rewritten_text", "rewrite", "revised_text"}

// lead is a first line that only announces the text.
var lead = regexp.MustCompile(`(?i)^\W*(?:(?:sure|certainly|of course|okay|ok|yes|absolutely)\b[^\n:]{0,80}|here(?:['’]s| is| are)\b[^\n:]{0,100}|(?:the |your )?(?:corrected|revised|updated|rewritten|edited|modified|final|new|fixed|resulting)[^\n:]{0,60}|(?:output|answer|text|result|summary|correction))\s*:[*_]*[ \t]*`)

// note begins what a model adds about its own work.
var note = regexp.MustCompile(`(?i)\n\s*(?:\n|---+\s*\n)\s*(?:[*_(\[]*(?:note|notes|explanation|changes|changes made|change made|changed|reasoning|rationale|edit|edits|i(?:['’]ve| have)? (?:changed|replaced|corrected|updated|modified|only|made)|the (?:change|correction|only change)|let me know|please let me know|i hope|hope this|in this (?:version|text|corrected)))\b`)

// Text reads a text that the model was asked to write anew, original being the
// text that it was given. Taken off are reasoning, a fence, an answer tag, an
// object or string of JSON, a line that only announces ("Here is the corrected
// text:"), quotes around the whole and notes behind, each only where the original
// does not have the same. White space at the ends becomes the original's.
//
// A reply that was cut is ErrCut, never a text. Different texts in one reply are
// ErrAmbiguous.
func Text(r llm.Response, original string) (string, Report, error) {
	var rep Report
	text, bad := open(r, &rep)
	if bad != nil {
		return "", rep, bad
	}
	fail := func(kind error, detail string) (string, Report, error) {
		return "", rep, &Error{Kind: kind, Detail: detail, Raw: r.Text}
	}
	if r.Stop == llm.StopLength {
		return fail(ErrCut, "a text that was cut can't be used")
	}
	if refusal(strings.TrimSpace(text)) && !refusal(strings.TrimSpace(original)) {
		return fail(ErrRefused, "")
	}
	if emptyFence(strings.TrimSpace(text)) && !emptyFence(strings.TrimSpace(original)) {
		return fail(ErrEmpty, "an empty fence")
	}
	body, err := body(text, original, &rep)
	if err != nil {
		return fail(err.Kind, err.Detail)
	}
	body = strings.TrimSpace(body)
	if blank(body) || body == `""` && strings.TrimSpace(original) != `""` {
		return fail(ErrEmpty, "a text of nothing")
	}
	if refusal(body) && !refusal(strings.TrimSpace(original)) {
		return fail(ErrRefused, "")
	}
	return ends(original, body), rep, nil
}

// ends gives body the white space that original begins and ends with.
func ends(original, body string) string {
	trimmed := strings.TrimSpace(original)
	if trimmed == "" {
		return body
	}
	i := strings.Index(original, trimmed)
	return original[:i] + body + original[i+len(trimmed):]
}

// body returns the text of a reply without what stands around it.
func body(text, original string, rep *Report) (string, *Error) {
	t := strings.TrimSpace(text)
	// JSON that the original is not.
	if o := strings.TrimSpace(original); t[0] == '{' && !strings.HasPrefix(o, "{") || t[0] == '[' && !strings.HasPrefix(o, "[") || t[0] == '"' && !strings.HasPrefix(o, `"`) {
		if s, ok, err := jsonText(t, rep); ok || err != nil {
			return s, err
		}
	}
	if !strings.Contains(original, "```") && !strings.Contains(original, "~~~") {
		if s, ok, err := one(fences(text), "fence"); err != nil {
			return "", err
		} else if ok {
			rep.repaired("a fence around the text")
			return body(s, original, rep)
		}
	}
	if strings.Contains(text, ">") && answerTags.MatchString(text) && !answerTags.MatchString(original) {
		if s, ok, err := one(tagged(text), "tag"); err != nil {
			return "", err
		} else if ok {
			return body(s, original, rep)
		}
	}
	if m := lead.FindString(head(t, 300)); m != "" && !strings.HasPrefix(original, m) && lead.FindString(head(strings.TrimSpace(original), 300)) == "" && len(m) < len(t) {
		rep.repaired("an announcement before the text")
		t = strings.TrimSpace(t[len(m):])
	}
	// A note is short, and it is slow to look for.
	tail := max(0, len(t)-4000)
	if m := note.FindStringIndex(t[tail:]); m != nil && tail+m[0] > 0 && note.FindStringIndex(original[max(0, len(original)-4000):]) == nil {
		rep.repaired("a note behind the text")
		t = strings.TrimSpace(t[:tail+m[0]])
	}
	if u := unquote(t); u != t && len(u) > 0 && unquote(strings.TrimSpace(original)) == strings.TrimSpace(original) && !inner(u, t) {
		rep.repaired("quotes around the text")
		t = u
	}
	return t, nil
}

// inner reports whether the quotes that were cut off t are those of two quotations
// inside it.
func inner(u, t string) bool {
	q, _ := utf8.DecodeRuneInString(t)
	return strings.ContainsRune(u, q) && q != '*'
}

// one returns the only text among the parts, if there are any that hold text.
func one(parts []region, what string) (string, bool, *Error) {
	text, found := "", false
	for _, p := range parts {
		switch {
		case blank(p.text):
		case p.cut && what == "fence" || p.cut:
			return "", false, &Error{Kind: ErrCut, Detail: "a " + what + " that is never closed"}
		case found && strings.TrimSpace(p.text) != strings.TrimSpace(text):
			return "", false, &Error{Kind: ErrAmbiguous, Detail: "different texts in several places"}
		default:
			text, found = p.text, true
		}
	}
	if !found && len(parts) > 0 {
		return "", false, &Error{Kind: ErrEmpty, Detail: "an empty " + what}
	}
	return text, found, nil
}

// jsonText reads the text out of an object, list or string of JSON.
func jsonText(t string, rep *Report) (string, bool, *Error) {
	var local Report
	p := &parser{src: t, rep: &local}
	v := p.value(0, "")
	p.space()
	if v.cut || p.deep {
		if t[0] != '"' {
			return "", false, &Error{Kind: ErrCut, Detail: "an object that is never closed"}
		}
		return "", false, nil
	}
	if !p.end() && t[0] == '"' {
		return "", false, nil // a text that begins with a quotation
	}
	s, n := pick(v, 0)
	switch {
	case n == 0 && v.kind == stringValue, n == 0 && t[0] != '{':
		return "", false, nil
	case n == 0:
		return "", false, &Error{Kind: ErrUnreadable, Detail: "an object without a text"}
	case n > 1:
		return "", false, &Error{Kind: ErrAmbiguous, Detail: "several texts in one object"}
	}
	if t[0] == '"' {
		rep.repaired("quotes around the text")
	}
	merge(rep, local)
	return s, true, nil
}

// pick returns the text that v holds, and how many different ones there are.
func pick(v value, depth int) (string, int) {
	switch v.kind {
	case stringValue:
		return v.text, 1
	case listValue:
		if len(v.items) == 1 && depth < 4 {
			return pick(v.items[0], depth+1)
		}
	case objectValue:
		for _, want := range textKeys {
			for i, k := range v.keys {
				if strings.EqualFold(strings.ReplaceAll(k, " ", "_"), want) && depth < 4 {
					return pick(v.items[i], depth+1)
				}
			}
		}
		if len(v.items) == 1 && depth < 4 {
			return pick(v.items[0], depth+1)
		}
	}
	return "", 0
}

// Plain returns a reply in words as it is, without reasoning before it, marks of
// the model's template and blanks around it. Only a reply of nothing, and one that
// the backend marks as refused, is an *Error.
func Plain(r llm.Response) (string, error) {
	var rep Report
	text, bad := open(r, &rep)
	if bad != nil {
		return "", bad
	}
	return strings.TrimSpace(text), nil
}
