package llm_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cache"
	"github.com/kgeval/kgeval/llm/cache/boltcache"
	"github.com/kgeval/kgeval/llm/cassette"
	"github.com/kgeval/kgeval/llm/limit"
	"github.com/kgeval/kgeval/llm/llmtest"
	"github.com/kgeval/kgeval/llm/retry"
	"github.com/kgeval/kgeval/llm/slogtrace"
	"github.com/kgeval/kgeval/llm/usage"
)

// model stands for a client in the examples.
func model() llm.Model {
	return llmtest.New(func(_ context.Context, n int, _ llm.Request) (llm.Response, error) {
		if n == 0 {
			return llm.Response{}, &llm.Error{Kind: llm.ErrUnavailable, Status: 503, Message: "loading"}
		}
		return llm.Response{Text: "Noor.", Usage: llm.Usage{Input: 9, Output: 2}}, nil
	})
}

var ask = llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Who leads Team Red?"}}}

// A whole stack, from the client outwards.
func Example_stack() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "kgeval")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	client := model()

	store, err := boltcache.Open(ctx, filepath.Join(dir, "replies.db"), boltcache.Options{})
	if err != nil {
		log.Fatal(err)
	}
	meter := usage.NewMeter(usage.Budget{Cost: 5})

	var m llm.Model = client
	m = limit.Concurrent(m, 8)
	m = limit.Rate(m, limit.Rates{RequestsPerMinute: 500, TokensPerMinute: 200_000})
	m = retry.New(m, retry.Options{})
	m = cache.New(m, store, cache.Options{})
	m = meter.Model(m, usage.Price{Input: 0.25, Output: 2}) // per million tokens
	m = slogtrace.New(m, slogtrace.Options{Logger: slog.New(slog.DiscardHandler)})

	for range 2 {
		r, err := m.Generate(ctx, ask)
		if err != nil {
			log.Fatal(err)
		}
		if err := r.Complete(); err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Text, "cached:", r.Cached)
	}
	total := meter.Total()
	fmt.Printf("%d call, %d cached, %.8f spent\n", total.Calls, total.Cached, total.Cost)
	// Output:
	// Noor. cached: false
	// Noor. cached: true
	// 1 call, 1 cached, 0.00000625 spent
}

// What a caller does about an error.
func Example_errors() {
	m := llmtest.Script(llmtest.Fail(&llm.Error{Kind: llm.ErrRateLimited, Status: 429, RetryAfter: 20 * time.Second, Message: "slow down"}))
	r, err := m.Generate(context.Background(), ask)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		fmt.Println("given up")
	case errors.Is(err, llm.ErrRateLimited):
		after, _ := llm.RetryAfter(err)
		fmt.Println("wait", after)
	case errors.Is(err, llm.ErrContextTooLong):
		fmt.Println("cut the text into smaller parts")
	case errors.Is(err, llm.ErrUnsupported):
		fmt.Println("ask without a schema")
	case err != nil:
		log.Fatal(err)
	case r.Complete() != nil: // cut or refused: no answer
		fmt.Println(r.Complete())
	}
	// Output:
	// wait 20s
}

// A stream shows a reply as it comes. What came before an error is no reply.
func ExampleStream() {
	m := llmtest.Script(llmtest.Say("Noor leads Team Red."))
	for piece, err := range llm.Stream(context.Background(), m, ask) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q ", piece.Text)
		if piece.Done != nil {
			fmt.Println(piece.Done.Stop)
		}
	}
	// Output:
	// "Noor " "leads " "Team " "Red." "" end
}

// Recording once, and playing back without the model.
func Example_cassette() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "kgeval")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "team.json")

	tape, err := cassette.Open(path, cassette.Options{Mode: cassette.Record})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := tape.Model(llmtest.Script(llmtest.Say("Noor."))).Generate(ctx, ask); err != nil {
		log.Fatal(err)
	}
	if err := tape.Close(); err != nil {
		log.Fatal(err)
	}

	tape, err = cassette.Open(path, cassette.Options{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := tape.Model(nil).Generate(ctx, ask)
	fmt.Println(r.Text, err)

	other := ask.Clone()
	other.Messages[0].Text = "Who leads Team Blue?"
	_, err = tape.Model(nil).Generate(ctx, other)
	var miss *cassette.MissError
	if errors.As(err, &miss) {
		fmt.Println(miss.Diff)
	}
	// Output:
	// Noor. <nil>
	//   messages[0].text:
	//     - "Who leads Team Red?"
	//     + "Who leads Team Blue?"
}
