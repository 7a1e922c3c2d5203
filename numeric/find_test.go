package numeric_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/numeric"
)

// show writes a quantity in one line: kind, value with bounds, unit, noun.
func show(q numeric.Quantity) string {
	var b strings.Builder
	fmt.Fprint(&b, q.Kind)
	switch {
	case q.Kind == numeric.Date:
		fmt.Fprintf(&b, " %v", q.Day)
	case q.Kind == numeric.Score, q.Bound == numeric.Between:
		fmt.Fprintf(&b, " %s..%s", q.Value.RatString(), q.High.RatString())
	default:
		fmt.Fprintf(&b, " %s", q.Value.RatString())
	}
	if q.Bound != numeric.Exactly && q.Bound != numeric.Between {
		fmt.Fprintf(&b, " (%s)", q.Bound)
	}
	if q.Unit != "" {
		fmt.Fprintf(&b, " %s", q.Unit)
	}
	return b.String()
}

func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		// Digits and words.
		"12 boats":                         "count 12",
		"1,234,567 boats":                  "count 1234567",
		"12,34,567 boats":                  "count 1234567",
		"1\u00a0234 boats":                 "count 1234",
		"3.25 boats":                       "count 13/4",
		"3½ boats":                         "count 7/2",
		"3 1/2 boats":                      "count 7/2",
		"-5 °C":                            "measure -5 °C",
		"minus 5 degrees Celsius":          "measure -5 °C",
		"2.5e3 boats":                      "count 2500",
		"3 × 10^4 cells":                   "count 30000",
		"twenty-one boats":                 "count 21",
		"two hundred and five boats":       "count 205",
		"a hundred thousand boats":         "count 100000",
		"three million, two hundred boats": "count 3000000; count 200",
		"half a million boats":             "count 500000",
		"two and a half million boats":     "count 2500000",
		"a dozen boats":                    "count 12",
		"a couple of boats":                "count 2 (about)",
		"3.5 million boats":                "count 3500000",
		"5k boats":                         "count 5000",
		"2 lakh boats":                     "count 200000",
		"１２ boats":                         "count 12",
		// Bounds.
		"about 12 boats":         "count 12 (about)",
		"more than 12 boats":     "count 12 (more than)",
		"no more than 12 boats":  "count 12 (at most)",
		"no fewer than 12 boats": "count 12 (at least)",
		"at least 12 boats":      "count 12 (at least)",
		"up to 12 boats":         "count 12 (at most)",
		"under 12 boats":         "count 12 (less than)",
		"12 boats or more":       "count 12",
		"12 or more boats":       "count 12 (at least)",
		"between 5 and 10 boats": "count 5..10",
		"5 to 10 boats":          "count 5..10",
		"5-10 km":                "measure 5..10 km",
		"from 5 to 10 boats":     "count 5; count 10",
		// Shares and multiples.
		"5%":                      "share 5",
		"5.5 per cent":            "share 11/2",
		"3 percentage points":     "points 3",
		"50 basis points":         "points 1/2",
		"half of the boats":       "share 50",
		"two thirds of the boats": "share 200/3",
		"a quarter of the boats":  "share 25",
		"one in five boats":       "share 20",
		"9 out of 10 boats":       "share 90",
		"the second half":         "rank 2",
		"twice as many":           "factor 2",
		"three times as many":     "factor 3",
		"five-fold":               "factor 5",
		// Money.
		"$5":            "money 5 $",
		"US$5bn":        "money 5000000000 USD",
		"A$5m":          "money 5000000 AUD",
		"£3.5 million":  "money 3500000 GBP",
		"5 euros":       "money 5 EUR",
		"20 pence":      "money 20 pence",
		"$3-4 million":  "money 3000000..4000000 $",
		"$5 per person": "money 5 $",
		// Units.
		"12 km":                  "measure 12 km",
		"a 12-mile walk":         "measure 12 mi",
		"26 - year - old":        "measure 26 year",
		"a 29-year-old":          "measure 29 year",
		"aged 29":                "measure 29 year",
		"5 feet 10 inches":       "measure 35/6 ft",
		"2 hours and 30 minutes": "measure 5/2 h",
		"90 km/h":                "measure 90 km/h",
		"60 miles per hour":      "measure 60 mi/h",
		"12 square miles":        "measure 12 sq mi",
		"5 m²":                   "measure 5 sq m",
		"3 cubic metres":         "measure 3 cu m",
		"20 degrees Celsius":     "measure 20 °C",
		"5 GB":                   "measure 5 GB",
		"16 kilowatt-hours":      "measure 16 kWh",
		"half an hour":           "measure 1/2 h",
		"five in the morning":    "count 5",
		// Dates and times.
		"in 1995":                "date 1995",
		"5 May 1995":             "date 5 May 1995",
		"May 5, 1995":            "date 5 May 1995",
		"the 5th of May":         "date 5 May",
		"on may 2 and 3":         "date 2 May; date 3 May",
		"1995-05-03":             "date 3 May 1995",
		"3.5.1995":               "date 3 May 1995",
		"Monday, 5 May 2020":     "date Monday 5 May 2020",
		"in the 1990s":           "date 1990 to 1999",
		"the '90s":               "date 1990 to 1999",
		"the 19th century":       "date 1801 to 1900",
		"the nineteenth century": "date 1801 to 1900",
		"in 44 BC":               "date 44 BC",
		"1990–95":                "date 1990; date 1995",
		"from 1990 to 1995":      "date 1990; date 1995",
		"1500 people":            "count 1500",
		"from 1882 patients":     "count 1882",
		"at 21:45":               "clock 1305 of 24 hours",
		"9.30pm":                 "clock 1290 of 24 hours",
		"9 a.m.":                 "clock 540 of 24 hours",
		"noon":                   "clock 720 of 24 hours",
		// Ranks, results, names.
		"the 3rd boat":          "rank 3",
		"the twenty-first boat": "rank 21",
		"won 3-1":               "score 3..1",
		"won 2 - 0":             "score 2..0",
		"on Apollo 11 they":     "label 11",
		"COVID-19 cases":        "label 19",
		"B12 and version 1.2.3": "",
		"one of the boats":      "",
		"1) The first":          "rank 1",
	} {
		var got []string
		for _, q := range numeric.Find(text, numeric.PointDecimal) {
			got = append(got, show(q))
		}
		if g := strings.Join(got, "; "); g != want {
			t.Errorf("%q: %s, want %s", text, g, want)
		}
	}
}

func TestStyleOfDigits(t *testing.T) {
	for _, c := range []struct{ text, point, comma string }{
		{"1,234.5 km", "measure 2469/2 km", ""},
		{"1.234,5 km", "", "measure 2469/2 km"},
		{"1.000.000 km", "", "measure 1000000 km"},
		{"3,5 km", "count 3; measure 5 km", "measure 7/2 km"},
		{"3/5/2020", "date 5 March 2020", "date 3 May 2020"},
	} {
		for style, want := range map[numeric.Style]string{numeric.PointDecimal: c.point, numeric.CommaDecimal: c.comma} {
			var got []string
			for _, q := range numeric.Find(c.text, style) {
				got = append(got, show(q))
			}
			if g := strings.Join(got, "; "); g != want && want != "" {
				t.Errorf("%q in style %d: %s, want %s", c.text, style, g, want)
			}
		}
	}
	comma := numeric.CommaDecimal
	found, err := numeric.Check(context.Background(), "The path is 1,234.5 m long.", "The path is 1.234,5 m long.", numeric.Options{Sources: &comma})
	if err != nil || len(found) != 1 || found[0].Verdict != numeric.Supported {
		t.Errorf("%+v, %v", found, err)
	}
}

func ExampleCheck() {
	claim := "Sales rose by 20% to 120 looms, and the mill, 3 miles from the sea, opened in 1989."
	source := "The mill sold 100 looms in May; sales rose to 120 looms in June. The mill stands 4.8 km from the sea and opened in 1998."
	found, err := numeric.Check(context.Background(), claim, source, numeric.Options{})
	if err != nil {
		panic(err)
	}
	for _, f := range found {
		fmt.Printf("%s: %s: %s\n", f.Quantity.Text, f.Verdict, f.How)
	}
	// Output:
	// 20%: supported: (120 - 100) / 100 = 20%
	// 120: supported: 120 is stated
	// 3 miles: supported: 4.8 km = 2.9826 mi, stated as 3 miles
	// 1989: contradicted: 1989 against 1998
}
