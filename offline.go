package kgeval

import (
	"fmt"
	"io"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/graphcorrect/rules"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/openie"
	nlibuiltin "github.com/kgeval/kgeval/nli/builtin"
	"github.com/kgeval/kgeval/nli/combined"
	"github.com/kgeval/kgeval/nli/lexical"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/s3kg"
)

// Parts are what checking, correcting and comparing are made of. Replace any
// field by your own; a nil field is only missed by what needs it. The parts of
// Offline are safe for concurrent use, and so is what is built from them.
type Parts struct {
	// Extractor finds the facts of a text.
	Extractor Extractor
	// NLI judges a fact against a source.
	NLI NLI
	// Embedder tells how alike two labels are, and finds the passages of long
	// sources that bear on a fact.
	Embedder Embedder
	// Answerer turns a question and its short answer into a statement that can
	// be checked.
	Answerer grapheval.Answerer
	// Proposers find corrections; they are asked in order.
	Proposers []graphcorrect.Proposer
	// Normalizer decides which labels are equal without an embedder.
	Normalizer *kg.Normalizer
}

// Offline returns the parts that run inside the process, without network, key
// or cgo, for English text: rules over part-of-speech tags as Extractor
// (kg/openie), a built-in transformer and rules over words together as NLI
// (nli/combined of nli/builtin and nli/lexical), another as Embedder
// (embed/builtin), rules as Proposer (graphcorrect/rules). It fails only if a
// model that is built into the program cannot be read.
//
// The language rules load once a process, at the first call (some tens of
// milliseconds), the transformers' weights when the first claim is judged or the
// first label compared (docs/results/nli.md and embed.md); further calls cost
// next to nothing. For rules alone, set NLI to a nli/lexical.Model: it takes a
// small part of the time (docs/results/cost.md) and sees no paraphrase.
func Offline() (Parts, error) {
	analyzer, err := nlp.New()
	if err != nil {
		return Parts{}, fmt.Errorf("kgeval: %w", err)
	}
	extractor, err := openie.New(openie.Options{})
	if err != nil {
		return Parts{}, fmt.Errorf("kgeval: %w", err)
	}
	words, err := lexical.New()
	if err != nil {
		return Parts{}, fmt.Errorf("kgeval: %w", err)
	}
	trained, err := nlibuiltin.New(nlibuiltin.Options{})
	if err != nil {
		return Parts{}, fmt.Errorf("kgeval: %w", err)
	}
	model, err := combined.New(trained, words, combined.Options{})
	if err != nil {
		return Parts{}, fmt.Errorf("kgeval: %w", err)
	}
	proposer, err := rules.New(rules.Options{Judge: model})
	if err != nil {
		return Parts{}, fmt.Errorf("kgeval: %w", err)
	}
	return Parts{
		Extractor:  extractor,
		NLI:        model,
		Embedder:   builtin.New(builtin.Options{}),
		Answerer:   grapheval.AnswererFunc(analyzer.Declarative),
		Proposers:  []graphcorrect.Proposer{proposer},
		Normalizer: &kg.Normalizer{Lemmatizer: analyzer},
	}, nil
}

// Checker returns a checker made of the parts. Fields of o that are set stay;
// the zero Options give the default checker.
func (p Parts) Checker(o grapheval.Options) (*grapheval.Checker, error) {
	if o.Extractor == nil {
		o.Extractor = p.Extractor
	}
	if o.Model == nil {
		o.Model = p.NLI
	}
	if o.Answerer == nil {
		o.Answerer = p.Answerer
	}
	if o.Embedder == nil {
		o.Embedder = p.Embedder
	}
	return grapheval.New(o)
}

// Corrector returns a corrector made of the parts, which checks as the Checker
// of check does. Fields of o that are set stay.
func (p Parts) Corrector(check grapheval.Options, o graphcorrect.Options) (*graphcorrect.Corrector, error) {
	if o.Checker == nil {
		c, err := p.Checker(check)
		if err != nil {
			return nil, err
		}
		o.Checker = c
	}
	if o.Proposers == nil {
		o.Proposers = p.Proposers
	}
	return graphcorrect.New(o)
}

// Scorer returns a scorer made of the parts. Fields of o that are set stay.
func (p Parts) Scorer(o s3kg.Options) (*s3kg.Scorer, error) {
	if o.Embedder == nil {
		o.Embedder = p.Embedder
	}
	if o.Extractor == nil {
		o.Extractor = p.Extractor
	}
	if o.Normalizer == nil {
		o.Normalizer = p.Normalizer
	}
	return s3kg.New(o)
}

// Explain writes a result for a reader, as kgeval check does: the verdict, the
// output with marks under what is flagged (^ contradicted, ~ unsupported, !
// conflicting, ? unknown), and each flagged claim with its place, the reasons
// and the evidence, the worst first. r must be the result of checking s. Text
// from s is made harmless for terminals.
func Explain(w io.Writer, s Sample, r claim.Result) error {
	return mark.Report(w, s, r, mark.Style{})
}
