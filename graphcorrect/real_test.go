package graphcorrect_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/internal/realserver"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm/openai"
	"github.com/kgeval/kgeval/segment"
)

// The floor is that of Qwen2.5-Coder-0.5B-Instruct (Q4_K_M), which KGEVAL_GGUF
// names; CI's small model can't do it, and only the guards are tested.
func TestRealServer(t *testing.T) {
	s := realserver.Start(t, realserver.Options{Context: 4096})
	m, err := openai.New(openai.Config{BaseURL: s.URL, Model: s.Model, Key: s.Key})
	if err != nil {
		t.Fatal(err)
	}
	p, err := graphcorrect.NewTwoStep(m, graphcorrect.TwoStepOptions{MaxTokens: 120, Seed: new(int64(1))})
	if err != nil {
		t.Fatal(err)
	}
	floors := os.Getenv("KGEVAL_GGUF") != ""
	right := 0
	all := []struct {
		source, output, right string
		wrong                 kg.Triple
	}{
		{"Orbix built the Kestrel bridge in 1987.", "The Kestrel bridge was built in 1978. It is 412 metres long.", "The Kestrel bridge was built in 1987. It is 412 metres long.",
			kg.Triple{Head: "the Kestrel bridge", Relation: "was built in", Tail: "1978"}},
		{"Marta Silva was born in Porto.", "Marta Silva was born in Madrid. She studied medicine.", "Marta Silva was born in Porto. She studied medicine.",
			kg.Triple{Head: "Marta Silva", Relation: "was born in", Tail: "Madrid"}},
		{"The company employs 80 people in Ghent.", "The company makes pumps. It employs 90 people.", "The company makes pumps. It employs 80 people.",
			kg.Triple{Head: "the company", Relation: "employs", Tail: "90 people"}},
	}
	if !floors {
		all = all[:1]
	}
	for _, c := range all {
		at := strings.Index(c.output, c.wrong.Tail)
		k := claim.Claim{Triple: c.wrong, Verdict: claim.Contradicted, Spans: []segment.Span{{Start: at, End: at + len(c.wrong.Tail)}}}
		for _, s := range segment.Sentences(c.output) {
			if s.Start <= at && at < s.End {
				k.Sentence = s
			}
		}
		edits, err := p.Propose(context.Background(), claim.Sample{Sources: []claim.Source{{Text: c.source}}, Output: c.output}, k)
		var rejected *graphcorrect.RejectedError
		if err != nil && !errors.As(err, &rejected) {
			t.Fatal(err)
		}
		text, _, aerr := graphcorrect.Apply(c.output, edits)
		if aerr != nil {
			t.Fatal(aerr)
		}
		raw := ""
		if rejected != nil {
			raw = rejected.Raw
		}
		t.Logf("%q becomes %q, %v %q", c.output, text, err, raw)
		if text == c.right {
			right++
		}
	}
	if floors && right < 3 {
		t.Errorf("%d of 3 rewrites are right", right)
	}
}
