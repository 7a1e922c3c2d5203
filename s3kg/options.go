package s3kg

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/metrics"
)

// Defaults of Options.
const (
	DefaultAlpha      = 0.5
	DefaultIterations = 1
	// DefaultThreshold is the paper's cosine, for an embedder that carries none
	// of its own.
	DefaultThreshold = 0.65
)

// ErrNoEmbedder is returned by New if there is no embedder.
var ErrNoEmbedder = errors.New("s3kg: no embedder")

// ErrNoExtractor is returned by CompareTexts of a Scorer without an extractor.
var ErrNoExtractor = errors.New("s3kg: no extractor to turn texts into graphs")

// An OptionError says that an option is out of its range.
type OptionError struct {
	Option string
	Value  any
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("s3kg: option %s must not be %v", e.Option, e.Value)
}

// An EmbedError says that the embedder failed, or broke its contract. There is no
// score then.
type EmbedError struct {
	// Embedder is its ID.
	Embedder string
	Err      error
}

func (e *EmbedError) Error() string {
	return fmt.Sprintf("s3kg: embedding labels with %s: %v", e.Embedder, e.Err)
}

func (e *EmbedError) Unwrap() error { return e.Err }

// An ExtractError says that the extractor failed, on the whole call or on one
// text. There is no score then.
type ExtractError struct {
	// Text is "a" or "b", empty if the whole call failed.
	Text string
	Err  error
}

func (e *ExtractError) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("s3kg: extracting graphs: %v", e.Err)
	}
	return fmt.Sprintf("s3kg: extracting the graph of text %s: %v", e.Text, e.Err)
}

func (e *ExtractError) Unwrap() error { return e.Err }

// A TextError says that a text cannot be compared, since it is not UTF-8.
type TextError struct {
	// Text is "a" or "b".
	Text string
	// Err is a *segment.InvalidUTF8Error, which has the offset.
	Err error
}

func (e *TextError) Error() string { return fmt.Sprintf("s3kg: text %s: %v", e.Text, e.Err) }

func (e *TextError) Unwrap() error { return e.Err }

// Options set up a Scorer. Only Embedder is needed.
type Options struct {
	// Embedder makes the vectors of labels and, if a text has no graph, of
	// texts. Each distinct label of a call is embedded once.
	Embedder embed.Embedder

	// Extractor turns texts into graphs; only CompareTexts needs it.
	Extractor kg.Extractor

	// Form is the form of Result.Score; empty means F1.
	Form Form

	// Alpha is the weight of Meaning in the score, in [0,1]; nil means
	// DefaultAlpha. new(0.3) sets it.
	Alpha *float64

	// Whole is the weight, in [0,1], that CompareTexts gives to the texts as wholes, beside
	// their graphs:
	//
	//	Score = (1-Whole) graphs + Whole texts
	//
	// where texts is what texts without graphs are compared by (see CompareTexts).
	// It catches what an extractor misses or splits differently, and dilutes what the
	// graphs say. 0, the default, compares graphs alone. Scores of graphs are not changed
	// by it.
	Whole float64

	// Texts, if not nil, makes CompareTexts weigh all Evidence of two texts, of which their
	// graphs are a part:
	//
	//	Score = Texts.Score(Evidence)
	//
	// and exactly 1 for texts that are equal but for case, white space and the form of
	// numbers. Whole must be 0 then. FittedTexts returns weights for embed/builtin. Scores
	// of graphs are not changed by it.
	Texts *TextModel

	// Tokens is the encoder for Evidence.Tokens, WeakestEither and WeakestBoth, which are 0
	// without one. A Texts with a weight for one of them needs it.
	Tokens metrics.TokenEmbedder

	// Iterations is the depth of Structure, at least 0; nil means
	// DefaultIterations. See docs/s3kg.md: 0 compares labels alone, 1 facts, 2
	// the facts around each entity, each further one a step more.
	Iterations *int

	// Thresholds are the cosines from which on two labels match. A zero field
	// means the embedder's own (see embed.Thresholder), or DefaultThreshold if
	// it has none.
	Thresholds embed.Thresholds

	// Normalizer decides which labels are equal without an embedder, and brings
	// in a lemmatiser. Nil means the zero Normalizer, which has none.
	Normalizer *kg.Normalizer

	// Conflict reports whether two labels must not match however near their
	// embeddings are, as "lowered" and "did not lower", or "14 days" and "30
	// days". It must be symmetric and safe for concurrent use. Nil means the
	// function Conflict.
	Conflict func(a, b string) bool

	// Symmetric reports whether a relation holds in both directions whenever it
	// holds in one, so that head and tail may change places. It must be safe for
	// concurrent use. Nil means the function Symmetric.
	Symmetric func(relation string) bool

	// Literal takes triples as they stand. By default a fact is read before it
	// is compared, by rules for English: (radium, was discovered in, 1898 by
	// Marie Curie) is the same fact as (Marie Curie, discovered, radium in
	// 1898). Facts with the same verb in different voices (see Active), or with
	// listed converses, are compared with the ends of one exchanged; times, and
	// places after "in" or "at", are taken out of the tail and compared on their
	// own. Triples of a database need none of this and are seldom touched by it.
	Literal bool

	// Concurrency bounds the goroutines of a call; below 1 it means GOMAXPROCS.
	Concurrency int

	published *published // of Paper and Reference, else nil
}

// Scorer compares graphs and texts. It is made by New and is safe for concurrent
// use. It remembers how it read the triples that it met last (at most 16,384 short
// ones), which changes nothing but the time.
type Scorer struct {
	opts       Options
	alpha      float64
	iterations int
	thresholds embed.Thresholds
	normalizer *kg.Normalizer
	method     string
	published  *published
	readings   readings
}

// New returns a Scorer. The error is ErrNoEmbedder or an *OptionError.
func New(o Options) (*Scorer, error) {
	if o.Embedder == nil {
		return nil, ErrNoEmbedder
	}
	s := &Scorer{opts: o, alpha: DefaultAlpha, iterations: DefaultIterations, published: o.published}
	if s.published != nil {
		s.iterations = publishedDepth
	}
	switch o.Form {
	case F1, Cover:
	case "":
		if s.opts.Form = F1; s.published != nil {
			s.opts.Form = Cover
		}
	default:
		return nil, &OptionError{"Form", o.Form}
	}
	if o.Alpha != nil {
		s.alpha = *o.Alpha
	}
	if !(s.alpha >= 0 && s.alpha <= 1) {
		return nil, &OptionError{"Alpha", s.alpha}
	}
	if !(o.Whole >= 0 && o.Whole <= 1) {
		return nil, &OptionError{"Whole", o.Whole}
	}
	if t := o.Texts; t != nil {
		switch {
		case !t.valid():
			return nil, &OptionError{"Texts", *t}
		case o.Whole > 0:
			return nil, &OptionError{"Whole", fmt.Sprintf("%g beside Texts", o.Whole)}
		case (t.Weights.Tokens != 0 || t.Weights.WeakestEither != 0 || t.Weights.WeakestBoth != 0) && o.Tokens == nil:
			return nil, &OptionError{"Tokens", "nil, as Texts has a weight for it"}
		}
	}
	if o.Iterations != nil {
		s.iterations = *o.Iterations
	}
	if s.iterations < 0 {
		return nil, &OptionError{"Iterations", s.iterations}
	}
	t := embed.ThresholdsOf(o.Embedder, embed.Thresholds{
		Entity: DefaultThreshold, Relation: DefaultThreshold, Triple: DefaultThreshold,
	})
	if s.published != nil {
		t = embed.Thresholds{Entity: publishedThreshold, Relation: publishedThreshold, Triple: publishedThreshold}
	}
	for _, f := range []struct {
		name   string
		option float64
		used   *float64
	}{
		{"Thresholds.Entity", o.Thresholds.Entity, &t.Entity},
		{"Thresholds.Relation", o.Thresholds.Relation, &t.Relation},
		{"Thresholds.Triple", o.Thresholds.Triple, &t.Triple},
	} {
		if f.option != 0 {
			*f.used = f.option
		}
		// A cosine of 0 says that two labels have nothing in common, so a
		// threshold must be above it.
		if !(*f.used > 0 && *f.used <= 1) {
			return nil, &OptionError{f.name, *f.used}
		}
	}
	s.thresholds = t
	if s.opts.Concurrency < 1 {
		s.opts.Concurrency = runtime.GOMAXPROCS(0)
	}
	if s.opts.Symmetric == nil {
		s.opts.Symmetric = Symmetric
	}
	if s.normalizer = o.Normalizer; s.normalizer == nil {
		s.normalizer = new(kg.Normalizer)
	}
	s.method = fmt.Sprintf("s3kg/1 %s alpha=%g h=%d entity>=%g relation>=%g",
		o.Embedder.ID(), s.alpha, s.iterations, t.Entity, t.Relation)
	if s.published != nil {
		s.method = fmt.Sprintf("s3kg/%s %s alpha=%g h=%d entity=%g relation=%g",
			s.published.name, o.Embedder.ID(), s.alpha, s.iterations, t.Entity, t.Relation)
	} else {
		own := embed.ThresholdsOf(o.Embedder, embed.Thresholds{})
		if own.Entity+o.Thresholds.Entity == 0 || own.Relation+o.Thresholds.Relation == 0 {
			s.method += " thresholds=assumed"
		}
		if o.Literal {
			s.method += " literal"
		}
	}
	if o.Texts != nil {
		s.method += " texts=" + o.Texts.sum()
		if o.Tokens != nil {
			s.method += " tokens=" + o.Tokens.ID()
		}
	}
	if o.Whole > 0 {
		s.method += fmt.Sprintf(" whole=%g", o.Whole)
	}
	return s, nil
}

// blend returns the parts of a cover.
func (s *Scorer) blend(structure, meaning float64) Parts {
	score := structure
	if structure != meaning {
		score = (1-s.alpha)*structure + s.alpha*meaning
	}
	return Parts{Score: math.Max(0, math.Min(1, score)), Structure: structure, Meaning: meaning}
}
