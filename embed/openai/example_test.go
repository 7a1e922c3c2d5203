package openai_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/openai"
	"github.com/kgeval/kgeval/llm/cache/boltcache"
)

// alike is the cosine of two texts, each of which is asked for once, whatever
// process asked before.
func alike(ctx context.Context, url, file, a, b string) (float64, error) {
	client, err := openai.New(openai.Config{
		BaseURL: url, // "" is OpenAI's own
		Model:   "text-embedding-3-small",
		Key:     os.Getenv("OPENAI_API_KEY"),
	})
	if err != nil {
		return 0, err
	}
	defer client.Close()
	store, err := boltcache.Open(ctx, file, boltcache.Options{})
	if err != nil {
		return 0, err
	}
	e := embed.Stored(client, store, embed.StoredOptions{})

	vectors, err := e.Embed(ctx, []string{a, b})
	if err != nil {
		return 0, err
	}
	return embed.Cosine(vectors[0], vectors[1]), nil
}

func Example() {
	server := exampleServer()
	defer server.Close()
	dir, err := os.MkdirTemp("", "vectors")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for range 2 {
		c, err := alike(context.Background(), server.URL, filepath.Join(dir, "vectors.db"), "works for", "works for")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.2f\n", c)
	}
	// Output:
	// 1.00
	// 1.00
}
