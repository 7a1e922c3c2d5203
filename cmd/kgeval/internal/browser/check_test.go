package browser

import (
	"bytes"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/runreport/samplerun"
	"github.com/kgeval/kgeval/report"
)

// A page of one check, with the evidence expanded.
func TestCheckPage(t *testing.T) {
	run := samplerun.New(samplerun.Options{Items: 30, Models: 3, Temperatures: []float64{1}})
	var page bytes.Buffer
	for _, x := range run.Records {
		if x.Score == nil || len(x.Score.Check.Flagged()) < 3 {
			continue
		}
		item, _ := run.Item(x.Item)
		s := claim.Sample{Question: item.Question, Sources: item.Sources, Output: x.Answer.Text}
		if err := report.CheckPage(&page, s, *x.Score.Check, report.Options{Name: "answer.txt"}); err != nil {
			t.Fatal(err)
		}
		break
	}
	for name, s := range map[string]screen{"light": desk, "dark": {1280, 900, true}, "narrow": {390, 844, false}} {
		t.Run(name, func(t *testing.T) {
			b := open(t, page.Bytes(), s)
			if n := eval[int](b, `document.querySelectorAll('details[open]').length`); n != 1 {
				t.Errorf("%d findings are open, want the first", n)
			}
			b.click(`#kg-2 summary`)
			if !eval[bool](b, `document.querySelector('#kg-2 details').open && document.querySelector('#kg-2 q').checkVisibility()`) {
				t.Error("a click does not show the evidence")
			}
			line := eval[string](b, `getComputedStyle(document.querySelector('mark.kg-bad')).textDecorationLine + ' ' + getComputedStyle(document.querySelector('mark.kg-bad')).textDecorationStyle`)
			if line != "underline wavy" {
				t.Errorf("what is contradicted has %q", line)
			}
			m := b.picture("check-" + name)
			if w := eval[int](b, `document.documentElement.scrollWidth`); w > int(s.width) {
				t.Errorf("the page is %d pixels wide on a screen of %d", w, s.width)
			}
			if drawn(m, m.Bounds()) < 0.01 {
				t.Error("the page is blank")
			}
		})
	}
}
