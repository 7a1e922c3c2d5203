package experiment_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg/openie"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/nli/lexical"
	"github.com/kgeval/kgeval/s3kg"
)

// scoring is made of the small parts, which load fast.
var scoring = sync.OnceValue(func() experiment.Scoring {
	extractor, err := openie.New(openie.Options{})
	if err != nil {
		panic(err)
	}
	scorer, err := s3kg.New(s3kg.Options{Embedder: hashed.New(), Extractor: extractor})
	if err != nil {
		panic(err)
	}
	rules, err := lexical.New()
	if err != nil {
		panic(err)
	}
	checker, err := grapheval.New(grapheval.Options{Extractor: extractor, Model: rules})
	if err != nil {
		panic(err)
	}
	return experiment.Scoring{Extractor: extractor, Scorer: scorer, Checker: checker}
})

// answerer is a model that says what a function tells it to.
type answerer struct {
	id  string
	say func(ctx context.Context, q experiment.Question) (experiment.Reply, error)

	mu    sync.Mutex
	asked []experiment.Question
}

func (a *answerer) ID() string { return a.id }

func (a *answerer) Answer(ctx context.Context, q experiment.Question) (experiment.Reply, error) {
	a.mu.Lock()
	a.asked = append(a.asked, q)
	a.mu.Unlock()
	return a.say(ctx, q)
}

func (a *answerer) Most(q experiment.Question) llm.Usage { return llm.Usage{Input: 100, Output: 50} }

func (a *answerer) times() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.asked)
}

// right is a model that repeats its first source, and is wrong by a number when it is hot.
func right() *answerer {
	return &answerer{id: "right@1", say: func(_ context.Context, q experiment.Question) (experiment.Reply, error) {
		text := q.Sources[0].Text
		if q.Temperature > 0.5 {
			text = strings.ReplaceAll(text, "19", "18")
		}
		return experiment.Reply{Text: text, Backend: "r", Usage: llm.Usage{Input: 90, Output: 10}}, nil
	}}
}

var towns = []string{"Ardle", "Brome", "Corran", "Dunmore", "Elgin", "Fyvie", "Garve", "Huntly", "Irvine", "Jura", "Kelso", "Largs"}

func items(n int) []experiment.Item {
	out := make([]experiment.Item, n)
	for i := range out {
		town, year := towns[i%len(towns)], 1900+i
		out[i] = experiment.Item{
			ID: fmt.Sprintf("q%02d", i), Group: fmt.Sprintf("g%d", i/2), Question: fmt.Sprintf("When did the mill in %s close?", town),
			Sources: []claim.Source{{ID: "a", Text: fmt.Sprintf("The mill in %s closed in %d.", town, year)}, {ID: "b", Text: fmt.Sprintf("%s lies on a river. It has a bridge.", town)}},
			Gold:    fmt.Sprintf("The mill in %s closed in %d.", town, year),
		}
	}
	return out
}

func options(n int, models ...experiment.Model) experiment.Options {
	return experiment.Options{Name: "test", Items: items(n), Models: models, Temperatures: []float64{0, 0.7}, Scoring: scoring(), ScoreJobs: 2}
}

func model(name string, a experiment.Answerer) experiment.Model {
	return experiment.Model{Name: name, Answerer: a, Concurrency: 3}
}

func start(t *testing.T, path string, o experiment.Options) experiment.Progress {
	t.Helper()
	p, err := experiment.Start(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func read(t *testing.T, path string) *experiment.Run {
	t.Helper()
	r, err := experiment.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
