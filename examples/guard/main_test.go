package main

import (
	"net/http/httptest"
	"testing"

	"github.com/kgeval/kgeval"
)

func TestHandler(t *testing.T) {
	for closed, want := range map[string]string{
		"1998": "I could not verify my answer.\n",
		"1989": "The mill at Stonebrook closed in 1989.\n",
	} {
		h, err := handler([]kgeval.Source{{Text: "The mill at Stonebrook closed in " + closed + " after a flood."}})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h(w, httptest.NewRequest("GET", "/?q=When+did+the+mill+close%3F", nil))
		if got := w.Body.String(); got != want {
			t.Errorf("closed in %s: %q, want %q", closed, got, want)
		}
	}
}
