package cassette

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/llm"
)

const whole = `{"cassette": 1, "recordings": [{
	"model": "m",
	"request": {"temperature": 0, "stop": ["x"], "messages": [{"role": "user", "text": ["a", "b"]}]},
	"response": {"stop": "end", "model": "m", "latency": "1s", "usage": {"input": 1, "output": 2}, "text": {"base64": "/w=="},
		"log_probs": [{"token": "a", "log_prob": -1, "top": [{"token": "b", "log_prob": -2}]}]}
}]}`

func TestParse(t *testing.T) {
	all, err := parse([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	r := all[0]
	if r.Request.Messages[0].Text != "a\nb" || r.Response.Text != "\xff" || *r.Request.Temperature != 0 || r.Request.Stop[0] != "x" || r.Response.LogProbs[0].Top[0].LogProb != -2 {
		t.Errorf("%+v", r)
	}
}

// What is wrong with a file is said, with its place.
func TestParseErrors(t *testing.T) {
	change := func(old, new string) string {
		if !strings.Contains(whole, old) {
			t.Fatalf("no %s", old)
		}
		return strings.Replace(whole, old, new, 1)
	}
	body := whole[strings.Index(whole, "[{")+1 : strings.LastIndex(whole, "]")]
	for _, c := range []struct{ name, data, says string }{
		{"empty", "", "not a cassette"},
		{"null", "null", "version 0"},
		{"HTML", "<html>", "line 1"},
		{"cut", whole[:len(whole)/2], "not a cassette"},
		{"syntax", change(`"model": "m",`, `"model": "m"`), "line 3"},
		{"kind", change(`"temperature": 0`, `"temperature": "hot"`), "line 3"},
		{"two values", whole + "{}", "more than one"},
		{"version", change(`"cassette": 1`, `"cassette": 2`), "version 2"},
		{"misspelt", change("temperature", "temprature"), "temprature"},
		{"the same twice", change(body, body+","+body), "recording 2 has the same request as recording 1"},
		{"no model", change(`"model": "m"`, `"model": ""`), "recording 1: no model"},
		{"no messages", change(`{"role": "user", "text": ["a", "b"]}`, ""), "recording 1"},
		{"role", change("user", "tool"), "Messages[0].Role"},
		{"temperature", change(`"temperature": 0`, `"temperature": -1`), "Temperature"},
		{"stop reason", change(`"stop": "end"`, `"stop": "done"`), `"done"`},
		{"no stop reason", change(`"stop": "end",`, ""), "stop reason"},
		{"latency", change(`"1s"`, `"soon"`), "soon"},
		{"negative latency", change(`"1s"`, `"-1s"`), "-1s"},
		{"usage", change(`"input": 1`, `"input": -1`), "usage"},
		{"base 64", change(`"/w=="`, `"?"`), "base64"},
		{"text of another kind", change(`{"base64": "/w=="}`, `{"base32": "AA"}`), "a text is"},
		{"text is a number", change(`["a", "b"]`, "7"), "not a cassette"},
		{"deep", strings.Repeat("[", 100000), "depth"},
	} {
		if _, err := parse([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want something with %q", c.name, err, c.says)
		}
	}
}

// Whatever is read can be written, and is the same when read again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"cassette":1,"recordings":[]}`))
	f.Add([]byte(`{"cassette":1,"recordings":[{"model":"m","request":{"seed":-1,"schema":["{","}"],"messages":[{"role":"user","text":null}]},"response":{"stop":"length"}}]}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := parse(data)
		if err != nil {
			return
		}
		out, err := format(all)
		if err != nil {
			t.Fatalf("can't be written: %v", err)
		}
		again, err := parse(out)
		if err != nil {
			t.Fatalf("can't be read again: %v\n%s", err, out)
		}
		if len(all) != len(again) {
			t.Fatalf("%d recordings became %d", len(all), len(again))
		}
		for i := range all {
			if all[i].key() != again[i].key() || !reflect.DeepEqual(all[i].Response, again[i].Response) {
				t.Errorf("%+v became %+v", all[i], again[i])
			}
		}
		if twice, _ := format(again); !bytes.Equal(out, twice) {
			t.Errorf("%s became %s", out, twice)
		}
	})
}

// Any bytes survive being a text of a request and of a reply, and leave no
// panic behind in a diff.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "\n", "a\r\nb", "\xff", "\u2028", "\x00", `["x"]`, "sk-" + "a1B2c3D4e5F6g7H8i9J0", "a\xc3\n"} {
		f.Add(s, "b")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		ask := func(s string) *recording {
			return &recording{
				Model:    "m",
				Request:  llm.Request{Messages: []llm.Message{{Role: llm.User, Text: s}}, Stop: []string{"." + s}},
				Response: llm.Response{Text: s, Stop: llm.StopEnd, Model: s},
			}
		}
		r := ask(a)
		data, err := format([]*recording{r})
		if err != nil {
			t.Fatal(err)
		}
		back, err := parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if back[0].key() != r.key() || !reflect.DeepEqual(back[0].Response, r.Response) {
			t.Errorf("%+v became %+v", r, back[0])
		}
		if d := diff(ask(a), ask(b)); (d == "") != (a == b) {
			t.Errorf("a diff of %q and %q: %q", a, b, d)
		}
		if clean := redactor(nil, nil); clean(clean(a)) != clean(a) {
			t.Errorf("%q is clean only after two turns", a)
		}
	})
}
