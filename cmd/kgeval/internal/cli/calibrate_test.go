package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/calibrate"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/internal/embedfault"
	"github.com/kgeval/kgeval/internal/llmfault"
)

// pairRows are rows of pairs that differ in their spelling as the labels say.
func pairRows(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"a":"Station number %d","b":"station number %d","same":true,"unit":"entity","group":"%d"}`+"\n", 100+i, 100+i, i)
		fmt.Fprintf(&b, `{"a":"Station number %d","b":"Harbour of Kappa %d","same":false,"unit":"entity","group":"%d"}`+"\n", 100+i, i, i)
	}
	return b.String()
}

// outputRows are rows that the literal model of these tests judges rightly.
func outputRows(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"context":"Ann%d leads Kappa. Bo%d joined Omega.","output":"Ann%d leads Kappa.","label":"consistent"}`+"\n", i, i, i)
		fmt.Fprintf(&b, `{"premise":"Ann%d leads Kappa.","hypothesis":"Cy%d sold Lambda.","label":"neutral"}`+"\n", i, i)
	}
	return b.String()
}

func TestCalibrateEmbed(t *testing.T) {
	out := filepath.Join(t.TempDir(), "hashed.json")
	got := kgevalRun(t, pairRows(120), "calibrate", "embed", "--embedder", "hashed", "--pairs", "-", "--out", out)
	if got.code != exitOK || !strings.Contains(got.stderr, "entity    cosine 0.") || !strings.Contains(got.stderr, "wrote "+out) {
		t.Fatalf("%+v", got)
	}
	f, err := calibrate.Load(out)
	if err != nil || f.Model != hashed.New().ID() || f.Matches[calibrate.Entity].Same != 120 {
		t.Errorf("%+v, %v", f, err)
	}
	// The embedder of these tests' parts is the hashed one.
	if got := kgevalRun(t, "", "compare", "--a-text", "Ann leads Kappa.", "--b-text", "Ann leads Kappa.", "--calibration", out); got.code != exitOK {
		t.Errorf("compare: %+v", got)
	}
	if got := kgevalRun(t, "", "check", "--context-text", "Ann leads Kappa.", "--output-text", "Ann leads Kappa.", "--calibration", out); got.code != exitUsage || !strings.Contains(got.stderr, `"embed", not "nli"`) {
		t.Errorf("check with an embedder's file: %+v", got)
	}
}

// An embedder behind HTTP, kept in a file: the second run asks nothing.
func TestCalibrateEmbedOverHTTP(t *testing.T) {
	t.Setenv(embedKey, llmfault.Key)
	dir := t.TempDir()
	var files [2]string
	asked := 0
	server := llmfault.Start(t, embedfault.OpenAI.Good(0))
	for i := range files {
		out := filepath.Join(dir, fmt.Sprint(i))
		got := kgevalRun(t, pairRows(120), "calibrate", "embed", "--embedder", "openai", "--url", server.URL, "--embedding-model", "small", "--cache", filepath.Join(dir, "vectors.db"), "--pairs", "-", "--out", out)
		if got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = string(b)
		if n := len(server.Asked()); i == 0 {
			asked = n
		} else if n != asked {
			t.Errorf("%d requests, then %d more", asked, n-asked)
		}
	}
	if files[0] != files[1] || strings.Contains(files[0], llmfault.Key) || asked == 0 {
		t.Errorf("%d requests;\n%s\n%s", asked, files[0], files[1])
	}
	// Its thresholds are for no other model.
	got := kgevalRun(t, "", "compare", "--a-text", "a", "--b-text", "a", "--calibration", filepath.Join(dir, "0"))
	if got.code != exitUsage || !strings.Contains(got.stderr, "measured for") {
		t.Errorf("%+v", got)
	}
}

func TestCalibrateNLI(t *testing.T) {
	out := filepath.Join(t.TempDir(), "literal.json")
	got := kgevalRun(t, outputRows(40), "calibrate", "nli", "--pairs", "-", "--out", out)
	if got.code != exitOK || !strings.Contains(got.stderr, "40 consistent and 40 inconsistent outputs, 0 not judged; AUROC 1.000") {
		t.Fatalf("%+v", got)
	}
	f, err := calibrate.Load(out)
	if err != nil || f.Model != (literal{}).ID() || f.Verdicts.Extractor != (threeWords{}).ID() {
		t.Errorf("%+v, %v", f, err)
	}
	args := []string{"check", "--context-text", "Ann leads Kappa.", "--output-text", "Ann leads Kappa.", "--calibration", out}
	if got := kgevalRun(t, "", args...); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if got := kgevalRun(t, "", append(args, "--method", "paper")...); got.code != exitUsage {
		t.Errorf("the paper's rule: %+v", got)
	}
	if got := kgevalRun(t, "", append(args, "--method", "sentences")...); got.code != exitUsage || !strings.Contains(got.stderr, "three-words/1") {
		t.Errorf("other claims: %+v", got)
	}
	// Another model, and rows of a journal that was begun at other thresholds.
	f.Model = "another"
	other := filepath.Join(t.TempDir(), "other.json")
	if err := f.Save(other); err != nil {
		t.Fatal(err)
	}
	args[len(args)-1] = other
	if got := kgevalRun(t, "", args...); got.code != exitUsage || !strings.Contains(got.stderr, `measured for "another"`) {
		t.Errorf("another model's: %+v", got)
	}
	in := filepath.Join(t.TempDir(), "in.jsonl")
	if err := os.WriteFile(in, []byte(`{"context":"Ann leads Kappa.","output":"Ann leads Kappa."}`), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := filepath.Join(t.TempDir(), "rows.jsonl")
	if got := kgevalRun(t, "", "check", "--jsonl", in, "--out", rows); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if got := kgevalRun(t, "", "check", "--jsonl", in, "--out", rows, "--calibration", out); got.code != exitUsage {
		t.Errorf("rows of two thresholds in one file: %+v", got)
	}
}

func TestCalibrateRefuses(t *testing.T) {
	t.Setenv("KGEVAL_DATA", t.TempDir())
	for _, c := range []struct {
		want  string
		stdin string
		args  []string
	}{
		{"data set not found", "", []string{"embed", "--embedder", "hashed"}},
		{"data set not found", "", []string{"nli"}},
		{"too few", pairRows(30), []string{"embed", "--embedder", "hashed", "--pairs", "-"}},
		{"there are no pairs", "", []string{"embed", "--embedder", "hashed", "--pairs", "-"}},
		{"line 1", "{}", []string{"embed", "--embedder", "hashed", "--pairs", "-"}},
		{"line 1", "{}", []string{"nli", "--pairs", "-"}},
		{"every output row", `{"context":"a b c.","output":"a b c.","label":"consistent"}`, []string{"nli", "--pairs", "-"}},
		{"--embedder must be", "", []string{"embed", "--embedder", "word2vec"}},
		{"are for --embedder openai or ollama", "", []string{"embed", "--url", "http://localhost:1/v1"}},
		{"Model is empty", "", []string{"embed", "--embedder", "openai"}},
		{"--limit", "", []string{"embed", "--limit", "-1"}},
		{"false matches", pairRows(120), []string{"embed", "--embedder", "hashed", "--pairs", "-", "--false-matches", "2"}},
		{"--method", "", []string{"nli", "--method", "paper"}},
		{"leave one out", "", []string{"nli", "--model", "lexical", "--llm", "http://localhost:1/v1", "--llm-model", "m", "--llm-judge"}},
		{"--llm-judge needs", "", []string{"nli", "--llm-judge"}},
	} {
		got := kgevalRun(t, c.stdin, append([]string{"calibrate"}, c.args...)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, c.want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, want %q", c.args, got.code, got.stderr, c.want)
		}
	}
	if got := kgevalRun(t, "", "check", "--context-text", "a", "--output-text", "b", "--calibration", "none.json"); got.code != exitUsage || !strings.Contains(got.stderr, "none.json") {
		t.Errorf("%+v", got)
	}
}
