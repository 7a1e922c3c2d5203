package grapheval

import (
	"regexp"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// minQuotation is how many words a quotation has that is checked by itself; fewer
// are a name, a title or a word held at arm's length.
const minQuotation = 4

var quotation = regexp.MustCompile(`"([^"\n]+)"|“([^”\n]+)”|«([^»\n]+)»|„([^“”\n]+)[“”]`)

// quotations returns the quotations in text that stand in no source word for
// word. Who writes that somebody said them states the words too.
func (p *Prepared) quotations(text string) []string {
	var out []string
	for _, m := range quotation.FindAllStringSubmatch(text, -1) {
		q := strings.TrimRight(strings.Join(m[1:], ""), " ,")
		if len(segment.Words(q)) >= minQuotation && !strings.Contains(p.words(), wordsOf(q)) {
			out = append(out, q)
		}
	}
	return out
}

// wordsOf returns the words of text in lower case, with a blank around each.
func wordsOf(text string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, w := range segment.Words(text) {
		b.WriteString(strings.ToLower(w.Of(text)))
		b.WriteByte(' ')
	}
	return b.String()
}

func wordsOfSources(sources []claim.Source) string {
	var b strings.Builder
	for _, s := range sources {
		b.WriteString(wordsOf(s.Text))
		b.WriteByte('\n')
	}
	return b.String()
}

// weakest returns which of the answers named has the least support, -1 for none;
// one that could not be judged has less than any.
func weakest(answers []judgement, of []int) int {
	least := -1
	for _, q := range of {
		if answers[q].err != nil {
			return q
		}
		if least < 0 || answers[q].support < answers[least].support {
			least = q
		}
	}
	return least
}
