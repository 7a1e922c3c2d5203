package openie

import (
	"context"
	"fmt"
	"github.com/kgeval/kgeval/nlp"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	a, _ := nlp.New()
	for _, line := range strings.Split(os.Getenv("ZS"), "|") {
		d, _ := a.Analyze(context.Background(), line)
		for _, st := range d.Sentences {
			s := newSentence(d, st.First, st.End)
			for i, k := range s.toks {
				fmt.Printf("%d:%s/%s ", i, k.text, k.tag)
			}
			fmt.Println()
		}
	}
}
