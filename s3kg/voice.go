package s3kg

import "strings"

// Active returns the active form of an English relation in the passive voice, and
// true; or relation itself and false. The active fact has head and tail
// exchanged: (Hamlet, was written by, Shakespeare) says what (Shakespeare, wrote,
// Hamlet) says.
//
// A Scorer reads a passive fact so only beside a fact with the same verb in the
// active voice ("employs", "is employed by"): an embedder cannot tell "works for"
// from "employed" by direction, so other pairs are compared as they stand.
//
// A relation is passive if it ends in a participle and "by": "is employed by",
// "had been founded in 1900 by" is not, as words stand between. The forms of "be"
// or "get" in front of the participle go; any other word stays ("was not founded by" is
// "not founded"). Participles are words in -ed that are no nouns or
// adjectives, and those of a list of irregular verbs; the past tense stands for them ("written by" is "wrote").
func Active(relation string) (active string, ok bool) {
	words := strings.Fields(readable(relation))
	n := len(words)
	if n < 2 || strings.ToLower(words[n-1]) != "by" {
		return relation, false
	}
	participle := strings.ToLower(words[n-2])
	if !isParticiple(participle) {
		return relation, false
	}
	past := participle
	if f := irregular[participle]; f != "" {
		past = f
	}
	var kept []string
	for _, w := range words[:n-2] {
		if !be[strings.ToLower(w)] {
			kept = append(kept, w)
		}
	}
	return strings.Join(append(kept, past), " "), true
}

// isParticiple reports whether a word in small letters can be a past participle.
func isParticiple(w string) bool {
	return irregular[w] != "" || len(w) >= 4 && strings.HasSuffix(w, "ed") && !notParticiples[w]
}

// notParticiples end in -ed and are no participles.
var notParticiples = words(`need seed weed reed heed deed feed speed breed bleed steed creed greed indeed exceed proceed
	succeed shed sled bled fled sped hundred kindred sacred naked wicked rugged ragged moped biped`)

var be = words(`is are was were be been being am has have had get gets got getting gotten`)

// irregularVerbs are base, past and participle of the irregular verbs that can be
// in the passive voice.
const irregularVerbs = `arouse aroused aroused, bear bore borne, bear bore born, beat beat beaten, become became become,
	befall befell befallen, beget begot begotten, begin began begun, behold beheld beheld, bend bent bent, beset beset beset,
	bid bid bid, bid bade bidden, bind bound bound, bite bit bitten, bleed bled bled, bless blessed blest, blow blew blown,
	break broke broken, breed bred bred, bring brought brought, broadcast broadcast broadcast, build built built, burn burnt burnt,
	burst burst burst, buy bought bought, cast cast cast, catch caught caught, choose chose chosen, cling clung clung, cost cost cost,
	cut cut cut, deal dealt dealt, dig dug dug, do did done, draw drew drawn, dream dreamt dreamt, drink drank drunk, drive drove driven,
	eat ate eaten, feed fed fed, feel felt felt, fight fought fought, find found found, flee fled fled, fling flung flung, fly flew flown,
	forbid forbade forbidden, forecast forecast forecast, foresee foresaw foreseen, foretell foretold foretold, forget forgot forgotten,
	forgive forgave forgiven, forsake forsook forsaken, freeze froze frozen, give gave given, grind ground ground, grow grew grown,
	hang hung hung, have had had, hear heard heard, hew hewed hewn, hide hid hidden, hit hit hit, hold held held, hurt hurt hurt, keep kept kept,
	know knew known, lay laid laid, lead led led, leap leapt leapt, learn learnt learnt, leave left left, lend lent lent, let let let,
	light lit lit, lose lost lost, make made made, mean meant meant, meet met met, mislead misled misled, misread misread misread,
	mistake mistook mistaken, misunderstand misunderstood misunderstood, mow mowed mown, outbid outbid outbid, outdo outdid outdone,
	outgrow outgrew outgrown, outrun outran outrun, outsell outsold outsold, overcome overcame overcome, overdo overdid overdone,
	overhear overheard overheard, override overrode overridden, overrun overran overrun, oversee oversaw overseen, overtake overtook overtaken,
	overthrow overthrew overthrown, overwrite overwrote overwritten, pay paid paid, plead pled pled, prove proved proven, put put put,
	quit quit quit, read read read, rebuild rebuilt rebuilt, redo redid redone, remake remade remade, repay repaid repaid, resell resold resold,
	rethink rethought rethought, retell retold retold, rewrite rewrote rewritten, rid rid rid, ride rode ridden, ring rang rung, run ran run,
	saw sawed sawn, say said said, see saw seen, seek sought sought, sell sold sold, send sent sent, set set set, sew sewed sewn,
	shake shook shaken, shave shaved shaven, shed shed shed, shoe shod shod, shoot shot shot, show showed shown, shrink shrank shrunk,
	shut shut shut, sing sang sung, sink sank sunk, slay slew slain, sling slung slung, slit slit slit, smell smelt smelt, smite smote smitten,
	sow sowed sown, speak spoke spoken, spell spelt spelt, spend spent spent, spill spilt spilt, spin spun spun, split split split,
	spoil spoilt spoilt, spread spread spread, steal stole stolen, stick stuck stuck, sting stung stung, strew strewed strewn, strike struck struck,
	strike struck stricken, string strung strung, swear swore sworn, sweep swept swept, swim swam swum, swing swung swung, take took taken,
	teach taught taught, tear tore torn, tell told told, think thought thought, throw threw thrown, thrust thrust thrust, tread trod trodden,
	undercut undercut undercut, undergo underwent undergone, understand understood understood, undertake undertook undertaken, undo undid undone,
	unwind unwound unwound, uphold upheld upheld, upset upset upset, wake woke woken, wear wore worn, weave wove woven, wed wed wed, weep wept wept,
	wet wet wet, win won won, wind wound wound, withdraw withdrew withdrawn, withhold withheld withheld, withstand withstood withstood,
	wring wrung wrung, write wrote written`

// irregular maps participles to their past tense, baseForms pasts and participles
// to the base.
var irregular, baseForms = readIrregular(irregularVerbs)

func readIrregular(list string) (past, base map[string]string) {
	past, base = map[string]string{}, map[string]string{}
	for verb := range strings.SplitSeq(list, ",") {
		f := strings.Fields(verb)
		past[f[2]] = f[1]
		for _, w := range f[1:] {
			if base[w] == "" {
				base[w] = f[0]
			}
		}
	}
	return past, base
}

// converse maps a comparative, or the word for one end of a relation, to that by
// which the other end would say the same.
var converse = pairs(`younger older, smaller larger, shorter taller, lower higher, fewer more, less more, lesser greater,
	slower faster, weaker stronger, poorer richer, worse better, cheaper dearer, lighter heavier, thinner thicker, narrower wider,
	below above, under over, beneath above, after before, later earlier, south north, west east, behind ahead,
	child parent, descendant ancestor, employee employer, student teacher, pupil teacher, successor predecessor,
	tenant landlord`)

// converseOf returns the relation that says the same with head and tail exchanged,
// in that of its two forms that is not listed first in converse: "is younger than"
// is "is older than" read the other way. Comparatives need "than" behind them,
// directions and nouns "of" and a form of "be" or nothing before them.
func converseOf(relation string) (string, bool) {
	in := strings.Fields(strings.ToLower(readable(relation)))
	var w []string
	for _, x := range in {
		if !be[x] && x != "a" && x != "an" && x != "the" {
			w = append(w, x)
		}
	}
	switch {
	case len(w) == 2 && w[1] == "than" && strings.HasSuffix(w[0], "er") || len(w) == 2 && w[1] == "than" && (w[0] == "less" || w[0] == "worse"):
	case len(w) == 2 && w[1] == "of" && !strings.HasSuffix(w[0], "er"):
	case len(w) == 1 && len(in) > 1 && placeOrder[w[0]]:
	default:
		return relation, false
	}
	c := converse[w[0]]
	if c == "" {
		return relation, false
	}
	return strings.Join(append([]string{"is", c}, w[1:]...), " "), true
}

var placeOrder = words(`below under beneath after behind`)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// pairs reads "a b, c d".
func pairs(list string) map[string]string {
	m := map[string]string{}
	for p := range strings.SplitSeq(list, ",") {
		if f := strings.Fields(p); len(f) == 2 {
			m[f[0]] = f[1]
		}
	}
	return m
}

// voice is how a relation's verb is used. Two relations with one root, of which one
// is passive and the other not, say the same of exchanged ends.
type voice struct {
	active  string // the relation in the active voice, or its converse
	passive bool   // whether it was in the passive voice, or is a converse
	root    string // of the active form, without negation and forms of "be"
	has     bool   // whether it says what its head has ("has parent")
	suffers bool   // whether a form of "be" and a participle end it ("was hired")
	key     string // normal form of the active form
}

// flipped reports whether two relations say of exchanged ends what the other says
// of them as they stand.
func flipped(a, b label) bool {
	return a.voice.passive != b.voice.passive && a.voice.root != "" && a.voice.root == b.voice.root
}

// inflected reports whether two relations are one verb or noun with other endings or
// auxiliaries ("located in", "was located in"; "employs", "employed"). "Has parent" is
// not "is parent", nor "was hired" "hired": the ends are exchanged.
func inflected(a, b label) bool {
	v, w := a.voice, b.voice
	return v.root != "" && v.root == w.root && v.passive == w.passive && v.has == w.has && v.suffers == w.suffers
}

func (s *Scorer) voice(relation string) voice {
	var v voice
	if v.active, v.passive = Active(relation); !v.passive {
		v.active, v.passive = converseOf(relation)
	}
	written := strings.Fields(strings.ToLower(readable(v.active)))
	for i, w := range written {
		participle := i+1 < len(written) && (isParticiple(written[i+1]) || be[written[i+1]])
		v.has = v.has || (w == "has" || w == "have" || w == "had") && !participle
		v.suffers = v.suffers || i == len(written)-2 && be[w] && w != "has" && w != "have" && w != "had" && isParticiple(written[i+1])
	}
	var roots []string
	v.key = rewriteNumbers(s.normalizer.Relation(v.active))
	all := strings.Fields(v.key)
	for i, w := range all {
		if i+1 < len(all) && (w == "do" || w == "does" || w == "did") {
			continue
		}
		if be[w] || w == "be" || isNegation(w) || w == "a" || w == "an" || w == "the" {
			continue
		}
		if base := baseForms[w]; base != "" {
			w = base
		}
		roots = append(roots, rootOf(w))
	}
	v.root = strings.Join(roots, " ")
	return v
}
