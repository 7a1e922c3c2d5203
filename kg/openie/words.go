package openie

import (
	"slices"
	"strings"
)

// set is a fixed list of words. The lists of this file are read-only.
type set map[string]struct{}

func words(s string) set {
	m := set{}
	for _, w := range strings.Fields(s) {
		m[w] = struct{}{}
	}
	return m
}

func (s set) has(w string) bool {
	_, ok := s[w]
	return ok
}

// oneOf reports whether w is one of a few words.
func oneOf(w string, list ...string) bool { return slices.Contains(list, w) }

var (
	// beForms, haveForms and doForms are the auxiliaries with their clitics.
	beForms   = words("be am is are was were been being 'm 're")
	haveForms = words("have has had having 've")
	doForms   = words("do does did")
	modals    = words("will would can could may might must shall should ca wo sha 'll")

	// sayVerbs (lemmas) report what somebody says or thinks; their content is
	// not asserted by the text.
	sayVerbs = words(`say tell add claim report announce state believe think argue
		suggest explain note insist admit deny warn write ask reply acknowledge
		allege declare estimate hope fear expect predict conclude tweet joke
		remark hint indicate promise vow propose recommend assume suspect
		maintain assert contend guess imagine feel hear understand agree wonder
		doubt pretend imply speculate complain respond answer comment quip boast
		mention testify dispute question worry reckon stress emphasize emphasise
		describe call urge demand order request decide consider wish want
		shout cry whisper rule inform assure persuade convince advise post propose`)

	// voiceVerbs (lemmas) say a sound or manner too, and then need no content.
	voiceVerbs = words(`cry shout whisper complain boast joke respond reply tweet comment`)

	// wanting (lemmas) have objects that need not exist.
	wanting = words(`want need seek demand require wish hope prefer imagine propose lack await`)

	// quoteVerbs stand before their subject after a quotation: "said X".
	quoteVerbs = words(`say add write report note explain warn claim promise reply
		announce insist argue declare conclude recall admit tweet joke remark
		complain respond comment quip boast shout cry whisper tell`)

	// factiveVerbs (lemmas) take that-clauses that hold if the sentence does.
	factiveVerbs = words(`know realize realise discover learn reveal confirm prove
		show demonstrate establish recall remember notice observe find forget
		regret disclose`)

	// stateVerbs (lemmas): their participles say how things are.
	stateVerbs = words(`base locate situate know call name own use headquarter
		consider associate relate connect surround dedicate divide require need
		concern involve compose fill equip intend cover link limit title entitle
		spell pronounce regard view expect aim inhabit populate define`)

	irregularPlurals = words(`mice men women children people police teeth feet geese
		cattle criteria phenomena media bacteria data`)

	// gerundVerbs (lemmas) take a verb in -ing that belongs to the relation.
	gerundVerbs = words(`start stop keep begin continue avoid deny admit enjoy
		finish risk consider quit resume try like love hate prefer recommend
		suggest practise practice mind miss involve include mean postpone delay
		cease go spend face resist regret remember forget`)

	// linkAdjectives join a form of "be" and "to" into one relation.
	linkAdjectives = words(`able unable likely unlikely set due ready willing
		unwilling reluctant about bound eager free keen sure certain supposed
		eligible entitled determined`)

	// copulas (lemmas) link a subject to what it is.
	copulas = words(`be become remain seem appear stay look sound feel taste smell prove`)

	// subordinators open a finite clause.
	subordinators = words(`because although though while when if unless until
		since after before as once whereas whether whenever wherever lest except
		provided providing assuming supposing so till`)

	// doubtful subordinators make what they open a condition, not a fact.
	doubtful = words(`if unless whether whenever wherever lest provided providing assuming supposing until till before so as once except`)

	// thatTakers are subordinators that "that" may follow.
	thatTakers = words(`so provided providing assuming supposing except`)

	// prepositionsOnly never open a finite clause.
	prepositionsOnly = words(`of in on at by for with from to into onto upon
		about over under between among amongst through during against within
		without across along behind beyond near toward towards via despite
		around beside besides off out outside inside above below beneath per
		throughout amid amidst concerning regarding unlike underneath up down
		following including worth past alongside aboard versus`)

	// collectiveWords keep a coordination of subjects together.
	collectiveWords = words(`together jointly collectively respectively mutually`)

	// collectiveVerbs (lemmas) with two subjects and no object say what the two
	// do with each other.
	collectiveVerbs = words(`meet marry divorce merge collaborate agree clash
		team share differ unite join combine cooperate compete separate split
		parallel intersect converge diverge total`)

	// timeNouns (lemmas) head noun phrases that say when.
	timeNouns = words(`today yesterday tomorrow tonight year month week day
		morning afternoon evening night weekend time decade century hour minute
		monday tuesday wednesday thursday friday saturday sunday january
		february march april may june july august september october november
		december spring summer autumn winter season moment`)

	calendar = words(`monday tuesday wednesday thursday friday saturday sunday
		january february march april may june july august september october
		november december mon tue wed thu fri sat sun jan feb mar apr jun jul
		aug sep sept oct nov dec`)

	// adverbNouns are tagged as nouns and say when without a preposition.
	adverbNouns = words("today yesterday tomorrow tonight")

	// contentNouns take a that-clause that says what they hold.
	contentNouns = words(`claim fact idea belief report evidence news view
		theory argument suggestion hope fear notion concern possibility
		allegation rumour rumor assumption conclusion doubt statement warning
		announcement feeling hypothesis impression indication sign proof
		condition grounds proposal promise`)

	// makesContent (lemmas) without an object of their own have the noun before
	// "that" as it: "the report that Ana wrote".
	makesContent = words(`write make publish read hear post issue give release receive sign accept reject send submit`)

	personal    = words(`he she it they him her them i we you me us`)
	thirdPerson = words(`he she it they him her them his hers its their theirs
		himself herself itself themselves 's`)
	demonstratives = words("this that these those")
	// collectiveNouns take a plural verb in the singular.
	collectiveNouns = words(`team club side police staff crew group band family
		government couple number majority pair trio company squad public crowd`)

	personNouns = words(`man woman child boy girl person people baby guy kid king
		queen hero lady gentleman adult youth someone anyone everyone nobody one those
		others mp pm ceo police crowd couple family staff team`)

	// discourse are openings that link a sentence to the one before it and say
	// nothing to check.
	discourse = words(`however moreover furthermore nevertheless nonetheless
		therefore thus meanwhile additionally also consequently hence finally
		besides indeed instead overall likewise similarly then so anyway
		accordingly and but or yet nor well plus`)

	// titles stand before a person's name and are part of it.
	titles = words(`mr mr. mrs mrs. ms ms. miss dr dr. prof prof. professor sir
		dame lord lady st st. saint rev. rev fr. gen. col. capt. sgt. lt. king
		queen prince princess`)

	// ranks are titles that also say what the person is.
	ranks = words(`president chancellor senator governor mayor minister
		secretary ambassador captain coach manager director chairman chairwoman
		chief ceo cfo cto founder spokesman spokeswoman general colonel judge
		justice pope emperor archbishop bishop representative congressman
		congresswoman editor author actor actress singer striker midfielder
		defender goalkeeper winger forward boss`)

	quantityLead = words(`about nearly around almost over some only approximately
		roughly just under exactly more at up as fewer less an estimated another
		below above even`)
)
