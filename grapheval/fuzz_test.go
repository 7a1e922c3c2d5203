package grapheval_test

import (
	"context"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// Any text gives a sound result or a named error, and never a panic.
func FuzzCheck(f *testing.F) {
	f.Add("Ada | runs | Orbix.", "Ada runs Orbix.", "", uint8(0))
	f.Add("Yes.", "Yes", "Is it open?", uint8(1))
	f.Add("- 柿子\n- a | b | c", "柿子。a b c", "", uint8(2))
	f.Add("\x00 \xff", "\u200b", "?", uint8(3))
	f.Add("# ## *** :", "a\n\n\nb", "", uint8(4))
	f.Add("It | has | 15 offices.", "not: Zed has 15 offices", "", uint8(5))
	f.Fuzz(func(t *testing.T, output, source, question string, how uint8) {
		o := grapheval.Options{Extractor: rewriting{clauses{noSpans: how&1 > 0}}, Unit: grapheval.Unit(how>>1) % 4, Repair: how&16 > 0}
		m := lookup()
		switch {
		case how&32 > 0:
			o.Model = windowed{m, 6}
		case how&64 > 0:
			o.Model = explaining{m, func(p nli.Pair) (nli.Explanation, error) {
				n := min(len(p.Premise), len(p.Hypothesis))
				s := segment.Span{Start: n / 3, End: n}
				return nli.Explanation{Evidence: s, Reasons: []nli.Reason{{Kind: "number", Hypothesis: s, Premise: s}}}, nil
			}}
		default:
			o.Model = m
		}
		c, err := grapheval.New(o)
		if err != nil {
			t.Fatal(err)
		}
		s := claim.Sample{Question: question, Sources: []claim.Source{{Text: source}}, Output: output}
		r, err := c.Check(context.Background(), s)
		if err != nil {
			var bad *claim.InvalidUTF8Error
			switch {
			case errors.Is(err, claim.ErrNoContext):
			case errors.As(err, &bad) && !(utf8.ValidString(output) && utf8.ValidString(source) && utf8.ValidString(question)):
			default:
				t.Fatal(err)
			}
			return
		}
		if o.Repair {
			s, _ = claim.Repair(s)
		}
		sound(t, r, s)
	})
}

func FuzzCheckable(f *testing.F) {
	for _, s := range []string{"", "I don't know.", "# a", "**x**:", "?", "\xff", "Ist das so, oder nicht?", "文中没有提到。", "- 3) 4."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if a, b := grapheval.Checkable(s), grapheval.Checkable(" "+s+"\n"); a != b {
			t.Errorf("%q: %v, with blanks around it %v", s, a, b)
		}
	})
}
