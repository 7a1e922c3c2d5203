package slot

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// first returns the only slot of the kind in text.
func first(t *testing.T, text string, kind Kind) Slot {
	t.Helper()
	var found []Slot
	for _, s := range Find(text) {
		if s.Kind == kind {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%q: %d slots of kind %s, want one: %v", text, len(found), kind, Find(text))
	}
	return found[0]
}

func TestNumbers(t *testing.T) {
	const top = math.MaxFloat64
	for _, c := range []struct {
		text      string
		kind      Kind
		as        string // the slot as written
		value     float64
		low, high float64
		unit, of  string
	}{
		{"It took 12 men.", Number, "12", 12, 12, 12, "", "men"},
		{"Twenty-one people came.", Number, "Twenty-one", 21, 21, 21, "", "people"},
		{"a hundred and five ships", Number, "a hundred and five", 105, 105, 105, "", "ships"},
		{"two thousand three hundred voters", Number, "two thousand three hundred", 2300, 2300, 2300, "", "voters"},
		{"nineteen dozen eggs", Number, "nineteen dozen", 228, 228, 228, "", "eggs"},
		{"sold 1,234,567 copies", Number, "1,234,567", 1234567, 1234567, 1234567, "", "copies"},
		{"some 30, 000 years", Quantity, "30, 000 years", 30000, 27000, 33000, "year", ""},
		{"1.5 million euros", Quantity, "1.5 million euros", 1.5e6, 1.45e6, 1.55e6, "EUR", ""},
		{"worth $3bn today", Quantity, "$3bn", 3e9, 2.9e9, 3.1e9, "USD", ""},
		{"worth £20m today", Quantity, "£20m", 2e7, 1.95e7, 2.05e7, "GBP", ""},
		{"ran 5km there", Quantity, "5km", 5, 5, 5, "km", ""},
		{"a 36 - year - old man", Quantity, "36 - year", 36, 36, 36, "year", ""},
		{"drove at 60 km per hour", Quantity, "60 km per hour", 60, 60, 60, "km/h", ""},
		{"it was -5 degrees Celsius", Quantity, "-5 degrees Celsius", -5, -5, -5, "°C", ""},
		{"over 400 square metres", Quantity, "400 square metres", 400, 400, top, "sq m", ""},
		{"rose 5.5%", Percent, "5.5%", 5.5, 5.45, 5.55, "", ""},
		{"rose by 3 percentage points", Quantity, "3 percentage points", 3, 3, 3, "pp", ""},
		{"two thirds of them", Percent, "two thirds", 200.0 / 3, 66, 67, "", ""},
		{"half of them", Percent, "half", 50, 50, 50, "", ""},
		{"between 10 and 20 rooms", Number, "10 and 20", 10, 10, 20, "", "rooms"},
		{"10-20 km away", Quantity, "10-20 km", 10, 10, 20, "km", ""},
		{"2 to 3 million cars", Number, "2 to 3 million", 2e6, 2e6, 3e6, "", "cars"},
		{"at least 40 guests", Number, "40", 40, 40, top, "", "guests"},
		{"no more than 40 guests", Number, "40", 40, -top, 40, "", "guests"},
		{"nearly 100 guests", Number, "100", 100, 90, 100, "", "guests"},
		{"18 or older", Number, "18", 18, 18, top, "", ""},
		{"won 3-1 there", Score, "3-1", 3, 3, 1, "", ""},
		{"the 3rd attempt", Ordinal, "3rd", 3, 3, 3, "", ""},
		{"the twenty-first attempt", Ordinal, "twenty-first", 21, 21, 21, "", ""},
		{"the twenty - first attempt", Ordinal, "twenty - first", 21, 21, 21, "", ""},
		{"twenty - five guests", Number, "twenty - five", 25, 25, 25, "", "guests"},
		{"one hundred and twenty - five guests", Number, "one hundred and twenty - five", 125, 125, 125, "", "guests"},
		{"employs 2000 people", Number, "2000", 2000, 2000, 2000, "", "people"},
	} {
		s := first(t, c.text, c.kind)
		near := func(x, y float64) bool { return x == y || math.Abs(x-y) < 1e-6*math.Abs(y) }
		lowOK := c.kind == Score || near(s.Low, c.low)
		if s.Text != c.as || !near(s.Value, c.value) || !lowOK || !near(s.High, c.high) || s.Unit != c.unit || s.Of != c.of {
			t.Errorf("%q: got %q value %g [%g, %g] unit %q of %q", c.text, s.Text, s.Value, s.Low, s.High, s.Unit, s.Of)
		}
	}
}

func TestNoNumber(t *testing.T) {
	for _, text := range []string{
		"no one came", "one of them", "vitamin B12", "version 1.2.3", "COVID-19 and the F16", "a second later",
		strings.Repeat("9", 400), "one another",
	} {
		for _, s := range Find(text) {
			if s.Kind == Number || s.Kind == Quantity || s.Kind == Ordinal {
				t.Errorf("%q: found %s %q", text[:min(len(text), 30)], s.Kind, s.Text)
			}
		}
	}
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		text, as string
		from, to Day
	}{
		{"on 15 March 2020 there", "15 March 2020", Day{2020, 1, 3, 15, 0}, Day{}},
		{"on March 15th, 2020 there", "March 15th, 2020", Day{2020, 1, 3, 15, 0}, Day{}},
		{"on 2020-03-15 there", "2020-03-15", Day{2020, 1, 3, 15, 0}, Day{}},
		{"on 31/12/1999 there", "31/12/1999", Day{1999, 1, 12, 31, 0}, Day{}},
		{"on Sunday, 3 May there", "Sunday, 3 May", Day{0, 0, 5, 3, 7}, Day{}},
		{"in May 2011 there", "May 2011", Day{2011, 1, 5, 0, 0}, Day{}},
		{"in may 2011 there", "may 2011", Day{2011, 1, 5, 0, 0}, Day{}},
		{"in 1867 there", "1867", Day{1867, 1, 0, 0, 0}, Day{}},
		{"the 1990s there", "1990s", Day{1990, 10, 0, 0, 0}, Day{}},
		{"the '60s there", "60s", Day{1960, 10, 0, 0, 0}, Day{}},
		{"the nineteenth century there", "nineteenth century", Day{1800, 100, 0, 0, 0}, Day{}},
		{"in 44 BC there", "44 BC", Day{-44, 1, 0, 0, 0}, Day{}},
		{"from 1914 to 1918 there", "1914 to 1918", Day{1914, 1, 0, 0, 0}, Day{1918, 1, 0, 0, 0}},
		{"in 1990-95 there", "1990-95", Day{1990, 1, 0, 0, 0}, Day{1995, 1, 0, 0, 0}},
		{"each Friday there", "Friday", Day{0, 0, 0, 0, 5}, Day{}},
	} {
		s := first(t, c.text, Date)
		if c.to == (Day{}) {
			c.to = c.from
		}
		if s.Text != c.as || s.From != c.from || s.To != c.to {
			t.Errorf("%q: got %q %v to %v", c.text, s.Text, s.From, s.To)
		}
	}
	for _, text := range []string{"they may march on", "an august body", "He decided in sum."} {
		for _, s := range Find(text) {
			if s.Kind == Date {
				t.Errorf("%q: found the date %q", text, s.Text)
			}
		}
	}
}

func TestClock(t *testing.T) {
	for text, minutes := range map[string]float64{
		"at 21:45 there": 21*60 + 45, "at 9 pm there": 21 * 60, "at 9.30am there": 9*60 + 30,
		"at 12 a.m. there": 0, "at noon there": 720, "at midnight there": 0, "at 7 o'clock there": 420,
	} {
		if s := first(t, text, Clock); s.Value != minutes {
			t.Errorf("%q: %q is %g minutes, want %g", text, s.Text, s.Value, minutes)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // names joined by "|"
	}{
		{"Marie Curie was born in Warsaw.", "Marie Curie|Warsaw"},
		{"In Paris, Mr. Jean-Luc Blanc met the U.S. ambassador.", "Paris|Jean-Luc Blanc|U.S."},
		{"Patients were well. However, the Bank of England agreed.", "Bank of England"},
		{"Ludwig van Beethoven's music", "Ludwig van Beethoven"},
		{"José Núñez lives in São Paulo", "José Núñez|São Paulo"},
		{"the Orbix K12 probe", "Orbix K12"},
		{"the spread of COVID-19 there", "COVID-19"},
		{"nobody by name", ""},
		{"THE WHOLE TEXT SHOUTS AT YOU", ""},
		{"The company grew. Company policy changed.", ""},
	} {
		var got []string
		for _, s := range Find(c.text) {
			if s.Kind == Name {
				got = append(got, s.Text)
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q: got %q, want %q", c.text, strings.Join(got, "|"), c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		a, b string
		kind Kind // of both; of a only when kindB is set
		want Relation
	}{
		{"12 men", "twelve men", Number, Equal},
		{"12 men", "13 men", Number, Different},
		{"1,512,345 men", "1.5 million men", Number, Narrower},
		{"about 100 men", "104 men", Number, Broader},
		{"at least 40 men", "45 men", Number, Broader},
		{"at least 40 men", "39 men", Number, Different},
		{"more than 40 men", "less than 50 men", Number, Overlapping},
		{"3 km", "3000 metres", Quantity, Equal},
		{"3 miles", "4.8 km", Quantity, Equal},
		{"3 miles", "3 km", Quantity, Different},
		{"90 minutes", "1.5 hours", Quantity, Equal},
		{"2 years", "24 months", Quantity, Equal},
		{"30 °C", "86 °F", Quantity, Equal},
		{"2 hectares", "20,000 square metres", Quantity, Equal},
		{"5 km", "5 kg", Quantity, Incomparable},
		{"$5", "€5", Quantity, Different},
		{"£5", "5 pounds", Quantity, Equal},
		{"$3.2bn", "$3.2 billion", Quantity, Equal},
		{"half of them", "50%", Percent, Equal},
		{"3-1 win", "3-1 win", Score, Equal},
		{"3-1 win", "3-2 win", Score, Different},
		{"15 March 2020", "in 2020", Date, Narrower},
		{"in 2020", "15 March 2020", Date, Broader},
		{"March 2020", "2020-03-15", Date, Broader},
		{"March 2020", "April 2020", Date, Different},
		{"in 1994", "the 1990s", Date, Narrower},
		{"in 1984", "the 1990s", Date, Different},
		{"in 1916", "1914 to 1918", Date, Narrower},
		{"Monday", "Tuesday", Date, Different},
		{"3 May", "May 2011", Date, Overlapping},
		{"9 pm", "21:00", Clock, Equal},
		{"9:00", "21:00", Clock, Broader},
		{"9 am", "9 pm", Clock, Different},
		{"by Marie Curie", "by Curie", Name, Narrower},
		{"by Curie", "by Marie Curie", Name, Broader},
		{"by John Smith", "by Mary Smith", Name, Different},
		{"by J. Smith", "by John Smith", Name, Overlapping},
		{"the United Nations", "the UN", Name, Equal},
		{"the International Monetary Fund", "the IMF", Name, Equal},
		{"the French", "in France", Name, Equal},
		{"in Paris", "in London", Name, Different},
		{"by José", "by Jose", Name, Equal},
	} {
		a, b := first(t, c.a, c.kind), first(t, c.b, c.kind)
		if got := Compare(a, b); got != c.want {
			t.Errorf("Compare(%q, %q) = %s, want %s", c.a, c.b, got, c.want)
		}
		if got := Compare(b, a); got != c.want.Reverse() {
			t.Errorf("Compare(%q, %q) = %s, want %s", c.b, c.a, got, c.want.Reverse())
		}
	}
	bare, with := first(t, "there were 12", Number), first(t, "for 12 km", Quantity)
	if got := Compare(with, bare); got != Narrower {
		t.Errorf("a number with a unit against the bare number: %s, want narrower", got)
	}
}

func TestPolarity(t *testing.T) {
	for _, c := range []struct {
		text, word     string
		negations, may int
	}{
		{"Drug K did not lower blood pressure.", "lower", 1, 0},
		{"No patient was without a fever.", "fever", 2, 0},
		{"No patient was without a fever.", "patient", 0, 0},
		{"There was no evidence of fraud.", "evidence", 1, 0},
		{"He didn’t go, but she stayed.", "go", 1, 0},
		{"He didn’t go, but she stayed.", "stayed", 0, 0},
		{"It may help sleep.", "help", 0, 1},
		{"In May it helped.", "helped", 0, 0},
		{"She failed to win the cup.", "win", 1, 0},
		{"He is no longer mayor.", "mayor", 1, 0},
		{"It was not only cheap.", "cheap", 0, 0},
		{"The police said the suspect reportedly fled.", "fled", 0, 1},
		{"They did n't pay.", "pay", 1, 0},
		{"He left without paying.", "paying", 1, 0},
	} {
		at := strings.Index(c.text, c.word)
		slots := Find(c.text)
		span := segment.Span{Start: at, End: at + len(c.word)}
		if n, h := Negations(slots, span), Hedges(slots, span); n != c.negations || h != c.may {
			t.Errorf("%q: %q stands under %d negations and %d hedges, want %d and %d", c.text, c.word, n, h, c.negations, c.may)
		}
	}
}

func TestOpposite(t *testing.T) {
	for _, p := range [][2]string{{"rise", "fall"}, {"happy", "unhappy"}, {"smoking", "non-smoking"}, {"guilty", "innocent"}, {"before", "after"}, {"red", "blue"}} {
		if !Opposite(p[0], p[1]) || !Opposite(p[1], p[0]) {
			t.Errorf("%s and %s are no opposites", p[0], p[1])
		}
	}
	for _, p := range [][2]string{{"rise", "rise"}, {"cat", "dog"}, {"it", "unit"}, {"red", "red"}, {"red", "north"}, {"give", "receive"}} {
		if Opposite(p[0], p[1]) {
			t.Errorf("%s and %s are opposites", p[0], p[1])
		}
	}
	for w, list := range opposites {
		for _, o := range list {
			if w == o {
				t.Errorf("%q is listed as its own opposite", w)
			}
			if !Opposite(o, w) {
				t.Errorf("%q and %q: not symmetric", w, o)
			}
		}
	}
}

// check reports what every result of Find must keep.
func check(t *testing.T, text string) {
	slots := Find(text)
	end := 0
	for i, s := range slots {
		if s.Span.Start < 0 || s.Span.End > len(text) || s.Span.Empty() || s.Span.Of(text) != s.Text {
			t.Fatalf("%q: slot %q has span %v", text, s.Text, s.Span)
		}
		if utf8.ValidString(text) && !utf8.ValidString(s.Text) {
			t.Fatalf("%q: %q is cut inside a rune", text, s.Text)
		}
		if i > 0 && s.Span.Start < slots[i-1].Span.Start {
			t.Fatalf("%q: not in order", text)
		}
		for _, x := range []float64{s.Value, s.Low, s.High} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("%q: %q is %g [%g, %g]", text, s.Text, s.Value, s.Low, s.High)
			}
		}
		if s.Kind != Score && (s.Low > s.Value || s.Value > s.High) {
			t.Fatalf("%q: %q: %g is not in [%g, %g]", text, s.Text, s.Value, s.Low, s.High)
		}
		if s.Kind == Negation || s.Kind == Hedge {
			if s.Scope.Start < 0 || s.Scope.End > len(text) || s.Scope.Start > s.Scope.End {
				t.Fatalf("%q: scope %v", text, s.Scope)
			}
			continue
		}
		if s.Span.Start < end {
			t.Fatalf("%q: %q overlaps its predecessor", text, s.Text)
		}
		end = s.Span.End
		if r := Compare(s, s); r != Equal && len(s.Words) > 0 {
			t.Fatalf("%q: %q is %s to itself", text, s.Text, r)
		}
		for _, o := range slots {
			if x, y := Compare(s, o), Compare(o, s); x != y.Reverse() {
				t.Fatalf("%q: %q to %q is %s, but back %s", text, s.Text, o.Text, x, y)
			}
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{
		"Twenty-one people and 1.5 million dollars, about 1,000 km (3 miles) in 15 March 2020.",
		"On Monday, May 3rd, 2011 at 9:45 p.m., Marie Curie didn't meet the U.N. Curie may come.",
		"$3bn, US$3.2 billion; £1m; 2-1; 1990-95, '90s, the 19th century, 5 BC, 31/12/1999",
		"no no no without not never n't", "\x00\xff1,\xfe000", "１２３ ٣ 三百", "1e309 9999999999999999 .5 5. -5",
		"a hundred hundred and and two dozen million billion", "12 a.m. 12 p.m. 24:00 25:61", "°C 5 °", "$ $5-$ 6",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 300 {
			return // Compare of all pairs is quadratic
		}
		check(t, text)
	})
}

func TestFindIsLinear(t *testing.T) {
	for _, unit := range []string{"a", "12,", "U.S.", "not ", "Ab ", "two hundred and ", "\xff", "1-", "March ", "$", "of Of "} {
		// Eight times the text; the limit leaves room for a busy machine.
		small, large := strings.Repeat(unit, 1<<14/len(unit)), strings.Repeat(unit, 1<<17/len(unit))
		if t1, t2 := fastest(small), fastest(large); t2 > 40*max(t1, 5*time.Millisecond) {
			t.Errorf("%q: %v for 16 KB, %v for 128 KB", unit, t1, t2)
		}
	}
}

// fastest is the shortest of three runs of Find.
func fastest(text string) time.Duration {
	best := time.Duration(math.MaxInt64)
	for range 3 {
		start := time.Now()
		Find(text)
		best = min(best, time.Since(start))
	}
	return best
}

func ExampleFind() {
	text := "About 30% of the 1,200 workers did not return on 3 May 2011."
	for _, s := range Find(text) {
		fmt.Println(s.Kind, s.Text)
	}
	// Output:
	// percent 30%
	// number 1,200
	// negation not
	// date 3 May 2011
}

func ExampleCompare() {
	a := Find("The bridge is 3 miles long.")[0]
	b := Find("The bridge is 4.8 km long.")[0]
	fmt.Println(Compare(a, b))
	// Output: equal
}
