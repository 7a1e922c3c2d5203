package hugot

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// files is a model's folder: bytes, or what becomes JSON.
type files map[string]any

// with returns the folder with other files in it; nil takes a file away.
func (f files) with(name string, content any) files {
	g := maps.Clone(f)
	g[name] = content
	if content == nil {
		delete(g, name)
	}
	return g
}

// write writes the folder.
func (f files) write(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	for name, content := range f {
		b, ok := content.([]byte)
		if !ok {
			var err error
			if b, err = json.Marshal(content); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

type object = map[string]any

// wordPieces is a vocabulary of letters, figures, marks and one word, "not", whose
// id is notID.
var wordPieces, notID = func() (object, int) {
	v := object{}
	add := func(p string) int { v[p] = len(v); return len(v) - 1 }
	for _, p := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		add(p)
	}
	not := add("not")
	for c := '!'; c <= '~'; c++ {
		if c >= 'A' && c <= 'Z' {
			continue
		}
		add(string(c))
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			add("##" + string(c))
		}
	}
	return v, not
}()

// special are the special tokens of a BERT.
func special() []object {
	var out []object
	for i, s := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		out = append(out, object{"id": i, "content": s, "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
	}
	return out
}

// bertTokenizer is a tokenizer.json that also cuts and pads, as many do.
func bertTokenizer() object {
	tok := func(s string, kind int) object { return object{"SpecialToken": object{"id": s, "type_id": kind}} }
	seq := func(s string, kind int) object { return object{"Sequence": object{"id": s, "type_id": kind}} }
	return object{
		"truncation":    object{"max_length": 8, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
		"padding":       object{"strategy": object{"Fixed": 8}, "direction": "Right", "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]", "pad_to_multiple_of": nil},
		"added_tokens":  special(),
		"normalizer":    object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": object{"type": "BertPreTokenizer"},
		"post_processor": object{
			"type":   "TemplateProcessing",
			"single": []any{tok("[CLS]", 0), seq("A", 0), tok("[SEP]", 0)},
			"pair":   []any{tok("[CLS]", 0), seq("A", 0), tok("[SEP]", 0), seq("B", 1), tok("[SEP]", 1)},
			"special_tokens": object{
				"[CLS]": object{"id": "[CLS]", "ids": []int{2}, "tokens": []string{"[CLS]"}},
				"[SEP]": object{"id": "[SEP]", "ids": []int{3}, "tokens": []string{"[SEP]"}},
			},
		},
		"model": object{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": wordPieces},
	}
}

// config is a config.json of a BERT.
func config(more object) object {
	c := object{"model_type": "bert", "vocab_size": len(wordPieces), "type_vocab_size": 2, "max_position_embeddings": 512}
	maps.Copy(c, more)
	return c
}

// tinyEncoder is a sentence encoder with mean pooling.
func tinyEncoder() files {
	return files{
		"model.onnx":     encoder(len(wordPieces)),
		"config.json":    config(nil),
		"tokenizer.json": bertTokenizer(),
		"modules.json": []object{
			{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
			{"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
			{"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
		},
		"1_Pooling/config.json": object{"word_embedding_dimension": width, "pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false},
	}
}

// tinyNLI is a cross-encoder whose classes have the given names.
func tinyNLI(labels ...string) files {
	order := [3]int{-1, -1, -1}
	names := object{}
	for i, l := range labels {
		names[fmt.Sprint(i)] = l
		switch l {
		case "entailment":
			order[0] = i
		case "contradiction":
			order[2] = i
		default:
			order[1] = i
		}
	}
	return files{
		"model.onnx":     judge(len(wordPieces), notID, order),
		"config.json":    config(object{"id2label": names}),
		"tokenizer.json": bertTokenizer(),
	}
}
