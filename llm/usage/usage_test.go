package usage_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/llmtest"
	"github.com/kgeval/kgeval/llm/usage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

func reply(r llm.Response) llmtest.Step { return llmtest.Step{Response: r} }

func TestCost(t *testing.T) {
	p := usage.Price{Input: 2, Output: 8, CachedInput: 0.5}
	for _, c := range []struct {
		name  string
		price usage.Price
		use   llm.Usage
		want  float64
	}{
		{"nothing", p, llm.Usage{}, 0},
		{"a million each", p, llm.Usage{Input: 1e6, Output: 1e6}, 10},
		{"half the input read before", p, llm.Usage{Input: 1e6, CachedInput: 5e5}, 1.25},
		{"no price for what was read before", usage.Price{Input: 2}, llm.Usage{Input: 1e6, CachedInput: 5e5}, 2},
		{"more read before than there is", p, llm.Usage{Input: 1e6, CachedInput: 5e6}, 0.5},
		{"less than nothing", p, llm.Usage{Input: -5, Output: -5, CachedInput: -5}, 0},
	} {
		if got := c.price.Cost(c.use); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestWhatIsCounted(t *testing.T) {
	meter := usage.NewMeter(usage.Budget{})
	inner := llmtest.Script(
		reply(llm.Response{Text: "yes", Usage: llm.Usage{Input: 10, Output: 5, CachedInput: 4}, Latency: time.Second}),
		reply(llm.Response{Text: "ye", Stop: llm.StopLength, Usage: llm.Usage{Input: 10, Output: 5}}),
		llmtest.Fail(errors.New("sad")),
		reply(llm.Response{Text: "12345678"}), // no usage told
		reply(llm.Response{Text: "yes", Cached: true, Usage: llm.Usage{Input: 1000, Output: 1000}, Latency: time.Hour}),
	)
	m := meter.Model(inner, usage.Price{Input: 1e6, Output: 2e6, CachedInput: 0})
	for range 5 {
		m.Generate(t.Context(), ask("12345"))
	}
	want := usage.Total{
		Calls: 4, Cached: 1, Failed: 1, Incomplete: 1, Estimated: 1,
		Usage: llm.Usage{Input: 22, Output: 12, CachedInput: 4}, Cost: 22 + 24, Latency: time.Second,
	}
	if got := meter.Total(); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestStream(t *testing.T) {
	meter := usage.NewMeter(usage.Budget{})
	inner := llmtest.Script(
		reply(llm.Response{Text: "a b c", Usage: llm.Usage{Input: 3, Output: 2}}),
		llmtest.Step{Response: llm.Response{Text: "a b"}, Err: errors.New("sad")},
		llmtest.Say("eight by tes"),
	)
	m := meter.Model(inner, usage.Price{})
	if r, err := llm.Collect(m.Stream(t.Context(), ask("hi"))); err != nil || r.Text != "a b c" {
		t.Errorf("%q, %v", r.Text, err)
	}
	if _, err := llm.Collect(m.Stream(t.Context(), ask("hi"))); err == nil {
		t.Error("no error")
	}
	for range m.Stream(t.Context(), ask("hi")) { // "eight ", and out
		break
	}
	want := usage.Total{Calls: 3, Failed: 1, Incomplete: 1, Estimated: 1, Usage: llm.Usage{Input: 3 + 1, Output: 2 + 2}}
	if got := meter.Total(); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestModelsOfOneMeter(t *testing.T) {
	meter := usage.NewMeter(usage.Budget{})
	a, b := llmtest.New(llmtest.Echo), llmtest.New(llmtest.Echo)
	a.Name, b.Name = "a", "b"
	for _, m := range []llm.Model{meter.Model(b, usage.Price{Output: 1e6}), meter.Model(a, usage.Price{}), meter.Model(b, usage.Price{Output: 1e6})} {
		if _, err := m.Generate(t.Context(), ask("hi")); err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	for id, total := range meter.ByModel() {
		ids = append(ids, id)
		if want := map[string]usage.Total{
			"a": {Calls: 1, Estimated: 1, Usage: llm.Usage{Input: 1, Output: 3}},
			"b": {Calls: 2, Estimated: 2, Usage: llm.Usage{Input: 2, Output: 6}, Cost: 6},
		}[id]; total != want {
			t.Errorf("%s: %+v, want %+v", id, total, want)
		}
	}
	if len(ids) != 2 || ids[0] != "a" || meter.Total().Calls != 3 {
		t.Errorf("%q, %+v", ids, meter.Total())
	}
}

func TestBudget(t *testing.T) {
	for _, c := range []struct {
		name   string
		budget usage.Budget
		calls  int
		bound  string
	}{
		{"calls", usage.Budget{Calls: 3}, 3, "calls"},
		{"tokens", usage.Budget{Tokens: 25}, 3, "tokens"}, // 10 a call: the third goes over
		{"cost", usage.Budget{Cost: 0.5}, 5, "cost"},      // 0.1 a call
		{"the scarcest counts", usage.Budget{Calls: 9, Tokens: 1000, Cost: 0.2}, 2, "cost"},
		{"calls below 0", usage.Budget{Calls: -1}, 0, "calls"},
		{"cost not a number", usage.Budget{Cost: math.NaN()}, 0, "cost"},
		{"cost infinite", usage.Budget{Cost: math.Inf(1)}, 0, "cost"},
		{"none", usage.Budget{}, 10, ""},
	} {
		inner := llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) {
			return llm.Response{Text: "yes", Usage: llm.Usage{Input: 5, Output: 5}}, nil
		})
		m := usage.NewMeter(c.budget).Model(inner, usage.Price{Input: 1e4, Output: 1e4})
		var last error
		for range 10 {
			_, last = m.Generate(t.Context(), ask("hi"))
		}
		if n := len(inner.Requests()); n != c.calls {
			t.Errorf("%s: %d calls, want %d", c.name, n, c.calls)
		}
		var over *usage.BudgetError
		if c.bound == "" {
			if last != nil {
				t.Errorf("%s: %v", c.name, last)
			}
		} else if !errors.Is(last, usage.ErrBudget) || !errors.As(last, &over) || over.Bound != c.bound {
			t.Errorf("%s: %v", c.name, last)
		}
		if _, err := llm.Collect(m.Stream(t.Context(), ask("hi"))); (err == nil) != (c.bound == "") {
			t.Errorf("%s, streamed: %v", c.name, err)
		}
	}
}

// Calls at once don't slip through together; what a cache answers leaves the
// budget as it is.
func TestBudgetOfCallsIsExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := llmtest.New(func(_ context.Context, n int, _ llm.Request) (llm.Response, error) {
			time.Sleep(time.Second)
			return llm.Response{Text: "yes"}, nil
		})
		m := usage.NewMeter(usage.Budget{Calls: 7}).Model(inner, usage.Price{})
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { m.Generate(t.Context(), ask("hi")) })
		}
		wg.Wait()
		if n := len(inner.Requests()); n != 7 {
			t.Errorf("%d calls", n)
		}
	})
	cached := llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "yes", Cached: true}, nil
	})
	m := usage.NewMeter(usage.Budget{Calls: 1}).Model(cached, usage.Price{})
	for range 5 {
		if _, err := m.Generate(t.Context(), ask("hi")); err != nil {
			t.Error(err)
		}
	}
}

func TestBadPrices(t *testing.T) {
	for _, p := range []usage.Price{{Input: -1}, {Output: math.NaN()}, {CachedInput: math.Inf(1)}} {
		inner := llmtest.New(llmtest.Echo)
		if _, err := usage.NewMeter(usage.Budget{}).Model(inner, p).Generate(t.Context(), ask("hi")); err == nil || len(inner.Requests()) > 0 {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func TestConforms(t *testing.T) {
	conform.LLM(t, func() llm.Model {
		return usage.NewMeter(usage.Budget{}).Model(llmtest.New(llmtest.Echo), usage.Price{Input: 1})
	}, conform.Deterministic(true))
}
