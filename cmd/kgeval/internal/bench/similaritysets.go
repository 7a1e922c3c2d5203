package bench

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"math/rand/v2"
	"strings"

	"github.com/kgeval/kgeval/dataset"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/perturb"
	"github.com/kgeval/kgeval/nlp"
)

// similarPair is two texts or two graphs, and whether they say the same.
type similarPair struct {
	id    string // of its own within the set
	group string // pairs of one source
	a, b  string
	// ga and gb are nil where the texts are compared.
	ga, gb *kg.Graph
	same   bool
}

// similarSet is a set of pairs.
type similarSet struct {
	name  string // for --sets
	title string
	// read returns all pairs of a half, in a fixed order. The error wraps ErrNoData if the
	// set is not there.
	read func(ctx context.Context, dir, half string, seed uint64, a *nlp.Analyzer) ([]similarPair, error)
}

// similarSets are all sets, in the order of the table.
var similarSets = []similarSet{
	{"mrpc", "MRPC, training part", readMRPC},
	{"sts12", "STS 2012, MSRpar and SMTeuroparl: same from 4, different to 2.5", readSTS12},
	{"oregano", "Oregano, texts: two responses to one graph, or to the graph and its perturbed copy", readOreganoTexts},
	{"codex", "CoDEx, graphs: true similarity from 0.9, or to 0.8", readCodexGraphs},
	{"swap", "MRPC, entity swap: a paraphrase, or one with a name replaced", readSwap},
	{"paws-wiki", "PAWS-Wiki", readPAWS},
	{"mesaqa", "MesaQA", ownPairs("mesaqa")},
	{"findkg", "FindKG", ownPairs("findkg")},
	{"globi", "GloBI", ownPairs("globi")},
	{"combined", "Combined", ownPairs("combined")},
}

// pairsOf reads a file with a loader of package dataset and keeps what keep makes of its
// pairs.
func pairsOf(dir, name, half string, load dataset.PairLoader, keep func(p dataset.Pair) (similarPair, bool)) ([]similarPair, error) {
	f, err := Open(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []similarPair
	for p, err := range load(name, f) {
		if err != nil {
			return nil, err
		}
		if !inHalf(half, p.Group) {
			continue
		}
		if s, ok := keep(p); ok {
			s.id, s.group = p.ID, p.Group
			out = append(out, s)
		}
	}
	return out, nil
}

func readMRPC(_ context.Context, dir, half string, _ uint64, _ *nlp.Analyzer) ([]similarPair, error) {
	return pairsOf(dir, "paraphrase/mrpc/msr_paraphrase_train.txt", half, dataset.MRPC, func(p dataset.Pair) (similarPair, bool) {
		return similarPair{a: p.A, b: p.B, same: p.Similarity == 1}, true
	})
}

func readSTS12(_ context.Context, dir, half string, _ uint64, _ *nlp.Analyzer) ([]similarPair, error) {
	var out []similarPair
	for _, name := range []string{"MSRpar.train", "SMTeuroparl.train"} {
		some, err := pairsOf(dir, "paraphrase/sts12/"+name+".tsv", half, dataset.STS, func(p dataset.Pair) (similarPair, bool) {
			return similarPair{a: p.A, b: p.B, same: p.Similarity >= 4}, p.Similarity >= 4 || p.Similarity <= 2.5
		})
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

func readCodexGraphs(_ context.Context, dir, half string, _ uint64, _ *nlp.Analyzer) ([]similarPair, error) {
	return pairsOf(dir, "semantic_kg/codex.dev.csv", half, dataset.SemanticKG, func(p dataset.Pair) (similarPair, bool) {
		return similarPair{a: graphText(p.GraphA), b: graphText(p.GraphB), ga: p.GraphA, gb: p.GraphB, same: p.Similarity >= 0.9},
			p.Similarity >= 0.9 || p.Similarity <= 0.8
	})
}

// readOreganoTexts pairs one response to a graph with another one to it, and with one to
// its perturbed copy.
func readOreganoTexts(_ context.Context, dir, half string, seed uint64, _ *nlp.Analyzer) ([]similarPair, error) {
	name := "semantic_kg/oregano.dev.csv"
	var out []similarPair
	n := uint64(0)
	_, err := pairsOf(dir, name, half, dataset.SemanticKG, func(p dataset.Pair) (similarPair, bool) {
		n++
		random := rand.New(rand.NewPCG(seed, n))
		right, wrong := pythonStrings(p.A), pythonStrings(p.B)
		random.Shuffle(len(right), func(i, j int) { right[i], right[j] = right[j], right[i] })
		if len(right) > 1 && right[0] != right[1] {
			out = append(out, similarPair{id: p.ID + " same", group: p.Group, a: right[0], b: right[1], same: true})
		}
		if len(right) > 0 && len(wrong) > 0 {
			out = append(out, similarPair{id: p.ID + " different", group: p.Group, a: right[0], b: wrong[random.IntN(len(wrong))]})
		}
		return similarPair{}, false
	})
	return out, err
}

// readSwap takes the paraphrases of MRPC, and each once more with a name of the second
// text replaced by one of another pair.
func readSwap(ctx context.Context, dir, half string, seed uint64, a *nlp.Analyzer) ([]similarPair, error) {
	all, err := readMRPC(ctx, dir, half, seed, a)
	if err != nil {
		return nil, err
	}
	var out []similarPair
	for n, p := range all {
		if !p.same {
			continue
		}
		// Every other one, so that no text is in both classes.
		if p.id += " same"; n%2 == 0 {
			out = append(out, p)
			continue
		}
		var names []string
		for k := 1; k < 20 && len(names) < 8; k++ {
			names = append(names, namesIn(all[(n+k)%len(all)].a)...)
		}
		r, err := perturb.Text(ctx, a, p.b, perturb.TextOptions{Seed: seed + uint64(n), Kinds: []perturb.TextKind{perturb.EntityReplacement}, Entities: names})
		if err != nil {
			return nil, err
		}
		if len(r.Edits) > 0 {
			out = append(out, similarPair{id: strings.TrimSuffix(p.id, " same") + " swapped", group: p.group, a: p.a, b: r.Text})
		}
	}
	return out, nil
}

// namesIn returns the runs of two and more capitalised words inside a sentence.
func namesIn(text string) []string {
	var out, run []string
	flush := func() {
		if len(run) > 1 {
			out = append(out, strings.Join(run, " "))
		}
		run = nil
	}
	for i, w := range strings.Fields(text) {
		bare := strings.TrimRight(w, ",.;:")
		if i > 0 && bare != "" && bare[0] >= 'A' && bare[0] <= 'Z' && strings.Trim(bare[1:], "abcdefghijklmnopqrstuvwxyz") == "" && len(bare) > 2 {
			run = append(run, bare)
			if bare == w {
				continue
			}
		}
		flush()
	}
	flush()
	return out
}

// pythonStrings reads a list of strings as Python writes it; nil for anything else.
func pythonStrings(s string) []string {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return nil
	}
	var out []string
	for s = s[1 : len(s)-1]; s != ""; {
		quote := s[0]
		if quote != '\'' && quote != '"' {
			return nil
		}
		var b strings.Builder
		i := 1
		for ; i < len(s) && s[i] != quote; i++ {
			if s[i] == '\\' && i+1 < len(s) {
				i++
				if s[i] == 'n' || s[i] == 't' {
					b.WriteByte(' ')
					continue
				}
			}
			b.WriteByte(s[i])
		}
		if i == len(s) {
			return nil
		}
		out = append(out, b.String())
		s = strings.TrimLeft(s[i+1:], ", ")
	}
	return out
}

// readPAWS reads similarity/paws-wiki.tsv in the form of the published files: a line of
// names, and then id, sentence1, sentence2 and label with tabs between.
func readPAWS(_ context.Context, dir, half string, _ uint64, _ *nlp.Analyzer) ([]similarPair, error) {
	name := "similarity/paws-wiki.tsv"
	f, err := Open(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, 4
	var out []similarPair
	for n := 0; ; n++ {
		row, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case n == 0 && row[3] == "label":
		case row[3] != "0" && row[3] != "1":
			return nil, fmt.Errorf("%s: row %d: the label is %q, not 0 or 1", name, n, row[3])
		case inHalf(half, row[0]):
			out = append(out, similarPair{id: row[0], group: row[0], a: row[1], b: row[2], same: row[3] == "1"})
		}
	}
}

// ownPair is a line of similarity/<set>.jsonl: two texts or two graphs.
type ownPair struct {
	ID    string `json:"id"`
	Group string `json:"group"` // default: id; pairs of one group are in one half
	A     string `json:"a"`
	B     string `json:"b"`
	// Lists of [head, relation, tail]. Where both are there the graphs are compared.
	GraphA [][3]string `json:"graph_a"`
	GraphB [][3]string `json:"graph_b"`
	Same   *bool       `json:"same"`
}

// ownPairs reads similarity/<set>.jsonl.
func ownPairs(set string) func(context.Context, string, string, uint64, *nlp.Analyzer) ([]similarPair, error) {
	return func(_ context.Context, dir, half string, _ uint64, _ *nlp.Analyzer) ([]similarPair, error) {
		name := "similarity/" + set + ".jsonl"
		var out []similarPair
		n := 0
		err := eachLine(dir, name, func(line string) error {
			n++
			p, err := readOwnPair(line)
			if err != nil {
				return err
			}
			if p.id == "" {
				p.id = fmt.Sprint(n)
			}
			if p.group == "" {
				p.group = p.id
			}
			if inHalf(half, p.group) {
				out = append(out, p)
			}
			return nil
		})
		return out, err
	}
}

func readOwnPair(line string) (similarPair, error) {
	var r ownPair
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return similarPair{}, err
	}
	if r.Same == nil {
		return similarPair{}, errors.New(`the row has no "same"; it must be true or false`)
	}
	p := similarPair{id: r.ID, group: r.Group, a: r.A, b: r.B, same: *r.Same}
	if r.GraphA != nil && r.GraphB != nil {
		p.ga, p.gb = listed(r.GraphA), listed(r.GraphB)
		p.a, p.b = graphText(p.ga), graphText(p.gb)
	} else if strings.TrimSpace(p.a) == "" || strings.TrimSpace(p.b) == "" {
		return similarPair{}, errors.New(`the row has neither two texts "a" and "b" nor two graphs "graph_a" and "graph_b"`)
	}
	return p, nil
}

func listed(triples [][3]string) *kg.Graph {
	g := kg.NewGraph()
	for _, t := range triples {
		g.Add(kg.Triple{Head: t[0], Relation: t[1], Tail: t[2]})
	}
	return g
}

// balancedPairs returns the pairs of each class in an order drawn by the seed, most at most.
func balancedPairs(all iter.Seq[similarPair], most int, seed uint64) []similarPair {
	var list []similarPair
	for p := range all {
		list = append(list, p)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	var out []similarPair
	taken := map[bool]int{}
	for _, i := range random.Perm(len(list)) {
		if p := list[i]; taken[p.same] < most {
			taken[p.same]++
			out = append(out, p)
		}
	}
	return out
}

// textSum names two texts.
func textSum(a, b string) uint32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%q %q", a, b)
	return h.Sum32()
}
