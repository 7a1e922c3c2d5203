package lexical_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/nli"
)

// kindCase is one pair of a kind of error. want is "supported", "not supported",
// "contradicted", "not contradicted" or "neutral" (neither).
type kindCase struct {
	premise, hypothesis, want string
}

func checkKind(t *testing.T, cases []kindCase) {
	t.Helper()
	m := newModel(t)
	for _, c := range cases {
		e := explain(t, m, c.premise, c.hypothesis)
		p := e.Probs
		if p.Err != nil {
			t.Errorf("%q of %q: %v", c.hypothesis, c.premise, p.Err)
			continue
		}
		got := "neutral"
		switch {
		case p.Entailment >= 0.5:
			got = "supported"
		case p.Contradiction > 0.5:
			got = "contradicted"
		}
		ok := got == c.want
		switch c.want {
		case "not supported":
			ok = got != "supported"
		case "not contradicted":
			ok = got != "contradicted"
		}
		if !ok {
			t.Errorf("%q of %q is %s (%.2f %.2f), want %s; reasons %+v", c.hypothesis, c.premise, got, p.Entailment, p.Contradiction, c.want, e.Reasons)
		}
	}
}

// A contradiction is about the same thing: where what picks the fact out
// differs too, nothing follows.
func TestAnotherThingIsNoContradiction(t *testing.T) {
	checkKind(t, []kindCase{
		{"In 2011 the museum received 900 visitors.", "In 2014 the museum received 700 visitors.", "neutral"},
		{"In 2011 the museum received 900 visitors.", "In 2011 the museum received 700 visitors.", "contradicted"},
		{"Norwell Ltd runs 14 shops.", "Harmon Ltd runs 22 shops.", "neutral"},
		{"Norwell Ltd runs 14 shops.", "Norwell Ltd runs 22 shops.", "contradicted"},
		{"Ines Falk was born in 1931 in Bergen.", "Tor Falk was born in 1934 in Malmo.", "neutral"},
		{"Ines Falk was born in 1931 in Bergen.", "Ines Falk was born in 1934 in Bergen.", "contradicted"},
		{"The green team scored 31 points.", "The yellow team scored 27 points.", "neutral"},
		{"The northern depot holds 80 trucks.", "The southern depot holds 60 trucks.", "neutral"},
		{"The pool closes at 8 pm on Friday.", "The pool closes at 6 pm on Saturday.", "neutral"},
		{"The pool closes at 8 pm on Friday.", "The pool closes at 6 pm on Friday.", "contradicted"},
		{"The panel did not vote in March.", "The panel voted in April.", "not contradicted"},
		{"The panel did not vote in March.", "The panel voted in March.", "contradicted"},
		{"The school did not open in 2003.", "The school opened in 2005.", "not contradicted"},
		{"Dora Quist is 31 years old.", "The driver was a 47-year-old Danish citizen.", "not contradicted"},
		{"The warranty lasts 24 months in Peru. The warranty lasts 36 months in Japan.", "The warranty lasts 24 months in Peru.", "supported"},
		{"The warranty lasts 36 months in Japan.", "The warranty lasts 24 months in Peru.", "not contradicted"},
		{"Warranty is 36 months in Japan.", "The warranty is 24 months in Peru.", "neutral"},
		{"Free returns: 60 days in Spain.", "Free returns last 90 days in Wales.", "neutral"},
		{"Everyone visited every town.", "Rolf did not visit Malmo.", "not supported"},
		{"Gate 7 has 3 lanes.", "Gate 9 has 5 lanes.", "neutral"},
		{"The third lap is 4 km long.", "The fourth lap is 6 km long.", "neutral"},
		{"My uncle is 61 years old.", "My aunt is 58 years old.", "neutral"},
		{"Oddny Moe is the treasurer of the Bergen club.", "Lars Vik is the treasurer of the Malmo club.", "neutral"},
	})
}

// Names are compared with names that could stand in their place.
func TestNamesInOtherPlacesAreNotCompared(t *testing.T) {
	m := newModel(t)
	for _, c := range []kindCase{
		{premise: "Warranty is 36 months in Japan.", hypothesis: "The warranty is 24 months in Peru."},
		{premise: "Ines Falk was born in 1931.", hypothesis: "Ines Falk was born in 1931 in Malmo."},
		{premise: "Harmon opened a shop on Monday.", hypothesis: "The shop was opened in Leeds."},
		{premise: "Carla Ott joined the firm in 2004.", hypothesis: "A firm in Basel hired 30 people in 2004."},
	} {
		e := explain(t, m, c.premise, c.hypothesis)
		for _, r := range e.Reasons {
			if r.Kind == nli.ReasonName && !r.Premise.Empty() && r.Premise.Of(c.premise) != "Japan" {
				t.Errorf("%q of %q: %s", c.hypothesis, c.premise, r.Detail)
			}
		}
	}
}

// Numbers clash only where they count the same or stand in the same place.
func TestNumbersOfOtherThings(t *testing.T) {
	checkKind(t, []kindCase{
		{"Release 3.1 of Tarn came out on May 4. It no longer runs on Ubuntu 18 and takes at least 6 GB.", "Tarn 3.1 takes at least 6 GB of disk.", "not contradicted"},
		{"Model 7 has 4 doors.", "Model 7 has 3 wheels.", "not contradicted"},
		{"The B40 road passes 3 villages.", "The B40 road passes 9 villages.", "contradicted"},
		{"The index rose to 104. 6 points in May.", "The index rose to 104.6 points in May.", "supported"},
		{"The yard built 30 tugs. It also built 7 yachts.", "The yard built 30 yachts.", "not supported"},
		{"The app was made for Ubuntu 18 and takes 3 GB.", "The app takes 18 GB.", "not supported"},
		{"The yield fell to 31. 4 in June.", "The yield fell to 31.4 in June.", "supported"},
		{"Tarn 4 drops support for Ubuntu 18 and takes at least 6 GB.", "Tarn 4 takes at least 6 GB of disk.", "not contradicted"},
		{"Some 97. 2 per cent of members agreed.", "Some 97.2 per cent of members agreed.", "supported"},
		{"Fewer than 300 tickets were sold.", "More than 300 tickets were sold.", "contradicted"},
	})
}

func TestDetailsShowBounds(t *testing.T) {
	e := explain(t, newModel(t), "Fewer than 300 tickets were sold.", "More than 300 tickets were sold.")
	if len(e.Reasons) == 0 || !strings.Contains(e.Reasons[0].Detail, "Fewer than 300") || !strings.Contains(e.Reasons[0].Detail, "More than 300") {
		t.Errorf("reasons %+v", e.Reasons)
	}
	e = explain(t, newModel(t), "The hall seats 400\npeople at most.", "The hall seats more than 500 people.")
	for _, r := range e.Reasons {
		if strings.Contains(r.Detail, `\n`) {
			t.Errorf("escape in %q", r.Detail)
		}
	}
}

// A negated sentence in the other voice says the same.
func TestNegatedPassive(t *testing.T) {
	checkKind(t, []kindCase{
		{"The senate has not ratified the treaty.", "The treaty has not been ratified by the senate.", "supported"},
		{"The vaccine did not reduce fever.", "Fever was not reduced by the vaccine.", "supported"},
		{"The letter was not signed by Ana Ruiz.", "Ana Ruiz did not sign the letter.", "supported"},
		{"The goods were never delivered by the carrier.", "The carrier never delivered the goods.", "supported"},
		{"The senate has not ratified the treaty.", "The treaty has been ratified by the senate.", "contradicted"},
		{"Fever was not reduced by the vaccine.", "The vaccine reduced fever.", "contradicted"},
	})
}

// What is only supposed, asked, reported, excepted or undone is not said.
func TestScopeWords(t *testing.T) {
	checkKind(t, []kindCase{
		{"If the dam breaks, the valley will flood.", "The valley will flood.", "not supported"},
		{"Unless the rain stops, the match will be cancelled.", "The match will be cancelled.", "not supported"},
		{"Opponents say the bridge is unsafe.", "The bridge is unsafe.", "not supported"},
		{"According to his rivals, the mayor lied.", "The mayor lied.", "not supported"},
		{"Reports that Moss would quit were untrue.", "Moss would quit.", "not supported"},
		{"Claims that the lake is poisoned proved wrong.", "The lake is poisoned.", "not supported"},
		{`Rita wondered: "Is the road closed?"`, "The road is closed.", "not supported"},
		{"Has the ferry left? Nobody knows.", "The ferry has left.", "not supported"},
		{"Neither Peru nor Chile joined.", "Peru joined.", "contradicted"},
		{"Neither Peru nor Chile joined.", "Chile joined.", "contradicted"},
		{"Neither Peru nor Chile joined.", "Chile did not join.", "supported"},
		{"The valve hardly ever leaks.", "The valve leaks.", "not supported"},
		{"The valve rarely leaks.", "The valve leaks.", "not supported"},
		{"Olaf stopped drinking in May.", "Olaf drinks.", "not supported"},
		{"The clerk forgot to stamp the form.", "The clerk stamped the form.", "not supported"},
		{"Ria nearly drowned.", "Ria drowned.", "not supported"},
		{"The clerk was going to resign.", "The clerk resigned.", "not supported"},
		{"Everybody except Mona left early.", "Mona left early.", "not supported"},
		{"Nobody except Mona left early.", "Mona left early.", "not contradicted"},
		{"Either Rolf or Kari left.", "Rolf left.", "not supported"},
		{"Even if it snows, the fair will open.", "The fair will open.", "supported"},
		{"It is false that the well is dry.", "The well is dry.", "not supported"},
		{"The well is dry, according to critics.", "The well is dry.", "not supported"},
		{"The well is dry if the pump is right.", "The well is dry.", "not supported"},
		{"The court said the contract was void.", "The contract was void.", "supported"},
		{"Almost all members voted.", "Almost all members voted.", "supported"},
		{"The salve may ease pain.", "The salve eases pain.", "not supported"},
		{"The survey covers Peru and Chile.", "The survey covers Peru.", "supported"},
	})
}

// Two ways to say one relation, and one relation with its arguments exchanged.
func TestRoles(t *testing.T) {
	checkKind(t, []kindCase{
		{"Pianist Ria Holm released her third record, Low Water, in 2009.", "Low Water is the third record of Ria Holm.", "not contradicted"},
		{"Ola is taller than Nils.", "Nils is shorter than Ola.", "not contradicted"},
		{"Ola is taller than Nils.", "Nils is taller than Ola.", "contradicted"},
		{"Ola is taller than Nils.", "Ola is shorter than Per.", "contradicted"},
		{"The Tigris is longer than the Rhine.", "The Rhine is longer than the Tigris.", "contradicted"},
		{"Lund lies north of Ystad.", "Ystad lies south of Lund.", "not contradicted"},
		{"Lund lies north of Ystad.", "Lund lies south of Ystad.", "contradicted"},
		{"Noor is the parent of Ivo.", "Ivo is the child of Noor.", "not contradicted"},
		{"The concert came before the speech.", "The speech came after the concert.", "not contradicted"},
		{"Holm Dairy agreed to acquire Trex.", "Trex agreed to acquire Holm Dairy.", "contradicted"},
		{"Ria Holm was killed and Olga Trent was injured.", "Olga Trent was killed and Ria Holm was injured.", "contradicted"},
		{"Ruiz was born in Lima and died in Quito.", "Ruiz was born in Quito and died in Lima.", "contradicted"},
		{"Noor is the mother of Ivo.", "Ivo is the mother of Noor.", "contradicted"},
		{"Noor is Ivo's mother.", "Ivo is the mother of Noor.", "contradicted"},
		{"Ivo's mother is Noor.", "Noor is the mother of Ivo.", "not contradicted"},
		{"Ria Holm was killed and Olga Trent was injured.", "Ria Holm was injured.", "not supported"},
		{"Ruiz was born in Lima and died in Quito.", "Ruiz was born in Quito.", "contradicted"},
		{"The flash flood caused the road closure.", "The road closure caused the flash flood.", "contradicted"},
		{"The storm caused the flood.", "The flood caused the storm.", "contradicted"},
		{"Rolf lent the boat to Kari.", "Kari lent the boat to Rolf.", "contradicted"},
		{"Rolf lent the boat to Kari.", "Rolf lent the boat to Kari in May.", "not contradicted"},
		{"Olga has more votes than Ria.", "Ria has fewer votes than Olga.", "not contradicted"},
		{"Olga has more votes than Ria.", "Ria has more votes than Olga.", "contradicted"},
		{"Olga was not elected by Ria.", "Olga did not elect Ria.", "not contradicted"},
		{"Prices range from 20 to 45 euros.", "Prices range from 20 to 45 euros.", "supported"},
		{"Output fell from 40 to 25 tons.", "Output fell from 25 to 40 tons.", "contradicted"},
	})
}

// Short codes, signs and units tell things apart.
func TestCodesAndSigns(t *testing.T) {
	checkKind(t, []kindCase{
		{"Hall C seats 40 guests. Hall D seats 90 guests.", "Hall C seats 90 guests.", "not supported"},
		{"Hall C seats 40 guests. Hall D seats 90 guests.", "Hall D seats 90 guests.", "supported"},
		{"Vitamin A was given to 10 men.", "Vitamin E was given to 10 men.", "not supported"},
		{"The ticket costs $7.", "The ticket costs €7.", "contradicted"},
		{"The fund is worth £2bn.", "The fund is worth $2bn.", "contradicted"},
		{"The update needs 300 MB.", "The update needs 300 GB.", "contradicted"},
		{"The vote was held on Tuesday.", "The vote was held on Thursday.", "contradicted"},
		{"Mr Holm signed the lease.", "Mrs Holm signed the lease.", "not supported"},
		{"Write to desk@example.org for help.", "Write to desk@example.com for help.", "not supported"},
		{"See https://example.org/a/b for the plan.", "See https://example.org/a/c for the plan.", "not supported"},
		{"See https://example.org/a/b for the plan.", "See https://example.org/a for the plan.", "not supported"},
		{"The plan is at https://example.org/a/b", "The plan is at https://example.org/a", "not supported"},
		{"The plan is at example.org.", "The plan is at example.net.", "not supported"},
		{"The plan is at example.org, says Bo.", "The plan is at example.org.", "supported"},
		{"Version 2.4.1 fixes the leak.", "Version 2.4.7 fixes the leak.", "not supported"},
		{"Call 020 7946 0018 for help.", "Call 020 7946 0081 for help.", "not supported"},
	})
}

// Where a paraphrase is only possible, the verdict is no contradiction.
func TestParaphraseIsNoContradiction(t *testing.T) {
	checkKind(t, []kindCase{
		{"The Halvor Mill opened in 1903. Its first owner was Petter Rask.", "Petter Rask was the first owner of the Halvor Mill.", "not contradicted"},
		{"Low Water is a record by Ria Holm. The engineer was Jon Birk.", "Jon Birk engineered Low Water.", "not contradicted"},
		{"Tarn 3 drops support for Ubuntu 18.", "Tarn 3 no longer supports Ubuntu 18.", "not contradicted"},
		{"Robert Holm chaired the meeting.", "Bob Holm chaired the meeting.", "supported"},
		{"Elizabeth Moe opened the fair.", "Liz Moe opened the fair.", "supported"},
		{"Dan Orr scored twice as United beat Rangers.", "Dan Orr scored two goals for United.", "not contradicted"},
	})
}

// One short sentence tells its language.
func TestShortForeignSentences(t *testing.T) {
	m := newModel(t)
	const english = "The bridge was built in 1925. It is green."
	for _, c := range []struct{ text, language string }{
		{"Die Kirche wurde 1931 gebaut.", "German"},
		{"Das Schiff ist rot.", "German"},
		{"El barco es rojo.", "Spanish"},
		{"La iglesia fue construida en 1931.", "Spanish"},
		{"L'église a été construite en 1931.", "French"},
		{"Le bateau est rouge.", "French"},
		{"La chiesa è stata costruita nel 1931.", "Italian"},
		{"Il battello è rosso.", "Italian"},
		{"De kerk werd in 1931 gebouwd.", "Dutch"},
		{"Het schip is rood.", "Dutch"},
		{"A igreja foi construída em 1931.", "Portuguese"},
		{"O navio não é vermelho.", "Portuguese"},
	} {
		var le *nli.LanguageError
		if p := explain(t, m, english, c.text).Probs; !errors.As(p.Err, &le) || le.Language != c.language {
			t.Errorf("%q: %+v", c.text, p)
		}
	}
	for _, s := range []string{
		"Los Angeles is in La Paz county.", "El Paso is a city.", "De Klerk met Le Pen.", "Café São Paulo opened in Málaga.",
		"Die Hard was released in 1988.", "The mother of La Toya was a nurse.", "Van Gogh died in 1890.",
		"Prices die down in August.", "He met Da Silva on a bus.", "Do not sit.", "José Martí wrote La Edad de Oro.",
	} {
		if p := explain(t, m, english, s).Probs; p.Err != nil {
			t.Errorf("%q: %v", s, p.Err)
		}
	}
}

// Long hypotheses of cues, names or relations cost no more than their length
// allows.
func TestLongHypotheses(t *testing.T) {
	m := newModel(t)
	premise := "If Ana may go, Bo could not go. Neither Ana nor Bo is taller than Cleo, who went from 10 to 15. Ana was hurt and Bo was seen."
	for _, unit := range []string{"may go ", "not go ", "Ana went, ", "Ana is taller than Bo. ", "12 men ", "Neither Ana nor Bo went. ", "if Bo ", "Ana was hurt and "} {
		h := strings.Repeat(unit, 3900/len(strings.Fields(unit)))
		start := time.Now()
		if p := explain(t, m, premise, h).Probs; p.Err != nil && p.Entailment != 0 {
			t.Errorf("%q: %+v", unit, p)
		}
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%q: %v", unit, d)
		}
	}
}

// What the next sentence denies is not supported by what this one leaves open.
func TestDenialInTheNextSentence(t *testing.T) {
	checkKind(t, []kindCase{
		{"The school has a gym. It does not have a library.", "The school has a library.", "contradicted"},
		{"The school has a gym. It does not have a library.", "The school has a gym.", "supported"},
		{"Omar reads novels. He does not read poems.", "Omar reads poems.", "contradicted"},
		{"Omar reads novels. He does not read poems.", "Omar reads novels.", "supported"},
		{"The ticket includes lunch. Drinks are not included.", "Drinks are included in the ticket.", "contradicted"},
		{"The ticket includes lunch. Drinks are not included.", "The ticket includes lunch.", "supported"},
		{"Lena moved to Turin in 2012. She did not stay long.", "Lena moved to Turin in 2012.", "supported"},
	})
}

// A denial of one statement is none of another that is made beside it: of who did
// it in truth, of what was so instead.
func TestDeniedForOneAndSaidOfAnother(t *testing.T) {
	checkKind(t, []kindCase{
		{"She did not discover the comet. It was found by a neighbour in 1901.", "A neighbour found the comet in 1901.", "not contradicted"},
		{"The council never approved the tunnel. A ministry financed it in 1968.", "A ministry financed the tunnel in 1968.", "not contradicted"},
		{"She did not discover the comet. It was found by a neighbour in 1901.", "She discovered the comet.", "contradicted"},
		{"The hotel has 30 rooms. It does not offer a sauna.", "The hotel has a sauna.", "not supported"},
		{"The hotel offered 30 rooms. It offered no sauna.", "The hotel offered a sauna.", "contradicted"},

		{"The museum was not designed by Lutyens but by Voysey.", "The museum was designed by Voysey.", "not contradicted"},
		{"The museum was not designed by Lutyens but by Voysey.", "The museum was designed by Lutyens.", "contradicted"},
		{"The firm did not sell its ships to Norway, but to Chile.", "The firm sold its ships to Chile.", "not contradicted"},
		{"The firm did not sell its ships to Norway, but to Chile.", "The firm sold its ships to Norway.", "contradicted"},
		{"The mill was not closed but renovated.", "The mill was closed.", "contradicted"},
	})
}

// A caption or heading that runs into a statement without a mark is a sentence of
// its own: what it negates or doubts says nothing against the statement, and what
// is said in either is found.
func TestCaptionsThatRunIntoStatements(t *testing.T) {
	m := newModel(t)
	for _, c := range []struct{ premise, hypothesis, want string }{
		{"The town may never reopen its pool while the council considers selling the mill The ferry carried 120 cars last year.", "The ferry carried 120 cars last year.", "supported"},
		{"Villagers did not attend the opening of the bridge It was built by a Dutch firm in 2003.", "The bridge was built by a Dutch firm in 2003.", "supported"},
		{"Nobody was hurt when the roof of the hall fell He paid for the repairs himself.", "He paid for the repairs himself.", "supported"},
		{"Divers could find no trace of the boat However the coast guard found its anchor on Monday.", "The coast guard found the boat's anchor on Monday.", "supported"},
		{"The mayor opened the school The teachers did not come to the feast.", "The teachers came to the feast.", "not supported"},
		{"One guest wrote: ‘ If you are here in May expect to have rain every day ’ It is the wettest valley of the country.", "It is the wettest valley of the country.", "supported"},
		{"The club is considering whether to keep him Olsen signed for Brann last year.", "Olsen signed for Brann last year.", "supported"},
		{"The keeper could not save the last penalty on Monday The 19-year-old has played for Brann since March.", "The 19-year-old has played for Brann since March.", "supported"},
		// No joint: names and letters in capitals, and speech.
		{"The doctors did not find any vitamin A in the blood of the children.", "The doctors found vitamin A in the blood of the children.", "contradicted"},
		{"The manager never said The company would close its plant.", "The manager said the company would close its plant.", "contradicted"},
		{"The band did not play songs of The Beatles at the wedding.", "The band played songs of The Beatles at the wedding.", "contradicted"},
	} {
		e := explain(t, m, c.premise, c.hypothesis)
		got := "not supported"
		switch {
		case e.Probs.Entailment > 0.5:
			got = "supported"
		case e.Probs.Contradiction > 0.5:
			got = "contradicted"
		}
		if got != c.want && !(c.want == "not supported" && got == "contradicted") {
			t.Errorf("%q\n  of %q is %s (%+v), want %s", c.hypothesis, c.premise, got, e.Probs, c.want)
		}
	}
}
