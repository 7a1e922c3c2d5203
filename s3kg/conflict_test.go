package s3kg

import "testing"

func TestConflict(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		// Negation.
		{"lowered", "did not lower", true}, {"lowers", "doesn't lower", true}, {"is a member of", "is no member of", true},
		{"smokers", "non-smokers", true}, {"managed to open", "failed to open", true}, {"with sugar", "without sugar", true},
		{"always pays", "never pays", true}, {"did not lower", "has not lowered", false}, {"ist Mitglied", "ist nicht Mitglied", true},
		{"支持", "不支持", true}, {"never failed to open", "opened", false}, {"No. 5", "Number 5", false},
		// Numbers.
		{"14 days", "30 days", true}, {"Apollo", "Apollo 11", true}, {"GABRR1", "GABRR2", true}, {"1,000 people", "1000 people", false},
		{"1.0 litre", "1 litre", false}, {"three children", "3 children", false}, {"three children", "four children", true},
		{"Elizabeth II", "Elizabeth III", true}, {"7 April 1805", "April 7, 1805", false}, {"7 April 1805", "7 May 1805", true},
		{"10 million", "10 billion", true}, {"١٤ يوم", "14 يوم", false}, {"−5 °C", "5 °C", true}, {"-5 °C", "−5 °C", false},
		{"1990-1995", "1990–1995", false}, {"0.5", "0.50", false}, {"1.5", "15", true},
		// Letters.
		{"hepatitis A", "hepatitis B", true}, {"vitamin C", "vitamin C tablets", false}, {"M. Curie", "Marie Curie", false},
		// Opposites.
		{"increases efficacy", "decreases efficacy", true}, {"before the war", "after the war", true}, {"place of birth", "place of death", true},
		{"approved", "disapproved", true}, {"parent of", "child of", true}, {"is located in", "is located at", false},
		{"imports", "exported", true}, {"hypertension", "hypotension", true}, {"increase and decrease", "decrease and increase", false},
		{"upper house", "lower house", true}, {"stimulated", "inhibits", true}, {"underestimated", "overestimates", true},
		{"likes", "dislikes", true}, {"works for", "is employed by", false}, {"", "anything", false}, {"", "", false},
	} {
		if got, back := Conflict(c.a, c.b), Conflict(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("Conflict(%q, %q) = %v, and %v the other way round, want %v", c.a, c.b, got, back, c.want)
		}
	}
}

func TestActive(t *testing.T) {
	for _, c := range []struct {
		in, out string
		ok      bool
	}{
		{"is employed by", "employed", true}, {"was written by", "wrote", true}, {"written by", "wrote", true},
		{"has been founded by", "founded", true}, {"was not founded by", "not founded", true}, {"foundedBy", "founded", true},
		{"owned_by", "owned", true}, {"was first led by", "first led", true},
		{"works for", "works for", false}, {"is by", "is by", false}, {"by", "by", false}, {"", "", false},
		{"was founded in 1900 by", "was founded in 1900 by", false}, {"stood by", "stood by", false}, {"need by", "need by", false},
	} {
		if got, ok := Active(c.in); got != c.out || ok != c.ok {
			t.Errorf("Active(%q) = %q, %v, want %q, %v", c.in, got, ok, c.out, c.ok)
		}
	}
}

func TestSymmetric(t *testing.T) {
	for relation, want := range map[string]bool{
		"is married to": true, "was formerly married to": true, "sharesBorderWith": true, "shares a border with": true, "sibling": true,
		"diplomatic relation": true, "works for": false, "parent of": false, "": false, "is": false, "married": false,
	} {
		if got := Symmetric(relation); got != want {
			t.Errorf("Symmetric(%q) = %v", relation, got)
		}
	}
}

func FuzzConflict(f *testing.F) {
	f.Add("did not lower 5", "lowers -5")
	f.Add("\xff-", "-")
	f.Add("n't", "٣.٣,٣")
	f.Fuzz(func(t *testing.T, a, b string) {
		if Conflict(a, b) != Conflict(b, a) {
			t.Error("not symmetric")
		}
		if Conflict(a, a) {
			t.Error("a label conflicts with itself")
		}
		Active(a)
	})
}
