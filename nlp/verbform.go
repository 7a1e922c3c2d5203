package nlp

import (
	"slices"
	"strings"
)

// irregularParticiples are the past participles that are not the past tense.
var irregularParticiples = pairs(`be been do done go gone see seen lie lain bear borne fall fallen rise risen speak spoken run run begin begun
	sing sung swim swum drink drunk ring rung sink sunk spring sprung shrink shrunk know known grow grown throw thrown fly flown
	draw drawn blow blown wear worn tear torn swear sworn break broken choose chosen freeze frozen steal stolen write written
	drive driven ride ridden give given take taken shake shaken forget forgotten come come become become overcome overcome
	eat eaten hide hidden bite bitten wake woken awake awoken undergo undergone undertake undertaken withdraw withdrawn
	overthrow overthrown foresee foreseen oversee overseen forbid forbidden forgive forgiven arise arisen beat beaten show shown
	swell swollen mow mown sow sown sew sewn prove proven get got outgrow outgrown overtake overtaken`)

// CanBeVerb reports whether the dictionary knows word, in any case, as a form of a
// verb: "runs" and "run" are, "stadium" is not. Words that it does not know are not.
func (a *Analyzer) CanBeVerb(word string) bool { return a.dict.verbOf(strings.ToLower(word)) }

// VerbForm returns the form of a verb that a Penn tag names, from its dictionary form:
// VerbForm("carry", "VBD") is "carried". Tags that name no other form (VB, VBP and all
// that are no verbs') give base as it is. It knows the commonest irregular verbs; of
// "be" the singular. base is in small letters.
func (a *Analyzer) VerbForm(base, penn string) string {
	if base == "" {
		return ""
	}
	switch penn {
	case "VBD":
		return a.dict.pastForm(base)
	case "VBN":
		if p := irregularParticiples[base]; p != "" {
			return p
		}
		return a.dict.pastForm(base)
	case "VBZ":
		return thirdPersonForm(base)
	case "VBG":
		return a.dict.gerundForm(base)
	}
	return base
}

// gerundForm returns the form in -ing of the verb with the base w.
func (d *dictionary) gerundForm(w string) string {
	n := len(w)
	switch {
	case strings.HasSuffix(w, "ie"):
		return w[:n-2] + "ying"
	case strings.HasSuffix(w, "e") && n > 2 && !strings.HasSuffix(w, "ee") && !strings.HasSuffix(w, "oe") && !strings.HasSuffix(w, "ye"):
		return w[:n-1] + "ing"
	}
	return d.doubled(w, "ing")
}

// doubled adds an ending to w, behind its last letter twice if the dictionary has w so
// and not with the letter once ("stopped"; "stoped" is of "stope").
func (d *dictionary) doubled(w, ending string) string {
	double := w + w[len(w)-1:] + ending
	if slices.Contains(d.forms[double], w) && !slices.Contains(d.forms[w+ending], w) {
		return double
	}
	return w + ending
}
