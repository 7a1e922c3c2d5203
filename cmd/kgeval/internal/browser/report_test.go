package browser

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/runreport"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/runreport/samplerun"
)

func runPage(t *testing.T, o samplerun.Options) []byte {
	t.Helper()
	r, err := runreport.New(context.Background(), samplerun.New(o), runreport.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var usual = samplerun.Options{Items: 40, Models: 3, Temperatures: []float64{0, 0.7}, Odd: true}

// column returns a script for the texts of a column, of the rows that are shown.
func column(n int) string {
	return fmt.Sprintf(`[...document.querySelectorAll('#list tbody tr.row')].map(r => r.cells[%d].textContent)`, n)
}

func TestReportSortsFiltersAndOpens(t *testing.T) {
	b := open(t, runPage(t, usual), desk)
	all := eval[int](b, `JSON.parse(document.getElementById('data').textContent).rows.length`)
	if all != 45*6 {
		t.Fatalf("%d rows, want 270", all)
	}
	if got := eval[string](b, `document.getElementById('count').textContent`); got != "270 answers" {
		t.Errorf("the list says %q", got)
	}
	if n := eval[int](b, `document.querySelectorAll('#list tbody tr.row').length`); n >= all {
		t.Errorf("all %d rows were made at once", n)
	}

	// Sorting, both ways, by a button that says so.
	for _, want := range []string{"ascending", "descending"} {
		b.click(`button[data-sort="g"]`)
		if got := eval[string](b, `document.querySelector('button[data-sort="g"]').closest('th').getAttribute('aria-sort')`); got != want {
			t.Errorf("aria-sort is %q, want %q", got, want)
		}
		values := eval[[]string](b, column(4))
		for i := 1; i < len(values); i++ {
			if values[i] == "–" {
				break
			}
			if (want == "ascending") != (values[i-1] <= values[i]) && values[i-1] != values[i] {
				t.Fatalf("%s: %s stands before %s", want, values[i-1], values[i])
			}
		}
	}

	// Filtering by model, verdict, finding and words; and clearing.
	b.choose(`#f-series`, "2")
	for _, m := range eval[[]string](b, column(2)) {
		if m != "extractive baseline at 0" {
			t.Fatalf("the filter lets %q through", m)
		}
	}
	if got := eval[string](b, `document.getElementById('count').textContent`); got != "45 of 270 answers" {
		t.Errorf("the list says %q", got)
	}
	b.enter(`#f-text`, "bridge-00007")
	b.wait(`document.getElementById('count').textContent === '1 of 270 answers'`)
	b.enter(`#f-text`, "xyz")
	b.wait(`document.querySelector('#list tbody').textContent.includes('No answer fits')`)
	b.click(`#filters button[type="reset"]`)
	b.wait(`document.getElementById('count').textContent === '270 answers'`)
	b.choose(`#f-class`, "failed")
	for _, c := range eval[[]string](b, column(3)) {
		if c != "failed" {
			t.Errorf("an answer with %q among the failed", c)
		}
	}
	b.click(`#filters button[type="reset"]`)
	b.wait(`document.getElementById('count').textContent === '270 answers'`)

	// Opening with the keyboard alone, and closing.
	b.click(`button[data-sort="c"]`)
	worst := `#list tbody tr.row:nth-of-type(12) .toggle`
	b.do(chromedp.Focus(chromedp.CSS(worst)), chromedp.KeyEvent(kb.Enter))
	b.wait(`document.querySelector('.sheet svg.kg-graph') !== null`)
	for what, script := range map[string]string{
		"the button says that it is open": `document.querySelector('tr.on .toggle').getAttribute('aria-expanded') === 'true'`,
		"both graphs are drawn":           `document.querySelectorAll('.sheet svg.kg-graph').length === 2`,
		"the answer has marks":            `document.querySelectorAll('.sheet .kg-check .kg-text mark').length > 0`,
		"the context has marks":           `document.querySelectorAll('.sheet .context mark').length > 0`,
		"a fact has a dash":               `document.querySelectorAll('.sheet .kg-line[stroke-dasharray]').length > 0`,
		"ids are unique":                  `new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size === document.querySelectorAll('[id]').length`,
	} {
		if !eval[bool](b, script) {
			t.Errorf("not true: %s", what)
		}
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	b.wait(`document.querySelector('.sheet') === null`)
}

// What is markup in an answer, a question or an error stays text, also in what
// is unpacked by the page's script.
func TestReportRunsNothingFromTheData(t *testing.T) {
	b := open(t, runPage(t, usual), desk)
	title := eval[string](b, `document.title`)
	b.enter(`#f-text`, "odd-")
	b.wait(`document.getElementById('count').textContent === '30 of 270 answers'`)
	b.run(`document.querySelectorAll('#list .toggle').forEach(t => t.click())`)
	b.wait(`document.querySelectorAll('td.detail').length === 30 && [...document.querySelectorAll('td.detail')].every(d => d.children.length)`)
	time.Sleep(200 * time.Millisecond)
	if got := eval[string](b, `document.title`); got != title {
		t.Errorf("the title became %q", got)
	}
	if n := eval[int](b, `document.querySelectorAll('.sheet script, .sheet img, .sheet iframe').length`); n != 0 {
		t.Errorf("%d elements came from the data", n)
	}
	if !eval[bool](b, `document.querySelector('.sheet').textContent.includes('onerror=')`) && !eval[bool](b, `[...document.querySelectorAll('.sheet')].some(s => s.textContent.includes('onerror='))`) {
		t.Error("the text that is markup is not shown")
	}
}

// Every band of the page shows something, in light, dark and narrow, and so does
// each plot.
func TestReportHasNoBlankAreas(t *testing.T) {
	page := runPage(t, usual)
	for name, s := range map[string]screen{
		"light": desk, "dark": {1280, 900, true}, "narrow": {390, 844, false}, "narrow-dark": {390, 844, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, page, s)
			b.run(`document.querySelectorAll('#list tbody tr.row:nth-of-type(12) .toggle').forEach(t => t.click())`)
			b.wait(`document.querySelector('.sheet svg.kg-graph') !== null`)
			m := b.picture("report-" + name)
			if w := eval[int](b, `document.documentElement.scrollWidth`); w > int(s.width) {
				t.Errorf("the page is %d pixels wide on a screen of %d", w, s.width)
			}
			const band = 260
			for y := 0; y+band < m.Bounds().Max.Y; y += band {
				if drawn(m, image.Rect(0, y, m.Bounds().Max.X, y+band)) < 0.002 {
					t.Errorf("nothing between %d and %d", y, y+band)
				}
			}
			for _, r := range eval[[][4]float64](b, `[...document.querySelectorAll('svg.plot, svg.kg-graph')].map(e => e.getBoundingClientRect()).map(r => [r.x + scrollX, r.y + scrollY, r.width, r.height])`) {
				rect := image.Rect(int(r[0]), int(r[1]), int(r[0]+r[2]), int(r[1]+r[3]))
				if share := drawn(m, rect); share < 0.005 {
					t.Errorf("a plot of %v is blank: %.4f drawn", rect, share)
				}
			}
			dark := luminance(m, 4, 4) < 0.3
			if dark != s.dark {
				t.Errorf("dark page: %t", dark)
			}
		})
	}
}

func luminance(m image.Image, x, y int) float64 {
	r, g, b, _ := m.At(x, y).RGBA()
	return (0.2126*float64(r) + 0.7152*float64(g) + 0.0722*float64(b)) / 0xffff
}

// The boxes that the layout computed hold the text that the browser draws.
func TestDrawnLabelsKeepToTheirBoxes(t *testing.T) {
	b := open(t, runPage(t, usual), desk)
	b.run(`[...document.querySelectorAll('#list .toggle')].slice(0, 40).forEach(t => t.click())`)
	b.wait(`document.querySelectorAll('.sheet svg.kg-graph').length > 40`)
	bad := eval[[]string](b, `(() => {
		const bad = [];
		for (const svg of document.querySelectorAll('.sheet svg.kg-graph')) {
			const texts = [...svg.querySelectorAll('text')].map(t => ({b: t.getBBox(), s: t.textContent, r: t.parentNode.querySelector('rect')}));
			texts.forEach((t, i) => {
				if (t.r && (t.b.width > t.r.getBBox().width || t.b.height > t.r.getBBox().height + 1)) bad.push('out of its box: ' + t.s);
				texts.slice(0, i).forEach(u => {
					if (t.b.x < u.b.x + u.b.width && u.b.x < t.b.x + t.b.width && t.b.y + 2 < u.b.y + u.b.height && u.b.y + 2 < t.b.y + t.b.height) bad.push(t.s + ' over ' + u.s);
				});
			});
		}
		return bad;
	})()`)
	for _, s := range bad {
		t.Error(s)
	}
}

// The text of plots and graphs is text: a reader can find, select and copy it.
func TestTextOfPlotsCanBeSelected(t *testing.T) {
	b := open(t, runPage(t, usual), desk)
	text := eval[string](b, `(() => {
		const r = document.createRange(), s = getSelection();
		r.selectNodeContents(document.getElementById('plots'));
		s.removeAllRanges();
		s.addRange(r);
		return s.toString();
	})()`)
	for _, want := range []string{"temperature", "GoldSim: like the gold answer", "small-instruct at 0.7", "100%"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q cannot be selected", want)
		}
	}
}

// Ten thousand answers load, sort and filter at once to a reader, and each of
// those with texts opens.
func TestReportOfTenThousandAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: takes half a minute; run without -short")
	}
	page := runPage(t, samplerun.Options{Items: 2500, Models: 2, Temperatures: []float64{0, 1}})
	t.Logf("10,000 answers: %.1f MB", float64(len(page))/1e6)
	if len(page) > 20<<20 {
		t.Errorf("the file has %d bytes", len(page))
	}
	begin := time.Now()
	b := open(t, page, desk)
	b.wait(`document.querySelectorAll('#list tbody tr.row').length > 0`)
	t.Logf("loaded after %v", time.Since(begin))
	for what, script := range map[string]string{
		"sort":   `(() => { const t = performance.now(); document.querySelector('button[data-sort="question"]').click(); return performance.now() - t; })()`,
		"filter": `(() => { const t = performance.now(), f = document.getElementById('f-series'); f.value = '1'; f.dispatchEvent(new Event('change')); return performance.now() - t; })()`,
	} {
		ms := eval[float64](b, script)
		t.Logf("%s: %.0f ms", what, ms)
		if ms > 3000 {
			t.Errorf("%s takes %.0f ms", what, ms)
		}
	}
	if got := eval[string](b, `document.getElementById('count').textContent`); got != "2,500 of 10,000 answers" {
		t.Errorf("the list says %q", got)
	}
	b.run(`document.querySelector('#list .toggle').click()`)
	b.wait(`document.querySelector('.sheet') !== null`)
}
