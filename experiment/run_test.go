package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cus"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/usage"
	"github.com/kgeval/kgeval/tau"
)

func TestARunScoresEveryTask(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	path := filepath.Join(t.TempDir(), "run.jsonl")
	m, once := right(), right()
	o := options(4, model("right", m), experiment.Model{Name: "once", Answerer: once, Once: true})
	o.Repeats = 2
	var told []experiment.Progress
	o.Progress = func(p experiment.Progress) { told = append(told, p) }
	p := start(t, path, o)
	if want := 4*2*2 + 4; p.Tasks != want || p.Done != want || p.Failed != 0 || p.Tokens != want*100 {
		t.Errorf("%+v", p)
	}
	if len(told) != p.Tasks+1 || told[0].Done != 0 || told[0].Left >= 0 {
		t.Errorf("progress was told %d times, first %+v", len(told), told[0])
	}
	r := read(t, path)
	if len(r.Items) != 4 || len(r.Records) != p.Tasks || r.Open() != 0 || r.Torn {
		t.Fatalf("%d items, %d records, %d open", len(r.Items), len(r.Records), r.Open())
	}
	for i, it := range r.Items {
		if it.Place != i || it.GoldGraph.Len() == 0 || it.ContextGraph.Len() <= it.GoldGraph.Len() {
			t.Errorf("item %+v", it)
		}
	}
	for i, x := range r.Records {
		cold := x.Temperature < 0.5
		s := x.Score
		if x.Answer == nil || s == nil || x.Failure != nil {
			t.Fatalf("%+v", x)
		}
		if (s.CUS == 1) != cold || (s.Check.Outcome == claim.Consistent) != cold {
			t.Errorf("%v: CUS %v, %s", x.Task, s.CUS, s.Check.Outcome)
		}
		if cold && (len(s.Gold) != 1 || s.Gold[0].Class != tau.Aligned) || slices.ContainsFunc(s.Context, func(f tau.Finding) bool { return f.Class == tau.Missing }) {
			t.Errorf("%v: %v %v", x.Task, s.Gold, s.Context)
		}
		if x.Model == "once" && (x.Temperature != 0 || x.Repeat != 0) {
			t.Errorf("%v", x.Task)
		}
		if i > 0 && x.Model == r.Records[i-1].Model && x.Temperature < r.Records[i-1].Temperature {
			t.Errorf("%v is behind %v", x.Task, r.Records[i-1].Task)
		}
	}
	seeds := map[int64]int{}
	for _, q := range m.asked {
		seeds[q.Seed]++
	}
	if seeds[0] != 8 || seeds[1] != 8 {
		t.Errorf("seeds %v", seeds)
	}

	// Nothing is left to do: nobody is asked, and the file stays as it is.
	before, _ := os.ReadFile(path)
	start(t, path, o)
	after, _ := os.ReadFile(path)
	if m.times() != 16 || string(before) != string(after) {
		t.Errorf("a finished run was worked on again: %d answers", m.times())
	}
}

func TestSettingsThatChangedAreNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	o := options(2, model("m", right()))
	start(t, path, o)
	for _, c := range []struct {
		name   string
		change func(*experiment.Options)
		want   []string
	}{
		{"temperatures", func(o *experiment.Options) { o.Temperatures = []float64{0} }, []string{"temperatures"}},
		{"another model by the name", func(o *experiment.Options) { a := right(); a.id = "right@2"; o.Models[0].Answerer = a }, []string{"models.m"}},
		{"one model more", func(o *experiment.Options) { o.Models = append(o.Models, model("n", right())) }, []string{"models", "models.n"}},
		{"a text of the data", func(o *experiment.Options) { o.Items[1].Gold += " Yes." }, []string{"data"}},
		{"seed and repeats", func(o *experiment.Options) { o.Seed, o.Repeats = 7, 3 }, []string{"repeats", "seed"}},
		{"a setting of the caller", func(o *experiment.Options) { o.Settings = map[string]string{"scoring.method": "paper"} }, []string{"scoring.method"}},
		{"the bound of an answer", func(o *experiment.Options) { o.Scoring.MaxAnswer = 9 }, []string{"scoring.max_answer"}},
		{"no check", func(o *experiment.Options) { o.Scoring.Checker = nil }, []string{"scoring.check"}},
		{"the form of the similarity", func(o *experiment.Options) { o.Scoring.CUS = cus.Paper() }, []string{"scoring.cus"}},
	} {
		changed := options(2, model("m", right()))
		c.change(&changed)
		_, err := experiment.Start(t.Context(), path, changed)
		var e *experiment.ChangedError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var names []string
		for _, x := range e.Changes {
			names = append(names, x.Name)
			if !strings.Contains(err.Error(), x.Name+" was ") {
				t.Errorf("%s: the error does not name %s: %v", c.name, x.Name, err)
			}
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%s: %v, want %v", c.name, names, c.want)
		}
	}
	// What changes no result may change.
	o.Models[0].Concurrency, o.ScoreJobs, o.Budget = 1, 1, experiment.Budget{Tokens: 1 << 30}
	start(t, path, o)
}

func TestOptionsThatMakeNoRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	type plain struct{ experiment.Answerer }
	for want, change := range map[string]func(*experiment.Options){
		"needs items, models and temperatures":         func(o *experiment.Options) { o.Items = nil },
		"two models have the name":                     func(o *experiment.Options) { o.Models = append(o.Models, o.Models[0]) },
		"model 1 has no name or no answerer":           func(o *experiment.Options) { o.Models[0].Name = "" },
		`two items have the id "q00"`:                  func(o *experiment.Options) { o.Items[1].ID = "q00" },
		"temperature -1 is negative":                   func(o *experiment.Options) { o.Temperatures = []float64{-1} },
		"temperature 1 is negative, or is there twice": func(o *experiment.Options) { o.Temperatures = []float64{1, 1} },
		"scoring needs an extractor":                   func(o *experiment.Options) { o.Scoring = experiment.Scoring{} },
		"the budget is below 0":                        func(o *experiment.Options) { o.Budget.Tokens = -1 },
		"model m cannot tell what an answer will use":  func(o *experiment.Options) { o.Budget.Tokens = 1; o.Models[0].Answerer = plain{right()} },
	} {
		o := options(2, model("m", right()))
		change(&o)
		if _, err := experiment.Start(t.Context(), path, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a log was begun")
	}
}

// One item's failure is recorded, does not end the run, and is tried again on demand.
func TestFailuresAreRecordedAndRetried(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	broken := true
	m := right()
	say := m.say
	m.say = func(ctx context.Context, q experiment.Question) (experiment.Reply, error) {
		switch {
		case !broken:
		case strings.Contains(q.Text, "Brome"):
			return experiment.Reply{Text: "The mill", Usage: llm.Usage{Input: 5, Output: 3}}, fmt.Errorf("asked: %w", &llm.IncompleteError{Stop: llm.StopLength})
		case strings.Contains(q.Text, "Corran"):
			panic("no town")
		}
		return say(ctx, q)
	}
	o := options(4, model("m", m))
	p := start(t, path, o)
	if p.Done != 4 || p.Failed != 4 || p.Tokens != 4*100+2*8 {
		t.Errorf("%+v", p)
	}
	kinds := map[string]int{}
	for _, x := range read(t, path).Records {
		if x.Failure != nil {
			kinds[x.Item+" "+string(x.Failure.Stage)+" "+x.Failure.Kind]++
			if x.Failure.Error == "" || x.Failure.At.IsZero() {
				t.Errorf("%+v", x.Failure)
			}
		}
	}
	if len(kinds) != 2 || kinds["q01 answer truncated"] != 2 || kinds["q02 answer other"] != 2 {
		t.Errorf("%v", kinds)
	}
	broken = false
	asked := m.times()
	if start(t, path, o); m.times() != asked {
		t.Error("failed tasks were tried without being told to")
	}
	o.RetryFailed = true
	if p := start(t, path, o); p.Done != 8 || p.Failed != 0 || m.times() != asked+4 {
		t.Errorf("%+v, %d answers", p, m.times()-asked)
	}
	if r := read(t, path); r.Open() != 0 || slices.ContainsFunc(r.Records, func(x experiment.Record) bool { return x.Failure != nil }) {
		t.Error("a failure is left")
	}
}

// The run stops before an answer that could exceed the budget, whatever is under way.
func TestTheBudgetIsNeverExceeded(t *testing.T) {
	for _, c := range []struct {
		name   string
		budget experiment.Budget
		price  usage.Price
	}{
		{"tokens", experiment.Budget{Tokens: 777}, usage.Price{}},
		{"cost", experiment.Budget{Cost: 0.0777}, usage.Price{Input: 100, Output: 100}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.jsonl")
			m, free := right(), right()
			free.say = func(_ context.Context, q experiment.Question) (experiment.Reply, error) {
				return experiment.Reply{Text: q.Sources[0].Text}, nil
			}
			o := options(6, model("m", m))
			o.Models[0].Price, o.Models[0].Concurrency = c.price, 4
			o.Budget = c.budget
			p, err := experiment.Start(t.Context(), path, o)
			var e *experiment.BudgetError
			// An answer uses 100 and could use 150: after seven, 700 are spent, and one more
			// could make it 850.
			if !errors.As(err, &e) || !errors.Is(err, usage.ErrBudget) || e.Bound != c.name || p.Tokens > 777 || p.Done != 7 {
				t.Fatalf("%v, %+v", err, p)
			}
			if p.Done+read(t, path).Open() != 12 {
				t.Errorf("%d done, %d open", p.Done, read(t, path).Open())
			}
			// What was spent before counts.
			if _, err := experiment.Start(t.Context(), path, o); !errors.As(err, &e) || m.times() != 7 {
				t.Errorf("%v, %d answers", err, m.times())
			}
			o.Budget = experiment.Budget{Tokens: 5000}
			if p, err := experiment.Start(t.Context(), path, o); err != nil || p.Done != 12 || m.times() != 12 {
				t.Errorf("%v, %+v", err, p)
			}
		})
	}
}

// A model that will not answer anything stops, by name; the others go on.
func TestAModelThatCannotBeAsked(t *testing.T) {
	for _, c := range []struct {
		name     string
		err      error
		asked    int // at most
		recorded int
	}{
		{"an unknown name", &llm.Error{Kind: llm.ErrBadRequest, Status: 404, Message: "model 'm' not found"}, 1, 0},
		{"a wrong key", &llm.Error{Kind: llm.ErrAuth, Status: 401}, 1, 0},
		{"a server that is away", &llm.Error{Kind: llm.ErrUnavailable}, 5, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.jsonl")
			bad := &answerer{id: "bad", say: func(context.Context, experiment.Question) (experiment.Reply, error) { return experiment.Reply{}, c.err }}
			o := options(6, model("bad", bad), model("m", right()))
			o.Models[0].Concurrency = 1
			p, err := experiment.Start(t.Context(), path, o)
			var e *experiment.ModelError
			if !errors.As(err, &e) || e.Model != "bad" || !errors.Is(err, c.err) || p.Done != 12 || p.Failed != c.recorded || bad.times() > c.asked {
				t.Errorf("%v, %+v, %d answers", err, p, bad.times())
			}
			// It goes on when the model is there.
			o.Models[0].Answerer = &answerer{id: "bad", say: right().say}
			o.RetryFailed = true
			if p := start(t, path, o); p.Done != 24 {
				t.Errorf("%+v", p)
			}
		})
	}
}

func TestAnEndedContextStopsAtOnceAndKeepsWhatIsDone(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	path := filepath.Join(t.TempDir(), "run.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	m := right()
	say := m.say
	m.say = func(ctx context.Context, q experiment.Question) (experiment.Reply, error) {
		if m.times() > 5 {
			cancel()
			<-ctx.Done()
			return experiment.Reply{}, ctx.Err()
		}
		return say(ctx, q)
	}
	o := options(6, model("m", m))
	o.Models[0].Concurrency = 1
	if _, err := experiment.Start(ctx, path, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	r := read(t, path)
	answers := 0
	for _, x := range r.Records {
		if x.Failure != nil {
			t.Errorf("the end of the context was recorded: %+v", x.Failure)
		}
		if x.Answer != nil {
			answers++
		}
	}
	if answers != 5 {
		t.Errorf("%d answers are in the log, of 5", answers)
	}
	m.say = say
	if p := start(t, path, o); p.Done != 12 || m.times() != 6+7 {
		t.Errorf("%+v, %d answers", p, m.times())
	}
}

func TestTwoRunsOnOneLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	inside, leave := make(chan bool), make(chan bool)
	var once sync.Once
	m := right()
	say := m.say
	m.say = func(ctx context.Context, q experiment.Question) (experiment.Reply, error) {
		once.Do(func() { inside <- true; <-leave })
		return say(ctx, q)
	}
	done := make(chan error)
	go func() {
		_, err := experiment.Start(context.Background(), path, options(2, model("m", m)))
		done <- err
	}()
	<-inside
	_, err := experiment.Start(t.Context(), path, options(2, model("m", right())))
	if runtime.GOOS == "linux" || runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		if !errors.Is(err, experiment.ErrLocked) || !strings.Contains(err.Error(), path) {
			t.Errorf("the second run: %v", err)
		}
	}
	if _, err := experiment.Read(path); err != nil {
		t.Errorf("reading meanwhile: %v", err)
	}
	leave <- true
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestALongAnswerIsKeptAndNotScored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	long := strings.Repeat("The mill closed in 1907. ", 1<<20/25+1)
	m := &answerer{id: "long", say: func(context.Context, experiment.Question) (experiment.Reply, error) {
		return experiment.Reply{Text: long}, nil
	}}
	o := options(1, model("m", m))
	p := start(t, path, o)
	r := read(t, path)
	if p.Failed != 2 || r.Records[0].Answer.Text != long || r.Records[0].Failure.Kind != "answer length" ||
		r.Records[0].Failure.Error != fmt.Sprintf("the answer has %d bytes, and no more than 65536 are scored", len(long)) {
		t.Errorf("%+v %+v", p, r.Records[0].Failure)
	}
	// Scoring is tried again from the log: nobody is asked.
	o.RetryFailed = true
	if start(t, path, o); m.times() != 2 {
		t.Errorf("asked %d times", m.times())
	}
}

func TestAnswersThatStateNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	says := map[string]string{"Ardle": "I don't know.", "Brome": "1901", "Corran": "", "Dunmore": "\xff<script>alert(1)</script> The mill closed in 1903."}
	m := &answerer{id: "odd", say: func(_ context.Context, q experiment.Question) (experiment.Reply, error) {
		for town, text := range says {
			if strings.Contains(q.Text, town) {
				return experiment.Reply{Text: text}, nil
			}
		}
		return experiment.Reply{}, nil
	}}
	o := options(4, model("m", m))
	o.Temperatures = []float64{0}
	start(t, path, o)
	for _, x := range read(t, path).Records {
		s := x.Score
		switch x.Item {
		case "q00", "q02":
			if s.Degenerate != cus.Answer || s.Counted() || s.Check.Outcome != claim.NoClaims {
				t.Errorf("%q: %+v", x.Answer.Text, s)
			}
		case "q01":
			if !s.Fallback || !s.Counted() || s.GoldSim <= 0 || s.GoldSim >= 1 {
				t.Errorf("%q: %+v", x.Answer.Text, s)
			}
		case "q03":
			if x.Answer.Text != "\ufffd<script>alert(1)</script> The mill closed in 1903." || !s.Counted() {
				t.Errorf("%q: %+v", x.Answer.Text, s)
			}
		}
	}
}

// A run's numbers do not depend on how it was scheduled.
func TestOrderAndJobsChangeNothing(t *testing.T) {
	var want string
	for i, jobs := range []int{1, 4} {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		o := options(6, model("a", right()), model("b", right()))
		o.ScoreJobs, o.Models[0].Concurrency = jobs, jobs
		start(t, path, o)
		got := canonical(t, path)
		if i > 0 && got != want {
			t.Error("the logs differ")
		}
		want = got
	}
}

// An item of a megabyte is an item, if a slow one.
func TestALongItem(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; run without -short")
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	o := options(1, model("m", right()))
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "The mill in Place%d closed in %d. ", i, 1800+i%200)
	}
	o.Items[0].Sources = append(o.Items[0].Sources, claim.Source{ID: "long", Text: b.String()})
	o.Temperatures = []float64{0}
	o.Scoring.Checker = nil // what a check of it takes is grapheval's matter
	start(t, path, o)
	r := read(t, path)
	if s := r.Records[0].Score; s == nil || s.GoldSim != 1 || s.CtxSim != 1 || r.Items[0].ContextGraph.Len() < 10000 {
		t.Errorf("%+v, %d facts", s, r.Items[0].ContextGraph.Len())
	}
}
