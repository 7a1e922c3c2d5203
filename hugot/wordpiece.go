package hugot

import (
	"fmt"

	"github.com/kgeval/kgeval/internal/bert"
)

// wordpiece is BERT's tokenizer by the engine of the built-in models, which cuts
// texts as the reference does; hugot's own reader keeps zero-width characters,
// counts a word's bytes for letters, and takes the square of a text's length.
type wordpiece struct{ *bert.Tokenizer }

// newWordpiece reads a tokenizer of that kind; the error says what of it is unknown.
func newWordpiece(t tokenizerFile) (wordpiece, error) {
	is := func(b *bool, missing bool) bool { return b == nil && missing || b != nil && *b }
	switch n := t.Norm; {
	case n == nil || n.Type != "BertNormalizer":
		return wordpiece{}, fmt.Errorf("its texts are not normalized as BERT's are")
	case t.Pre == nil || t.Pre.Type != "BertPreTokenizer":
		return wordpiece{}, fmt.Errorf("its words are not cut as BERT's are")
	case !is(n.Clean, true) || !is(n.Chinese, true):
		return wordpiece{}, fmt.Errorf("it keeps control characters, or ideographs together")
	case n.StripAccents != nil && *n.StripAccents != is(n.Lowercase, true):
		return wordpiece{}, fmt.Errorf("it takes accents and not capitals, or the other way round")
	case t.Model.Prefix != nil && *t.Model.Prefix != "##":
		return wordpiece{}, fmt.Errorf("it marks the inside of words by %q", *t.Model.Prefix)
	case t.Model.MaxChars != 0 && t.Model.MaxChars != 100:
		return wordpiece{}, fmt.Errorf("its longest word has %d letters, not 100", t.Model.MaxChars)
	}
	vocab, err := t.Model.vocabulary()
	if err != nil {
		return wordpiece{}, err
	}
	for _, a := range t.Added {
		if !a.Special {
			return wordpiece{}, fmt.Errorf("it has the added token %q, which is no special one", a.Content)
		}
		vocab[a.Content] = a.ID
	}
	pieces := make([]string, 0, len(vocab))
	for piece, id := range vocab {
		for id >= len(pieces) { // checkIDs has bounded ids
			pieces = append(pieces, "[]")
		}
		if pieces[id] != "[]" {
			return wordpiece{}, fmt.Errorf("%q and %q have the id %d", pieces[id], piece, id)
		}
		pieces[id] = piece
	}
	make := bert.NewTokenizer
	if !is(t.Norm.Lowercase, true) {
		make = bert.NewCasedTokenizer
	}
	tok, err := make(pieces)
	return wordpiece{tok}, err
}

func (w wordpiece) close() error { return nil }

func (w wordpiece) encode(text string, limit int) ([]uint32, error) {
	pieces := w.EncodeFirst(nil, text, limit)
	ids := make([]uint32, len(pieces))
	for i, id := range pieces {
		ids[i] = uint32(id)
	}
	return ids, nil
}
