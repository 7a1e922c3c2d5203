package nli

import (
	"errors"
	"fmt"
)

// ErrEmptyPremise says that there is nothing to judge against: an empty or
// blank premise is an error, never a verdict.
var ErrEmptyPremise = errors.New("nli: empty premise")

// ErrEmptyHypothesis says that there is nothing to judge.
var ErrEmptyHypothesis = errors.New("nli: empty hypothesis")

// LanguageError says that a text is in a language or script that the model does
// not know. Its Probs.Err makes the outcome unknown.
type LanguageError struct {
	// Language is the language's name in English, "" where only the script is
	// known or no language could be told.
	Language string
	// Script is the Unicode name of the script that most letters belong to.
	Script string
}

func (e *LanguageError) Error() string {
	switch {
	case e.Language != "":
		return fmt.Sprintf("nli: the model does not know %s", e.Language)
	case e.Script == "" || e.Script == "Latin":
		return "nli: the text is in no language that the model knows"
	}
	return fmt.Sprintf("nli: the model does not know the %s script", e.Script)
}

// HypothesisTooLongError says that a hypothesis leaves no room for a premise.
// A hypothesis is never cut.
type HypothesisTooLongError struct {
	// Cost is what the hypothesis costs, Budget what premise and hypothesis
	// together may cost, both in the model's unit.
	Cost, Budget int
}

func (e *HypothesisTooLongError) Error() string {
	return fmt.Sprintf("nli: hypothesis too long: costs %d of the model's budget of %d", e.Cost, e.Budget)
}

// ProbsError says that a model answered with numbers that are no probabilities.
type ProbsError struct {
	Probs Probs
}

func (e *ProbsError) Error() string {
	return fmt.Sprintf("nli: not probabilities: entailment %g, neutral %g, contradiction %g",
		e.Probs.Entailment, e.Probs.Neutral, e.Probs.Contradiction)
}
