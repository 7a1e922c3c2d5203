package reply

import (
	"encoding/json"
	"regexp"
	"strings"
)

// thoughts are the marks between which models reason before they answer.
var thoughts = regexp.MustCompile(`(?i)<(/?)(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)>|\[(/?)think\]|◁(/?)think▷`)

// channel marks the answer in replies that come in channels.
var channel = regexp.MustCompile(`<\|channel\|>\s*final\s*<\|message\|>`)

// Marks of a model's own template that leak into replies.
var (
	firstControl = regexp.MustCompile(`^(?:<\|(?:im_start|start|assistant|start_header_id)\|>|<start_of_turn>)(?:assistant|model)?`)
	lastControl  = regexp.MustCompile(`(?:<\|(?:im_end|endoftext|end|eot_id|eom_id|return)\|>|<end_of_turn>)$`)
)

// withoutReasoning returns text without what the model thought before its
// answer; unfinished says that the thinking has no end. What is strict JSON as a
// whole is left alone, and so are marks inside a string of a value.
func withoutReasoning(text string) (answer string, unfinished bool) {
	trimmed := strings.TrimSpace(text)
	if trimmed != "" && (trimmed[0] == '[' || trimmed[0] == '{') && json.Valid([]byte(trimmed)) {
		return text, false
	}
	if strings.Contains(text, "<|channel|>") {
		if m := channel.FindAllStringIndex(text, -1); m != nil {
			text = text[m[len(m)-1][1]:]
		}
	}
	if !strings.ContainsAny(text, "<◁") && !strings.Contains(strings.ToLower(text), "think]") {
		return withoutControls(text), false
	}
	var b strings.Builder
	at, depth := 0, 0
	line := quoted{text: text}
	for _, m := range thoughts.FindAllStringSubmatchIndex(text, -1) {
		closing := false
		for g := 2; g < len(m); g += 2 {
			closing = closing || m[g] >= 0 && m[g+1] > m[g]
		}
		if depth == 0 && line.inString(m[0]) {
			continue // a mark inside a string belongs to the data
		}
		switch {
		case !closing:
			if depth == 0 {
				b.WriteString(text[at:m[0]])
			}
			depth++
		case depth > 0:
			depth--
			at = m[1]
		default: // the opening mark was part of the prompt
			b.Reset()
			at = m[1]
		}
	}
	if depth == 0 {
		b.WriteString(text[at:])
	}
	return withoutControls(b.String()), depth > 0
}

// withoutControls cuts the marks of the model's template off both ends.
func withoutControls(s string) string {
	for range 8 { // a model that repeats its marks for ever says nothing else
		t := strings.TrimSpace(s)
		n := len(t)
		if m := firstControl.FindStringIndex(t[:min(n, 64)]); m != nil {
			t = t[m[1]:]
		}
		if tail := max(0, len(t)-64); len(t) > 0 {
			if m := lastControl.FindStringIndex(t[tail:]); m != nil {
				t = t[:tail+m[0]]
			}
		}
		if len(t) == n {
			return s
		}
		s = t
	}
	return s
}

// quoted tells, for ascending places of text, whether they lie inside a string on
// a line that begins as a value does.
type quoted struct {
	text   string
	pos    int  // everything before was read
	inside bool // pos is inside a string
	data   bool // the line began with a bracket or a quote
	begun  bool // the line has more than blanks
}

func (q *quoted) inString(at int) bool {
	for ; q.pos < at; q.pos++ {
		switch c := q.text[q.pos]; {
		case c == '\n':
			q.inside, q.data, q.begun = false, false, false
		case !q.begun && c > ' ':
			q.begun = true
			q.data = strings.IndexByte(`[{("`, c) >= 0
			q.inside = c == '"'
		case c == '\\' && q.inside:
			q.pos++
		case c == '"':
			q.inside = !q.inside
		}
	}
	return q.data && q.inside
}

// refusals are how models begin when they decline, in small letters.
var refusals = regexp.MustCompile(`(?i)^\W*(?:(?:i(?:['’]m| am)|we(?:['’]re| are)) (?:very |so |really )?(?:sorry|afraid|unable|not able|not allowed|not comfortable)|(?:i|we) (?:can(?:['’]t|not| not)|could(?:n['’]t| not)|won['’]t|will not|must decline|decline|apologi[sz]e|don['’]t feel comfortable)|sorry|apologies|my apologies|unfortunately|as an? (?:ai|language model|large language model)|lo siento|no puedo|es tut mir leid|tut mir leid|ich kann|désolée?|je suis désolée?|je ne peux pas|mi dispiace|desculpe|sinto muito|извините|к сожалению|抱歉|对不起|很抱歉|我无法|申し訳|すみません|죄송)`)

// refusal reports whether text begins as a refusal does.
func refusal(text string) bool { return refusals.MatchString(head(text, 200)) }

// head returns the first n bytes of s at most. Expressions that only look at the
// beginning are not shown more, since they are slow.
func head(s string, n int) string { return s[:min(n, len(s))] }
