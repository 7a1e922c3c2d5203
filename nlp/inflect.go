package nlp

import "strings"

// irregularPast are the past tenses that no rule makes.
var irregularPast = pairs(`be was have had do did go went say said see saw leave left lie lay lay laid bear bore find found wind wound
	grind ground bind bound fall fell feel felt rise rose speak spoke shoot shot think thought buy bought bring brought
	catch caught teach taught fight fought seek sought meet met lead led bleed bled feed fed hold held sell sold tell told
	pay paid make made build built send sent spend spent lend lent bend bent lose lost win won run ran begin began
	sing sang swim swam drink drank ring rang sink sank spring sprang shrink shrank know knew grow grew throw threw
	fly flew draw drew blow blew wear wore tear tore swear swore break broke choose chose freeze froze steal stole
	write wrote drive drove ride rode give gave take took shake shook forget forgot get got come came become became
	overcome overcame eat ate hide hid bite bit stand stood understand understood withstand withstood keep kept sleep slept
	weep wept sweep swept creep crept deal dealt mean meant hear heard light lit slide slid stick stuck strike struck
	sting stung swing swung hang hung dig dug spin spun cling clung sit sat spit spat wake woke awake awoke breed bred
	flee fled shine shone undergo underwent undertake undertook withdraw withdrew overthrow overthrew foresee foresaw
	oversee oversaw forbid forbade forgive forgave arise arose cut cut put put hit hit set set let let shut shut hurt hurt
	cost cost cast cast burst burst split split spread spread quit quit read read bet bet rid rid broadcast broadcast
	forecast forecast beat beat thrust thrust shed shed upset upset`)

// pastForm returns the past tense of the verb with the base w.
func (d *dictionary) pastForm(w string) string {
	if p := irregularPast[w]; p != "" {
		return p
	}
	switch n := len(w); {
	case n < 2:
		return w + "ed"
	case strings.HasSuffix(w, "e"):
		return w + "d"
	case w[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(w[n-2])):
		return w[:n-1] + "ied"
	default:
		return d.doubled(w, "ed")
	}
}

// thirdPersonForm returns the present tense of w after he, she or it.
func thirdPersonForm(w string) string {
	switch n := len(w); {
	case w == "be":
		return "is"
	case w == "have":
		return "has"
	case n < 2:
		return w + "s"
	case w[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(w[n-2])):
		return w[:n-1] + "ies"
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "x"), strings.HasSuffix(w, "z"), strings.HasSuffix(w, "ch"),
		strings.HasSuffix(w, "sh"), strings.HasSuffix(w, "o"):
		return w + "es"
	}
	return w + "s"
}
