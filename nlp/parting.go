package nlp

import "strings"

// subjectEnd returns where the subject that starts at i ends, given the
// auxiliary that has been moved before it; ok is false when unsure.
func (q *question) subjectEnd(i int, aux string) (end int, ok bool) {
	ts := q.ts
	if i >= len(ts) {
		return 0, false
	}
	first := strings.ToLower(ts[i].Text)
	if ts[i].Tag == "PRP" || ts[i].Tag == "EX" || first == "there" ||
		(first == "this" || first == "that" || first == "these" || first == "those") && i+1 < len(ts) && !isNoun(ts[i+1].Tag) && !strings.HasPrefix(ts[i+1].Tag, "JJ") {
		return i + 1, true
	}
	best, top, verbs := 0, 0.0, 0
	be := beForms[aux]
	for k := i + 1; k < len(ts); k++ {
		// Read the words in the order of a statement and see whether they part.
		moved := make([]Token, 0, len(ts)+1)
		for _, t := range ts[i:k] {
			moved = append(moved, Token{Span: t.Span, Text: t.Text})
		}
		moved = append(moved, Token{Text: aux})
		for _, t := range ts[k:] {
			moved = append(moved, Token{Span: t.Span, Text: t.Text})
		}
		q.a.tagWords(moved, true)
		if !q.nominal(moved[:k-i]) {
			continue
		}
		var x float64
		switch {
		case be:
			x = predicateScore(moved[k-i-1], moved[k-i+1:])
		case haveForms[aux]:
			if t := moved[k-i+1]; t.Tag == "VBN" || t.Tag == "VBD" || strings.EqualFold(t.Text, "been") {
				x = 1
			}
		default:
			if x = q.verbScore(k, moved[k-i+1:]); x != 0 {
				verbs++
			}
		}
		if be && k > i+1 && strings.HasSuffix(ts[k-1].Text, "ing") && (ts[k-2].Tag == "NNS" || isName(ts[k-2].Tag)) {
			x = 0 // "are the doctors meeting the needs"
		}
		if be && isNoun(ts[k].Tag) {
			x = min(x, 0.3) // an adjective only in this reading
		}
		if x -= disagreement(moved[:k-i], aux); x > top {
			best, top = k, x
		}
	}
	if verbs > 1 && isNoun(ts[best].Tag) {
		return 0, false // "music influence stress": which of them is the verb?
	}
	if best == 0 && be && q.nominal(ts[i:]) {
		return len(ts), true // "Where is the red house?"
	}
	return best, best > 0
}

// disagreement says how little the number of the subject fits the auxiliary.
func disagreement(subject []Token, aux string) float64 {
	for _, t := range subject {
		if t.Tag == "IN" || t.Tag == "CC" || t.Tag == "TO" || t.Tag == "WP" || t.Tag == "WDT" {
			return 0 // another word than the last may be its head
		}
	}
	last := subject[len(subject)-1]
	switch aux {
	case "does", "is", "was", "has":
		if last.Tag == "NNS" {
			return 1
		}
	case "do", "are", "were", "have":
		if last.Tag == "NN" && !groupNouns[last.Lemma] {
			return 0.4
		}
	}
	return 0
}

// predicateScore says how well rest can be the predicate of a question with a
// form of be; last is the word before it. Both are tagged in the order of a
// statement.
func predicateScore(last Token, rest []Token) float64 {
	head, next := rest[0], at(rest, 1)
	switch {
	case head.Tag == "POS" || head.Tag == "CC" || strings.EqualFold(head.Text, "of"):
		return 0
	case (head.Tag == "DT" || head.Tag == "PRP$") && lowerWord(head.Text) || head.Tag == "CD" && len(rest) > 1:
		return 3 // two noun phrases meet
	case head.Tag == "VBN" && !isNoun(next.Tag) || head.Tag == "VBD":
		return 2
	case strings.HasPrefix(head.Tag, "JJ"):
		if isNoun(next.Tag) || strings.HasPrefix(next.Tag, "JJ") || next.Tag == "CC" || next.Tag == "VBG" {
			if last.Tag == "NNS" || isName(last.Tag) {
				return 1 // "patients willing participants"
			}
			return 0.2 // more likely a part of the subject
		}
		return 2
	case strings.HasPrefix(head.Tag, "RB") && (strings.HasPrefix(next.Tag, "JJ") || next.Tag == "VBN" || next.Tag == "RB"),
		strings.EqualFold(head.Text, "as") && (strings.HasPrefix(next.Tag, "JJ") || strings.HasPrefix(next.Tag, "RB")):
		return 2
	case head.Tag == "VBG" && last.Tag == "NN" && !strings.EqualFold(last.Text, "who"):
		return 0.4 // "plate clearing" may be one thing
	case head.Tag == "VBG":
		return 1.5
	case head.Tag == "IN" || head.Tag == "TO" || strings.HasPrefix(head.Tag, "RB"):
		return 0.5
	case isNoun(head.Tag) && !isName(head.Tag) && (isName(last.Tag) || last.Tag == "NNS"):
		return 0.3
	}
	return 0
}

// verbScore says how well the verb of a question with do or a modal can stand at
// token k; rest is what follows the subject.
func (q *question) verbScore(k int, rest []Token) float64 {
	v := 0
	for v < len(rest)-1 && strings.HasPrefix(rest[v].Tag, "RB") {
		v++
	}
	head, next := rest[v], at(rest, v+1)
	lw := strings.ToLower(head.Text)
	if !q.a.dict.isBase(lw) || !q.a.dict.verbs[lw] && lw != "be" && lw != "have" && lw != "do" || isName(head.Tag) {
		return 0
	}
	if (next.Tag == "VB" || next.Tag == "VBP" || next.Tag == "MD") && lw != "help" && lw != "let" && lw != "make" {
		return 0
	}
	x := 0.5
	if lw == "be" || lw == "have" {
		x += 3
	}
	if t := q.ts[k+v].Tag; t == "VB" || t == "VBP" {
		x += 2
	}
	if head.Tag == "VB" || head.Tag == "VBP" {
		x++
	}
	switch {
	case next.Tag == "DT" || next.Tag == "PRP$" || next.Tag == "PRP" || next.Tag == "CD" || next.Tag == "TO":
		x += 2
	case strings.EqualFold(next.Text, "of") && q.ts[k+v].Tag == "NN":
		x -= 1.5 // "process of care"
	case next.Tag == "" || next.Tag == "IN" || next.Tag == "RP" || strings.HasPrefix(next.Tag, "RB"), isName(next.Tag):
		x++
	case next.Tag == "NN" && isNoun(q.ts[k+v].Tag):
		x-- // "skin care frequency"
	}
	return x
}

// nominal reports whether the tokens are one noun phrase with what hangs on it.
func (q *question) nominal(ts []Token) bool {
	last := ts[len(ts)-1]
	if !isNoun(last.Tag) && last.Tag != "PRP" && last.Tag != "CD" && last.Tag != "FW" && last.Tag != ")" && last.Tag != "''" &&
		!(last.Tag == "," && len(ts) > 3 && isNoun(ts[len(ts)-2].Tag)) &&
		!(last.Tag == "VBG" && len(ts) == 1) {
		return false
	}
	if last.Tag != "CD" && !q.a.dict.has(strings.ToLower(last.Text)) && lowerWord(last.Text) &&
		(adjectival(last.Text) || strings.HasSuffix(last.Text, "ent") || strings.HasSuffix(last.Text, "ant") || strings.HasSuffix(last.Text, "ate")) {
		return false // an adjective that the tagger doesn't know: "laparoscopic"
	}
	depth, commas := 0, 0
	for i, t := range ts {
		switch {
		case t.Tag == ",":
			commas++
		case t.Tag == "CC" && commas > 0:
			commas = 0 // "salt, oil and water"
		case t.Tag == "(":
			depth++
		case t.Tag == ")":
			depth--
		case t.Tag == "VBD" && at(ts, i+1).Tag == "IN":
			// "soup cooked with cream"
		case finite(t.Tag) && t.Tag != "MD":
			// Only in a relative clause.
			rel := false
			for _, p := range ts[:i] {
				if p.Tag == "WP" || p.Tag == "WDT" || strings.EqualFold(p.Text, "that") {
					rel = true
				}
			}
			if !rel {
				return false
			}
		}
	}
	return depth == 0 && commas%2 == 0
}

func adjectival(w string) bool {
	for _, s := range [...]string{"ic", "al", "ous", "ive", "ary", "ory", "able", "ible", "less", "ful"} {
		if strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}
