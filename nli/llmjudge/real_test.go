package llmjudge_test

import (
	"os"
	"testing"

	"github.com/kgeval/kgeval/internal/realserver"
	"github.com/kgeval/kgeval/llm/openai"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/llmjudge"
)

var plainClaims = []struct {
	premise, claim string
	entailed       bool
}{
	{"Tariq Aziz hired Bo Lund in 2019.", "Bo Lund was hired in 2019.", true},
	{"Tariq Aziz hired Bo Lund in 2019.", "Tariq Aziz hired Bo Lund in 2015.", false},
	{"The Kestrel bridge is 412 metres long and crosses the Oude river.", "The Kestrel bridge is 412 metres long.", true},
	{"The Kestrel bridge is 412 metres long and crosses the Oude river.", "The Kestrel bridge was painted green.", false},
	{"Drug K did not lower blood pressure in the trial.", "Drug K lowered blood pressure.", false},
	{"Marta Silva was born in Porto and studied medicine.", "Marta Silva was born in Porto.", true},
	{"Marta Silva was born in Porto and studied medicine.", "Marta Silva was born in Madrid.", false},
	{"The lynx hunts hares in the forests of Latvia.", "The lynx hunts hares.", true},
	{"Orbix employs 80 people in Ghent.", "Orbix employs 80 people.", true},
	{"Orbix employs 80 people in Ghent.", "Orbix closed its office in Ghent.", false},
}

// The floor is that of Qwen2.5-Coder-0.5B-Instruct (Q4_K_M), which KGEVAL_GGUF
// names; of CI's small model only the form is tested.
func TestRealServer(t *testing.T) {
	s := realserver.Start(t, realserver.Options{Context: 4096})
	m, err := openai.New(openai.Config{BaseURL: s.URL, Model: s.Model, Key: s.Key})
	if err != nil {
		t.Fatal(err)
	}
	floors := os.Getenv("KGEVAL_GGUF") != ""
	claims := plainClaims
	if !floors {
		claims = claims[:3]
	}
	var pairs []nli.Pair
	for _, c := range claims {
		pairs = append(pairs, nli.Pair{Premise: c.premise, Hypothesis: c.claim})
	}
	out := classify(t, newJudge(t, m, llmjudge.Options{Mode: llmjudge.TokenProbs, Concurrency: 1}), pairs...)
	right := 0
	for i, p := range out {
		t.Logf("%s | %s: entailment %.3f, contradiction %.3f, %v", claims[i].premise, claims[i].claim, p.Entailment, p.Contradiction, p.Err)
		if p.Err == nil && (p.Entailment > 0.5) == claims[i].entailed {
			right++
		}
	}
	t.Logf("%d of %d verdicts are right", right, len(out))
	if floors && right < 8 {
		t.Errorf("%d of %d verdicts are right, at least 8 wanted", right, len(out))
	}
	one := classify(t, newJudge(t, m, llmjudge.Options{Mode: llmjudge.Sampled, Samples: 2, MaxTokens: 60, Concurrency: 1}), pairs[0])[0]
	t.Logf("by two samples: %+v", one)
}
