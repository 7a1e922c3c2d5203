package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kgeval/kgeval/cus"
	"github.com/kgeval/kgeval/dataset"
	"github.com/kgeval/kgeval/internal/edit"
	"github.com/kgeval/kgeval/llm/usage"
)

// Config is a run as a file describes it (docs/experiments.md). It holds no key.
type Config struct {
	Name         string        `json:"name"`
	Data         DataConfig    `json:"data"`
	Models       []ModelConfig `json:"models"`
	Temperatures []float64     `json:"temperatures"`
	Repeats      int           `json:"repeats"`
	Seed         int64         `json:"seed"`
	Scoring      ScoringConfig `json:"scoring"`
	Budget       BudgetConfig  `json:"budget"`
}

// DataConfig says which questions are asked.
type DataConfig struct {
	// Format is one of dataset.Formats; empty tells it by the ending of Path.
	Format string `json:"format"`
	Path   string `json:"path"`
	// Fields maps columns; see dataset.ParseFields.
	Fields string `json:"fields"`
	// Sample is how many rows are drawn, by Seed; 0 means all. With Balanced, so many of
	// each class.
	Sample   int    `json:"sample"`
	Balanced bool   `json:"balanced"`
	Seed     uint64 `json:"seed"`
}

// Kinds of models.
const (
	KindOpenAI     = "openai"     // behind an OpenAI-compatible endpoint
	KindExtractive = "extractive" // the baseline; see Extractive
)

// ModelConfig is a model.
type ModelConfig struct {
	Name string `json:"name"`
	// Kind is KindOpenAI or KindExtractive.
	Kind string `json:"kind"`
	// URL and Model say which model an endpoint is asked for; the key is in the
	// environment variable KeyEnv.
	URL    string `json:"url"`
	Model  string `json:"model"`
	KeyEnv string `json:"key_env"`
	// MaxTokens bounds an answer; 0 stands for DefaultMaxTokens.
	MaxTokens int `json:"max_tokens"`
	// Timeout bounds one call, as "90s"; "" leaves it to the client.
	Timeout string `json:"timeout"`
	// Sentences is how many an extractive answer has; 0 stands for 2.
	Sentences   int         `json:"sentences"`
	Concurrency int         `json:"concurrency"`
	Price       PriceConfig `json:"price"`
}

// PriceConfig is what a million tokens cost.
type PriceConfig struct {
	Input       float64 `json:"input"`
	Output      float64 `json:"output"`
	CachedInput float64 `json:"cached_input"`
}

// ScoringConfig says how answers are scored.
type ScoringConfig struct {
	// Check is "facts" (the default), "paper", "sentences", "output" or "off"; see
	// grapheval.
	Check string `json:"check"`
	// CUS is "default" or "paper"; see cus.Paper.
	CUS string `json:"cus"`
	// MaxAnswer is Scoring.MaxAnswer.
	MaxAnswer int `json:"max_answer"`
}

// BudgetConfig is Budget.
type BudgetConfig struct {
	Tokens int     `json:"tokens"`
	Cost   float64 `json:"cost"`
}

// ConfigError says what is wrong in a configuration, and where.
type ConfigError struct {
	// Key is the place, such as "models[0].kind"; empty for the whole.
	Key string
	// Reason says what is wrong, and what to write instead.
	Reason string
}

func (e *ConfigError) Error() string {
	if e.Key == "" {
		return "configuration: " + e.Reason
	}
	return fmt.Sprintf("configuration: %s: %s", e.Key, e.Reason)
}

// ParseConfig reads a configuration from JSON. A key that is not known, or is there
// twice, a value of another type or out of its range is a *ConfigError, which names the
// nearest key that is known. What is absent is its default; the relative path of the data
// is taken from folder, that of the file.
func ParseConfig(text []byte, folder string) (Config, error) {
	var c Config
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := strict(d, reflect.TypeFor[Config](), ""); err != nil {
		return c, err
	}
	if d.More() {
		return c, &ConfigError{Reason: "there is something behind the object"}
	}
	if err := json.Unmarshal(text, &c); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return c, &ConfigError{kind.Field, fmt.Sprintf("a JSON %s stands where %s should", kind.Value, typeName(kind.Type))}
		}
		return c, &ConfigError{Reason: err.Error()}
	}
	if c.Temperatures == nil {
		c.Temperatures = PaperTemperatures()
	}
	if c.Repeats == 0 {
		c.Repeats = 1
	}
	if c.Scoring.Check == "" {
		c.Scoring.Check = "facts"
	}
	if c.Scoring.CUS == "" {
		c.Scoring.CUS = "default"
	}
	if c.Data.Path != "" && !filepath.IsAbs(c.Data.Path) {
		c.Data.Path = filepath.Join(folder, filepath.FromSlash(c.Data.Path))
	}
	return c, c.check()
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.Struct:
		return "an object"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Uint64:
		return "a whole number that is not negative"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	}
	return "a number"
}

// strict walks over a JSON value and looks for keys that t does not have.
func strict(d *json.Decoder, t reflect.Type, at string) error {
	tok, err := d.Token()
	if err != nil {
		return &ConfigError{at, "not JSON: " + err.Error()}
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return nil
	}
	switch {
	case delim == '[':
		elem := reflect.TypeFor[any]()
		if t.Kind() == reflect.Slice {
			elem = t.Elem()
		}
		for i := 0; d.More(); i++ {
			if err := strict(d, elem, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case delim == '{':
		known := map[string]reflect.Type{}
		if t.Kind() == reflect.Struct {
			for i := range t.NumField() {
				known[t.Field(i).Tag.Get("json")] = t.Field(i).Type
			}
		}
		seen := map[string]bool{}
		for d.More() {
			tok, err := d.Token()
			if err != nil {
				return &ConfigError{at, "not JSON: " + err.Error()}
			}
			key, _ := tok.(string)
			inner, ok := known[key]
			full := strings.TrimPrefix(at+"."+key, ".")
			switch {
			case !ok && t.Kind() != reflect.Struct:
				inner = reflect.TypeFor[any]() // the type is reported later
			case !ok:
				return &ConfigError{full, "there is no such key" + nearest(key, known)}
			case seen[key]:
				return &ConfigError{full, "the key is there twice"}
			}
			seen[key] = true
			if err := strict(d, inner, full); err != nil {
				return err
			}
		}
	}
	if _, err := d.Token(); err != nil { // the end
		return &ConfigError{at, "not JSON: " + err.Error()}
	}
	return nil
}

// nearest names the known key that is most like key, or all of them.
func nearest(key string, known map[string]reflect.Type) string {
	best, least := "", math.MaxInt
	var all []string
	for k := range known {
		all = append(all, k)
	}
	slices.Sort(all)
	for _, k := range all {
		if d := edit.Distance([]rune(strings.ToLower(key)), []rune(k)); d < least {
			best, least = k, d
		}
	}
	if least <= max(2, len(key)/3) {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return "; there are " + strings.Join(all, ", ")
}

// check looks at values.
func (c Config) check() error {
	bad := func(key, format string, args ...any) error { return &ConfigError{key, fmt.Sprintf(format, args...)} }
	finite := func(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }
	if c.Data.Path == "" {
		return bad("data.path", "say which file holds the questions")
	}
	if c.Data.Sample < 0 {
		return bad("data.sample", "%d is negative", c.Data.Sample)
	}
	if _, err := dataset.ParseFields(c.Data.Fields); err != nil {
		return bad("data.fields", "%s", strings.TrimPrefix(err.Error(), "dataset: "))
	}
	if len(c.Models) == 0 {
		return bad("models", "say which models are asked")
	}
	names := map[string]bool{}
	for i, m := range c.Models {
		at := fmt.Sprintf("models[%d].", i)
		switch {
		case m.Name == "":
			return bad(at+"name", "give the model a name")
		case names[m.Name]:
			return bad(at+"name", "another model has the name %q", m.Name)
		case m.Kind != KindOpenAI && m.Kind != KindExtractive:
			return bad(at+"kind", "%q is neither %s nor %s", m.Kind, KindOpenAI, KindExtractive)
		case m.Kind == KindOpenAI && m.Model == "":
			return bad(at+"model", "name the model to ask for at %s", m.URL)
		case m.Kind == KindExtractive && (m.URL != "" || m.Model != "" || m.KeyEnv != "" || m.MaxTokens != 0):
			return bad(at+"kind", "an extractive baseline asks nobody: leave out url, model, key_env and max_tokens")
		case m.Kind == KindOpenAI && m.Sentences != 0:
			return bad(at+"sentences", "this is for the kind %s", KindExtractive)
		case m.MaxTokens < 0 || m.Sentences < 0 || m.Concurrency < 0:
			return bad(strings.TrimSuffix(at, "."), "a number is negative")
		case !finite(m.Price.Input) || !finite(m.Price.Output) || !finite(m.Price.CachedInput):
			return bad(at+"price", "a price is negative")
		}
		if d, err := m.timeout(); err != nil || d < 0 {
			return bad(at+"timeout", "%q is no time such as 90s", m.Timeout)
		}
		names[m.Name] = true
	}
	for i, t := range c.Temperatures {
		if !finite(t) || slices.Contains(c.Temperatures[:i], t) {
			return bad(fmt.Sprintf("temperatures[%d]", i), "%v is negative, or is there twice", t)
		}
	}
	switch {
	case len(c.Temperatures) == 0:
		return bad("temperatures", "the list is empty; leave it out for those of the paper")
	case c.Repeats < 1:
		return bad("repeats", "%d is below 1", c.Repeats)
	case !slices.Contains([]string{"facts", "paper", "sentences", "output", "off"}, c.Scoring.Check):
		return bad("scoring.check", "%q is not facts, paper, sentences, output or off", c.Scoring.Check)
	case c.Scoring.CUS != "default" && c.Scoring.CUS != "paper":
		return bad("scoring.cus", "%q is neither default nor paper", c.Scoring.CUS)
	case c.Scoring.MaxAnswer < 0:
		return bad("scoring.max_answer", "%d is negative", c.Scoring.MaxAnswer)
	case c.Budget.Tokens < 0:
		return bad("budget.tokens", "%d is negative", c.Budget.Tokens)
	case !finite(c.Budget.Cost):
		return bad("budget.cost", "%v is negative", c.Budget.Cost)
	}
	return nil
}

func (m ModelConfig) timeout() (time.Duration, error) {
	if m.Timeout == "" {
		return 0, nil
	}
	return time.ParseDuration(m.Timeout)
}

// TimeoutOf is Timeout as a duration; 0 if there is none.
func (m ModelConfig) TimeoutOf() time.Duration {
	d, _ := m.timeout()
	return d
}

// Load reads the questions. bad are rows that could not be read; they are not among the
// items.
func (c Config) Load() (items []Item, bad []*dataset.RowError, err error) {
	fields, err := dataset.ParseFields(c.Data.Fields)
	if err != nil {
		return nil, nil, err
	}
	rows, bad, err := dataset.Collect(dataset.Open(c.Data.Format, c.Data.Path, fields))
	if err != nil {
		return nil, bad, err
	}
	key := func(r dataset.Row) string { return r.ID }
	switch {
	case c.Data.Balanced:
		rows = dataset.Balanced(rows, c.Data.Sample, c.Data.Seed, key, func(r dataset.Row) string { return r.Class })
	case c.Data.Sample > 0:
		rows = dataset.Sample(rows, c.Data.Sample, c.Data.Seed, key)
	}
	items, err = Items(rows)
	return items, bad, err
}

// Options returns what the configuration says of a run, without the models' answerers and
// the parts of Scoring: those are the caller's. The models are in the order of the
// configuration.
func (c Config) Options(items []Item) Options {
	o := Options{
		Name: c.Name, Items: items, Temperatures: c.Temperatures, Repeats: c.Repeats, Seed: c.Seed,
		Budget:   Budget(c.Budget),
		Settings: map[string]string{"scoring.method": c.Scoring.Check},
		Scoring:  Scoring{MaxAnswer: c.Scoring.MaxAnswer},
	}
	if c.Scoring.CUS == "paper" {
		o.Scoring.CUS = cus.Paper()
	}
	for _, m := range c.Models {
		o.Models = append(o.Models, Model{
			Name: m.Name, Once: m.Kind == KindExtractive, Concurrency: m.Concurrency, Price: usage.Price(m.Price),
		})
	}
	return o
}
