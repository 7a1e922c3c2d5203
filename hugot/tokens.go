package hugot

import "fmt"

// goTokens returns the tokenizer of the Go backend. What it can't read as the
// reference does it refuses: a wrong piece is no error further on, but another
// sentence.
func goTokens(t tokenizerFile) (tokens, error) {
	const advice = `; Options.Backend ORT reads it (go build -tags ORT, docs/models/own-onnx.md)`
	var tok tokens
	var err error
	switch t.Model.Type {
	case "WordPiece":
		tok, err = newWordpiece(t)
	case "BPE":
		tok, err = newBPE(t)
	case "Unigram":
		return nil, fmt.Errorf("%w: it is a Unigram one (DeBERTa-v3, T5, XLM-R), which the Go backend does not read"+advice, ErrTokenizer)
	default:
		return nil, fmt.Errorf("%w: it is of the kind %q, which the Go backend does not read"+advice, ErrTokenizer, t.Model.Type)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the Go backend does not read it: %w"+advice, ErrTokenizer, err)
	}
	return tok, nil
}
