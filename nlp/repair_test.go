package nlp

import "testing"

// TestRepairedTags has sentences whose tags the statistical tagger gets wrong:
// what decides is the dictionary, or that a sentence needs a verb.
func TestRepairedTags(t *testing.T) {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, word, want string }{
		// Two subjects and nothing else that could be the verb.
		{"The farmer and his son sell eggs.", "sell", "VBP"},
		{"The farmer and his son sell eggs.", "eggs", "NNS"},
		{"Leo and the cook sell tea.", "sell", "VBP"},
		// The same words where the verb is another one.
		{"The town has a road and a bus stop.", "stop", "NN"},
		{"The dog and the cat food is cheap.", "food", "NN"},
		{"He bought a salt and pepper mill.", "mill", "NN"},
		// A modal is one of a handful of words.
		{"President obama meets with doctors.", "obama", "NN"},
		{"She must leave.", "must", "MD"},
		{"They cannot swim.", "can", "MD"},
		// Known, and not as a verb.
		{"The boy fell into the pit at the zoo on Sunday.", "zoo", "NN"},
		{"Arsenal host chelsea at the emirates stadium on Sunday.", "stadium", "NN"},
	} {
		d, err := a.Analyze(t.Context(), c.text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, k := range d.Tokens {
			if k.Text == c.word {
				got = k.Tag
			}
		}
		if got != c.want {
			t.Errorf("%s: %s is %q, want %q", c.text, c.word, got, c.want)
		}
	}
}
