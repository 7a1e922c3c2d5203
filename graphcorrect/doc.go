// Package graphcorrect puts right what a check found wrong in an output, and
// touches nothing else.
//
// It follows GraphCorrect (Sansford et al., 2024): each flagged claim is
// corrected by itself and its correction written back into the text, so that
// what was right stays byte for byte. A [Corrector] joins a [Checker] and one or
// more [Proposer]s: package graphcorrect/rules is the offline one. It resolves
// edits that overlap, checks the corrected text again, and withdraws an edit
// that did not make its claim better. What cannot be put right is left, or by
// option removed; each such claim is listed with the reason.
//
// What it is not for: it does not improve style, and it does not add facts that
// the output lacks.
package graphcorrect
