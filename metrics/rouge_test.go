package metrics

import (
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }

func wantScore(t *testing.T, what string, got Score, want [3]float64) {
	t.Helper()
	if !near(got.Precision, want[0]) || !near(got.Recall, want[1]) || !near(got.F1, want[2]) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// rouge-score 0.1.2 on 561 sentence pairs of MRPC and STS12.
func TestROUGEIsRougeScore(t *testing.T) {
	for _, r := range pairRows(t) {
		name := fmt.Sprintf("%s row %d", r.Set, r.Row)
		stems := strings.Join(ROUGE{}.words(r.reference), " ")
		if crc32.ChecksumIEEE([]byte(stems)) != r.Stems {
			t.Errorf("%s: other stems: %s", name, stems)
		}
		one, two, l := ROUGE{}.All(r.reference, r.candidate)
		wantScore(t, name+", ROUGE-1", one, r.Rouge1)
		wantScore(t, name+", ROUGE-2", two, r.Rouge2)
		wantScore(t, name+", ROUGE-L", l, r.RougeL)
		plain := ROUGE{Unstemmed: true}
		wantScore(t, name+", ROUGE-1 unstemmed", plain.N(1, r.reference, r.candidate), r.Plain1)
		wantScore(t, name+", ROUGE-L unstemmed", plain.L(r.reference, r.candidate), r.PlainL)
	}
}

func TestROUGE(t *testing.T) {
	for _, c := range []struct {
		name, reference, candidate string
		one, two, l                float64
	}{
		{"equal", "The boat is old.", "the boat is OLD", 1, 1, 1},
		{"inflected", "Boats were sinking", "The boat sinks", 2.0 / 3, 0, 2.0 / 3},
		{"turned round", "a sued b", "b sued a", 1, 0, 1.0 / 3},
		{"counted as often as both have it", "no no no", "no", 0.5, 0, 0.5},
		{"nothing in common", "red", "blue", 0, 0, 0},
		{"empty reference", "", "blue", 0, 0, 0},
		{"both empty", "", "", 0, 0, 0},
		{"no words", "?!", "...", 0, 0, 0},
		{"not UTF-8", "a\xff\x00b", "a b", 1, 1, 1},
	} {
		one, two, l := ROUGE{}.All(c.reference, c.candidate)
		if !near(one.F1, c.one) || !near(two.F1, c.two) || !near(l.F1, c.l) {
			t.Errorf("%s: got %g %g %g", c.name, one.F1, two.F1, l.F1)
		}
	}
	if got := (ROUGE{}).N(0, "a b", "a b"); got != (Score{}) {
		t.Errorf("n = 0: %v", got)
	}
}

// Other scripts need words of another kind.
func TestROUGETokenize(t *testing.T) {
	reference, candidate := "το καράβι βούλιαξε", "το παλιό καράβι βούλιαξε"
	if got := (ROUGE{}).L(reference, candidate); got != (Score{}) {
		t.Errorf("the default sees Greek: %v", got)
	}
	r := ROUGE{Tokenize: strings.Fields}
	if got := r.L(reference, candidate); !near(got.Precision, 0.75) || got.Recall != 1 {
		t.Errorf("got %v", got)
	}
}

// The table of the textbook against the bit vectors, over lengths around 64.
func TestCommonSubsequence(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for range 300 {
		draw := func() []string {
			out := make([]string, random.IntN(200))
			for i := range out {
				out[i] = string(rune('a' + random.IntN(1+random.IntN(20))))
			}
			return out
		}
		a, b := draw(), draw()
		row := make([]int, len(b)+1)
		for _, x := range a {
			diagonal := 0
			for j, y := range b {
				above := row[j+1]
				if x == y {
					row[j+1] = diagonal + 1
				} else {
					row[j+1] = max(above, row[j])
				}
				diagonal = above
			}
		}
		if got := commonSubsequence(a, b); got != row[len(b)] {
			t.Fatalf("%d and %d words: got %d, want %d", len(a), len(b), got, row[len(b)])
		}
	}
}

func FuzzROUGE(f *testing.F) {
	f.Add("The cat sat on the mat.", "A cat was sitting")
	f.Add("\x00\xff", "İ K")
	f.Add("yyyying ion eed", "ied ies alli fulli logi")
	f.Fuzz(func(t *testing.T, a, b string) {
		one, two, l := ROUGE{}.All(a, b)
		for _, s := range []Score{one, two, l} {
			for _, x := range []float64{s.Precision, s.Recall, s.F1} {
				if !(x >= 0 && x <= 1) {
					t.Fatalf("%v", s)
				}
			}
		}
		if l.F1 > one.F1+1e-12 {
			t.Fatalf("ROUGE-L %v over ROUGE-1 %v", l, one)
		}
		back, _, _ := ROUGE{}.All(b, a)
		if back.Precision != one.Recall || back.Recall != one.Precision {
			t.Fatalf("%v, the other way round %v", one, back)
		}
	})
}
