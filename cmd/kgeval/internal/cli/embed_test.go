package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestEmbedRows(t *testing.T) {
	in := strings.Join([]string{
		`{"id":7,"text":"Ann leads Kappa."}`,
		`{"text":"  "}`,
		`{"id":"m","txt":"x"}`,
		`{"id":"n","text":5}`,
		"{\"text\":\"bad\xff\"}",
		`{"id":"z","text":"a\u0000b"}`,
	}, "\n")
	got := kgevalRun(t, in, "embed", "--jsonl", "-")
	if got.code != exitUnknown {
		t.Errorf("exit code %d", got.code)
	}
	all := rows(t, got.stdout)
	if len(all) != 6 {
		t.Fatalf("%d rows", len(all))
	}
	for i, want := range []struct {
		id   any
		norm float64
		err  string
	}{
		{7.0, 1, ""},
		{"2", 0, ""}, // a blank text has the zero vector
		{"m", -1, `line 3: "text" is missing`},
		{"n", -1, `line 4: "text" is a JSON number and should be a string`},
		{"5", -1, "line 5: "},
		{"z", 1, ""},
	} {
		r := all[i]
		msg, _ := r["error"].(string)
		if r["format"] != "kgeval.embed" || r["id"] != want.id || (msg == "") != (want.err == "") || !strings.HasPrefix(msg, want.err) {
			t.Errorf("row %d: id %v, error %q", i+1, r["id"], msg)
		}
		vector, _ := r["vector"].([]any)
		if (len(vector) == 0) != (want.norm < 0) {
			t.Errorf("row %d: vector of %d elements", i+1, len(vector))
			continue
		}
		sum := 0.0
		for _, x := range vector {
			sum += x.(float64) * x.(float64)
		}
		if len(vector) > 0 && math.Abs(math.Sqrt(sum)-want.norm) > 1e-3 {
			t.Errorf("row %d: norm %v", i+1, math.Sqrt(sum))
		}
	}
}

func TestModelInfo(t *testing.T) {
	text := kgevalRun(t, "", "model", "info").stdout
	for _, want := range []string{"embedder  all-MiniLM-L6-v2/", "\n  words.kgw: 15,370,810 bytes, 11,720,448 parameters, most in 10 bits in groups of 48\n", "licence Apache-2.0", "\nkernels  "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	lines := strings.Split(strings.TrimSpace(kgevalRun(t, "", "model", "info", "--json").stdout), "\n")
	for _, line := range lines {
		var m modelRow
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, f := range m.Files {
			sum += f.Parameters
			if f.Bytes == 0 || len(f.SHA256) != 64 || f.Storage == "" {
				t.Errorf("%s: %+v", m.ID, f)
			}
		}
		if m.Format != "kgeval.model" || m.ID == "" || m.Kernel == "" || m.Parameters != sum || sum == 0 {
			t.Errorf("%s", line)
		}
	}
	if len(lines) != len(builtInModels()) {
		t.Error(fmt.Sprint(len(lines), " rows"))
	}
}
