package nlp

import (
	"strings"
	"unicode"
)

var (
	raising   = set(`seem appear happen turn follow matter rain snow take`)
	expletive = set(`clear likely possible impossible important necessary true obvious unclear unlikely hard difficult easy good
		better best essential vital crucial common rare known said believed thought estimated expected reported hoped
		agreed argued decided late early dark cold hot warm sunny raining snowing noon midnight time worth evident
		apparent certain doubtful surprising interesting strange nice great sad admitted noted seen remembered assumed
		understood recommended suggested announced revealed`)
	judging = set(`make find consider think believe deem feel call`)
)

// pleonastic reports whether the "it" at token i stands for nothing: "it is
// clear that", "it seems", "it rained", "makes it hard to".
func (d *Document) pleonastic(i int) bool {
	ts := d.Tokens
	v := i + 1
	for v < len(ts) && v < i+4 && (ts[v].Tag == "MD" || ts[v].Tag == "RB") {
		v++
	}
	verb := at(ts, v)
	if !isVerb(verb.Tag) {
		// makes it hard to
		return judging[at(ts, i-1).Lemma] && strings.HasPrefix(at(ts, i+1).Tag, "JJ")
	}
	if raising[verb.Lemma] {
		next := at(ts, v+1)
		return verb.Lemma != "take" && verb.Lemma != "turn" && verb.Lemma != "follow" || next.Tag == "CD" || next.Tag == "DT" && verb.Lemma == "take" && momentNouns[at(ts, v+2).Lemma] || next.Tag == "RP" || next.Tag == "IN"
	}
	if verb.Lemma != "be" {
		return false
	}
	k := v + 1
	for k < len(ts) && k < v+4 && (ts[k].Tag == "RB" || ts[k].Tag == "RBR" || ts[k].Lemma == "be" || ts[k].Tag == "VBN" && ts[k].Lemma == "be") {
		k++
	}
	word := at(ts, k)
	lw := strings.ToLower(word.Text)
	if expletive[lw] || expletive[word.Lemma] {
		// With what it points at: that, to, whether, or a word of time.
		for n := k + 1; n < k+25; n++ {
			switch t := at(ts, n); {
			case n < k+7 && (t.Tag == "TO" || strings.EqualFold(t.Text, "that") || strings.EqualFold(t.Text, "whether") || strings.EqualFold(t.Text, "if")),
				t.Tag == "IN" && strings.EqualFold(t.Text, "that"), n == k+1 && word.Tag == "VBN" && (t.Tag == "PRP" || t.Tag == "DT"):
				return true
			case t.Tag == "." || t.Tag == "":
				return lw == "late" || lw == "early" || lw == "dark" || lw == "cold" || lw == "hot" || lw == "raining" || lw == "snowing" || lw == "midnight" || lw == "noon" || lw == "time"
			}
		}
		return lw == "raining" || lw == "snowing"
	}
	// A cleft: "it was Ada who wrote", "it was in 1990 that".
	for n := k; n < k+8; n++ {
		t := at(ts, n)
		if t.Tag == "." || t.Tag == "," || t.Tag == "" {
			break
		}
		if n > k && (t.Tag == "WP" || strings.EqualFold(t.Text, "that") && (isName(at(ts, k).Tag) || at(ts, k).Tag == "IN")) {
			return true
		}
	}
	// It is five o'clock; it was 1990; it is Monday.
	return word.Tag == "CD" && isYear(word.Text) || strings.EqualFold(at(ts, k+1).Text, "o'clock") || calendar[lw] && unicode.IsUpper(rune(word.Text[0]))
}
