package nlp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each pronoun of the third person and each relative pronoun with what it
// stands for; "?" where it stays unresolved.
func references(d *Document) string {
	var out []string
	for i, t := range d.Tokens {
		_, third := pronounWants(strings.ToLower(t.Text))
		r, ok := d.References[i]
		switch {
		case ok:
			out = append(out, fmt.Sprintf("%s=%s", t.Text, d.Text[d.Tokens[r.First].Start:d.Tokens[r.End-1].End]))
		case third:
			out = append(out, t.Text+"=?")
		}
	}
	return strings.Join(out, ", ")
}

func TestReferences(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"subject of the sentence before", "Tariq hired Bo. He also trained Uma.", "He=Tariq"},
		{"gender", "Ana met Bo in Graz. She greeted him.", "She=Ana, him=Bo"},
		{"gender from a title", "Mr. Voss met Mrs. Okafor. She greeted him.", "She=Mrs. Okafor, him=Mr. Voss"},
		{"gender from a noun", "The widow met the king. He bowed to her.", "He=the king, her=The widow"},
		{"number", "The workers met the mayor. They shouted.", "They=The workers"},
		{"thing and person", "Ana bought the mill. It closed.", "It=the mill"},
		{"another than the subject", "Bo hired him.", "him=?"},
		{"reflexive", "Ana told Eva that Mia hurt herself.", "herself=Mia"},
		{"possessive of its subject", "Ida Berg sold her house.", "her=Ida Berg"},
		{"predicate is not its owner", "Eva left. Ellen was her mother.", "her=Eva"},
		{"phrase is not its own part", "His father, Bo, left.", "His=?"},
		{"chain", "Ida Berg was a chemist. She was born in Graz. She died there, and her sister left.", "She=Ida Berg, She=Ida Berg, her=Ida Berg"},
		{"full name first", "Ida Berg left. Berg was tired. She slept.", "She=Ida Berg"},
		{"cataphora in a phrase", "In his youth, Bo sang.", "his=Bo"},
		{"cataphora in a clause", "When she came home, Ana slept.", "she=Ana"},
		{"relative pronouns", "The man who came met Bo, whose dog, which barked, ran.", "who=The man, whose=Bo, which=dog"},
		{"relative pronoun over a place", "Ana met a man from Graz who sang.", "who=a man"},
		{"weather and clauses", "Bo left the mill. It rained. It is clear that Bo lost. It seems late.", "It=?, It=?, It=?"},
		{"far from its clause", "The mill burned. It was apparent to the judges of the town that they lost. It must be admitted they were slow.", "It=?, they=the judges, It=?, they=the judges"},
		{"cleft", "The mill burned. It was Ana who called.", "It=?, who=Ana"},
		{"it takes time", "The mill burned. It took two years to build it.", "It=?, it=The mill"},
		{"whole clauses", "Tariq hired Bo. This was costly. That helped.", ""},
		{"first and second person", "Ana said I know you and we won.", ""},
		{"no candidate", "She left. He stayed.", "She=?, He=?"},
		{"not a place", "Bo moved to Paris. He liked Rome.", "He=Bo"},
		{"not the other gender", "Ana left Eva. He stayed.", "He=?"},
		{"object and object", "Bo saw the old mill. The town sold it.", "it=the old mill"},
		{"group", "The band broke up. They had lost money.", "They=The band"},
		{"several before a group", "The company said it would close. Its workers protested because they had not been told.", "it=The company, Its=The company, they=Its workers"},
		{"subject and object of one clause", "The firm bought a mill. It closed it.", "It=The firm, it=a mill"},
		{"too far back", "Bo left. It rained. It rained. It rained. It rained. It rained. It rained. He slept.", "It=?, It=?, It=?, It=?, It=?, It=?, He=?"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, references(analyze(t, c.text))); diff != "" {
				t.Errorf("%s (-want +got)\n%s", c.text, diff)
			}
		})
	}
}

// A text that begins in the middle has no one for its first pronouns, and they
// are not given to whoever comes next.
func TestReferencesAtABorder(t *testing.T) {
	for _, text := range []string{
		"He also trained Uma. Bo left.",
		"Her mother was kind. Ana Ruiz lived far away.",
		"They sold it. The mill burned.",
	} {
		if got := references(analyze(t, text)); strings.Contains(strings.ReplaceAll(got, "=?", ""), "=") {
			t.Errorf("%q: %s", text, got)
		}
	}
}
