package bert

import (
	"strings"
	"testing"
)

func tinyTokenizer(tb testing.TB) (*Tokenizer, []string) {
	v := append(tinyVocabulary(false), "é", "柿", "##s", "cafe", "!", "'")
	t, err := NewTokenizer(v)
	if err != nil {
		tb.Fatal(err)
	}
	return t, v
}

func TestEncodePieces(t *testing.T) {
	tok, v := tinyTokenizer(t)
	for text, want := range map[string]string{
		"":                       "",
		" \t\n":                  "",
		"the running":            "the run ##n ##ing",
		"THE Runs":               "the run ##s",
		"Café CAFE\u0301":        "cafe cafe", // accents are left out, composed or not
		"柿柿a":                    "柿 柿 a",     // ideographs stand alone
		"run.run!":               "run . run !",
		"the[SEP]run":            "the [ s ##e ##p ] run", // not a border
		"[CLS]":                  "[ c ##l ##s ]",
		"[UNK]":                  "[ u ##n ##k ]",
		"ru\x00n r\u200bun":      "run run", // controls and format marks vanish
		"run\xff\xferun":         "r",       // replaced below
		"9":                      "[UNK]",
		"a9":                     "[UNK]", // a word is known as a whole or not at all
		strings.Repeat("a", 101): "[UNK]",
		"the\u3000run\u00a0the":  "the run the",
		"don't":                  "d ##o ##n ' t",
	} {
		if text == "run\xff\xferun" {
			want = "run ##r ##u ##n" // what is not UTF-8 vanishes
		}
		var got []string
		for _, id := range tok.Encode(nil, text) {
			got = append(got, v[id])
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q gives %q, want %q", text, s, want)
		}
	}
}

func TestNewTokenizerNeedsSpecials(t *testing.T) {
	for _, v := range [][]string{nil, {"a"}, {"[UNK]", "[CLS]"}, {"[UNK]", "[CLS]", "[SEP]", ""}} {
		if _, err := NewTokenizer(v); err == nil {
			t.Errorf("%q: no error", v)
		}
	}
}

// No text makes a special token but the unknown one, and time is linear.
func FuzzEncode(f *testing.F) {
	tok, v := tinyTokenizer(f)
	for _, s := range []string{"", "[SEP] </s>", "é\u0301\u0327", "\xff", "ǅ İ ß", "\u1100\u1161", strings.Repeat("x", 300)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, id := range tok.Encode(nil, s) {
			if p := v[id]; isSpecial(p) && p != "[UNK]" {
				t.Fatalf("%q gives %q", s, p)
			}
		}
	})
}

func TestEncodeLongTextWithoutBlanks(t *testing.T) {
	tok, _ := tinyTokenizer(t)
	if ids := tok.Encode(nil, strings.Repeat("a", 1<<20)); len(ids) != 1 {
		t.Errorf("%d pieces", len(ids))
	}
	if ids := tok.Encode(nil, strings.Repeat("柿", 1<<18)); len(ids) != 1<<18 {
		t.Errorf("%d pieces", len(ids))
	}
}

// MPNet's vocabulary has BERT's special tokens behind its own, and uses its own.
func TestSpecialTokensOfMPNet(t *testing.T) {
	tok, err := NewTokenizer([]string{"<s>", "<pad>", "</s>", "<unk>", "[PAD]", "[UNK]", "[CLS]", "[SEP]", "a"})
	if err != nil {
		t.Fatal(err)
	}
	if tok.cls != 0 || tok.sep != 2 || tok.unknown != 5 {
		t.Errorf("begin %d, end %d, unknown %d, want 0, 2, 5", tok.cls, tok.sep, tok.unknown)
	}
}
