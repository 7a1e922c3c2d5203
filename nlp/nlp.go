// Package nlp is the language floor for English: tokens with their part of
// speech and lemma, sentences, names, noun phrases, and what pronouns stand
// for. Everything is by byte offsets into the caller's own text.
//
// Tags come from an averaged perceptron (prose), repaired by rules; lemmas
// from golem's dictionary, chosen by the tag; tokens, names, noun phrases and
// references from rules of our own. It is for texts that state facts: reports,
// articles, answers. It is not a parser, and it knows no language but English:
// other scripts pass through as tokens with the tag FW.
package nlp

import (
	"context"
	"strings"
	"sync"

	"github.com/jdkato/prose/v3/tag"

	"github.com/kgeval/kgeval/segment"
)

// Token is one word or punctuation mark of a Document.
type Token struct {
	segment.Span
	// Text is the token as written.
	Text string
	// Tag is the part of speech (Penn Treebank tag set; brackets are "(" and
	// ")", words of other scripts FW).
	Tag string
	// Lemma is the dictionary form in lower case ("went": "go"). The lemma of a
	// name is the name in lower case.
	Lemma string
}

// NameKind says what kind of thing a Name names.
type NameKind string

// The kinds of names.
const (
	Person       NameKind = "person"
	Place        NameKind = "place"
	Organization NameKind = "organization"
	OtherName    NameKind = "name"
)

// Name is a proper name: the tokens [First, End) of the document.
type Name struct {
	segment.Span
	First, End int
	Kind       NameKind
	// Gender is what the text or the given name says of a person.
	Gender Gender
	// Entity is the position in Document.Names of the first name that names the
	// same thing ("Curie" after "Marie Curie"); its own position for the first.
	Entity int
}

// Sentence is a sentence: the tokens [First, End) of the document.
type Sentence struct {
	segment.Span
	First, End int
}

// Reference is what a pronoun or a definite noun phrase stands for: the tokens
// [First, End) of the document are an earlier (rarely later) mention.
type Reference struct {
	First, End int
}

// Document is an analysed text. It is read-only and safe for concurrent use.
type Document struct {
	Text      string
	Tokens    []Token
	Sentences []Sentence
	// Names are in the order of the text and do not overlap. Dates are none.
	Names []Name
	// References maps the position of a pronoun's token to what it stands for.
	// A pronoun that could not be resolved is absent.
	References map[int]Reference
}

// Analyzer analyses texts. It is safe for concurrent use.
type Analyzer struct {
	tagger *tag.Tagger
	dict   *dictionary
}

var load = sync.OnceValues(func() (*Analyzer, error) {
	t, err := tag.New()
	if err != nil {
		return nil, err
	}
	d, err := loadDictionary()
	if err != nil {
		return nil, err
	}
	return &Analyzer{tagger: t, dict: d}, nil
})

// New returns the analyzer. The models load once a process and are shared.
func New() (*Analyzer, error) { return load() }

// batch is how many tokens are tagged between two looks at the context.
const batch = 512

// Analyze returns the analysis of text. It fails only when ctx ends. Time and
// memory are linear in the length of text.
func (a *Analyzer) Analyze(ctx context.Context, text string) (*Document, error) {
	d := &Document{
		Text:       text,
		Tokens:     make([]Token, 0, len(text)/5+4),
		References: map[int]Reference{},
	}
	sentences := segment.Sentences(text)
	cased := a.hasCase(text, sentences)
	var spans []segment.Span
	for _, s := range sentences {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		spans = tokenize(spans[:0], text, s)
		first := len(d.Tokens)
		for _, sp := range spans {
			d.Tokens = append(d.Tokens, Token{Span: sp, Text: sp.Of(text)})
		}
		// An endless sentence is tagged in parts, so that ctx is heard.
		for i := first; i < len(d.Tokens); i += batch {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			a.tagWords(d.Tokens[i:min(i+batch, len(d.Tokens))], cased)
		}
		for i := first; i < len(d.Tokens); i++ {
			t := &d.Tokens[i]
			t.Lemma = a.Lemma(t.Text, t.Tag)
		}
		if len(d.Tokens) > first {
			d.Sentences = append(d.Sentences, Sentence{Span: s, First: first, End: len(d.Tokens)})
		}
	}
	a.findNames(d)
	if err := a.resolve(ctx, d); err != nil {
		return nil, err
	}
	return d, nil
}

// Lemma returns the dictionary form of word, in lower case, given its Penn tag
// ("" when unknown: the most likely form).
func (a *Analyzer) Lemma(word, penn string) string {
	return a.dict.lemma(strings.ToLower(word), penn)
}

// SentenceAt returns the position in Sentences of the sentence that holds the
// token i, or -1.
func (d *Document) SentenceAt(i int) int {
	lo, hi := 0, len(d.Sentences)
	for lo < hi {
		m := (lo + hi) / 2
		switch s := d.Sentences[m]; {
		case i < s.First:
			hi = m
		case i >= s.End:
			lo = m + 1
		default:
			return m
		}
	}
	return -1
}
