package bert

import (
	"errors"
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Tokenizer is WordPiece as BERT defines it, uncased unless NewCasedTokenizer made
// it. Unlike the reference it
// never takes a special token from the text: "[SEP]" in a user's text is five
// plain characters, so that a text can't pretend to be a border. It is
// read-only and safe for concurrent use.
type Tokenizer struct {
	whole    map[string]int32 // pieces that start a word
	inner    map[string]int32 // pieces inside a word, without "##"
	longest  int              // bytes of the longest piece
	unknown  int32
	cls, sep int32
	size     int
	cased    bool // capitals and accents are kept
}

// maxWord is the length in runes above which a word is unknown as a whole.
const maxWord = 100

// NewTokenizer makes a tokenizer of a vocabulary in order of ids. It fails
// where the vocabulary lacks the special token that a role needs; the roles'
// names differ between BERT ("[CLS]", "[SEP]", "[UNK]") and MPNet ("<s>",
// "</s>", "[UNK]").
func NewTokenizer(vocabulary []string) (*Tokenizer, error) {
	t := &Tokenizer{
		whole: make(map[string]int32, len(vocabulary)),
		inner: make(map[string]int32, len(vocabulary)/4),
		size:  len(vocabulary),
	}
	special := map[string]int32{}
	for i, p := range vocabulary {
		switch {
		case p == "":
			return nil, fmt.Errorf("bert: piece %d of the vocabulary is empty", i)
		case len(p) > 2 && p[:2] == "##":
			t.inner[p[2:]] = int32(i)
			t.longest = max(t.longest, len(p)-2)
		case isSpecial(p):
			special[p] = int32(i)
		default:
			t.whole[p] = int32(i)
			t.longest = max(t.longest, len(p))
		}
	}
	find := func(names ...string) (int32, error) {
		for _, n := range names {
			if id, ok := special[n]; ok {
				return id, nil
			}
		}
		return 0, fmt.Errorf("bert: the vocabulary has none of %q", names)
	}
	var errs [3]error
	t.unknown, errs[0] = find("[UNK]", "<unk>")
	// MPNet's vocabulary holds BERT's whole one, special tokens that it does not
	// use among them.
	t.cls, errs[1] = find("<s>", "[CLS]")
	t.sep, errs[2] = find("</s>", "[SEP]")
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return t, nil
}

// NewCasedTokenizer is NewTokenizer for a vocabulary with capitals and accents,
// which stay as they are.
func NewCasedTokenizer(vocabulary []string) (*Tokenizer, error) {
	t, err := NewTokenizer(vocabulary)
	if err == nil {
		t.cased = true
	}
	return t, err
}

// isSpecial reports whether a piece can only be a control token: no text is
// ever cut into it, since brackets stand alone.
func isSpecial(p string) bool {
	n := len(p)
	return n > 2 && (p[0] == '[' && p[n-1] == ']' || p[0] == '<' && p[n-1] == '>')
}

// Size is the number of pieces of the vocabulary.
func (t *Tokenizer) Size() int { return t.size }

// Unknown is the id of the piece that stands for a word out of the vocabulary.
func (t *Tokenizer) Unknown() int32 { return t.unknown }

// Encode appends the ids of text's pieces to ids, without special tokens. Any
// text is accepted; what is not UTF-8 is left out, as are control characters.
func (t *Tokenizer) Encode(ids []int32, text string) []int32 {
	return t.EncodeFirst(ids, text, math.MaxInt)
}

// EncodeFirst is Encode that stops at the first n pieces, and reads little
// more of text than these.
func (t *Tokenizer) EncodeFirst(ids []int32, text string, n int) []int32 {
	start := len(ids)
	var buf [64]byte
	word := buf[:0]
	runes := 0
	flush := func() {
		if len(word) > 0 {
			ids = t.pieces(ids, word, runes)
			word, runes = word[:0], 0
		}
	}
	emit := func(r rune) {
		switch {
		case isSpace(r):
			flush()
		case isPunctuation(r) || isIdeograph(r):
			flush()
			word, runes = utf8.AppendRune(word, r), 1
			flush()
		default:
			word = utf8.AppendRune(word, r)
			runes++
		}
	}
	var decomposed [64]byte
	for i := 0; i < len(text) && len(ids)-start < n; {
		if c := text[i]; c < utf8.RuneSelf {
			i++
			switch {
			case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
				word = append(word, c)
				runes++
			case 'A' <= c && c <= 'Z':
				if !t.cased {
					c += 'a' - 'A'
				}
				word = append(word, c)
				runes++
			case c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c != 0x7f:
				emit(rune(c))
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if r == utf8.RuneError || isControl(r) {
			continue
		}
		if t.cased {
			emit(r)
			continue
		}
		if isIdeograph(r) {
			// Set apart before it is decomposed: a compatibility ideograph
			// becomes a unified one.
			flush()
			for _, d := range string(norm.NFD.AppendString(decomposed[:0], string(r))) {
				emit(d)
			}
			flush()
			continue
		}
		for _, d := range string(norm.NFD.AppendString(decomposed[:0], string(r))) {
			if !unicode.Is(unicode.Mn, d) {
				lower(d, emit)
			}
		}
	}
	flush()
	if len(ids)-start > n {
		ids = ids[:start+n]
	}
	return ids
}

// lower calls emit with the full lower-case form of r.
func lower(r rune, emit func(rune)) { emit(unicode.ToLower(r)) }

// pieces appends the pieces of one word: the longest first, from the left; a
// word that can't be cut into pieces is unknown as a whole.
func (t *Tokenizer) pieces(ids []int32, word []byte, runes int) []int32 {
	if runes > maxWord {
		return append(ids, t.unknown)
	}
	start := len(ids)
	table := t.whole
	for b := 0; b < len(word); {
		e := min(len(word), b+t.longest)
		for e < len(word) && !utf8.RuneStart(word[e]) {
			e--
		}
		found := false
		for e > b {
			if id, ok := table[string(word[b:e])]; ok {
				ids = append(ids, id)
				b, found = e, true
				break
			}
			for e--; e > b && !utf8.RuneStart(word[e]); e-- {
			}
		}
		if !found {
			return append(ids[:start], t.unknown)
		}
		table = t.inner
	}
	return ids
}

func isSpace(r rune) bool { return unicode.Is(unicode.White_Space, r) }

// isControl follows the reference: every rune of category Other but tab and
// line ends, which are white space.
func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// isPunctuation takes every ASCII mark, also those that Unicode calls symbols.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
	}
	return unicode.Is(unicode.P, r)
}

// isIdeograph reports whether r is in the blocks that BERT sets apart rune by
// rune.
func isIdeograph(r rune) bool {
	return r >= 0x3400 && (r >= 0x4E00 && r <= 0x9FFF || r <= 0x4DBF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B73F ||
		r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F)
}
