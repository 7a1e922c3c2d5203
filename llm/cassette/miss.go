package cassette

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MissError says that a request was not recorded. Its text names the nearest
// recording and how the request differs from it.
type MissError struct {
	Path string
	// Nearest is the place in the file of the recording that has most words in
	// common with the request, from 1; 0 where there are no recordings.
	Nearest int
	// Diff says what differs, a line each: what was recorded after "-", what
	// is asked now after "+". Secrets are replaced in it.
	Diff string
}

func (e *MissError) Error() string {
	if e.Nearest == 0 {
		return fmt.Sprintf("cassette: %s: no such request recorded, nor any other", e.Path)
	}
	return fmt.Sprintf("cassette: %s: no such request recorded; nearest is recording %d (- recorded, + asked):\n%s", e.Path, e.Nearest, e.Diff)
}

func (c *Cassette) miss(asked *recording) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &MissError{Path: c.path}
	words := wordsOf(asked)
	best := -1.0
	for i, r := range c.recordings {
		if s := overlap(words, wordsOf(r)); s > best {
			best, e.Nearest = s, i+1
		}
	}
	if e.Nearest > 0 {
		e.Diff = diff(c.recordings[e.Nearest-1], asked)
	}
	return e
}

// wordsOf counts a request's words, with its settings as words too.
func wordsOf(r *recording) map[string]int {
	n := map[string]int{}
	for _, f := range fieldsOf(r) {
		n[f.name+" "+f.value]++
		for word := range strings.FieldsSeq(f.value) {
			n[word]++
		}
	}
	return n
}

// overlap is the Dice coefficient of two bags.
func overlap(a, b map[string]int) float64 {
	both, all := 0, 0
	for w, n := range a {
		both += min(n, b[w])
		all += n
	}
	for _, n := range b {
		all += n
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(both) / float64(all)
}

type field struct{ name, value string }

// fieldsOf is a request as named texts; what is unset is not there.
func fieldsOf(r *recording) []field {
	q := r.Request
	all := []field{{"model", r.Model}}
	add := func(set bool, name string, value any) {
		if set {
			all = append(all, field{name, fmt.Sprint(value)})
		}
	}
	add(q.Temperature != nil, "temperature", deref(q.Temperature))
	add(q.TopP != nil, "top_p", deref(q.TopP))
	add(q.TopK != nil, "top_k", deref(q.TopK))
	add(q.Seed != nil, "seed", deref(q.Seed))
	add(q.MaxTokens != 0, "max_tokens", q.MaxTokens)
	add(q.LogProbs != 0, "log_probs", q.LogProbs)
	add(q.Sample != 0, "sample", q.Sample)
	add(len(q.Stop) > 0, "stop", fmt.Sprintf("%q", q.Stop))
	add(len(q.Schema) > 0, "schema", string(q.Schema))
	for i, m := range q.Messages {
		add(true, fmt.Sprintf("messages[%d].role", i), m.Role)
		add(true, fmt.Sprintf("messages[%d].text", i), m.Text)
	}
	return all
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Bounds of what a diff shows.
const (
	diffLines = 8   // of each side of a text
	diffBytes = 160 // of a line
)

// diff says how two requests differ.
func diff(recorded, asked *recording) string {
	was, is := fieldsOf(recorded), fieldsOf(asked)
	value := func(all []field, name string) (string, bool) {
		i := slices.IndexFunc(all, func(f field) bool { return f.name == name })
		if i < 0 {
			return "", false
		}
		return all[i].value, true
	}
	var b strings.Builder
	done := map[string]bool{}
	for _, f := range append(slices.Clone(was), is...) {
		if done[f.name] {
			continue
		}
		done[f.name] = true
		x, before := value(was, f.name)
		y, now := value(is, f.name)
		if before == now && x == y {
			continue
		}
		diffText(&b, f.name, x, y, before, now)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// diffText shows the lines between the common beginning and the common end of
// two texts.
func diffText(b *strings.Builder, name, was, is string, before, now bool) {
	var x, y []string
	if before {
		x = strings.Split(was, "\n")
	}
	if now {
		y = strings.Split(is, "\n")
	}
	from := 0
	for from < len(x) && from < len(y) && x[from] == y[from] {
		from++
	}
	to := 0
	for to < len(x)-from && to < len(y)-from && x[len(x)-1-to] == y[len(y)-1-to] {
		to++
	}
	fmt.Fprintf(b, "  %s", name)
	if from > 0 {
		fmt.Fprintf(b, ", from line %d", from+1)
	}
	b.WriteString(":\n")
	// Where both sides begin alike, the beginning is left out of long lines.
	skip := 0
	x, y = x[from:len(x)-to], y[from:len(y)-to]
	if len(x) == 1 && len(y) == 1 {
		skip = commonPrefix(x[0], y[0])
	}
	side(b, "-", x, before, skip)
	side(b, "+", y, now, skip)
}

func side(b *strings.Builder, sign string, lines []string, set bool, skip int) {
	if !set {
		fmt.Fprintf(b, "    %s (unset)\n", sign)
		return
	}
	for i, line := range lines {
		if i == diffLines {
			fmt.Fprintf(b, "    %s (%d lines more)\n", sign, len(lines)-i)
			break
		}
		fmt.Fprintf(b, "    %s %s\n", sign, clip(line, skip))
	}
}

// clip quotes a line, without what is too long before and after place at.
func clip(line string, at int) string {
	front, end := "", ""
	if at > diffBytes/2 {
		cut := runeStart(line, at-diffBytes/4)
		line, front = line[cut:], "…"
	}
	if len(line) > diffBytes {
		line, end = line[:runeStart(line, diffBytes)], "…"
	}
	return front + fmt.Sprintf("%q", line) + end
}

// runeStart returns the last place up to at where a rune begins.
func runeStart(s string, at int) int {
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
