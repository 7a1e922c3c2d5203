package grapheval

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/numeric"
)

// Unit says what a claim is.
type Unit int

// The units.
const (
	// Triples: each triple is a claim, and so is each sentence that no triple
	// covers. The default.
	Triples Unit = iota
	// TriplesOnly: what no triple covers is not checked (the paper).
	TriplesOnly
	// Sentences: each sentence is a claim.
	Sentences
	// Output: the whole output is one claim.
	Output
)

// OperatingPoint says how a Checker trades missed errors against false alarms.
type OperatingPoint int

// The operating points.
const (
	// Balanced weighs both alike (the best balanced accuracy on development
	// data). The default.
	Balanced OperatingPoint = iota
	// FewFalseAlarms flags at most 5% of the consistent outputs of the
	// development data, on the average over its sets; for tests and guards.
	FewFalseAlarms
)

// Answerer turns a short answer into the statement it makes together with its
// question: "When did it open?", "1998" to "It opened in 1998." It returns false
// when it cannot. Implementations must be safe for concurrent use.
type Answerer interface {
	Statement(question, answer string) (string, bool)
}

// AnswererFunc is a function as an Answerer.
type AnswererFunc func(question, answer string) (string, bool)

// Statement calls f.
func (f AnswererFunc) Statement(question, answer string) (string, bool) { return f(question, answer) }

// Options is what a Checker is made of. Model is required, and Extractor for the
// units Triples and TriplesOnly; the zero value of everything else is a sound
// default.
type Options struct {
	// Extractor finds the claims.
	Extractor kg.Extractor
	// Model judges them.
	Model nli.Model
	// Answerer makes short answers checkable; optional.
	Answerer Answerer

	// Unit says what a claim is.
	Unit Unit
	// Point chooses the cutoff of the output's probability.
	Point OperatingPoint
	// Calibration turns the claims' probabilities into the output's. Nil takes
	// the one measured for Model (see CalibrationFor).
	Calibration *Calibration
	// Threshold is the P(inconsistent) in (0,1) above which a claim is not
	// supported; 0 takes the calibration's.
	Threshold float64

	// NoSentences judges a triple by itself alone. By default the sentence that
	// states it is judged too, and its support counts for the triple: whatever
	// entails a sentence entails what the sentence says. It does not count where
	// the claim names what the sentence only refers to ("He trained Uma") and is
	// surely contradicted as it stands (over 0.9).
	NoSentences bool
	// IgnoreConflicts leaves what speaks against a claim out of the output's
	// probability when another passage supports the claim. By default a claim on
	// which the sources disagree weighs as much as the denial outweighs the
	// support (see Calibration); it is noted and cited on both sides either way.
	IgnoreConflicts bool

	// Concurrency is how many claims are judged at the same time; 0 means
	// GOMAXPROCS. The result does not depend on it.
	Concurrency int
	// Batch is how many pairs are given to the model in one call; 0 means 32.
	// The result does not depend on it.
	Batch int
	// MaxWindow bounds a premise window, and a claim, in bytes, for models that
	// are no nli.Windower. 0 means no bound: such a model reads each source whole,
	// as its contract says, so that a verdict does not depend on where a window
	// ends; a claim is then bound to 65536. A model's own budget replaces it.
	MaxWindow int
	// Nearest is how many windows of the sources each claim is judged against: those
	// that bear most on it, by words and, with an Embedder, by meaning. 0, the
	// default, reads all windows where there are at most 8, and beyond that the 3
	// nearest; a negative number reads all. What a claim's windows do not show cannot
	// support it: docs/results/long.md has what is lost. Neither the order of the
	// sources nor other claims change which windows are near.
	Nearest int
	// Embedder finds windows that say the same in other words; optional. It is asked
	// only where there are more windows than are read: by Prepare once for the
	// sources, and by each Check for its claims. If it fails on the sources, Prepare
	// fails; if it fails on the claims, they are unknown.
	Embedder embed.Embedder
	// MaxClaims bounds the claims of one output; 0 means no bound. What is left
	// out is counted in Counts.Cut, and the output is then at best unknown.
	MaxClaims int
	// MaxPairs bounds the pairs of window and statement that the model judges for
	// one output; 0 means no bound. Claims are judged in the order of the output,
	// and the first that has not enough pairs left, and those after it, are unknown
	// with ErrMaxPairs. The search for evidence is not counted: it takes at most 16
	// pairs for a claim, each of one sentence.
	MaxPairs int
	// MaxTime bounds the time of one Check, that of its Prepare included where Check
	// prepares; 0 means no bound. Claims that are not judged by then are unknown
	// with ErrMaxTime, and evidence not found by then is told by words alone. (The
	// context's own deadline ends the check with an error.) Which claims are left
	// depends on the machine.
	MaxTime time.Duration
	// Repair replaces bytes that are not UTF-8 by U+FFFD instead of refusing the
	// sample. Spans are then in the repaired text, and a note says so.
	Repair bool
	// Numbers says in what form the texts write numbers, for Result.Figures; the
	// model and the extractor do not see it. The zero value reads English digits.
	Numbers numeric.Options
	// NoEvidence leaves out the search for evidence sentences and reasons, which
	// costs a call of the model for each passage; verdicts and probabilities stay
	// the same.
	NoEvidence bool
}

// Paper returns the options of the GraphEval paper: triples only, written as
// "head relation tail", and an output is inconsistent when any claim has
// P(inconsistent) > 0.5. Extractor and Model are for the caller to set.
func Paper() Options {
	return Options{Unit: TriplesOnly, Calibration: uncalibrated(), IgnoreConflicts: true, NoSentences: true}
}

// PerSentence returns the options of the plain checker whose claims are the
// sentences of the output; any P(inconsistent) > 0.5 decides. Model is for the
// caller to set.
func PerSentence() Options {
	return Options{Unit: Sentences, Calibration: uncalibrated(), IgnoreConflicts: true}
}

// WholeOutput returns the options of the plainest checker: the output is one
// claim. Model is for the caller to set.
func WholeOutput() Options {
	return Options{Unit: Output, Calibration: uncalibrated(), IgnoreConflicts: true}
}

var (
	errNoModel     = errors.New("grapheval: Options.Model is nil")
	errNoExtractor = errors.New("grapheval: Options.Extractor is nil")
)

// withDefaults checks o and fills in what is zero.
func (o Options) withDefaults() (Options, error) {
	if o.Model == nil {
		return o, errNoModel
	}
	if o.Extractor == nil && (o.Unit == Triples || o.Unit == TriplesOnly) {
		return o, errNoExtractor
	}
	if o.Unit < Triples || o.Unit > Output {
		return o, fmt.Errorf("grapheval: unknown unit %d", o.Unit)
	}
	if o.Point < Balanced || o.Point > FewFalseAlarms {
		return o, fmt.Errorf("grapheval: unknown operating point %d", o.Point)
	}
	if o.Threshold < 0 || o.Threshold >= 1 || math.IsNaN(o.Threshold) {
		return o, fmt.Errorf("grapheval: threshold %v is not in (0,1)", o.Threshold)
	}
	for _, n := range []struct {
		name  string
		value *int
		def   int
	}{
		{"Concurrency", &o.Concurrency, runtime.GOMAXPROCS(0)},
		{"Batch", &o.Batch, 32},
		{"MaxWindow", &o.MaxWindow, 0},
		{"MaxClaims", &o.MaxClaims, 0},
		{"MaxPairs", &o.MaxPairs, 0},
	} {
		if *n.value < 0 {
			return o, fmt.Errorf("grapheval: %s is negative", n.name)
		}
		if *n.value == 0 {
			*n.value = n.def
		}
	}
	if o.MaxTime < 0 {
		return o, errors.New("grapheval: MaxTime is negative")
	}
	c := CalibrationFor(o.Model.ID())
	if o.Calibration != nil {
		c = *o.Calibration
	}
	if o.Threshold != 0 {
		c.Threshold = o.Threshold
		c.Center = max(c.Center, c.Threshold)
	}
	if err := c.Validate(); err != nil {
		return o, err
	}
	o.Calibration = &c
	o.Threshold = c.Threshold
	return o, nil
}
