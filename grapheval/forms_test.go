package grapheval_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli"
)

// formsSource is the source of all outputs below, written for them.
const formsSource = `The Harrow Museum opened in Lund in 1998. It has 12 rooms and a garden. Admission costs 80 kronor for adults and is free for children. The museum is closed on Mondays. Ida Holm, the director, said: "We will build a new wing next year." The library in Lund opened in 1965 and holds 40,000 books. The ferry to Ven carries 120 cars and sails twice a day. To install the guide, download the app and run the setup. The setup asks for a language and a password.`

// Outputs of every form that language models write, against one source: what
// holds no statement has no claims, what holds true ones is not called
// inconsistent, and a wrong detail is found where it stands.
func TestForms(t *testing.T) {
	c := offline(t, grapheval.Options{})
	type example struct {
		output string
		want   claim.Outcome // "": consistent or unknown, never inconsistent
		wrong  string        // a place that a flagged claim must touch
	}
	for _, group := range []struct {
		name     string
		examples []example
	}{
		{"no claims", []example{
			{"I don't know.", claim.NoClaims, ""},
			{"I'm sorry, but the provided documents do not mention who founded the museum.", claim.NoClaims, ""},
			{"The context does not contain enough information to answer this question. Please provide more details.", claim.NoClaims, ""},
			{"As an AI model, I am unable to verify this. Could you share the source?", claim.NoClaims, ""},
			{"Hello! How can I help you today?", claim.NoClaims, ""},
			{"Not stated.", claim.NoClaims, ""},
			{"Unfortunately, I cannot answer that from the text. Let me know if you have other questions!", claim.NoClaims, ""},
		}},
		{"lists", []example{
			{"Key facts:\n\n- The museum opened in 1998\n- It has 12 rooms\n- It is closed on Mondays", claim.Consistent, ""},
			{"1. The library opened in 1965.\n2. The library holds 40,000 books.\n3. The ferry carries 120 cars.", claim.Consistent, ""},
			{"* Museum: opened in 1998\n* Library: opened in 1965", "", ""},
			{"Here are the facts:\n\n• The museum is in Lund.\n• The museum has 15 rooms.", claim.Inconsistent, "15 rooms"},
			{"- **Opening year**: 1998\n- **Rooms**: 12\n- **City**: Lund", "", ""},
			{"a) The ferry sails twice a day.\nb) The ferry carries 300 cars.", claim.Inconsistent, "300 cars"},
			{"The museum has:\n  - 12 rooms\n  - a garden", "", ""},
		}},
		{"tables", []example{
			{"| Place | Opened |\n|---|---|\n| Harrow Museum | 1998 |\n| Library | 1965 |", "", ""},
			{"| Item | Value |\n| :--- | ---: |\n| Rooms | 12 |\n| Cars | 120 |\n", "", ""},
			{"Place\tOpened\nHarrow Museum\t1998\nLibrary\t1965", "", ""},
			{"Here is the table:\n\n| Who | Price |\n|:-:|:-:|\n| Adults | 80 kronor |\n| Children | free |", "", ""},
			{"<table><tr><td>Museum</td><td>1998</td></tr></table>", "", ""},
			{"+--------+------+\n| Museum | 1998 |\n+--------+------+", "", ""},
		}},
		{"code", []example{
			{"```python\nprint('hello')\nfor i in range(3):\n    run(i)\n```", claim.NoClaims, ""},
			{"```sql\nSELECT name FROM museums WHERE city = 'Lund';\n```", claim.NoClaims, ""},
			{"```json\n{\"museum\": \"Harrow\", \"rooms\": 12}\n```", claim.NoClaims, ""},
			{"The museum opened in 1998.\n\n```go\nfunc main() {\n\tfmt.Println(1999)\n}\n```\n", claim.Consistent, ""},
			{"Run the setup:\n\n```\n./setup --lang en\n```\n\nThe setup asks for a language.", "", ""},
			{"The museum has 15 rooms.\n```\nrooms = 12\n```", claim.Inconsistent, "15 rooms"},
			{"~~~\n$ sudo apt install guide\n~~~", claim.NoClaims, ""},
		}},
		{"questions", []example{
			{"What is the capital of Peru?", claim.NoClaims, ""},
			{"Could you tell me which museum you mean?", claim.NoClaims, ""},
			{"Do you want to visit the museum or the library? When would you go?", claim.NoClaims, ""},
			{"Which of the following is true?\n- Is it open on Mondays?\n- Is it free?", claim.NoClaims, ""},
			{"Did the museum open in 1998? Yes, the museum opened in 1998.", claim.Consistent, ""},
			{"Did you know that the museum has 15 rooms?", claim.Inconsistent, "15 rooms"},
		}},
		{"quotes", []example{
			{"\"We will build a new wing next year,\" said Ida Holm.", claim.Consistent, ""},
			{"Ida Holm said: \"We will build a new wing next year.\"", claim.Consistent, ""},
			{"> The museum is closed on Mondays.", claim.Consistent, ""},
			{"“The museum is closed on Mondays.”", claim.Consistent, ""},
			{"The text says 'The library in Lund opened in 1965 and holds 40,000 books.'", "", ""},
			{"According to the director, \"we will build a new wing next year\".", "", ""},
			{"\"We charge foreign visitors twice as much,\" said Ida Holm.", claim.Inconsistent, "foreign visitors"},
		}},
	} {
		for _, x := range group.examples {
			r := check(t, c, x.output, formsSource)
			bad := x.want != "" && r.Outcome != x.want || x.want == "" && r.Outcome == claim.Inconsistent
			if x.wrong != "" {
				at := strings.Index(x.output, x.wrong)
				touched := false
				for _, i := range r.Flagged() {
					for _, s := range r.Claims[i].Spans {
						touched = touched || s.Start < at+len(x.wrong) && at < s.End
					}
				}
				if !touched {
					t.Errorf("%s: %q: no flagged claim touches %q", group.name, x.output, x.wrong)
				}
			}
			if bad {
				t.Errorf("%s: %q: %q, want %q", group.name, x.output, r.Outcome, x.want)
				for _, k := range r.Claims {
					t.Logf("    %s (risk %.2f, cutoff %.2f) %q %v", k.Verdict, k.Risk, r.ClaimCutoff, k.Text, k.Err)
				}
			}
		}
	}
}

// Outputs in other languages are unknown by name, never wrong, but for what
// stands in the source word for word.
func TestFormsOfOtherLanguages(t *testing.T) {
	c := offline(t, grapheval.Options{})
	for _, output := range []string{
		"Das Museum wurde im Jahr 1998 in Lund eröffnet und hat zwölf Zimmer.",
		"Le musée est fermé le lundi et la bibliothèque possède quarante mille livres.",
		"El museo abrió sus puertas en Lund en 1998 y está cerrado los lunes.",
		"Il museo è chiuso il lunedì e la biblioteca ha molti libri antichi.",
		"Музей открылся в Лунде в 1998 году.",
		"该博物馆于1998年在隆德开放。",
		"博物館は月曜日に休館です。",
		"المتحف مغلق يوم الاثنين.",
		"Museet öppnade i Lund 1998 och är stängt på måndagar under hela året.",
	} {
		r := check(t, c, output, formsSource)
		if r.Outcome != claim.OutcomeUnknown || len(r.Claims) == 0 {
			t.Errorf("%q: %q", output, r.Outcome)
			continue
		}
		var language *nli.LanguageError
		if !errors.As(r.Claims[0].Err, &language) {
			t.Errorf("%q: %v", output, r.Claims[0].Err)
		}
	}
	if r := check(t, c, "博物馆于1998年开放。", "新闻。博物馆于1998年开放。"); r.Outcome != claim.Consistent {
		t.Errorf("word for word: %q", r.Outcome)
	}
}

// Who reports a quotation states it too: words that no source has are not
// supported by who is said to have said them. What stands in a source needs no
// model, whatever its capitals and marks.
func TestQuotations(t *testing.T) {
	m := &scripted{answer: func(_, h string) nli.Probs {
		if strings.Contains(h, "said") {
			return yes
		}
		return maybe
	}}
	const source = `The mayor said: "Taxes will not rise, I promise!"`
	for output, want := range map[string]claim.Verdict{
		`The mayor said "taxes will not rise, i promise".`:          claim.Supported,
		`The mayor said “Taxes will not rise - I promise.”`:         claim.Supported,
		`The mayor said "fares will fall by half".`:                 claim.Unsupported,
		`The mayor said «fares will fall by half» on Monday.`:       claim.Unsupported,
		`The mayor said that "taxes" will rise.`:                    claim.Supported,
		`The mayor | said | "fares will fall by half in the town".`: claim.Unsupported,
	} {
		if r := check(t, checker(t, m), output, source); r.Claims[0].Verdict != want {
			t.Errorf("%s: %s, want %s", output, r.Claims[0].Verdict, want)
		}
	}
	paper := grapheval.Paper()
	paper.Extractor, paper.Model = clauses{}, m
	p, err := grapheval.New(paper)
	if err != nil {
		t.Fatal(err)
	}
	if r := check(t, p, `The mayor | said | "fares will fall by half in the town".`, source); r.Claims[0].Verdict != claim.Supported {
		t.Error("the paper knows no quotations")
	}
}
