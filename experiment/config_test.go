package experiment_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/experiment"
)

const smallConfig = `{"name":"n","data":{"path":"qa.jsonl","sample":2,"seed":7},
"models":[{"name":"small","kind":"openai","url":"http://localhost:1/v1","model":"m","max_tokens":64,"timeout":"90s","concurrency":2,"price":{"input":1,"output":2}},
{"name":"base","kind":"extractive"}],"temperatures":[0,0.7],"budget":{"tokens":1000}}`

func TestParseConfig(t *testing.T) {
	c, err := experiment.ParseConfig([]byte(smallConfig), "folder")
	if err != nil {
		t.Fatal(err)
	}
	if c.Data.Path != filepath.Join("folder", "qa.jsonl") || c.Repeats != 1 || c.Scoring.Check != "facts" || c.Scoring.CUS != "default" || c.Models[0].TimeoutOf().Seconds() != 90 {
		t.Errorf("%+v", c)
	}
	o := c.Options(items(3))
	if len(o.Models) != 2 || o.Models[0].Once || !o.Models[1].Once || o.Models[0].Price.Output != 2 || o.Budget.Tokens != 1000 || o.Settings["scoring.method"] != "facts" {
		t.Errorf("%+v", o)
	}
	c, err = experiment.ParseConfig([]byte(`{"data":{"path":"/x.csv"},"models":[{"name":"a","kind":"extractive"}]}`), "f")
	if err != nil || !slices.Equal(c.Temperatures, []float64{0, 0.3, 0.7, 1}) {
		t.Error(c, err)
	}
}

func TestMistakesInAConfigAreNamed(t *testing.T) {
	for change, want := range map[string]string{
		`"temperatures">"temperature"`:                `temperature: there is no such key; did you mean "temperatures"?`,
		`"concurrency">"concurency"`:                  `models[0].concurency: there is no such key; did you mean "concurrency"?`,
		`"price">"cost"`:                              `models[0].cost: there is no such key; there are concurrency, key_env, kind, max_tokens, model, name, price, sentences, timeout, url`,
		`"seed":7>"seed":-7`:                          `data.seed: a JSON number -7 stands where a whole number that is not negative should`,
		`"sample":2>"sample":"2"`:                     `data.sample: a JSON string stands where a whole number should`,
		`"sample":2>"sample":-2`:                      `data.sample: -2 is negative`,
		`"name":"n">"name":"n","name":"m"`:            `name: the key is there twice`,
		`"kind":"openai">"kind":"ollama"`:             `models[0].kind: "ollama" is neither openai nor extractive`,
		`"name":"base">"name":"small"`:                `models[1].name: another model has the name "small"`,
		`"path":"qa.jsonl">"path":""`:                 `data.path: say which file holds the questions`,
		`"90s">"ninety"`:                              `models[0].timeout: "ninety" is no time such as 90s`,
		`[0,0.7]>[]`:                                  `temperatures: the list is empty; leave it out for those of the paper`,
		`[0,0.7]>[0,0]`:                               `temperatures[1]: 0 is negative, or is there twice`,
		`"tokens":1000>"tokens":-1`:                   `budget.tokens: -1 is negative`,
		`"budget":{"tokens":1000}}>"budget":3}`:       `budget: a JSON number stands where an object should`,
		`"extractive">"extractive","model":"x"`:       `models[1].kind: an extractive baseline asks nobody: leave out url, model, key_env and max_tokens`,
		`"tokens":1000}}>"tokens":1000}`:              `not JSON: `,
		`"tokens":1000}}>"tokens":1000}} {}`:          `there is something behind the object`,
		`"sample":2>"fields":"a=b"`:                   `data.fields: there is no field "a"`,
		`"model":"m">"model":""`:                      `models[0].model: name the model to ask for at http://localhost:1/v1`,
		`"price":{"input":1>"price":{"input":-1`:      `models[0].price: a price is negative`,
		`"budget":>"scoring":{"check":"x"},"budget":`: `scoring.check: "x" is not facts, paper, sentences, output or off`,
	} {
		from, to, _ := strings.Cut(change, ">")
		text := strings.Replace(smallConfig, from, to, 1)
		if text == smallConfig {
			t.Fatalf("%s changes nothing", change)
		}
		_, err := experiment.ParseConfig([]byte(text), "")
		var e *experiment.ConfigError
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "configuration: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", change, err, want)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	rows := `{"id":"1","question":"A?","context":"A.","gold":"A.","class":"x"}
{"id":"2","question":"B?","context":"B.","class":"y"}
broken
{"id":"3","question":"C?","context":"C.","class":"y"}
`
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "qa.jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(rows)
	c, err := experiment.ParseConfig([]byte(smallConfig), dir)
	if err != nil {
		t.Fatal(err)
	}
	got, bad, err := c.Load()
	if len(got) != 2 || len(bad) != 1 || bad[0].Line != 3 || err != nil {
		t.Errorf("%v %v %v", got, bad, err)
	}
	c.Data.Balanced, c.Data.Sample = true, 0
	if got, _, err = c.Load(); len(got) != 2 || got[0].ID != "1" || err != nil {
		t.Errorf("%v %v", got, err)
	}
	for text, want := range map[string]string{
		`{"id":"1","output":"A?","context":"A."}`:                                                      `row "1" (line 1) has no question`,
		`{"id":"1","question":"A?","context":" "}`:                                                     `row "1" (line 1): empty context`,
		`{"id":"1","question":"A?","context":"A"}` + "\n" + `{"id":"1","question":"A?","context":"A"}`: `the id "1" is that of lines 1 and 2; name another field as id, or leave it out (id=-)`,
	} {
		write(text)
		c.Data.Balanced = false
		if _, _, err := c.Load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	os.Remove(filepath.Join(dir, "qa.jsonl"))
	if _, _, err := c.Load(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(smallConfig))
	f.Add([]byte(`{"models":[[{}]],"budget":{"tokens":{}}}`))
	f.Add([]byte(`{"data":[}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := experiment.ParseConfig(text, "f")
		var e *experiment.ConfigError
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%T %v", err, err)
		}
		if err == nil && (len(c.Models) == 0 || len(c.Options(nil).Models) != len(c.Models)) {
			t.Fatal("a configuration without models")
		}
	})
}
