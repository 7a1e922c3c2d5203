package grapheval

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// found is what of an output is to be judged.
type found struct {
	claims             []claim.Claim // by place; Verdict empty where the model decides
	notes              []claim.Note
	sentences, skipped int
	cut                int
	// incomplete says that claims may be missing.
	incomplete bool
	// values are what claims that are no sentences say, by their text.
	values map[string]string
}

// claims finds what is to be judged in s.Output.
func (p *Prepared) claims(ctx context.Context, s claim.Sample, until time.Time) (found, error) {
	var f found
	o := p.checker.opts
	sentences := segment.Sentences(s.Output)
	f.sentences = len(sentences)
	checkable := make([]bool, len(sentences))
	lay := layoutOf(s.Output)
	for i, t := range sentences {
		if i%1024 == 0 && ctx.Err() != nil {
			return f, fmt.Errorf("grapheval: %w", ctx.Err())
		}
		checkable[i] = !lay.inCode(t) && Checkable(t.Of(s.Output))
		if k := lay.row(t); k >= 0 && lay.rows[k].header {
			checkable[i] = false
		}
		if !checkable[i] {
			f.skipped++
		}
	}

	var statements []kg.Statement
	if f.skipped < f.sentences && (o.Unit == Triples || o.Unit == TriplesOnly) {
		x, err := p.extract(ctx, s.Output, until, &f)
		if err != nil {
			return f, err
		}
		statements = x.Statements
	}
	if o.Unit == TriplesOnly {
		// The paper: what is no triple is no claim.
	} else if a, ok := p.answer(s, sentences, checkable, len(statements)); ok {
		f.claims = append(f.claims, a.claims...)
		f.notes = append(f.notes, a.note)
		f.skipped = 0
		return f, nil
	}
	if f.skipped == f.sentences {
		return f, nil
	}

	switch o.Unit {
	case Output:
		all := sentences[0].Union(sentences[len(sentences)-1])
		f.claims = append(f.claims, whole(s.Output, all))
	case Sentences:
		p.fragmentClaims(s.Output, lay, sentences, checkable, &f)
		for i, t := range sentences {
			if checkable[i] {
				f.claims = append(f.claims, whole(s.Output, t))
			}
		}
	default:
		if o.Unit == Triples {
			p.fragmentClaims(s.Output, lay, sentences, checkable, &f)
		}
		covered := p.statements(s.Output, statements, sentences, checkable, &f)
		if o.Unit == Triples {
			stating := bySentence(sentences, f.claims)
			for i, t := range sentences {
				switch {
				case !checkable[i]:
				case !covered[i]:
					f.claims = append(f.claims, whole(s.Output, t))
				default:
					if rest := uncovered(s.Output, t, stating[i]); len(rest) > 0 {
						c := whole(s.Output, t)
						c.Spans = rest
						f.claims = append(f.claims, c)
					}
				}
			}
		}
	}
	sort.SliceStable(f.claims, func(i, j int) bool {
		return f.claims[i].Spans[0].Start < f.claims[j].Spans[0].Start
	})
	return f, nil
}

// fragmentClaims turns the rows of tables, and lines of a label and a value, into
// claims, and takes their sentences from those that are still to be checked.
func (p *Prepared) fragmentClaims(output string, lay layout, sentences []segment.Span, checkable []bool, f *found) {
	f.values = make(map[string]string)
	last := -1
	for i, t := range sentences {
		if !checkable[i] {
			continue
		}
		if k := lay.row(t); k >= 0 {
			checkable[i] = false
			if k != last {
				f.claims = append(f.claims, lay.rows[k].claims(output, f.values)...)
			}
			last = k
			continue
		}
		if value, ok := labelled(t.Of(output)); ok {
			checkable[i] = false
			c := whole(output, t)
			f.values[c.Text] = value
			f.claims = append(f.claims, c)
		}
	}
}

// extract runs the extractor on the output. What it could not read is noted.
func (p *Prepared) extract(ctx context.Context, output string, until time.Time, f *found) (kg.Extraction, error) {
	x := p.checker.opts.Extractor
	timed, cancel := within(ctx, until)
	defer cancel()
	got, err := guarded(func() ([]kg.Extraction, error) { return x.Extract(timed, []kg.Text{{Text: output}}) })
	if ctx.Err() != nil {
		return kg.Extraction{}, fmt.Errorf("grapheval: %w", ctx.Err())
	}
	if err != nil && timed.Err() != nil {
		f.incomplete = true
		f.notes = append(f.notes, claim.Note{Kind: claim.NoteCut, Detail: fmt.Sprintf("the limit of %v was reached before the facts were found", p.checker.opts.MaxTime)})
		return kg.Extraction{}, nil
	}
	if err != nil {
		return kg.Extraction{}, fmt.Errorf("grapheval: extractor %s: %w", x.ID(), err)
	}
	if len(got) != 1 {
		return kg.Extraction{}, fmt.Errorf("grapheval: extractor %s gave %d results for one text", x.ID(), len(got))
	}
	if e := got[0].Err; e != nil {
		f.incomplete = true
		f.notes = append(f.notes, claim.Note{Kind: claim.NoteExtractor, Detail: "the extractor failed on the output: " + e.Error()})
	} else if got[0].Truncated {
		// Under TriplesOnly nothing makes up for what was not read.
		f.incomplete = p.checker.opts.Unit == TriplesOnly
		f.notes = append(f.notes, claim.Note{Kind: claim.NoteExtractor, Detail: "the extractor read only a part of the output"})
	}
	return got[0], nil
}

// statements turns triples into claims and returns which sentences they cover.
func (p *Prepared) statements(output string, statements []kg.Statement, sentences []segment.Span, checkable []bool, f *found) []bool {
	covered := make([]bool, len(sentences))
	strangers := 0
	locator := sync.OnceValue(func() *kg.Locator { return kg.NewLocator(output) })
	for _, st := range statements {
		spans := validSpans(st.Spans, output)
		if len(spans) == 0 {
			if spans = locate(st, output, sentences, locator); len(spans) == 0 {
				strangers++
				continue // no sentence has any of its words
			}
		}
		first, last := sentenceRange(sentences, spans)
		if first > last {
			continue
		}
		if !slices.Contains(checkable[first:last+1], true) {
			continue // a triple out of a greeting or a refusal
		}
		text := st.Triple.Sentence()
		if st.Claim != "" && p.checker.opts.Unit == Triples {
			text = st.Claim
		}
		if claim.Blank(text) {
			continue
		}
		for i := first; i <= last; i++ {
			covered[i] = true
		}
		f.claims = append(f.claims, claim.Claim{
			Triple:   st.Triple,
			Text:     text,
			Spans:    spans,
			Sentence: sentences[first].Union(sentences[last]),
		})
	}
	if strangers > 0 {
		f.notes = append(f.notes, claim.Note{Kind: claim.NoteExtractor, Detail: fmt.Sprintf("%d triples of the extractor stand nowhere in the output and were left out", strangers)})
	}
	return covered
}

// whole is the claim that the part s of the output makes as it stands.
func whole(output string, s segment.Span) claim.Claim {
	return claim.Claim{Text: plain(s.Of(output)), Whole: true, Spans: []segment.Span{s}, Sentence: s}
}

// plain takes the list marker and other markup off a line.
func plain(sentence string) string {
	t := unmarked(strings.TrimLeft(sentence, "-*•‣– \t"))
	if t == "" {
		return sentence
	}
	return t
}

// validSpans returns the spans that are places in text, merged and ascending.
func validSpans(spans []segment.Span, text string) []segment.Span {
	var ok []segment.Span
	for _, s := range spans {
		if inside(s, text) && onRune(text, s.Start) && onRune(text, s.End) {
			ok = append(ok, s)
		}
	}
	return claim.Merge(ok)
}

func onRune(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// sentenceRange returns the first and last sentence that the spans touch; first
// is greater than last when they touch none.
func sentenceRange(sentences []segment.Span, spans []segment.Span) (first, last int) {
	start, end := spans[0].Start, spans[len(spans)-1].End
	first = sort.Search(len(sentences), func(i int) bool { return sentences[i].End > start })
	last = sort.Search(len(sentences), func(i int) bool { return sentences[i].Start >= end }) - 1
	return first, last
}

// locate finds where the output states st when the extractor gave no spans: where
// its labels stand, else the sentence that the extractor named, else the first
// sentence that shares most words with the triple; nil when none shares any.
func locate(st kg.Statement, output string, sentences []segment.Span, locator func() *kg.Locator) []segment.Span {
	if spans := validSpans(locator().Locate(st.Triple), output); len(spans) > 0 {
		return spans
	}
	if inside(st.Sentence, output) {
		return []segment.Span{st.Sentence}
	}
	words := wordSet(st.Triple.Head + " " + st.Triple.Relation + " " + st.Triple.Tail)
	k, most := -1, 0
	for i, s := range sentences {
		if n := overlap(words, s.Of(output)); n > most {
			k, most = i, n
		}
	}
	if k < 0 {
		return nil
	}
	return []segment.Span{sentences[k]}
}
