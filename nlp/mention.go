package nlp

import "strings"

// role is the place of a mention in its clause, as far as the words beside it
// tell.
type role uint8

const (
	otherRole role = iota
	subject
	object
	oblique   // after a preposition
	possessor // before 's, or a possessive pronoun
	predicate // after a form of be
	aside     // in brackets
)

// class is what a mention can agree with.
type class uint8

const (
	unknownClass class = iota
	person             // one person
	thing              // one thing, place or idea
	plural             // several of either
	group              // one group of people: it or they
	moment             // times and amounts: no pronoun means them
)

// mention is a noun phrase, a possessor within one, or a pronoun.
type mention struct {
	first, end, head int
	sent             int
	role             role
	class            class
	gender           Gender
	name             int // position in Document.Names, -1 for a common noun
	entity           int // set by the resolver
	order            int // position among the mentions of its sentence
	quoted           bool
	pronoun          bool
	relative         bool // who, whom, whose
	control          bool // an object whose infinitive follows: "asked Bo to go"
	joined           bool // one of several joined by "and"
	definite         bool
	// whole is the phrase that holds a possessor, else the mention itself.
	wholeFirst, wholeEnd int
	// apposed is the mention before that this one explains ("her father,
	// Philip"), -1 if none; it is a position in the list of the sentence.
	apposed int
}

// mentions returns the mentions of the sentence with index si in the order of
// their heads.
func (d *Document) mentions(si int) []mention {
	s := d.Sentences[si]
	ts := d.Tokens[:s.End]
	names := d.namesIn(s)
	nameBase := d.nameFrom(s.First)
	quoted := quotedTokens(d.Tokens, s)
	brackets := bracketTokens(d.Tokens, s)
	var out []mention
	phrases := d.NounPhrases(s)
	endOf := make(map[int]int, len(phrases))
	for _, p := range phrases {
		endOf[p.First] = p.End
	}
	nameAt := func(head int) int {
		for k := len(names) - 1; k >= 0; k-- {
			if names[k].First <= head && head < names[k].End {
				return nameBase + k
			}
		}
		return -1
	}
	add := func(m mention) {
		m.sent, m.order, m.apposed = si, len(out), -1
		m.quoted = quoted[m.head-s.First]
		m.name = -1
		if !m.pronoun {
			m.name = nameAt(m.head)
			m.definite = strings.EqualFold(ts[m.first].Text, "the")
			m.class, m.gender = d.classOf(m)
		}
		if brackets[m.head-s.First] && (m.role != subject || m.name >= 0 && at(ts, m.end).Tag == ")") {
			m.role = aside
		}
		m.control = m.role == object && at(ts, m.end).Tag == "TO" && strings.HasPrefix(at(ts, m.end+1).Tag, "VB")
		out = append(out, m)
	}
	at0 := s.First
	who := func(to int) {
		for k := at0; k < to; k++ {
			if ts[k].Tag == "WP" && (strings.EqualFold(ts[k].Text, "who") || strings.EqualFold(ts[k].Text, "whom")) && k > s.First {
				r := subject
				if strings.EqualFold(ts[k].Text, "whom") {
					r = object
				}
				add(mention{first: k, end: k + 1, head: k, role: r, pronoun: true, relative: true, wholeFirst: k, wholeEnd: k + 1})
			}
		}
		at0 = to
	}
	for _, p := range phrases {
		who(p.First)
		at0 = p.End
		from := p.First
		for k := p.First; k < p.End; k++ {
			switch ts[k].Tag {
			case "PRP$":
				add(mention{first: k, end: k + 1, head: k, role: possessor, pronoun: true, wholeFirst: p.First, wholeEnd: p.End})
			case "POS":
				if k > from && !isGenitiveName(names, k) {
					add(mention{first: from, end: k, head: k - 1, role: possessor, wholeFirst: p.First, wholeEnd: p.End})
				}
			}
		}
		r := d.roleOf(p, s, endOf)
		add(mention{first: p.First, end: p.End, head: p.Head, role: r, pronoun: ts[p.Head].Tag == "PRP", wholeFirst: p.First, wholeEnd: p.End})
	}
	who(s.End)
	for k := range out {
		m := &out[k]
		if m.role == possessor {
			continue
		}
		m.joined = conjunction(at(ts, m.end)) && endOf[m.end+1] > 0 && nounAt(ts, m.end+1) ||
			conjunction(at(ts, m.first-1)) && m.first-2 >= s.First && isNoun(at(ts, m.first-2).Tag) && m.role != subject ||
			conjunction(at(ts, m.first-1)) && m.first-2 >= s.First && isName(at(ts, m.first-2).Tag) && m.name >= 0
	}
	d.appose(out)
	return out
}

func conjunction(t Token) bool {
	return t.Tag == "CC" && (strings.EqualFold(t.Text, "and") || t.Text == "&" || strings.EqualFold(t.Text, "or"))
}

func nounAt(ts []Token, i int) bool {
	return isName(at(ts, i).Tag) || at(ts, i).Tag == "PRP$" || at(ts, i).Tag == "DT"
}

// isGenitiveName: the 's at k is inside a name (King's College).
func isGenitiveName(names []Name, k int) bool {
	for _, n := range names {
		if n.First < k && k < n.End {
			return true
		}
	}
	return false
}

func quotedTokens(all []Token, s Sentence) []bool {
	q := make([]bool, s.End-s.First)
	open := false
	for i := s.First; i < s.End; i++ {
		switch all[i].Tag {
		case "``":
			open = true
		case "''":
			open = false
		}
		q[i-s.First] = open
	}
	return q
}

func bracketTokens(all []Token, s Sentence) []bool {
	q := make([]bool, s.End-s.First)
	depth := 0
	for i := s.First; i < s.End; i++ {
		switch all[i].Tag {
		case "(":
			depth++
		case ")":
			depth = max(depth-1, 0)
		}
		q[i-s.First] = depth > 0
	}
	// A bracket that never closes holds nothing.
	if depth > 0 {
		clear(q)
	}
	return q
}

// clauseIntroducers are prepositions that also begin a clause, so that a phrase
// after them may be its subject.
var clauseIntroducers = set(`after before since until till as while because if although though that than whether unless
	once for like when where so whereas`)

// roleOf tells the role of the phrase p.
func (d *Document) roleOf(p Phrase, s Sentence, endOf map[int]int) role {
	ts := d.Tokens[:s.End]
	prev := Token{}
	k := p.First - 1
	for k >= s.First && (ts[k].Tag == "RB" || ts[k].Tag == "RP" || ts[k].Tag == "``" || ts[k].Tag == "PDT") && k > p.First-4 {
		k--
	}
	if k >= s.First {
		prev = ts[k]
	}
	lp := strings.ToLower(prev.Text)
	preposition := (prev.Tag == "IN" || prev.Tag == "TO") && !clauseIntroducers[lp]
	if preposition {
		return oblique
	}
	if d.verbAfter(p.End, s, endOf) {
		return subject
	}
	switch {
	case prev.Tag == "IN" || prev.Tag == "TO":
		return oblique
	case beForms[lp] || lp == "'s" && prev.Tag == "VBZ" || lp == "became" || lp == "becomes" || lp == "become":
		return predicate
	case strings.HasPrefix(prev.Tag, "VB"):
		return object
	case prev.Tag == "CC" || prev.Tag == ",":
		// Coordination: as the phrase before it.
		return otherRole
	}
	return otherRole
}

// verbAfter reports whether a finite verb follows the phrase that ends at i,
// past adverbs, brackets, what stands between commas, prepositional phrases and
// coordinated phrases.
func (d *Document) verbAfter(i int, s Sentence, endOf map[int]int) bool {
	ts := d.Tokens[:s.End]
	for steps := 0; i < s.End && steps < 6; steps++ {
		t := ts[i]
		switch {
		case finite(t.Tag):
			return true
		case t.Tag == "RB" || t.Tag == "''":
			i++
		case (t.Tag == "WP" || t.Tag == "WDT") && steps == 0:
			// "the man who came" met: a second finite verb after that of the clause.
			n, j := 0, i+1
			for ; j < s.End && j-i < 18; j++ {
				u := ts[j]
				if finite(u.Tag) && !finite(ts[j-1].Tag) {
					if n++; n == 2 {
						return true
					}
				} else if u.Tag == "CC" || u.Tag == "," || u.Tag == ":" || u.Tag == "WP" || u.Tag == "WDT" || u.Tag == "WRB" || u.Tag == "PRP" ||
					u.Tag == "IN" && clauseIntroducers[strings.ToLower(u.Text)] && !strings.EqualFold(u.Text, "for") {
					return false
				}
			}
			return false
		case t.Tag == "(":
			j := i + 1
			for j < s.End && j-i < 25 && ts[j].Tag != ")" {
				j++
			}
			i = j + 1
		case t.Tag == ",":
			// ", an actress from Graz," then the verb.
			j := i + 1
			if j < s.End && (finite(ts[j].Tag) || ts[j].Tag == "CC") {
				return false
			}
			if j < s.End && (ts[j].Tag == "PRP" || ts[j].Tag == "IN" && clauseIntroducers[strings.ToLower(ts[j].Text)]) {
				return false
			}
			for ; j < s.End && j-i < 25; j++ {
				if ts[j].Tag != "," {
					continue
				}
				n := j + 1
				for n < s.End && ts[n].Tag == "RB" {
					n++
				}
				if n < s.End && finite(ts[n].Tag) {
					return true
				}
				if n >= s.End || !isNoun(ts[n].Tag) && ts[n].Tag != "DT" && ts[n].Tag != "CC" && ts[n].Tag != "JJ" && ts[n].Tag != "IN" {
					return false
				}
			}
			return false
		case t.Tag == "IN" && !clauseIntroducers[strings.ToLower(t.Text)] || t.Tag == "CC" && steps == 0 && !strings.EqualFold(t.Text, "but"):
			e, ok := endOf[i+1]
			if !ok {
				return false
			}
			i = e
		default:
			return false
		}
	}
	return false
}

var (
	momentNouns = set(`year month week day hour minute second decade century morning evening night afternoon today yesterday
		tomorrow time times season summer winter spring autumn fall weekend percent % million billion thousand dollar
		euro pound mile kilometer kilometre metre meter foot inch age date moment period while way end`)
	thingPeople = set(`people children men women police members officials fans players students workers`)
)

// classOf tells what pronouns the mention can agree with.
func (d *Document) classOf(m mention) (class, Gender) {
	t := d.Tokens[m.head]
	if m.name >= 0 {
		n := d.Names[m.name]
		switch n.Kind {
		case Person:
			return person, n.Gender
		case Place:
			return thing, UnknownGender
		case Organization:
			return group, UnknownGender
		}
		if t.Tag == "NNPS" {
			return plural, UnknownGender
		}
		return unknownClass, n.Gender
	}
	lemma := t.Lemma
	if k := strings.LastIndexByte(lemma, '-'); k >= 0 {
		lemma = lemma[k+1:]
	}
	switch {
	case t.Tag == "CD" || calendar[strings.ToLower(t.Text)] || momentNouns[lemma]:
		return moment, UnknownGender
	case t.Tag == "NNS" || t.Tag == "NNPS" || thingPeople[strings.ToLower(t.Text)]:
		return plural, UnknownGender
	case genderNouns[lemma] != UnknownGender:
		return person, genderNouns[lemma]
	case personNouns[lemma]:
		return person, UnknownGender
	case groupNouns[lemma]:
		return group, UnknownGender
	case t.Tag == "DT" || t.Tag == "EX" || t.Tag == "JJ":
		return moment, UnknownGender
	}
	if strings.HasSuffix(lemma, "body") || strings.HasSuffix(lemma, "one") && strings.HasPrefix(t.Tag, "NN") && len(lemma) > 5 && (lemma == "someone" || lemma == "everyone" || lemma == "anyone") {
		return moment, UnknownGender
	}
	if len(lemma) > 5 && (strings.HasSuffix(lemma, "ist") || strings.HasSuffix(lemma, "woman")) {
		return person, UnknownGender
	}
	return thing, UnknownGender
}

// appose marks mentions that explain the one before: "her father, Philip,",
// "Philip, a printer,".
func (d *Document) appose(ms []mention) {
	for k := 1; k < len(ms); k++ {
		m := &ms[k]
		if m.pronoun || m.role == possessor || d.Tokens[m.first].Tag == "WP$" {
			continue
		}
		// The phrase before, ending at a comma that stands before this phrase.
		if at(d.Tokens, m.first-1).Tag != "," {
			continue
		}
		for j := k - 1; j >= 0 && j >= k-3; j-- {
			p := ms[j]
			if p.end != m.first-1 || p.pronoun {
				continue
			}
			// "the leader of Iran, Ali": what has the complement is explained.
			for j > 0 && p.name >= 0 && p.class != person && strings.EqualFold(at(d.Tokens, p.first-1).Text, "of") && ms[j-1].end == p.first-1 && ms[j-1].class == person {
				j--
				p = ms[j]
			}
			after := at(d.Tokens, m.end).Tag
			lead := strings.ToLower(d.Tokens[m.first].Text)
			names := (p.name >= 0) != (m.name >= 0)
			if p.name >= 0 && m.name >= 0 && p.class == person {
				// "Gerald, 9th Earl of Kildare,"
				_, names = personTitles[strings.ToLower(d.Tokens[d.Names[m.name].First].Text)]
				names = names && (lead != strings.ToLower(d.Tokens[d.Names[m.name].First].Text) || d.Names[m.name].End-d.Names[m.name].First > 2 && hasOf(d.Tokens, d.Names[m.name]))
			}
			if names && (after == "," || after == "." || after == "" || after == ":" || after == "(" || after == "IN" && m.name < 0) &&
				(m.name >= 0 || lead == "a" || lead == "an" || lead == "the" || d.Tokens[m.first].Tag == "PRP$" || after != "CC") &&
				!(p.class == plural && m.class == person) {
				m.apposed = j
			}
			break
		}
	}
}
