package dataset_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kgeval/kgeval/dataset"
)

// The files under KGEVAL_DATA are read whole; the numbers are those of its README and
// of the sets' papers.
func TestTheDataFolder(t *testing.T) {
	dir := os.Getenv("KGEVAL_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no data sets: set KGEVAL_DATA to the folder that docs/data.md describes")
	}
	for _, c := range []struct {
		format, path       string
		rows, inconsistent int
	}{
		{"pubmedqa", "qa/pubmedqa/ori_pqal.json", 1000, 0},
		{"medquad", "qa/medquad.jsonl", 1190, 0},
		{"qags", "grounding/qags/mturk_cnndm.dev.jsonl", 118, 61},
		{"qags", "grounding/qags/mturk_xsum.dev.jsonl", 120, 63},
		{"summeval", "grounding/summeval.dev.jsonl", 800, 164},
		{"summedits", "grounding/summedits.dev.jsonl", 1917, 1253},
		{"begin", "grounding/begin_wow.dev.jsonl", 430, 250},
		{"refchecker", "extract/refchecker_triples.jsonl", 10733, 3557},
	} {
		t.Run(c.path, func(t *testing.T) {
			rows := all(t, c.format, filepath.Join(dir, filepath.FromSlash(c.path)))
			inconsistent := 0
			ids := map[string]bool{}
			for _, r := range rows {
				ids[r.ID] = true
				if r.Label == dataset.Inconsistent {
					inconsistent++
				}
			}
			if len(rows) != c.rows || inconsistent != c.inconsistent || len(ids) != len(rows) {
				t.Errorf("%d rows, %d inconsistent, %d ids; want %d and %d", len(rows), inconsistent, len(ids), c.rows, c.inconsistent)
			}
		})
	}
	for _, c := range []struct {
		format, path string
		rows         int
	}{
		{"mrpc", "paraphrase/mrpc/msr_paraphrase_train.txt", 4076},
		{"sts", "paraphrase/sts12/MSRpar.train.tsv", 750},
		{"sts", "paraphrase/sts12/SMTeuroparl.test-gold.tsv", 459},
		{"semantic-kg", "semantic_kg/codex.dev.csv", 500},
		{"semantic-kg", "semantic_kg/oregano.dev.csv", 500},
	} {
		t.Run(c.path, func(t *testing.T) {
			pairs, bad, err := dataset.Collect(dataset.OpenPairs(c.format, filepath.Join(dir, filepath.FromSlash(c.path))))
			if len(pairs) != c.rows || bad != nil || err != nil {
				t.Errorf("%d pairs, want %d; %v %v", len(pairs), c.rows, bad, err)
			}
		})
	}
}
