package rules_test

import "testing"

// A value that no source has is put right from where the sources speak of the
// same, although no sentence says the rest in the claim's words.
func TestForeignValues(t *testing.T) {
	const report = "The mill in Lund had burned twice. Ines Holt, who bought the old mill, repaired its wheel within 14 months. " +
		"The bakery beside the church is run by Karl Berg. It bakes 300 loaves a day since May 2011."
	for _, test := range []struct {
		name, output string
		reason       why
		want         string
	}{
		{"a name", "The text tells how the wheel of the old mill was repaired by Rolf Hager.", why{"missing", "tells", ""},
			"The text tells how the wheel of the old mill was repaired by Ines Holt."},
		{"a number", "Repairs of the wheel of the mill went on for 19 months.", why{"missing", "went", ""},
			"Repairs of the wheel of the mill went on for 14 months."},
		{"a date", "Baking loaves at the bakery was begun in May 2003.", why{"missing", "begun", ""},
			"Baking loaves at the bakery was begun in May 2011."},
		// and nothing is done
		{"a value that a source has", "The mill was repaired by Karl Berg.", why{"missing", "repaired", ""}, "The mill was repaired by Karl Berg."},
		{"a unit that no source has", "The wheel weighs 19 tonnes.", why{"missing", "weighs", ""}, "The wheel weighs 19 tonnes."},
		{"two values that no source has", "Rolf Hager repaired the wheel in 19 months.", why{"missing", "repaired", ""}, "Rolf Hager repaired the wheel in 19 months."},
		{"another part of the sentence", "The old mill stands in Rolfstad.", why{"missing", "stands", ""}, "The old mill stands in Lund."},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := propose(t, test.output, report, test.reason); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// A negation is taken out where the evidence tells of the same and negates none
// of it.
func TestUndenied(t *testing.T) {
	for _, test := range []struct{ name, output, source, want string }{
		{"other words", "The crew is not asked to plan a cheap bridge.", "So you are asked for a plan: a bridge, and a cheap one.", "The crew is asked to plan a cheap bridge."},
		{"denied there too", "The crew is not asked to plan a cheap bridge.", "You are not asked to plan a bridge.", "The crew is not asked to plan a cheap bridge."},
		{"something else", "The crew is not asked to plan a cheap bridge.", "The bakery is open.", "The crew is not asked to plan a cheap bridge."},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := propose(t, test.output, test.source, why{"missing", "crew", ""}); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}
