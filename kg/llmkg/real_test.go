package llmkg_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/internal/realserver"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/llm/openai"
)

// plainTexts are texts with pairs of things that some triple must join.
var plainTexts = []struct {
	text  string
	pairs [][2]string
}{
	{"Tariq Aziz hired Bo Lund in 2019. Bo Lund trained Uma Reyes.", [][2]string{{"Tariq", "Bo"}, {"Bo", "Uma"}, {"Bo", "2019"}}},
	{"The Kestrel bridge was built by Orbix in 1987. It is 412 metres long.", [][2]string{{"Kestrel", "Orbix"}, {"Kestrel", "1987"}, {"Kestrel", "412"}}},
	{"Nadia bought 12 tickets for 340 euros. Omar sold three of them.", [][2]string{{"Nadia", "tickets"}, {"Nadia", "340"}, {"Omar", "three"}}},
	{"Marta Silva was born in Porto. She studied medicine in Madrid and married Luis Vega.", [][2]string{{"Marta", "Porto"}, {"Marta", "medicine"}, {"Marta", "Madrid"}, {"Marta", "Luis"}}},
	{"The lynx lives in the forests of Latvia. It hunts hares and weighs up to 30 kilograms.", [][2]string{{"lynx", "forest"}, {"lynx", "hares"}, {"lynx", "30"}, {"lynx", "Latvia"}}},
	{"Drug K did not lower blood pressure. Drug K may help patients sleep.", [][2]string{{"Drug K", "blood pressure"}, {"Drug K", "sleep"}, {"Drug K", "patients"}}},
	{"Helga Brandt painted The Red Harbour in 1921. The painting hangs in the museum of Kiel.", [][2]string{{"Helga", "Red Harbour"}, {"Helga", "1921"}, {"Red Harbour", "museum"}, {"Red Harbour", "Kiel"}}},
	{"Orbix employs 80 people in Ghent. Its director is Lena Maes. Orbix makes pumps for ships.", [][2]string{{"Orbix", "80"}, {"Orbix", "Lena"}, {"Orbix", "pumps"}, {"Orbix", "Ghent"}}},
}

func joins(t kg.Triple, pair [2]string) bool {
	has := func(label, s string) bool { return strings.Contains(strings.ToLower(label), strings.ToLower(s)) }
	return (has(t.Head, pair[0]) && has(t.Relation+" "+t.Tail, pair[1])) || (has(t.Head+" "+t.Relation, pair[1]) && has(t.Tail, pair[0]))
}

// The small model of CI knows too little for the floors; they are those of
// Qwen2.5-Coder-0.5B-Instruct (Q4_K_M), which KGEVAL_GGUF names.
func TestRealServer(t *testing.T) {
	s := realserver.Start(t, realserver.Options{Context: 4096})
	m, err := openai.New(openai.Config{BaseURL: s.URL, Model: s.Model, Key: s.Key})
	if err != nil {
		t.Fatal(err)
	}
	floors := os.Getenv("KGEVAL_GGUF") != ""
	in := []kg.Text{}
	for _, p := range plainTexts {
		in = append(in, kg.Text{Text: p.text})
	}
	if !floors {
		in = in[:2]
	}
	for _, use := range []struct {
		name   string
		schema llmkg.SchemaUse
	}{{"plain", llmkg.SchemaNever}, {"schema", llmkg.SchemaAuto}} {
		t.Run(use.name, func(t *testing.T) {
			x := newExtractor(t, m, llmkg.Options{Schema: use.schema, MaxTokens: 220, Concurrency: 1, Retries: -1, Seed: new(int64(1))})
			out, err := x.Extract(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			parsed, hit, all := 0, 0, 0
			for i, e := range out {
				if e.Err == nil {
					parsed++
				}
				t.Logf("%s\n  %s, error %v, dropped %s, repaired %v", in[i].Text, triples(e), e.Err, reasons(e), e.Repaired)
				for _, pair := range plainTexts[i].pairs {
					all++
					for _, st := range e.Statements {
						if joins(st.Triple, pair) {
							hit++
							break
						}
					}
				}
			}
			t.Logf("%d of %d replies parsed, %d of %d pairs", parsed, len(in), hit, all)
			if floors && use.schema == llmkg.SchemaNever && (parsed < 7 || hit < 15) {
				t.Errorf("%d of %d replies parsed, at least 7 wanted; %d of %d pairs, at least 15 wanted", parsed, len(in), hit, all)
			}
		})
	}
}
