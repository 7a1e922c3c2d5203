package hugot

import (
	"container/heap"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bpe is byte-level byte pair encoding as GPT-2 and RoBERTa define it. hugot's own
// reader cuts runs of blanks otherwise, and takes the square of a word's length.
type bpe struct {
	bytes  [256]uint32
	merges map[[2]uint32]merge
	prefix bool // a blank is put before the text
}

// merge is what two neighbours become; the lowest rank comes first.
type merge struct {
	rank int
	id   uint32
}

// byteRunes are the printable characters that stand for bytes in the vocabulary:
// printable Latin-1 for itself, the rest from U+0100 on.
var byteRunes = func() (table [256]string) {
	next := rune(0x100)
	for b := range table {
		switch {
		case b >= '!' && b <= '~', b >= 0xa1 && b <= 0xac, b >= 0xae:
			table[b] = string(rune(b))
		default:
			table[b] = string(next)
			next++
		}
	}
	return table
}()

// newBPE reads a tokenizer of that kind; the error says what of it is unknown.
func newBPE(t tokenizerFile) (*bpe, error) {
	switch {
	case t.Norm != nil:
		return nil, fmt.Errorf("it has the normalizer %s", t.Norm.Type)
	case t.Pre == nil || t.Pre.Type != "ByteLevel" || t.Pre.Regex != nil && !*t.Pre.Regex:
		return nil, fmt.Errorf("its words are not cut as byte-level BPE's are")
	case t.Model.Prefix != nil && *t.Model.Prefix != "" || t.Model.Suffix != nil && *t.Model.Suffix != "":
		return nil, fmt.Errorf("it marks the inside or the end of words")
	case t.Model.Ignore:
		return nil, fmt.Errorf("it has ignore_merges")
	}
	for _, a := range t.Added {
		if !a.Special {
			return nil, fmt.Errorf("it has the added token %q, which is no special one", a.Content)
		}
	}
	vocab, err := t.Model.vocabulary()
	if err != nil {
		return nil, err
	}
	b := &bpe{prefix: t.Pre.PrefixSpace}
	for i, s := range byteRunes {
		id, ok := vocab[s]
		if !ok {
			return nil, fmt.Errorf("its vocabulary lacks the byte 0x%02x", i)
		}
		b.bytes[i] = uint32(id)
	}
	merges, err := pairs(t.Model.Merges)
	if err != nil {
		return nil, err
	}
	b.merges = make(map[[2]uint32]merge, len(merges))
	for i, m := range merges {
		left, ok1 := vocab[m[0]]
		right, ok2 := vocab[m[1]]
		both, ok3 := vocab[m[0]+m[1]]
		if !ok1 || !ok2 || !ok3 {
			return nil, fmt.Errorf("merge %d joins %q and %q, and its vocabulary lacks one of them, or both together", i, m[0], m[1])
		}
		b.merges[[2]uint32{uint32(left), uint32(right)}] = merge{i, uint32(both)}
	}
	return b, nil
}

// pairs reads merges, ["a b"] or [["a", "b"]].
func pairs(raw json.RawMessage) ([][2]string, error) {
	var lines []string
	if err := json.Unmarshal(raw, &lines); err == nil {
		out := make([][2]string, len(lines))
		for i, s := range lines {
			a, b, ok := strings.Cut(s, " ")
			if !ok {
				return nil, fmt.Errorf("merge %d is %q, want two pieces", i, s)
			}
			out[i] = [2]string{a, b}
		}
		return out, nil
	}
	var lists [][2]string
	if err := json.Unmarshal(raw, &lists); err != nil {
		return nil, fmt.Errorf("merges: %w", err)
	}
	return lists, nil
}

func (b *bpe) close() error { return nil }

// encode cuts text into words and those into pieces. What is not UTF-8 is left out.
func (b *bpe) encode(text string, limit int) ([]uint32, error) {
	text = strings.ToValidUTF8(text, "")
	if b.prefix && text != "" {
		if r, _ := utf8.DecodeRuneInString(text); !unicode.IsSpace(r) {
			text = " " + text
		}
	}
	var ids []uint32
	for len(text) > 0 && len(ids) < limit {
		n := word(text)
		ids = b.word(ids, text[:n])
		text = text[n:]
	}
	return ids, nil
}

// word returns the length of the first word of text: a contraction's end, or
// letters, digits or other signs with at most one blank before them, or blanks.
// Of several blanks before a word the last is left for it.
func word(text string) int {
	for _, s := range []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if strings.HasPrefix(text, s) {
			return len(s)
		}
	}
	at := 0
	if text[0] == ' ' {
		at = 1
	}
	kind := kindOf(text[at:])
	if kind != blank && kind != end {
		for at < len(text) && kindOf(text[at:]) == kind {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += n
		}
		return at
	}
	last := 0 // where the last blank begins
	for at = 0; at < len(text) && kindOf(text[at:]) == blank; {
		_, n := utf8.DecodeRuneInString(text[at:])
		last, at = at, at+n
	}
	if at < len(text) && last > 0 {
		return last
	}
	return at
}

// The kinds of characters.
const (
	end = iota
	letter
	number
	blank
	mark
)

func kindOf(text string) int {
	if text == "" {
		return end
	}
	r, _ := utf8.DecodeRuneInString(text)
	switch {
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return number
	case unicode.IsSpace(r):
		return blank
	}
	return mark
}

// word appends the pieces of one word: the pair of neighbours with the lowest rank
// is joined until none has a rank, the first of equals first.
func (b *bpe) word(ids []uint32, w string) []uint32 {
	nodes := make([]node, len(w))
	for i := range len(w) {
		nodes[i] = node{id: b.bytes[w[i]], before: i - 1, after: i + 1}
	}
	var q joins
	offer := func(i int) bool {
		if i < 0 || nodes[i].after >= len(nodes) {
			return false
		}
		pair := [2]uint32{nodes[i].id, nodes[nodes[i].after].id}
		m, ok := b.merges[pair]
		if ok {
			q = append(q, join{m, i, pair})
		}
		return ok
	}
	for i := range nodes {
		offer(i)
	}
	heap.Init(&q)
	for len(q) > 0 {
		j := q[0]
		q[0] = q[len(q)-1]
		if q = q[:len(q)-1]; len(q) > 0 {
			heap.Fix(&q, 0)
		}
		n := &nodes[j.at]
		// An offer is stale when one of its sides was joined since.
		if n.gone || n.after >= len(nodes) || j.pair != [2]uint32{n.id, nodes[n.after].id} {
			continue
		}
		gone := n.after
		n.id, n.after, nodes[gone].gone = j.id, nodes[gone].after, true
		if n.after < len(nodes) {
			nodes[n.after].before = j.at
		}
		for _, i := range [2]int{n.before, j.at} {
			if offer(i) {
				heap.Fix(&q, len(q)-1)
			}
		}
	}
	for i := 0; i < len(nodes); i = nodes[i].after {
		ids = append(ids, nodes[i].id)
	}
	return ids
}

// node is a piece of a word, with the places of its neighbours.
type node struct {
	id            uint32
	before, after int
	gone          bool // joined to the one before
}

// join is an offer to join the piece at a place with the one after it.
type join struct {
	merge
	at   int
	pair [2]uint32
}

// joins is a heap of offers.
type joins []join

func (q joins) Len() int { return len(q) }
func (q joins) Less(i, j int) bool {
	return q[i].rank < q[j].rank || q[i].rank == q[j].rank && q[i].at < q[j].at
}
func (q joins) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *joins) Push(x any)   { *q = append(*q, x.(join)) }
func (q *joins) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
