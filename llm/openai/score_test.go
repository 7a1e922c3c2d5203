package openai_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/kg/openie"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/openai"
	"github.com/kgeval/kgeval/nli/llmjudge"
)

// faultFor answers with serve where the end of the request's last text, from
// mark on, has the word, and else as good does.
func faultFor(mark, word string, serve, good http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		text := string(body)
		if strings.Contains(text[max(0, strings.LastIndex(text, mark)):], word) {
			serve(w, r)
			return
		}
		good(w, r)
	}
}

// faults are those of the table that leave no reply, and a few replies that are
// none.
func faults() []llmfault.Case {
	var out []llmfault.Case
	for _, c := range llmfault.Whole() {
		if len(c.Want) > 0 {
			out = append(out, c)
		}
	}
	for name, text := range map[string]string{
		"a refusal":   "I'm sorry, I can't help with that.",
		"nothing":     "",
		"an evasion":  "It depends; the claim may well be entailed.",
		"two answers": "yes and no",
	} {
		out = append(out, llmfault.Case{Name: name, Serve: llmfault.Say(text)})
	}
	return out
}

func bounded(t *testing.T, url string, c llmfault.Case) *openai.Client {
	return connect(t, url, func(o *openai.Config) {
		if c.Hangs {
			o.Timeout = llmfault.Timeout
		}
	})
}

// A server that fails over one claim makes that claim unknown and the output no
// good score; the claim that was judged keeps its verdict.
func TestFaultIsNoGoodScore(t *testing.T) {
	extractor, err := openie.New(openie.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const output = "The mill at Stonebrook closed in 1998. Ada Finch sold the orchard."
	yes := llmfault.JSON(200, `{"choices":[{"index":0,"message":{"content":"yes"},"finish_reason":"length","logprobs":{"content":[{"token":"yes","logprob":-0.001,"top_logprobs":[{"token":"yes","logprob":-0.001},{"token":"no","logprob":-8}]}]}}]}`)
	for _, c := range faults() {
		t.Run(c.Name, func(t *testing.T) {
			server := llmfault.Start(t, faultFor("Claim:", "orchard", c.Serve, yes))
			judge, err := llmjudge.New(bounded(t, server.URL, c), llmjudge.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checker, err := grapheval.New(grapheval.Options{Extractor: extractor, Model: judge, NoEvidence: true})
			if err != nil {
				t.Fatal(err)
			}
			r, err := checker.Check(context.Background(), claim.Sample{
				Sources: []claim.Source{{ID: "s", Text: output}}, // word for word: a judge that works supports all
				Output:  output,
			})
			if err != nil {
				llmfault.Untold(t, err)
				return
			}
			if r.Outcome == claim.Consistent || r.PInconsistent < 1 && r.Outcome == claim.OutcomeUnknown {
				t.Errorf("outcome %s, P(inconsistent) %g", r.Outcome, r.PInconsistent)
			}
			supported := 0
			for _, cl := range r.Claims {
				about := fmt.Sprintf("%+v", cl)
				switch {
				case strings.Contains(about, "orchard") && cl.Verdict == claim.Supported:
					t.Errorf("supported without a judge: %s", about)
				case cl.Verdict == claim.Supported:
					supported++
				}
				if strings.Contains(about, llmfault.Key) {
					t.Errorf("the result tells the key: %s", about)
				}
			}
			// After a key was refused nothing more is asked, and the order is open.
			if supported == 0 && len(c.Want) > 0 && c.Want[0] != llm.ErrAuth {
				t.Errorf("the finished claim is lost: %+v", r.Claims)
			}
		})
	}
}

// A server that fails over one text of several leaves the others their graphs,
// and that one an error instead of an empty graph.
func TestFaultLosesNoFinishedText(t *testing.T) {
	texts := []kg.Text{{ID: "1", Text: "Bo rents a boat."}, {ID: "2", Text: "Uma owns an orchard."}, {ID: "3", Text: "Bo rents a boat too."}}
	good := llmfault.Say(`[["Bo","rents","a boat"]]`)
	for _, c := range faults() {
		t.Run(c.Name, func(t *testing.T) {
			server := llmfault.Start(t, faultFor("Uma", "orchard", c.Serve, good))
			extractor, err := llmkg.New(bounded(t, server.URL, c), llmkg.Options{Concurrency: 1})
			if err != nil {
				t.Fatal(err)
			}
			got, err := extractor.Extract(context.Background(), texts)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range got {
				switch {
				case i == 1 && x.Err == nil:
					t.Errorf("the text that failed has no error: %+v", x)
				case i == 1:
					llmfault.Untold(t, x.Err)
				case i == 0 && (x.Err != nil || len(x.Statements) != 1):
					t.Errorf("a finished text is lost: %+v", x)
				case i == 2 && x.Err != nil && (len(c.Want) == 0 || c.Want[0] != llm.ErrAuth):
					t.Errorf("a later text is lost: %v", x.Err)
				}
			}
		})
	}
}
