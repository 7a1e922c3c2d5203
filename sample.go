package kgeval

import (
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/nli"
)

// The values that checking, correcting and testing share; see package claim.
type (
	// Sample is one thing to check: an output that a model wrote from sources,
	// perhaps to answer a question.
	Sample = claim.Sample
	// Source is one document of a sample's context.
	Source = claim.Source
	// Claim is one checkable statement of an output, with its verdict.
	Claim = claim.Claim
	// Evidence is a place in a source that bears on a claim.
	Evidence = claim.Evidence
	// Edit is one change to an output.
	Edit = claim.Edit
	// Triple is one fact: head, relation, tail.
	Triple = kg.Triple
)

// The parts that can be replaced; each interface's comment is its contract, and
// package kgtest/conform tests an implementation against it.
type (
	// Extractor turns texts into triples.
	Extractor = kg.Extractor
	// Embedder turns texts into vectors.
	Embedder = embed.Embedder
	// NLI tells whether a premise entails a hypothesis, contradicts it, or
	// neither.
	NLI = nli.Model
	// LLM generates text.
	LLM = llm.Model
)
