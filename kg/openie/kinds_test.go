package openie

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/segment"
)

// TestKinds says what kinds of sentences give that are common in what language
// models write. Each kind has several variants, all of them our own; want lists
// all triples in order.
func TestKinds(t *testing.T) {
	e := extractor(t, Options{})
	for _, k := range []struct {
		kind  string
		cases map[string][]string
	}{
		{"plain present tense", map[string][]string{
			"Leo cooks dinner.":                            {"Leo | cooks | dinner"},
			"Mia Keller paints doors.":                     {"Mia Keller | paints | doors"},
			"Mia plays chess and reads books.":             {"Mia | plays | chess", "Mia | reads | books"},
			"Farmers plant trees.":                         {"Farmers | plant | trees"},
			"Old engines need oil.":                        {"Old engines | need | oil"},
			"Cats sleep.":                                  {"Cats | do | sleep"},
			"Not all engines work.":                        {"Not all engines | do | work"},
			"When Mia sings, dogs howl.":                   {"Mia | does | sing", "dogs | howl | when Mia sings"},
			"LEO BOUGHT THE OLD HOUSE IN BERN.":            {"LEO | BOUGHT | THE OLD HOUSE IN BERN"},
			"House prices rise.":                           {"House prices | do | rise"},
			"The crowd cheered and Leo shouted.":           {"The crowd | did | cheer", "Leo | did | shout"},
			"After Mia arrived, Leo whispered.":            {"Mia | did | arrive", "Leo | did | whisper after Mia arrived"},
			"Mia wrote the song and Leo played the flute.": {"Mia | wrote | the song", "Leo | played | the flute"},
			"Leo read the letter, and Mia burned it":       {"Leo | read | the letter", "Mia | burned | the letter"},
		}},
		{"relative clause about the subject", map[string][]string{
			"The man who lost his keys lives in Bern.":            {"The man | lost | his keys", "The man who lost his keys | lives in | Bern"},
			"The bank that owns the tower sells bonds.":           {"The bank | owns | the tower", "The bank that owns the tower | sells | bonds"},
			"The company which makes the engine builds planes.":   {"The company | makes | the engine", "The company which makes the engine | builds | planes"},
			"The report that Mia wrote won praise.":               {"Mia | wrote | the report", "The report that Mia wrote | won | praise"},
			"The claim that Mia left is false.":                   {"The claim that Mia left | is | false"},
			"The horse that threw Leo ran.":                       {"The horse | threw | Leo", "The horse that threw Leo | did | run"},
			"A driver who saw the crash calls the police.":        {"A driver | saw | the crash", "A driver | calls | the police"},
			"The teacher who wrote the book works at a school.":   {"The teacher | wrote | the book", "The teacher who wrote the book | works at | a school"},
			"The players who won the match tickets left.":         {"The players | won | the match tickets", "The players who won the match tickets | did | leave"},
			"The paper says the man who won the race lives here.": {"The paper | says | the man who won the race lives here"},
		}},
		{"marks around a sentence", map[string][]string{
			"🎉 The shop hired Leo.":                      {"The shop | hired | Leo"},
			"✔️ Mia sold the clock.":                     {"Mia | sold | the clock"},
			"➡ Mia sold the clock.":                      {"Mia | sold | the clock"},
			"* 👍 Mia sold the clock.":                    {"Mia | sold | the clock"},
			"> Mia sold the clock.":                      {"Mia | sold | the clock"},
			"(Mia sold the clock.)":                      {"Mia | sold | the clock"},
			"[Mia sold the clock.]":                      {"Mia | sold | the clock"},
			"<i>Mia</i> sold the <b>clock</b>.":          {"Mia | sold | the clock"},
			"Mia [sold](https://a.example/b) the clock.": {"Mia | sold | the clock"},
			"[Mia](https://a.example) sold the clock.":   {"Mia | sold | the clock"},
			"### Mia sold the clock":                     {"Mia | sold | the clock"},
			"Mia sold the clock 🎉.":                      {"Mia | sold | the clock"},
		}},
		{"conditions", map[string][]string{
			"Unless Leo wins, Mia resigns.":                         {"Mia | resigns | unless Leo wins"},
			"Once Leo wins, Mia resigns.":                           {"Mia | resigns | once Leo wins"},
			"Supposing Leo wins, Mia resigns.":                      {"Mia | resigns | supposing Leo wins"},
			"Assuming that Leo wins, Mia resigns.":                  {"Mia | resigns | assuming that Leo wins"},
			"Providing the vote passes, the mayor will resign.":     {"the mayor | will resign | providing the vote passes"},
			"Provided that the board agrees, the plant will close.": {"the plant | will close | provided that the board agrees"},
			"The plant will close provided that the board agrees.":  {"The plant | will close | provided that the board agrees"},
			"As long as Leo works, Mia stays.":                      {"Mia | stays | as long as Leo works"},
			"In case Leo loses, Mia stays.":                         {"Mia | stays | in case Leo loses"},
			"On condition that Leo works, Mia stays.":               {"Mia | stays | on condition that Leo works"},
			"Assuming the role of king, Leo married Mia.":           {"Leo | assumed | the role of king", "Leo | married | Mia"},
			"If it rains.": nil,
		}},
		{"not", map[string][]string{
			"Not everyone voted.":                      {"Not everyone | did | vote"},
			"Not one player scored.":                   {"Not one player | did | score"},
			"The film is not just long but also dull.": {"The film | is | not just long but also dull"},
			"Mia prevented Leo leaving.":               {"Mia | prevented | Leo leaving"},
			"Leo stopped the machine working.":         {"Leo | stopped | the machine working"},
		}},
		{"what need not be", map[string][]string{
			"Leo wants a car that flies.":               {"Leo | wants | a car that flies"},
			"Leo needs workers who speak Danish.":       {"Leo | needs | workers who speak Danish"},
			"Leo did not find a shop that sold bread.":  {"Leo | did not find | a shop that sold bread"},
			"Leo found a shop that sold bread.":         {"Leo | found | a shop", "a shop | sold | bread"},
			"The war had all but ended.":                {"The war | had all but | ended"},
			"Leo Marsh, 54, described as a hero, left.": {"Leo Marsh | is | 54 years old", "Leo Marsh | was described as | a hero", "Leo Marsh | did | leave"},
		}},
		{"coordinated verbs", map[string][]string{
			"The teams train in Rome and play in Milan.":     {"The teams | train in | Rome", "The teams | play in | Milan"},
			"The teams train in Rome and Milan.":             {"The teams | train in | Rome", "The teams | train in | Milan"},
			"Nurses work in wards and teach in colleges.":    {"Nurses | work in | wards", "Nurses | teach in | colleges"},
			"Farmers grow wheat and export grain.":           {"Farmers | grow | wheat", "Farmers | export | grain"},
			"Farmers grow wheat and water melons.":           {"Farmers | grow | wheat and water melons"},
			"The shop buys, repairs and resells old clocks.": {"The shop | buys | old clocks", "The shop | repairs | old clocks", "The shop | resells | old clocks"},
			"The firm makes and sells clocks.":               {"The firm | makes | clocks", "The firm | sells | clocks"},
			"Mia sent Leo and Kai letters.":                  {"Mia | sent | Leo letters", "Mia | sent | Kai letters"},
			"Mia showed Leo photos.":                         {"Mia | showed | Leo photos"},
			"Before she moved, Mia made a will.":             {"Mia | made | a will before Mia moved"},
		}},
		{"gapping", map[string][]string{
			"Germany has 84 million people, Italy 59 million and Malta 1 million.": {"Germany | has | 84 million people", "Italy | has | 59 million", "Malta | has | 1 million"},
			"Mia won gold and Leo silver.":                                         {"Mia | won | gold", "Leo | won | silver"},
			"Mia won gold, Leo bronze.":                                            {"Mia | won | gold", "Leo | won | bronze"},
			"Mia bought a house, Leo a boat.":                                      {"Mia | bought | a house", "Leo | bought | a boat"},
			"Mia lives in Rome, Leo in Oslo.":                                      {"Mia | lives in | Rome", "Leo | lives in | Oslo"},
			"Mia lives in Oslo, Norway.":                                           {"Mia | lives in | Oslo, Norway"},
			"Mia thanked a lawyer, Leo Marsh.":                                     {"Mia | thanked | a lawyer", "Leo Marsh | is | a lawyer"},
			"Mia visited the capital, Oslo.":                                       {"Mia | visited | the capital", "Oslo | is | the capital"},
			"Mia read the paper, an Oslo daily.":                                   {"Mia | read | the paper", "the paper | is | an Oslo daily"},
		}},
		{"pronouns in tails", map[string][]string{
			"Leo said he had slept.":                    {"Leo | said | Leo had slept"},
			"When she woke, Mia called Leo.":            {"Mia | did | wake", "Mia | called | Leo when Mia woke"},
			"Although it lost money, the firm grew.":    {"the firm | lost | money", "the firm | grew | although the firm lost money"},
			"When he arrived, the mayor gave a speech.": {"the mayor | did | arrive", "the mayor | gave | a speech when the mayor arrived"},
			"Mia said Leo hurt her.":                    {"Mia | said | Leo hurt Mia"},
			"Leo met Mia, and he told her he was ill.":  {"Leo | met | Mia", "Leo | told | Mia that Leo was ill"},
			"Leo's sister said he was ill.":             {"Leo's sister | said | Leo was ill"},
			"Leo hurt himself.":                         {"Leo | hurt | himself"},
			"Leo hired him.":                            nil,
			"Mia lost her keys.":                        {"Mia | lost | her keys"},
		}},
		{"speaker and listener", map[string][]string{
			"I like tea.":                     {"the speaker | likes | tea"},
			"I'm a nurse.":                    {"the speaker | is | a nurse"},
			"I have never met Leo.":           {"the speaker | has never met | Leo"},
			"We measure the growth of mould.": {"the speakers | measure | the growth of mould"},
			"You can return the coat in May.": {"the listener | can return | the coat in May"},
			"You have paid.":                  {"the listener | has | paid"},
			"Mia told me.":                    {"Mia | told | the speaker"},
			"Mia and Leo supply the US.":      {"Mia | supplies | the US", "Leo | supplies | the US"},
		}},
		{"halves of sentences", map[string][]string{
			"Leo was held again after another man, also aged 15, saw Mia.": {
				"Leo | was held | again after another man, also aged 15, saw Mia", "another man | was also aged | 15", "another man | saw | Mia"},
			"A man aged 86 died in York.":                                         {"A man | was aged | 86", "A man | died in | York"},
			"A man found guilty.":                                                 {"A man | was found | guilty"},
			"Yes harry potter.":                                                   nil,
			"Leo and Mia live near the zoo on Oak Street.":                        {"Leo | lives near | the zoo on Oak Street", "Mia | lives near | the zoo on Oak Street"},
			"Mia was carried out and taken to hospital.":                          {"Mia | was | carried out", "Mia | was taken to | hospital"},
			"Leo sells health, life and car insurance.":                           {"Leo | sells | health, life and car insurance"},
			"Leo studied the latest genetic, fossil and archaeological evidence.": {"Leo | studied | the latest genetic, fossil and archaeological evidence"},
			"Mia found that.":                                                     nil,
			"Leo apparently never will.":                                          nil,
			"Leo says nothing of who they are.":                                   {"Leo | says | nothing of who they are"},
			"Leo asked which coat the shop sold.":                                 {"Leo | asked | which coat the shop sold"},
			"Leo called Mia to decide which train is late.":                       {"Leo | called | Mia to decide which train is late"},
			"The study shows that storing grain in CNN towers spoils bread.":      {"The study | shows that | storing grain in CNN towers spoils bread", "storing grain in CNN towers | spoils | bread"},
		}},
		{"names and addresses", map[string][]string{
			"Brown, Weber & Co. bought Orbix (UK), Ltd.": {"Brown, Weber & Co. | bought | Orbix (UK), Ltd."},
			"Orbix, Inc. sued Brown & Sons.":             {"Orbix, Inc. | sued | Brown & Sons"},
			`The folder D:\data\old holds files.`:        {`D:\data\old | is | the folder`, `D:\data\old | holds | files`},
			"The folder /usr/share/dict holds files.":    {"The folder /usr/share/dict | holds | files"},
			"Mia wrote to leo.b@mail.example.":           {"Mia | wrote to | leo.b@mail.example"},
			"Mia runs https://a.example/x?y=1 alone.":    {"Mia | runs | https://a.example/x?y=1 alone"},
		}},
		{"invisible characters", map[string][]string{
			"\u202eMia sold the clock.":             {"Mia | sold | the clock"},
			"M\u200bia sold the clo\u00adck.":       {"Mia | sold | the clock"},
			"\u2066Mia\u2069 sold \ufeffthe clock.": {"Mia | sold | the clock"},
		}},
	} {
		t.Run(k.kind, func(t *testing.T) {
			for text, want := range k.cases {
				x := extract(t, e, text)[0]
				checkInvariants(t, text, x)
				if got := show(x); !reflect.DeepEqual(got, want) {
					t.Errorf("%s\n got %s\nwant %s\ndropped %v", text, strings.Join(got, "\n     "), strings.Join(want, "\n     "), x.Dropped)
				}
				if len(want) == 0 && len(x.Dropped) == 0 {
					t.Errorf("%s: nothing found, and no reason", text)
				}
			}
		})
	}
}

// TestNothingIsSilent: a text with something to see gives a triple or a reason.
func TestNothingIsSilent(t *testing.T) {
	e := extractor(t, Options{})
	for _, text := range []string{"🙂🙂 👍", "***", "---", "Leo said.", "(", "??", "→", "Unless Leo wins."} {
		x := extract(t, e, text)[0]
		if len(x.Statements) == 0 && len(x.Dropped) == 0 {
			t.Errorf("%q: no triple and no reason", text)
		}
	}
	for _, text := range []string{"", " \n\t", "\u200b\ufeff"} {
		if x := extract(t, e, text)[0]; len(x.Statements) != 0 || len(x.Dropped) != 0 || x.Err != nil {
			t.Errorf("%q: %+v", text, x)
		}
	}
}

// TestInvalidUTF8 fails the one text, with the place, and no other.
func TestInvalidUTF8(t *testing.T) {
	e := extractor(t, Options{})
	xs := extract(t, e, "Mia sold the clock.", "Mia \xff sold", "Leo left.", "ok \xe6\xbc")
	for i, offset := range map[int]int{1: 4, 3: 3} {
		var bad *segment.InvalidUTF8Error
		if !errors.As(xs[i].Err, &bad) || bad.Offset != offset || len(xs[i].Statements) != 0 {
			t.Errorf("text %d: %+v, want an InvalidUTF8Error at %d", i, xs[i], offset)
		}
	}
	for _, i := range []int{0, 2} {
		if xs[i].Err != nil || len(xs[i].Statements) != 1 {
			t.Errorf("text %d: %+v", i, xs[i])
		}
	}
}
