// Package bert runs transformer encoders of the BERT family (BERT, and MPNet
// with its relative position bias) in pure Go: WordPiece tokenizer, weights
// file, forward pass. It is the engine under embed/builtin and nli/builtin and
// knows nothing of what they use it for. It does not train, and it does not
// decode text.
package bert
