package suite

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/internal/realserver"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/llmjudge"
	"github.com/kgeval/kgeval/segment"
)

// tokens is the length of a reply that is enough for its beginning: the small
// model has nothing to say.
const tokens = 12

// Parts runs what is built on a model over the same server: extraction, judging
// and both steps of correction. The small model is wrong about everything, so
// that what is tested is that each of them asks, reads, and takes no nonsense.
func Parts(t *testing.T, connect Connect) {
	server := realserver.Start(t, realserver.Options{Context: 4096})
	m := &witness{Streamer: connect(t, Target{URL: server.URL, Model: server.Model, Key: server.Key})}
	for _, c := range []struct {
		name string
		run  func(*testing.T, *witness)
	}{
		{"extraction", extraction},
		{"judge", judge},
		{"correction", correction},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, m) })
	}
	stop(t, server)
}

// witness remembers what a real model was asked and said. Where right is set, its
// first reply is replaced, to go on as if the model knew.
type witness struct {
	llm.Streamer

	mu      sync.Mutex
	right   string
	replies []llm.Response
}

func (w *witness) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	r, err := w.Streamer.Generate(ctx, req)
	if err != nil {
		return r, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.replies = append(w.replies, r)
	if w.right != "" && len(w.replies) == 1 {
		r.Text, r.Stop = w.right, llm.StopEnd
	}
	return r, nil
}

// begin forgets what was said.
func (w *witness) begin(right string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.right, w.replies = right, nil
}

// asked fails unless the model was asked so often at least, and answered.
func (w *witness) asked(t *testing.T, times int) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.replies) < times {
		t.Errorf("the model was asked %d times, want %d at least", len(w.replies), times)
	}
	for _, r := range w.replies {
		if r.Usage.Input == 0 || r.Usage.Output == 0 {
			t.Errorf("no reply: %+v", r)
		}
	}
}

func extraction(t *testing.T, m *witness) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	m.begin("")
	x, err := llmkg.New(m, llmkg.Options{MaxTokens: 48, Seed: new(int64(0)), Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.Extract(ctx, []kg.Text{{ID: "a", Text: "Bo rents a red boat from Ines."}})
	if err != nil {
		t.Fatal(err)
	}
	m.asked(t, 1)
	// Triples of three texts, or a reason why there are none.
	e := got[0]
	if e.TextID != "a" || e.Err == nil && len(e.Statements) == 0 && len(e.Dropped) == 0 && !e.Truncated {
		t.Errorf("neither triples nor a reason: %+v", e)
	}
	for _, s := range e.Statements {
		if s.Triple.Head == "" || s.Triple.Relation == "" || s.Triple.Tail == "" {
			t.Errorf("%+v", s)
		}
	}
}

func judge(t *testing.T, m *witness) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	pairs := []nli.Pair{{Premise: "Bo rents a red boat from Ines.", Hypothesis: "Bo rents a boat."}}
	for _, o := range []llmjudge.Options{{Mode: llmjudge.TokenProbs}, {Mode: llmjudge.Sampled, Samples: 1, MaxTokens: tokens}} {
		m.begin("")
		j, err := llmjudge.New(m, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := j.Classify(ctx, pairs)
		if err != nil {
			t.Fatal(err)
		}
		m.asked(t, 1)
		p := got[0]
		if sum := p.Entailment + p.Neutral + p.Contradiction; p.Err == nil && math.Abs(sum-1) > 1e-6 || p.Err != nil && sum != 0 {
			t.Errorf("%+v", p)
		}
	}
}

func correction(t *testing.T, m *witness) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	const output = "Uma came along. Bo rents a blue boat from Ines."
	sample := claim.Sample{Sources: []claim.Source{{ID: "s", Text: "Bo rents a red boat from Ines."}}, Output: output}
	from := strings.Index(output, "Bo rents")
	place := segment.Span{Start: from, End: len(output)}
	wrong := claim.Claim{
		Verdict:  claim.Contradicted,
		Triple:   kg.Triple{Head: "Bo", Relation: "rents", Tail: "blue boat"},
		Text:     "Bo rents blue boat.",
		Spans:    []segment.Span{place},
		Sentence: place,
	}

	// First what the model makes of the first step, then as if it had been right.
	for _, right := range []string{"", `["Bo", "rents", "red boat"]`} {
		m.begin(right)
		steps, err := graphcorrect.NewTwoStep(m, graphcorrect.TwoStepOptions{MaxTokens: 24, Seed: new(int64(0))})
		if err != nil {
			t.Fatal(err)
		}
		edits, err := steps.Propose(ctx, sample, wrong)
		if right == "" {
			m.asked(t, 1)
		} else {
			m.asked(t, 2)
		}
		if err != nil {
			var rejected *graphcorrect.RejectedError
			if !errors.As(err, &rejected) && !errors.Is(err, llm.ErrTruncated) {
				t.Errorf("error %v", err)
			}
			continue
		}
		text, _, err := graphcorrect.Apply(output, edits)
		if err != nil || !strings.HasPrefix(text, output[:from]) {
			t.Errorf("the correction touches another sentence: %q (%v)", text, err)
		}
	}
}
