// Package answer shows how a service is tested with kgtest.
package answer

import (
	"strings"
	"testing"

	"github.com/kgeval/kgeval/kgtest"
)

const article = "The mill at Stonebrook closed in 1998 after a flood. 40 people lost their jobs. The buildings are a museum today."

// summarize stands for the service that is tested.
func summarize(text string) string {
	sentences := strings.SplitAfter(text, ". ")
	return sentences[0] + sentences[1]
}

func TestSummary(t *testing.T) {
	got := summarize(article)
	kgtest.Grounded(t, article, got)
	kgtest.Similar(t, "The mill at Stonebrook closed in 1998 after a flood. 40 people lost their jobs.", got, 0.8)
}
