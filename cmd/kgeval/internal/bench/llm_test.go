package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kgeval/kgeval/internal/llmfault"
)

// summedits writes a data folder with n inconsistent rows of our own.
func summedits(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "grounding"), 0o700); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for i := range n {
		line, err := json.Marshal(correctRow{
			Context: fmt.Sprintf("The mill at Stonebrook closed in %d after a flood.", 1900+i), Label: "inconsistent",
			Output: "The mill at Stonebrook burned in 1850.", Original: "The mill at Stonebrook closed in 1850.",
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(dir, "grounding", "summedits.dev.jsonl"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A model whose joint reply takes the gold's word into the answer's triples.
func leaky(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reply := `{"triples": [["mill", "burned in", "Stonebrook"]]}`
	if strings.Contains(body.Messages[len(body.Messages)-1].Content, "closed") { // the gold text is there
		reply = `{"1": [["mill", "closed in", "Stonebrook"]], "2": [["mill", "closed in", "Stonebrook"]], "3": []}`
	}
	llmfault.JSON(http.StatusOK, llmfault.Completion(reply, "stop"))(w, r)
}

func TestLLMLeakCountsWords(t *testing.T) {
	server := llmfault.Start(t, leaky)
	var out strings.Builder
	if err := runLLMLeak(t.Context(), &out, summedits(t, 6), []string{"-llm", server.URL, "-half", "all", "-concurrency", "3"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"6 of 6 rows",
		"| 6 of 6 | 1.0 | 100.0 [100.0, 100.0] of 6 | 0.0 [0.0, 0.0] of 6 |",
		"| 6 of 6 | 1.0 | 0.0 [0.0, 0.0] of 6 | 100.0 [100.0, 100.0] of 6 |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// What an interrupted run has paid for, the next one does not pay again, and both
// ways give the same table.
func TestLLMBenchesGoOn(t *testing.T) {
	for _, b := range []Bench{LLMLeak, LLMCorrect} {
		t.Run(b.Name, func(t *testing.T) {
			var calls, broken atomic.Int64
			server := llmfault.Start(t, func(w http.ResponseWriter, r *http.Request) {
				if n := calls.Add(1); n > 5 && broken.Load() != 0 {
					llmfault.JSON(http.StatusUnauthorized, `{"error":"no"}`)(w, r)
					return
				}
				leaky(w, r)
			})
			dir := summedits(t, 8)
			args := []string{"-llm", server.URL, "-half", "all", "-cache", filepath.Join(t.TempDir(), "replies.db"), "-concurrency", "2", "-n", "8"}
			broken.Store(1)
			var first, second, third strings.Builder
			if err := b.Run(t.Context(), &first, dir, args); err == nil {
				t.Fatalf("a server that fails gives a table:\n%s", first.String())
			}
			broken.Store(0)
			if err := b.Run(t.Context(), &second, dir, args); err != nil {
				t.Fatal(err)
			}
			before := calls.Load()
			if err := b.Run(t.Context(), &third, dir, args); err != nil {
				t.Fatal(err)
			}
			if n := calls.Load() - before; n != 0 {
				t.Errorf("a third run asked %d times", n)
			}
			if second.String() != third.String() {
				t.Errorf("out of the cache:\n%s\nat first:\n%s", third.String(), second.String())
			}
		})
	}
}

// -for ends a run early and says how far it came.
func TestLLMBenchInAGivenTime(t *testing.T) {
	server := llmfault.Start(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond)
		leaky(w, r)
	})
	var out strings.Builder
	if err := runLLMLeak(context.Background(), &out, summedits(t, 40), []string{"-llm", server.URL, "-half", "all", "-for", "100ms"}); err != nil {
		t.Fatal(err)
	}
	var done, of int
	if _, err := fmt.Sscanf(out.String(), "%d of %d rows", &done, &of); err != nil || of != 40 || done < 1 || done >= 40 {
		t.Errorf("%d of %d rows, %v", done, of, err)
	}
}
