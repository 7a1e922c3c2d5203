package openai_test

import (
	"context"
	"testing"

	"github.com/kgeval/kgeval/internal/realserver"
	"github.com/kgeval/kgeval/internal/realserver/suite"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/openai"
)

func open(t *testing.T, to suite.Target) llm.Streamer {
	t.Helper()
	client, err := openai.New(openai.Config{BaseURL: to.URL, Model: to.Model, Key: to.Key})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func TestRealServer(t *testing.T) { suite.Run(t, open) }

func TestRealServerForExtractionJudgingAndCorrection(t *testing.T) { suite.Parts(t, open) }

func TestRealServerGivesLogProbs(t *testing.T) {
	server := realserver.Start(t, realserver.Options{Context: 512})
	client := open(t, suite.Target{URL: server.URL, Model: server.Model, Key: server.Key})
	req := llm.Request{
		Messages:  []llm.Message{{Role: llm.User, Text: "Is water wet? Answer yes or no."}},
		MaxTokens: 3,
		LogProbs:  4,
	}
	whole, err := client.Generate(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := llm.Collect(llm.Stream(context.Background(), client, req))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []llm.Response{whole, stream} {
		if len(r.LogProbs) == 0 {
			t.Fatalf("no log-probabilities in %+v", r)
		}
		var text string
		for _, p := range r.LogProbs {
			text += p.Token
			if p.LogProb > 0 || len(p.Top) != 4 {
				t.Errorf("%+v", p)
			}
			for i, alt := range p.Top {
				if i > 0 && alt.LogProb > p.Top[i-1].LogProb {
					t.Errorf("%+v is not in order", p.Top)
				}
			}
		}
		if text != r.Text {
			t.Errorf("the tokens are %q, the text %q", text, r.Text)
		}
	}
}
