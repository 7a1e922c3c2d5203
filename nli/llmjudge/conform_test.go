package llmjudge_test

import (
	"context"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/llmtest"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/lexical"
	"github.com/kgeval/kgeval/nli/llmjudge"
)

var mark = regexp.MustCompile(`<(data-[0-9a-f]{6})>\n`)

// fencedOf returns the fenced texts of a request's last message.
func fencedOf(req llm.Request) []string {
	text := req.Messages[len(req.Messages)-1].Text
	var out []string
	for {
		m := mark.FindStringSubmatchIndex(text)
		if m == nil {
			return out
		}
		body, rest, _ := strings.Cut(text[m[1]:], "\n</"+text[m[2]:m[3]]+">")
		out, text = append(out, body), rest
	}
}

// scholar answers the questions of the default prompts as nli/lexical judges;
// with probs it serves log-probabilities.
func scholar(t testing.TB, probs bool) *llmtest.Model {
	t.Helper()
	judge, err := lexical.New()
	if err != nil {
		t.Fatal(err)
	}
	classify := func(ctx context.Context, premise, claim string) (nli.Probs, error) {
		p, err := judge.Classify(ctx, []nli.Pair{{Premise: premise, Hypothesis: claim}})
		if err != nil {
			return nli.Probs{}, err
		}
		return p[0], nil
	}
	return llmtest.New(func(ctx context.Context, _ int, req llm.Request) (llm.Response, error) {
		in := fencedOf(req)
		if req.LogProbs > 0 {
			if !probs {
				return llm.Response{Text: "yes"}, nil
			}
			p, err := classify(ctx, in[0], in[1])
			if err != nil {
				return llm.Response{}, err
			}
			yes := p.Entailment
			if strings.Contains(req.Messages[len(req.Messages)-1].Text, "is false?") {
				yes = p.Contradiction / max(1-p.Entailment, 1e-9)
			}
			return sayYes(yes), nil
		}
		type row struct {
			ID      int    `json:"id"`
			Verdict string `json:"verdict"`
		}
		var rows []row
		for _, line := range strings.Split(in[1], "\n") {
			n, claim, _ := strings.Cut(line, ". ")
			id, err := strconv.Atoi(n)
			if err != nil {
				continue
			}
			p, err := classify(ctx, in[0], claim)
			if err != nil {
				return llm.Response{}, err
			}
			v := "not stated"
			if p.Entailment >= max(p.Neutral, p.Contradiction) {
				v = "supported"
			} else if p.Contradiction > p.Neutral {
				v = "contradicted"
			}
			rows = append(rows, row{id, v})
		}
		b, err := json.Marshal(map[string]any{"verdicts": rows})
		return llm.Response{Text: string(b)}, err
	})
}

// sayYes is the reply of a model that says yes with probability p.
func sayYes(p float64) llm.Response {
	p = min(max(p, 1e-6), 1-1e-6)
	yes, no := llm.TokenProb{Token: "yes", LogProb: math.Log(p)}, llm.TokenProb{Token: " No", LogProb: math.Log(1 - p)}
	first, text := yes, "yes"
	if p < 0.5 {
		first, text = no, "No"
	}
	return llm.Response{Text: text, LogProbs: []llm.TokenLogProbs{{TokenProb: first, Top: []llm.TokenProb{yes, no}}}}
}

func TestConformByTokens(t *testing.T) {
	m := scholar(t, true)
	conform.NLI(t, func() nli.Model { return newJudge(t, m, llmjudge.Options{Mode: llmjudge.TokenProbs}) }, conform.MaxText(20_000))
}

func TestConformBySamples(t *testing.T) {
	m := scholar(t, false)
	conform.NLI(t, func() nli.Model { return newJudge(t, m, llmjudge.Options{Samples: 1}) }, conform.MaxText(20_000))
}
