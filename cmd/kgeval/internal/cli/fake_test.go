package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// The command is tested with parts that are easy to foresee, so that these
// tests are about the command and not about the rules of the offline parts.
//
// threeWords takes each sentence of three words for a triple.
type threeWords struct{}

func (threeWords) ID() string { return "three-words/1" }

func (threeWords) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	out := make([]kg.Extraction, len(texts))
	for i, t := range texts {
		out[i].TextID = t.ID
		for _, s := range segment.Sentences(t.Text) {
			words := strings.Fields(strings.TrimRight(s.Of(t.Text), "."))
			if words[0] == "panic" {
				panic("the extractor broke")
			}
			if len(words) != 3 {
				out[i].Dropped = append(out[i].Dropped, kg.Dropped{Raw: s.Of(t.Text), Reason: "not three words", Span: s})
				continue
			}
			out[i].Statements = append(out[i].Statements, kg.Statement{
				Triple: kg.Triple{Head: words[0], Relation: words[1], Tail: words[2]}, Spans: []segment.Span{s}, Sentence: s,
			})
		}
	}
	return out, ctx.Err()
}

// literal supports what stands in the premise word for word, contradicts what
// differs in its last word, and fails on "broken".
type literal struct{}

func (literal) ID() string { return "literal/1" }

func (literal) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	out := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		h := strings.TrimRight(p.Hypothesis, ".")
		start := h[:strings.LastIndexByte(h, ' ')+1]
		switch {
		case strings.Contains(h, "broken"):
			out[i].Err = errors.New("model out of order")
		case strings.Contains(p.Premise, h+"."):
			out[i] = nli.Probs{Entailment: 0.99, Neutral: 0.01}
		case start != "" && strings.Contains(p.Premise, start):
			out[i] = nli.Probs{Entailment: 0.01, Neutral: 0.01, Contradiction: 0.98}
		default:
			out[i] = nli.Probs{Entailment: 0.05, Neutral: 0.95}
		}
	}
	return out, ctx.Err()
}

// lastWord proposes the premise's last word for the claim's.
type lastWord struct{}

func (lastWord) ID() string { return "last-word/1" }

func (lastWord) Propose(_ context.Context, s claim.Sample, c claim.Claim) ([]claim.Edit, error) {
	if c.Verdict != claim.Contradicted || len(c.Evidence) == 0 {
		return nil, nil
	}
	e := c.Evidence[0]
	said := strings.Fields(strings.TrimRight(e.Text, "."))
	span := c.Spans[0]
	at := span.Start + strings.LastIndexByte(span.Of(s.Output), ' ') + 1
	end := span.End - 1
	return []claim.Edit{{
		Span: segment.Span{Start: at, End: end}, Old: s.Output[at:end], New: said[len(said)-1],
		Reason: "the source says so", Evidence: &e,
	}}, nil
}

func fakeParts() (kgeval.Parts, error) {
	return kgeval.Parts{
		Extractor: threeWords{}, NLI: literal{}, Embedder: hashed.New(),
		Proposers: []graphcorrect.Proposer{lastWord{}},
	}, nil
}

// result is what a run of the command left behind.
type result struct {
	code           int
	stdout, stderr string
}

func kgevalRun(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	return kgevalWith(t, t.Context(), stdin, args...)
}

func kgevalWith(t *testing.T, ctx context.Context, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(ctx, newParts(fakeParts), args, strings.NewReader(stdin), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}
