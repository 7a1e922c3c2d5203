// Package embedfault is a server of embeddings that does wrong what a test tells it
// to, in each dialect, and a table of what servers may do wrong. Each embedder
// behind HTTP goes through the whole table in its own tests. It stands on
// internal/llmfault, which has the same for chats.
package embedfault

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/llm"
)

// Dialect is how requests and answers look.
type Dialect struct {
	Name string
	// Path is what is asked, behind the base URL's path.
	Path string
	// Indexed says that each vector is sent with its place, so that servers may
	// send them in any order.
	Indexed bool
}

// The dialects.
var (
	OpenAI = Dialect{Name: "openai", Path: "/embeddings", Indexed: true}
	Ollama = Dialect{Name: "ollama", Path: "/api/embed"}
)

// Dimensions is the length of the vectors.
const Dimensions = 12

// Vector is the server's vector of a text, of the norm 2 or so.
func Vector(text string) []float32 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, text)
	random := rand.New(rand.NewPCG(h.Sum64(), 1))
	v := make([]float32, Dimensions)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	embed.Normalize(v)
	for i := range v {
		v[i] *= 2
	}
	return v
}

// row is one vector of an answer, as JSON.
type row struct {
	index  any // an int, or nil for none
	vector string
}

func rowsOf(texts []string) []row {
	rows := make([]row, len(texts))
	for i, t := range texts {
		b, err := json.Marshal(Vector(t))
		if err != nil {
			b = []byte("null")
		}
		rows[i] = row{i, string(b)}
	}
	return rows
}

func (d Dialect) body(rows []row) string {
	var parts []string
	for _, r := range rows {
		switch {
		case !d.Indexed:
			parts = append(parts, r.vector)
		case r.index == nil:
			parts = append(parts, `{"object":"embedding","embedding":`+r.vector+`}`)
		default:
			parts = append(parts, fmt.Sprintf(`{"object":"embedding","index":%v,"embedding":%s}`, r.index, r.vector))
		}
	}
	list := "[" + strings.Join(parts, ",") + "]"
	if d.Indexed {
		return `{"object":"list","model":"faulty-1","data":` + list + `,"usage":{"prompt_tokens":3,"total_tokens":3}}`
	}
	return `{"model":"faulty-1","embeddings":` + list + `,"prompt_eval_count":3}`
}

// Input returns the texts of a request, which may be one alone.
func Input(r *http.Request) ([]string, error) {
	var f struct {
		Input json.RawMessage `json:"input"`
	}
	if err := json.NewDecoder(r.Body).Decode(&f); err != nil {
		return nil, err
	}
	var one string
	if json.Unmarshal(f.Input, &one) == nil {
		return []string{one}, nil
	}
	var texts []string
	return texts, json.Unmarshal(f.Input, &texts)
}

// Good answers as a server should, in any order where the dialect has indices. It
// refuses more texts than limit (0: none), and empty ones, as services do.
func (d Dialect) Good(limit int) http.HandlerFunc {
	return d.changed(func(texts []string, rows []row) (int, []row) {
		for _, t := range texts {
			if strings.TrimSpace(t) == "" {
				return 400, nil
			}
		}
		if limit > 0 && len(texts) > limit {
			return 400, nil
		}
		if d.Indexed {
			rand.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
		return 200, rows
	})
}

// changed answers with what change makes of the right rows.
func (d Dialect) changed(change func(texts []string, rows []row) (int, []row)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		texts, err := Input(r)
		if err != nil || !strings.HasSuffix(r.URL.Path, d.Path) {
			llmfault.JSON(404, `{"error":"not found"}`)(w, r)
			return
		}
		status, rows := change(texts, rowsOf(texts))
		if status != 200 {
			llmfault.JSON(status, `{"error":{"message":"'$.input' is invalid","type":"invalid_request_error"}}`)(w, r)
			return
		}
		llmfault.JSON(200, d.body(rows))(w, r)
	}
}

// Case is something that a server does wrong.
type Case struct {
	llmfault.Case
	// Cause is an error of package embed that the error holds too; nil for none.
	Cause error
}

// Cases are all of a dialect, for a call with two texts or more.
func (d Dialect) Cases() []Case {
	var all []Case
	for _, c := range llmfault.Statuses() {
		all = append(all, Case{Case: c})
	}
	bad := func(name string, cause error, change func(rows []row) []row) {
		all = append(all, Case{Cause: cause, Case: llmfault.Case{Name: name, Want: []error{llm.ErrBadReply}, Serve: d.changed(func(_ []string, rows []row) (int, []row) {
			return 200, change(rows)
		})}})
	}
	second := func(vector string) func([]row) []row {
		return func(rows []row) []row {
			rows[1].vector = vector
			return rows
		}
	}
	bad("fewer vectors than texts", &embed.CountError{}, func(rows []row) []row { return rows[:1] })
	bad("more vectors than texts", &embed.CountError{}, func(rows []row) []row { return append(rows, row{len(rows), "[1,2]"}) })
	bad("no vectors", &embed.CountError{}, func([]row) []row { return nil })
	bad("an empty vector", &embed.LengthError{}, second("[]"))
	bad("a vector of another length", &embed.LengthError{}, second("[1,2,3]"))
	bad("a zero vector", &embed.ZeroError{}, second("[0,0,0,0,0,0,0,0,0,0,0,0]"))
	bad("null for a vector", nil, second("null"))
	bad("null in a vector", nil, second("[null,2,3,4,5,6,7,8,9,10,11,12]"))
	bad("a number that is too large", nil, second("[1e99,2,3,4,5,6,7,8,9,10,11,12]"))
	bad("words in a vector", nil, second(`["NaN",2,3,4,5,6,7,8,9,10,11,12]`))
	bad("a vector in base 64", nil, second(`"AACAPwAAgD8="`))
	if d.Indexed {
		at := func(index any) func([]row) []row {
			return func(rows []row) []row {
				rows[1].index = index
				return rows
			}
		}
		bad("an index twice", nil, at(0))
		bad("an index out of range", nil, at(7))
		bad("a negative index", nil, at(-1))
		bad("an index that is none", nil, at(`"one"`))
		bad("an index missing", nil, at(nil))
	}

	good := d.body(rowsOf([]string{"a", "b"}))
	for _, c := range []llmfault.Case{
		{Name: "connection refused half way", Serve: llmfault.HangUp(), Want: []error{llm.ErrUnavailable}},
		{Name: "half a body, broken off", Serve: llmfault.BreakOff("application/json", good[:len(good)/2]), Want: []error{llm.ErrUnavailable}},
		{Name: "half a body, cleanly ended", Serve: llmfault.JSON(200, good[:len(good)/2]), Want: []error{llm.ErrBadReply}},
		{Name: "an empty body", Serve: llmfault.JSON(200, ""), Want: []error{llm.ErrBadReply}},
		{Name: "null", Serve: llmfault.JSON(200, "null"), Want: []error{llm.ErrBadReply}},
		{Name: "a list", Serve: llmfault.JSON(200, "[[1,2]]"), Want: []error{llm.ErrBadReply}},
		{Name: "another object", Serve: llmfault.JSON(200, `{"ok":true}`), Want: []error{llm.ErrBadReply}},
		{Name: "HTML with status 200", Serve: llmfault.Raw(200, "text/html", "<html>Please sign in.</html>"), Want: []error{llm.ErrBadReply}},
		{Name: "HTML that says it is JSON", Serve: llmfault.JSON(200, "<html>Please sign in.</html>"), Want: []error{llm.ErrBadReply}},
		{Name: "an error with status 200", Serve: llmfault.JSON(200, `{"error":{"message":"upstream is overloaded","type":"overloaded_error"}}`), Want: []error{llm.ErrUnavailable}},
		{Name: "a huge answer", Serve: llmfault.Endless("application/json", `{"data":[`, "[1,2,3],"), Want: []error{llm.ErrBadReply}},
		{Name: "a text that is too long, llama.cpp", Serve: llmfault.JSON(500, `{"error":{"code":500,"message":"input (900 tokens) is too large to process. increase the physical batch size (current batch size: 512)","type":"server_error"}}`), Want: []error{llm.ErrContextTooLong}},
		{Name: "a text that is too long, Ollama", Serve: llmfault.JSON(400, `{"error":"the input length exceeds the context length"}`), Want: []error{llm.ErrContextTooLong}},
		{Name: "an error that quotes a text", Serve: func(w http.ResponseWriter, r *http.Request) {
			texts, _ := Input(r)
			b, _ := json.Marshal(map[string]string{"error": "could not embed " + strings.Join(texts, " ")})
			llmfault.JSON(400, string(b))(w, r)
		}, Want: []error{llm.ErrBadRequest}},
		{Name: "no answer at all", Serve: llmfault.Begin("", ""), Want: []error{llm.ErrUnavailable}, Hangs: true},
		{Name: "an answer that stops half way", Serve: llmfault.Begin("application/json", good[:len(good)/2]), Want: []error{llm.ErrUnavailable}, Hangs: true},
	} {
		all = append(all, Case{Case: c})
	}
	return all
}

// Check fails if an embedder's answer to a case is not the error that the case
// wants, or tells what must stay untold.
func Check(t testing.TB, c Case, vectors [][]float32, err error) {
	t.Helper()
	if err == nil {
		t.Fatalf("got %d vectors, want an error", len(vectors))
	}
	if vectors != nil {
		t.Errorf("%d vectors beside the error", len(vectors))
	}
	llmfault.Check(t, c.Case, llm.Response{}, err)
	found := true
	switch c.Cause.(type) {
	case *embed.CountError:
		var e *embed.CountError
		found = errors.As(err, &e)
	case *embed.LengthError:
		var e *embed.LengthError
		found = errors.As(err, &e)
	case *embed.ZeroError:
		var e *embed.ZeroError
		found = errors.As(err, &e)
	}
	if !found {
		t.Errorf("error %q holds no %T", err, c.Cause)
	}
}
