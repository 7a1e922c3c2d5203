package nlp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNames(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"given name and surname", "Ida Berg left.", "Ida Berg person feminine"},
		{"title", "Mrs. Okafor and Sir Evan met Dr. Roe.", "Mrs. Okafor person feminine|Sir Evan person masculine|Dr. Roe person unknown"},
		{"initials", "J. K. Rowling met F. Scott Fitzgerald.", "J. K. Rowling person unknown|F. Scott Fitzgerald person masculine"},
		{"particles", "Ludwig van Beethoven and Charles de Gaulle spoke.", "Ludwig van Beethoven person masculine|Charles de Gaulle person masculine"},
		{"generations", "Al Gore Jr. spoke.", "Al Gore Jr. person masculine"},
		{"noun beside", "The actress Vel Tamm left. Her brother, Quil, stayed.", "Vel Tamm person feminine|Quil person masculine"},
		{"places", "She moved from New York to Graz, in Austria.", "New York place unknown|Graz name unknown|Austria place unknown"},
		{"place by its noun", "They swam in Lake Bohinj near Triglav Mountain.", "Lake Bohinj place unknown|Triglav Mountain place unknown"},
		{"organisations", "The Bank of Ghana sued Acme Inc. and the BBC.", "Bank of Ghana organization unknown|Acme Inc. organization unknown|BBC organization unknown"},
		{"college with an owner", "He left King's College for Oxford University.", "King's College organization unknown|Oxford University organization unknown"},
		{"school of a person's name", "She left the Mason School of Business.", "Mason School of Business organization unknown"},
		{"place inside a person's name", "Aldo Rivas Madrid flew to Madrid.", "Aldo Rivas Madrid person unknown|Madrid place unknown"},
		{"ampersand", "Procter & Gamble grew.", "Procter & Gamble organization unknown"},
		{"number in a name", "Apollo 11 landed in 1969.", "Apollo 11 name unknown"},
		{"owner is not the owned", "Ana's Toyota broke.", "Ana person feminine|Toyota name unknown"},
		{"dates are none", "On Monday, 5 March 2001, Bo left.", "Bo person masculine"},
		{"adjectives of nations are none", "The French army left.", ""},
		{"lower case", "on sunday paul merson met andros townsend . he left .", "paul merson person masculine|andros townsend person unknown"},
		{"capitals only at the start of sentences", "Andros townsend met simon mignolet on sunday in siberia. He left manchester united.",
			"Andros townsend person unknown|simon mignolet person masculine|siberia place unknown|manchester united organization unknown"},
		{"lower case, common words", "the important thing is an intricate and different place .", ""},
		{"other script", "漢字 Привет", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := analyze(t, c.text)
			var got []string
			for _, n := range d.Names {
				got = append(got, fmt.Sprint(n.Of(c.text), " ", n.Kind, " ", n.Gender))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Names of one thing have one entity.
func TestNamesOfOneThing(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"surname after the full name", "Marie Curie won. Curie worked on. Pierre Curie helped.", "0 0 2"},
		{"given name after the full name", "Marie Curie won. Marie worked on.", "0 0"},
		{"titles", "Bo Li spoke. Mr. Li left. Mrs. Li stayed.", "0 0 2"},
		{"surname before the full name", "Debnam lost. Peter Debnam left.", "0 0"},
		{"the same place", "Graz grew. Graz shrank. Linz grew.", "0 0 2"},
		{"two with one given name", "Ana Ruiz met Ana Silva.", "0 1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, n := range analyze(t, c.text).Names {
				got = append(got, fmt.Sprint(n.Entity))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestGivenNamesAreInLowerCase(t *testing.T) {
	for w := range givenNames {
		if w != strings.ToLower(w) {
			t.Errorf("%q can never be found", w)
		}
	}
}
