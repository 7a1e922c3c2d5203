package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/segment"
)

// unreachable is how many answers in a row a model may be unavailable for.
const unreachable = 5

// runner is one call of Start.
type runner struct {
	Options
	j     *journal
	purse *purse
	begun time.Time
	tasks int

	unanswered [][]Task // by model
	unscored   []job
	scoring    chan job

	told sync.Mutex // for Options.Progress

	mu       sync.Mutex
	subjects map[string]*subjectOnce
	done     int
	failed   int
	pace     []pace
}

// pace is how many of a model's tasks are left, and how many were done since begun.
type pace struct{ left, did int }

// job is an answer to be scored.
type job struct {
	model  int
	answer Answer
}

// subjectOnce is an item that several tasks wait for: made ready by the first, and
// dropped after the last.
type subjectOnce struct {
	item  Item
	users int // under runner.mu

	mu      sync.Mutex
	written bool // in the log
	ready   bool
	subject subject
}

func newRunner(o Options, j *journal, s *state, tasks [][]Task) *runner {
	r := &runner{
		Options: o, j: j, purse: newPurse(o.Budget, s.spent), begun: time.Now(),
		unanswered: make([][]Task, len(tasks)), scoring: make(chan job),
		subjects: map[string]*subjectOnce{}, pace: make([]pace, len(tasks)),
	}
	items := map[string]Item{}
	for i, it := range o.Items {
		it.Place, it.GoldGraph, it.ContextGraph = i, nil, nil
		items[it.ID] = it
	}
	for m, all := range tasks {
		r.tasks += len(all)
		for _, t := range all {
			rec := s.records[t]
			switch {
			case rec == nil:
				rec = &Record{}
			case rec.Score != nil:
				r.done++
				continue
			case rec.Failure != nil && !o.RetryFailed:
				r.failed++
				continue
			}
			r.pace[m].left++
			x, ok := r.subjects[t.Item]
			if !ok {
				_, written := s.items[t.Item]
				x = &subjectOnce{item: items[t.Item], written: written}
				r.subjects[t.Item] = x
			}
			x.users++
			if rec.Answer != nil {
				r.unscored = append(r.unscored, job{m, *rec.Answer})
			} else {
				r.unanswered[m] = append(r.unanswered[m], t)
			}
		}
	}
	return r
}

// run does all that is left. Models are asked each at its own pace; scorers take their
// answers, and a model that is faster than they are waits.
func (r *runner) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.tell()
	jobs := r.ScoreJobs
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var scorers, models sync.WaitGroup
	for range jobs {
		scorers.Go(func() {
			for x := range r.scoring {
				if err := r.score(ctx, x); err != nil {
					stop(err)
				}
			}
		})
	}
	models.Go(func() {
		for _, x := range r.unscored {
			r.hand(ctx, x)
		}
	})
	halts := make([]error, len(r.Models))
	for m := range r.Models {
		models.Go(func() {
			var err error
			if halts[m], err = r.ask(ctx, m); err != nil {
				stop(err)
			}
		})
	}
	models.Wait()
	close(r.scoring)
	scorers.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	// A spent budget is one thing, however many models it stopped.
	var spent *BudgetError
	var out []error
	for _, err := range halts {
		if err != nil && !errors.As(err, &spent) {
			out = append(out, err)
		}
	}
	if spent != nil {
		out = append(out, spent)
	}
	return errors.Join(out...)
}

// hand gives an answer to the scorers, unless the run ends.
func (r *runner) hand(ctx context.Context, x job) {
	select {
	case r.scoring <- x:
	case <-ctx.Done():
	}
}

// ask asks a model all that it has not answered. halted says why it stopped before the
// end, while answers under way came to theirs; err ends the whole run.
func (r *runner) ask(ctx context.Context, m int) (halted, err error) {
	var workers sync.WaitGroup
	var mu sync.Mutex
	away := 0 // unavailable in a row
	next := 0
	// take returns the next task; false if there is none or the model is halted.
	take := func() (Task, bool) {
		mu.Lock()
		defer mu.Unlock()
		if halted != nil || err != nil || ctx.Err() != nil || next == len(r.unanswered[m]) {
			return Task{}, false
		}
		next++
		return r.unanswered[m][next-1], true
	}
	for range max(1, r.Models[m].Concurrency) {
		workers.Go(func() {
			for {
				t, ok := take()
				if !ok {
					return
				}
				// The item comes before its answers.
				if _, e := r.subject(ctx, t.Item); e != nil {
					mu.Lock()
					err = e
					mu.Unlock()
					return
				}
				a, cause := r.answer(ctx, m, t)
				if cause == nil {
					// It is kept even if the run ends meanwhile.
					cause = r.j.append(entry{Answer: &a}, true)
					if cause == nil {
						mu.Lock()
						away = 0
						mu.Unlock()
						r.hand(ctx, job{m, a})
						continue
					}
					mu.Lock()
					err = cause
					mu.Unlock()
					return
				}
				if ctx.Err() != nil {
					return // it may say nothing but that
				}
				mu.Lock()
				if errors.Is(cause, llm.ErrUnavailable) {
					away++
				} else {
					away = 0
				}
				stop, record := halt(r.Models[m].Name, cause, away)
				if stop != nil && halted == nil {
					halted = stop
				}
				mu.Unlock()
				if !record {
					continue
				}
				if e := r.fail(m, Failure{Task: t, Stage: StageAnswer, Usage: a.Usage, Cost: a.Cost}, cause); e != nil {
					mu.Lock()
					err = e
					mu.Unlock()
					return
				}
			}
		})
	}
	workers.Wait()
	return halted, err
}

// halt tells whether an answer's failure is one of the model, so that it is not asked
// any further, and whether it is one of the task, to be recorded.
func halt(model string, cause error, away int) (stop error, record bool) {
	var spent *BudgetError
	var e *llm.Error
	switch {
	case errors.As(cause, &spent):
		return spent, false
	case errors.Is(cause, llm.ErrAuth), errors.As(cause, &e) && e.Status == 404:
		// A wrong key, or no such model: it will be the same for every question.
		return &ModelError{model, cause}, false
	case away >= unreachable:
		return &ModelError{model, fmt.Errorf("it was unavailable %d times in a row: %w", away, cause)}, true
	}
	return nil, true
}

// answer asks a model one question, within the budget. Beside an error the answer holds
// what was used.
func (r *runner) answer(ctx context.Context, m int, t Task) (a Answer, err error) {
	model := r.Models[m]
	r.mu.Lock()
	it := r.subjects[t.Item].item
	r.mu.Unlock()
	q := Question{Text: it.Question, Sources: it.Sources, Temperature: t.Temperature, Seed: r.Seed + int64(t.Repeat)}
	a.Task = t
	var most spending
	if e, ok := model.Answerer.(Estimator); ok && r.Budget.bounded() {
		most = spendingOf(e.Most(q), model.Price)
	}
	if err := r.purse.take(ctx, most); err != nil {
		return a, err
	}
	begun := time.Now()
	reply, err := safely(func() (Reply, error) { return model.Answerer.Answer(ctx, q) })
	a.Seconds = time.Since(begun).Seconds()
	a.At = time.Now().UTC()
	a.Text, a.Backend, a.Usage = segment.RepairUTF8(reply.Text), segment.RepairUTF8(reply.Backend), reply.Usage
	if _, tells := model.Answerer.(Estimator); err == nil && tells && a.Usage == (llm.Usage{}) {
		// A server that tells nothing: its use is taken to be what the text says.
		if u := model.Answerer.(Estimator).Most(q); u != (llm.Usage{}) {
			a.Usage, a.Estimated = llm.Usage{Input: u.Input, Output: min(u.Output, len(reply.Text)/4+1)}, true
		}
	}
	used := spendingOf(a.Usage, model.Price)
	a.Cost = used.cost
	r.purse.settle(most, used)
	return a, err
}

// safely turns a panic of a caller's part into an error.
func safely[T any](f func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// subject returns an item made ready, and writes it when it is made so for the first
// time in a log. The error is that of the log or the context's.
func (r *runner) subject(ctx context.Context, id string) (subject, error) {
	r.mu.Lock()
	x := r.subjects[id]
	r.mu.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.ready {
		s, err := safely(func() (subject, error) { return r.Scoring.prepare(ctx, x.item) })
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
		if err != nil {
			s = subject{Item: x.item, err: err}
		}
		x.subject, x.ready = s, true
	}
	if !x.written {
		if err := r.j.append(entry{Item: &x.subject.Item}, false); err != nil {
			return x.subject, err
		}
		x.written = true
	}
	return x.subject, nil
}

// score scores an answer and writes what came of it. The error is that of the log.
func (r *runner) score(ctx context.Context, x job) error {
	it, err := r.subject(ctx, x.answer.Item)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	s, err := safely(func() (Score, error) { return r.Scoring.score(ctx, it, x.answer) })
	switch {
	case ctx.Err() != nil:
		return nil // the task stays open
	case err != nil:
		return r.fail(x.model, Failure{Task: x.answer.Task, Stage: StageScore}, err)
	}
	if err := r.j.append(entry{Score: &s}, false); err != nil {
		return err
	}
	r.ended(x.model, x.answer.Item, true)
	return nil
}

// fail records why a task ended without a score.
func (r *runner) fail(m int, f Failure, cause error) error {
	f.Error, f.At = segment.RepairUTF8(cause.Error()), time.Now().UTC()
	if f.Kind = llm.Kind(cause); f.Kind == "" {
		f.Kind = "other"
	}
	var long *AnswerLengthError
	if errors.As(cause, &long) {
		f.Kind = "answer length"
	}
	if err := r.j.append(entry{Failure: &f}, true); err != nil {
		return err
	}
	r.ended(m, f.Item, false)
	return nil
}

// ended counts a task that came to its end.
func (r *runner) ended(m int, item string, scored bool) {
	r.mu.Lock()
	if scored {
		r.done++
	} else {
		r.failed++
	}
	r.pace[m].left--
	r.pace[m].did++
	if x := r.subjects[item]; x != nil {
		if x.users--; x.users == 0 {
			delete(r.subjects, item)
		}
	}
	r.mu.Unlock()
	r.tell()
}

// tell reports the progress.
func (r *runner) tell() {
	if r.Options.Progress == nil {
		return
	}
	r.told.Lock()
	defer r.told.Unlock()
	r.Options.Progress(r.progress())
}

func (r *runner) progress() Progress {
	spent := r.purse.total()
	r.mu.Lock()
	defer r.mu.Unlock()
	p := Progress{Tasks: r.tasks, Done: r.done, Failed: r.failed, Tokens: spent.tokens, Cost: spent.cost, Elapsed: time.Since(r.begun)}
	// Models work beside each other: the slowest one decides.
	for _, x := range r.pace {
		switch {
		case x.left == 0:
		case x.did == 0:
			p.Left = -1
			return p
		default:
			p.Left = max(p.Left, time.Duration(float64(p.Elapsed)/float64(x.did)*float64(x.left)))
		}
	}
	return p
}
