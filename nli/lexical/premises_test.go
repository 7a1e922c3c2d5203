package lexical

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// The cache keeps what was used last, within both of its bounds, and one
// premise beyond the bytes.
func TestPremisesAreBounded(t *testing.T) {
	m, err := New()
	if err != nil {
		t.Fatal(err)
	}
	const count, size = 8, 4000
	c := newPremises(m, count, size)
	get := func(text string) *premise {
		t.Helper()
		p, err := c.get(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := get("The first premise.")
	for i := range 3 * count {
		get(fmt.Sprintf("Premise number %d.", i))
		if get("The first premise.") != first {
			t.Fatal("a premise in use was dropped")
		}
		if n := c.uses.Len(); n > count || n != len(c.at) {
			t.Fatalf("%d premises kept, %d found", n, len(c.at))
		}
	}
	large := strings.Repeat("A dull sentence again. ", size/40)
	for i := range 3 {
		get(fmt.Sprint(i, large))
		if c.bytes > size {
			t.Fatalf("%d bytes kept", c.bytes)
		}
	}
	sum := 0
	for text := range c.at {
		sum += len(text)
	}
	if sum != c.bytes {
		t.Errorf("%d bytes kept, %d counted", sum, c.bytes)
	}
	get(large + large + large)
	if c.uses.Len() != 1 {
		t.Errorf("%d premises kept beside one that is over the bound", c.uses.Len()-1)
	}
}

func TestAnalysesAreBounded(t *testing.T) {
	m, err := New()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range 3 * maxAnalyses {
		fmt.Fprintf(&text, "Ship number w%d sank in the bay. ", i)
	}
	p, err := m.cache.get(context.Background(), text.String())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * maxAnalyses {
		p.judge(fmt.Sprintf("The ship w%d rose from the bay.", i))
		if len(p.analyses) > maxAnalyses {
			t.Fatalf("%d analyses kept", len(p.analyses))
		}
	}
}

// A sentence without end is indexed in pieces that together hold all of it.
func TestLongSentencesAreCut(t *testing.T) {
	m, err := New()
	if err != nil {
		t.Fatal(err)
	}
	text := "Start " + strings.Repeat("of a list, ", 500) + "end."
	p, err := m.cache.get(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.sentences) < 2 || p.sentences[0].Start != 0 || p.sentences[len(p.sentences)-1].End != len(text) {
		t.Fatalf("pieces %v of a text of %d bytes", p.sentences, len(text))
	}
	for i, s := range p.sentences[1:] {
		if strings.Trim(text[p.sentences[i].End:s.Start], " ,") != "" {
			t.Errorf("words lost between %v and %v", p.sentences[i], s)
		}
	}
}
