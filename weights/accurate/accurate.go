// Package accurate holds the weights of kgeval's larger entailment model as files
// inside the program. It is a module of its own that no other package of kgeval
// needs, so that only who asks for it fetches its hundred megabytes:
//
//	network, err := builtin.Accurate(accurate.Files(), builtin.Options{})
//
// The strings are the program's own read-only data: asking for them copies
// nothing, and pages that nobody reads take no memory.
//
// NOTICE says where the weights come from, docs/models/nli-accurate.md of the
// repository how they were made and what they do.
package accurate

import _ "embed" // for the files below

// What is here is in git for ever: a file changes only with its model.

//go:embed words.kgw
var words string

//go:embed entailment.kgw
var entailment string

// Files returns the files that together make the model, in the form that
// internal/bert of the root module defines: vocabulary and word table, and all
// else.
func Files() []string { return []string{words, entailment} }
