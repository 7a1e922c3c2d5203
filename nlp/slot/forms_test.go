package slot

import "testing"

// Numbers and times in forms that are less common.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		text string
		kind Kind
		as   string
		want float64
		unit string
	}{
		{"worth 2.500.000 euros", Quantity, "2.500.000 euros", 2.5e6, "EUR"},
		{"４５ dogs", Number, "４５", 45, ""},
		{"٣٧ dogs", Number, "٣٧", 37, ""},
		{"took ¾ of it", Number, "¾", 0.75, ""},
		{"add 1½ cups", Quantity, "1½ cups", 1.5, "cup"},
		{"waited an hour and a half", Quantity, "an hour and a half", 1.5, "h"},
		{"waited three days and a half", Quantity, "three days and a half", 3.5, "day"},
		{"ran seven and a half miles", Quantity, "seven and a half miles", 7.5, "mi"},
		{"a couple of weeks", Quantity, "a couple of weeks", 2, "week"},
		{"for a fortnight", Quantity, "a fortnight", 1, "fortnight"},
		{"some 2e5 cells", Number, "2e5", 2e5, ""},
		{"sold 3 dozen eggs", Number, "3 dozen", 36, ""},
		{"covers 25 ha", Quantity, "25 ha", 25, "ha"},
		{"covers 0.4 km² there", Quantity, "0.4 km²", 0.4, "sq km"},
		{"met at half past three", Clock, "half past three", 210, ""},
		{"met at quarter to five", Clock, "quarter to five", 285, ""},
		{"met at 7 in the evening", Clock, "7 in the evening", 1140, ""},
		{"rose to 41. 6 per cent", Percent, "41. 6 per cent", 41.6, ""},
	} {
		if s := first(t, c.text, c.kind); s.Text != c.as || s.Value != c.want || s.Unit != c.unit {
			t.Errorf("%q: %q %v %q", c.text, s.Text, s.Value, s.Unit)
		}
	}
	if s := first(t, "built in 63 AD", Date); s.From.Year != 63 {
		t.Errorf("%+v", s)
	}
	// A version is no number, a sentence that begins with one no decimal.
	for _, text := range []string{"see 1.2.3 now", "in room 12. 5 people left"} {
		for _, s := range Find(text) {
			if s.Kind == Number && s.Value != 12 && s.Value != 5 {
				t.Errorf("%q: %+v", text, s)
			}
		}
	}
}

func TestCompareForms(t *testing.T) {
	for _, c := range []struct {
		a, b string
		kind Kind
		want Relation
	}{
		{"by Bob Holm", "by Robert Holm", Name, Equal},
		{"by Bill Moe", "by Bob Moe", Name, Different},
		{"by Liz Orr", "by Beth Orr", Name, Equal},
		{"by Jürgen Müller", "by Juergen Mueller", Name, Equal},
		{"at Hall A", "at Hall B", Name, Different},
		{"on Tuesday", "on 5 May 2020", Date, Broader},
		{"on Thursday", "on 5 May 2020", Date, Different},
		{"£4bn", "$4bn", Quantity, Different},
		{"5 MB", "5 GB", Quantity, Different},
		{"2 fortnights", "4 weeks", Quantity, Equal},
	} {
		a, b := first(t, c.a, c.kind), first(t, c.b, c.kind)
		if got := Compare(a, b); got != c.want {
			t.Errorf("Compare(%q, %q) = %s, want %s", c.a, c.b, got, c.want)
		}
		if got := Compare(b, a); got != c.want.Reverse() {
			t.Errorf("Compare(%q, %q) = %s, want %s", c.b, c.a, got, c.want.Reverse())
		}
	}
}

// What a cue governs.
func TestScopesOfClauses(t *testing.T) {
	for _, c := range []struct {
		text  string
		kind  Kind
		scope string
	}{
		{"If the pump fails, the cellar will flood.", Hedge, "the pump fails, the cellar will flood"},
		{"Neither Ana nor Bo signed it.", Negation, "signed it"},
		{"Olaf stopped smoking in May.", Negation, "smoking in May"},
		{"The tool drops support for Mac and requires an update.", Negation, "support for Mac"},
		{"Critics say the plan is bad.", Hedge, "the plan is bad"},
		{"Bo nearly fell.", Hedge, "fell"},
	} {
		if s := first(t, c.text, c.kind); s.Scope.Of(c.text) != c.scope {
			t.Errorf("%q: scope %q, want %q", c.text, s.Scope.Of(c.text), c.scope)
		}
	}
}
