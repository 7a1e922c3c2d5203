package s3kg

import (
	"fmt"
	"slices"
	"testing"
)

func TestReadFrame(t *testing.T) {
	for _, c := range []struct {
		relation, tail string
		want           frame
	}{
		{"discovered", "radium in 1898", frame{"discovered", "radium", []string{"1898"}}},
		{"was discovered by", "Marie Curie in 1898", frame{"was discovered by", "Marie Curie", []string{"1898"}}},
		{"was discovered in", "1898 by Marie Curie", frame{"was discovered by", "Marie Curie", []string{"1898"}}},
		{"was founded in", "2011 in Porto by Ines Moreau", frame{"was founded by", "Ines Moreau", []string{"Porto", "2011"}}},
		{"built", "the bridge between 1924 and 1932", frame{"built", "the bridge", []string{"between 1924 and 1932"}}},
		{"joined", "Orbix since March 2020", frame{"joined", "Orbix", []string{"since March 2020"}}},
		{"met", "the board on 7 April 1805 in New York City", frame{"met", "the board", []string{"New York City", "7 April 1805"}}},
		{"won", "the cup in September 1990", frame{"won", "the cup", []string{"September 1990"}}},
		{"led", "the firm during the 1990s", frame{"led", "the firm", []string{"during the 1990s"}}},
		{"opened", "in 1932", frame{"opened in", "1932", nil}},
		{"opened", "in the late 19th century", frame{"opened in", "the late 19th century", nil}},
		{"wrote", "a book in 1990 in Rome on Monday", frame{"wrote", "a book in 1990", []string{"Monday", "Rome"}}},
		{"is", "taller than Olaf", frame{"is taller than", "Olaf", nil}},
		{"was not", "less than 5 kg", frame{"was not less than", "5 kg", nil}},
		{"is", "the parent of Olaf", frame{"is parent of", "Olaf", nil}},
		{"are", "north of the river", frame{"are north of", "the river", nil}},
		// Nothing to take apart.
		{"is", "other than", frame{"is", "other than", nil}},
		{"has", "more than Olaf", frame{"has", "more than Olaf", nil}},
		{"has", "300 people", frame{"has", "300 people", nil}},
		{"studied at", "the University of California", frame{"studied at", "the University of California", nil}},
		{"found", "gold in the river", frame{"found", "gold in the river", nil}},
		{"was finished in", "time by 1990", frame{"was finished in", "time by 1990", nil}},
		{"was passed in", "silence by Mina", frame{"was passed in", "silence by Mina", nil}},
		{"is in", "May", frame{"is in", "May", nil}},
		{"in", "1898 by X", frame{"in", "1898 by X", nil}},
		{"", "", frame{}},
		{"in", "in", frame{"in", "in", nil}},
	} {
		got := readFrame(c.relation, c.tail)
		if got.relation != c.want.relation || got.tail != c.want.tail || !slices.Equal(got.circumstances, c.want.circumstances) {
			t.Errorf("readFrame(%q, %q) = %q, want %q", c.relation, c.tail, fmt.Sprint(got), fmt.Sprint(c.want))
		}
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add("was discovered in", "1898 by Marie Curie")
	f.Add("in", "in in 1898 in in")
	f.Add("\xff by", "' s 1")
	f.Fuzz(func(t *testing.T, relation, tail string) {
		got := readFrame(relation, tail)
		if len(got.circumstances) > maxCircumstances {
			t.Error("too many circumstances")
		}
		if tail != "" && got.tail == "" {
			t.Errorf("the tail %q is lost", tail)
		}
	})
}
