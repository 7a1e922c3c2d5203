package nlp

import "math"

// feature is a property of the pair of a pronoun and a candidate.
type feature int

const (
	sameSentence feature = iota
	previousSentence
	fartherSentences // per sentence beyond the previous one
	asSubject
	asObject
	asOblique
	asPossessor
	inBrackets
	firstOfSentence
	parallelSubject
	parallelOther
	throughPronoun // the latest mention of the candidate is a pronoun itself
	knownPerson
	genderKnown
	oftenNamed // per doubling of the mentions so far
	between    // per other candidate between
	commonNoun
	nameless // the entity of an unresolved pronoun
	quoteBorder
	ownersSubject // a possessive and the subject of its clause
	laterInClause // cataphora: "When she came, Angela left."
	laterInPhrase // cataphora: "In his youth, Bo sang."
	controlled    // "asked Bo to bring his"
	throughWho    // the latest mention is a relative pronoun
	commonName    // a name of one word that is a common word too
	firstName     // the first name of the text
	subjectBoth   // subject of the sentence before, and the pronoun begins its own
	joinedByAnd   // the mention is one of several
	obliqueClash  // subject of the clause in which the pronoun follows a preposition
	parallelNear  // both subjects in the same sentence
	groupForThey  // one group for "they", which means several things first
	placeForIt    // a place for "it": most texts talk of what is there
	weak          // score below which he or she stays unresolved
	weakThing     // the same for it and they
	margin        // by how much the best must beat the next
	features
)

type weights [features]float64

// standard are the tuned weights.
var standard = weights{
	sameSentence:     2.20,
	previousSentence: 0.44,
	fartherSentences: -1.28,
	asSubject:        1.07,
	asObject:         0.17,
	asOblique:        -0.44,
	asPossessor:      0.41,
	inBrackets:       -0.60,
	firstOfSentence:  0.15,
	parallelSubject:  0.30,
	parallelOther:    0.07,
	throughPronoun:   -0.10,
	knownPerson:      0.35,
	genderKnown:      0.60,
	oftenNamed:       0.17,
	between:          -0.25,
	commonNoun:       -1.41,
	nameless:         -0.53,
	quoteBorder:      -0.75,
	ownersSubject:    1.12,
	laterInClause:    0.15,
	laterInPhrase:    1.02,
	controlled:       0.49,
	throughWho:       -0.67,
	commonName:       -0.25,
	firstName:        0.20,
	subjectBoth:      1.04,
	joinedByAnd:      -0.83,
	obliqueClash:     -0.15,
	parallelNear:     -0.37,
	groupForThey:     -0.90,
	placeForIt:       -0.80,
	weak:             -1.04,
	weakThing:        0.2,
	margin:           0.05,
}

// score weighs the candidate c for the pronoun m.
func (r *resolver) score(ms []mention, m, c mention, asks want, nearer int) float64 {
	w := r.w
	e := &r.entities[c.entity]
	x := 0.0
	switch dist := m.sent - c.sent; {
	case dist == 0:
		x += w[sameSentence]
	case dist == 1:
		x += w[previousSentence]
	default:
		x += w[previousSentence] + w[fartherSentences]*float64(dist-1)
	}
	switch c.role {
	case subject:
		x += w[asSubject]
		if m.role == subject {
			x += w[parallelSubject]
			if m.sent-c.sent == 1 && m.order == 0 {
				x += w[subjectBoth]
			}
		}
		if m.role == possessor && c.sent == m.sent {
			if n, border := r.verbsBetween(c.end, m.first); n <= 1 && !border {
				x += w[ownersSubject]
			}
		}
	case object:
		x += w[asObject]
		if m.role == object {
			x += w[parallelOther]
		}
	case oblique:
		x += w[asOblique]
		if m.role == oblique {
			x += w[parallelOther]
		}
	case possessor:
		x += w[asPossessor]
		if m.role == possessor {
			x += w[parallelOther]
		}
	case aside:
		x += w[inBrackets]
	}
	if c.order == 0 {
		x += w[firstOfSentence]
	}
	if c.joined {
		x += w[joinedByAnd]
	}
	if c.sent == m.sent && c.head < m.head {
		if c.role == subject && m.role == subject {
			x += w[parallelNear]
		}
		if c.role == subject && m.role == oblique {
			if n, border := r.verbsBetween(c.end, m.first); n == 1 && !border {
				x += w[obliqueClash]
			}
		}
	}
	if c.control && c.sent == m.sent {
		x += w[controlled]
	}
	if c.name >= 0 && e.common {
		x += w[commonName]
	}
	if c.relative {
		x += w[throughWho]
	} else if c.pronoun {
		x += w[throughPronoun]
	} else if c.name < 0 && asks.class == person {
		x += w[commonNoun]
	} else if asks.class == thing && c.name >= 0 && r.d.Names[c.name].Kind == Place {
		x += w[placeForIt]
	}
	if e.class == group && asks.class == plural {
		x += w[groupForThey]
	}
	if e.class == person && asks.class == person {
		x += w[knownPerson]
	}
	if asks.class == person && e.gender == asks.gender {
		x += w[genderKnown]
	}
	x += w[oftenNamed] * math.Log2(float64(min(max(e.count, 1), 16)))
	x += w[between] * float64(min(nearer, 4))
	if e.nameless {
		x += w[nameless]
	}
	if c.quoted != m.quoted {
		x += w[quoteBorder]
	}
	if c.entity == r.first {
		x += w[firstName]
	}
	return x
}
