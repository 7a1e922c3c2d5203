package numeric

import (
	"strconv"
	"strings"
	"time"
)

// Day is what a text tells of a date; what is 0 is not told.
type Day struct {
	Year    int // -43 for 44 BC
	Month   int // 1 to 12
	Day     int // 1 to 31
	Weekday int // 1 Monday to 7 Sunday
	// Last is the last year of a decade or century that begins with Year.
	Last int
}

// span returns the numbers of the first and last day of d, counted from 1970;
// ok is false where d does not tell its year.
func (d Day) span() (from, to int, ok bool) {
	if d.Year == 0 {
		return 0, 0, false
	}
	number := func(y, m, day int) int {
		return int(time.Date(y, time.Month(m), day, 0, 0, 0, 0, time.UTC).Unix() / 86400)
	}
	year := d.Year
	if year < 0 {
		year++
	}
	switch {
	case d.Last != 0:
		return number(year, 1, 1), number(d.Last, 12, 31), true
	case d.Month == 0:
		return number(year, 1, 1), number(year, 12, 31), true
	case d.Day == 0:
		return number(year, d.Month, 1), number(year, d.Month+1, 0), true
	}
	n := number(year, d.Month, d.Day)
	return n, n, true
}

var monthNames = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
	"october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

var weekdays = map[string]int{
	"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 7,
	"mondays": 1, "tuesdays": 2, "wednesdays": 3, "thursdays": 4, "fridays": 5, "saturdays": 6, "sundays": 7,
	"mon": 1, "tue": 2, "tues": 2, "wed": 3, "thu": 4, "thurs": 4, "fri": 5,
}

// decades are names of ten years of this century or the last.
var decades = map[string]int{
	"twenties": 1920, "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990,
}

// beforeYear are words before a number of four digits that make it a year.
var beforeYear = words(`in since of by from until till during before after circa c around about between and to year years early late mid
 summer winter spring autumn fall christmas easter season election elections - – — ( the for through throughout ( , on [ /`)

// counted are nouns behind a number of four digits that make it a count, whatever
// stands before: "in 1990 patients", but "in 1990 elections".
var counted = words("people persons patients men women children adults subjects participants individuals students pupils respondents cases deaths infants residents employees voters times")

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

func isDash(s string) bool { return s == "-" || s == "–" || s == "—" || s == "‑" || s == "−" }

// small returns the number of at most two digits at token i.
func (p *parser) small(i, low, high int) (int, bool) {
	if p.tokens.kind(i) != numberToken || !p.tokens[i].plain || p.tokens[i].End-p.tokens[i].Start > 2 {
		return 0, false
	}
	n := int(p.tokens[i].value.Num().Int64())
	return n, n >= low && n <= high
}

// month reads the name of a month at token i.
func (p *parser) month(i int) (m, end int) {
	w := p.word(i)
	m = monthNames[w]
	if m == 0 || p.tokens.kind(i) != wordToken {
		return 0, i
	}
	if !p.capital(i) && (len(w) < 4 || w == "march" || w == "may") {
		// Words in lower case, unless a day stands beside them.
		after, ok1 := p.small(i+1, 1, 31)
		before, ok2 := p.small(i-1, 1, 31)
		if len(w) < 4 && w != "may" || !(ok1 && after > 0 || ok2 && before > 0) {
			return 0, i
		}
	}
	end = i + 1
	if len(w) <= 4 && w != "may" && w != "june" && w != "july" && p.word(end) == "." && p.glued(end) {
		end++
	}
	return m, end
}

// ordinalDay reads a day of the month, with or without "th".
func (p *parser) ordinalDay(i int) (d, end int) {
	d, ok := p.small(i, 1, 31)
	if !ok {
		if n, e := p.ordinalWord(i); n >= 1 && n <= 31 {
			return int(n), e
		}
		return 0, i
	}
	end = i + 1
	if ordinalSuffix(p.word(end)) && p.glued(end) {
		end++
	}
	return d, end
}

func ordinalSuffix(w string) bool { return w == "st" || w == "nd" || w == "rd" || w == "th" }

// fourDigits returns the year of four plain digits at token i, 0 for none.
func (p *parser) fourDigits(i int) int {
	if p.tokens.kind(i) != numberToken || !p.tokens[i].plain || p.tokens[i].End-p.tokens[i].Start != 4 {
		return 0
	}
	if n := int(p.tokens[i].value.Num().Int64()); n >= 1000 && n < 2200 {
		return n
	}
	return 0
}

// withYear reads a year behind day and month, a comma between.
func (p *parser) withYear(d Day, j int) (Day, int) {
	k := j
	if p.word(k) == "," || p.word(k) == "of" {
		k++
	}
	if y := p.fourDigits(k); y > 0 && !p.pluralFollows(k+1) {
		d.Year = y
		return d, k + 1
	}
	return d, j
}

// date reads a date at token i.
func (p *parser) date(i int) (d Day, end int, ok bool) {
	w := p.word(i)
	// "Monday, 5 May 2020"; a weekday alone.
	if n := weekdays[w]; n > 0 && p.capital(i) && (len(w) > 5 || w == "monday") || n > 0 && len(w) > 5 {
		k := i + 1
		if p.word(k) == "," {
			k++
		}
		if rest, e, ok := p.calendar(k); ok && rest.Day > 0 {
			rest.Weekday = n
			return rest, e, true
		}
		return Day{Weekday: n}, i + 1, true
	}
	if d, end, ok = p.calendar(i); ok {
		return d, end, true
	}
	if d, end, ok = p.listed(i); ok {
		return d, end, true
	}
	return p.years(i)
}

// listed reads a day that a date before it gives its month: "May 2 and 3".
func (p *parser) listed(i int) (d Day, end int, ok bool) {
	if len(p.out) == 0 || i < 2 {
		return Day{}, i, false
	}
	last := &p.out[len(p.out)-1]
	if last.Kind != Date || last.Day.Month == 0 || last.Day.Day == 0 || last.last != i-1 {
		return Day{}, i, false
	}
	if w := p.word(i - 1); w != "and" && w != "or" && w != "to" && !isDash(w) {
		return Day{}, i, false
	}
	n, ok := p.small(i, 1, 31)
	if !ok || p.pluralFollows(i+1) || p.unitFollows(i+1) || p.word(i+1) == "%" {
		return Day{}, i, false
	}
	return Day{Year: last.Day.Year, Month: last.Day.Month, Day: n}, i + 1, true
}

// calendar reads a date that names a day or month.
func (p *parser) calendar(i int) (d Day, end int, ok bool) {
	// 2020-03-15, 2020/03/15
	if y := p.fourDigits(i); y > 0 && (p.word(i+1) == "-" || p.word(i+1) == "/") && p.glued(i+1) && p.glued(i+2) && p.word(i+3) == p.word(i+1) && p.glued(i+3) && p.glued(i+4) {
		m, ok1 := p.small(i+2, 1, 12)
		day, ok2 := p.small(i+4, 1, 31)
		if ok1 && ok2 {
			return Day{Year: y, Month: m, Day: day}, i + 5, true
		}
	}
	// 15/3/2020, 3/15/2020
	if p.word(i+1) == "/" && p.glued(i+1) && p.word(i+3) == "/" && p.glued(i+3) && p.glued(i+4) && p.fourDigits(i+4) > 0 {
		if d, ok := p.numeral(i, i+2, p.fourDigits(i+4)); ok {
			return d, i + 5, true
		}
	}
	// 15.03.2020
	if p.tokens.kind(i) == codeToken && strings.Count(p.tokens[i].text, ".") == 2 {
		if t, err := time.Parse("2.1.2006", p.tokens[i].text); err == nil && t.Year() >= 1000 {
			return Day{Year: t.Year(), Month: int(t.Month()), Day: t.Day()}, i + 1, true
		}
	}
	// 15 March, 15th of March 2020
	if day, k := p.ordinalDay(i); day > 0 {
		if p.word(k) == "of" || isDash(p.word(k)) && p.glued(k) {
			k++
		}
		if m, k := p.month(k); m > 0 {
			d, end := p.withYear(Day{Month: m, Day: day}, k)
			return d, end, true
		}
		return Day{}, i, false
	}
	m, k := p.month(i)
	if m == 0 {
		return Day{}, i, false
	}
	if day, e := p.ordinalDay(k); day > 0 && p.tokens.kind(k) == numberToken && !p.unitFollows(e) {
		// "March 15", no "May 5 people"
		d, end := p.withYear(Day{Month: m, Day: day}, e)
		if d.Year > 0 || !p.pluralFollows(e) {
			return d, end, true
		}
	}
	d, end = p.withYear(Day{Month: m}, k)
	if d.Year > 0 {
		return d, end, true
	}
	if p.word(i) == "may" || p.word(i) == "march" || p.word(i) == "mar" || p.word(i) == "sun" || len(p.word(i)) < 4 {
		switch p.word(i - 1) {
		case "in", "of", "since", "last", "next", "by", "until", "this", "early", "late", "mid", "during", "from", "to", "and", "between", "-":
			if r := p.tokens[i].text[0]; r >= 'A' && r <= 'Z' && i > 0 && !p.capital(i+1) {
				return d, end, true
			}
		}
		return Day{}, i, false
	}
	if !p.capital(i) {
		return Day{}, i, false
	}
	return d, end, true
}

// numeral reads a date of three numbers, whose first two stand at a and b.
func (p *parser) numeral(a, b, year int) (Day, bool) {
	x, ok1 := p.small(a, 1, 31)
	y, ok2 := p.small(b, 1, 31)
	if !ok1 || !ok2 {
		return Day{}, false
	}
	// Month first, as Americans write, unless that cannot be.
	if x > 12 || p.style == CommaDecimal && y <= 12 {
		x, y = y, x
	}
	if x > 12 {
		return Day{}, false
	}
	return Day{Year: year, Month: x, Day: y}, true
}

// years reads a year, decade or century at token i.
func (p *parser) years(i int) (d Day, end int, ok bool) {
	w := p.word(i)
	// the 19th century
	if n, k := p.ordinalNumber(i); n > 0 && n < 30 {
		if isDash(p.word(k)) {
			k++
		}
		if p.word(k) == "century" || p.word(k) == "centuries" {
			d = Day{Year: int(n-1)*100 + 1, Last: int(n) * 100}
			end = k + 1
			if p.era(end) {
				d = Day{Year: -int(n) * 100, Last: -int(n-1)*100 - 1}
				end++
			}
			return d, end, true
		}
	}
	if y := decades[w]; y > 0 && (p.word(i-1) == "the" || p.word(i-1) == "early" || p.word(i-1) == "late" || p.word(i-1) == "mid") {
		return Day{Year: y, Last: y + 9}, i + 1, true
	}
	if p.tokens.kind(i) != numberToken || !p.tokens[i].plain {
		return Day{}, i, false
	}
	digits := p.tokens[i].End - p.tokens[i].Start
	// 1990s, '90s
	if k := i + 1; digits == 4 || digits == 2 {
		if p.word(k) == "'" && p.glued(k) {
			k++
		}
		if p.word(k) == "s" && p.glued(k) && p.tokens[i].zeros > 0 {
			n := int(p.tokens[i].value.Num().Int64())
			if digits == 2 {
				if n < 20 || p.word(i-1) == "his" || p.word(i-1) == "her" || p.word(i-1) == "their" || p.word(i-1) == "my" {
					return Day{}, i, false
				}
				n += 1900
			}
			if n >= 1000 && n < 2200 {
				return Day{Year: n, Last: n + 9}, k + 1, true
			}
		}
	}
	if p.era(i + 1) {
		return Day{Year: -int(p.tokens[i].value.Num().Int64())}, i + 2, p.tokens[i].value.Sign() > 0 && digits <= 4
	}
	if p.word(i-1) == "ad" && p.capital(i-1) && digits <= 4 {
		return Day{Year: int(p.tokens[i].value.Num().Int64())}, i + 1, true
	}
	y := p.fourDigits(i)
	if y == 0 {
		// 1990–95
		if n, ok := p.small(i, 0, 99); ok && isDash(p.word(i-1)) && p.glued(i) && p.glued(i-1) && digits == 2 {
			if first := p.fourDigits(i - 2); first > 0 && first%100 < n && !p.unitFollows(i+1) {
				return Day{Year: first - first%100 + n}, i + 1, true
			}
		}
		return Day{}, i, false
	}
	if p.unitFollows(i+1) || p.word(i+1) == "%" || scaleOf(p.word(i+1)) != nil {
		return Day{}, i, false
	}
	if y < 1500 || y > 2100 {
		if !beforeYear[p.word(i-1)] || p.word(i-1) == "about" || p.word(i-1) == "the" || p.word(i-1) == "to" || p.word(i-1) == "and" {
			return Day{}, i, false
		}
	}
	if n := len(p.out); n > 0 && p.out[n-1].Kind == Date && p.out[n-1].Day.Year != 0 && p.out[n-1].last == i-1 {
		switch w := p.word(i - 1); {
		case w == "and" || w == "to" || w == "until" || w == "till" || w == "through" || isDash(w):
			return Day{Year: y}, i + 1, true
		}
	}
	if counted[p.word(i+1)] || p.word(i-1) == "from" && p.tokens.kind(i+1) == wordToken && plural(p.word(i+1)) {
		return Day{}, i, false
	}
	if p.pluralFollows(i+1) && !(beforeYear[p.word(i-1)] && p.word(i-1) != "of" && p.word(i-1) != "about" && p.word(i-1) != "around" && p.word(i-1) != "to" && p.word(i-1) != "and" && p.word(i-1) != "(" && p.word(i-1) != ",") {
		return Day{}, i, false
	}
	return Day{Year: y}, i + 1, true
}

// era reports whether token i says that a year was before Christ.
func (p *parser) era(i int) bool {
	switch p.word(i) {
	case "bc", "bce", "b.c", "b.c.", "b.c.e":
		return p.capital(i)
	}
	return false
}

// clock reads a time of day at token i: minutes since midnight, and whether it
// tells its half of the day.
func (p *parser) clock(i int) (minutes int, half bool, end int, ok bool) {
	switch p.word(i) {
	case "noon", "midday":
		return 720, true, i + 1, true
	case "midnight":
		return 0, true, i + 1, true
	}
	h, ok := p.small(i, 0, 24)
	j := i + 1
	m := 0
	minute := func(k int) bool {
		n, ok := p.small(k, 0, 59)
		if ok && p.tokens[k].End-p.tokens[k].Start == 2 && p.glued(k) {
			m = n
			return true
		}
		return false
	}
	explicit := false
	switch {
	case ok && p.word(j) == ":" && p.glued(j) && minute(j+1):
		j += 2
		explicit = true
		if p.word(j) == ":" && p.glued(j) {
			return 0, false, i, false // a duration, or seconds told
		}
	case !ok && p.tokens.kind(i) == numberToken && p.tokens[i].places == 2 && p.tokens[i].End-p.tokens[i].Start <= 5:
		// 9.30pm
		n := p.tokens[i].value
		hours := int(n.Num().Int64() / n.Denom().Int64())
		rest := int((n.Num().Int64() * 100 / n.Denom().Int64()) % 100)
		if hours > 12 || rest > 59 {
			return 0, false, i, false
		}
		h, m = hours, rest
	case !ok:
		return 0, false, i, false
	}
	k, afternoon, told := p.halfOfDay(j)
	if !told {
		if p.word(j) == "o'clock" {
			return h * 60, h > 12, j + 1, true
		}
		if !explicit || h == 24 {
			return 0, false, i, false
		}
		return h*60 + m, h > 12 || h == 0, j, true
	}
	if h > 12 {
		return 0, false, i, false
	}
	h %= 12
	if afternoon {
		h += 12
	}
	return h*60 + m, true, k, true
}

// halfOfDay reads "am", "p.m." at token j.
func (p *parser) halfOfDay(j int) (end int, afternoon, ok bool) {
	switch p.word(j) {
	case "am", "a.m":
		return j + 1, false, p.word(j) != "am" || p.glued(j) || p.word(j-1) != "i"
	case "pm", "p.m":
		return j + 1, true, true
	case "a", "p":
		if p.word(j+1) == "." && p.glued(j+1) && p.word(j+2) == "m" && p.glued(j+2) {
			end = j + 3
			if p.word(end) == "." && p.glued(end) {
				end++
			}
			return end, p.word(j) == "p", true
		}
	}
	return j, false, false
}

// String writes d in numbers and English words: "5 May 2020", "May 2020", "1990 to
// 1999", "Monday".
func (d Day) String() string {
	var parts []string
	if d.Weekday > 0 && d.Weekday <= 7 {
		parts = append(parts, time.Weekday(d.Weekday%7).String())
	}
	if d.Day > 0 {
		parts = append(parts, strconv.Itoa(d.Day))
	}
	if d.Month > 0 {
		parts = append(parts, time.Month(d.Month).String())
	}
	year := func(y int) string {
		if y < 0 {
			return strconv.Itoa(-y) + " BC"
		}
		return strconv.Itoa(y)
	}
	if d.Year != 0 {
		parts = append(parts, year(d.Year))
	}
	if d.Last != 0 {
		parts = append(parts, "to", year(d.Last))
	}
	return strings.Join(parts, " ")
}
