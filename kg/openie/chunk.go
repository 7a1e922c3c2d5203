package openie

import (
	"strings"
)

// span is a range [first, end) of a sentence's tokens.
type span struct{ first, end int }

func (r span) empty() bool { return r.end <= r.first }

// finiteAt reports whether a finite verb group starts at i by its tag alone.
func (s *sentence) finiteAt(i int) bool {
	switch s.tag(i) {
	case "MD", "VBZ", "VBP", "VBD":
		return true
	}
	return false
}

// group is a verb group: auxiliaries, adverbs between them, the main verb, and
// verbs chained to it ("failed to win", "started working").
type group struct {
	span
	// verb is the first token after leading adverbs; main the last verb.
	verb, main int
	finite     bool
	// form is the tag of the first verb: MD VBZ VBP VBD VB VBG VBN, or TO for an
	// infinitive.
	form    string
	passive bool
	neg     bool
	// copula: the main verb links subject and complement.
	copula bool
	// say: the main verb reports; content is not asserted.
	say bool
}

// past reports whether the group speaks of the past.
func (s *sentence) past(g *group) bool {
	if g == nil {
		return false
	}
	return g.form == "VBD" || g.form == "VBN" && g.finite || s.low(g.verb) == "had"
}

// skipAdverbs returns the first position from i that is not an adverb.
func (s *sentence) skipAdverbs(i, lim int) int {
	for i < lim && (s.adverb(i) || i > 0 && s.tag(i) == "CC" && s.adverb(i-1) && s.adverb(i+1)) {
		i++
	}
	return i
}

// verbGroup reads a verb group at i. Leading adverbs are taken in.
func (s *sentence) verbGroup(i, lim int) (*group, bool) {
	j := s.skipAdverbs(i, lim)
	if j >= lim {
		return nil, false
	}
	g := &group{span: span{i, j}, verb: j}
	if s.tag(j) == "TO" {
		k := s.skipAdverbs(j+1, lim)
		if k >= lim || s.tag(k) != "VB" && !(s.tag(k) == "VBP" && s.low(k) == s.lemma(k)) {
			return nil, false
		}
		g.form = "TO"
		j = k
	} else if s.verb(j) {
		g.form = s.tag(j)
		g.finite = s.finiteAt(j)
	} else {
		return nil, false
	}
	for k := i; k < j; k++ {
		g.neg = g.neg || negative(s.low(k))
	}
	main := j
	for n := 0; n < 40; n++ {
		k := main + 1
		// Adverbs inside the group belong to it only where a verb follows.
		a := s.skipAdverbs(k, lim)
		for b := k; b < a; b++ {
			if s.low(b) == "not" && (s.low(b+1) == "only" || s.low(b+1) == "just" || s.low(b+1) == "merely") && !s.verb(a) {
				break // "not only rich but also kind": both
			}
			if s.low(b) == "not" || s.low(b) == "n't" {
				g.neg = true
				k = b + 1
			}
		}
		ok := false
		if a < lim {
			low, t := s.low(main), s.tag(a)
			switch {
			case s.low(main) == "ought" && t == "TO":
			case s.tag(main) == "MD" && s.low(k) == "or" && s.tag(k+1) == "MD":
				main = k + 1 // "may or may not"
				continue
			case s.tag(main) == "MD":
				ok = t == "VB" || t == "VBP" && s.low(a) == s.lemma(a)
			case beForms.has(low) || s.lemma(main) == "be":
				ok = t == "VBN" || t == "VBG" || t == "VBD" && !haveForms.has(s.low(a))
				if ok && t == "VBG" && !s.gerundVerb(a, lim) {
					ok = false
				}
				if t == "VBN" && ok {
					g.passive = true
				}
			case haveForms.has(low) && s.lemma(main) == "have":
				ok = t == "VBN"
				if ok && s.low(a) == "been" {
					ok = true
				}
			case doForms.has(low):
				ok = t == "VB" || t == "VBP" && s.low(a) == s.lemma(a)
			case s.lemma(main) == "get" && t == "VBN" && a == k:
				ok, g.passive = true, true
			}
			if !ok && t == "TO" {
				b := s.skipAdverbs(a+1, lim)
				if b < lim && (s.tag(b) == "VB" || s.tag(b) == "VBP" && s.low(b) == s.lemma(b)) && (s.tag(main) != "MD" || s.low(main) == "ought") {
					for c := k; c < a; c++ {
						g.neg = g.neg || negative(s.low(c))
					}
					g.passive = false
					main = b
					continue
				}
			}
			if !ok && s.adj(a) && linkAdjectives.has(s.low(a)) && s.lemma(main) == "be" && s.tag(a+1) == "TO" {
				b := s.skipAdverbs(a+2, lim)
				if b < lim && s.tag(b) == "VB" {
					main = b
					continue
				}
			}
			if !ok && a == k && t == "VBG" && gerundVerbs.has(s.lemma(main)) {
				ok = true
				g.passive = false
			}
		}
		if !ok {
			main = max(main, k-1)
			break
		}
		for c := main + 1; c < a; c++ {
			g.neg = g.neg || negative(s.low(c))
		}
		if s.tag(a) != "VBN" {
			g.passive = false
		}
		main = a
	}
	if s.low(i) == "not" && s.low(i+1) == "only" {
		g.neg = false
	}
	g.end = main + 1
	for main > j && !s.verb(main) {
		main--
	}
	g.main = main
	if s.tag(main) == "VBN" && g.verb == main && !g.finite {
		g.passive = true
	}
	lemma := s.lemma(main)
	g.copula = copulas.has(lemma) && !g.passive
	g.say = sayVerbs.has(lemma)
	// A particle stays with its verb.
	if k := g.end; k < lim && s.tag(k) == "RP" {
		g.end++
	}
	return g, true
}

func negative(low string) bool {
	switch low {
	case "not", "n't", "never", "no", "hardly", "scarcely", "rarely", "seldom", "neither", "nor", "cannot":
		return true
	}
	return false
}

// gerundVerb tells "is leading the race" from "is leading theory": after a form
// of "be" an -ing form is the verb unless a bare noun follows it directly.
func (s *sentence) gerundVerb(i, lim int) bool {
	return !(i+1 < lim && s.tag(i+1) == "NN" && s.tag(i-1) == "DT")
}

// nominalStart reports whether a noun phrase may start at i.
func (s *sentence) nominalStart(i, lim int) bool {
	_, _, ok := s.baseNP(i, lim)
	return ok
}

// baseNP reads a noun phrase without anything after its head noun and returns
// its end and its head.
func (s *sentence) baseNP(i, lim int) (end, head int, ok bool) {
	if i >= lim {
		return 0, 0, false
	}
	switch s.tag(i) {
	case "PRP":
		if s.low(i+1) == "own" {
			return 0, 0, false
		}
		return i + 1, i, true
	case "EX":
		return 0, 0, false
	}
	if s.adj(i) && (s.preposition(i-1) && i > 0) && (s.finiteAt(i+1) || s.tag(i+1) == "VBN") {
		return i + 1, i, true // "the board of chiropractic released ..."
	}
	if s.low(i) == "such" && s.low(i+1) == "as" {
		return 0, 0, false
	}
	k := i
	lastNoun, lastAdj, lastNum := -1, -1, -1
	det := false
	for k < lim {
		t, low := s.tag(k), s.low(k)
		switch {
		case k-i > 60:
			goto done
		case k == i && low == "all" && s.low(k+1) == "but" && (s.tag(k+2) == "CD" || s.tag(k+2) == "DT"):
			k++ // "all but one of the passengers"
		case t == "PDT" || t == "DT" || t == "PRP$" || t == "WP$":
			if lastNoun >= 0 || lastAdj >= 0 && low != "the" || lastNum >= 0 {
				goto done
			}
			if low == "that" && !(s.noun(k+1) || s.adj(k+1)) && k > i {
				goto done
			}
			det = true
		case t == "CD" || t == "$":
			if lastNoun >= 0 && !(s.proper(lastNoun) || calendar.has(s.low(lastNoun)) || s.low(lastNoun) == "%" || len(s.low(lastNoun)) < 3 || s.tag(lastNoun) == "NN" && t == "CD" && (!s.noun(k+1) || det && s.verbs != nil && s.verbs[k] == 0)) {
				goto done
			}
			lastNum = k
		case (low == "about" || low == "over" || low == "around" || low == "under" || low == "nearly") && lastNoun < 0 && (s.tag(k+1) == "CD" || s.tag(k+1) == "$"):
		case lastNoun < 0 && (low == "more" || low == "less" || low == "fewer") && s.low(k+1) == "than":
			k++
		case lastNoun < 0 && low == "than" && k > i && (s.low(k-1) == "more" || s.low(k-1) == "less" || s.low(k-1) == "fewer") && (s.tag(k+1) == "CD" || s.tag(k+1) == "DT" || s.tag(k+1) == "$"):
		case lastNoun < 0 && low == "at" && (s.low(k+1) == "least" || s.low(k+1) == "most") && (s.tag(k+2) == "CD" || s.tag(k+2) == "$" || s.tag(k+2) == "DT"):
			k++
		case lastNoun < 0 && low == "up" && s.low(k+1) == "to" && (s.tag(k+2) == "CD" || s.tag(k+2) == "$" || k == i && s.tag(k+2) == "DT" && s.noun(k+3)):
			k++
		case s.adj(k):
			if lastNoun >= 0 && !s.headAhead(k, lim) {
				// "the spain international received": an adjective as the head.
				if det && lastNoun == k-1 && s.verbs != nil && s.verbs[k] == 0 && (s.tag(k+1) == "VBN" || s.finiteAt(k+1) || s.tag(k+1) == "(" || s.tag(k+1) == "WDT" || s.tag(k+1) == "WP" || s.low(k+1) == "that") {
					lastNoun = k
					k++
					continue
				}
				goto done
			}
			lastAdj = k
		case k == i && oneOf(low, "hardly", "scarcely", "barely", "almost", "nearly", "virtually") && oneOf(s.low(k+1), "any", "anyone", "anybody", "anything", "everyone", "everybody", "everything", "nobody", "nothing", "none"):
		case k == i && (low == "almost" || low == "nearly" || low == "about" || low == "not") && (s.low(k+1) == "all" || s.low(k+1) == "every" || s.low(k+1) == "half" || s.low(k+1) == "no" || low == "not" && oneOf(s.low(k+1), "a", "an", "one", "many", "everyone", "everybody")):
		case k == i && s.adverb(k) && oneOf(low, "only", "even", "just", "especially", "particularly") && (s.tag(k+1) == "DT" || s.tag(k+1) == "PRP$" || s.proper(k+1)):
		case s.adverb(k):
			// "a very big dog", "nearly 40 people"
			n := s.tag(k + 1)
			if lastNoun >= 0 || !(n == "CD" || n == "$" || strings.HasPrefix(n, "JJ") || n == "VBN" && s.headAhead(k+1, lim) || strings.HasPrefix(n, "RB") && det) || negative(low) && n != "JJ" {
				goto done
			}
			if !det && n != "CD" && n != "$" && !s.headAhead(k+1, lim) {
				goto done
			}
		case t == "VBN" || t == "VBD" && det && !pastForms.has(low) && !closedVerb(low) || t == "VBG":
			if lastNoun >= 0 && s.tag(k-1) != "POS" && low != "based" {
				goto done
			}
			if !s.headAhead(k, lim) || t == "VBG" && low == "including" {
				goto done
			}
			if !det && lastAdj < 0 && lastNum < 0 && s.tag(k-1) != "POS" && k > i {
				goto done
			}
			lastAdj = k
		case strings.HasPrefix(t, "NN") || t == "FW":
			if lastNoun >= 0 && (adverbNouns.has(low) || calendar.has(low) && !s.proper(lastNoun) && s.tag(k-1) != "CD" && s.tag(k-1) != "POS" && s.tag(k+1) != "NN" && s.tag(k+1) != "NNS") {
				goto done
			}
			if adverbNouns.has(s.low(lastNoun)) && lastNoun == k-1 && !timeNouns.has(s.lemma(k)) {
				goto done
			}
			if lastNum == k-1 && lastNum >= 0 && !det && year(s.low(k-1)) && s.preposition(i-1) && s.verbStarts(k+1, lim) {
				goto done // "in late 2012 hsbc paid"
			}
			if lastNum == k-1 && s.proper(k) && (k-1 == i && year(s.low(i)) && s.preposition(i-1) || decade(s.low(k-1))) {
				goto done
			}
			if lastNoun == k-1 && lastNoun >= 0 && s.proper(k) && s.tag(lastNoun) == "NN" && (s.low(i) == "a" || s.low(i) == "an") && !roleNoun(s.low(lastNoun), s.lemma(lastNoun)) && !(lastNoun > i && roleNoun(s.low(lastNoun-1), s.lemma(lastNoun-1))) && s.verbStarts(k+1, lim) {
				goto done
			}
			lastNoun = k
		case t == "POS":
			if lastNoun != k-1 && lastNum != k-1 && !(lastAdj == k-1 && det) {
				goto done
			}
			det = true
			lastAdj, lastNum = -1, -1
			if k+1 < lim && (s.noun(k+1) || s.adj(k+1) || s.tag(k+1) == "CD" || s.tag(k+1) == "VBN" || s.tag(k+1) == "VBG" || s.tag(k+1) == "``" || s.adverb(k+1)) {
				k++
				if s.tag(k) == "VBN" || s.tag(k) == "VBG" || s.adverb(k) {
					if !s.headAhead(k, lim) {
						k--
						lastNoun = k
						k++
						goto done
					}
				}
				lastNoun = -1
				continue
			}
			lastNoun = k
		case low == "&" && lastNoun == k-1 && s.noun(k+1):
		case low == "-" && lastNoun+lastAdj+lastNum > -3 && k+1 < lim && k > i && s.wordy(k-1) && (s.noun(k+1) || s.adj(k+1) || s.tag(k+1) == "VBN" || s.tag(k+1) == "VBG" || s.tag(k+1) == "CD"):
			// A compound written with blanks: "fume - filled".
			if !s.noun(k+1) && !s.headAhead(k+1, lim) {
				goto done
			}
			k++
			if s.noun(k) {
				lastNoun = k
			} else {
				lastAdj, lastNoun = k, -1
				if !s.headAhead(k, lim) && !s.adj(k) {
					lastNoun = k
				}
			}
		case low == "or" && lastNum == k-1 && lastNum >= 0 && (s.low(k+1) == "more" || s.low(k+1) == "less" || s.low(k+1) == "fewer" || s.low(k+1) == "so" || s.tag(k+1) == "CD"):
			k++
		case t == "CC" && (low == "and" || low == "or") && s.innerAnd(k, i, lim, lastNoun, lastAdj):
			lastNoun = -1
		case t == "," && lastNoun < 0 && lastAdj == k-1 && k > i && s.tag(k+1) == "CC" && s.adj(k+2) && s.headAhead(k+2, lim):
			k++ // "an odd, dark, and funny film"
		case t == "," && det && lastNoun < 0 && lastAdj == k-1 && s.noun(k+1) && s.tag(k+2) == "CC" && s.adj(k+3) && s.headAhead(k+3, lim):
			k += 2 // "the latest genetic, fossil and archaeological evidence"
		case t == "," && lastNoun < 0 && lastAdj == k-1 && k > i && (s.adj(k+1) || s.tag(k+1) == "VBN") && s.headAhead(k+1, lim):
		case t == "``":
			c, ok := s.close[k]
			if !ok || c-k > 9 || c >= lim || c == k+1 {
				goto done
			}
			if k == i || !(det || lastAdj >= 0 || lastNoun >= 0) {
				if s.verbs[c]-s.verbs[k] > 0 {
					goto done
				}
			}
			if lastNoun >= 0 && s.low(c-1) == "," {
				goto done
			}
			lastNoun = c - 1
			for lastNoun > k+1 && !s.noun(lastNoun) {
				lastNoun--
			}
			k = c
		default:
			goto done
		}
		k++
	}
done:
	end = k
	// Trim what cannot end a noun phrase.
	for end > i {
		t := s.tag(end - 1)
		if t == "," || t == "CC" || t == ":" || s.adverb(end-1) || t == "IN" || t == "TO" || s.low(end-1) == "&" {
			end--
			continue
		}
		break
	}
	if end <= i {
		return 0, 0, false
	}
	if end < lim && s.tag(end) == "PRP" && (strings.HasSuffix(s.low(end), "self") || strings.HasSuffix(s.low(end), "selves")) && lastNoun == end-1 {
		end++ // "the king himself"
	}
	switch {
	case lastNoun >= 0 && lastNoun < end:
		head = lastNoun
	case lastNum >= 0 && lastNum < end && s.tag(lastNum) == "CD":
		head = lastNum
	case lastAdj >= 0 && det && lastAdj < end && s.tag(i) != "POS":
		head = lastAdj
	case end-i == 1 && s.tag(i) == "DT" && oneOf(s.low(i), "this", "that", "these", "those", "some", "many", "all", "each", "both", "none", "another", "any", "few", "most", "either", "neither"):
		head = i
	case end-i == 1 && oneOf(s.low(i), "many", "few", "most", "several", "others", "more", "less", "much", "such"):
		head = i
	default:
		// A determiner with nothing found after it.
		return 0, 0, false
	}
	return end, head, true
}

// year reports four digits that look like a year.
func year(w string) bool {
	return len(w) == 4 && (w[0] == '1' || w[0] == '2') && strings.Trim(w, "0123456789") == ""
}

// decade reports "1730s" and the like.
func decade(w string) bool { return len(w) == 5 && w[4] == 's' && year(w[:4]) }

// headAhead reports whether a noun follows i over adjectives, participles,
// numbers and their coordination: whether i can stand before a noun.
func (s *sentence) headAhead(i, lim int) bool {
	for k := i + 1; k < lim && k < i+7; k++ {
		t := s.tag(k)
		switch {
		case s.low(k) == "last" || s.low(k) == "next":
			return false
		case strings.HasPrefix(t, "NN"):
			return !adverbNouns.has(s.low(k))
		case strings.HasPrefix(t, "JJ"), t == "VBN", t == "VBG", t == "CD", t == "$":
		case t == "CC" && k > i && (s.adj(k+1) || s.tag(k+1) == "VBN"):
		case t == "," && (s.adj(k+1) || s.tag(k+1) == "CC" && s.adj(k+2)):
		case s.low(k) == "-":
		case t == "``":
		case s.adverb(k) && s.adj(k+1):
		default:
			return false
		}
	}
	return false
}

// innerAnd reports whether the conjunction at k joins modifiers inside one noun
// phrase: "black and white dogs", "the police and fire departments".
func (s *sentence) innerAnd(k, first, lim, lastNoun, lastAdj int) bool {
	if lastNoun < 0 {
		return lastAdj == k-1 && k > first && (s.adj(k+1) || s.tag(k+1) == "VBN" || s.proper(k+1) || s.adverb(k+1) && s.adj(k+2)) && s.headAhead(k+1, lim)
	}
	// One singular common noun on the left, two nouns on the right.
	if lastNoun != k-1 || s.tag(lastNoun) != "NN" || !s.noun(k+1) || s.proper(k+1) || !s.noun(k+2) {
		return false
	}
	return lastNoun == first || lastNoun == first+1 && s.tag(first) == "DT"
}
