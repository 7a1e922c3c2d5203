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
	get := func(text string) *premise {
		t.Helper()
		p, err := m.cache.get(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := get("The first premise.")
	for i := range 2 * maxPremises {
		get(fmt.Sprintf("Premise number %d.", i))
		if get("The first premise.") != first {
			t.Fatal("a premise in use was dropped")
		}
		if n := m.cache.uses.Len(); n > maxPremises || n != len(m.cache.at) {
			t.Fatalf("%d premises kept, %d found", n, len(m.cache.at))
		}
	}
	large := strings.Repeat("A dull sentence again. ", maxPremiseBytes/40)
	for i := range 3 {
		get(fmt.Sprint(i, large))
		if m.cache.bytes > maxPremiseBytes {
			t.Fatalf("%d bytes kept", m.cache.bytes)
		}
	}
	sum := 0
	for text := range m.cache.at {
		sum += len(text)
	}
	if sum != m.cache.bytes {
		t.Errorf("%d bytes kept, %d counted", sum, m.cache.bytes)
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
