package kg

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Lemmatizer gives the dictionary form of an English word. tag is the word's
// Penn Treebank tag as far as it is known. A Normalizer passes "NN" for words of
// entities that end in s (they may be plurals, or names such as "James", which
// must stay), "NNS" for the irregular plurals that it knows, and "VB" for the
// words of relations; a Locator passes "". Lemma must be deterministic and safe
// for concurrent use; nlp.Analyzer is one.
type Lemmatizer interface {
	Lemma(word, tag string) string
}

// Normalizer brings labels that differ only in writing to one normal form. The
// zero value works, without lemmas. It is safe for concurrent use if its
// Lemmatizer is.
//
// The rules, in the order in which they apply:
//
//  1. Unicode NFKC, and dashes and curly quotes as their ASCII forms; but
//     superscripts, fractions and other characters that spell a number keep
//     their form ("10²" is not "102"), subscripts become digits only after a
//     letter ("CO₂" is "CO2").
//  2. Relations written as identifiers become words ("isPartOf", "has_target"),
//     entities written as wiki titles too ("Marie_Curie").
//  3. Case folding. White space becomes one blank.
//  4. Relations only: contractions with n't are written out ("isn't" is "is
//     not").
//  5. Lemmas, word by word; of entities only the plurals. Words with a digit or
//     punctuation, negations and words that count stay.
//  6. Quotes around the whole label and punctuation at its end fall away, and
//     "a", "an", "the" at its start, each only if a word of at least two letters
//     stays ("The 1975" and "5." stay).
//
// Numbers and negations are never touched: labels that differ in either have
// different normal forms. Normalising a normal form gives the same form.
type Normalizer struct {
	// Lemmatizer gives lemmas; nil leaves words as they are.
	Lemmatizer Lemmatizer
	// KeepCase leaves case as it is. Lemmas are then not applied to words with
	// capitals.
	KeepCase bool
	// KeepDeterminers leaves "a", "an", "the" at the start of labels.
	KeepDeterminers bool
	// KeepPunctuation leaves quotes and marks at the edges of labels.
	KeepPunctuation bool
}

// Entity returns the normal form of an entity label.
func (n *Normalizer) Entity(label string) string { return n.label(label, Head) }

// Relation returns the normal form of a relation label.
func (n *Normalizer) Relation(label string) string { return n.label(label, Relation) }

// Triple returns t with its three labels in normal form.
func (n *Normalizer) Triple(t Triple) Triple {
	return Triple{n.Entity(t.Head), n.Relation(t.Relation), n.Entity(t.Tail)}
}

// Normalized is a graph in normal form with the labels that it came from.
type Normalized struct {
	// Graph holds the triples in normal form, in order of first sight.
	Graph *Graph
	// Entities and Relations give for each normal form its surface forms, each
	// once, in order of first sight; the first is the one to show.
	Entities, Relations map[string][]string
	// Sources gives for each triple of Graph the triples that it stands for.
	Sources map[Triple][]Triple
}

// Normalize returns the normal form of g, which stays unchanged. A nil graph
// gives an empty result.
func (n *Normalizer) Normalize(g *Graph) *Normalized {
	out := &Normalized{
		Graph:     NewGraph(),
		Entities:  make(map[string][]string),
		Relations: make(map[string][]string),
		Sources:   make(map[Triple][]Triple),
	}
	entities, relations := make(map[string]string), make(map[string]string)
	form := func(known map[string]string, aliases map[string][]string, norm func(string) string, label string) string {
		f, ok := known[label]
		if !ok {
			f = norm(label)
			known[label] = f
			aliases[f] = append(aliases[f], label)
		}
		return f
	}
	for t := range g.Triples() {
		m := Triple{
			Head:     form(entities, out.Entities, n.Entity, t.Head),
			Relation: form(relations, out.Relations, n.Relation, t.Relation),
			Tail:     form(entities, out.Entities, n.Entity, t.Tail),
		}
		out.Graph.Add(m)
		out.Sources[m] = append(out.Sources[m], t)
	}
	return out
}

// Entity returns the surface form to show for an entity in normal form, the
// normal form itself when it is not in the graph.
func (n *Normalized) Entity(normal string) string { return shown(n.Entities, normal) }

// Relation returns the surface form to show for a relation in normal form, the
// normal form itself when it is not in the graph.
func (n *Normalized) Relation(normal string) string { return shown(n.Relations, normal) }

func shown(aliases map[string][]string, normal string) string {
	if s := aliases[normal]; len(s) > 0 {
		return s[0]
	}
	return normal
}

// Surface returns t, in normal form, with the labels to show.
func (n *Normalized) Surface(t Triple) Triple {
	return Triple{n.Entity(t.Head), n.Relation(t.Relation), n.Entity(t.Tail)}
}

// SurfaceGraph returns the graph with the labels to show: each thing once, by
// the first name that it had.
func (n *Normalized) SurfaceGraph() *Graph {
	g := NewGraph()
	for t := range n.Graph.Triples() {
		g.Add(n.Surface(t))
	}
	return g
}

// maxRounds bounds the passes of label. Two do for all labels known; the rest is
// room for a lemmatizer's fancies.
const maxRounds = 16

func (n *Normalizer) label(s string, p Part) string {
	for range maxRounds {
		t := n.pass(s, p)
		if t == s {
			break
		}
		s = t
	}
	return s
}

func (n *Normalizer) pass(s string, p Part) string {
	s = strings.Join(strings.Fields(compose(s)), " ")
	if p == Relation {
		if w := strings.Join(identifierWords(s), " "); w != "" {
			s = w
		}
	} else if isWikiTitle(s) {
		s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '_' }), " ")
	}
	if !n.KeepCase {
		s = compose(cases.Fold().String(s))
	}
	words := strings.Fields(s)
	if p == Relation {
		words = expandContractions(words)
	}
	if n.Lemmatizer != nil {
		for i, w := range words {
			words[i] = stableLemma(n.Lemmatizer, w, p == Relation)
		}
	}
	for {
		before := strings.Join(words, " ")
		s := before
		if !n.KeepPunctuation {
			s = trimMarks(s)
		}
		words = strings.Fields(s)
		if !n.KeepDeterminers {
			words = words[determiners(words):]
		}
		if after := strings.Join(words, " "); after == before {
			return after
		}
	}
}

// determiners returns how many words at the start of words are determiners that
// can go: all of them, but so that a word of two letters stays.
func determiners(words []string) int {
	n := 0
	for n < len(words) && isDeterminer(words[n]) {
		n++
	}
	if n < len(words) && hasWord(strings.Join(words[n:], " ")) {
		return n
	}
	for n--; n > 0 && !hasWord(words[n]); n-- {
	}
	return max(n, 0)
}

func isDeterminer(w string) bool {
	return strings.EqualFold(w, "the") || strings.EqualFold(w, "a") || strings.EqualFold(w, "an")
}

// hasWord reports whether two letters stand next to each other in s, or one of a
// script that writes whole words with one.
func hasWord(s string) bool {
	run := 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Han, r):
			return true
		case unicode.IsLetter(r):
			if run++; run == 2 {
				return true
			}
		case !unicode.IsMark(r):
			run = 0
		}
	}
	return false
}

var quotePairs = map[string]string{`"`: `"`, "'": "'", "`": "`", "«": "»", "»": "«", "‹": "›", "„": `"`, "「": "」", "『": "』", "《": "》"}

// trimMarks takes off a pair of quotes around all of s and the punctuation at
// its end.
func trimMarks(s string) string {
	for open, closer := range quotePairs {
		inner, ok := strings.CutPrefix(s, open)
		if !ok {
			continue
		}
		inner, ok = strings.CutSuffix(inner, closer)
		if ok && !strings.Contains(inner, open) && !strings.Contains(inner, closer) && hasWord(inner) {
			return strings.TrimSpace(inner)
		}
	}
	rest := strings.TrimRight(s, ".,;:!?。、，；：！？ ")
	if rest == s || !hasWord(lastWord(rest)) {
		return s
	}
	// Marks after anything but a letter may belong to it: "5!", "C++.".
	rs := []rune(rest)
	if last := rs[len(rs)-1]; !unicode.IsLetter(last) && !unicode.IsMark(last) {
		return s
	}
	return rest
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

// stableLemma applies l until the word stays. In a cycle it picks the least
// word, so that each word of the cycle ends at the same one.
func stableLemma(l Lemmatizer, w string, verb bool) string {
	var seen []string
	for len(seen) < 8 {
		if i := slices.Index(seen, w); i >= 0 {
			return slices.Min(seen[i:])
		}
		if !lemmaWord(w) {
			return w
		}
		seen = append(seen, w)
		tag := "VB"
		switch {
		case uninflected(w):
			return w
		case verb:
		case irregularPlurals[w]:
			tag = "NNS"
		case strings.HasSuffix(w, "s"):
			tag = "NN"
		default:
			// Entities are names of things: a lemmatizer that would read "United"
			// or "Saw" as verbs is not asked.
			return w
		}
		next := l.Lemma(w, tag)
		if next == w || !lemmaWord(next) || compose(next) != next {
			return w
		}
		w = next
	}
	return w
}

var irregularPlurals = wordSet(`men women children people feet teeth mice geese oxen lice dice
	criteria phenomena bacteria data media strata spectra alumni nuclei cacti fungi stimuli radii foci
	indices matrices vertices appendices larvae vertebrae formulae antennae policemen policewomen
	firemen businessmen businesswomen fishermen grandchildren`)

// uninflected reports whether the final s of w is none of an inflection.
func uninflected(w string) bool {
	return len(w) > 3 && (strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") || strings.HasSuffix(w, "ics")) ||
		w == "series" || w == "species" || w == "news" || w == "always" || w == "perhaps" || w == "whereas"
}

// lemmaWord reports whether a word may be, or become, a lemma: small letters
// only, and nothing that negates or counts.
func lemmaWord(w string) bool {
	if w == "" || isNegation(w) || isDeterminer(w) || countWords[w] {
		return false
	}
	for _, r := range w {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) || unicode.IsUpper(r) || unicode.IsTitle(r) {
			return false
		}
	}
	return cases.Fold().String(w) == w
}

var countWords = wordSet(`zero one two three four five six seven eight nine ten
	eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
	thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands
	million millions billion billions trillion trillions dozen dozens
	first second third fourth fifth sixth seventh eighth ninth tenth once twice thrice
	half halves quarter quarters double triple both all every each some any most many
	few several more less least fewer fewest`)

var negationWords = wordSet(`not no never none neither nor nobody nothing nowhere without
	cannot hardly scarcely barely rarely seldom except unless`)

func wordSet(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// isNegation reports whether word (in small letters) turns a statement into its
// contrary or close to it: "not", "never", "without", "didn't", "hardly".
func isNegation(word string) bool {
	return negationWords[word] || strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")
}

// expandContractions writes out the words that end in n't.
func expandContractions(words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		low := strings.ToLower(w)
		switch base, ok := strings.CutSuffix(low, "n't"); {
		case low == "cannot" || low == "can't":
			out = append(out, "can", "not")
		case low == "won't":
			out = append(out, "will", "not")
		case low == "shan't":
			out = append(out, "shall", "not")
		case ok && contracted[base]:
			out = append(out, base, "not")
		default:
			out = append(out, w)
		}
	}
	return out
}

var contracted = wordSet("is are was were do does did has have had would should could must might need dare ought may")

// compose returns s in NFKC, as far as rule 1 of Normalizer allows, and with
// plain dashes and quotes.
func compose(s string) string {
	rs := []rune(norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD")))
	var out, free strings.Builder // free waits for NFKC
	for i := 0; i < len(rs); i++ {
		switch r := rs[i]; {
		case r < 0x80:
			free.WriteRune(r)
		case r == '\u200B' || r == '\uFEFF' || r == '\u00AD' || r == '\u2060':
			// Invisible: zero width space and no-break space, soft hyphen, word joiner.
		case r >= '\u2010' && r <= '\u2015' || r == '\u2212':
			free.WriteByte('-')
		case r == '‘' || r == '’' || r == '‛' || r == 'ʼ':
			free.WriteByte('\'')
		case r == '“' || r == '”' || r == '‟':
			free.WriteByte('"')
		case isSubscript(r) || spellsNumber(r):
			end, fold := subscripts(rs, i)
			if fold {
				for ; i < end; i++ {
					free.WriteRune('0' + rs[i] - '₀')
				}
				i--
				continue
			}
			out.WriteString(norm.NFKC.String(free.String()))
			free.Reset()
			out.WriteString(string(rs[i:max(end, i+1)]))
			i = max(end, i+1) - 1
		default:
			free.WriteRune(r)
		}
	}
	out.WriteString(norm.NFKC.String(free.String()))
	return norm.NFC.String(out.String())
}

func isSubscript(r rune) bool { return r >= '₀' && r <= '₉' }

// subscripts returns where the run of subscript digits that begins at i ends, and
// whether it follows a letter and no digit follows it.
func subscripts(rs []rune, i int) (end int, fold bool) {
	end = i
	for end < len(rs) && isSubscript(rs[end]) {
		end++
	}
	return end, end > i && i > 0 && unicode.IsLetter(rs[i-1]) && (end == len(rs) || !unicode.IsNumber(rs[end]))
}

// spellsNumber reports whether NFKC would change what number r stands for when
// it stands beside digits: superscripts, subscripts, fractions, circled and
// Roman numerals, and everything that decomposes into digits but is none.
func spellsNumber(r rune) bool {
	if r >= 0x2070 && r <= 0x209F || unicode.In(r, unicode.No, unicode.Nl) {
		return true
	}
	return r > 0x20FF && !unicode.In(r, unicode.L, unicode.M, unicode.Nd) &&
		strings.ContainsFunc(norm.NFKD.String(string(r)), unicode.IsNumber)
}
