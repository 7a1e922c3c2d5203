package antonym_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/internal/antonym"
)

// TestSplit checks, against WordNet's own pairs, that every pair of words is either in the
// product or shares no word with what the product has of WordNet, so that
// a test of the pairs left out asks for nothing that was given.
func TestSplit(t *testing.T) {
	dir := os.Getenv("KGEVAL_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	f, err := os.Open(filepath.Join(dir, "lexicon", "wordnet_verb_antonyms.tsv"))
	if err != nil {
		t.Skip("no lexicon/wordnet_verb_antonyms.tsv: set KGEVAL_DATA to the folder of the data sets to turn this test on")
	}
	defer f.Close()
	type pair struct{ a, b string }
	product, words := map[pair]bool{}, map[string]bool{}
	for a, b := range antonym.WordNet() {
		product[pair{a, b}], product[pair{b, a}] = true, true
		words[a], words[b] = true, true
	}
	in, out := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		a, b, _ := strings.Cut(lines.Text(), "\t")
		if strings.ContainsAny(a+b, "_-'. ") {
			continue // a phrase; the pairs are of single words
		}
		switch {
		case product[pair{a, b}]:
			in++
		case words[a] || words[b]:
			t.Errorf("%s, %s is left out, and one of the two is in the product", a, b)
		default:
			out++
		}
	}
	if in < 150 || out < 150 {
		t.Errorf("%d pairs in the product and %d left out, want a half each", in, out)
	}
}

func TestKnown(t *testing.T) {
	for word, want := range map[string]bool{"increase": true, "decrease": true, "employ": false, "": false} {
		if got := antonym.Known(word); got != want {
			t.Errorf("Known(%q) = %v, want %v", word, got, want)
		}
	}
}
