package nlp

import (
	"context"
	"math"
	"strings"
)

// References are resolved by weighing the mentions of the last sentences that
// agree with the pronoun in person, number and gender. What the weights count
// is known from the literature on salience: grammatical role (Lappin and Leass
// 1994), parallel roles and recency (Kameyama 1997; the parallelism baseline of
// Webster et al. 2018), how often an entity was named, chains of pronouns, and
// whether a proper name says who it is. The weights for persons were tuned on
// the 454 rows of the GAP validation set, and on nothing else; those that only
// concern things were set by hand.
//
// A pronoun is left unresolved where the best candidate is weak or hardly
// better than the next, where it has no referent ("it rains"), where it means a
// whole clause ("this"), and in the first and second person.

// reach is how many sentences back a referent is sought.
const reach = 4

// entity is what several mentions name.
type entity struct {
	gender   Gender
	class    class
	count    int
	named    int // position of its first name, -1
	ref      Reference
	hasRef   bool
	nameless bool
	common   bool // its only name is a common word
}

type resolver struct {
	a        *Analyzer
	d        *Document
	w        *weights
	entities []entity
	byName   map[int]int // Name.Entity to entity
	// recent holds the mentions of the last sentences, oldest first.
	recent []mention
	// heads maps the lemma of a definite common noun to its last entity.
	heads map[string]int
	first int // entity of the first name of the text, -1
	// probe, if set, is told the best score of each candidate of a pronoun; the
	// tuning of the weights looks through it.
	probe func(m mention, scores map[int]float64)
}

// resolve fills d.References. Its time is linear: the search back is bounded.
func (a *Analyzer) resolve(ctx context.Context, d *Document) error {
	return resolveWith(ctx, a, d, &standard)
}

func resolveWith(ctx context.Context, a *Analyzer, d *Document, w *weights) error {
	r := newResolver(a, d, w)
	return r.run(ctx)
}

func newResolver(a *Analyzer, d *Document, w *weights) *resolver {
	return &resolver{a: a, d: d, w: w, byName: map[int]int{}, heads: map[string]int{}, first: -1}
}

func (r *resolver) run(ctx context.Context) error {
	d := r.d
	for si := range d.Sentences {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d.Sentences[si].End-d.Sentences[si].First > 2000 {
			continue // no sentence, and nothing to tell its parts by
		}
		r.sentence(si)
	}
	return nil
}

func (r *resolver) newEntity(e entity) int {
	r.entities = append(r.entities, e)
	return len(r.entities) - 1
}

// maxRecent bounds the mentions that one pronoun looks at.
const maxRecent = 160

func (r *resolver) sentence(si int) {
	// Forget what is out of reach.
	k := 0
	for k < len(r.recent) && (r.recent[k].sent < si-reach || len(r.recent)-k > maxRecent) {
		k++
	}
	r.recent = append(r.recent[:0], r.recent[k:]...)
	if len(r.heads) > 4096 {
		clear(r.heads)
	}

	ms := r.d.mentions(si)
	for i := range ms {
		ms[i].entity = -1
	}
	for i := range ms {
		m := &ms[i]
		if m.pronoun {
			r.pronoun(ms, i)
		} else {
			r.noun(ms, i)
		}
	}
	r.relatives(si, ms)
	r.recent = append(r.recent, ms...)
}

// noun gives a name or common noun its entity.
func (r *resolver) noun(ms []mention, i int) {
	m := &ms[i]
	d := r.d
	if m.entity >= 0 {
		return
	}
	join := -1
	switch {
	case m.apposed >= 0 && ms[m.apposed].entity >= 0:
		join = ms[m.apposed].entity
	case m.role == predicate && i > 0:
		// "Ada was an engineer": what the subject is.
		for j := i - 1; j >= 0; j-- {
			if ms[j].role == subject && ms[j].entity >= 0 {
				if e := &r.entities[ms[j].entity]; m.class == person && e.gender == UnknownGender && e.class != plural {
					e.gender = m.gender
				}
				if m.class == person && m.name < 0 {
					join = ms[j].entity
				}
				break
			}
		}
	}
	if m.name >= 0 {
		n := d.Names[m.name]
		if e, ok := r.byName[n.Entity]; ok {
			join = e
		}
		if join < 0 {
			join = r.newEntity(entity{named: -1})
		}
		e := &r.entities[join]
		if e.named < 0 {
			e.named = m.name
			e.ref, e.hasRef = Reference{First: n.First, End: n.End}, true
			e.nameless = false
		}
		r.byName[n.Entity] = join
		if lw := strings.ToLower(d.Tokens[n.First].Text); n.End-n.First > 1 || givenName(lw) || !r.a.dict.has(lw) {
			e.common = false
		} else if e.count == 0 {
			e.common = true
		}
		if e.gender == UnknownGender {
			e.gender = m.gender
		}
		if m.class != unknownClass || e.class == unknownClass {
			if e.class == unknownClass || m.class == person {
				e.class = m.class
			}
		}
		e.count++
		m.entity = join
		m.gender, m.class = e.gender, e.class
		if r.first < 0 && e.class != thing && e.class != group {
			r.first = join
		}
		return
	}
	lemma := d.Tokens[m.head].Lemma
	if join < 0 && m.definite && m.class != moment {
		if e, ok := r.heads[lemma]; ok {
			join = e
		}
	}
	if join < 0 {
		join = r.newEntity(entity{named: -1, class: m.class, gender: m.gender, ref: plainReference(d, *m), hasRef: true})
	}
	if m.class != moment && m.role != predicate {
		r.heads[lemma] = join
	}
	e := &r.entities[join]
	if e.gender == UnknownGender {
		e.gender = m.gender
	}
	e.count++
	m.entity = join
}

// pronoun resolves the pronoun ms[i], or gives it an entity of its own.
func (r *resolver) pronoun(ms []mention, i int) {
	m := &ms[i]
	d := r.d
	w := strings.ToLower(d.Tokens[m.head].Text)
	if m.relative {
		// Known from the noun that it follows.
		r.relativeAt(ms[:i], m.head)
		if c := r.antecedent(ms[:i], m.head); c >= 0 {
			m.entity, m.class, m.gender = ms[c].entity, ms[c].class, ms[c].gender
		}
		return
	}
	asks, ok := pronounWants(w)
	if !ok {
		return // first and second person
	}
	m.class, m.gender = asks.class, asks.gender
	if w == "it" && d.pleonastic(m.head) {
		return
	}
	best, second := math.Inf(-1), math.Inf(-1)
	chosen := -1
	var scores map[int]float64
	if r.probe != nil {
		scores = map[int]float64{}
		defer func() { r.probe(*m, scores) }()
	}
	consider := func(e int, score float64) {
		if scores != nil {
			if o, ok := scores[e]; !ok || score > o {
				scores[e] = score
			}
		}
		switch {
		case e == chosen:
			best = max(best, score)
		case score > best:
			best, second, chosen = score, best, e
		case score > second:
			second = score
		}
	}
	// What grammar rules out in this sentence is ruled out by all its names.
	out := map[int]bool{}
	for j := range ms {
		if c := ms[j]; j != i && c.entity >= 0 && r.blocked(ms, i, c, asks) && !asks.reflexive {
			out[c.entity] = true
		}
	}
	// Before it in the sentence, then back over the last sentences. Between
	// counts the other entities that agree and are nearer.
	seen := map[int]bool{}
	look := func(c mention) {
		if c.entity < 0 {
			return
		}
		e := &r.entities[c.entity]
		if !e.agrees(asks) || c.class == moment || c.role == predicate && c.name < 0 {
			return
		}
		if out[c.entity] || asks.reflexive && r.blocked(ms, i, c, asks) {
			return
		}
		if c.name < 0 && !c.pronoun && strings.EqualFold(d.Tokens[c.first].Text, w) {
			return // "their" doesn't mean "their nests"
		}
		n := len(seen)
		if !seen[c.entity] {
			seen[c.entity] = true
		} else {
			n--
		}
		consider(c.entity, r.score(ms, *m, c, asks, n))
	}
	for j := i - 1; j >= 0; j-- {
		if asks.reflexive && chosen >= 0 {
			break // the nearest subject
		}
		look(ms[j])
	}
	if !asks.reflexive {
		for j := len(r.recent) - 1; j >= 0; j-- {
			look(r.recent[j])
		}
		if c, f, ok := r.later(ms, i, len(seen) == 0); ok {
			if e := &r.entities[c.entity]; e.agrees(asks) {
				consider(c.entity, r.score(ms, *m, c, asks, len(seen))+r.w[f])
			}
		}
	}
	least := r.w[weak]
	if asks.class != person {
		least = r.w[weakThing]
	}
	if chosen < 0 || best < least {
		m.entity = r.newEntity(entity{class: asks.class, gender: asks.gender, count: 1, named: -1, nameless: true})
		return
	}
	e := &r.entities[chosen]
	m.entity = chosen
	e.count++
	if best-second < r.w[margin] {
		// Too close to call: the text goes on with it, but nothing is claimed.
		return
	}
	if asks.class == person {
		if e.gender == UnknownGender {
			e.gender = asks.gender
		}
		if e.class == unknownClass {
			e.class = person
		}
	}
	if e.hasRef && !e.nameless {
		d.References[m.head] = e.ref
	}
}

// later returns the first subject after the introduction that the pronoun ms[i]
// stands in, if that is a name: "When she came, Angela left." "In his youth Bo
// sang." Where nothing before agrees with the pronoun (only), a noun with "the" will
// do: "Although it lost money, the firm grew." The feature tells a clause from
// a phrase.
func (r *resolver) later(ms []mention, i int, only bool) (mention, feature, bool) {
	d := r.d
	m := ms[i]
	s := d.Sentences[m.sent]
	start := s.First
	if d.Tokens[start].Tag == "CC" && start+1 < s.End {
		start++
	}
	switch d.Tokens[start].Tag {
	case "IN", "WRB", "VBG", "TO", "VBN", "RB":
	default:
		return mention{}, 0, false
	}
	for _, c := range ms[:i] {
		if c.role == subject && c.first < m.first && !c.pronoun {
			return mention{}, 0, false // it has a subject before it
		}
	}
	f := laterInPhrase
	for k := start; k < m.wholeEnd+1 && k < s.End; k++ {
		if finite(d.Tokens[k].Tag) {
			f = laterInClause
		}
	}
	if m.role == subject {
		f = laterInClause
	}
	comma := -1
	for k := m.head; k < s.End && k < start+40; k++ {
		if d.Tokens[k].Tag == "," {
			comma = k
			break
		}
	}
	if f == laterInClause && comma < 0 {
		return mention{}, 0, false
	}
	for j := i + 1; j < len(ms); j++ {
		c := &ms[j]
		if c.role != subject || f == laterInClause && c.first < comma || c.wholeFirst == m.wholeFirst {
			continue
		}
		if c.pronoun || c.name < 0 && !(only && c.definite && c.class != moment) && (m.class == person || f == laterInClause) || comma >= 0 && c.first > comma+4 {
			return mention{}, 0, false
		}
		r.noun(ms, j)
		return *c, f, c.entity >= 0
	}
	return mention{}, 0, false
}
