package nlp

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/segment"
)

// gapRow is one row of the GAP coreference data set: is the pronoun the person
// named at a, the one at b, or neither?
type gapRow struct {
	id, text      string
	pronoun, a, b segment.Span
	isA, isB      bool
	feminine      bool
}

// gapRows reads a file of extract/gap, or skips the test.
func gapRows(t testing.TB, name string) []gapRow {
	t.Helper()
	dir := os.Getenv("KGEVAL_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(dir, "extract", "gap", name))
	if err != nil {
		t.Skipf("no GAP data: set KGEVAL_DATA to the folder that holds extract/gap/%s", name)
	}
	defer f.Close()
	var rows []gapRow
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for line := 0; sc.Scan(); line++ {
		c := strings.Split(sc.Text(), "\t")
		if line == 0 || len(c) < 10 {
			continue
		}
		o := segment.NewOffsets(c[1])
		at := func(word, offset string) segment.Span {
			n, err := strconv.Atoi(offset)
			if err != nil {
				t.Fatalf("%s: offset %q", c[0], offset)
			}
			b := o.FromRune(n)
			return segment.Span{Start: b, End: b + len(word)}
		}
		p := strings.ToLower(c[2])
		rows = append(rows, gapRow{
			id: c[0], text: c[1], pronoun: at(c[2], c[3]), a: at(c[4], c[5]), b: at(c[7], c[8]),
			isA: strings.EqualFold(c[6], "true"), isB: strings.EqualFold(c[9], "true"),
			feminine: p == "she" || p == "her" || p == "hers",
		})
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// refersTo reports whether the reference of the pronoun names what stands at span.
func (d *Document) refersTo(pronoun, span segment.Span) bool {
	for i, ref := range d.References {
		if !d.Tokens[i].Span.Overlaps(pronoun) {
			continue
		}
		m := segment.Span{Start: d.Tokens[ref.First].Start, End: d.Tokens[ref.End-1].End}
		if m.Overlaps(span) {
			return true
		}
		for _, n := range d.Names {
			if !n.Span.Overlaps(m) {
				continue
			}
			for _, o := range d.Names {
				if o.Entity == n.Entity && o.Span.Overlaps(span) {
					return true
				}
			}
		}
	}
	return false
}

type confusion struct{ tp, fp, fn int }

func (c *confusion) add(predicted, truth bool) {
	switch {
	case predicted && truth:
		c.tp++
	case predicted:
		c.fp++
	case truth:
		c.fn++
	}
}

func (c confusion) f1() float64 {
	if c.tp == 0 {
		return 0
	}
	return 200 * float64(c.tp) / float64(2*c.tp+c.fp+c.fn)
}

// The weights of the resolver were tuned on these rows, so this is a floor
// against regressions and no measurement; docs/results/coreference.md has that.
func TestReferencesOnGAP(t *testing.T) {
	a := analyzer(t)
	var all, nearest confusion
	for _, r := range gapRows(t, "gap-validation.tsv") {
		d, err := a.Analyze(context.Background(), r.text)
		if err != nil {
			t.Fatal(err)
		}
		all.add(d.refersTo(r.pronoun, r.a), r.isA)
		all.add(d.refersTo(r.pronoun, r.b), r.isB)
		a, b := r.a.Start < r.pronoun.Start, r.b.Start < r.pronoun.Start
		nearest.add(a && (!b || r.a.Start > r.b.Start), r.isA)
		nearest.add(b && (!a || r.b.Start > r.a.Start), r.isB)
	}
	t.Logf("F1 %.1f, nearest name of the two %.1f", all.f1(), nearest.f1())
	if all.f1() < gapFloor {
		t.Errorf("F1 on GAP validation is %.1f, below %.1f", all.f1(), gapFloor)
	}
	if all.f1() < nearest.f1()+5 {
		t.Errorf("F1 %.1f does not clearly beat the nearest name with %.1f", all.f1(), nearest.f1())
	}
}

const gapFloor = 67.0

func analyzer(t testing.TB) *Analyzer {
	t.Helper()
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return a
}
