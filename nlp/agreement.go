package nlp

import "strings"

// want is what a pronoun asks of its referent.
type want struct {
	class     class
	gender    Gender
	reflexive bool
}

func pronounWants(w string) (want, bool) {
	switch w {
	case "he", "him", "his":
		return want{class: person, gender: Masculine}, true
	case "himself":
		return want{person, Masculine, true}, true
	case "she", "her", "hers":
		return want{class: person, gender: Feminine}, true
	case "herself":
		return want{person, Feminine, true}, true
	case "it", "its":
		return want{class: thing}, true
	case "itself":
		return want{thing, UnknownGender, true}, true
	case "they", "them", "their", "theirs":
		return want{class: plural}, true
	case "themselves":
		return want{plural, UnknownGender, true}, true
	}
	return want{}, false
}

// agrees reports whether the entity can be what w asks for.
func (e *entity) agrees(w want) bool {
	switch w.class {
	case person:
		return (e.class == person || e.class == unknownClass) && (e.gender == w.gender || e.gender == UnknownGender)
	case thing:
		return e.class == thing || e.class == group || e.class == unknownClass && e.gender == UnknownGender
	case plural:
		return e.class == plural || e.class == group
	}
	return false
}

// blocked reports whether grammar forbids that the pronoun ms[i] means c.
func (r *resolver) blocked(ms []mention, i int, c mention, asks want) bool {
	m := ms[i]
	if c.sent != m.sent {
		return false
	}
	// A pronoun is no part of what it means: "his father", "her mother, Ellen".
	if c.wholeFirst <= m.head && m.head < c.wholeEnd && !(c.role == possessor && c.head < m.head) {
		return true
	}
	if c.apposed >= 0 {
		if p := ms[c.apposed]; p.wholeFirst <= m.head && m.head < p.wholeEnd {
			return true
		}
	}
	if c.head > m.head {
		return false
	}
	if asks.reflexive {
		return c.role != subject && c.role != otherRole && !c.pronoun
	}
	words, boundary := r.verbsBetween(c.end, m.first)
	switch {
	case m.role == possessor:
		// "Ellen was her mother": the predicate says who Ellen is.
		return c.role == subject && words == 1 && !boundary && r.predicateOf(ms, i)
	case c.role == subject && (m.role == object || m.role == oblique) && words == 1 && !boundary:
		// "Bo hired him": another one. "Bo took it with him" is rarer.
		return m.role == object
	}
	return false
}

// predicateOf reports whether the possessive pronoun ms[i] belongs to a
// predicate noun.
func (r *resolver) predicateOf(ms []mention, i int) bool {
	for _, c := range ms {
		if c.first == ms[i].wholeFirst && c.end == ms[i].wholeEnd && !c.pronoun {
			return c.role == predicate && c.class == person
		}
	}
	return false
}

// verbsBetween counts the verb groups between two tokens, and reports whether a
// border of clauses lies there.
func (r *resolver) verbsBetween(from, to int) (n int, border bool) {
	group := false
	for k := from; k < to && k < len(r.d.Tokens); k++ {
		t := r.d.Tokens[k]
		switch {
		case isVerb(t.Tag):
			if !group {
				n++
			}
			group = true
			continue
		case t.Tag == "RB" || t.Tag == "TO" && group:
			continue
		case t.Tag == "WP" || t.Tag == "WDT" || t.Tag == "WRB" || t.Tag == "WP$" || t.Tag == ":" || t.Tag == "``" || t.Tag == "''",
			t.Tag == "IN" && clauseIntroducers[strings.ToLower(t.Text)] && !strings.EqualFold(t.Text, "for") && !strings.EqualFold(t.Text, "like"),
			t.Tag == "CC" && k+1 < len(r.d.Tokens) && !isNoun(r.d.Tokens[k+1].Tag):
			border = true
		}
		group = false
	}
	return n, border
}
