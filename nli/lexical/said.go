package lexical

import (
	"strings"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// saidClashes finds what the passage does not state although it has the words:
// what it only asks, and what it excepts.
func (a *alignment) saidClashes() {
	a.questionClash()
	a.exceptionClash()
}

// questionClash finds that most of what is matched stands in a question, h being
// none.
func (a *alignment) questionClash() {
	if !strings.Contains(a.c.text, "?") || strings.Contains(a.h.text, "?") {
		return
	}
	asked, all := 0, 0
	var at segment.Span
	for i := range a.h.words {
		j := a.match[i]
		if j < 0 || !a.h.words[i].content() {
			continue
		}
		all++
		rest := a.c.text[a.c.words[j].End:]
		if k := strings.IndexAny(rest, ".?!;"); k >= 0 && k < 150 && rest[k] == '?' {
			asked++
			at = a.c.words[j].Span
		}
	}
	if all > 0 && 2*asked > all {
		a.clashes = append(a.clashes, clash{
			kind: nli.ReasonHedge, h: segment.Span{Start: a.h.words[0].Start, End: a.h.words[len(a.h.words)-1].End}, c: at, weight: 1.2,
			detail: "the evidence only asks",
		})
		a.excepted = true
	}
}

var excepting = wordSet("except excepting excluding")

// exceptionClash finds that what the passage excepts is what h is about.
func (a *alignment) exceptionClash() {
	for j := range a.c.words {
		k := j + 1
		switch w := a.c.words[j].lower; {
		case excepting[w]:
		case (w == "apart" || w == "aside") && k < len(a.c.words) && a.c.words[k].lower == "from",
			w == "other" && k < len(a.c.words) && a.c.words[k].lower == "than",
			w == "exception" && k < len(a.c.words) && a.c.words[k].lower == "of":
			k++
		case w == "but" && j > 0 && everybody[a.c.words[j-1].lower]:
		default:
			continue
		}
		for ; k < len(a.c.words) && !a.c.words[k].content(); k++ {
		}
		if k == len(a.c.words) {
			continue
		}
		i := a.matchedBy(k)
		if i < 0 || a.holdsException() {
			continue
		}
		a.clashes = append(a.clashes, clash{
			kind: nli.ReasonQuantifier, h: a.h.words[i].Span, c: a.c.words[j].Span.Union(a.c.words[k].Span), weight: 1.2,
			detail: "the evidence makes an exception of " + quoted(nameOf(a.h, i).Of(a.h.text)),
		})
		a.excepted = true
		return
	}
}

var everybody = wordSet("everybody everyone all everything nobody none nothing anybody anyone")

// holdsException reports whether h makes an exception too.
func (a *alignment) holdsException() bool {
	for i := range a.h.words {
		w := a.h.words[i].lower
		if excepting[w] || w == "apart" || w == "aside" || w == "other" || w == "exception" || w == "but" {
			return true
		}
	}
	return false
}
