package bench

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// How the maker (numbers_make.go) writes and reads numbers; not by the package that is measured.

var timeNouns = map[string]bool{"years": true, "months": true, "weeks": true, "days": true, "hours": true, "minutes": true, "seconds": true}

// afterNoun drops the noun that stood behind a replaced number.
func afterNoun(rest string) string {
	f := strings.SplitN(strings.TrimPrefix(rest, " "), " ", 2)
	if strings.HasPrefix(rest, " ") && len(f) == 2 && strings.HasSuffix(f[0], "s") && len(f[0]) > 3 {
		return " " + f[1]
	}
	return rest
}

func years(m *maker, n int) string {
	if n < 20 && m.rng.IntN(2) == 0 {
		return inWords(n) + " years"
	}
	return strconv.Itoa(n) + " years"
}

func parseEither(s string) float64 {
	if v := fromWord(s); v > 0 {
		return float64(v)
	}
	v, _ := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	return v
}

var unitsInWords = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
var tensInWords = strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")

// inWords writes a number under 100,000 in words.
func inWords(n int) string {
	switch {
	case n < 20:
		return unitsInWords[n]
	case n < 100 && n%10 == 0:
		return tensInWords[n/10]
	case n < 100:
		return tensInWords[n/10] + "-" + unitsInWords[n%10]
	case n < 1000 && n%100 == 0:
		return unitsInWords[n/100] + " hundred"
	case n < 1000:
		return unitsInWords[n/100] + " hundred and " + inWords(n%100)
	}
	s := inWords(n/1000) + " thousand"
	if n%1000 != 0 {
		s += " " + inWords(n%1000)
	}
	return s
}

func fromWord(w string) int {
	w = strings.ToLower(w)
	if i := slices.Index(unitsInWords, w); i >= 0 {
		return i
	}
	if i := slices.Index(tensInWords, w); i >= 0 {
		return 10 * i
	}
	return 0
}

// plainFigure writes v with commas and as many decimals as it has, at most three.
func plainFigure(v float64) string {
	if v == math.Trunc(v) {
		return grouped(v)
	}
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v, 'f', 3, 64), "0"), ".")
}

func grouped(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if v < 0 {
		return "-" + s
	}
	return s
}

// significant rounds v to n digits.
func significant(v float64, n int) float64 {
	if v == 0 {
		return 0
	}
	p := math.Pow(10, float64(n-1)-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*p) / p
}
