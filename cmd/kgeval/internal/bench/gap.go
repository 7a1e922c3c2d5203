package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// GAP measures coreference on the GAP data set (Webster et al. 2018, "Mind the
// GAP: A Balanced Corpus of Gendered Ambiguous Pronouns"): for each row, is the
// pronoun the person named at A, the one at B, or neither? The references are
// those of nlp.Analyze, which reads the snippet alone and isn't told which two
// names are asked for. The weights of nlp were tuned on the validation file, so
// the development file is read, and the other only if args say "validation".
var GAP = Bench{
	Name:  "gap",
	Short: "coreference: F1 on GAP beside the nearest noun",
	Run:   runGAP,
}

type gapRow struct {
	text          string
	pronoun, a, b segment.Span
	isA, isB      bool
	feminine      bool
}

func gapRows(dir, name string) ([]gapRow, error) {
	f, err := Open(dir, "extract/gap/"+name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []gapRow
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for line := 1; sc.Scan(); line++ {
		c := strings.Split(sc.Text(), "\t")
		if line == 1 {
			continue
		}
		if len(c) < 10 {
			return nil, fmt.Errorf("%s:%d: %d columns", name, line, len(c))
		}
		// Offsets in the file count characters, not bytes.
		o := segment.NewOffsets(c[1])
		var bad error
		at := func(word, offset string) segment.Span {
			n, err := strconv.Atoi(offset)
			if err != nil {
				bad = fmt.Errorf("%s:%d: %w", name, line, err)
			}
			b := o.FromRune(n)
			return segment.Span{Start: b, End: b + len(word)}
		}
		r := gapRow{
			text: c[1], pronoun: at(c[2], c[3]), a: at(c[4], c[5]), b: at(c[7], c[8]),
			isA: strings.EqualFold(c[6], "true"), isB: strings.EqualFold(c[9], "true"),
		}
		switch strings.ToLower(c[2]) {
		case "she", "her", "hers":
			r.feminine = true
		}
		if bad != nil {
			return nil, bad
		}
		rows = append(rows, r)
	}
	return rows, sc.Err()
}

// gapSystem decides for a row whether the pronoun is A and whether it is B.
type gapSystem struct {
	name   string
	decide func(d *nlp.Document, r gapRow) (a, b bool)
}

var gapSystems = []gapSystem{
	{"nlp references (snippet only)", func(d *nlp.Document, r gapRow) (bool, bool) {
		ref, ok := referenceAt(d, r.pronoun)
		return ok && sameThing(d, ref, r.a), ok && sameThing(d, ref, r.b)
	}},
	{"nearest name before (snippet only)", func(d *nlp.Document, r gapRow) (bool, bool) {
		for i := len(d.Names) - 1; i >= 0; i-- {
			if s := d.Names[i].Span; s.End <= r.pronoun.Start {
				return s.Overlaps(r.a), s.Overlaps(r.b)
			}
		}
		return false, false
	}},
	{"nearest person before (snippet only)", func(d *nlp.Document, r gapRow) (bool, bool) {
		for i := len(d.Names) - 1; i >= 0; i-- {
			if n := d.Names[i]; n.Span.End <= r.pronoun.Start && n.Kind == nlp.Person {
				return n.Span.Overlaps(r.a), n.Span.Overlaps(r.b)
			}
		}
		return false, false
	}},
	{"nearer of the two names before (told A and B)", func(_ *nlp.Document, r gapRow) (bool, bool) {
		a, b := r.a.Start < r.pronoun.Start, r.b.Start < r.pronoun.Start
		return a && (!b || r.a.Start > r.b.Start), b && (!a || r.b.Start > r.a.Start)
	}},
}

// referenceAt returns the part of the text that the pronoun stands for.
func referenceAt(d *nlp.Document, pronoun segment.Span) (segment.Span, bool) {
	for i, t := range d.Tokens {
		if !t.Span.Overlaps(pronoun) {
			continue
		}
		if ref, ok := d.References[i]; ok {
			return segment.Span{Start: d.Tokens[ref.First].Span.Start, End: d.Tokens[ref.End-1].Span.End}, true
		}
	}
	return segment.Span{}, false
}

// sameThing reports whether the mention overlaps the name at span, or is a name
// of the same entity as a name that does.
func sameThing(d *nlp.Document, mention, span segment.Span) bool {
	if mention.Overlaps(span) {
		return true
	}
	entities := map[int]bool{}
	for _, n := range d.Names {
		if n.Span.Overlaps(mention) {
			entities[n.Entity] = true
		}
	}
	for _, n := range d.Names {
		if n.Span.Overlaps(span) && entities[n.Entity] {
			return true
		}
	}
	return false
}

func runGAP(ctx context.Context, w io.Writer, dir string, args []string) error {
	a, err := nlp.New()
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"development"}
	}
	for _, part := range args {
		if part != "development" && part != "validation" {
			return fmt.Errorf("gap: the parts are development and validation, not %q", part)
		}
		file := "gap-" + part + ".tsv"
		rows, err := gapRows(dir, file)
		if err != nil {
			return err
		}
		// All, masculine, feminine; counted as the scorer of the data set does: each row is two binary decisions,
		// and F1 is over all of them.
		scores := make([][3]metrics.Counts, len(gapSystems))
		for _, r := range rows {
			d, err := a.Analyze(ctx, r.text)
			if err != nil {
				return err
			}
			gender := 1
			if r.feminine {
				gender = 2
			}
			for k, s := range gapSystems {
				isA, isB := s.decide(d, r)
				for _, g := range []int{0, gender} {
					scores[k][g].Decide(isA, r.isA)
					scores[k][g].Decide(isB, r.isB)
				}
			}
		}
		fmt.Fprintf(w, "%s, %d rows\n\n", file, len(rows))
		fmt.Fprintln(w, "| system | P | R | F1 | F1 masculine | F1 feminine | F/M |\n|---|---|---|---|---|---|---|")
		for k, s := range gapSystems {
			all, m, f := scores[k][0].Score(), scores[k][1].Score(), scores[k][2].Score()
			fm := 0.0
			if m.F1 > 0 {
				fm = f.F1 / m.F1
			}
			fmt.Fprintf(w, "| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f |\n", s.name,
				100*all.Precision, 100*all.Recall, 100*all.F1, 100*m.F1, 100*f.F1, fm)
		}
		fmt.Fprintln(w)
	}
	return nil
}
