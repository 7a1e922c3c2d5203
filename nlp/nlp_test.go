package nlp

import (
	"context"
	"testing"
)

func TestAnalyze(t *testing.T) {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	d, err := a.Analyze(context.Background(), "Marie Curie didn't work in Warsaw. She won the Nobel Prize twice.")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range d.Tokens {
		if k.Of(d.Text) != k.Text {
			t.Errorf("token %q stands at %v", k.Text, k.Span)
		}
		t.Log(k)
	}
}
