package nlp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kgeval/kgeval/segment"
)

func TestTokens(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"contractions", "I'm sure they'd say it's what we've got, don't you?", "I 'm sure they 'd say it 's what we 've got , do n't you ?"},
		{"irregular contractions", "can't won't cannot gonna shan't", "ca n't wo n't can not gon na sha n't"},
		{"curly apostrophes", "She’s Ana’s friend; they didn’t go.", "She ’s Ana ’s friend ; they did n’t go ."},
		{"two clitics", "shouldn't've", "should n't 've"},
		{"possessives", "The dogs' owner and James's cat", "The dogs ' owner and James 's cat"},
		{"not a contraction", "O'Hara o'clock rock'n'roll", "O'Hara o'clock rock'n'roll"},
		{"set apart", "he did n't take the team 's bus , she 'll go .", "he did n't take the team 's bus , she 'll go ."},
		{"Penn quotes and brackets", "`` Go ! '' -LRB- now -RRB- ...", "`` Go ! '' -LRB- now -RRB- ..."},
		{"abbreviations", "Mr. Li of Acme Inc. saw Dr. J. R. Roe at 5 p.m. in the U.S. on Jan. 5.", "Mr. Li of Acme Inc. saw Dr. J. R. Roe at 5 p.m. in the U.S. on Jan. 5 ."},
		{"money", "$3.5m, US$10 million, €5 and 50%", "$ 3.5m , US$ 10 million , € 5 and 50 %"},
		{"numbers", "1,000,000 3.14 1,2,3 -5 1/2 1990-95 1990–95 10:30 the 19th '90s", "1,000,000 3.14 1 , 2 , 3 -5 1/2 1990-95 1990–95 10:30 the 19th '90s"},
		{"hyphens and dashes", "a well-known co-op--now closed—burned – twice", "a well-known co-op -- now closed — burned – twice"},
		{"addresses", "See https://example.com/a?b=1. Or www.example.org, mail x.y@example.com now.", "See https://example.com/a?b=1 . Or www.example.org , mail x.y@example.com now ."},
		{"tags", "#now @ida AT&T and/or R&D", "#now @ida AT&T and/or R&D"},
		{"quotes", `"Yes," he said, 'I know.'`, `" Yes , " he said , ' I know . '`},
		{"other scripts", "我爱北京。 Привет, мир!", "我爱北京 。 Привет , мир !"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range tokenize(nil, c.text, segment.Span{Start: 0, End: len(c.text)}) {
				got = append(got, s.Of(c.text))
			}
			if d := cmp.Diff(c.want, strings.Join(got, " ")); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// Tags that the perceptron gets wrong by rule, and the repair: word/TAG of the
// words that the case is about.
func TestTags(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"her as object and owner", "Bo saw her in her house and told her to go.", "her/PRP her/PRP$ her/PRP"},
		{"his alone", "The car was his.", "his/PRP"},
		{"negations", "They can't, won't and didn't.", "ca/MD n't/RB wo/MD n't/RB n't/RB"},
		{"is, has and possessive", "Ana's here. It's late. Ana's house burned.", "'s/VBZ 's/VBZ 's/POS"},
		{"plural possessive", "The dogs' owner slept.", "'/POS"},
		{"verb after a name", "Nicole flirts with Bo.", "flirts/VBZ"},
		{"verb after do", "It did not cost much.", "cost/VB"},
		{"participle after have and be", "She had left. It was founded in 1901.", "left/VBN founded/VBN"},
		{"name at the start", "Grace smiled. Brill sold it.", "Grace/NNP Brill/NNP"},
		{"numbers and money", "It cost US$10 in 1990, or 5%.", "US$/$ 10/CD 1990/CD 5/CD"},
		{"verb after it", "He left while it shares the road.", "shares/VBZ"},
		{"verb of a subordinate clause", "He slept while the other guests fought for peace.", "fought/VBD"},
		{"a sentence wants a verb", "In particular, her aunt required high standards of behaviour. This often results in unexpected losses.", "required/VBD results/VBZ"},
		{"plural subject", "In summer the two roads merge and run to the river.", "merge/VBP run/VBP"},
		{"a heading does not", "Houses sold in the old town", "sold/VBN"},
		{"irregular past", "In his youth, Bo sang. When she came home, Ana slept.", "sang/VBD slept/VBD"},
		{"number words", "It has nine schools, ten high schools and a twelfth gate.", "nine/CD ten/CD twelfth/JJ"},
		{"ordinals", "The 19th plan failed.", "19th/JJ"},
		{"marks", "“So,” (he) said – now.", "“/`` ”/'' (/( )/) –/:"},
		{"lower-cased name", "yesterday paul merson scored.", "paul/NNP merson/NNP"},
		{"other scripts", "He wrote 漢字.", "漢字/FW"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := strings.Fields(c.want)
			k := 0
			d := analyze(t, c.text)
			for _, tok := range d.Tokens {
				if k < len(want) && tok.Text == want[k][:strings.LastIndexByte(want[k], '/')] {
					if got := tok.Text + "/" + tok.Tag; got != want[k] {
						t.Errorf("%s, want %s", got, want[k])
					}
					k++
				}
			}
			if k < len(want) {
				t.Errorf("no token for %s", want[k])
			}
		})
	}
}

func TestLemmas(t *testing.T) {
	a := analyzer(t)
	cases := []struct{ word, tag, want string }{
		{"saw", "VBD", "see"}, {"saw", "NN", "saw"}, {"saws", "NNS", "saw"},
		{"left", "VBD", "leave"}, {"left", "JJ", "left"}, {"leaves", "NNS", "leaf"}, {"leaves", "VBZ", "leave"},
		{"found", "VBD", "find"}, {"founded", "VBD", "found"}, {"found", "VB", "found"},
		{"is", "VBZ", "be"}, {"'m", "VBP", "be"}, {"were", "VBD", "be"}, {"been", "VBN", "be"}, {"am", "VBP", "be"},
		{"has", "VBZ", "have"}, {"'ve", "VBP", "have"}, {"'d", "MD", "would"}, {"'d", "VBD", "have"}, {"'s", "VBZ", "be"}, {"'s", "POS", "'s"},
		{"n't", "RB", "not"}, {"ca", "MD", "can"}, {"wo", "MD", "will"}, {"’ll", "MD", "will"},
		{"went", "VBD", "go"}, {"written", "VBN", "write"}, {"lying", "VBG", "lie"}, {"lay", "VBD", "lie"}, {"lay", "VB", "lay"},
		{"running", "VBG", "run"}, {"building", "NN", "building"}, {"building", "VBG", "build"}, {"meeting", "NN", "meeting"},
		{"born", "VBN", "bear"}, {"rose", "VBD", "rise"}, {"rose", "NN", "rose"}, {"felt", "VBD", "feel"}, {"put", "VBD", "put"},
		{"better", "JJR", "good"}, {"better", "RBR", "well"}, {"best", "JJS", "good"}, {"lower", "JJR", "low"}, {"largest", "JJS", "large"}, {"bigger", "JJR", "big"},
		{"children", "NNS", "child"}, {"men", "NNS", "man"}, {"wives", "NNS", "wife"}, {"analyses", "NNS", "analysis"}, {"companies", "NNS", "company"},
		{"churches", "NNS", "church"}, {"news", "NN", "news"}, {"series", "NN", "series"}, {"physics", "NN", "physics"}, {"bus", "NN", "bus"},
		{"ex-wives", "NNS", "ex-wife"}, {"policymakers", "NNS", "policymaker"}, {"fishermen", "NNS", "fisherman"},
		{"Stones", "NNPS", "stones"}, {"Curie", "NNP", "curie"},
		{"googled", "VBD", "google"}, {"vlogging", "VBG", "vlog"}, {"blorped", "VBD", "blorp"}, {"blorps", "VBZ", "blorp"}, {"zorbs", "NNS", "zorb"}, {"retweeted", "VBN", "retweet"},
		{"an", "DT", "a"}, {"Went", "", "go"}, {"children", "", "child"}, {"", "NN", ""}, {"漢字", "FW", "漢字"},
	}
	for _, c := range cases {
		if got := a.Lemma(c.word, c.tag); got != c.want {
			t.Errorf("%s/%s: %q, want %q", c.word, c.tag, got, c.want)
		}
	}
}
