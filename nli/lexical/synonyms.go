package lexical

import "strings"

// synonyms gives each lemma the number of its group; lemmas of one group may
// stand for each other. The list is short on purpose: these words are
// synonyms in nearly every sentence.
var synonyms = func() map[string]int {
	m := map[string]int{}
	for i, line := range strings.Split(synonymGroups, "\n") {
		for w := range strings.FieldsSeq(line) {
			m[w] = i + 1
		}
	}
	return m
}()

const synonymGroups = `begin start commence
end finish conclude
buy purchase acquire
big large huge
small little tiny
child kid youngster
person individual
fast quick rapid
ill sick unwell
help aid assist
show demonstrate
get obtain receive
kill slay murder
injure wound hurt
rob burgle
steal theft
hire employ recruit
fire dismiss sack
leave depart exit
happen occur
near close
car automobile
film movie
physician doctor
attorney lawyer
cop policeman
error mistake
choose select pick
answer reply respond
ask request
allow permit
ban prohibit forbid
stop halt cease
build construct
house home
street road
city town
picture photo photograph
difficult hard tough
easy simple
cheap inexpensive
expensive costly
rich wealthy
famous renowned
important significant
total overall
whole entire
reduce lower decrease cut
increase raise boost rise
decline fall drop
win victory triumph
beat defeat
lose loss
found establish
create make
wife spouse
mother mom mum
father dad
baby infant
boss chief
company firm corporation
job occupation
pay salary wage
illness disease
medicine drug medication
therapy treatment
test examination exam
study research
scientist researcher
author writer
speak talk
shout yell scream
announce declare
claim assert
reject refuse
accept approve
agree consent
argue quarrel
attack assault
fight battle
soldier troop
weapon gun
fix repair
break smash
throw toss
jump leap
look gaze
trip journey travel
flight plane
airplane plane aircraft
ship vessel
sea ocean
wood forest
stone rock
rain rainfall
cash money
prize award
match game
striker forward
coach manager
squad team side
pupil student
teacher instructor
college university
prison jail
law legislation
election poll
minister secretary
leader head
around about approximately
almost nearly
also too
quickly rapidly
often frequently
currently presently
woman lady
man guy
couch sofa
garbage trash rubbish
autumn fall
holiday vacation
lorry truck
shop store
apologise apologize
organise organize
realise realize
colour color
centre center
favourite favorite
behaviour behavior
honour honor
labour labor
defence defense
programme program
theatre theater
metre meter
litre liter`

// synonymous reports whether the lemmas may stand for each other.
func synonymous(a, b string) bool {
	g := synonyms[a]
	return g > 0 && g == synonyms[b]
}
