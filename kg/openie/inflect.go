package openie

import (
	"strings"
)

// irregularPast holds simple pasts that are not formed with -ed.
var irregularPast = pairs(`arise arose awake awoke be was bear bore beat beat
	become became begin began bend bent bet bet bind bound bite bit bleed bled
	blow blew break broke breed bred bring brought build built burst burst buy
	bought cast cast catch caught choose chose cling clung come came cost cost
	creep crept cut cut deal dealt dig dug do did draw drew drink drank drive
	drove eat ate fall fell feed fed feel felt fight fought find found flee fled
	fly flew forbid forbade forget forgot forgive forgave freeze froze get got
	give gave go went grind ground grow grew hang hung have had hear heard hide
	hid hit hit hold held hurt hurt keep kept kneel knelt know knew lay laid lead
	led leave left lend lent let let lie lay light lit lose lost make made mean
	meant meet met overcome overcame overtake overtook pay paid put put quit quit
	read read ride rode ring rang rise rose run ran say said see saw seek sought
	sell sold send sent set set shake shook shed shed shine shone shoot shot
	shrink shrank shut shut sing sang sink sank sit sat sleep slept slide slid
	speak spoke spend spent spin spun split split spread spread spring sprang
	stand stood steal stole stick stuck sting stung strike struck string strung
	strive strove swear swore sweep swept swim swam swing swung take took teach
	taught tear tore tell told think thought throw threw understand understood
	undergo underwent undertake undertook uphold upheld upset upset wear wore
	weave wove weep wept win won wind wound withdraw withdrew write wrote
	oversee oversaw foresee foresaw mistake mistook rebuild rebuilt broadcast
	broadcast forecast forecast withstand withstood`)

// pastForms are the irregular simple pasts that are verbs and hardly anything
// else.
var pastForms = words(`arose awoke bore beat became began bit blew broke brought
	built bought caught chose clung came crept drew drank drove ate fell fed fought
	fled flew forbade forgot forgave froze gave went grew hung heard hid held kept
	knelt knew laid led lent lost made met overcame overtook paid rode rang rose ran
	said saw sought sold sent shook shone shot sang sank sat slept slid spoke spent
	sprang stood stole stuck struck strove swore swept swam swung took taught tore
	told thought threw understood underwent undertook upheld wore wove wept won
	withdrew wrote oversaw foresaw rebuilt withstood`)

// samePast are verbs whose past looks like their present; after a singular noun
// such a form without -s is a past.
var samePast = words("cut put hit let shut quit spread beat burst cost hurt")

// commonVerbs are frequent verbs that are nouns or adjectives as well, so that a
// tagger takes them for such.
var commonVerbs = words(`face beat host award claim help plan work play show turn
	move open close start end return visit attack fire shoot kill land sign score
	lead win lose target challenge cause cover deal draw drop fall rise fight finish
	form head hit hold hope increase issue join kick launch look mark name need note
	offer order pass pay place point post praise present produce promise protest
	question reach rank record release remain report request rescue reveal sell share
	shop slam slow sound spark split stage stand star step stop strike struggle suffer
	support surface swap switch talk test top tour trade train travel treat use view
	vote vow walk want warn watch witness wound parallel process reward support study
	range rule search cost cut double feature follow function impact influence link
	live match measure mix result risk seek sleep sort stay store stream suit taste
	time trust value welcome wish bear become begin boost call care center contact
	contain control cross damage decrease demand design detail document drive
	encounter estimate exercise experience export fear focus force gain grant group
	guide harm house hunt import judge limit list lock maintain manage marry match
	mean murder object own peak perform permit pose power praise press profit protect
	contribute provide suggest produce reduce require represent reflect raise
	boil freeze melt burn float flow grow sing dance wear write read eat drink ride
	swim fly drive cook clean wash paint build teach learn serve supply suppose
	spin bend sink shine ring rub sail scan ship shock sink slip smell snap soar
	spill split spot spray spring squeeze stem stir strip stroke suck surge sweep
	swell swing tackle tap target tear tend term thank tie tip toast track trail
	trap trick trim triumph tumble twist visit volunteer wage wake wander waste
	wave weigh whip whistle widen wipe wonder worry wrap yield absorb accept access
	act add adopt advise affect aid alter answer appeal argue arm arrange assist
	assume attempt attend attract avoid base bill block blow boast bomb book boost
	bore bow brand break breathe broadcast brush campaign cancel care carry carve
	cast celebrate change charge chart chase check cheer climb coach coat collapse
	collect combat comment compete complain comply comprise concern conduct connect
	consider consist construct consult contest convict cook cope correct count
	crash crawl create cry dare date deliver demonstrate depart deposit desire
	destroy differ dig dip dive divide dominate draft drag dress drift drill drop
	dump earn ease edit elect emerge employ enable enjoy enter establish exceed
	exist expand expect expire explain explode express extend fade fail fancy
	fetch fix flash float flood focus fold forecast frame fuel gather gaze govern
	grab greet grip guess halt hand handle hang happen hate heal heat help hide
	hire hook hurry ignore illustrate imagine include indicate inform insist inspire
	install intend introduce invest invite involve keep kiss knock lack last launch
	lean leap lease lend let lift list load locate log lower
	push rate receive refer reflect regard reject relate rely rent repair replace
	retire rush schedule shape shed shift shut smile smoke speak spend spread`)

func pairs(s string) map[string]string {
	f := strings.Fields(s)
	m := make(map[string]string, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		m[f[i]] = f[i+1]
	}
	return m
}

func vowel(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }

// past returns the simple past of a verb's dictionary form. gerund, when not
// empty, is the verb's -ing form and decides whether a last consonant doubles.
func past(lemma, gerund string) string {
	if p, ok := irregularPast[lemma]; ok {
		return p
	}
	n := len(lemma)
	switch {
	case n == 0:
		return lemma
	case lemma[n-1] == 'e':
		return lemma + "d"
	case lemma[n-1] == 'y' && n > 1 && !vowel(lemma[n-2]):
		return lemma[:n-1] + "ied"
	case gerund == lemma+lemma[n-1:]+"ing":
		return lemma + lemma[n-1:] + "ed"
	}
	return lemma + "ed"
}

// third returns the third person singular present of a verb's dictionary form.
func third(lemma string) string {
	n := len(lemma)
	switch {
	case lemma == "be":
		return "is"
	case lemma == "have":
		return "has"
	case n > 1 && lemma[n-1] == 'y' && !vowel(lemma[n-2]):
		return lemma[:n-1] + "ies"
	case strings.HasSuffix(lemma, "s"), strings.HasSuffix(lemma, "sh"),
		strings.HasSuffix(lemma, "ch"), strings.HasSuffix(lemma, "x"),
		strings.HasSuffix(lemma, "z"), strings.HasSuffix(lemma, "o"):
		return lemma + "es"
	}
	return lemma + "s"
}

// singular returns the verb form for a singular subject where plural is the
// first verb of a group that agrees with a plural one: "are", "have", "live".
func singular(plural, tag, lemma string) string {
	switch plural {
	case "are", "'re":
		return "is"
	case "were":
		return "was"
	case "have", "'ve":
		return "has"
	case "do":
		return "does"
	}
	if tag == "VBP" && plural == lemma {
		return third(lemma)
	}
	return plural
}
