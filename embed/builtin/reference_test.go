package builtin_test

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/builtin"
)

// reference is what sentence-transformers computed with the unquantised model
// (training/reference_embedder.py).
type reference struct {
	id, text string
	vector   []float32
}

func readReference(t *testing.T, name string) []reference {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []reference
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r struct{ ID, Text, Vector string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		b, err := base64.StdEncoding.DecodeString(r.Vector)
		if err != nil || len(b) != 4*builtin.Dimensions {
			t.Fatalf("%s: vector of %d bytes, %v", r.ID, len(b), err)
		}
		v := make([]float32, builtin.Dimensions)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		out = append(out, reference{r.ID, r.Text, v})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// compare embeds the texts and compares the cosines of all pairs.
func compare(t *testing.T, want []reference) {
	t.Helper()
	var texts []string
	for _, r := range want {
		texts = append(texts, r.text)
	}
	got, err := builtin.New(builtin.Options{}).Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	var errs []float64
	worst, a, b := 0.0, "", ""
	for i := range want {
		for j := range i {
			d := math.Abs(embed.Cosine(got[i], got[j]) - embed.Cosine(want[i].vector, want[j].vector))
			errs = append(errs, d)
			if d > worst {
				worst, a, b = d, want[i].id, want[j].id
			}
		}
	}
	slices.Sort(errs)
	sum, least := 0.0, 1.0
	for _, d := range errs {
		sum += d
	}
	for i := range want {
		least = min(least, embed.Cosine(got[i], want[i].vector))
	}
	t.Logf("%d texts, %d pairs: error of the cosine: mean %.2g, 99%% at most %.2g, largest %.2g (%s, %s); least cosine with the reference's own vector %.6f",
		len(want), len(errs), sum/float64(len(errs)), errs[len(errs)*99/100], worst, a, b, least)
	if !(worst <= 1e-3) {
		t.Errorf("largest error %.2g, want at most 1e-3", worst)
	}
}

// Cosines are those of sentence-transformers within 1e-3, in the shipped storage
// of the weights, on texts of many scripts, kinds and lengths.
func TestEqualsReference(t *testing.T) {
	compare(t, readReference(t, "testdata/reference.jsonl"))
}

// The same on some hundred thousand pairs.
func TestEqualsLargeReference(t *testing.T) {
	name := os.Getenv("KGEVAL_EMBED_REFERENCE")
	if name == "" {
		t.Skip("needs the Python reference: run training/reference_embedder.py large FILE and set KGEVAL_EMBED_REFERENCE=FILE")
	}
	compare(t, readReference(t, name))
}
