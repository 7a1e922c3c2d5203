package hugot

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// reference reads a tokenizer of testdata and what the reference makes of texts.
func reference(t testing.TB, name string) (tokenizerFile, []struct {
	Text string
	IDs  []uint32
}) {
	t.Helper()
	var file tokenizerFile
	var rows []struct {
		Text string
		IDs  []uint32
	}
	for path, v := range map[string]any{name + ".json": &file, name + ".ids.json": &rows} {
		b, err := os.ReadFile("testdata/" + path)
		if err == nil {
			err = json.Unmarshal(b, v)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return file, rows
}

// The Go backend's tokenizers give the reference's ids, special tokens in the text
// as plain characters among them.
func TestTokensEqualReference(t *testing.T) {
	for _, name := range []string{"bpe", "cased"} {
		file, rows := reference(t, name)
		tok, err := goTokens(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) < 90 {
			t.Fatalf("%s: only %d rows", name, len(rows))
		}
		for _, r := range rows {
			got, err := tok.encode(r.Text, 1<<30)
			if err != nil || !slices.Equal(got, r.IDs) {
				t.Errorf("%s: %q: %v (%v)\nreference %v", name, r.Text, got, err, r.IDs)
			}
			for _, limit := range []int{1, 3} {
				if part, _ := tok.encode(r.Text, limit); len(part) < min(limit, len(got)) || !slices.Equal(part, got[:len(part)]) {
					t.Errorf("%s: %q: with limit %d %v, without %v", name, r.Text, limit, part, got)
				}
			}
		}
	}
}

// Time is linear in a text, also where it has no blanks: half a megabyte takes seconds at
// most, and would take hours with a rule that looks at each pair again after each
// join.
func TestLongWordsTakeLinearTime(t *testing.T) {
	for _, name := range []string{"bpe", "cased"} {
		file, _ := reference(t, name)
		tok, err := goTokens(file)
		if err != nil {
			t.Fatal(err)
		}
		for what, s := range map[string]string{"letters": strings.Repeat("ab", 1<<18), "blanks": strings.Repeat(" ", 1<<19), "marks": strings.Repeat("?!", 1<<18)} {
			began := time.Now()
			if _, err := tok.encode(s, 1<<30); err != nil {
				t.Error(err)
			}
			if d := time.Since(began); d > time.Minute {
				t.Errorf("%s: half a megabyte of %s takes %v", name, what, d)
			}
		}
	}
}

// What the Go backend would read otherwise than the reference it refuses, and
// says which build reads it.
func TestTokenizersThatTheGoBackendRefuses(t *testing.T) {
	bpe, _ := reference(t, "bpe")
	edit := func(f func(*tokenizerFile)) tokenizerFile {
		g := bpe
		f(&g)
		return g
	}
	yes, mark := true, "##"
	for name, c := range map[string]struct {
		file tokenizerFile
		says string
	}{
		"Unigram":              {tokenizerFile{Model: tokenizerModel{Type: "Unigram"}}, "Unigram"},
		"words":                {tokenizerFile{Model: tokenizerModel{Type: "WordLevel"}}, `"WordLevel"`},
		"BPE without bytes":    {edit(func(f *tokenizerFile) { f.Pre = &preTokenizer{Type: "Metaspace"} }), "cut as byte-level BPE's"},
		"BPE normalized":       {edit(func(f *tokenizerFile) { f.Norm = &normalizer{Type: "NFC"} }), "NFC"},
		"BPE marked":           {edit(func(f *tokenizerFile) { f.Model.Suffix = &mark }), "marks the inside"},
		"BPE ignoring":         {edit(func(f *tokenizerFile) { f.Model.Ignore = true }), "ignore_merges"},
		"BPE with blanks":      {edit(func(f *tokenizerFile) { f.Added = append(f.Added, addedToken{ID: 9999, Content: "   "}) }), `"   "`},
		"BPE lacking bytes":    {edit(func(f *tokenizerFile) { f.Model.Vocab = json.RawMessage(`{"a":0}`) }), "lacks the byte"},
		"WordPiece of no BERT": {tokenizerFile{Model: tokenizerModel{Type: "WordPiece"}}, "normalized"},
		"WordPiece, long words": {tokenizerFile{Norm: &normalizer{Type: "BertNormalizer", Lowercase: &yes}, Pre: &preTokenizer{Type: "BertPreTokenizer"},
			Model: tokenizerModel{Type: "WordPiece", MaxChars: 20}}, "20 letters"},
	} {
		_, err := goTokens(c.file)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "-tags ORT") {
			t.Errorf("%s: %v, want an error that has %q and the advice", name, err, c.says)
		}
	}
}

func TestLayouts(t *testing.T) {
	text := func(s sequence) []uint32 { return s.ids }
	for name, c := range map[string]struct {
		post                    string
		single, pair, pairKinds []uint32
	}{
		"BertProcessing": {`{"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]}`,
			[]uint32{2, 10, 11, 3}, []uint32{2, 10, 11, 3, 20, 3}, []uint32{0, 0, 0, 0, 1, 1}},
		"RobertaProcessing": {`{"type":"RobertaProcessing","sep":["</s>",3],"cls":["<s>",2]}`,
			[]uint32{2, 10, 11, 3}, []uint32{2, 10, 11, 3, 3, 20, 3}, make([]uint32, 7)},
		"in a Sequence": {`{"type":"Sequence","processors":[{"type":"ByteLevel"},{"type":"BertProcessing","sep":["s",3],"cls":["c",2]}]}`,
			[]uint32{2, 10, 11, 3}, []uint32{2, 10, 11, 3, 20, 3}, []uint32{0, 0, 0, 0, 1, 1}},
		"Template": {`{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"e","type_id":0}}],
			"pair":[{"Sequence":{"id":"B","type_id":0}},{"SpecialToken":{"id":"e","type_id":0}},{"Sequence":{"id":"A","type_id":1}}],
			"special_tokens":{"e":{"ids":[7,8]}}}`, []uint32{10, 11, 7, 8}, []uint32{20, 7, 8, 10, 11}, []uint32{0, 0, 0, 1, 1}},
	} {
		var p postProcessor
		if err := json.Unmarshal([]byte(c.post), &p); err != nil {
			t.Fatal(err)
		}
		single, pair, err := p.layouts()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a, b := []uint32{10, 11}, []uint32{20}
		if got := text(single.fill(a)); !slices.Equal(got, c.single) {
			t.Errorf("%s: single %v, want %v", name, got, c.single)
		}
		if got := pair.fill(a, b); !slices.Equal(got.ids, c.pair) || !slices.Equal(got.kinds, c.pairKinds) {
			t.Errorf("%s: pair %v, want %v of types %v", name, got, c.pair, c.pairKinds)
		}
	}
	for name, post := range map[string]string{
		"unknown":             `{"type":"Other"}`,
		"a text twice":        `{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A"}},{"Sequence":{"id":"A"}}]}`,
		"no text":             `{"type":"TemplateProcessing","single":[]}`,
		"a token without ids": `{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x"}}]}`,
		"another text":        `{"type":"TemplateProcessing","single":[{"Sequence":{"id":"C"}}]}`,
		"an item of nothing":  `{"type":"TemplateProcessing","single":[{}]}`,
		"a half pair":         `{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A"}}],"pair":[{"Sequence":{"id":"A"}}]}`,
		"no separator":        `{"type":"BertProcessing","cls":["c",2]}`,
		"two":                 `{"type":"Sequence","processors":[{"type":"BertProcessing","sep":["s",3],"cls":["c",2]},{"type":"BertProcessing","sep":["s",3],"cls":["c",2]}]}`,
	} {
		var p postProcessor
		if err := json.Unmarshal([]byte(post), &p); err != nil {
			t.Fatal(err)
		}
		if single, pair, err := p.layouts(); err == nil {
			t.Errorf("%s: %v, %v and no error", name, single, pair)
		}
	}
}

// FuzzTokenizer: any tokenizer.json is read or refused, and what is read takes any
// text, in pieces that the vocabulary has.
func FuzzTokenizer(f *testing.F) {
	tiny, err := json.Marshal(bertTokenizer())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(tiny, "Ana did not hire Bo.")
	f.Add([]byte(`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]},"pre_tokenizer":{"type":"ByteLevel"}}`), "a\xff")
	f.Add([]byte(`{"model":{"type":"WordPiece","vocab":[["a",1.5]]},"post_processor":{"type":"Sequence","processors":[]}}`), "")
	f.Fuzz(func(t *testing.T, raw []byte, text string) {
		folder := &modelFolder{config: modelConfig{Vocab: 1000}}
		if json.Unmarshal(raw, &folder.tokenizer) != nil || folder.checkIDs() != nil {
			return
		}
		if _, _, err := folder.tokenizer.Post.layouts(); err != nil {
			return
		}
		tok, err := goTokens(folder.tokenizer)
		if err != nil {
			return
		}
		ids, err := tok.encode(text, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if id >= 1000 {
				t.Fatalf("id %d of %q", id, text)
			}
		}
	})
}
