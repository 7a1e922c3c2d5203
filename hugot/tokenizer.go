package hugot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// tokenizerFile is what is used of tokenizer.json.
type tokenizerFile struct {
	Added []addedToken   `json:"added_tokens"`
	Norm  *normalizer    `json:"normalizer"`
	Pre   *preTokenizer  `json:"pre_tokenizer"`
	Post  *postProcessor `json:"post_processor"`
	Model tokenizerModel `json:"model"`
}

type addedToken struct {
	ID      int    `json:"id"`
	Content string `json:"content"`
	Special bool   `json:"special"`
}

type normalizer struct {
	Type         string `json:"type"`
	Clean        *bool  `json:"clean_text"`
	Chinese      *bool  `json:"handle_chinese_chars"`
	StripAccents *bool  `json:"strip_accents"`
	Lowercase    *bool  `json:"lowercase"`
}

type preTokenizer struct {
	Type        string `json:"type"`
	PrefixSpace bool   `json:"add_prefix_space"`
	Regex       *bool  `json:"use_regex"`
}

type tokenizerModel struct {
	Type     string          `json:"type"`
	Unknown  *string         `json:"unk_token"`
	Prefix   *string         `json:"continuing_subword_prefix"`
	Suffix   *string         `json:"end_of_word_suffix"`
	MaxChars int             `json:"max_input_chars_per_word"`
	Ignore   bool            `json:"ignore_merges"`
	Vocab    json.RawMessage `json:"vocab"`
	Merges   json.RawMessage `json:"merges"`
}

type postProcessor struct {
	Type    string `json:"type"`
	Single  []item `json:"single"`
	Pair    []item `json:"pair"`
	Special map[string]struct {
		IDs []uint32 `json:"ids"`
	} `json:"special_tokens"`
	Sep   json.RawMessage `json:"sep"`
	Cls   json.RawMessage `json:"cls"`
	Parts []postProcessor `json:"processors"`
}

type item struct {
	SpecialToken *place `json:"SpecialToken"`
	Sequence     *place `json:"Sequence"`
}

type place struct {
	ID   string `json:"id"`
	Type int    `json:"type_id"`
}

// vocabulary returns the pieces and their ids; of a Unigram model the place in
// its list.
func (m tokenizerModel) vocabulary() (map[string]int, error) {
	var vocab map[string]int
	if err := json.Unmarshal(m.Vocab, &vocab); err == nil {
		return vocab, nil
	}
	var list [][]any
	if err := json.Unmarshal(m.Vocab, &list); err != nil {
		return nil, fmt.Errorf("%w: tokenizer.json: its vocabulary is neither an object nor a list of pairs", ErrTokenizer)
	}
	vocab = make(map[string]int, len(list))
	for i, pair := range list {
		if len(pair) == 0 {
			continue
		}
		if s, ok := pair[0].(string); ok {
			vocab[s] = i
		}
	}
	return vocab, nil
}

// checkIDs compares a tokenizer with the word table that it is for: an id out of
// the table is no error in every backend, but another word.
func (f *modelFolder) checkIDs() error {
	vocab, err := f.tokenizer.Model.vocabulary()
	if err != nil {
		return err
	}
	top, name := -1, ""
	see := func(id int, piece string) error {
		if id < 0 {
			return fmt.Errorf("%w: tokenizer.json gives %q the id %d", ErrTokenizer, piece, id)
		}
		if id > top {
			top, name = id, piece
		}
		return nil
	}
	for piece, id := range vocab {
		if err := see(id, piece); err != nil {
			return err
		}
	}
	for _, a := range f.tokenizer.Added {
		if err := see(a.ID, a.Content); err != nil {
			return err
		}
	}
	if top < 0 {
		return fmt.Errorf("%w: tokenizer.json has no vocabulary", ErrTokenizer)
	}
	if top >= f.config.Vocab {
		return fmt.Errorf("%w: tokenizer.json has the id %d (%q), and config.json a vocab_size of %d: they are not of one model", ErrTokenizer, top, name, f.config.Vocab)
	}
	return nil
}

// layout says where texts and special tokens stand in a sequence.
type layout []slot

// slot is a special token, or the text at place text.
type slot struct {
	ids  []uint32
	text int // -1 in a special token
	kind uint32
}

// special is how many special tokens there are.
func (l layout) special() int {
	n := 0
	for _, s := range l {
		n += len(s.ids)
	}
	return n
}

// sequence is an input of a graph.
type sequence struct{ ids, kinds []uint32 }

// fill puts texts into their places.
func (l layout) fill(texts ...[]uint32) sequence {
	n := l.special()
	for _, t := range texts {
		n += len(t)
	}
	s := sequence{make([]uint32, 0, n), make([]uint32, 0, n)}
	for _, p := range l {
		ids := p.ids
		if p.text >= 0 {
			ids = texts[p.text]
		}
		s.ids = append(s.ids, ids...)
		s.kinds = append(s.kinds, slices.Repeat([]uint32{p.kind}, len(ids))...)
	}
	return s
}

// kinds returns the largest token type.
func (l layout) kinds() (top uint32) {
	for _, s := range l {
		top = max(top, s.kind)
	}
	return top
}

// layouts returns where the texts of a single input and of a pair stand. pair is
// nil where the tokenizer does not say.
func (p *postProcessor) layouts() (single, pair layout, err error) {
	plain := layout{{text: 0}}
	if p == nil {
		return plain, nil, nil
	}
	switch p.Type {
	case "ByteLevel":
		return plain, nil, nil
	case "Sequence":
		single = plain
		for i := range p.Parts {
			if p.Parts[i].Type == "ByteLevel" {
				continue
			}
			if pair != nil {
				return nil, nil, fmt.Errorf("%w: tokenizer.json has two post-processors, %s after another", ErrTokenizer, p.Parts[i].Type)
			}
			if single, pair, err = p.Parts[i].layouts(); err != nil {
				return nil, nil, err
			}
		}
		return single, pair, nil
	case "TemplateProcessing":
		if single, err = p.template(p.Single, 1); err != nil {
			return nil, nil, err
		}
		if len(p.Pair) > 0 {
			pair, err = p.template(p.Pair, 2)
		}
		return single, pair, err
	case "BertProcessing", "RobertaProcessing":
		cls, err := named(p.Cls)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: tokenizer.json: %s, cls: %w", ErrTokenizer, p.Type, err)
		}
		sep, err := named(p.Sep)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: tokenizer.json: %s, sep: %w", ErrTokenizer, p.Type, err)
		}
		begin, end := slot{ids: []uint32{cls}, text: -1}, slot{ids: []uint32{sep}, text: -1}
		single = layout{begin, {text: 0}, end}
		if p.Type == "BertProcessing" {
			return single, layout{begin, {text: 0}, end, {text: 1, kind: 1}, {ids: end.ids, text: -1, kind: 1}}, nil
		}
		return single, layout{begin, {text: 0}, end, end, {text: 1}, end}, nil
	}
	return nil, nil, fmt.Errorf("%w: tokenizer.json has the post-processor %s, which is not known here", ErrTokenizer, p.Type)
}

// template reads TemplateProcessing, which must have each of n texts once.
func (p *postProcessor) template(items []item, n int) (layout, error) {
	var l layout
	seen := 0
	for _, it := range items {
		at := it.SpecialToken
		if at == nil {
			at = it.Sequence
		}
		if at == nil || at.Type < 0 || at.Type > 1<<16 {
			return nil, fmt.Errorf("%w: tokenizer.json: the post-processor's template can't be read", ErrTokenizer)
		}
		if it.SpecialToken != nil {
			ids := p.Special[at.ID].IDs
			if len(ids) == 0 {
				return nil, fmt.Errorf("%w: tokenizer.json: the template's token %q has no id", ErrTokenizer, at.ID)
			}
			l = append(l, slot{ids: ids, text: -1, kind: uint32(at.Type)})
			continue
		}
		text := strings.Index("AB", at.ID)
		if len(at.ID) != 1 || text < 0 || text >= n || seen&(1<<text) != 0 {
			return nil, fmt.Errorf("%w: tokenizer.json: the template has the sequence %q, want each of %d once", ErrTokenizer, at.ID, n)
		}
		seen |= 1 << text
		l = append(l, slot{text: text, kind: uint32(at.Type)})
	}
	if seen != 1<<n-1 {
		return nil, fmt.Errorf("%w: tokenizer.json: the template lacks a text", ErrTokenizer)
	}
	return l, nil
}

// named reads ["[SEP]", 102].
func named(raw json.RawMessage) (uint32, error) {
	var pair []json.RawMessage
	if err := json.Unmarshal(raw, &pair); err != nil || len(pair) != 2 {
		return 0, fmt.Errorf("want a name and an id, not %s", bytes.TrimSpace(raw))
	}
	var id uint32
	err := json.Unmarshal(pair[1], &id)
	return id, err
}
