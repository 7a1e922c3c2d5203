package bench

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/s3kg"
)

// Labels measures how well an embedder tells whether two labels are the same
// thing, and the thresholds that follow.
var Labels = Bench{
	Name:  "labels",
	Short: "label and fact matching: cosines of variants against others of one text, and thresholds (--embedder)",
	Run:   runLabels,
}

// labelFalseRate is the share of different labels that may pass a threshold.
const labelFalseRate = 0.01

func runLabels(ctx context.Context, w io.Writer, dir string, args []string) error {
	flags := flag.NewFlagSet("labels", flag.ContinueOnError)
	flags.SetOutput(w)
	seed := flags.Uint64("seed", 1, "seed of the variants")
	name := flags.String("embedder", "hashed", "hashed or builtin")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var e embed.Embedder
	switch *name {
	case "hashed":
		e = hashed.New()
	case "builtin":
		e = builtin.New(builtin.Options{})
	default:
		return fmt.Errorf("--embedder must be hashed or builtin, not %q", *name)
	}
	fmt.Fprintf(w, "Embedder %s; variants with seed %d; threshold: the least at which at most %g%% of the different labels pass on even texts.\n",
		e.ID(), *seed, 100*labelFalseRate)
	entities, relations, facts, err := labelPairs(dir, *seed)
	if err != nil {
		return err
	}
	for _, set := range []struct {
		name  string
		pairs []labelPair
	}{{"entities", entities}, {"relations", relations}, {"facts", facts}} {
		if err := cosines(ctx, e, set.pairs); err != nil {
			return err
		}
		threshold := labelThreshold(set.pairs)
		fmt.Fprintf(w, "\n## %s: threshold %.2f\n\n| kind | even: pairs | pass | odd: pairs | pass | median cosine |\n|---|---|---|---|---|---|\n", set.name, threshold)
		byKind := map[string][]labelPair{}
		for _, p := range set.pairs {
			byKind[p.kind] = append(byKind[p.kind], p)
		}
		var kinds []string
		for k := range byKind {
			kinds = append(kinds, k)
		}
		slices.Sort(kinds)
		for _, k := range kinds {
			var n, pass [2]int
			var all []float64
			for _, p := range byKind[k] {
				n[p.text%2]++
				if p.cosine >= threshold {
					pass[p.text%2]++
				}
				all = append(all, p.cosine)
			}
			slices.Sort(all)
			fmt.Fprintf(w, "| %s | %d | %.3f | %d | %.3f | %.3f |\n", k,
				n[0], float64(pass[0])/float64(max(1, n[0])), n[1], float64(pass[1])/float64(max(1, n[1])), all[len(all)/2])
		}
		for half, name := range [...]string{"even", "odd"} {
			fmt.Fprintf(w, "\nAUROC %s: %.3f", name, labelAUROC(set.pairs, half))
		}
		fmt.Fprintln(w)
		if set.name == "relations" {
			if err := writeVerbs(ctx, w, e, dir, threshold); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeVerbs shows what a threshold makes of single verbs that mean the same or
// the opposite. Nothing is fitted on them.
func writeVerbs(ctx context.Context, w io.Writer, e embed.Embedder, dir string, threshold float64) error {
	var pairs []labelPair
	err := eachLine(dir, "lexicon/antsyn_verb_test.txt", func(line string) error {
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			return fmt.Errorf("%d fields, want 3", len(f))
		}
		pairs = append(pairs, labelPair{a: f[0], b: f[1], same: f[2] == "0"})
		return nil
	})
	if err != nil {
		return err
	}
	if err := cosines(ctx, e, pairs); err != nil {
		return err
	}
	for _, same := range []bool{true, false} {
		name := map[bool]string{true: "synonyms", false: "antonyms"}[same]
		n, pass := 0, 0
		var all []float64
		for _, p := range pairs {
			if p.same != same {
				continue
			}
			n++
			all = append(all, p.cosine)
			if p.cosine >= threshold {
				pass++
			}
		}
		if n == 0 {
			return fmt.Errorf("lexicon/antsyn_verb_test.txt has no %s", name)
		}
		slices.Sort(all)
		fmt.Fprintf(w, "\nVerbs, %s: %d pairs, %.3f pass, median cosine %.3f", name, n, float64(pass)/float64(n), all[n/2])
	}
	fmt.Fprintln(w)
	return nil
}

// labelPair is two labels that are the same thing, written differently, or two
// different things.
type labelPair struct {
	a, b   string
	same   bool
	kind   string
	text   int // number of the text that they are from
	cosine float64
}

// written is a label as s3kg gives it to an embedder: identifiers as words.
var written = kg.Normalizer{KeepCase: true, KeepDeterminers: true, KeepPunctuation: true}

// cosines fills in the pairs' cosines; each text is embedded once.
func cosines(ctx context.Context, e embed.Embedder, pairs []labelPair) error {
	at := map[string]int{}
	var texts []string
	for _, p := range pairs {
		for _, t := range [...]string{p.a, p.b} {
			if _, ok := at[t]; !ok {
				at[t] = len(texts)
				texts = append(texts, t)
			}
		}
	}
	v, err := e.Embed(ctx, texts)
	if err != nil {
		return err
	}
	for i, p := range pairs {
		pairs[i].cosine = embed.Cosine(v[at[p.a]], v[at[p.b]])
	}
	return nil
}

// labelThreshold returns the least threshold, in hundredths, that keeps the rate
// of false matches on even texts.
func labelThreshold(pairs []labelPair) float64 {
	for t := 20; t < 100; t++ {
		n, pass := 0, 0
		for _, p := range pairs {
			if p.text%2 == 0 && !p.same {
				n++
				if p.cosine >= float64(t)/100 {
					pass++
				}
			}
		}
		if float64(pass) <= labelFalseRate*float64(n) {
			return float64(t) / 100
		}
	}
	return 1
}

func labelAUROC(pairs []labelPair, half int) float64 {
	var points []metrics.Point
	for _, p := range pairs {
		if p.text%2 == half {
			points = append(points, metrics.Point{Score: p.cosine, Positive: p.same})
		}
	}
	area, _ := metrics.AUROC(points)
	return area
}

// labelPairs reads the labels of the texts of extract/edc, and the relations of
// extract/carb, and makes pairs of them. Pairs that are equal after normalisation,
// or that s3kg.Conflict keeps apart, are left out: there the embedder is not asked.
// Facts are the triples of a text as sentences; a variant has one label varied.
func labelPairs(dir string, seed uint64) (entities, relations, facts []labelPair, err error) {
	random := rand.New(rand.NewPCG(seed, 0))
	// Drawn from apart, so that facts change nothing in the variants of labels.
	randomFact := rand.New(rand.NewPCG(seed, 1))
	var normal kg.Normalizer
	asked := func(a, b string, norm func(string) string) bool {
		return norm(a) != norm(b) && !s3kg.Conflict(a, b)
	}
	text := 0
	for _, set := range []string{"rebel", "wiki-nre", "webnlg"} {
		err := eachLine(dir, "extract/edc/"+set+".reference.txt", func(line string) error {
			g, err := kg.Decode(strings.NewReader(line), kg.Python)
			if err != nil {
				return err
			}
			text++
			if text%8 < 2 { // two of eight, for time's sake
				facts = append(facts, factPairs(slices.Collect(g.Triples()), text, randomFact)...)
			}
			for _, side := range []struct {
				labels []string
				norm   func(string) string
				read   func(string) string // what the embedder gets
				vary   []variant
				out    *[]labelPair
			}{
				{g.Entities(), normal.Entity, strings.Clone, entityVariants, &entities},
				{g.Relations(), normal.Relation, written.Relation, relationVariants, &relations},
			} {
				for i, a := range side.labels {
					for _, b := range side.labels[i+1:] {
						if asked(a, b, side.norm) {
							*side.out = append(*side.out, labelPair{a: side.read(a), b: side.read(b), kind: "different, same text", text: text})
						}
					}
					v := side.vary[random.IntN(len(side.vary))]
					if b := v.make(a, random); b != "" && asked(a, b, side.norm) {
						*side.out = append(*side.out, labelPair{a: side.read(a), b: side.read(b), same: true, kind: "same: " + v.name, text: text})
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, nil, nil, err
		}
	}
	// Relations of one sentence between the same things, or from different
	// heads, as people wrote them.
	f, err := Open(dir, "extract/carb/dev.tsv")
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	bySentence := map[string][]string{}
	var sentences []string
	for {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, nil, err
		}
		if len(rec) < 2 {
			continue
		}
		if bySentence[rec[0]] == nil {
			sentences = append(sentences, rec[0])
		}
		if !slices.Contains(bySentence[rec[0]], rec[1]) {
			bySentence[rec[0]] = append(bySentence[rec[0]], rec[1])
		}
	}
	for _, s := range sentences {
		text++
		for i, a := range bySentence[s] {
			for _, b := range bySentence[s][i+1:] {
				if asked(a, b, normal.Relation) {
					relations = append(relations, labelPair{a: a, b: b, kind: "different, same CaRB sentence", text: text})
				}
			}
			v := relationVariants[random.IntN(len(relationVariants))]
			if b := v.make(a, random); b != "" && asked(a, b, normal.Relation) {
				relations = append(relations, labelPair{a: a, b: b, same: true, kind: "same: " + v.name + " (CaRB)", text: text})
			}
		}
	}
	return entities, relations, facts, nil
}

// factPairs makes pairs of the triples of one text: any two of them, and each with
// a variant of itself. Those in which a label that differs is one that
// s3kg.Conflict keeps apart are left out.
func factPairs(triples []kg.Triple, text int, random *rand.Rand) []labelPair {
	const kinds = 3 // head, relation, tail
	labels := func(t kg.Triple) [kinds]string { return [...]string{t.Head, t.Relation, t.Tail} }
	sentence := func(l [kinds]string) string {
		return l[0] + " " + written.Relation(l[1]) + " " + l[2]
	}
	conflict := func(a, b [kinds]string) bool {
		for i := range a {
			if a[i] != b[i] && s3kg.Conflict(a[i], b[i]) {
				return true
			}
		}
		return false
	}
	var pairs []labelPair
	for i, t := range triples {
		a := labels(t)
		for _, u := range triples[i+1:] {
			if b := labels(u); !conflict(a, b) && !strings.EqualFold(sentence(a), sentence(b)) {
				pairs = append(pairs, labelPair{a: sentence(a), b: sentence(b), kind: "different, same text", text: text})
			}
		}
		which, vary := random.IntN(kinds), entityVariants
		if which == 1 {
			vary = relationVariants
		}
		v := vary[random.IntN(len(vary))]
		b := a
		if b[which] = v.make(a[which], random); b[which] != "" && !conflict(a, b) && !strings.EqualFold(sentence(a), sentence(b)) {
			kind := [...]string{"head", "relation", "tail"}[which]
			pairs = append(pairs, labelPair{a: sentence(a), b: sentence(b), same: true, kind: "same: " + kind + " varied", text: text})
		}
	}
	return pairs
}

func eachLine(dir, name string, f func(string) error) error {
	file, err := Open(dir, name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if err := f(lines.Text()); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return lines.Err()
}

// variant writes a label in another way; "" if it has no such form.
type variant struct {
	name string
	make func(label string, r *rand.Rand) string
}

var entityVariants = []variant{
	{"typing error", misspelled},
	{"first word as initial", func(l string, _ *rand.Rand) string {
		w := strings.Fields(l)
		if len(w) < 2 || !unicode.IsUpper(rune(w[0][0])) || len(w[0]) < 3 {
			return ""
		}
		return w[0][:1] + ". " + strings.Join(w[1:], " ")
	}},
	{"title in front", func(l string, r *rand.Rand) string {
		if len(strings.Fields(l)) != 2 {
			return ""
		}
		return [...]string{"Dr.", "Mr.", "Professor", "President", "Sir"}[r.IntN(5)] + " " + l
	}},
	{"without first word", func(l string, _ *rand.Rand) string {
		w := strings.Fields(l)
		if len(w) < 2 {
			return ""
		}
		return strings.Join(w[1:], " ")
	}},
	{"plural or possessive", func(l string, r *rand.Rand) string { return l + [...]string{"s", "'s"}[r.IntN(2)] }},
	{"kind added", func(l string, r *rand.Rand) string {
		return l + [...]string{" city", " Inc.", " company", " region"}[r.IntN(4)]
	}},
	{"words joined", func(l string, _ *rand.Rand) string {
		w := strings.Fields(l)
		if len(w) < 2 {
			return ""
		}
		return w[0] + strings.ToLower(w[1]) + strings.Join(append([]string{""}, w[2:]...), " ")
	}},
}

var relationVariants = []variant{
	{"typing error", misspelled},
	{"auxiliary", func(l string, r *rand.Rand) string {
		return [...]string{"is ", "was ", "has ", "has been "}[r.IntN(4)] + l
	}},
	{"inflection", func(l string, r *rand.Rand) string {
		w := strings.Fields(l)
		i := r.IntN(max(1, len(w)))
		if i >= len(w) || len(w[i]) < 4 || !unicode.IsLower(rune(w[i][0])) {
			return ""
		}
		stem, ending := w[i], [...]string{"s", "ed", "ing"}[r.IntN(3)]
		for _, cut := range [...]string{"ing", "ed", "es", "s", "e"} {
			if s, ok := strings.CutSuffix(stem, cut); ok && len(s) > 2 {
				stem = s
				break
			}
		}
		w[i] = stem + ending
		return strings.Join(w, " ")
	}},
	{"preposition", func(l string, r *rand.Rand) string {
		w := strings.Fields(l)
		p := [...]string{"in", "of", "at", "for", "by", "to"}
		if n := len(w); n > 1 && slices.Contains(p[:], w[n-1]) {
			w = w[:n-1]
		}
		return strings.Join(append(w, p[r.IntN(len(p))]), " ")
	}},
	{"article", func(l string, r *rand.Rand) string {
		w := strings.Fields(l)
		if len(w) < 2 {
			return ""
		}
		return strings.Join(slices.Insert(w, len(w)-1, "the"), " ")
	}},
}

// misspelled changes, drops or exchanges a letter inside the longest word.
func misspelled(l string, r *rand.Rand) string {
	w := strings.Fields(strings.ReplaceAll(l, "_", " "))
	if len(w) == 0 {
		return ""
	}
	longest := slices.MaxFunc(w, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	c := []rune(longest)
	if len(c) < 5 {
		return ""
	}
	i := 1 + r.IntN(len(c)-3)
	switch r.IntN(3) {
	case 0:
		c[i] = 'a' + rune(r.IntN(26))
	case 1:
		c = slices.Delete(c, i, i+1)
	default:
		c[i], c[i+1] = c[i+1], c[i]
	}
	return strings.Replace(strings.ReplaceAll(l, "_", " "), longest, string(c), 1)
}
