package openie

import (
	"strings"
)

// repair puts right what a tagger without syntax gets wrong in closed classes
// and where the neighbours decide.
func (s *sentence) repair() {
	for i := range s.toks {
		t := &s.toks[i]
		switch t.text {
		case ",", ";", "(", ")", "[", "]", "{", "}":
			t.tag = map[string]string{",": ",", ";": ":", "(": "(", "[": "(", "{": "(", ")": ")", "]": ")", "}": ")"}[t.text]
		case "-LRB-", "-LSB-", "-LCB-":
			t.tag = "("
		case "-RRB-", "-RSB-", "-RCB-":
			t.tag = ")"
		case "--", "–", "—", ":", "...", "…":
			t.tag = ":"
		case ".", "!", "?":
			t.tag = "."
		case "“", "``", "‘", "`":
			t.tag = "``"
		case "”", "''":
			t.tag = "''"
		case "\"":
			t.tag = "\""
		case "%":
			t.tag = "NN"
		case "$", "£", "€", "¥", "#":
			t.tag = "$"
		case "&":
			t.tag = "CC"
		case "•", "*", "·":
			t.tag = ":"
		}
		switch {
		case t.low == "not" || t.low == "n't" || t.low == "never":
			t.tag = "RB"
		case t.low == "to":
			t.tag = "TO"
		case t.low == "and" || t.low == "or" || t.low == "nor" || t.low == "but":
			t.tag = "CC"
		case t.low == "who" || t.low == "whom":
			t.tag = "WP"
		case t.low == "which":
			t.tag = "WDT"
		case t.low == "whose":
			t.tag = "WP$"
		case t.low == "us" && t.text != "us" || t.low == "us" && i+1 < len(s.toks) && (s.noun(i+1) || s.adj(i+1)):
			t.tag = "NNP"
		case personal.has(t.low) && t.text != "US" && t.text != "IT":
			if t.low == "her" && t.tag == "PRP$" {
				break
			}
			t.tag = "PRP"
		case t.low == "is":
			t.tag, t.lemma = "VBZ", "be"
		case t.low == "are" || t.low == "am" && s.tag(i-1) != "CD" || t.low == "'re" || t.low == "'m":
			t.tag, t.lemma = "VBP", "be"
		case t.low == "was" || t.low == "were":
			t.tag, t.lemma = "VBD", "be"
		case t.low == "been":
			t.tag, t.lemma = "VBN", "be"
		case t.low == "being" && t.tag != "NN":
			t.tag, t.lemma = "VBG", "be"
		case t.low == "be":
			t.tag, t.lemma = "VB", "be"
		case t.low == "has":
			t.tag, t.lemma = "VBZ", "have"
		case t.low == "had":
			t.lemma = "have"
		case t.low == "does":
			t.tag, t.lemma = "VBZ", "do"
		case t.low == "did":
			t.tag, t.lemma = "VBD", "do"
		case oneOf(t.low, "almost", "hardly", "scarcely", "barely", "seldom", "rarely", "reportedly", "allegedly", "supposedly", "apparently", "probably", "possibly", "perhaps", "maybe", "formerly", "previously"):
			t.tag = "RB"
		case t.low == "ought":
			t.tag = "MD"
		case t.low == "hence" || t.low == "thus" || t.low == "however" || t.low == "therefore":
			t.tag = "RB"
		case t.low == "am" && s.tag(i-1) == "CD":
			t.tag = "NN"
		case len(t.text) == 1 && t.text >= "A" && t.text <= "Z" && (s.low(i+1) == "&" && i+2 < len(s.toks) || s.low(i-1) == "&" && i > 1):
			t.tag = "NNP"
		case t.low == "neither" && i+1 < len(s.toks) && s.finiteAt(i+1) && i > 0:
			t.tag = "RB"
		case t.low == "neither" || t.low == "either" && i+1 < len(s.toks) && s.tag(i+1) != ".":
			t.tag = "DT"
		case t.low == "have" && t.tag == "VB" && i > 0 && (s.noun(i-1) || s.tag(i-1) == "PRP") && s.noAux(i):
			t.tag = "VBP"
		case t.low == "both":
			t.tag = "DT"
		case t.low == "whether" || t.low == "because" || t.low == "although" || t.low == "if" || t.low == "unless" || t.low == "lest":
			t.tag = "IN"
		case adverbNouns.has(t.low):
			t.tag = "NN"
		case t.low == "about" && t.tag == "RB":
			t.tag = "IN"
		case (t.low == "such" || t.low == "quite" || t.low == "half" || t.low == "many") && (s.low(i+1) == "a" || s.low(i+1) == "an"):
			t.tag = "PDT"
		}
		if modals.has(t.low) && t.text == t.low {
			prev := s.tag(i - 1)
			if prev != "DT" && prev != "JJ" && prev != "PRP$" && prev != "POS" {
				t.tag = "MD"
			}
		}
	}
	for i := range s.toks {
		s.repairAt(i)
	}
}

func (s *sentence) repairAt(i int) {
	t := &s.toks[i]
	prev, next := s.tag(i-1), s.tag(i+1)
	switch {
	case t.low == "'s" || t.low == "’s":
		switch {
		case personal.has(s.low(i-1)) || oneOf(s.low(i-1), "that", "there", "here", "what", "who", "where", "how") && i > 0,
			next == "DT" && !s.proper(i-1) || s.low(i+1) == "not" || next == "VBG" && s.proper(i-1) && !s.headAhead(i+1, len(s.toks)):
			t.tag, t.lemma = "VBZ", "be"
			if next == "VBN" && s.low(i+1) == "been" {
				t.lemma = "have"
			}
		default:
			t.tag = "POS"
		}
		return
	case t.low == "her":
		if s.noun(i+1) || s.adj(i+1) || next == "CD" || next == "VBN" || next == "VBG" && s.headAhead(i+1, len(s.toks)) {
			t.tag = "PRP$"
		} else {
			t.tag = "PRP"
		}
		return
	case t.low == "his":
		t.tag = "PRP$"
		return
	case t.low == "that":
		switch {
		case s.noun(i+1) && next != "NNS" && next != "NNPS" && next != "NNP" && (prev == "IN" || prev == "TO" || i == 0 || prev == "VB" || prev == "CC"):
			t.tag = "DT"
		case (s.verb(i+1) || s.low(i+1) == "'s") && (i == 0 || prev == "``" || prev == "\"" || prev == "CC" && i == 1):
			t.tag = "DT"
		}
		return
	}
	if t.tag == "PRP" && !personal.has(t.low) && !strings.HasSuffix(t.low, "self") && !strings.HasSuffix(t.low, "selves") && !oneOf(t.low, "mine", "yours", "hers", "ours", "theirs", "one", "thee", "thou", "ye", "y'all", "oneself") {
		t.tag = "NNP"
	}
	if t.low == "united" && s.noun(i-1) && next != "IN" && next != "TO" {
		t.tag = "NNP"
	}
	if t.low == "aged" && next == "CD" {
		t.tag = "VBN"
		if s.tag(i+2) == "VBN" && s.noun(i-1) {
			s.toks[i+2].tag = "VBD" // "a man aged 86 died"
		}
	}
	if (t.tag == "VB" || t.tag == "VBP") && prev == "IN" && prepositionsOnly.has(s.low(i-1)) && !closedVerb(t.low) {
		t.tag = "NN"
	}
	if t.low == "there" && (beForms.has(s.low(i+1)) || modals.has(s.low(i+1)) && s.low(i+2) == "be") && prev != "IN" {
		t.tag = "EX"
	}
	if t.tag == "VBG" && (prev == "PRP$" || prev == "DT" || prev == "POS") && (next == "IN" || s.finiteAt(i+1) || next == "," || next == ".") {
		t.tag = "NN"
	}
	if t.tag == "VBD" && (i == 0 || prev == "." || prev == ":") && strings.HasSuffix(t.low, "ed") && s.noun(i+1) {
		for k := i + 2; k < len(s.toks) && k < i+6; k++ {
			if s.finiteAt(k) {
				t.tag = "JJ" // "Diminished vision may be treated"
				break
			}
		}
	}
	if t.tag == "VBD" && s.low(i-1) == "that" && (s.noun(i+1) || s.adj(i+1)) && i > 1 && !closedVerb(t.low) && (contentNouns.has(s.lemma(i-2)) || sayVerbs.has(s.lemma(i-2)) || factiveVerbs.has(s.lemma(i-2))) {
		t.tag = "JJ" // "suggest that depressed compliance is ..."
	}
	if (t.tag == "VBP" || t.tag == "VBZ" || t.tag == "VB") && s.noun(i-1) && !closedVerb(t.low) && s.finiteAt(i+1) && closedVerb(s.low(i+1)) {
		t.tag = map[bool]string{true: "NNS", false: "NN"}[strings.HasSuffix(t.low, "s")]
	}
	if s.verb(i) && t.tag != "MD" && s.low(i-1) == "which" && s.verb(i-2) && !closedVerb(t.low) && (next == "DT" || next == "PRP$" || next == "PRP") {
		for k := i + 2; k < len(s.toks) && k < i+6; k++ {
			if u := s.tag(k); u == "," || u == "CC" || u == "IN" {
				break
			}
			if s.verb(k) { // "knows which coat the shop sold"
				t.tag = map[bool]string{true: "NNS", false: "NN"}[strings.HasSuffix(t.low, "s")]
				break
			}
		}
	}
	if t.tag == "VBZ" && next == "VBZ" && s.noun(i-1) && !closedVerb(t.low) && !closedVerb(s.low(i+1)) && strings.HasSuffix(t.low, "s") {
		t.tag = "NNS" // "removing terms from CNN architectures provides ..."
	}
	if (t.low == "both" || t.low == "all" || t.low == "each") && t.text == t.low && (s.noun(i-1) || prev == "PRP") && s.finiteAt(i+1) {
		t.tag = "RB"
	}
	if t.tag == "JJ" && s.finiteAt(i+1) && closedVerb(s.low(i+1)) && s.verb(i-1) && !closedVerb(s.low(i-1)) && s.lemma(i-1) != "be" {
		t.tag = "NN" // "believes arsenal have ..."
	}
	if t.tag == "NN" && (s.noun(i-1) || prev == "PRP") && doForms.has(s.low(i-2)) && commonVerbs.has(t.low) && i > 2 {
		t.tag = "VB" // "did Leo return"
	}
	if t.tag == "JJ" && next == "MD" && (i == 0 || prev == ",") {
		t.tag = "NNS"
	}
	if s.verb(i) && i > 0 && s.low(i+1) == "'s" && s.noun(i-1) && t.tag != "MD" && !closedVerb(t.low) {
		t.tag = "NNP" // "manchester united 's"
	}
	if t.low == "all" && s.low(i+1) == "but" && closedVerb(s.low(i-1)) && (s.tag(i+2) == "VBN" || s.tag(i+2) == "VBD") {
		t.tag, s.toks[i+1].tag, s.toks[i+2].tag = "RB", "RB", "VBN" // "had all but ended"
	}
	if t.low == "more" && s.low(i+1) == "than" && haveForms.has(s.low(i-1)) && (s.tag(i+2) == "VBN" || s.tag(i+2) == "VBD") {
		t.tag, s.toks[i+1].tag, s.toks[i+2].tag = "RB", "RB", "VBN"
	}
	if t.low == "more" && s.low(i+1) == "than" && s.noun(i-1) && (s.tag(i+2) == "VBN" || s.tag(i+2) == "VBD") && s.noAux(i) {
		t.tag, s.toks[i+1].tag, s.toks[i+2].tag = "RB", "RB", "VBD"
	}
	if t.tag == "VB" && prev == "CC" && s.noun(i-2) && !s.verbBefore(i) {
		t.tag = "NN"
	}
	if t.tag == "VB" && (prev == "NNS" || prev == "NNPS") && s.noAux(i) && !s.verbBefore(i) {
		t.tag = "VBP"
	}
	if t.tag == "VBN" && (s.noun(i-1) || prev == "PRP") && s.noAux(i) && (next == "DT" || next == "CD" || next == "PRP" || next == "PRP$" || next == "$" || s.quantity(i+1)) && !oneOf(t.low, "named", "called", "made", "given", "dubbed", "titled", "entitled", "worth", "aged") {
		t.tag = "VBD"
	}
	if (t.tag == "VBZ" || t.tag == "VBP") && s.noun(i-1) && !closedVerb(t.low) && !sayVerbs.has(t.lemma) && !factiveVerbs.has(t.lemma) && s.auxAfterNouns(i) {
		t.tag = "NNS"
	}
	if (t.tag == "VBN" || t.tag == "VBD") && strings.Contains(t.low, "-") && !strings.HasPrefix(t.low, "re-") && (s.noun(i+1) || s.adj(i+1)) {
		t.tag = "JJ"
	}
	if (t.tag == "JJ" || t.tag == "NN") && strings.HasSuffix(t.low, "ed") && len(t.low) > 4 && (next == "DT" || next == "PRP$" || next == "PRP") && (s.noun(i-1) || prev == "PRP" || s.adverb(i-1)) && !s.adj(i-1) {
		t.tag = "VBD"
	}
	if (t.tag == "VBN" || t.tag == "JJ") && strings.HasSuffix(t.low, "ed") && len(t.low) > 4 && s.joinsPast(i) {
		t.tag = "VBD" // "won two prizes and founded institutes"
	}
	if t.tag == "VBD" && strings.HasSuffix(t.low, "ed") && i > 0 && s.finiteAt(i-1) && !closedVerb(s.low(i-1)) && (s.noun(i+1) || s.adj(i+1)) {
		t.tag = "JJ" // "boosted reported net sales"
	}
	// The auxiliary before decides between past and participle.
	if t.tag == "VBD" || t.tag == "VBN" || t.tag == "VB" || t.tag == "NN" || t.tag == "JJ" || t.tag == "VBP" {
		j := i - 1
		for j >= 0 && (s.adverb(j)) {
			j--
		}
		before := s.low(j)
		switch {
		case haveForms.has(before) && s.verb(j) && irregularParticiple(t.low) && t.tag != "VBN" && (prev != "DT" && prev != "JJ" && prev != "PRP$"):
			t.tag = "VBN"
		case haveForms.has(before) && s.verb(j) && (t.tag == "VBD" || t.tag == "VBP" && irregularSame(t.low)):
			t.tag = "VBN"
		case beForms.has(before) && s.verb(j) && t.tag == "VBD" && !beForms.has(t.low) && !haveForms.has(t.low) && !doForms.has(t.low):
			t.tag = "VBN"
		case beForms.has(before) && s.verb(j) && t.tag == "JJ" && strings.HasSuffix(t.low, "ed") && next == "IN":
			if t.lemma != t.low {
				t.tag = "VBN"
			}
		case s.tag(j) == "MD" && (t.tag == "NN" || t.tag == "VBP" || t.tag == "JJ" && !s.noun(i+1)) && isASCII(t.low):
			if !(t.tag == "JJ" && j != i-1) {
				t.tag = "VB"
			}
		case prev == "TO" && t.tag == "NN" && (next == "DT" || next == "PRP" || next == "PRP$" || next == "NNP"):
			t.tag = "VB"
		case (prev == "PRP" && oneOf(s.low(i-1), "i", "we", "you", "they")) && t.tag == "NN":
			t.tag = "VBP"
		}
	}
	if t.low == "first" && t.tag == "JJ" && (beForms.has(s.low(i-1)) || haveForms.has(s.low(i-1))) && (next == "VBN" || next == "VBD") {
		t.tag = "RB"
	}
	if t.tag == "JJ" && strings.HasPrefix(t.low, "re-") && strings.HasSuffix(t.low, "ed") && beForms.has(s.low(i-1)) {
		t.tag = "VBN"
	}
	if t.tag == "NNS" && prev == "RB" && (s.noun(i-2) || s.tag(i-2) == "PRP" || demonstratives.has(s.low(i-2))) && (next == "IN" || next == "TO" || next == "DT" || next == "PRP$") {
		t.tag = "VBZ"
	}
	if (t.tag == "VBZ" && strings.HasSuffix(t.low, "s") || t.tag == "VBP" || t.tag == "VB") && s.noun(i-1) && !closedVerb(t.low) && s.finiteBefore(i) && !s.finiteAt(i+1) {
		if t.tag == "VBZ" {
			t.tag = "NNS"
		} else if t.tag == "VBP" && !strings.HasSuffix(s.low(i-1), "s") {
			t.tag = "NN"
		}
	}
	if t.tag == "VB" && prev == "PRP" && oneOf(s.low(i-1), "they", "we", "i", "he", "she") && !closedVerb(s.low(i-2)) && !closedVerb(t.low) {
		t.tag = "VBP"
	}
	if t.tag == "NNS" && oneOf(s.low(i-1), "he", "she", "it") && prev == "PRP" {
		t.tag = "VBZ"
	}
	if t.tag == "VBZ" && (prev == "DT" || prev == "PRP$" || prev == "POS") && !beForms.has(t.low) && !haveForms.has(t.low) && !doForms.has(t.low) && s.low(i-1) != "that" && s.low(i-1) != "this" {
		t.tag = "NNS"
	}
	if (t.tag == "VB" || t.tag == "VBP") && (prev == "DT" || prev == "PRP$" || prev == "POS") && !oneOf(s.low(i-1), "that", "these", "those", "all", "both", "some", "which") && !beForms.has(t.low) && !haveForms.has(t.low) && !doForms.has(t.low) {
		t.tag = "NN"
	}
	if t.tag == "MD" && i > 0 && t.low == "may" && (prev == "IN" && s.low(i-1) != "that" || prev == "CD" || prev == "DT" || next == "CD" || s.low(i-1) == "last" || s.low(i-1) == "next") {
		t.tag = "NNP"
	}
	if t.tag == "VBD" && (prev == "DT" || prev == "PRP$" || prev == "POS") && s.low(i-1) != "that" && s.low(i-1) != "this" && (s.noun(i+1) || s.adj(i+1)) {
		t.tag = "VBN"
	}
}

// verbBefore reports whether any verb stands before token i.
func (s *sentence) verbBefore(i int) bool {
	for k := range i {
		if s.verb(k) {
			return true
		}
	}
	return false
}

// noAux reports whether no auxiliary governs the verb form at i.
func (s *sentence) noAux(i int) bool {
	for k := i - 1; k >= 0 && k > i-12; k-- {
		t := s.tag(k)
		if t == "," || t == "CC" || t == ":" || t == "IN" || t == "WP" || t == "WDT" {
			return true
		}
		if closedVerb(s.low(k)) {
			return false
		}
	}
	return true
}

// auxAfterNouns reports whether only nouns stand between token i and a finite
// auxiliary: token i is then one of them ("arriva trains wales has").
func (s *sentence) auxAfterNouns(i int) bool {
	for k := i + 1; k < len(s.toks) && k < i+6; k++ {
		if s.noun(k) || s.tag(k) == "CD" {
			continue
		}
		return k > i+1 && s.finiteAt(k) && closedVerb(s.low(k))
	}
	return false
}

func closedVerb(low string) bool {
	return beForms.has(low) || haveForms.has(low) || doForms.has(low) || modals.has(low)
}

// finiteBefore reports whether the stretch of text that holds token i, up to the
// last comma, conjunction or clause opener, has a finite verb already, other
// than one of saying: a second one is then most likely a noun.
func (s *sentence) finiteBefore(i int) bool {
	if s.afterRelative(i) {
		return false
	}
	for k := i - 1; k >= 0; k-- {
		t := s.tag(k)
		switch {
		case t == "," || t == "CC" || t == ":" || t == "WP" || t == "WDT" || t == "WRB" || t == "``" || t == "''" || t == "(" || t == "." || t == "PRP" || t == "EX":
			return false
		case t == "IN" && (s.low(k) == "that" || subordinators.has(s.low(k))) || s.low(k) == "that" || s.low(k) == "once":
			return false
		case t == "VBG" || t == "VBN":
			return false
		case s.finiteAt(k):
			l := s.lemma(k)
			return !sayVerbs.has(l) && !factiveVerbs.has(l) && l != "see" && l != "help" && l != "make" && l != "let"
		}
	}
	return false
}

// afterRelative reports whether the words before i are a noun phrase with a
// relative clause about it that has its one verb already, so that the verb of
// the clause around is still to come: "the woman who won the prize lives".
func (s *sentence) afterRelative(i int) bool {
	verbs := 0
	for k := i - 1; k > 0 && k > i-20; k-- {
		switch t := s.tag(k); {
		case s.finiteAt(k):
			if !(closedVerb(s.low(k)) && s.verb(k+1)) {
				verbs++
			}
		case t == "WP" || t == "WDT" || s.low(k) == "that" && t != "DT":
			if verbs != 1 || !s.noun(k-1) || !s.finiteAt(k+1) {
				return false
			}
			// No finite verb before the noun either.
			for m := k - 1; m >= 0; m-- {
				if u := s.tag(m); u == "," || u == ":" || u == "``" || u == "IN" && subordinators.has(s.low(m)) && !s.preposition(m) || s.low(m) == "that" {
					return true
				} else if s.finiteAt(m) {
					return sayVerbs.has(s.lemma(m)) || factiveVerbs.has(s.lemma(m))
				}
			}
			return true
		case t == "," || t == ":" || t == "CC" || t == "``" || t == "''" || t == "." || t == "(" || t == ")" || t == "WRB" || t == "PRP":
			return false
		}
	}
	return false
}

// irregularParticiple reports forms that are a past and a participle at once
// and nothing else ("lent", "won", "brought").
func irregularParticiple(w string) bool {
	return oneOf(w, "bent", "bound", "bled", "bred", "brought", "built", "bought", "caught", "clung", "crept", "dealt", "dug", "fed", "felt", "fought", "fled", "found", "ground", "heard", "held", "kept", "knelt", "knew", "led", "left", "lent", "lost", "made", "meant", "met", "paid", "rode", "said", "sold", "sent", "shot", "slept", "slid", "sought", "spent", "spun", "spread", "stood", "stuck", "stung", "struck", "strung", "swept", "swung", "taught", "told", "thought", "understood", "won", "wept", "withheld", "rebuilt", "begun", "given", "taken", "seen", "done", "gone", "been", "written", "driven", "fallen", "chosen")
}

// irregularSame reports verbs whose past participle looks like their present.
func irregularSame(w string) bool {
	return oneOf(w, "become", "come", "run", "cut", "put", "set", "hit", "let", "shut", "cost", "hurt", "read", "split", "spread", "quit")
}

// joinsPast reports whether the participle at i, after "and" and before a noun
// without determiner, is rather the past of a second verb: a past with a direct
// object stands before "and". Words that mostly describe nouns stay.
func (s *sentence) joinsPast(i int) bool {
	next := s.tag(i + 1)
	if s.tag(i-1) != "CC" || !s.noun(i-2) || next != "NNS" && next != "NNP" && next != "NNPS" || describing.has(s.low(i)) {
		return false
	}
	for k := i - 2; k >= 0 && k > i-9; k-- {
		switch t := s.tag(k); {
		case t == "VBD":
			return true
		case !s.noun(k) && !s.adj(k) && t != "DT" && t != "CD" && t != "PRP$" && t != "POS" && t != "JJ":
			return false
		}
	}
	return false
}

// describing are participles that stand before nouns more often than they are
// verbs.
var describing = words(`abandoned accused added advanced affected affiliated aged alleged armed associated attached baked canned combined
	convicted crowded damaged decorated dedicated detailed devoted disabled displaced dried educated elected enlarged established estimated
	expected experienced extended failed fixed frightened fried furnished handicapped heated imported improved increased infected injured
	interested involved isolated learned licensed limited listed loaded married mixed motorized organised organized painted paired planned
	polished printed processed projected proposed published qualified reduced refined related removed renewed required restricted retired
	revised salted scattered selected self-employed sentenced skilled smoked specialised specialized stuffed suspected trained trusted
	unarmed unemployed united unmarried used varied wanted wounded`)
