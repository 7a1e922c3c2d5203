package nlp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

var (
	calendar = set(`january february march april may june july august september october november december
		monday tuesday wednesday thursday friday saturday sunday jan jan. feb feb. mar mar. apr apr. jun jun. jul jul. aug
		aug. sep sep. sept sept. oct oct. nov nov. dec dec. mon tue wed thu fri sat sun est gmt pst utc bc ad b.c. a.d.
		christmas easter am pm a.m. p.m.`)
	// particles join the parts of a name of a person or place.
	particles = set(`de von van der den di da du del della la le bin ibn al el ben ter ten dos das do y e zu st.`)
	// ofHeads are words after which "of" goes on with the name.
	ofHeads = set(`university bank house battle war treaty republic kingdom duke prince princess duchess earl king queen
		lord isle bay cape gulf city college school institute academy department ministry minister secretary
		board council court church cathedral museum order knights state states bureau office society museum hall
		archbishop bishop archduke count countess baron baroness marquess province county district village faculty
		library centre center league federation confederation union association chamber gates lady temple tomb
		game lord tale history journal declaration act bill statue hospital siege fall`)
	generations = set(`jr jr. sr sr. ii iii iv vi vii viii ix xi xii`)
)

// findNames fills d.Names: runs of proper nouns, with what joins them.
func (a *Analyzer) findNames(d *Document) {
	for _, s := range d.Sentences {
		ts := d.Tokens[:s.End]
		for i := s.First; i < s.End; {
			if !nameWord(ts[i]) {
				i++
				continue
			}
			if lw := strings.ToLower(ts[i].Text); calendar[lw] && !givenName(lw) && !organizationWords[strings.ToLower(at(ts, i+1).Text)] {
				i++ // "on sunday paul merson": the day is none of it
				continue
			}
			end := a.nameEnd(ts, i)
			if nameOnlyDate(ts[i:end]) {
				i = end
				continue
			}
			d.Names = append(d.Names, Name{
				Span:  segment.Span{Start: ts[i].Start, End: ts[end-1].End},
				First: i, End: end,
			})
			i = end
		}
	}
	a.classify(d)
}

func nameWord(t Token) bool {
	if !isName(t.Tag) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(t.Text)
	return unicode.IsLetter(r)
}

func nameOnlyDate(ts []Token) bool {
	for _, t := range ts {
		if !calendar[strings.ToLower(t.Text)] && t.Tag != "CD" {
			return false
		}
	}
	return true
}

// nameEnd returns the end of the name that starts at i; ts ends with the
// sentence.
func (a *Analyzer) nameEnd(ts []Token, i int) int {
	j := i + 1
	for j < len(ts) && j-i < 16 {
		t, lw := ts[j], strings.ToLower(ts[j].Text)
		last := strings.ToLower(ts[j-1].Text)
		next := at(ts, j+1)
		glued := ts[j-1].End == t.Start
		switch {
		case nameWord(t):
			if calendar[lw] && !calendar[last] && next.Tag == "CD" {
				return j
			}
			j++
			continue
		case particles[lw] && lowerWord(t.Text) && nameWord(next):
			j += 2
			continue
		case lw == "de" && strings.EqualFold(next.Text, "la") && nameWord(at(ts, j+2)):
			j += 3
			continue
		case lw == "&" && nameWord(next):
			j += 2
			continue
		case lw == "of" && (ofHeads[last] || organizationWords[last] || placeWords[last] && last != "road"):
			if nameWord(next) && !calendar[strings.ToLower(next.Text)] {
				j += 2
				continue
			}
			if strings.EqualFold(next.Text, "the") && nameWord(at(ts, j+2)) {
				j += 3
				continue
			}
		case t.Tag == "," && generations[strings.ToLower(next.Text)] && nameWord(next):
			j += 2
			continue
		case t.Tag == "POS" && nameWord(next) && glued:
			// King's College, not Ana's Toyota.
			nw := strings.ToLower(next.Text)
			if organizationWords[nw] || nw == "cathedral" || nw == "hall" {
				j += 2
				continue
			}
		case t.Tag == "CD" && !calendar[last] && numberInName(ts, i, j):
			j++
			continue
		}
		break
	}
	return j
}

// numberInName: "Boeing 747", "Apollo 11", not a year and not a quantity.
func numberInName(ts []Token, i, j int) bool {
	w := ts[j].Text
	if len(w) == 4 && (w[0] == '1' || w[0] == '2') || !numeric(w) || strings.ContainsAny(w, ",.:/") {
		return false
	}
	next := at(ts, j+1)
	return !isNoun(next.Tag) && !strings.HasPrefix(next.Tag, "JJ") && next.Tag != "CD" && ts[j-1].End < ts[j].Start
}

// classify sets kind, gender and entity of each name.
func (a *Analyzer) classify(d *Document) {
	for k := range d.Names {
		n := &d.Names[k]
		n.Kind = a.kindOf(d, *n)
		if n.Kind == Person || n.Kind == OtherName {
			n.Gender = a.genderOf(d, *n)
			if n.Gender != UnknownGender && n.Kind == OtherName {
				n.Kind = Person
			}
		}
	}
	a.linkNames(d)
}

// core returns the lower-cased words of the name without titles, particles'
// case kept apart: what another mention of the same person repeats.
func core(d *Document, n Name) []string {
	ws := make([]string, 0, n.End-n.First)
	for i := n.First; i < n.End; i++ {
		w := strings.ToLower(d.Tokens[i].Text)
		if _, title := personTitles[w]; title && len(ws) == 0 && i+1 < n.End {
			continue
		}
		if generations[w] || w == "," {
			continue
		}
		ws = append(ws, strings.TrimSuffix(w, "."))
	}
	return ws
}

// linkNames finds the names that name the same thing: equal words, or a part of
// an earlier or (for a single surname before its full name) later name.
func (a *Analyzer) linkNames(d *Document) {
	byWord := map[string]int{} // the last entity that a word belongs to
	full := make(map[int][]string)
	for k := range d.Names {
		n := &d.Names[k]
		n.Entity = k
		ws := core(d, *n)
		if len(ws) == 0 {
			continue
		}
		e, ok := byWord[strings.Join(ws, " ")]
		if h := d.Names[e]; ok && (n.Gender != UnknownGender && h.Gender != UnknownGender && n.Gender != h.Gender ||
			len(ws) == 1 && len(full[e]) > 1 && !compatible(d, *n, ws, h, full[e])) {
			ok = false
		} else if !ok {
			if last, found := byWord[ws[len(ws)-1]]; found && compatible(d, *n, ws, d.Names[last], full[last]) {
				e, ok = last, true
			} else if first, found := byWord[ws[0]]; found && (givenName(ws[0]) || !a.dict.has(ws[0])) && compatible(d, *n, ws, d.Names[first], full[first]) {
				e, ok = first, true
			}
		}
		if ok {
			n.Entity = e
			h := &d.Names[e]
			if n.Gender == UnknownGender {
				n.Gender = h.Gender
			} else if h.Gender == UnknownGender {
				h.Gender = n.Gender
			}
			switch {
			case n.Kind == OtherName:
				n.Kind = h.Kind
			case h.Kind == OtherName:
				h.Kind = n.Kind
			case h.Kind == Person && n.Kind == Place && n.End-n.First == 1:
				n.Kind = Person
			}
			if len(ws) > len(full[e]) {
				full[e] = ws
			}
		} else {
			e = k
			full[k] = ws
		}
		byWord[strings.Join(ws, " ")] = e
		if n.Kind != Place && n.Kind != Organization {
			byWord[ws[0]] = e
			byWord[ws[len(ws)-1]] = e
		}
	}
	// What a later mention told holds for all.
	for k := range d.Names {
		n := &d.Names[k]
		if h := d.Names[n.Entity]; n.Entity != k {
			if h.Gender != UnknownGender {
				n.Gender = h.Gender
			}
			if n.Kind == OtherName {
				n.Kind = h.Kind
			}
		}
	}
}

// compatible reports whether the name n with the words ws can name the entity h
// with the words hs: one holds all words of the other, and their genders agree.
func compatible(d *Document, n Name, ws []string, h Name, hs []string) bool {
	if n.Gender != UnknownGender && h.Gender != UnknownGender && n.Gender != h.Gender {
		return false
	}
	if n.Kind == Place && len(ws) == 1 && places[ws[0]] && !givenName(ws[0]) && h.Kind == Person {
		return false // Madrid is not Adolfo Suárez Madrid
	}
	if h.Kind == Organization || h.Kind == Place || n.Kind == Organization || n.Kind == Place && len(ws) > 1 {
		return false
	}
	short, long := ws, hs
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) > 1 && len(short) == len(long) {
		return false
	}
	j := 0
	for _, w := range short {
		for j < len(long) && !(long[j] == w || len(w) == 1 && strings.HasPrefix(long[j], w)) {
			j++
		}
		if j == len(long) {
			return false
		}
		j++
	}
	return true
}

func (a *Analyzer) kindOf(d *Document, n Name) NameKind {
	ts := d.Tokens
	first := strings.ToLower(ts[n.First].Text)
	last := strings.ToLower(ts[n.End-1].Text)
	size := n.End - n.First
	lower := strings.ToLower(n.Of(d.Text))
	prev, next := at(ts, n.First-1), at(ts, n.End)
	pl, nl := strings.ToLower(prev.Text), strings.ToLower(next.Text)

	_, title := personTitles[first]
	_, given := givenNames[first]
	switch {
	case places[lower] && (!given || pl == "in" || pl == "at" || pl == "from" || pl == "near"):
		return Place
	case size > 1 && (placeCompound[lower] || (first == "new" || first == "north" || first == "south" || first == "east" || first == "west" ||
		first == "san" || first == "santa" || first == "los" || first == "las" || first == "fort" || first == "mount" || first == "lake" ||
		first == "port" || first == "rio" || first == "cape") && !organizationWords[last] &&
		(places[last] || placeWords[last] || !a.dict.has(last))):
		return Place
	case strings.HasPrefix(lower, "united states of"):
		return Place
	case strings.Contains(lower, " & "):
		return Organization
	case size > 1 && generations[last]:
		return Person
	case !title && hasOf(ts, n) && hasInner(ts, n, organizationWords):
		return Organization
	case organizationWords[last] && (size > 1 || last == "congress" || last == "parliament") && !(title && size == 2):
		return Organization
	case ofHeads[first] && hasOf(ts, n):
		if title {
			return Person
		}
		if placeWords[first] {
			return Place
		}
		return Organization
	case placeWords[last] && size > 1 && !(given && size == 2 && !placeWords[last]):
		return Place
	case title && size > 1:
		return Person
	case given && size > 1:
		return Person
	case given:
		if places[lower] {
			return Place
		}
		return Person
	}
	if hasInner(ts, n, organizationWords) && size > 2 {
		return Organization
	}
	if size == 1 && acronymWord(ts[n.First].Text) {
		if thingAcronyms[lower] {
			return OtherName
		}
		return Organization
	}
	for i := n.First; i < n.End-1; i++ {
		if w := ts[i].Text; len(w) == 2 && w[1] == '.' {
			return Person
		}
	}
	if _, t := personTitles[pl]; t && pl != "of" {
		return Person
	}
	if personNouns[pl] || genderNouns[pl] != UnknownGender {
		return Person
	}
	if (nl == "who" || nl == "whose") && pl != "from" && pl != "in" && pl != "at" && pl != "near" || next.Tag == "," && (strings.EqualFold(at(ts, n.End+1).Text, "who") || strings.EqualFold(at(ts, n.End+1).Text, "whose") || strings.EqualFold(at(ts, n.End+1).Text, "whom")) {
		return Person
	}
	if next.Tag == "POS" {
		if w := strings.ToLower(at(ts, n.End+1).Text); genderNouns[w] != UnknownGender || w == "parents" || w == "children" || w == "life" || w == "death" || w == "birth" || w == "family" {
			return Person
		}
	}
	if speech[next.Lemma] && next.Tag != "" && (next.Tag == "VBD" || next.Tag == "VBZ") {
		return Person
	}
	if speech[prev.Lemma] && prev.Tag == "VBD" && pl != "told" {
		return Person
	}
	if (pl == "in" || pl == "near" || pl == "at") && size <= 2 && next.Tag != "POS" && !a.dict.has(last) {
		return Place
	}
	if size >= 2 && size <= 4 {
		known := 0
		for i := n.First; i < n.End; i++ {
			if a.dict.has(strings.ToLower(ts[i].Text)) {
				known++
			}
		}
		if known == 0 && prev.Tag != "DT" {
			return Person
		}
	}
	return OtherName
}

// placeCompound are places of more than one word that no rule shows.
var placeCompound = map[string]bool{"united states": true, "united kingdom": true, "hong kong": true, "sri lanka": true,
	"saudi arabia": true, "buenos aires": true, "costa rica": true, "puerto rico": true, "el salvador": true,
	"abu dhabi": true, "sierra leone": true, "tel aviv": true, "addis ababa": true, "united arab emirates": true,
	"czech republic": true, "great britain": true, "northern ireland": true, "soviet union": true, "st. louis": true}

// thingAcronyms name no organisation.
var thingAcronyms = set(`tv dna rna ceo cfo cto pc cd dvd gdp ok id it ai usb gps http html css sql api iq hiv aids
	covid-19 suv phd mri ct led lcd atm faq diy wwii vip url pdf`)

// speech are verbs whose subject is a person.
var speech = set(`say tell ask reply explain think believe claim argue admit add insist marry smile laugh cry
	recall remember whisper shout nod sigh hope want love hate`)

func hasOf(ts []Token, n Name) bool {
	for i := n.First + 1; i < n.End; i++ {
		if strings.EqualFold(ts[i].Text, "of") {
			return true
		}
	}
	return false
}

func hasInner(ts []Token, n Name, words map[string]bool) bool {
	for i := n.First; i < n.End; i++ {
		if words[strings.ToLower(ts[i].Text)] {
			return true
		}
	}
	return false
}

func acronymWord(w string) bool {
	if len(w) < 2 || len(w) > 6 {
		return false
	}
	for i := 0; i < len(w); i++ {
		if (w[i] < 'A' || w[i] > 'Z') && w[i] != '&' && w[i] != '-' {
			return false
		}
	}
	return true
}

// genderOf reads the gender of a person from a title, a noun beside the name or
// the given name.
func (a *Analyzer) genderOf(d *Document, n Name) Gender {
	ts := d.Tokens
	for i := n.First; i < n.End-1; i++ {
		if g := personTitles[strings.ToLower(ts[i].Text)]; g != UnknownGender {
			return g
		}
	}
	if g := genderNouns[strings.ToLower(at(ts, n.First-1).Text)]; g != UnknownGender {
		return g
	}
	// "her mother, Ellen, ran"; "Ellen, an actress and"
	if at(ts, n.First-1).Tag == "," {
		if g := genderNouns[strings.ToLower(at(ts, n.First-2).Text)]; g != UnknownGender && (at(ts, n.End).Tag == "," || at(ts, n.End).Tag == ".") {
			return g
		}
	}
	if at(ts, n.End).Tag == "," || at(ts, n.End).Tag == "(" {
		for i := n.End + 1; i < n.End+7; i++ {
			t := at(ts, i)
			if g := genderNouns[strings.ToLower(t.Text)]; g != UnknownGender {
				return g
			}
			if t.Tag != "DT" && t.Tag != "PRP$" && !strings.HasPrefix(t.Tag, "JJ") && t.Tag != "NN" {
				break
			}
		}
	}
	for i := n.First; i < n.End; i++ {
		if g, ok := givenNames[strings.ToLower(ts[i].Text)]; ok && (i == n.First || g != UnknownGender && i < n.End-1) {
			if n.End-n.First > 1 || g != UnknownGender {
				return g
			}
		}
	}
	return UnknownGender
}
