package nlp

import (
	"fmt"
	"strings"
	"sync"

	"github.com/aaaton/golem/v4"
	"github.com/aaaton/golem/v4/dicts/en"
)

// dictionary maps a word form to the dictionary forms that it may come from.
// It is read from golem's English list; golem's own look-up returns the first
// form whatever the part of speech, and sorts its shared slices when asked for
// all, which is no good for concurrent use. It is read-only once loaded.
type dictionary struct {
	// forms lists the base forms of a word, in the order of the list, without
	// duplicates.
	forms map[string][]string
	// verbs holds the base forms that have a form in -ing.
	verbs map[string]bool
}

var loadDictionary = sync.OnceValues(func() (*dictionary, error) { return readDictionary(en.New()) })

// readDictionary reads the lines of a pack: a base form, a tab, and the words
// that come from it, divided by tabs.
func readDictionary(p golem.LanguagePack) (*dictionary, error) {
	b, err := p.GetResource()
	if err != nil {
		return nil, fmt.Errorf("nlp: dictionary %s: %w", p.GetLocale(), err)
	}
	d := &dictionary{forms: make(map[string][]string, 90_000), verbs: make(map[string]bool, 12_000)}
	for line := range strings.Lines(string(b)) {
		words := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		base := words[0]
		for _, w := range words {
			if fs := d.forms[w]; len(fs) == 0 || fs[len(fs)-1] != base {
				d.forms[w] = append(fs, base)
			}
			if w != base && strings.HasSuffix(w, "ing") {
				d.verbs[base] = true
			}
		}
	}
	return d, nil
}

// has reports whether the lower-cased word is known.
func (d *dictionary) has(w string) bool { return len(d.forms[w]) > 0 }

// isBase reports whether w is itself a dictionary form.
func (d *dictionary) isBase(w string) bool {
	for _, f := range d.forms[w] {
		if f == w {
			return true
		}
	}
	return false
}

// verbOf reports whether w can be a form of a verb.
func (d *dictionary) verbOf(w string) bool {
	for _, f := range d.forms[w] {
		if d.verbs[f] {
			return true
		}
	}
	return verbIrregulars[w] != ""
}

// verbIrregulars are forms where the list is silent, wrong or ambiguous.
var verbIrregulars = pairs(`am be 'm be are be 're be is be was be were be been be being be
	has have had have having have 've have 's be does do did do done do went go gone go goes go
	ca can wo will sha shall 'll will 'd would ai be
	saw see seen see left leave lay lie laid lay lain lie born bear bore bear borne bear found find wound wind
	ground grind bound bind fell fall felt feel rose rise spoke speak shot shoot thought think bought buy
	brought bring caught catch taught teach fought fight sought seek met meet led lead bled bleed fed feed
	held hold sold sell told tell said say paid pay made make built build sent send spent spend lent lend bent bend
	lost lose won win ran run began begin begun begin sang sing sung sing swam swim swum swim drank drink drunk drink
	rang ring rung ring sank sink sunk sink sprang spring sprung spring shrank shrink shrunk shrink
	knew know known know grew grow grown grow threw throw thrown throw flew fly flown fly drew draw drawn draw
	blew blow blown blow wore wear worn wear tore tear torn tear swore swear sworn swear
	broke break broken break chose choose chosen choose froze freeze frozen freeze stole steal stolen steal
	wrote write written write drove drive driven drive rode ride ridden ride gave give given give
	took take taken take shook shake shaken shake forgot forget forgotten forget got get gotten get
	came come become become became become overcame overcome ate eat eaten eat hid hide hidden hide bit bite bitten bite
	stood stand understood understand withstood withstand kept keep slept sleep wept weep swept sweep crept creep
	dealt deal meant mean heard hear lit light slid slide stuck stick struck strike stung sting swung swing hung hang
	dug dig spun spin clung cling flung fling strung string wrung wring sat sit spat spit
	woke wake woken wake awoke awake bred breed fled flee sped speed shone shine slew slay slain slay
	underwent undergo undergone undergo undertook undertake undertaken undertake withdrew withdraw withdrawn withdraw
	died die dying die lied lie lying lie tied tie tying tie based base using use used use
	leaves leave lives live proves prove proven prove showed show shown show sewn sew sown sow mown mow
	outgrew outgrow overthrew overthrow overthrown overthrow foresaw foresee foreseen foresee oversaw oversee overseen oversee`)

// nounIrregulars are plurals that the list gives more than one form for, or none.
var nounIrregulars = pairs(`leaves leaf lives life wives wife knives knife wolves wolf halves half shelves shelf
	calves calf loaves loaf thieves thief hooves hoof scarves scarf elves elf selves self
	men man women woman children child people people feet foot teeth tooth geese goose mice mouse lice louse oxen ox
	axes axe bases base analyses analysis crises crisis theses thesis hypotheses hypothesis diagnoses diagnosis
	oases oasis parentheses parenthesis criteria criterion phenomena phenomenon data data media media
	bacteria bacterium fungi fungus nuclei nucleus stimuli stimulus alumni alumnus cacti cactus radii radius
	indices index matrices matrix vertices vertex appendices appendix
	news news series series species species means means headquarters headquarters politics politics
	mathematics mathematics physics physics economics economics athletics athletics athletes athlete
	police police cattle cattle clothes clothes goods goods works work glasses glass lenses lens
	buses bus gases gas classes class businesses business movies movie cookies cookie ties tie pies pie
	lies lie shoes shoe toes toe does doe heroes hero potatoes potato tomatoes tomato echoes echo
	caves cave waves wave slaves slave graves grave gloves glove olives olive natives native detectives detective
	saws saw dies die dice die brothers brother cows cow thanks thanks arms arm remains remains`)

// degreeIrregulars are comparatives and superlatives.
var degreeIrregulars = pairs(`better good best good worse bad worst bad further far farther far furthest far farthest far
	elder old eldest old more more most most less less least least later late latest late lower low lowest low
	upper upper inner inner outer outer former former latter latter`)

func pairs(list string) map[string]string {
	f := strings.Fields(list)
	m := make(map[string]string, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		m[f[i]] = f[i+1]
	}
	return m
}

// lemma returns the dictionary form of the lower-cased word w with the tag.
func (d *dictionary) lemma(w, tag string) string {
	w = strings.ReplaceAll(w, "’", "'")
	if w == "n't" {
		return "not"
	}
	switch {
	case strings.HasPrefix(tag, "NNP"), len(w) > 40:
		return w
	case strings.HasPrefix(tag, "VB"), tag == "MD":
		return d.verb(w, tag)
	case tag == "NNS":
		return d.noun(w)
	case tag == "NN":
		// A singular noun is its own lemma; a plural with the wrong tag is not.
		if strings.HasSuffix(w, "s") && !d.isBase(w) && d.has(w) && nounIrregulars[w] != w {
			return d.noun(w)
		}
		return w
	case tag == "JJR" || tag == "JJS" || tag == "RBR" || tag == "RBS":
		if tag[0] == 'R' && (w == "better" || w == "best") {
			return "well"
		}
		if b := degreeIrregulars[w]; b != "" {
			return b
		}
		return d.choose(w, func(b string) int {
			if strings.HasPrefix(w, b[:max(1, len(b)-1)]) && (strings.HasSuffix(w, "er") || strings.HasSuffix(w, "est")) {
				return 2
			}
			return 1
		})
	case tag == "DT" && w == "an":
		return "a"
	case tag == "":
		if b := verbIrregulars[w]; b != "" && w[0] != '\'' {
			return b
		}
		if b := nounIrregulars[w]; b != "" {
			return b
		}
		if fs := d.forms[w]; len(fs) > 0 {
			if d.isBase(w) {
				return w
			}
			return fs[0]
		}
		return w
	}
	return w
}

// choose returns the base form of w other than w itself with the highest rank
// (the first of equals), or w.
func (d *dictionary) choose(w string, rank func(base string) int) string {
	best, top := w, 0
	for _, b := range d.forms[w] {
		if b == w {
			continue
		}
		if r := rank(b); r > top {
			best, top = b, r
		}
	}
	return best
}

func (d *dictionary) verb(w, tag string) string {
	if tag == "VB" || tag == "VBP" || tag == "MD" {
		if d.isBase(w) && w != "'s" && verbIrregulars[w] != "be" && verbIrregulars[w] != "have" {
			return w
		}
	}
	if w == "'d" && tag == "VBD" {
		return "have"
	}
	if b := verbIrregulars[w]; b != "" {
		// "found" and "wound" as infinitives are bases and were returned above.
		return b
	}
	if b := d.choose(w, func(b string) int {
		r := 1
		if d.verbs[b] {
			r += 4
		}
		if regular(b, w) {
			r += 2
		}
		return r
	}); b != w {
		return b
	}
	if d.has(w) {
		return w
	}
	return verbBySuffix(w)
}

// regular reports whether w is a regular inflection of the verb b.
func regular(b, w string) bool {
	return strings.HasPrefix(w, b) || strings.HasSuffix(b, "e") && strings.HasPrefix(w, b[:len(b)-1]) ||
		strings.HasSuffix(b, "y") && strings.HasPrefix(w, b[:len(b)-1]+"i")
}

func (d *dictionary) noun(w string) string {
	if b := nounIrregulars[w]; b != "" {
		return b
	}
	if b := d.choose(w, func(b string) int {
		if regular(b, w) && strings.HasSuffix(w, "s") {
			return 2
		}
		return 1
	}); b != w {
		return b
	}
	if d.has(w) {
		return w
	}
	// "ex-wives", "policy-makers": the last part decides.
	if k := strings.LastIndexByte(w, '-'); k >= 0 && k+1 < len(w) {
		return w[:k+1] + d.noun(w[k+1:])
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "men") && len(w) > 4:
		return w[:len(w)-3] + "man"
	case strings.HasSuffix(w, "'s"), strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "s") && len(w) > 2:
		return w[:len(w)-1]
	}
	return w
}

// verbBySuffix guesses the base of a verb that no list knows.
func verbBySuffix(w string) string {
	stem := func(s string) string {
		n := len(s)
		switch {
		case n > 2 && s[n-1] == s[n-2] && !strings.ContainsRune("aeiouslfz", rune(s[n-1])):
			return s[:n-1] // "vlogged": vlog
		case strings.HasSuffix(s, "i"):
			return s[:n-1] + "y"
		case n > 2 && strings.ContainsRune("czvgu", rune(s[n-1])), strings.HasSuffix(s, "at"), strings.HasSuffix(s, "iz"),
			n > 2 && s[n-1] == 'l' && strings.ContainsRune("bcdfgkptz", rune(s[n-2])):
			return s + "e"
		}
		return s
	}
	if k := strings.LastIndexByte(w, '-'); k >= 0 && k+1 < len(w) {
		return w[:k+1] + verbBySuffix(w[k+1:])
	}
	switch {
	case strings.HasSuffix(w, "ing") && len(w) > 5:
		return stem(w[:len(w)-3])
	case strings.HasSuffix(w, "ed") && len(w) > 4:
		return stem(w[:len(w)-2])
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && len(w) > 3:
		return w[:len(w)-1]
	}
	return w
}
