package nlp

import (
	"context"
	"math"
	"strings"
	"unicode"
)

// References are resolved by weighing the mentions of the last sentences that
// agree with the pronoun in person, number and gender. What the weights count
// is known from the literature on salience: grammatical role (Lappin and Leass
// 1994), parallel roles and recency (Kameyama 1997; the parallelism baseline of
// Webster et al. 2018), how often an entity was named, chains of pronouns, and
// whether a proper name says who it is. The weights were tuned on the 454 rows
// of the GAP validation set, and on nothing else.
//
// A pronoun is left unresolved where the best candidate is weak or hardly
// better than the next, where it has no referent ("it rains"), where it means a
// whole clause ("this"), and in the first and second person.

// reach is how many sentences back a referent is sought.
const reach = 4

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
	tokenDistance // per doubling of the tokens between, in the same sentence
	namedLater    // a name of the candidate follows the pronoun in the sentence
	titled        // the mention is inside a noun phrase that it doesn't head or follows "by"
	weak          // score below which a pronoun stays unresolved
	margin        // by how much the best must beat the next
	features
)

type weights [features]float64

// standard are the tuned weights.
var standard = weights{
	sameSentence:     2.05,
	previousSentence: 0.29,
	fartherSentences: -1.05,
	asSubject:        1.07,
	asObject:         0.40,
	asOblique:        -0.29,
	asPossessor:      0.26,
	inBrackets:       -0.82,
	firstOfSentence:  0.15,
	parallelSubject:  0.45,
	parallelOther:    0.30,
	throughPronoun:   -0.10,
	knownPerson:      0.35,
	genderKnown:      0.60,
	oftenNamed:       0.25,
	between:          -0.25,
	commonNoun:       -1.18,
	nameless:         -0.53,
	quoteBorder:      -0.67,
	ownersSubject:    1.12,
	laterInClause:    0.08,
	laterInPhrase:    0.95,
	controlled:       0.49,
	throughWho:       -0.52,
	commonName:       -0.25,
	firstName:        0.20,
	subjectBoth:      0.89,
	joinedByAnd:      -0.53,
	obliqueClash:     -0.07,
	parallelNear:     -0.22,
	tokenDistance:    0.00,
	namedLater:       0.00,
	titled:           -0.07,
	weak:             -0.74,
	margin:           0.05,
}

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
		join = r.newEntity(entity{named: -1, class: m.class, gender: m.gender, ref: Reference{First: m.first, End: m.end}, hasRef: true})
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
		if r.blocked(ms, i, c, asks) {
			return
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
		look(ms[j])
	}
	if !asks.reflexive {
		for j := len(r.recent) - 1; j >= 0; j-- {
			look(r.recent[j])
		}
		if c, f, ok := r.later(ms, i); ok {
			if e := &r.entities[c.entity]; e.agrees(asks) {
				consider(c.entity, r.score(ms, *m, c, asks, len(seen))+r.w[f])
			}
		}
	}
	if chosen < 0 || best < r.w[weak] {
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
		d.References[m.head] = r.nearestName(chosen, m.head)
	}
}

// nearestName returns the first and fullest name of the entity, else the noun
// phrase that introduced it.
func (r *resolver) nearestName(e, _ int) Reference { return r.entities[e].ref }

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

// later returns the first subject after the introduction that the pronoun ms[i]
// stands in, if that is a name: "When she came, Angela left." "In his youth Bo
// sang." The feature tells a clause from a phrase.
func (r *resolver) later(ms []mention, i int) (mention, feature, bool) {
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
		if c.pronoun || c.name < 0 || comma >= 0 && c.first > comma+4 {
			return mention{}, 0, false
		}
		r.noun(ms, j)
		return *c, f, c.entity >= 0
	}
	return mention{}, 0, false
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
		x += w[tokenDistance] * math.Log2(float64(m.head-c.head))
		if c.role == subject && m.role == subject {
			x += w[parallelNear]
		}
		if c.role == subject && m.role == oblique {
			if n, border := r.verbsBetween(c.end, m.first); n == 1 && !border {
				x += w[obliqueClash]
			}
		}
		if e.named >= 0 && r.namedAfter(c, m) {
			x += w[namedLater]
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
	} else if c.name < 0 {
		x += w[commonNoun]
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
	if c.role == oblique && strings.EqualFold(at(r.d.Tokens, c.first-1).Text, "by") {
		x += w[titled]
	}
	return x
}

// namedAfter reports whether a name of the entity of c follows the pronoun m in
// its sentence.
func (r *resolver) namedAfter(c, m mention) bool {
	d := r.d
	s := d.Sentences[m.sent]
	for k := d.nameFrom(m.head + 1); k < len(d.Names) && d.Names[k].First < s.End; k++ {
		if e, ok := r.byName[d.Names[k].Entity]; ok && e == c.entity {
			return true
		}
	}
	return false
}

// relatives resolves whose, which and that after the noun that they explain.
func (r *resolver) relatives(si int, ms []mention) {
	s := r.d.Sentences[si]
	for k := s.First + 1; k < s.End; k++ {
		if t := r.d.Tokens[k]; t.Tag == "WP" || t.Tag == "WDT" || t.Tag == "WP$" {
			r.relativeAt(ms, k)
		}
	}
}

// relativeAt sets the reference of the relative pronoun at token k.
func (r *resolver) relativeAt(ms []mention, k int) {
	i := r.antecedent(ms, k)
	if i < 0 {
		return
	}
	d := r.d
	switch c := ms[i]; {
	case c.name >= 0:
		n := d.Names[c.name]
		d.References[k] = Reference{First: n.First, End: n.End}
	case c.pronoun:
		if p, ok := d.References[c.head]; ok {
			d.References[k] = p
		}
	default:
		d.References[k] = Reference{First: c.first, End: c.end}
	}
}

// antecedent returns the position in ms of the mention that ends where the
// relative pronoun at token k begins, or, where that cannot be meant, of the one
// that it is a part of ("a man from Graz who"); -1 if there is none.
func (r *resolver) antecedent(ms []mention, k int) int {
	d := r.d
	lw := strings.ToLower(d.Tokens[k].Text)
	if lw == "what" || strings.HasSuffix(lw, "ever") {
		return -1
	}
	j := k
	if p := at(d.Tokens, j-1); p.Tag == "IN" || p.Tag == "TO" {
		j--
	}
	if at(d.Tokens, j-1).Tag == "," {
		j--
	}
	if at(d.Tokens, j-1).Tag == ")" {
		for b := j - 1; b > 0 && b > j-12; b-- {
			if d.Tokens[b].Tag == "(" {
				j = b
				break
			}
		}
	}
	for range 3 {
		found := -1
		for i := len(ms) - 1; i >= 0 && ms[i].end >= j; i-- {
			if ms[i].end == j && ms[i].role != possessor && !ms[i].relative && !(ms[i].pronoun && lw == "which") {
				found = i
				break
			}
		}
		if found < 0 {
			return -1
		}
		c := ms[found]
		cl := c.class
		if c.entity >= 0 {
			cl = r.entities[c.entity].class
		}
		fits := true
		switch lw {
		case "who", "whom":
			fits = cl != thing && cl != moment
		case "which":
			fits = cl != person
		}
		if fits {
			return found
		}
		// Over the preposition to the phrase before.
		j = c.first - 1
		if at(d.Tokens, j).Tag != "IN" {
			return -1
		}
	}
	return -1
}

var (
	raising   = set(`seem appear happen turn follow matter rain snow take`)
	expletive = set(`clear likely possible impossible important necessary true obvious unclear unlikely hard difficult easy good
		better best essential vital crucial common rare known said believed thought estimated expected reported hoped
		agreed argued decided late early dark cold hot warm sunny raining snowing noon midnight time worth evident
		apparent certain doubtful surprising interesting strange nice great sad`)
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
		for n := k + 1; n < k+7; n++ {
			switch t := at(ts, n); {
			case t.Tag == "TO", strings.EqualFold(t.Text, "that"), strings.EqualFold(t.Text, "whether"), strings.EqualFold(t.Text, "if"):
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
