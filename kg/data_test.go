package kg

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// openData opens a file of the data sets; it skips the test where they are not.
func openData(t *testing.T, name string) *os.File {
	t.Helper()
	dir := os.Getenv("KGEVAL_DATA")
	if dir == "" {
		dir = filepath.FromSlash("../../shared/data") // ../shared/data from the root
	}
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no %s: set KGEVAL_DATA to the folder of the data sets to turn this test on", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func dataLines(t *testing.T, name string) []string {
	t.Helper()
	var out []string
	sc := bufio.NewScanner(openData(t, name))
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	if sc.Err() != nil {
		t.Fatal(sc.Err())
	}
	return out
}

// The lists of triples that two projects store as Python source can be read, and
// an eighth of them written in every format.
func TestReadsPublishedGraphs(t *testing.T) {
	reads := 0
	read := func(t *testing.T, src, place string) {
		g, err := Decode(strings.NewReader(src), Python)
		if err != nil {
			t.Errorf("%s: %v", place, err)
			return
		}
		if g.Len() == 0 && strings.TrimSpace(src) != "[]" {
			t.Errorf("%s: no triples", place)
		}
		if reads++; reads%8 == 0 {
			for _, f := range Formats() {
				checkRoundTrip(t, f, g)
			}
		}
	}
	for _, name := range []string{"rebel", "webnlg", "wiki-nre"} {
		t.Run(name, func(t *testing.T) {
			for i, line := range dataLines(t, "extract/edc/"+name+".reference.txt") {
				read(t, line, name+" line "+strconv.Itoa(i+1))
			}
		})
	}
	for _, name := range []string{"codex", "oregano"} {
		t.Run(name, func(t *testing.T) {
			r := csv.NewReader(openData(t, "semantic_kg/"+name+".dev.csv"))
			if _, err := r.Read(); err != nil {
				t.Fatal(err)
			}
			n := 0
			for {
				rec, err := r.Read()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				n++
				read(t, rec[0], name+" row "+strconv.Itoa(n))
				read(t, rec[1], name+" row "+strconv.Itoa(n)+", perturbed")
			}
			if n == 0 {
				t.Error("no rows")
			}
		})
	}
}

// carb returns the sentences of CaRB's development set with their gold triples.
func carb(t *testing.T) (sentences []string, gold [][]Triple) {
	at := make(map[string]int)
	for _, line := range dataLines(t, "extract/carb/dev.tsv") {
		f := strings.Split(line, "\t")
		if len(f) < 4 {
			continue
		}
		i, ok := at[f[0]]
		if !ok {
			i = len(sentences)
			at[f[0]] = i
			sentences = append(sentences, f[0])
			gold = append(gold, nil)
		}
		gold[i] = append(gold[i], Triple{f[2], f[1], f[3]})
	}
	return sentences, gold
}

// What a person wrote as the triples of a sentence is found in that sentence, and
// in a passage of ten sentences in that one; in other sentences it is not.
func TestLocateOnCaRB(t *testing.T) {
	sentences, gold := carb(t)
	var total, own, right, found, other int
	for i, s := range sentences {
		from := i / 10 * 10
		passage, start := "", 0
		for j := from; j < min(from+10, len(sentences)); j++ {
			if j == i {
				start = len(passage)
			}
			passage += sentences[j] + "\n\n"
		}
		alone, among, wrong := NewLocator(s), NewLocator(passage), NewLocator(sentences[(i+len(sentences)/2)%len(sentences)])
		for _, x := range gold[i] {
			total++
			if alone.Locate(x) != nil {
				own++
			}
			if spans := among.Locate(x); spans != nil {
				found++
				if spans[0].Start >= start && spans[len(spans)-1].End <= start+len(s) {
					right++
				}
			}
			if wrong.Locate(x) != nil {
				other++
			}
		}
	}
	t.Logf("%d triples: %d found in their sentence, %d in a passage of ten (%d of them in their sentence), %d in a strange sentence", total, own, found, right, other)
	if own*100 < total*90 || right*100 < found*99 || other*100 > total {
		t.Error("worse than was measured when this test was written")
	}
}
