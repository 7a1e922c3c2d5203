package s3kg_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/s3kg"
)

// Labels of the same words in another order conflict if the parts are exchanged,
// and do not if the order means nothing.
func TestConflictByOrder(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		// Numbers, places, times.
		{"from 12 to 19 kilos", "from 19 to 12 kilos", true}, {"rose from 3% to 8%", "rose from 8% to 3%", true},
		{"by train from Lyon to Bern", "by train from Bern to Lyon", true}, {"to Bern from Lyon", "from Lyon to Bern", false},
		{"from New York to San Jose", "from San Jose to New York", true}, {"from 1980 to 1984", "from 1984 to 1980", true}, {"1980 to 1984", "1984 to 1980", true},
		{"May to July", "July to May", true}, {"1980-1984", "1984-1980", true}, {"5 pm to 9 pm", "9 pm to 5 pm", true},
		{"won 4-2", "won 2-4", true}, {"4 goals and 2 assists", "2 goals and 4 assists", true}, {"4 goals and 2 assists", "2 assists and 4 goals", false},
		{"6 ft 5", "5 ft 6", true}, {"6'5", "5'6", true},
		// Who does what.
		{"that Mina hired Olaf", "that Olaf hired Mina", true}, {"that Mina hired Olaf", "that Olaf was hired by Mina", false},
		{"that Mina hired Olaf", "that Mina was hired by Olaf", true}, {"Mina to Olaf", "Olaf to Mina", true},
		{"Mina for the loss of Olaf", "Olaf for the loss of Mina", true}, {"if the bank calls Mina", "if Mina calls the bank", true},
		{"that cats sleep more than dogs", "that dogs sleep more than cats", true}, {"Chile beat Peru", "Peru beat Chile", true},
		{"a book for Mina", "a book for Mina", false}, {"the fear of men", "the men of fear", true},
		{"gave Olaf a book", "gave a book to Olaf", false},
		{"张三帮助李四", "李四帮助张三", true},
		{"gave a rose to Mina and a pen to Olaf", "gave a pen to Mina and a rose to Olaf", true},
		{"gave a rose to Mina and a pen to Olaf", "gave a pen to Olaf and a rose to Mina", false},
		{"plans to visit Mina before Olaf", "plans to visit Olaf before Mina", true}, {"moved to Bern", "moved from Bern", true},
		{"a shop in Bern near Thun", "a shop in Thun near Bern", true}, {"5 of 9 votes", "9 of 5 votes", true},
		{"the mother of Mina's tutor", "the tutor of Mina's mother", true}, {"10:30", "30:10", true}, {"v1.2.3", "v1.3.2", true},
		// Harmless.
		{"sings with Mina for Olaf", "sings for Olaf with Mina", false}, {"for 5 years in Bern", "in Bern for 5 years", false},
		{"is kept in Bern", "is kept at Bern", false}, {"U.S. Senate", "Senate of the U.S.", false}, {"Monday at 5 pm", "5 pm on Monday", false},
		{"between 5 and 7", "between 7 and 5", false},
		{"Rome, Oslo and Bern", "Bern, Rome, and Oslo", false}, {"visited Rome and Oslo", "visited Oslo and Rome", false},
		{"Mina Roy and Olaf Roy", "Olaf Roy and Mina Roy", false}, {"men or women in need", "women or men in need", false},
		{"University of Oxford", "Oxford University", false}, {"the capital of France", "France's capital", false},
		{"president of the Bank of Spain", "Bank of Spain president", false},
		{"Curie, Marie", "Marie Curie", false}, {"7 April 1805", "April 7, 1805", false}, {"in 1990 Mina left Rome", "Mina left Rome in 1990", false},
		{"in Paris, Mina met Olaf", "Mina met Olaf in Paris", false}, {"quickly left Rome", "left Rome quickly", false},
		{"张三和李四", "李四和张三", false},
	} {
		if got, back := s3kg.Conflict(c.a, c.b), s3kg.Conflict(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("Conflict(%q, %q) = %v, and %v the other way round, want %v", c.a, c.b, got, back, c.want)
		}
	}
}

// Marks that change a value are part of it, others are not.
func TestSigns(t *testing.T) {
	s := scorer(t, s3kg.Options{Extractor: threeWords{}})
	for _, group := range [][]string{
		{"$7", "€7", "£7", "7"}, {"7%", "7", "7‰", "7°"}, {"C++", "C#", "C"}, {"B+", "B-", "B"}, {"Ca+", "Ca-", "Ca"}, {"BB", "BB-", "BB+"},
		{"7 < 8", "7 > 8", "7 = 8", "7 8"}, {"<7", ">7", "≤7", "7"}, {"±7", "7"}, {"7'", `7"`, "7"}, {"G#", "G"}, {"4-2", "2-4"}, {"6'5", "5'6"},
		{"x + y", "x = y"}, {"-7", "7"},
	} {
		for i, a := range group {
			for _, b := range group[:i] {
				r := score(t, s, graph("value, is, "+a), graph("value, is, "+b))
				w, err := s.CompareTexts(t.Context(), a, b)
				if err != nil {
					t.Fatal(err)
				}
				if r.Score > 0.6 || w.Score > 0.6 {
					t.Errorf("%q and %q: %v as labels, %v as texts", a, b, r.Score, w.Score)
				}
			}
		}
	}
	for _, same := range [][2]string{
		{"U.S.", "US"}, {"well-known", "well known"}, {"Acme Inc.", "Acme Inc"}, {"7%", "7 percent"}, {"two", "2"}, {"42", "42.0"}, {"12 dogs", "twelve dogs"},
		{"“Acme”", "Acme"}, {"7 €", "€7"}, {"$7", "7 dollars"}, {"pre- and post-war", "pre and post-war"}, {"#5", "5"}, {"+5", "5"}, {"didn't win", "did not win"},
		{`a "7" b`, "a 7 b"},
	} {
		if s3kg.Conflict(same[0], same[1]) {
			t.Errorf("%q and %q conflict", same[0], same[1])
		}
	}
	for _, equal := range [][2]string{{"two", "2"}, {"5%", "5 percent"}, {"42", "42.0"}, {"five dogs", "5 dogs"}, {"the 2.50 rate", "the 2.5 rate"}, {"has one eye", "has 1 eye"}} {
		if r := score(t, s, graph("it, is, "+equal[0]), graph("it, is, "+equal[1])); r.Score != 1 {
			t.Errorf("%q and %q: %v", equal[0], equal[1], r.Score)
		}
	}
}

// Texts without a graph: reversed is clearly below reworded.
func TestWholeTextsByOrder(t *testing.T) {
	s := scorer(t, s3kg.Options{Extractor: threeWords{}})
	compare := func(a, b string) float64 {
		t.Helper()
		r, err := s.CompareTexts(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		back, err := s.CompareTexts(t.Context(), b, a)
		if err != nil || back.Score != r.Score || !r.Fallback {
			t.Errorf("%q, %q: %v and %v, fallback %v, %v", a, b, r.Score, back.Score, r.Fallback, err)
		}
		return r.Score
	}
	for _, c := range [][3]string{
		{"The old cats hunt young mice", "Old cats are hunting the young mice", "Young mice hunt the old cats"},
		{"Der Koch sieht den Gast", "Der Koch sah den Gast", "Den Koch sieht der Gast"},
		{"El perro ve al gato negro", "El perro vio al gato negro", "El gato negro ve al perro"},
		{"Chile won 4 games and lost 2", "Chile has won 4 games and lost 2", "Chile won 2 games and lost 4"},
		{"It closed on 4/6/2018 at last", "It was closed on 4/6/2018 at last", "It closed on 6/4/2018 at last"},
		{"王五见了赵六", "王五看见了赵六", "赵六见了王五"},
		{"Chile beat Peru 4-2 at home", "Chile has beaten Peru 4-2 at home", "Chile beat Peru 2-4 at home"},
		{"Mina sent flowers and gifts to Olaf", "Mina sent gifts and flowers to Olaf", "Olaf sent flowers and gifts to Mina"},
		{"The clerk was praised by the judge", "The judge praised the clerk", "The clerk praised the judge"},
	} {
		if near, far := compare(c[0], c[1]), compare(c[0], c[2]); near < far+0.2 || far > 0.6 || near > 1 || near < 0.6 {
			t.Errorf("%q: %.3f for %q, %.3f for %q", c[0], near, c[1], far, c[2])
		}
	}
}

// Whatever stands in two labels, in whatever order: conflict is symmetric, and a
// label does not conflict with itself, nor with its words behind other spaces.
func TestConflictOfShuffledWords(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	vocabulary := strings.Fields("Mina Olaf sued to from in of and , . 5 7 1990 May by was that Rome $ % ' \" + - # < the 'x A- C++ 张三 4-2 不 no former e\u0301 \x00")
	for range 20_000 {
		var a []string
		for range r.IntN(8) {
			a = append(a, vocabulary[r.IntN(len(vocabulary))])
		}
		b := slices.Clone(a)
		r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		x, y := strings.Join(a, " "), strings.Join(b, " ")
		if s3kg.Conflict(x, y) != s3kg.Conflict(y, x) {
			t.Fatalf("%q and %q: not symmetric", x, y)
		}
		if wide := strings.Join(a, "  "); s3kg.Conflict(x, wide) {
			t.Fatalf("%q conflicts with itself", x)
		}
	}
}
