// Package weights holds the weights of kgeval's built-in models as files inside
// the program: no download, no path to set. It is a module of its own, so that
// only who imports a built-in model fetches it, and a package that holds
// nothing else. Programs use embed/builtin and nli/builtin, which read it.
//
// The files are in the form that internal/bert of the root module defines.
// Several models share words.kgw, the vocabulary and word table, and have a file
// of their own for all else. A file that no function of the program asks for is
// not linked into it.
//
// The strings are the program's own read-only data: asking for them copies
// nothing, and pages that nobody reads take no memory.
//
// NOTICE says where the weights come from.
package weights

import _ "embed" // for the files below

// What is here is in git for ever: a file changes only with its model.

//go:embed words.kgw
var words string

//go:embed embedder.kgw
var embedder string

// Words returns words.kgw: the uncased WordPiece vocabulary of BERT and the word
// table of all-MiniLM-L6-v2, shared by all models here.
func Words() string { return words }

// Embedder returns embedder.kgw: all of all-MiniLM-L6-v2 that is not in Words.
func Embedder() string { return embedder }
