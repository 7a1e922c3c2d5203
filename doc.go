// Package kgeval tells whether a text that a language model wrote is true to
// its sources: which facts are not, where they stand, what the text should have
// said, and how alike two texts are in what they mean and relate.
//
// It is the front door. [Offline] wires the parts that need no network, no key
// and no cgo; from them come a checker (package grapheval), a corrector
// (graphcorrect) and a scorer (s3kg). Every part can be replaced by your own:
// the interfaces are [Extractor], [Embedder], [NLI] and [LLM], and
// docs/extending.md shows one of each.
//
// What it is for: testing and guarding what a model writes from given sources
// (retrieval-augmented answers, summaries, reports), and comparing two texts or
// knowledge graphs by their facts. Package kgtest puts that into go test.
//
// What it is not for: it does not know whether a source is right, does not look
// anything up, and does not grade style, tone or usefulness. The offline parts
// read English. Their natural language inference is a set of rules today: it is
// exact on numbers, dates, names and negation, and weak where a sentence is
// said again in other words; see docs/results.md for what that means in
// figures, and plug in a model of your own where it matters.
package kgeval
