package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/dataset"
	"github.com/kgeval/kgeval/llm/usage"
)

// Model is a model that takes part in a run.
type Model struct {
	// Name is what the log and its tables call it; no two have the same.
	Name     string
	Answerer Answerer
	// Once says that it gives the same answer at any temperature, so that it is asked
	// once an item.
	Once bool
	// Concurrency is how many questions it is asked at the same time; 0 means 1.
	Concurrency int
	// Price is what its tokens cost.
	Price usage.Price
}

// Options say what a run does.
type Options struct {
	// Name is what people call the run.
	Name string
	// Items are the questions; only ID, Group, Question, Sources and Gold are read. See
	// Items.
	Items  []Item
	Models []Model
	// Temperatures are those of the paper (0, 0.3, 0.7 and 1) if there are none.
	Temperatures []float64
	// Repeats is how many answers are drawn at each temperature; 0 means 1.
	Repeats int
	// Seed is that of the first repeat; the others count up.
	Seed int64

	Scoring Scoring
	// ScoreJobs is how many answers are scored at the same time; 0 means GOMAXPROCS.
	ScoreJobs int

	// Settings are further values that results depend on, for the header; those that
	// Start knows itself (data, models, temperatures, scoring, library) it adds.
	Settings map[string]string

	Budget Budget
	// RetryFailed tries tasks again that failed before.
	RetryFailed bool
	// Anew empties the log before, so that everything is asked again. A file that is no log
	// is refused all the same, and so is one that another process writes.
	Anew bool
	// Progress, if set, is told how far the run is, after each task and at the start. It
	// is not called concurrently, and the run waits for it.
	Progress func(Progress)
}

// Paper's temperatures.
var paperTemperatures = [...]float64{0, 0.3, 0.7, 1}

// PaperTemperatures returns those at which the paper asks its models.
func PaperTemperatures() []float64 { return paperTemperatures[:] }

// Progress is how far a run is.
type Progress struct {
	// Tasks is how many the run has; Done of them have a score, Failed ended with an error.
	Tasks, Done, Failed int
	// Tokens and Cost are those of all answers in the log.
	Tokens int
	Cost   float64
	// Elapsed is the time since Start was called, Left what the rest will take at the pace
	// so far; below 0 where that is not known yet.
	Elapsed, Left time.Duration
}

// ModelError says why a model was not asked any further: its key is wrong, its name is
// not known, or it could not be reached several times in a row. Its other tasks stay open.
type ModelError struct {
	Model string
	Err   error
}

func (e *ModelError) Error() string { return fmt.Sprintf("model %s: %v", e.Model, e.Err) }

// Unwrap returns Err.
func (e *ModelError) Unwrap() error { return e.Err }

// Items turns rows into items. A row without a question or without a context, and an ID
// that is there twice, is an error that names the row.
func Items(rows []dataset.Row) ([]Item, error) {
	seen := map[string]int{}
	out := make([]Item, len(rows))
	for i, r := range rows {
		switch at, twice := seen[r.ID]; {
		case strings.TrimSpace(r.Question) == "":
			return nil, fmt.Errorf("experiment: row %q (line %d) has no question", r.ID, r.Line)
		case claim.ValidateSources(r.Sources) != nil:
			return nil, fmt.Errorf("experiment: row %q (line %d): %w", r.ID, r.Line, claim.ValidateSources(r.Sources))
		case twice:
			return nil, fmt.Errorf("experiment: the id %q is that of lines %d and %d; name another field as id, or leave it out (id=-)", r.ID, at, r.Line)
		}
		seen[r.ID] = r.Line
		out[i] = Item{ID: r.ID, Group: r.Group, Question: r.Question, Sources: r.Sources, Gold: r.Gold}
	}
	return out, nil
}

// Start makes the run that o describes, in the log at a path: it begins the log, or goes
// on with it. It returns when every task has a score or a failure (nil, whatever failed),
// or when it had to stop:
//
//   - the context ended: its error, at once;
//   - the log is another process's: ErrLocked;
//   - the log was begun with other settings: a *ChangedError that names them;
//   - the file is no log, of another version, or damaged: see Read;
//   - the log cannot be written (a full disk, a folder that is read-only): a *WriteError,
//     or the error of opening it;
//   - the next answer could exceed the budget: a *BudgetError; what was asked is scored;
//   - a model cannot be asked: *ModelErrors, joined; the other models' tasks are done.
//
// Whatever it was, starting again goes on from there.
func Start(ctx context.Context, path string, o Options) (Progress, error) {
	h, tasks, err := o.header(ctx)
	if err != nil {
		return Progress{}, err
	}
	j, s, err := openLog(path, h, o.Anew)
	if err != nil {
		return Progress{}, fmt.Errorf("experiment: %w", err)
	}
	r := newRunner(o, j, s, tasks)
	err = r.run(ctx)
	if e := j.close(); err == nil {
		err = e
	}
	p := r.progress()
	if err != nil {
		return p, fmt.Errorf("experiment: %w", err)
	}
	return p, nil
}

// header checks the options and returns the header of their log, with the tasks of each
// model.
func (o *Options) header(ctx context.Context) (Header, [][]Task, error) {
	fail := func(format string, args ...any) (Header, [][]Task, error) {
		return Header{}, nil, fmt.Errorf("experiment: "+format, args...)
	}
	if o.Temperatures == nil {
		o.Temperatures = PaperTemperatures()
	}
	o.Temperatures = slices.Clone(o.Temperatures)
	slices.Sort(o.Temperatures)
	for i, t := range o.Temperatures {
		if !(t >= 0) || math.IsInf(t, 0) || i > 0 && t == o.Temperatures[i-1] {
			return fail("temperature %v is negative, or is there twice", t)
		}
	}
	o.Repeats = max(1, o.Repeats)
	if len(o.Items) == 0 || len(o.Models) == 0 || len(o.Temperatures) == 0 {
		return fail("a run needs items, models and temperatures; there are %d, %d and %d", len(o.Items), len(o.Models), len(o.Temperatures))
	}
	if b := o.Budget; b.Tokens < 0 || !(b.Cost >= 0) || math.IsInf(b.Cost, 0) {
		return fail("the budget is below 0")
	}
	settings, err := o.Scoring.settings(ctx)
	if err != nil {
		return Header{}, nil, err
	}
	for k, v := range o.Settings {
		settings[k] = v
	}
	h := Header{Format: Format, Version: Version, Name: o.Name, Settings: settings, Temperatures: o.Temperatures, Repeats: o.Repeats, Items: len(o.Items), Started: time.Now().UTC()}
	seen := map[string]bool{}
	tasks := make([][]Task, len(o.Models))
	for i, m := range o.Models {
		switch _, tells := m.Answerer.(Estimator); {
		case m.Name == "" || m.Answerer == nil:
			return fail("model %d has no name or no answerer", i+1)
		case seen[m.Name]:
			return fail("two models have the name %q", m.Name)
		case o.Budget.bounded() && !tells:
			return fail("model %s cannot tell what an answer will use, and so cannot run within a budget", m.Name)
		}
		seen[m.Name] = true
		h.Models = append(h.Models, m.Name)
		settings["models."+m.Name] = m.Answerer.ID()
		for _, it := range o.Items {
			if m.Once {
				tasks[i] = append(tasks[i], Task{Item: it.ID, Model: m.Name})
				continue
			}
			for _, t := range o.Temperatures {
				for n := range o.Repeats {
					tasks[i] = append(tasks[i], Task{it.ID, m.Name, t, n})
				}
			}
		}
		h.Tasks += len(tasks[i])
	}
	ids := map[string]bool{}
	sum := ""
	for _, it := range o.Items {
		if ids[it.ID] {
			return fail("two items have the id %q", it.ID)
		}
		ids[it.ID] = true
		b, err := json.Marshal([]any{sum, it.ID, it.Group, it.Question, it.Sources, it.Gold})
		if err != nil {
			return fail("item %q: %w", it.ID, err)
		}
		sum = sumOf(b)
	}
	settings["data"] = fmt.Sprintf("%d items, sum %s", len(o.Items), sum)
	settings["models"] = strings.Join(h.Models, ", ")
	settings["temperatures"] = numbers(o.Temperatures)
	settings["repeats"] = strconv.Itoa(o.Repeats)
	settings["seed"] = strconv.FormatInt(o.Seed, 10)
	settings["library"] = library()
	return h, tasks, nil
}

func numbers(xs []float64) string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strings.Join(out, ", ")
}

// library is the version of this module in the program.
func library() string {
	const path = "github.com/kgeval/kgeval"
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range b.Deps {
		if m.Path == path && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	revision, modified := "", ""
	for _, s := range b.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = ", modified"
		}
	}
	if revision != "" {
		return "devel " + revision[:min(12, len(revision))] + modified
	}
	return "devel"
}
