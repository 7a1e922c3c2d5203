// Package hugot runs a user's own ONNX models, a sentence encoder as an
// embed.Embedder and a cross-encoder as a nli.Model, over hugot
// (github.com/knights-analytics/hugot): in pure Go, or with -tags ORT in ONNX Runtime.
// It is for those who have a better model than the built-in ones. It is not for
// generating text, for training, or for downloading models; and under the Go
// backend a model is some twenty times slower than the built-in encoder of the same
// size (docs/results/onnx.md).
//
// A folder says how its model wants to be read, and everything it says is checked
// before the first text: pooling, labels, length, token types. What is not known is
// refused by name, since a model that is read wrong still gives numbers.
//
// # What is fenced
//
// hugot's pipelines are not used, only what loads and runs a graph, because of what
// they do in 0.7.5: an empty batch ends the process; texts are not cut at the
// model's length; a context that ends frees tensors under the run that still
// uses them; a special token in a text is taken for one; spans after multi-byte text are
// wrong; Unigram tokenizers are read by a greedy rule that is not theirs; position ids
// begin at 1; under ORT outputs are never freed, and loading changes the process'
// working directory. Each fence has a test.
//
// The Go backend reads WordPiece and byte-level BPE with tokenizers of kgeval's own, which
// equal the reference on the texts of testdata; the ORT build reads any tokenizer.json
// with the reference itself.
package hugot
