package slot

import (
	"strconv"
	"strings"
)

// Day is a date as far as it is told; a field is 0 where it is not.
type Day struct {
	// Year is the (first) year, negative before Christ.
	Year int
	// Years is how many years from Year on are meant: 1, 10 for a decade, 100
	// for a century; 0 where no year is told.
	Years int
	// Month is 1..12, Day 1..31, Weekday 1 (Monday) .. 7 (Sunday).
	Month, Day, Weekday int
}

var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
	"september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sept": 9, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

var weekdays = map[string]int{
	"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 7,
	"mondays": 1, "tuesdays": 2, "wednesdays": 3, "thursdays": 4, "fridays": 5, "saturdays": 6, "sundays": 7,
}

// digits returns the value of token i when it is a number of min to max digits
// and nothing else.
func (f *finder) digits(i, min, max int) (int, bool) {
	if f.kind(i) != numTok {
		return 0, false
	}
	w := f.word(i)
	if len(w) < min || len(w) > max || strings.ContainsAny(w, ",.") {
		return 0, false
	}
	n, err := strconv.Atoi(w)
	return n, err == nil
}

// date reads a date or a range of dates at i.
func (f *finder) date(i int) (Slot, int, bool) {
	from, j, ok := f.day(i)
	if !ok {
		return Slot{}, 0, false
	}
	s := Slot{Kind: Date, From: from, To: from}
	sep := f.word(j)
	switch {
	case isDash(sep) || sep == "to" || sep == "until" || sep == "and" && f.word(i-1) == "between":
		if to, k, ok := f.day(j + 1); ok && (to.Month > 0) == (from.Month > 0) && to.Weekday == 0 {
			if from.Year == 0 {
				from.Year, from.Years = to.Year, to.Years
			}
			if to.Year >= from.Year {
				return Slot{Kind: Date, From: from, To: to}, k, true
			}
		}
		// "1990-95"
		if n, ok := f.digits(j+1, 2, 2); ok && isDash(sep) && f.glued(j+1) && from.Years == 1 && from.Month == 0 {
			to := from
			to.Year = from.Year/100*100 + n
			if to.Year > from.Year {
				return Slot{Kind: Date, From: from, To: to}, j + 2, true
			}
		}
	}
	return s, j, true
}

// day reads one date at i, as complete as it is told.
func (f *finder) day(i int) (Day, int, bool) {
	if wd, ok := weekdays[f.word(i)]; ok {
		d := Day{Weekday: wd}
		j := i + 1
		k := j
		if f.word(k) == "," {
			k++
		}
		if d2, end, ok := f.calendar(k); ok && d2.Day > 0 {
			d2.Weekday = wd
			return d2, end, true
		}
		return d, j, true
	}
	return f.calendar(i)
}

// calendar reads a date without weekday at i.
func (f *finder) calendar(i int) (Day, int, bool) {
	// 2020-03-15, 15/03/2020
	if y, ok := f.digits(i, 4, 4); ok && f.word(i+1) == "-" && f.word(i+3) == "-" && f.glued(i+1) && f.glued(i+2) && f.glued(i+4) {
		m, ok1 := f.digits(i+2, 2, 2)
		d, ok2 := f.digits(i+4, 2, 2)
		if ok1 && ok2 && m >= 1 && m <= 12 && d >= 1 && d <= 31 {
			return Day{Year: y, Years: 1, Month: m, Day: d}, i + 5, true
		}
	}
	if a, ok := f.digits(i, 1, 2); ok && f.word(i+1) == "/" && f.word(i+3) == "/" && f.glued(i+1) && f.glued(i+4) {
		b, ok1 := f.digits(i+2, 1, 2)
		y, ok2 := f.digits(i+4, 4, 4)
		if ok1 && ok2 {
			switch {
			case a > 12 && a <= 31 && b >= 1 && b <= 12:
				return Day{Year: y, Years: 1, Month: b, Day: a}, i + 5, true
			case b > 12 && b <= 31 && a >= 1 && a <= 12:
				return Day{Year: y, Years: 1, Month: a, Day: b}, i + 5, true
			}
			// Day and month can't be told apart: only the year is sure.
			return Day{Year: y, Years: 1}, i + 5, true
		}
	}
	// 15 March 2020, 15th of March
	if d, ok := f.digits(i, 1, 2); ok && d >= 1 && d <= 31 {
		j := i + 1
		if f.glued(j) {
			switch f.word(j) {
			case "st", "nd", "rd", "th":
				j++
			}
		}
		if f.word(j) == "of" {
			j++
		}
		if m, k, ok := f.month(j); ok {
			day := Day{Month: m, Day: d}
			return f.withYear(day, k)
		}
	}
	// March 15, 2020; March 2020; March
	if m, j, ok := f.month(i); ok {
		if d, ok := f.digits(j, 1, 2); ok && d >= 1 && d <= 31 && !(f.word(j+1) == ":" && f.glued(j+1)) {
			j++
			if f.glued(j) {
				switch f.word(j) {
				case "st", "nd", "rd", "th":
					j++
				}
			}
			return f.withYear(Day{Month: m, Day: d}, j)
		}
		day, k, _ := f.withYear(Day{Month: m}, j)
		if day.Year != 0 || f.monthAlone(i) {
			return day, k, true
		}
		return Day{}, 0, false
	}
	// the 19th century
	if f.word(i+1) == "century" || f.word(i+2) == "century" {
		if s, j, ok := f.ordinal(i); ok && f.word(j) == "century" && s.Value >= 1 && s.Value <= 30 {
			d := Day{Year: int(s.Value-1) * 100, Years: 100}
			if d.Year == 0 {
				d.Year = 1
			}
			return d, j + 1, true
		}
	}
	// the 1990s, '90s
	if y, ok := f.digits(i, 4, 4); ok && f.word(i+1) == "s" && f.glued(i+1) && y%10 == 0 {
		years := 10
		if y%100 == 0 && y < 2000 {
			years = 100
		}
		return Day{Year: y, Years: years}, i + 2, true
	}
	if y, ok := f.digits(i, 2, 2); ok && f.word(i+1) == "s" && f.glued(i+1) && y%10 == 0 && y >= 20 && f.glued(i) {
		if p := f.word(i - 1); p == "'" || p == "’" || p == "‘" {
			return Day{Year: 1900 + y, Years: 10}, i + 2, true
		}
	}
	return f.year(i)
}

// month reads a month's name at i, its point included.
func (f *finder) month(i int) (m, j int, ok bool) {
	w := f.word(i)
	m, ok = months[w]
	if !ok || f.kind(i) != wordTok {
		return 0, 0, false
	}
	j = i + 1
	if len(w) <= 4 && w != "may" && w != "june" && w != "july" {
		// An abbreviation needs a number beside it, or it is a word.
		k := j
		if f.word(k) == "." && f.glued(k) {
			k++
		}
		if f.kind(k) != numTok && f.kind(i-1) != numTok {
			return 0, 0, false
		}
		j = k
	}
	return m, j, true
}

// monthAlone reports whether the month's name at i, with no day or year beside
// it, is one: "may", "march" and "august" are words too.
func (f *finder) monthAlone(i int) bool {
	switch f.word(i) {
	case "may", "march", "august":
		t := f.toks[i]
		if c := f.text[t.Start]; c < 'A' || c > 'Z' {
			return false
		}
		switch f.word(i - 1) {
		case "in", "on", "since", "by", "last", "next", "this", "late", "early", "mid", "of", "until", "from", "during", "before", "after", "and", "every":
			return true
		}
		return false
	}
	return true
}

// withYear reads a year behind a day or month at j.
func (f *finder) withYear(d Day, j int) (Day, int, bool) {
	k := j
	if f.word(k) == "," || f.word(k) == "of" {
		k++
	}
	if y, ok := f.digits(k, 4, 4); ok && y >= 1000 && y < 2200 {
		d.Year, d.Years = y, 1
		return d, k + 1, true
	}
	return d, j, true
}

// year reads a bare year at i. Four digits without a comma are one unless what
// stands around says otherwise.
func (f *finder) year(i int) (Day, int, bool) {
	if n, ok := f.digits(i, 1, 4); ok {
		if w := f.word(i + 1); w == "bc" || w == "bce" || w == "b.c." {
			return Day{Year: -n, Years: 1}, i + 2, true
		}
		if w := f.word(i + 1); n > 0 && (w == "a.d." || w == "ce" || w == "ad") && startsUpper(f.text[f.toks[i+1].Start:]) && !f.glued(i+1) {
			return Day{Year: n, Years: 1}, i + 2, true
		}
		if w := f.word(i - 1); (w == "ad" || w == "a.d.") && n > 0 {
			return Day{Year: n, Years: 1}, i + 1, true
		}
	}
	y, ok := f.digits(i, 4, 4)
	if !ok || y < 1000 || y >= 2200 {
		return Day{}, 0, false
	}
	prev, next := f.word(i-1), f.word(i+1)
	if currencySign(prev) != "" || prev == "#" || next == "%" || f.glued(i) && (prev == "." || prev == "/") {
		return Day{}, 0, false
	}
	if _, ok := unitOf(next); ok {
		return Day{}, 0, false
	}
	if _, ok := scales[next]; ok || next == "percent" || next == "per" {
		return Day{}, 0, false
	}
	switch prev {
	case "in", "since", "until", "year", "during", "circa", "before", "after", "(", "summer", "winter", "spring", "autumn", "fall", "early", "late", "mid":
		if !pluralNoun(next) {
			return Day{Year: y, Years: 1}, i + 1, true
		}
		return Day{}, 0, false
	}
	if y < 1400 || y >= 2100 || pluralNoun(next) {
		return Day{}, 0, false
	}
	switch prev {
	case "about", "around", "over", "than", "some", "nearly", "almost", "least", "approximately", "roughly":
		return Day{}, 0, false
	}
	return Day{Year: y, Years: 1}, i + 1, true
}

// pluralNoun guesses whether the word is a noun in the plural, such as counts
// go with.
func pluralNoun(w string) bool {
	switch w {
	case "people", "men", "women", "children", "feet", "troops":
		return true
	}
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "'s") &&
		!functionWords[w] && w != "world's" && w != "olympics" && w != "games"
}

// clock reads a time of day at i.
func (f *finder) clock(i int) (Slot, int, bool) {
	mk := func(h, m int, half string, j int) (Slot, int, bool) {
		s := Slot{Kind: Clock}
		switch half {
		case "am":
			h %= 12
		case "pm":
			h = h%12 + 12
		}
		s.Half = half != "" || h > 12 || h == 0
		s.Value = float64(h%24*60 + m)
		s.Low, s.High = s.Value, s.Value
		return s, j, true
	}
	switch f.word(i) {
	case "noon", "midday":
		return mk(12, 0, "pm", i+1)
	case "midnight":
		return mk(0, 0, "am", i+1)
	case "half", "quarter":
		h := 0
		if n, ok := f.digits(i+2, 1, 2); ok {
			h = n
		} else {
			h = int(smallNumbers[f.word(i+2)])
		}
		if h < 1 || h > 12 {
			return Slot{}, 0, false
		}
		switch {
		case f.word(i) == "half" && f.word(i+1) == "past":
			return mk(h, 30, "", i+3)
		case f.word(i) == "quarter" && f.word(i+1) == "past":
			return mk(h, 15, "", i+3)
		case f.word(i) == "quarter" && f.word(i+1) == "to":
			return mk((h+11)%12, 45, "", i+3)
		}
		return Slot{}, 0, false
	}
	if f.kind(i) != numTok {
		return Slot{}, 0, false
	}
	w := f.word(i)
	h, m, j := 0, 0, i+1
	told := false // minutes were told
	if p := strings.IndexByte(w, '.'); p > 0 && len(w)-p == 3 {
		h, _ = strconv.Atoi(w[:p])
		m, _ = strconv.Atoi(w[p+1:])
	} else if n, ok := f.digits(i, 1, 2); ok {
		h = n
		if mm, ok := f.digits(i+2, 2, 2); ok && f.word(i+1) == ":" && f.glued(i+1) && f.glued(i+2) {
			m, j, told = mm, i+3, true
			if _, ok := f.digits(i+4, 2, 2); ok && f.word(i+3) == ":" && f.glued(i+3) && f.glued(i+4) {
				j = i + 5
			}
		}
	} else {
		return Slot{}, 0, false
	}
	if h > 24 || m > 59 {
		return Slot{}, 0, false
	}
	switch n := f.word(j); {
	case n == "am" || n == "pm":
		if h <= 12 {
			return mk(h, m, n, j+1)
		}
	case (n == "a" || n == "p") && f.word(j+1) == "." && f.word(j+2) == "m" && f.glued(j+1) && f.glued(j+2):
		if h <= 12 {
			end := j + 3
			if f.word(end) == "." && f.glued(end) && (end+1 < len(f.toks) && !startsUpper(f.text[f.toks[end+1].Start:])) {
				end++
			}
			return mk(h, m, n+"m", end)
		}
	case n == "o'clock":
		return mk(h, m, "", j+1)
	case n == "in" && f.word(j+1) == "the" && h >= 1 && h <= 12 && (i == 0 || timely[f.word(i-1)]):
		switch f.word(j + 2) {
		case "morning":
			return mk(h, m, "am", j+3)
		case "afternoon", "evening":
			return mk(h, m, "pm", j+3)
		}
	}
	if told {
		return mk(h, m, "", j)
	}
	return Slot{}, 0, false
}

// timely are words before a time of day that has no mark of its own.
var timely = set("at about around by until till before after from to since past")
