// Package s3kg tells how alike two knowledge graphs are in what they mean and
// relate: the similarity of "Do LLMs Understand Context? A Knowledge Graph-Based
// Evaluation Framework" (S3KG), with the faults of its published code repaired.
//
// A score blends two parts, S = (1-alpha) Structure + alpha Meaning:
//
//   - Structure asks whether the same things stand in the same relations: a
//     Weisfeiler-Lehman comparison of the graphs after their labels were aligned
//     one to one.
//   - Meaning asks, fact by fact, how near each fact is to its best partner in
//     the other graph: head with head, relation with relation, tail with tail.
//
// Each is measured as Cover(a,b), how well b covers a: what b lacks, reverses or
// replaces costs, what b adds does not. F1 is the harmonic mean of both covers;
// both orders of the graphs give the same F1, bit for bit. All numbers are in
// [0,1]; graphs that are equal after normalisation have exactly 1, and graphs
// without any two labels that match have exactly 0.
//
// docs/s3kg.md in the repository gives the formulas and what departs from the
// paper and from its authors' code.
//
// The package is not for judging whether a fact is true to a text (see
// grapheval), and it cannot see more than its embedder: with embed/hashed, which
// measures spelling, two relations are the same only if they are spelled alike.
package s3kg
