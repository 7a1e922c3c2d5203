// Package nli holds the interface to natural language inference: does a
// premise entail a hypothesis, contradict it, or neither. Models live in
// packages of their own (nli/lexical, or a caller's); here are their contract,
// the cutting of long premises into windows, and the pooling of the windows'
// results.
package nli

import (
	"context"

	"github.com/kgeval/kgeval/segment"
)

// Pair is one question to a model: does Premise entail Hypothesis?
type Pair struct {
	Premise, Hypothesis string
}

// Probs is a model's answer for one Pair. With a nil Err the three numbers are
// in [0,1], finite, and sum to 1 (within 1e-6). With a non-nil Err the pair
// could not be judged, the numbers are 0, and callers must treat the outcome
// as unknown, never as support.
type Probs struct {
	Entailment, Neutral, Contradiction float64

	Err error
}

// Model classifies pairs.
//
// Classify returns one Probs for each pair, in order; the result for a pair
// does not depend on the others in the call. A pair that fails on its own sets
// Probs.Err; the returned error is for what stops the whole call, above all
// the context's error. An empty slice gives an empty result. Implementations
// must be safe for concurrent use.
type Model interface {
	Classify(ctx context.Context, pairs []Pair) ([]Probs, error)

	// ID names the model, its version and the sum of its weights, for caches
	// and results.
	ID() string
}

// ReasonKind says what a Reason is about.
type ReasonKind string

// The kinds of Reason. More may be added.
const (
	ReasonNumber   ReasonKind = "number"   // a number or quantity differs
	ReasonDate     ReasonKind = "date"     // a date or time differs
	ReasonUnit     ReasonKind = "unit"     // same number, another unit
	ReasonName     ReasonKind = "name"     // a name differs
	ReasonNegation ReasonKind = "negation" // one side negates, the other does not
	ReasonAntonym  ReasonKind = "antonym"  // a word against its opposite
	ReasonMissing  ReasonKind = "missing"  // the premise has nothing for a part of the hypothesis

	ReasonHedge      ReasonKind = "hedge"      // the premise says it only with a hedge ("may")
	ReasonQuantifier ReasonKind = "quantifier" // the hypothesis says it of more than the premise does ("all")
	ReasonRole       ReasonKind = "role"       // two arguments have changed places
)

// Reason is one cause of a verdict, with the places on both sides.
type Reason struct {
	Kind ReasonKind
	// Hypothesis is the place in the hypothesis.
	Hypothesis segment.Span
	// Premise is the place in the premise that stands against it; the zero Span
	// when there is none (ReasonMissing).
	Premise segment.Span
	// Detail says it in words for a reader, such as "12 against 15".
	Detail string
}

// Explanation is a verdict with its ground.
type Explanation struct {
	Probs Probs
	// Evidence is the part of the premise that decided, one sentence where the
	// model can tell; the zero Span when nothing bears on the hypothesis.
	Evidence segment.Span
	// Reasons are ordered by weight, the heaviest first. Empty when the model
	// gives none or found nothing against the hypothesis.
	Reasons []Reason
	// Parts is what the probability of entailment is made of, for a model that
	// weighs several opinions; nil for others.
	Parts []Part
}

// Part is one opinion that a verdict is made of.
type Part struct {
	// Name says what it is, such as "trained" or "rules".
	Name string `json:"name"`
	// Value is what it says, in its own measure.
	Value float64 `json:"value"`
	// LogOdds is what it adds to the log-odds of entailment.
	LogOdds float64 `json:"log_odds"`
}

// Explainer is an optional extension of Model for those that can show why.
// Explain's Probs equal those of Classify for the same pair.
type Explainer interface {
	Model
	Explain(ctx context.Context, p Pair) (Explanation, error)
}

// Windower is an optional extension of Model for those that read only so much
// at once. Cost returns what a text costs in the model's own unit (tokens);
// Budget returns how much premise and hypothesis together may cost. A Model
// without it reads premises of any length.
type Windower interface {
	Model
	Cost(text string) int
	Budget() int
}
