package numeric_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kgeval/kgeval/numeric"
)

// odd are texts that no writer of numbers had in mind.
var odd = []string{
	"", " ", "\x00", "\xff\xfe12 cats\xff", "12", "½", "1/2/3", "1.2.3.4", "1,2,3,4", "$", "$ $5", "-", "--5", "5-", "5 - ", "- 5 -",
	"one", "a", "a hundred", "hundred hundred hundred hundred", "million billion", "half a", "two and a", "from 5 to", "between and",
	"0/0", "1e999", "1e-30", "10^", "٣٤ رجلا", "１２ cats", "柿子12個", "0000000000000", "99999999999999999999999999999999999999999999",
	"31 February 2020", "99/99/2020", "0 BC", "5 BC", "the 0th century", "24:60", "25:00", "13 pm", "%", "5%%", "minus", "minus 5",
	"1,00,00,000", "1'000'000", "1 000 000", "1.234.567,89", "5'10\"", "3½½", "½½½", "twenty-", "twenty--one", "1990–", "–1990", "1990s-2000s",
	"°C", "5 °", "5°C10°F", "km/h", "5 km/h/h", "5 per per", "times", "times as", "5 times as", "zero", "0", "0%", "0 km", "-0",
	"no one", "one in", "one in zero", "one out of every", "0 out of 0", "9 out of 10 out of 11", "1-2-3-4-5", "12-", "(1)", "1)", "#", "# 5", "No. 5",
}

func TestOddTextsAreReadWithoutHarm(t *testing.T) {
	for _, text := range odd {
		for _, style := range []numeric.Style{numeric.PointDecimal, numeric.CommaDecimal} {
			last := 0
			for _, q := range numeric.Find(text, style) {
				if q.Span.Start < last || q.Span.End <= q.Span.Start || q.Span.End > len(text) {
					t.Errorf("%q: span %v", text, q.Span)
				}
				if q.Span.Of(text) != q.Text {
					t.Errorf("%q: %q is not at %v", text, q.Text, q.Span)
				}
				last = q.Span.End
			}
		}
		for _, other := range []string{text, "The mill sold 12 looms in 1998.", ""} {
			if _, err := numeric.Check(context.Background(), text, other, numeric.Options{}); err != nil {
				t.Errorf("%q against %q: %v", text, other, err)
			}
		}
	}
}

// A text is its own witness: nothing that it says is contradicted by it.
func TestATextDoesNotContradictItself(t *testing.T) {
	for _, text := range append([]string{report, "The score was 3-1 at 21:45 on Monday, 5 May 2020, before 12,400 people; $3.5m was taken, 5% more than in the 1990s."}, odd...) {
		found, err := numeric.Check(context.Background(), text, text, numeric.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if f.Verdict == numeric.Contradicted {
				t.Errorf("%q: %q is contradicted: %s", text, f.Quantity.Text, f.How)
			}
		}
	}
}

func TestLongTextsTakeLinearTimeAndEndWhenCancelled(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts: run without -short")
	}
	for name, unit := range map[string]string{
		"digits":      "7",
		"list":        "1, ",
		"numbers":     "12 ",
		"words":       "hundred and five ",
		"no blanks":   "柿子12個",
		"one million": "one million ",
		"dots":        "1.",
		"reports":     report,
	} {
		took := func(n int) time.Duration {
			text := strings.Repeat(unit, n/len(unit))
			began := time.Now()
			if _, err := numeric.Prepare(context.Background(), []string{text}, numeric.Options{}); err != nil {
				t.Fatal(err)
			}
			return time.Since(began)
		}
		// Four times as much takes four times as long; a quadratic reader would take
		// sixteen. Other programs share the machine: the best of some attempts counts.
		best := 1e9
		for attempt := 0; attempt < 5 && best > 10; attempt++ {
			small := took(1 << 14)
			best = min(best, float64(took(1<<16))/float64(small))
		}
		if best > 10 {
			t.Errorf("%s: four times the text takes %.1f times as long", name, best)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := numeric.Prepare(ctx, []string{report}, numeric.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	e, err := numeric.Prepare(context.Background(), []string{report}, numeric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Check(ctx, report); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestManyNumbersAreVerifiedUpToALimit(t *testing.T) {
	if testing.Short() {
		t.Skip("many numbers: run without -short")
	}
	text := strings.Repeat("The mill sold 12 looms. ", 5100)
	found, err := numeric.Check(context.Background(), text, "The mill sold 12 looms.", numeric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 5100 || found[4999].Verdict != numeric.Supported || found[5099].Verdict != numeric.NotFound || found[5099].How == "" {
		t.Errorf("%d findings, the last %+v", len(found), found[len(found)-1])
	}
}

func TestEvidenceIsSafeForConcurrentUse(t *testing.T) {
	e, err := numeric.Prepare(context.Background(), []string{report, "The quay cost $45 million."}, numeric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := e.Check(context.Background(), report)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := e.Check(context.Background(), report)
			if err != nil || len(got) != len(want) {
				t.Errorf("%d findings, %v", len(got), err)
				return
			}
			for i := range got {
				if got[i].How != want[i].How || got[i].Verdict != want[i].Verdict {
					t.Errorf("finding %d: %+v, want %+v", i, got[i], want[i])
				}
			}
		})
	}
	wg.Wait()
}

func FuzzCheck(f *testing.F) {
	for _, text := range odd {
		f.Add(text, "The mill sold 12 looms for $3m in 1998, 5% more than in May.", false)
		f.Add("The mill sold 12 looms for $3m in 1998, 5% more than in May.", text, true)
	}
	f.Fuzz(func(t *testing.T, claim, source string, comma bool) {
		o := numeric.Options{}
		if comma {
			o.Style = numeric.CommaDecimal
		}
		found, err := numeric.Check(context.Background(), claim, source, o)
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		for _, x := range found {
			q := x.Quantity
			if q.Span.Start < last || q.Span.End > len(claim) || q.Span.Of(claim) != q.Text {
				t.Errorf("%q at %v of %q", q.Text, q.Span, claim)
			}
			last = q.Span.End
			if x.Verdict != numeric.NotFound && (len(x.Places) == 0 || x.How == "") {
				t.Errorf("%s without a place or a reason: %+v", x.Verdict, x)
			}
			for _, p := range x.Places {
				if p.Source != 0 || p.Span.Start < 0 || p.Span.End > len(source) || p.Span.Start >= p.Span.End {
					t.Errorf("place %+v", p)
				}
			}
		}
		again, _ := numeric.Check(context.Background(), claim, source, o)
		if len(again) != len(found) {
			t.Errorf("%d findings, then %d", len(found), len(again))
		}
	})
}
