package bench

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// someTexts are reports of our own with numbers of every kind.
func someTexts() []numberText {
	var out []numberText
	for i, place := range []string{"Harlow", "Brenton", "Kilmore", "Ashby", "Torrin", "Velden", "Marwick", "Olney"} {
		n := i + 3
		out = append(out, numberText{fmt.Sprint("text:", i), fmt.Sprintf(
			"The %[1]s ferry carried %[2]d0 passengers and %[2]d cars on its first crossing in 19%[2]d4. "+
				"The company of %[1]s was owned by two brothers from 19%[2]d0 to 19%[2]d8 and sold afterwards. "+
				"The crossing to %[1]s is 1%[2]d km long and costs $%[2]d.50 for each adult in the summer season. "+
				"The number of crossings to %[1]s rose from %[2]d00 to %[2]d50 within the year after the sale.", place, n)})
	}
	return out
}

func TestMadeClaimsAreTheSameForASeedAndSayWhatTheyShould(t *testing.T) {
	claims := makeClaims(someTexts(), 6, 1)
	if !slices.Equal(claims, makeClaims(someTexts(), 6, 1)) {
		t.Error("the same seed made other claims")
	}
	if slices.Equal(claims, makeClaims(someTexts(), 6, 2)) {
		t.Error("another seed made the same claims")
	}
	n := map[string]int{}
	for _, c := range claims {
		n[c.Class]++
		switch c.Class {
		case "true":
			if c.Expected != "supported" {
				t.Errorf("%+v", c)
			}
		case "changed":
			if c.Expected != "contradicted" || strings.Contains(c.Context, c.Claim) {
				t.Errorf("%+v", c)
			}
		case "converted", "computed":
			if strings.Contains(c.Context, c.Claim) {
				t.Errorf("%+v", c)
			}
		case "unsaid":
			if c.Expected != "not found" || strings.Contains(c.Context, c.Claim) {
				t.Errorf("%+v", c)
			}
		}
	}
	for _, class := range []string{"true", "changed", "converted", "computed"} {
		if n[class] == 0 {
			t.Errorf("no %s claims: %v", class, n)
		}
	}
}

// What is measured must not make its own questions.
func TestTheMakerDoesNotImportWhatIsMeasured(t *testing.T) {
	for _, name := range []string{"numbers_make.go", "numbers_derive.go", "numbers_words.go"} {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(body), "kgeval/numeric\"") || strings.Contains(string(body), "numeric.") {
			t.Errorf("%s uses package numeric", name)
		}
	}
}

func TestOverallVerdictOfAClaim(t *testing.T) {
	for want, verdicts := range map[string][]string{
		"no number":    nil,
		"supported":    {"supported", "supported"},
		"not found":    {"supported", "unsupported"},
		"contradicted": {"not found", "contradicted", "supported"},
	} {
		if got := overall(verdicts); got != want {
			t.Errorf("%v: %s, want %s", verdicts, got, want)
		}
	}
}
