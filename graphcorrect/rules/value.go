package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// value replaces a number, quantity, date or time by that of the evidence, in
// the output's own way of writing.
func (k *reading) value(d difference) []claim.Edit {
	old, ok1 := covering(k.saidSlots, d.output)
	now, ok2 := covering(k.toldSlots, d.source)
	if !ok1 || !ok2 || slot.Compare(old, now) == slot.Equal || old.Kind == slot.Name || now.Kind == slot.Name {
		return nil
	}
	if old.Kind != now.Kind || old.Unit != now.Unit && d.kind != "unit" || !k.sameThing(old, now) {
		return nil
	}
	if cut(k.output, old.Span) || cut(k.source, now.Span) || compound(k.output, old.Span) != compound(k.source, now.Span) {
		return nil // not the whole number, or a number inside another word
	}
	if bounds := k.bounds(old, now); len(bounds) > 0 {
		return bounds
	}
	a, ranged := ranging(k.output, k.saidSlots, old)
	b, rangedToo := ranging(k.source, k.toldSlots, now)
	if numeric(old) && (ranged || rangedToo) {
		// A range is put right as a whole, in the source's words.
		return []claim.Edit{k.wholeRange(a, b)}
	}
	text := oneLine(now.Text)
	switch {
	case old.Kind == slot.Date && now.Kind == slot.Date:
		text = dateLike(old, now)
	case numeric(old) && numeric(now) && old.Unit == now.Unit && old.Kind == now.Kind:
		text = numberLike(old, now)
	}
	if k.startsSentence(old.Span.Start) {
		text = capital(text)
	}
	e := k.replace(old.Span, text)
	edits := []claim.Edit{e}
	if e.Span.Start == old.Span.Start {
		edits = append(edits, k.indefinite(e)...)
	}
	return append(edits, k.counted(old, now)...)
}

// sameThing reports whether the two values can be values of one thing. A bare
// number must count the same noun on both sides, or follow the same word; a date
// must not tell parts of the day that the other lacks, and lack others in turn.
func (k *reading) sameThing(old, now slot.Slot) bool {
	switch {
	case old.Kind == slot.Number && now.Kind == slot.Number:
		a, b := beside(k.said, old.Span), beside(k.told, now.Span)
		if a[1] != "" && b[1] != "" && old.Of != "" && now.Of != "" {
			return a[1] == b[1]
		}
		return a[0] != "" && a[0] == b[0]
	case numeric(old) && numeric(now):
		a, b := beside(k.said, old.Span), beside(k.told, now.Span)
		return a[1] != "" && a[1] == b[1] || a[0] != "" && a[0] == b[0] || a == b
	case old.Kind == slot.Date && now.Kind == slot.Date:
		a, b := old.From, now.From
		more, fewer := false, false
		for _, p := range [][2]int{{a.Year, b.Year}, {a.Month, b.Month}, {a.Day, b.Day}, {a.Weekday, b.Weekday}} {
			more = more || p[0] != 0 && p[1] == 0
			fewer = fewer || p[0] == 0 && p[1] != 0
		}
		return !(more && fewer)
	}
	return true
}

// beside returns the lemmas of the nearest word of meaning before and after a
// place, within three tokens; "" where there is none.
func beside(toks []token, s segment.Span) (lemmas [2]string) {
	after := slices.IndexFunc(toks, func(t token) bool { return t.Start >= s.End })
	if after < 0 {
		after = len(toks)
	}
	for i := after; i < len(toks) && i < after+3 && lemmas[1] == ""; i++ {
		if content(toks[i]) {
			lemmas[1] = toks[i].Lemma
		}
	}
	before := slices.IndexFunc(toks, func(t token) bool { return t.End > s.Start })
	for i := before - 1; i >= 0 && i >= before-3 && lemmas[0] == ""; i-- {
		if content(toks[i]) {
			lemmas[0] = toks[i].Lemma
		}
	}
	return lemmas
}

// covering returns the value slot that overlaps the span most.
func covering(slots []slot.Slot, s segment.Span) (slot.Slot, bool) {
	best, most := slot.Slot{}, 0
	for _, x := range slots {
		if x.Kind == slot.Negation || x.Kind == slot.Hedge {
			continue
		}
		if n := min(x.Span.End, s.End) - max(x.Span.Start, s.Start); n > most {
			best, most = x, n
		}
	}
	return best, most > 0
}

func numeric(s slot.Slot) bool {
	switch s.Kind {
	case slot.Number, slot.Quantity, slot.Percent, slot.Ordinal:
		return true
	}
	return false
}

const scale = `(?:[ -]?(?:thousand|million|billion|trillion|mn|bn|tn)\b)?`

// figure is a number in digits, spelled is one in words.
var (
	figure  = regexp.MustCompile(`[0-9]+(?:[.,][0-9]+)*(?:st\b|nd\b|rd\b|th\b)?` + scale)
	spelled = regexp.MustCompile(`(?i)\b(?:` + numberWord + `)(?:(?:[ -]| and )(?:` + numberWord + `))*\b`)
)

const numberWord = `zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|` +
	`twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|trillion|` +
	`first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth`

// numeral returns where the number itself stands in a value, and whether it is
// in digits.
func numeral(text string) (at []int, digits, ok bool) {
	if at = figure.FindStringIndex(text); at != nil {
		return at, true, true
	}
	if at = spelled.FindStringIndex(text); at != nil {
		return at, false, true
	}
	return nil, false, false
}

// numberLike writes the number of now as old is written: in digits or words,
// with old's sign of currency and unit.
func numberLike(old, now slot.Slot) string {
	a, digits, ok1 := numeral(old.Text)
	b, nowDigits, ok2 := numeral(now.Text)
	if !ok1 || !ok2 {
		return oneLine(now.Text)
	}
	number := oneLine(now.Text[b[0]:b[1]])
	before := old.Text[:a[0]]
	if (old.Value < 0) != (now.Value < 0) {
		before = strings.TrimSuffix(minusSign.ReplaceAllString(before, ""), " ")
		if now.Value < 0 {
			before += "-"
		} else if before != "" && !strings.ContainsAny(before, "$€£") {
			before += " "
		}
	}
	if digits != nowDigits {
		ordinal := now.Kind == slot.Ordinal
		if digits {
			number = inDigits(number, now.Value, ordinal)
		} else {
			number = inWords(number, now.Value, ordinal)
		}
	}
	return before + number + old.Text[a[1]:]
}

var minusSign = regexp.MustCompile(`(?i)(?:[-−–]|minus\s+|negative\s+)$`)

// inDigits writes the value of a spelled number in digits, keeping a word for
// millions and more.
func inDigits(spelled string, value float64, ordinal bool) string {
	for _, s := range []struct {
		word string
		by   float64
	}{{"trillion", 1e12}, {"billion", 1e9}, {"million", 1e6}} {
		if strings.HasSuffix(strings.ToLower(spelled), s.word) {
			return strconv.FormatFloat(value/s.by, 'f', -1, 64) + " " + s.word
		}
	}
	n := strconv.FormatFloat(value, 'f', -1, 64)
	if ordinal {
		return n + suffix(int(value))
	}
	if value >= 10000 && value == float64(int64(value)) {
		for i := len(n) - 3; i > 0; i -= 3 {
			n = n[:i] + "," + n[i:]
		}
	}
	return n
}

var (
	units = strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen`)
	tens  = strings.Fields(`twenty thirty forty fifty sixty seventy eighty ninety`)
	ranks = strings.Fields(`zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`)
)

// inWords spells a whole number up to a hundred; others stay in digits, as
// writers do.
func inWords(digits string, value float64, ordinal bool) string {
	n := int(value)
	if strings.ContainsAny(digits, " -") || float64(n) != value || n < 0 || n > 100 {
		return digits
	}
	switch {
	case ordinal && n < len(ranks):
		return ranks[n]
	case ordinal:
		return digits
	case n < 20:
		return units[n]
	case n == 100:
		return "a hundred"
	case n%10 == 0:
		return tens[n/10-2]
	}
	return tens[n/10-2] + "-" + units[n%10]
}

// suffix returns the ending of an ordinal in digits.
func suffix(n int) string {
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}

var (
	monthNames   = strings.Fields(`January February March April May June July August September October November December`)
	weekdayNames = strings.Fields(`Monday Tuesday Wednesday Thursday Friday Saturday Sunday`)
	yearDigits   = regexp.MustCompile(`\b[0-9]{4}`)
	dayDigits    = regexp.MustCompile(`\b([0-9]{1,2})(st|nd|rd|th)?\b`)
)

// dateLike writes the date now in old's form where only year, month, day or
// weekday differ; else as the evidence writes it.
func dateLike(old, now slot.Slot) string {
	plain := oneLine(now.Text)
	a, b := old.From, now.From
	if old.From != old.To || now.From != now.To || a.Years != b.Years && a.Year != 0 && b.Year != 0 {
		return plain
	}
	text := oneLine(old.Text)
	if a.Year != 0 && b.Year != 0 && a.Year != b.Year {
		m := yearDigits.FindStringIndex(text)
		if m == nil || text[m[0]:m[1]] != strconv.Itoa(a.Year) || b.Year < 1000 {
			return plain
		}
		text = text[:m[0]] + strconv.Itoa(b.Year) + text[m[1]:]
	}
	if a.Month != 0 && b.Month != 0 && a.Month != b.Month {
		var ok bool
		if text, ok = swapName(text, monthNames, a.Month, b.Month); !ok {
			return plain
		}
	}
	if a.Weekday != 0 && b.Weekday != 0 && a.Weekday != b.Weekday {
		var ok bool
		if text, ok = swapName(text, weekdayNames, a.Weekday, b.Weekday); !ok {
			return plain
		}
	}
	if a.Day != 0 && b.Day != 0 && a.Day != b.Day {
		m := dayDigits.FindStringSubmatchIndex(text)
		if m == nil || text[m[2]:m[3]] != strconv.Itoa(a.Day) {
			return plain
		}
		day := strconv.Itoa(b.Day)
		if m[4] >= 0 {
			day += suffix(b.Day)
		}
		text = text[:m[0]] + day + text[m[1]:]
	}
	// The new text must say what the evidence says.
	if got := slot.Find(text); len(got) != 1 || !slot.Compare(got[0], now).Compatible() {
		return plain
	}
	return text
}

// swapName replaces the name at position from (1 is the first), whole or cut to
// three letters, by that at position to.
func swapName(text string, names []string, from, to int) (string, bool) {
	if from > len(names) || to > len(names) {
		return "", false
	}
	for _, short := range []bool{false, true} {
		a, b := names[from-1], names[to-1]
		if short {
			a, b = a[:3], b[:3]
		}
		if i := strings.Index(strings.ToLower(text), strings.ToLower(a)); i >= 0 {
			return text[:i] + b + text[i+len(a):], true
		}
	}
	return "", false
}

// counted is the edit that makes the noun after a number agree with the new
// number: "1 office" to "12 offices". Its form is taken from the evidence.
func (k *reading) counted(old, now slot.Slot) []claim.Edit {
	if old.Kind != slot.Number || now.Kind != slot.Number || (old.Value == 1) == (now.Value == 1) {
		return nil
	}
	noun := slices.IndexFunc(k.said, func(t token) bool { return t.Start >= old.Span.End })
	from := slices.IndexFunc(k.told, func(t token) bool { return t.Start >= now.Span.End })
	if noun < 0 || from < 0 || k.said[noun].Lemma != k.told[from].Lemma || k.said[noun].Text == k.told[from].Text {
		return nil
	}
	return []claim.Edit{{Span: k.said[noun].Span, New: k.told[from].Text}}
}
