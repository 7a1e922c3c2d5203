// Package metrics holds the measures that kgeval is compared with and compared by.
//
//   - Of two texts: ROUGE, BLEU, the cosine of their embeddings, BERTScore.
//   - Of scores against labels: AUROC, the best F1 over thresholds, balanced
//     accuracy, and F1 of classes, micro and macro.
//   - Of two rankings: Spearman and Kendall, ties included.
//   - Of anything: bootstrap intervals, by groups where rows belong together, and
//     of paired differences.
//
// Each gives what its reference implementation in Python gives; docs/metrics.md
// names them with their versions, and the tests hold values on real rows.
//
// Word overlap is a baseline here and no measure of truth: a text that turns a
// fact round shares all its words with the original. See s3kg and grapheval for
// what texts mean.
//
// All functions are deterministic and safe for concurrent use. What has no value
// (an AUROC of one class, a correlation with a constant) is reported as such and
// is never NaN.
package metrics
