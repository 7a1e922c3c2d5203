package reply

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
)

func say(text string) llm.Response { return llm.Response{Text: text, Stop: llm.StopEnd} }

// big are replies of about n bytes that a careless reader takes quadratic time, or
// all memory, for.
func big(n int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, n/len(s)) }
	return map[string]string{
		"opening brackets":      fill("["),
		"opening mixed":         fill(`[{"a":`),
		"opening parentheses":   fill("("),
		"brackets in prose":     fill("see [ and "),
		"unclosed strings":      fill(`["`),
		"quotes":                fill(`"`),
		"apostrophes":           "[" + fill("'a "),
		"quotes and blanks":     "[" + fill(`"   `),
		"backslashes":           `["` + fill(`\`),
		"commas":                "[" + fill(","),
		"one label":             `[["` + fill("a") + `","in","B"]]`,
		"one line of words":     fill("word "),
		"bars":                  fill("|"),
		"arrows":                fill("a -> "),
		"fences":                fill("```\n"),
		"fence marks":           fill("`"),
		"thoughts":              fill("<think>"),
		"thoughts in a line":    "[\"" + fill("<think></think>"),
		"ends of thoughts":      fill("</think>"),
		"tags":                  fill("<answer>"),
		"tags, closed":          fill("<answer>[]</answer>"),
		"line breaks":           fill("\n"),
		"comments":              "[" + fill("/*"),
		"named lines":           fill("head: a\n"),
		"numbered lines":        fill("1: supported\n"),
		"verdicts":              "[" + fill(`{"id":1,"verdict":"supported"},`),
		"strings in strings":    `"` + fill(`\"`),
		"empty lists":           fill("[] "),
		"small lists":           fill(`["a"] `),
		"announcements":         fill("Here is the text:\n"),
		"notes":                 fill("\n\nNote: x"),
		"bytes, not UTF-8":      fill("\xff["),
		"NUL":                   fill("\x00"),
		"marks of a template":   fill("<|im_end|>"),
		"channels":              fill("<|channel|>final<|message|>"),
		"combining":             fill("e\u0301"),
		"rows without brackets": fill(`"a","b","c",`),
	}
}

// No reply takes long, and what could not be used is counted. A quadratic reader
// would take minutes for each.
func TestBigReplies(t *testing.T) {
	all := big(200 << 10)
	for name, text := range big(3 << 20) {
		switch name {
		case "opening brackets", "unclosed strings", "verdicts", "one line of words", "rows without brackets":
			all[name+", 3 MB"] = text
		}
	}
	for name, text := range all {
		start := time.Now()
		ts, rep, err := Triples(say(text), Options{})
		if len(ts) == 0 && err == nil && rep.Counts == nil && name != "empty lists" && name != "tags, closed" {
			t.Errorf("%s: nothing, and no error", name)
		}
		if len(ts) > 10_000 {
			t.Errorf("%s: %d triples", name, len(ts))
		}
		ReadVerdicts(say(text), 3)
		Text(say(text), "a text")
		Sets(say(text), make([]Options, 2))
		if d := time.Since(start); d > 40*time.Second {
			t.Errorf("%s: %v", name, d)
		}
	}
	if _, _, err := Triples(say(strings.Repeat("[", MaxBytes+1)), Options{}); !errors.Is(err, ErrTooLong) {
		t.Errorf("over the limit: %v", err)
	}
}

// Eight times the reply is at most eight times the work and a little. What is counted
// is memory that was taken, which no load changes: readers that copy what they read
// so far take quadratically much. (Processor time of the same replies, 40 against 320
// KB, grows by 11 times at most.)
func TestWorkIsLinear(t *testing.T) {
	taken := func(f func()) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	small, large := big(10<<10), big(80<<10)
	for name := range small {
		for reader, read := range map[string]func(string){
			"triples":  func(s string) { Triples(say(s), Options{}) },
			"verdicts": func(s string) { ReadVerdicts(say(s), 3) },
			"text":     func(s string) { Text(say(s), "a text") },
			"sets":     func(s string) { Sets(say(s), make([]Options, 2)) },
		} {
			a, b := taken(func() { read(small[name]) }), taken(func() { read(large[name]) })
			// Slices grow by doubling, and the first bytes are for tables and the like.
			if b > 16*max(a, 64<<10) {
				t.Errorf("%s, %s: %.0f KB for 10 KB, %.0f KB for 80 KB", name, reader, a/1024, b/1024)
			}
		}
	}
}

func TestManyTriples(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"triples":[`)
	const n = 100_000
	for i := range n {
		fmt.Fprintf(&b, `["a%d","in","b"],`, i)
	}
	text := strings.TrimSuffix(b.String(), ",") + "]}"
	ts, rep, err := Triples(say(text), Options{})
	if err != nil || len(ts) != 10_000 || rep.Counts[reasonLimit] != n-10_000 || len(rep.Dropped) != maxDrops {
		t.Errorf("%d triples, dropped %v (%d kept), %v", len(ts), rep.Counts, len(rep.Dropped), err)
	}
	if ts[9_999].Head != "a9999" {
		t.Errorf("the last is %v", ts[9_999])
	}
	if ts, _, err = Triples(say(text), Options{Limit: 2 * n}); err != nil || len(ts) != n {
		t.Errorf("without the limit: %d triples, %v", len(ts), err)
	}
}

func TestSets(t *testing.T) {
	for _, c := range []struct{ name, reply, want string }{
		{"by number", `{"1": [["a","in","b"]], "2": []}`, "1[(a, in, b)] 2[] 3-"},
		{"in words", "```json\n{\"text 1\": [[\"a\",\"in\",\"b\"]], \"Text 3\": {\"triples\": [[\"c\",\"in\",\"d\"]]}}\n```", "1[(a, in, b)] 2- 3[(c, in, d)]"},
		{"wrapped", `{"texts": {"2": [["a","in","b"]]}}`, "1- 2[(a, in, b)] 3-"},
		{"objects on lines", "{\"1\": [[\"a\",\"in\",\"b\"]]}\n{\"2\": [[\"c\",\"in\",\"d\"]]}", "1[(a, in, b)] 2[(c, in, d)] 3-"},
		{"twice", `{"1": [["a","in","b"]], "1": [["c","in","d"]]}`, "1[(a, in, b)] 2- 3-"},
		{"one cut", `{"1": [["a","in","b"]], "2": [["c","i`, "1[(a, in, b)] 2- 3-"},
	} {
		sets, _, err := Sets(llm.Response{Text: c.reply, Stop: llm.StopUnknown}, make([]Options, 3))
		var got []string
		for i, s := range sets {
			if !s.Read {
				got = append(got, fmt.Sprintf("%d-", i+1))
				continue
			}
			got = append(got, fmt.Sprint(i+1, s.Triples))
		}
		if s := strings.ReplaceAll(strings.Join(got, " "), " [", "["); err != nil || s != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.name, s, err, c.want)
		}
	}
	for _, bad := range []string{"", "no", "[]", `{"x": [["a","in","b"]]}`, `{"7": [["a","in","b"]]}`} {
		if _, _, err := Sets(say(bad), make([]Options, 2)); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
}

func TestPlain(t *testing.T) {
	for _, c := range []struct{ reply, want string }{
		{" Paris.\n", "Paris."}, {"<think>Oslo?</think>\nParis.", "Paris."}, {"I don't know.", "I don't know."}, {"I'm sorry, I can't say.", "I'm sorry, I can't say."},
	} {
		if got, err := Plain(say(c.reply)); got != c.want || err != nil {
			t.Errorf("%q: %q, %v", c.reply, got, err)
		}
	}
	if _, err := Plain(say(" ")); !errors.Is(err, ErrEmpty) {
		t.Errorf("nothing: %v", err)
	}
}

// An Error's text is short, on one line and UTF-8, however long the reply.
func TestErrorText(t *testing.T) {
	_, _, err := Triples(say("no\n\xff"+strings.Repeat("é", 10_000)), Options{})
	var e *Error
	if !errors.As(err, &e) || len(e.Error()) > 400 || strings.Contains(e.Error(), "\n") || !utf8.ValidString(e.Error()) {
		t.Errorf("%q", err)
	}
	if !errors.Is(&Error{Kind: ErrRefused}, llm.ErrRefused) || !errors.Is(&Error{Kind: ErrCut}, llm.ErrTruncated) {
		t.Error("the kinds are not those of llm")
	}
}

// sound checks what holds for every result.
func sound(t *testing.T, r llm.Response, ts []kg.Triple, rep Report, err error) {
	t.Helper()
	seen := make(map[kg.Triple]bool)
	for _, x := range ts {
		for _, l := range []string{x.Head, x.Relation, x.Tail} {
			if l == "" || l != strings.TrimSpace(l) || len(l) > maxLabel || !utf8.ValidString(l) || strings.ContainsRune(l, 0) {
				t.Errorf("label %q", l)
			}
		}
		if seen[x] {
			t.Errorf("%v twice", x)
		}
		seen[x] = true
	}
	var e *Error
	if err != nil && (!errors.As(err, &e) || e.Raw != r.Text || e.Kind == nil) {
		t.Errorf("error %v", err)
	}
	if err == nil && r.Stop == llm.StopLength && !rep.Truncated {
		t.Error("a reply that was cut is not marked")
	}
}

func seeds(f *testing.F) {
	for _, name := range []string{"triples.jsonl", "verdicts.jsonl", "triple.jsonl", "text.jsonl"} {
		for _, r := range corpus(f, name) {
			f.Add(r.Reply, r.Stop == "length")
		}
	}
}

func response(text string, cut bool) llm.Response {
	if cut {
		return llm.Response{Text: text, Stop: llm.StopLength}
	}
	return say(text)
}

// A member holds no control character, in whatever form a triple comes.
func TestControlCharactersInEveryForm(t *testing.T) {
	want := kg.Triple{Head: "Noor", Relation: "leads", Tail: "Team Red"}
	for _, text := range []string{
		"[[\"Noor\",\"leads\x0e\",\"Team Red\\u000e\"]]",
		"[{\"head\":\"Noor\x01\",\"relation\":\"leads\",\"tail\":\"Team Red\x0e\"}]",
		"[\"Noor | leads\x02 | Team Red\x0e\"]",
		"\"Noor | leads | Team Red\x0e\"",
		"Noor | leads | Team Red\x0e",
		"(Noor, leads, \x0eTeam Red)",
		"Noor -> leads -> Team Red\x0e",
		"head: Noor\x0e\nrelation: leads\ntail: Team\x0e Red",
	} {
		got, _, err := Triples(say(text), Options{})
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func FuzzTriples(f *testing.F) {
	seeds(f)
	f.Add("[\"Noor | leads | Team Red\"\x0e", false)
	f.Fuzz(func(t *testing.T, text string, cut bool) {
		r := response(text, cut)
		ts, rep, err := Triples(r, Options{Text: text, Examples: []kg.Triple{{Head: "Ada", Relation: "wrote", Tail: "a program"}}})
		sound(t, r, ts, rep, err)
		// What was read writes as a reply that reads the same.
		if err == nil && len(ts) > 0 {
			again, _, err := Triples(say(encode(ts)), Options{})
			if err != nil || len(again) != len(ts) || again[0] != ts[0] {
				t.Errorf("%v reads again as %v, %v", ts, again, err)
			}
		}
		one, rep1, err1 := Triple(r, Options{})
		if err1 == nil {
			sound(t, r, []kg.Triple{one}, rep1, nil)
		}
		sets, _, _ := Sets(r, make([]Options, 2))
		for _, s := range sets {
			sound(t, say(text), s.Triples, Report{}, nil)
		}
	})
}

func encode(ts []kg.Triple) string {
	b, err := kg.Marshal(kg.JSON, kg.NewGraph(ts...))
	if err != nil {
		panic(err)
	}
	return string(b)
}

func FuzzVerdicts(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string, cut bool) {
		r := response(text, cut)
		v, rep, err := ReadVerdicts(r, 3)
		sound(t, r, nil, rep, err)
		if len(v.Of)+len(v.Missing) != 3 || err != nil && len(v.Of) > 0 || err == nil && len(v.Of) == 0 {
			t.Errorf("%v, error %v", v, err)
		}
		for id, x := range v.Of {
			if id < 1 || id > 3 || x != Supported && x != Contradicted && x != NotStated && x != NotSupported {
				t.Errorf("%d: %q", id, x)
			}
		}
	})
}

func FuzzText(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string, cut bool) {
		r := response(text, cut)
		for _, original := range []string{"The bridge opened in 1978.", "", " \"a\" ", text} {
			got, rep, err := Text(r, original)
			sound(t, r, nil, rep, err)
			if err == nil && (cut || blank(got) || !utf8.ValidString(got)) {
				t.Errorf("text %q of a reply that was cut: %v", got, cut)
			}
		}
	})
}
