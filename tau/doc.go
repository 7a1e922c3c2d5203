// Package tau says in which way an answer's graph departs from a reference, fact by
// fact: the error taxonomy of "Do LLMs Understand Context? A Knowledge Graph-Based
// Evaluation Framework" (TAU), by optimal one-to-one matching.
//
// Each fact of the reference, the graph of a gold answer or of a context, is aligned
// with one of the answer, or is there with a wrong relation, head or tail, or turned
// round, or is missing; what is left of the answer is extra. Compare looks at one pair of
// graphs, Analyze at many answers beside their gold and their context, Lowest picks the
// ones worth looking at, and Summarize counts.
//
// It explains a low score (see s3kg and cus); it does not judge whether a fact is true
// to a text (see grapheval), and it is no better than the graphs it is given.
package tau
