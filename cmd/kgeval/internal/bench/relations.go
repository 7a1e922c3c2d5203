package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/internal/antonym"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/s3kg"
)

// Relations measures whether a paraphrase of a graph is nearer to it than what
// changes one fact.
var Relations = Bench{
	Name:  "relations",
	Short: "graph similarity: is a paraphrase above one reversed, opposite, replaced, lost or added fact?",
	Run:   runRelations,
}

// relationChanges are what a paraphrase must be nearer than.
var relationChanges = []string{"reversed", "antonym", "entity replaced", "fact lost", "fact added"}

// paraphraseKinds are the ways in which the verb of a paraphrase is rewritten.
var paraphraseKinds = []string{"inflection", "passive", "synonym"}

// relationCase is a graph with its paraphrase and its changes.
type relationCase struct {
	set, source string
	kind        string // of paraphraseKinds
	graph       *kg.Graph
	// variants are the paraphrase, and one for each of relationChanges.
	variants []*kg.Graph
}

// relationMethod scores a graph against others.
type relationMethod struct {
	name  string
	score func(ctx context.Context, cases []relationCase) ([][]float64, error) // by case and variant
}

func runRelations(ctx context.Context, w io.Writer, dir string, args []string) error {
	flags := flag.NewFlagSet("relations", flag.ContinueOnError)
	flags.SetOutput(w)
	half := flags.String("half", "report", "source graphs to measure: report, fit (used for development) or all")
	limit := flags.Int("limit", 100, "graphs a set and kind of paraphrase")
	name := flags.String("embedder", "builtin", "builtin or hashed")
	seed := flags.Uint64("seed", 1, "seed of the test set")
	samples := flags.Int("samples", 1000, "bootstrap samples; 0 leaves the intervals out")
	show := flags.Int("show", 0, "show this many graphs in which a change is not below the paraphrase")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) || *limit < 1 {
		return fmt.Errorf("bench relations: --half must be report, fit or all, and --limit at least 1")
	}
	e, err := embedderNamed(*name)
	if err != nil {
		return fmt.Errorf("bench relations: %w", err)
	}
	a, err := nlp.New()
	if err != nil {
		return err
	}
	cases, err := relationCases(dir, *half, *limit, *seed, a)
	if err != nil {
		return err
	}
	methods, err := relationMethods(e, a)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d graphs; half of the source graphs: %s; embedder %s; seed %d; 95%% intervals from %d bootstrap samples of source graphs.\n\n",
		len(cases), *half, e.ID(), *seed, *samples)
	fmt.Fprint(w, "Share of graphs in which the paraphrase has a higher score than the change (a tie is no success):\n\n| |")
	for _, c := range relationChanges {
		fmt.Fprintf(w, " %s |", c)
	}
	fmt.Fprintf(w, " all five |\n|---|%s\n", strings.Repeat("---|", len(relationChanges)+1))
	var first [][]float64
	for i, m := range methods {
		scores, err := m.score(ctx, cases)
		if err != nil {
			return fmt.Errorf("bench relations: %s: %w", m.name, err)
		}
		if i == 0 {
			first = scores
		}
		fmt.Fprintf(w, "| %s |", m.name)
		for c := range len(relationChanges) + 1 {
			fmt.Fprintf(w, " %s |", relationShare(ctx, cases, scores, c, *samples, *seed))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\n%s by set and by how the verb of the paraphrase is written:\n\n| | graphs |", methods[0].name)
	for _, c := range relationChanges {
		fmt.Fprintf(w, " %s |", c)
	}
	fmt.Fprintf(w, " all five |\n|---|---|%s\n", strings.Repeat("---|", len(relationChanges)+1))
	groups := map[string][]int{}
	for i, c := range cases {
		groups["set "+c.set] = append(groups["set "+c.set], i)
		groups["verb: "+c.kind] = append(groups["verb: "+c.kind], i)
	}
	for _, g := range slices.Sorted(maps.Keys(groups)) {
		var of []relationCase
		var scores [][]float64
		for _, i := range groups[g] {
			of, scores = append(of, cases[i]), append(scores, first[i])
		}
		fmt.Fprintf(w, "| %s | %d |", g, len(of))
		for c := range len(relationChanges) + 1 {
			fmt.Fprintf(w, " %s |", relationShare(ctx, of, scores, c, 0, *seed))
		}
		fmt.Fprintln(w)
	}
	showRelations(w, cases, first, *show)
	return nil
}

// relationWins reports whether the paraphrase is above change c, or above all for the
// number of changes.
func relationWins(scores []float64, c int) bool {
	if c < len(relationChanges) {
		return scores[0] > scores[1+c]
	}
	return scores[0] > slices.Max(scores[1:])
}

func relationShare(ctx context.Context, cases []relationCase, scores [][]float64, c, samples int, seed uint64) string {
	rows := make([]int, len(cases))
	for i := range rows {
		rows[i] = i
	}
	how := metrics.Resampling{Samples: samples, Seed: seed}
	if samples <= 0 {
		how.Samples = -1
	}
	x, err := metrics.Bootstrap(ctx, rows, func(i int) string { return cases[i].source }, how, func(rows []int) (float64, bool) {
		wins := 0
		for _, i := range rows {
			if relationWins(scores[i], c) {
				wins++
			}
		}
		return float64(wins) / float64(max(1, len(rows))), len(rows) > 0
	})
	switch {
	case err != nil:
		return err.Error()
	case x.Samples == 0:
		return fmt.Sprintf("%.3f", x.Value)
	}
	return fmt.Sprintf("%.3f (%.3f to %.3f)", x.Value, x.Low, x.High)
}

func showRelations(w io.Writer, cases []relationCase, scores [][]float64, most int) {
	for i, c := range cases {
		if most == 0 {
			return
		}
		if relationWins(scores[i], len(relationChanges)) {
			continue
		}
		most--
		fmt.Fprintf(w, "\n%s, verb of the paraphrase: %s\n", c.set, c.kind)
		for k, v := range c.variants {
			name := "paraphrase"
			if k > 0 {
				name = relationChanges[k-1]
			}
			fmt.Fprintf(w, "  %.4f %s:", scores[i][k], name)
			for t := range v.Triples() {
				if !c.graph.Has(t) {
					fmt.Fprintf(w, " %v", t)
				}
			}
			for t := range c.graph.Triples() {
				if !v.Has(t) {
					fmt.Fprintf(w, " not %v", t)
				}
			}
			fmt.Fprintln(w)
		}
	}
}

// relationMethods are S3KG and what it is compared with. The graph is given first and
// the variant second, unless a name says otherwise.
func relationMethods(e embed.Embedder, a *nlp.Analyzer) ([]relationMethod, error) {
	scored := func(name string, o s3kg.Options, pick func(s3kg.Result) float64) (relationMethod, error) {
		o.Embedder, o.Normalizer = e, &kg.Normalizer{Lemmatizer: a}
		s, err := s3kg.New(o)
		if err != nil {
			return relationMethod{}, err
		}
		return relationMethod{name, func(ctx context.Context, cases []relationCase) ([][]float64, error) {
			var pairs []s3kg.Pair
			for _, c := range cases {
				for _, v := range c.variants {
					pairs = append(pairs, s3kg.Pair{A: c.graph, B: v})
				}
			}
			results, err := s.ScoreAll(ctx, pairs)
			if err != nil {
				return nil, err
			}
			out := make([][]float64, len(cases))
			for i := range cases {
				for k := range cases[i].variants {
					out[i] = append(out[i], pick(results[i*len(cases[i].variants)+k]))
				}
			}
			return out, nil
		}}, nil
	}
	ab := func(r s3kg.Result) float64 { return r.AB.Score }
	ba := func(r s3kg.Result) float64 { return r.BA.Score }
	var methods []relationMethod
	for _, m := range []struct {
		name string
		o    s3kg.Options
		pick func(s3kg.Result) float64
	}{
		{"**S3KG**", s3kg.Options{}, func(r s3kg.Result) float64 { return r.F1.Score }},
		{"as in the paper (s3kg.Paper)", s3kg.Paper(), ab},
		{"the same, variant first", s3kg.Paper(), ba},
		{"the authors' code (s3kg.Reference)", s3kg.Reference(), ab},
		{"the same, variant first", s3kg.Reference(), ba},
	} {
		r, err := scored(m.name, m.o, m.pick)
		if err != nil {
			return nil, err
		}
		methods = append(methods, r)
	}
	texts := func(name string, score func(ctx context.Context, pairs []metrics.TextPair) ([]float64, error)) relationMethod {
		return relationMethod{name, func(ctx context.Context, cases []relationCase) ([][]float64, error) {
			var pairs []metrics.TextPair
			for _, c := range cases {
				for _, v := range c.variants {
					pairs = append(pairs, metrics.TextPair{Reference: graphText(c.graph), Candidate: graphText(v)})
				}
			}
			scores, err := score(ctx, pairs)
			if err != nil {
				return nil, err
			}
			return slices.Collect(slices.Chunk(scores, len(relationChanges)+1)), nil
		}}
	}
	each := func(score func(reference, candidate string) float64) func(context.Context, []metrics.TextPair) ([]float64, error) {
		return func(ctx context.Context, pairs []metrics.TextPair) ([]float64, error) {
			out := make([]float64, len(pairs))
			for i, p := range pairs {
				out[i] = score(p.Reference, p.Candidate)
			}
			return out, ctx.Err()
		}
	}
	return append(methods,
		texts("embeddings, cosine of the graphs as texts", func(ctx context.Context, pairs []metrics.TextPair) ([]float64, error) {
			return metrics.Cosines(ctx, e, pairs)
		}),
		texts("ROUGE-L of the graphs as texts", each(func(r, c string) float64 { return metrics.ROUGE{}.L(r, c).F1 })),
		texts("BLEU of the graphs as texts", each(func(r, c string) float64 { return metrics.BLEU{}.Sentence(r, c) })),
	), nil
}

// graphText writes a graph as sentences.
func graphText(g *kg.Graph) string {
	var b strings.Builder
	for t := range g.Triples() {
		fmt.Fprintf(&b, "%s %s %s. ", t.Head, written.Relation(t.Relation), t.Tail)
	}
	return b.String()
}

// relationVerbs are the verbs, in dictionary form, of which the lexicon has an antonym and
// a synonym, none of which the product was given (see internal/antonym).
type relationVerbs struct {
	list               []string
	antonyms, synonyms map[string][]string
}

func readRelationVerbs(dir string) (relationVerbs, error) {
	v := relationVerbs{antonyms: map[string][]string{}, synonyms: map[string][]string{}}
	add := func(m map[string][]string, a, b string) {
		if antonym.Known(a) || antonym.Known(b) || strings.Trim(a+b, "abcdefghijklmnopqrstuvwxyz") != "" {
			return
		}
		for range 2 {
			if !slices.Contains(m[a], b) {
				m[a] = append(m[a], b)
			}
			a, b = b, a
		}
	}
	if err := eachLine(dir, "lexicon/wordnet_verb_antonyms.tsv", func(line string) error {
		a, b, _ := strings.Cut(line, "\t")
		add(v.antonyms, a, b)
		return nil
	}); err != nil {
		return v, err
	}
	for _, part := range []string{"train", "val", "test"} {
		if err := eachLine(dir, "lexicon/antsyn_verb_"+part+".txt", func(line string) error {
			f := strings.Split(line, "\t")
			if len(f) != 3 {
				return fmt.Errorf("%d fields, want 3", len(f))
			}
			if f[2] == "1" {
				add(v.antonyms, f[0], f[1])
			} else {
				add(v.synonyms, f[0], f[1])
			}
			return nil
		}); err != nil {
			return v, err
		}
	}
	for a := range v.antonyms {
		// What the lexicon calls both says nothing.
		v.synonyms[a] = slices.DeleteFunc(v.synonyms[a], func(s string) bool { return slices.Contains(v.antonyms[a], s) })
		if len(v.synonyms[a]) > 0 {
			v.list = append(v.list, a)
		}
	}
	slices.Sort(v.list)
	if len(v.list) == 0 {
		return v, errors.New("bench relations: the lexicon has no verb with an antonym and a synonym")
	}
	return v, nil
}

// relationCases builds the test set. Of each graph one fact gets a verb of the lexicon as its
// relation; the paraphrase writes that verb in another way, and the other relations in
// another tense where they have one.
func relationCases(dir, half string, limit int, seed uint64, a *nlp.Analyzer) ([]relationCase, error) {
	verbs, err := readRelationVerbs(dir)
	if err != nil {
		return nil, err
	}
	var cases []relationCase
	for n, set := range []string{"codex", "oregano", "rebel", "webnlg", "wiki-nre"} {
		graphs, err := relationGraphs(dir, set)
		if err != nil {
			return nil, err
		}
		var entities []string
		for _, g := range graphs {
			entities = append(entities, g.graph.Entities()...)
		}
		slices.Sort(entities)
		entities = slices.Compact(entities)
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		random.Shuffle(len(graphs), func(i, j int) { graphs[i], graphs[j] = graphs[j], graphs[i] })
		taken := 0
		for _, g := range graphs {
			if !inHalf(half, g.source) || taken == limit*len(paraphraseKinds) {
				continue
			}
			kind := paraphraseKinds[taken%len(paraphraseKinds)]
			// Of its own, so that a graph's variants do not depend on the others.
			own := rand.New(rand.NewPCG(seed+uint64(n)<<32, uint64(taken)+1))
			variants, base := relationVariantsOf(g.graph, kind, verbs, entities, a, own)
			if variants == nil {
				continue
			}
			taken++
			cases = append(cases, relationCase{set, g.source, kind, base, variants})
		}
	}
	return cases, nil
}

type relationGraph struct {
	source string
	graph  *kg.Graph
}

// relationGraphs reads the distinct graphs of a set that have 3 to 20 triples.
func relationGraphs(dir, set string) ([]relationGraph, error) {
	var out []relationGraph
	add := func(source string, g *kg.Graph) {
		if g.Len() >= 3 && g.Len() <= 20 {
			out = append(out, relationGraph{source, g})
		}
	}
	if set == "codex" || set == "oregano" {
		rows, err := readSemanticKG(dir, set, "all")
		seen := map[string]bool{}
		for _, r := range rows {
			if !seen[r.source] {
				seen[r.source] = true
				add(r.source, r.a)
			}
		}
		return out, err
	}
	n := 0
	err := eachLine(dir, "extract/edc/"+set+".reference.txt", func(line string) error {
		n++
		g, err := kg.Decode(strings.NewReader(line), kg.Python)
		if err == nil {
			add(fmt.Sprintf("%s %d", set, n), g)
		}
		return err
	})
	return out, err
}

// relationVariantsOf returns the variants and the graph that they are variants of; nil if
// it has no fact that can be changed.
func relationVariantsOf(g *kg.Graph, kind string, verbs relationVerbs, entities []string, a *nlp.Analyzer, r *rand.Rand) ([]*kg.Graph, *kg.Graph) {
	triples := g.Slice()
	var asymmetric []int
	for i, t := range triples {
		if t.Head != t.Tail && !s3kg.Symmetric(t.Relation) && !g.Has(kg.Triple{Head: t.Tail, Relation: t.Relation, Tail: t.Head}) {
			asymmetric = append(asymmetric, i)
		}
	}
	if len(asymmetric) == 0 {
		return nil, nil
	}
	at := asymmetric[r.IntN(len(asymmetric))]
	verb := verbs.list[r.IntN(len(verbs.list))]
	synonym := verbs.synonyms[verb][r.IntN(len(verbs.synonyms[verb]))]
	opposite := verbs.antonyms[verb][r.IntN(len(verbs.antonyms[verb]))]
	triples[at].Relation = a.VerbForm(verb, "VBZ")
	base := kg.NewGraph(triples...)
	with := func(i int, t kg.Triple) *kg.Graph {
		out := slices.Clone(triples)
		out[i] = t
		return kg.NewGraph(out...)
	}

	paraphrase := slices.Clone(triples)
	for i := range paraphrase {
		paraphrase[i].Relation = inOtherTense(paraphrase[i].Relation, a)
	}
	switch t := &paraphrase[at]; kind {
	case "inflection":
		t.Relation = a.VerbForm(verb, "VBD")
	case "passive":
		t.Head, t.Tail, t.Relation = t.Tail, t.Head, "is "+a.VerbForm(verb, "VBN")+" by"
	default:
		t.Relation = a.VerbForm(synonym, "VBZ")
	}

	back := asymmetric[r.IntN(len(asymmetric))]
	reversed := triples[back]
	reversed.Head, reversed.Tail = reversed.Tail, reversed.Head
	opposed := triples[at]
	opposed.Relation = a.VerbForm(opposite, "VBZ")

	stranger := entities[r.IntN(len(entities))]
	own := base.Entities()
	for slices.Contains(own, stranger) {
		stranger = entities[r.IntN(len(entities))]
	}
	gone := own[r.IntN(len(own))]
	replaced := slices.Clone(triples)
	for i := range replaced {
		if replaced[i].Head == gone {
			replaced[i].Head = stranger
		}
		if replaced[i].Tail == gone {
			replaced[i].Tail = stranger
		}
	}
	lost := slices.Clone(triples)
	k := r.IntN(len(lost))
	lost = slices.Delete(lost, k, k+1)
	like := triples[r.IntN(len(triples))]
	added := append(slices.Clone(triples), kg.Triple{Head: own[r.IntN(len(own))], Relation: like.Relation, Tail: stranger})

	return []*kg.Graph{
		kg.NewGraph(paraphrase...), with(back, reversed), with(at, opposed),
		kg.NewGraph(replaced...), kg.NewGraph(lost...), kg.NewGraph(added...),
	}, base
}

// inOtherTense writes a relation that begins with a participle with "was", and one that
// begins with a verb in the present tense in the past; others stay.
func inOtherTense(relation string, a *nlp.Analyzer) string {
	words := strings.Fields(written.Relation(relation))
	if len(words) == 0 {
		return relation
	}
	first := words[0]
	base := a.Lemma(first, "VBZ")
	switch {
	case strings.HasSuffix(first, "ed") && a.VerbForm(a.Lemma(first, "VBN"), "VBN") == first:
		words = slices.Insert(words, 0, "was")
	case base != first && len(words) > 1 && a.VerbForm(base, "VBZ") == first:
		words[0] = a.VerbForm(base, "VBD")
	default:
		return relation
	}
	return strings.Join(words, " ")
}
