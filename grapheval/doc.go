// Package grapheval tells which facts of an output its sources do not support.
//
// It follows GraphEval (Sansford et al., 2024): the output becomes a knowledge
// graph, each triple of the graph is a claim, and a model of natural language
// inference judges each claim against the sources. The output is inconsistent
// when a claim fails. Beyond the paper, every claim carries its place in the
// output and its evidence in the sources, what no triple covers is checked as a
// whole sentence, a model's failure is "unknown" and never a good score, and the
// probability of the output takes into account how many claims it has.
//
// A [Checker] is made from a kg.Extractor and an nli.Model; the package knows no
// concrete one. Package kgeval at the root wires those that run offline.
//
// What it is not for: it does not know whether a source is right, and it does
// not look for sources. A claim that follows only from two sources together,
// neither of which entails it alone, is not supported.
package grapheval
