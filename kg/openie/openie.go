// Package openie extracts triples from English text offline, by rules over
// part-of-speech tags: no model beyond the tagger, no network, no key.
//
// Each sentence is cut into noun phrases, verb groups and clauses; the triples
// follow from the clauses' structure (subject, verb, complement, object,
// adverbial), in the spirit of clause-based open information extraction (Del
// Corro and Gemulla, "ClausIE", WWW 2013). A triple reads as a sentence, and
// what changes its meaning stays inside it: negation, modality, quantities,
// times, places, conditions and who said so.
//
// It is for checking and comparing what a text says. It is not a parser, it
// does not link names to a database, and it does not know languages other than
// English: sentences of others are listed as dropped, by name of the language.
package openie

import (
	"context"
	"fmt"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// Version is part of an Extractor's ID; it changes whenever the same text may
// give other triples.
const Version = "2"

// Options choose what an Extractor gives. The zero value is the default.
type Options struct {
	// KeepPronouns leaves pronouns as they are written ("He", "it"). By default
	// a pronoun is replaced by what it stands for, and a triple whose head or
	// tail is a pronoun that stands for nothing in the text is dropped.
	KeepPronouns bool

	// NoNominals leaves out the relations that noun phrases hold without a verb
	// of their own: appositions, titles before names, ages, dates in brackets.
	NoNominals bool

	// IncludeAttributed adds the content of what somebody said, thought or
	// denied as triples of its own. By default such content only appears inside
	// the triple that says whose words they are.
	IncludeAttributed bool

	// MaxPerSentence bounds the triples of one sentence, 0 for no bound. What is
	// over the bound is listed as dropped.
	MaxPerSentence int
}

// Extractor is the rule-based kg.Extractor. It is safe for concurrent use and
// deterministic.
type Extractor struct {
	opts Options
	nlp  *nlp.Analyzer
	// section is the size in bytes above which texts are read in sections.
	section int
}

var _ kg.Extractor = (*Extractor)(nil)

// New returns an Extractor. It fails only when the language models built into
// the program cannot be read.
func New(opts Options) (*Extractor, error) {
	a, err := nlp.New()
	if err != nil {
		return nil, fmt.Errorf("openie: %w", err)
	}
	return &Extractor{opts: opts, nlp: a, section: sectionBytes}, nil
}

// ID names the method, its version and every option that is not the default.
func (e *Extractor) ID() string {
	id := "openie/" + Version
	if e.opts.KeepPronouns {
		id += "+pronouns"
	}
	if e.opts.NoNominals {
		id += "-nominals"
	}
	if e.opts.IncludeAttributed {
		id += "+attributed"
	}
	if e.opts.MaxPerSentence > 0 {
		id += fmt.Sprintf("+max%d", e.opts.MaxPerSentence)
	}
	return id
}

// Extract implements kg.Extractor. A text that is not UTF-8 has an Err that
// wraps a *segment.InvalidUTF8Error. Time is linear in the length of the texts;
// the context is checked at every sentence. Texts of together over a megabyte
// are read twice, in sections of about a megabyte, so that memory is bounded but
// for what is found: first for their names, then for their statements. A pronoun
// is then not resolved over the border of a section.
func (e *Extractor) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	out := make([]kg.Extraction, len(texts))
	var parts []section
	total := 0
	for i, t := range texts {
		out[i] = kg.Extraction{TextID: t.ID}
		if err := segment.CheckUTF8(t.Text); err != nil {
			out[i].Err = fmt.Errorf("openie: %w", err)
			continue
		}
		for _, at := range sections(t.Text, e.section) {
			parts = append(parts, section{text: i, at: at})
		}
		total += len(t.Text)
	}
	names := newLabels()
	for k := range parts {
		d, err := e.analyze(ctx, texts, parts[k])
		if err != nil {
			return nil, err
		}
		names.read(d)
		if total <= e.section {
			parts[k].doc = d
		}
	}
	for _, p := range parts {
		d := p.doc
		if d == nil {
			var err error
			if d, err = e.analyze(ctx, texts, p); err != nil {
				return nil, err
			}
		}
		var x kg.Extraction
		if err := e.one(ctx, d, names, &x); err != nil {
			return nil, fmt.Errorf("openie: text %d: %w", p.text, err)
		}
		p.add(x, &out[p.text])
	}
	return out, nil
}

func (e *Extractor) analyze(ctx context.Context, texts []kg.Text, p section) (*nlp.Document, error) {
	d, err := e.nlp.Analyze(ctx, p.at.Of(texts[p.text].Text))
	if err != nil {
		return nil, fmt.Errorf("openie: text %d: %w", p.text, err)
	}
	return d, nil
}
