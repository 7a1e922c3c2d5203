// Package kg holds knowledge graphs: triples, graphs of them, their
// normalisation, their file formats, and the interface to what extracts them
// from text.
//
//   - Triple is a fact, Graph an insertion-ordered set of facts.
//   - Normalizer brings labels that differ only in writing together and keeps
//     the surface forms as aliases.
//   - Diff tells two graphs apart; Locate finds where a text states a triple.
//   - Encode and Decode write and read JSON, JSONL, Python lists, CSV,
//     N-Triples and Graphviz DOT; every label survives each of them unchanged.
//   - Extractor is what turns texts into graphs; implementations live in
//     packages of their own.
//
// Package kg compares labels by their bytes, or by normal form. It is not for
// judging whether two facts mean the same (see s3kg) or whether a text supports
// one (see grapheval), and it is no triple store.
package kg
