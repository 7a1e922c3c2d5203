// Package nlp is the language floor for English: part of speech, lemma, names
// and coreference over the tokens of a text.
package nlp

import (
	"context"
	"strings"
	"sync"

	"github.com/aaaton/golem/v4"
	"github.com/aaaton/golem/v4/dicts/en"
	"github.com/jdkato/prose/v3/tag"
	"github.com/jdkato/prose/v3/tokenize"

	"github.com/kgeval/kgeval/segment"
)

// Token is one word or punctuation mark of a Document.
type Token struct {
	segment.Span
	// Text is the token as written.
	Text string
	// Tag is the part of speech (Penn Treebank tag set).
	Tag string
	// Lemma is the dictionary form in lower case ("went": "go").
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
	Names     []Name
	// References maps the position of a pronoun's token to what it stands for.
	// A pronoun that could not be resolved is absent.
	References map[int]Reference
}

// Analyzer analyses texts. It is safe for concurrent use.
type Analyzer struct {
	tagger *tag.Tagger
	lemmas *golem.Lemmatizer
}

var load = sync.OnceValues(func() (*Analyzer, error) {
	t, err := tag.New()
	if err != nil {
		return nil, err
	}
	l, err := golem.New(en.New())
	if err != nil {
		return nil, err
	}
	return &Analyzer{tagger: t, lemmas: l}, nil
})

// New returns the analyzer. The models load once a process and are shared.
func New() (*Analyzer, error) { return load() }

// Analyze returns the analysis of text. It fails only when ctx ends.
func (a *Analyzer) Analyze(ctx context.Context, text string) (*Document, error) {
	d := &Document{Text: text, References: map[int]Reference{}}
	for _, s := range segment.Sentences(text) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		toks := tokenize.New().Tokenize(s.Of(text))
		a.tagger.TagTokens(toks)
		first := len(d.Tokens)
		for _, t := range toks {
			d.Tokens = append(d.Tokens, Token{
				Span: segment.Span{Start: s.Start + t.Start, End: s.Start + t.End()},
				Text: t.Text, Tag: t.Tag, Lemma: a.Lemma(t.Text, t.Tag),
			})
		}
		d.Sentences = append(d.Sentences, Sentence{Span: s, First: first, End: len(d.Tokens)})
	}
	return d, nil
}

// Lemma returns the dictionary form of word, in lower case, given its Penn tag
// ("" when unknown).
func (a *Analyzer) Lemma(word, penn string) string {
	return a.lemmas.LemmaLower(strings.ToLower(word))
}
