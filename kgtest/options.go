package kgtest

import (
	"testing"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/grapheval"
)

// Option changes how Grounded or Similar works.
type Option func(*settings)

type settings struct {
	extractor kgeval.Extractor
	nli       kgeval.NLI
	embedder  kgeval.Embedder

	question      string
	sources       []kgeval.Source
	allowNoClaims bool
	point         grapheval.OperatingPoint
	threshold     float64
	thresholdSet  bool
}

func newSettings(opts []Option) settings {
	s := settings{point: grapheval.FewFalseAlarms}
	for _, o := range opts {
		if o != nil {
			o(&s)
		}
	}
	return s
}

// parts returns the offline parts with the replaced ones put in; it ends the
// test where they cannot be loaded.
func (s settings) parts(t testing.TB) kgeval.Parts {
	t.Helper()
	p, err := kgeval.Offline()
	if err != nil {
		t.Fatalf("kgtest: the offline parts did not load: %v", err)
	}
	if s.extractor != nil {
		p.Extractor = s.extractor
	}
	if s.nli != nil {
		p.NLI = s.nli
	}
	if s.embedder != nil {
		p.Embedder = s.embedder
	}
	return p
}

// WithExtractor finds facts with e.
func WithExtractor(e kgeval.Extractor) Option { return func(s *settings) { s.extractor = e } }

// WithNLI judges facts with m. The operating point is then the one measured for
// m, or the fallback that grapheval.CalibrationFor describes.
func WithNLI(m kgeval.NLI) Option { return func(s *settings) { s.nli = m } }

// WithEmbedder compares meanings with e (Similar only).
func WithEmbedder(e kgeval.Embedder) Option { return func(s *settings) { s.embedder = e } }

// WithQuestion gives the question that the output answers, without which a
// short answer ("Yes.", "In 1998.") can hardly be checked (Grounded only).
func WithQuestion(q string) Option { return func(s *settings) { s.question = q } }

// WithSources adds documents to the context; a failure names the document that
// its evidence stands in (Grounded only). The context argument may then be
// empty.
func WithSources(sources ...kgeval.Source) Option {
	return func(s *settings) { s.sources = append(s.sources, sources...) }
}

// AllowNoClaims lets an output pass in which nothing can be checked, such as "I
// don't know." (Grounded only).
func AllowNoClaims() Option { return func(s *settings) { s.allowNoClaims = true } }

// Balanced fails outputs at the point that weighs missed errors and false
// alarms alike, instead of the one with few false alarms (Grounded only).
// It finds more, and fails true outputs more often.
func Balanced() Option { return func(s *settings) { s.point = grapheval.Balanced } }

// WithThreshold sets the P(inconsistent) above which a fact is not supported,
// above 0 and below 1, instead of the one measured for the model (Grounded
// only). It decides about facts, not about the output: the output's cutoff stays.
// Any other number ends the test: a threshold that was forgotten must not let
// everything pass.
func WithThreshold(p float64) Option {
	return func(s *settings) { s.threshold, s.thresholdSet = p, true }
}
