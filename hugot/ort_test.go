//go:build cgo && (ORT || ALL)

package hugot

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	rust "github.com/daulet/tokenizers"
)

// Both backends read the same tokens; texts on which they don't are listed. There,
// and only there, their results may differ.
func TestTokensOfBothBackends(t *testing.T) {
	_, rows := reference(t, "bpe")
	for _, s := range sentences {
		rows = append(rows, struct {
			Text string
			IDs  []uint32
		}{Text: s})
	}
	tiny, err := json.Marshal(bertTokenizer())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"tiny": tiny}
	for _, name := range []string{"bpe", "cased"} {
		if files[name], err = os.ReadFile("testdata/" + name + ".json"); err != nil {
			t.Fatal(err)
		}
	}
	for name, raw := range files {
		f := &modelFolder{}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(raw, &all); err != nil {
			t.Fatal(err)
		}
		all["truncation"], all["padding"] = json.RawMessage("null"), json.RawMessage("null")
		if raw, err = json.Marshal(all); err == nil {
			err = json.Unmarshal(raw, &f.tokenizer)
		}
		if err != nil {
			t.Fatal(err)
		}
		own, err := goTokens(f.tokenizer)
		if err != nil {
			t.Fatal(err)
		}
		tok, err := rust.FromBytes(raw, rust.WithEncodeSpecialTokens())
		if err != nil {
			t.Fatal(err)
		}
		their := &rustTokens{tok: tok}
		for _, r := range rows {
			a, err1 := own.encode(r.Text, math.MaxInt)
			b, err2 := their.encode(r.Text, math.MaxInt)
			if err1 != nil || err2 != nil || !slices.Equal(a, b) {
				t.Errorf("%s: %q: %v (%v), in ORT %v (%v)", name, r.Text, a, err1, b, err2)
			}
		}
		if err := their.close(); err != nil {
			t.Error(err)
		}
	}
}

// Where the tokens agree, both backends give the same within 1e-4.
func TestResultsOfBothBackends(t *testing.T) {
	e, n := tinyEncoder().write(t), tinyNLI("neutral", "entailment", "contradiction").write(t)
	var vectors [2][][]float32
	var probs [2][]float64
	for i, b := range []Backend{Go, ORT} {
		vectors[i] = embedAll(t, loadedEmbedder(t, e, EmbedderOptions{Options: testOptions(b)}), sentences)
		m := loadedNLI(t, n, NLIOptions{Options: testOptions(b)})
		for _, p := range statements {
			q := verdict(t, m, p.Premise, p.Hypothesis)
			if q.Err != nil {
				t.Fatal(q.Err)
			}
			probs[i] = append(probs[i], q.Entailment, q.Neutral, q.Contradiction)
		}
	}
	for k, v := range vectors[0] {
		for j, x := range v {
			if d := math.Abs(float64(x - vectors[1][k][j])); d > 1e-4 {
				t.Errorf("%q: dimension %d differs by %v", sentences[k], j, d)
			}
		}
	}
	for k, p := range probs[0] {
		if d := math.Abs(p - probs[1][k]); d > 1e-4 {
			t.Errorf("%q, class %d: %v and %v", statements[k/3].Hypothesis, k%3, p, probs[1][k])
		}
	}
}
