// Package calibrate finds at which thresholds a model is to be run, from labelled
// pairs, and keeps them in a file that names the model and is read for no other.
//
// An embedder's thresholds are the cosines from which on two labels, or two facts,
// count as the same (embed.Thresholds). An entailment model's are how a checker turns
// its probabilities into an output's verdict (grapheval.Calibration). Each model has
// its own: a cosine of 0.7 is much to one embedder and nothing to another.
//
//	f, err := calibrate.Load("thresholds.json")
//	...
//	e, err := f.Embedder(mine)        // an *IDError if it was measured for another model
//	o, err = f.Options(o)             // the same for a grapheval.Options
//
// It fits numbers to a model, and no model: that is training. What is measured on the
// pairs that were fitted flatters; each File also holds the rates that each half of
// the texts has at the thresholds of the other.
package calibrate

import (
	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli"
)

// Kind says what a File is for.
type Kind string

// The kinds.
const (
	Embed Kind = "embed"
	NLI   Kind = "nli"
)

// Format and Version are what a file begins with. The version rises when a reader of
// the old form would read the new one wrongly.
const (
	Format  = "kgeval.calibration"
	Version = 1
)

// File holds the thresholds of one model. docs/calibrate.md describes its JSON.
type File struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Kind    Kind   `json:"kind"`
	// Model is the model's ID, whole: another version is another model.
	Model string `json:"model"`
	// Data says in words on what it was measured.
	Data string `json:"data"`

	// Matches has the thresholds of an embedder, by the kind of what is compared.
	Matches map[Unit]Match `json:"matches,omitempty"`
	// Verdicts has those of an entailment model.
	Verdicts *Verdicts `json:"verdicts,omitempty"`
}

// Unit is a kind of texts that an embedder compares.
type Unit string

// The units, as embed.Thresholds has them.
const (
	Entity   Unit = "entity"
	Relation Unit = "relation"
	Triple   Unit = "triple"
)

// units are all, in their order.
var units = []Unit{Entity, Relation, Triple}

// Match is the threshold for texts of one unit.
type Match struct {
	// Cosine is the threshold, in [-1,1] and in hundredths.
	Cosine float64 `json:"cosine"`
	// Same and Different are how many pairs it was fitted to.
	Same      int `json:"same"`
	Different int `json:"different"`
	// Found is the share of the same pairs at or above it, False that of the
	// different ones.
	Found float64 `json:"found"`
	False float64 `json:"false"`
	// HeldFound and HeldFalse are these shares where each half of the texts is
	// measured at the threshold of the other half.
	HeldFound float64 `json:"held_found"`
	HeldFalse float64 `json:"held_false"`
	// AUROC is the probability that a same pair has a greater cosine than a
	// different one: 0.5 for an embedder that knows nothing.
	AUROC float64 `json:"auroc"`
}

// Verdicts are a grapheval.Calibration and how it came about.
type Verdicts struct {
	Threshold      float64 `json:"threshold"`
	Denial         float64 `json:"denial"`
	Center         float64 `json:"center"`
	Slope          float64 `json:"slope"`
	Claims         float64 `json:"claims"`
	Balanced       float64 `json:"balanced"`
	FewFalseAlarms float64 `json:"few_false_alarms"`

	// Extractor is the ID of what found the claims; "" where they were sentences or
	// whole outputs.
	Extractor string `json:"extractor"`
	// Consistent and Inconsistent are how many outputs it was fitted to, Unjudged
	// how many more had no claims or could not be judged.
	Consistent   int `json:"consistent"`
	Inconsistent int `json:"inconsistent"`
	Unjudged     int `json:"unjudged"`
	// AUROC is the probability that an inconsistent output has a greater
	// P(inconsistent) than a consistent one, and HeldAccuracy and HeldAlarms the
	// balanced accuracy at the balanced point and the share of consistent outputs
	// over the point of few false alarms, where each half of the texts is measured
	// with the calibration of the other half.
	AUROC        float64 `json:"auroc"`
	HeldAccuracy float64 `json:"held_accuracy"`
	HeldAlarms   float64 `json:"held_alarms"`
}

// Thresholds returns the thresholds of an embedder; a unit that was not measured is 0.
// It asks nobody for whom they are: see Embedder.
func (f File) Thresholds() embed.Thresholds {
	return embed.Thresholds{Entity: f.Matches[Entity].Cosine, Relation: f.Matches[Relation].Cosine, Triple: f.Matches[Triple].Cosine}
}

// Embedder returns e with the file's thresholds in place of its own; for a unit that
// the file has not, its own stay. An e with another ID than the file's is an *IDError,
// and a file that is not for an embedder a *KindError.
func (f File) Embedder(e embed.Embedder) (embed.Thresholder, error) {
	if f.Kind != Embed {
		return nil, &KindError{Want: Embed, Got: f.Kind}
	}
	if e.ID() != f.Model {
		return nil, &IDError{File: f.Model, Model: e.ID()}
	}
	return embed.WithThresholds(e, embed.ThresholdsOf(embed.WithThresholds(e, f.Thresholds()), embed.ThresholdsOf(e, embed.Thresholds{}))), nil
}

// Calibration returns what a grapheval.Options with this model needs. An m with
// another ID than the file's is an *IDError, and a file that is not for an entailment
// model a *KindError.
func (f File) Calibration(m nli.Model) (*grapheval.Calibration, error) {
	if f.Kind != NLI || f.Verdicts == nil {
		return nil, &KindError{Want: NLI, Got: f.Kind}
	}
	if m.ID() != f.Model {
		return nil, &IDError{File: f.Model, Model: m.ID()}
	}
	c := f.Verdicts.calibration()
	return &c, nil
}

// Options returns o with the file's calibration in it. Besides what Calibration
// refuses, an *ExtractorError says that o finds claims in another way than those that
// were measured: o's Extractor must be set as it will be used.
func (f File) Options(o grapheval.Options) (grapheval.Options, error) {
	if o.Model == nil {
		return o, errNoModel
	}
	c, err := f.Calibration(o.Model)
	if err != nil {
		return o, err
	}
	if id := claimsOf(o); id != f.Verdicts.Extractor {
		return o, &ExtractorError{File: f.Verdicts.Extractor, Extractor: id}
	}
	o.Calibration = c
	return o, nil
}

// claimsOf is the ID of what finds the claims under o; "" for none.
func claimsOf(o grapheval.Options) string {
	if o.Extractor != nil && (o.Unit == grapheval.Triples || o.Unit == grapheval.TriplesOnly) {
		return o.Extractor.ID()
	}
	return ""
}

func (v Verdicts) calibration() grapheval.Calibration {
	return grapheval.Calibration{
		Threshold: v.Threshold, Denial: v.Denial, Center: v.Center, Slope: v.Slope, Claims: v.Claims,
		Balanced: v.Balanced, FewFalseAlarms: v.FewFalseAlarms, Measured: true,
	}
}
