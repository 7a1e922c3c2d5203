package lexical

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// The coefficients in weights.go are made by
//
//	go test ./nli/lexical -run TestFit -fit -v
//
// from the development data (see example.fitting for the half that it may read).
var fit = flag.Bool("fit", false, "fit the coefficients and print weights.go")

// example is one training pair. With more than one hypothesis (the sentences of
// an inconsistent output) the label holds for the least supported of them.
type example struct {
	premise       string
	hypotheses    []string
	label, source string
}

// fitting reports whether the example with this premise belongs to the half
// that may be fitted on; the other half is for reporting. All that shares a
// source document is in one half.
func fitting(premise string) bool {
	h := fnv.New32a()
	h.Write([]byte(premise))
	return h.Sum32()%2 == 0
}

// puzzle names sources whose labels no alignment of words can tell (templates
// about the world or the lexicon, monotonicity); they would only add noise.
func puzzle(source string) bool {
	switch source {
	case "curriculum/lexical", "curriculum/entailment_tree":
		return false
	}
	return source == "med" || strings.HasPrefix(source, "curriculum/")
}

// signs are what the coefficients may be: +1 not negative, -1 not positive, 0
// either. They keep the model one that a reader can follow: more coverage never
// lowers entailment.
var signs = [2][features]int{
	{fCoverage: 1, fFull: 1, fValues: 1, fNames: 1, fOrder: 1, fPairs: 1, fSpread: 1, fUnmatched: -1, fBreaks: -1, fThin: -1,
		fNegation: -1, fAntonym: -1, fValueClash: -1, fNameClash: -1, fHedge: -1, fRole: -1},
	{fNegation: 1, fAntonym: 1, fValueClash: 1, fNameClash: 1, fRole: 1},
}

// unlicensed are sources without a stated licence that allows commercial use;
// shipped coefficients are not fitted on them.
var unlicensed = []string{"sick", "climate_fever", "healthver", "rte"}

func dataDir() string {
	if d := os.Getenv("KGEVAL_DATA"); d != "" {
		return d
	}
	return filepath.FromSlash("../../../shared/data")
}

func readRows(t *testing.T, name string, row func([]byte)) {
	t.Helper()
	f, err := os.Open(filepath.Join(dataDir(), filepath.FromSlash(name)))
	if err != nil {
		t.Skipf("no %s: set KGEVAL_DATA to the folder that holds it", name)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		row(sc.Bytes())
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
}

// nliExamples reads at most perSource examples a label of each licensed source,
// chosen by a hash of their texts.
func nliExamples(t *testing.T, half bool, perSource int) []example {
	type hashed struct {
		example
		hash uint64
	}
	by := map[string][]hashed{}
	for _, name := range []string{"nli/nli_00.jsonl", "nli/nli_01.jsonl", "nli/nli_02.jsonl", "nli/nli_03.jsonl"} {
		readRows(t, name, func(b []byte) {
			var r struct{ Premise, Hypothesis, Label, Source string }
			if err := json.Unmarshal(b, &r); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(unlicensed, r.Source) || puzzle(r.Source) || fitting(r.Premise) != half {
				return
			}
			h := fnv.New64a()
			h.Write([]byte(r.Hypothesis + "\x00" + r.Premise))
			key := r.Source + "/" + r.Label
			by[key] = append(by[key], hashed{example{r.Premise, []string{r.Hypothesis}, r.Label, r.Source}, h.Sum64()})
		})
	}
	var out []example
	for _, key := range slices.Sorted(maps.Keys(by)) {
		rows := by[key]
		slices.SortFunc(rows, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
		for _, r := range rows[:min(len(rows), perSource)] {
			out = append(out, r.example)
		}
	}
	return out
}

// groundingExamples reads the outputs of the document-level sets as wholes, and
// the sentences whose own label is known: QAGS' by its votes, and those that an
// edit of SummEdits changed.
func groundingExamples(t *testing.T, half bool) []example {
	var out []example
	add := func(source, context string, ok bool, sentences ...string) {
		label := "not_entailment"
		if ok {
			label = "entailment"
		}
		out = append(out, example{context, sentences, label, source})
	}
	for _, name := range []string{"cnndm", "xsum"} {
		readRows(t, "grounding/qags/mturk_"+name+".dev.jsonl", func(b []byte) {
			var r struct {
				Article   string
				Sentences []struct {
					Sentence  string
					Responses []struct{ Response string }
				} `json:"summary_sentences"`
			}
			if err := json.Unmarshal(b, &r); err != nil {
				t.Fatal(err)
			}
			if fitting(r.Article) != half {
				return
			}
			var all []string
			consistent := true
			for _, s := range r.Sentences {
				yes := 0
				for _, v := range s.Responses {
					if v.Response == "yes" {
						yes++
					}
				}
				ok := yes*2 > len(s.Responses)
				all = append(all, s.Sentence)
				consistent = consistent && ok
				if len(r.Sentences) > 1 {
					add("qags_"+name+" sentences", r.Article, ok, s.Sentence)
				}
			}
			add("qags_"+name, r.Article, consistent, all...)
		})
	}
	for _, name := range []string{"summeval", "summedits", "begin_wow"} {
		readRows(t, "grounding/"+name+".dev.jsonl", func(b []byte) {
			var r struct{ Context, Output, Label, Original string }
			if err := json.Unmarshal(b, &r); err != nil {
				t.Fatal(err)
			}
			if fitting(r.Context) != half {
				return
			}
			var all, changed []string
			for _, s := range segment.Sentences(r.Output) {
				text := s.Of(r.Output)
				all = append(all, text)
				if r.Original != "" && !strings.Contains(r.Original, text) {
					changed = append(changed, text)
				}
			}
			if r.Label != "consistent" && len(changed) > 0 {
				all = changed
			}
			add(name, r.Context, r.Label == "consistent", all...)
		})
	}
	return out
}

// instance is an example as features: for each hypothesis one row for each
// passage.
type instance struct {
	rows   [][][features]float64
	label  string
	source string
	weight float64
}

func instances(t *testing.T, m *Model, examples []example) []*instance {
	var out []*instance
	for _, x := range examples {
		p, err := m.cache.get(context.Background(), x.premise)
		if err != nil {
			t.Fatal(err)
		}
		in := &instance{label: x.label, source: x.source}
		for _, h := range x.hypotheses {
			if _, ok := verbatim(x.premise, h); ok || p.err != nil || knows(h) != nil {
				continue
			}
			var rows [][features]float64
			for _, a := range p.alignments(p.hypothesis(h)) {
				rows = append(rows, a.features())
			}
			if len(rows) > 0 {
				in.rows = append(in.rows, rows)
			}
		}
		if len(in.rows) > 0 {
			out = append(out, in)
		}
	}
	return out
}

// balance gives each source the same weight within its group, and each label
// the same within its source; document-level sources weigh as much together as
// all others.
func balance(ins []*instance) {
	grounding := func(s string) bool {
		return strings.HasPrefix(s, "qags") || strings.HasPrefix(s, "summ") || strings.HasPrefix(s, "begin")
	}
	count := map[string]int{}
	labels := map[string]map[string]bool{}
	for _, in := range ins {
		count[in.source+"/"+in.label]++
		if labels[in.source] == nil {
			labels[in.source] = map[string]bool{}
		}
		labels[in.source][in.label] = true
	}
	docs := 0
	for s := range labels {
		if grounding(s) {
			docs++
		}
	}
	for _, in := range ins {
		n := len(labels) - docs
		if grounding(in.source) {
			n = docs
		}
		in.weight = 0.5 / float64(n) / float64(len(labels[in.source])) / float64(count[in.source+"/"+in.label])
	}
}

// best returns the row that supports most under w, of the hypothesis that is
// supported least.
func (in *instance) best(w *[2][features]float64) *[features]float64 {
	var least *[features]float64
	low := math.Inf(1)
	for _, rows := range in.rows {
		k, top := 0, math.Inf(-1)
		for i := range rows {
			e, _, _ := softmax(score(rows[i], w))
			if e > top {
				k, top = i, e
			}
		}
		if top < low {
			least, low = &rows[k], top
		}
	}
	return least
}

// fitWeights minimises the weighted log loss by Adam, choosing each example's
// passage anew in every round.
func fitWeights(ins []*instance, w [2][features]float64) [2][features]float64 {
	for round := range 6 {
		rows := make([]*[features]float64, len(ins))
		for i, in := range ins {
			rows[i] = in.best(&w)
		}
		var m, v [2][features]float64
		loss := 0.0
		for step := 1; step <= 400; step++ {
			var g [2][features]float64
			loss = 0
			for i, in := range ins {
				e, n, c := softmax(score(*rows[i], &w))
				var ge, gc float64 // gradients of the loss in the two scores
				switch in.label {
				case "entailment":
					loss -= in.weight * math.Log(e)
					ge, gc = e-1, c
				case "contradiction":
					loss -= in.weight * math.Log(c)
					ge, gc = e, c-1
				case "neutral":
					loss -= in.weight * math.Log(n)
					ge, gc = e, c
				default: // neutral or contradiction
					loss -= in.weight * math.Log(n+c)
					ge, gc = e, c-c/(n+c)
				}
				for k, x := range rows[i] {
					g[0][k] += in.weight * ge * x
					g[1][k] += in.weight * gc * x
				}
			}
			for s := range g {
				for k := range g[s] {
					if k != fBias {
						g[s][k] += 2e-4 * w[s][k]
					}
					m[s][k] = 0.9*m[s][k] + 0.1*g[s][k]
					v[s][k] = 0.99*v[s][k] + 0.01*g[s][k]*g[s][k]
					mh := m[s][k] / (1 - math.Pow(0.9, float64(step)))
					vh := v[s][k] / (1 - math.Pow(0.99, float64(step)))
					w[s][k] -= 0.05 * mh / (math.Sqrt(vh) + 1e-9)
					if sign := signs[s][k]; sign != 0 && w[s][k]*float64(sign) < 0 {
						w[s][k] = 0
					}
				}
			}
		}
		fmt.Printf("round %d: loss %.4f\n", round, loss)
	}
	return w
}

func TestFit(t *testing.T) {
	if !*fit {
		t.Skip("fits the coefficients; turn it on with -fit")
	}
	m, err := New()
	if err != nil {
		t.Fatal(err)
	}
	ins := instances(t, m, append(nliExamples(t, true, 400), groundingExamples(t, true)...))
	balance(ins)
	// A fixed start, so that the result does not depend on the last one.
	w := fitWeights(ins, [2][features]float64{{fBias: -3, fCoverage: 3, fFull: 1, fPairs: 1}, {fBias: -2}})
	for s := range w {
		for k := range w[s] {
			fmt.Printf("%.3f, ", w[s][k])
		}
		fmt.Println()
	}
	// What it does on the half that it was fitted on, by source; for the other
	// half see `kgeval bench nli` and `kgeval bench grounding`.
	weights = w
	calibration = fitCalibration(t, m, append(nliExamples(t, true, 400), groundingExamples(t, true)...))
	fmt.Printf("calibration: %.3f, %.3f\n", calibration[0], calibration[1])
	report(t, m, append(nliExamples(t, true, 200), groundingExamples(t, true)...))
}

// fitCalibration fits calibration to the least entailment of each example, with
// the same balance as fitWeights. Examples decided word for word are left out.
func fitCalibration(t *testing.T, m *Model, examples []example) [2]float64 {
	calibration = [2]float64{0, 1}
	var ins []*instance
	var x, y []float64
	for _, ex := range examples {
		p, err := m.cache.get(context.Background(), ex.premise)
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		for _, h := range ex.hypotheses {
			if _, ok := verbatim(ex.premise, h); !ok && p.err == nil && knows(h) == nil {
				least = min(least, p.judge(h).Probs.Entailment)
			}
		}
		if math.IsInf(least, 1) {
			continue
		}
		ins = append(ins, &instance{label: ex.label, source: ex.source})
		x = append(x, math.Log(least/(1-least)))
		y = append(y, 0)
		if ex.label == "entailment" {
			y[len(y)-1] = 1
		}
	}
	balance(ins)
	c := [2]float64{0, 1}
	for range 3000 {
		var g [2]float64
		for i, in := range ins {
			d := in.weight * (1/(1+math.Exp(-(c[0]+c[1]*x[i]))) - y[i])
			g[0] += d
			g[1] += d * x[i]
		}
		c[0] -= 0.5 * g[0]
		c[1] -= 0.5 * g[1]
	}
	return c
}

// report prints balanced accuracy at one half and AUROC of entailment against
// the rest for each source, through the whole model.
func report(t *testing.T, m *Model, examples []example) {
	type scored struct {
		p   float64
		pos bool
	}
	by := map[string][]scored{}
	for _, x := range examples {
		var pairs []nli.Pair
		for _, h := range x.hypotheses {
			pairs = append(pairs, nli.Pair{Premise: x.premise, Hypothesis: h})
		}
		probs, err := m.Classify(context.Background(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		least := 1.0
		for _, p := range probs {
			least = min(least, p.Entailment)
		}
		by[x.source] = append(by[x.source], scored{least, x.label == "entailment"})
	}
	var sources []string
	for s := range by {
		sources = append(sources, s)
	}
	slices.Sort(sources)
	for _, s := range sources {
		var tp, tn, np, nn int
		auc := 0.0
		for _, x := range by[s] {
			if x.pos {
				np++
				if x.p >= 0.5 {
					tp++
				}
			} else {
				nn++
				if x.p < 0.5 {
					tn++
				}
			}
			for _, y := range by[s] {
				if x.pos && !y.pos {
					if x.p > y.p {
						auc++
					} else if x.p == y.p {
						auc += 0.5
					}
				}
			}
		}
		if np > 0 && nn > 0 {
			fmt.Printf("%-34s %5d  balanced %.3f  AUROC %.3f\n", s, np+nn, (float64(tp)/float64(np)+float64(tn)/float64(nn))/2, auc/float64(np)/float64(nn))
		}
	}
}
