package langchain_test

import (
	"testing"

	lcopenai "github.com/tmc/langchaingo/llms/openai"

	"github.com/kgeval/kgeval/internal/realserver/suite"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/langchain"
)

func TestRealServer(t *testing.T) { suite.Run(t, open) }

func TestRealServerForExtractionJudgingAndCorrection(t *testing.T) { suite.Parts(t, open) }

func open(t *testing.T, to suite.Target) llm.Streamer {
	t.Helper()
	client := langchain.Client(nil)
	t.Cleanup(client.CloseIdleConnections)
	token := to.Key
	if token == "" {
		token = "none" // langchaingo wants one
	}
	inner, err := lcopenai.New(lcopenai.WithBaseURL(to.URL), lcopenai.WithToken(token), lcopenai.WithModel(to.Model), lcopenai.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	return adapt(t, inner, langchain.Config{Model: to.Model, Client: client})
}
