// Package perturb makes graphs and texts that differ from a given one in known ways:
// a fact lost, added, reversed or replaced. What was changed is in a log, so that a
// measure of similarity or a taxonomy of errors can be tested against it.
//
// Graph changes knowledge graphs, Text running English text. Both draw by a seed: the
// same input, options and seed give the same result.
//
// It is for test sets. It is not for making hard negatives that a reader would
// believe: a replaced entity is whatever the pool holds.
package perturb
