package browser

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// screen is how a page is looked at.
type screen struct {
	width, height int64
	dark          bool
}

var desk = screen{width: 1280, height: 900}

// tab is a page in Chromium that fails its test for whatever the page complains
// of or asks a network for.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
}

// open shows a page that is written to a file.
func open(t *testing.T, html []byte, s screen) *tab {
	t.Helper()
	program := os.Getenv("KGEVAL_CHROMIUM")
	if program == "" {
		t.Skip("skipped: set KGEVAL_CHROMIUM to the program of Chromium (Debian: apt-get install chromium) to turn it on")
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, html, 0o600); err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil { // starts the browser
		t.Fatal(err)
	}
	ctx, stop = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx}
	address := "file://" + filepath.ToSlash(file)
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			b.complain("console: %s", e.Type)
		case *runtime.EventExceptionThrown:
			b.complain("exception: %s, line %d", e.ExceptionDetails.Text, e.ExceptionDetails.LineNumber+1)
		case *cdplog.EventEntryAdded:
			b.complain("log: %s", e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; u != address && !strings.HasPrefix(u, "data:") {
				b.complain("a request for %s", u)
			}
		case *cdppage.EventJavascriptDialogOpening:
			b.complain("dialog: %s", e.Message)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	call(b, network.Enable, network.EnableParams{})
	call(b, cdplog.Enable, cdp.Empty{})
	call(b, runtime.Enable, cdp.Empty{})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	b.do(chromedp.EmulateViewport(s.width, s.height), chromedp.Navigate(address))
	t.Cleanup(b.quiet)
	return b
}

func (b *tab) complain(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.complaints = append(b.complaints, fmt.Sprintf(format, args...))
}

// quiet fails the test for what was complained of.
func (b *tab) quiet() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.complaints {
		b.t.Errorf("the page should be quiet: %s", c)
	}
}

// call sends a command of the browser's protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval runs a script and returns its value.
func eval[T any](b *tab, script string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script))
	if err != nil {
		b.t.Fatalf("%v\n%s", err, script)
	}
	return v
}

// wait waits until a script gives true.
func (b *tab) wait(script string) {
	b.t.Helper()
	for end := time.Now().Add(40 * time.Second); !eval[bool](b, script); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("waited in vain for %s", script)
		}
	}
}

// picture takes a picture of the whole page and keeps it where it is asked for.
func (b *tab) picture(name string) image.Image {
	b.t.Helper()
	raw, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	if dir := os.Getenv("KGEVAL_SCREENSHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), raw, 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
	m, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		b.t.Fatal(err)
	}
	return m
}

// drawn is the share of the pixels of a rectangle that differ from its most
// frequent colour.
func drawn(m image.Image, r image.Rectangle) float64 {
	r = r.Intersect(m.Bounds())
	count := map[[3]uint32]int{}
	all, most := 0, 0
	for y := r.Min.Y; y < r.Max.Y; y += 2 {
		for x := r.Min.X; x < r.Max.X; x += 2 {
			red, green, blue, _ := m.At(x, y).RGBA()
			k := [3]uint32{red >> 11, green >> 11, blue >> 11}
			count[k]++
			all++
			most = max(most, count[k])
		}
	}
	if all == 0 {
		return 0
	}
	return 1 - float64(most)/float64(all)
}

// click clicks on the first element that a CSS selector finds, enter types into it, choose gives a select a value.
func (b *tab) click(css string)       { b.t.Helper(); b.do(chromedp.Click(chromedp.CSS(css))) }
func (b *tab) enter(css, text string) { b.t.Helper(); b.do(chromedp.SendKeys(chromedp.CSS(css), text)) }
func (b *tab) choose(css, value string) {
	b.t.Helper()
	b.do(chromedp.SetValue(chromedp.CSS(css), value))
	b.run(fmt.Sprintf(`document.querySelector(%q).dispatchEvent(new Event('change'))`, css))
}

// run runs a script for what it does.
func (b *tab) run(script string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](script))
}
