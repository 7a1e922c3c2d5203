package bench

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/openie"
)

// CaRB measures the offline extractor on the development sentences of CaRB
// (Bhardwaj, Aggarwal and Mausam, "CaRB: A Crowdsourced Benchmark for Open IE",
// EMNLP-IJCNLP 2019) with the scorer that the paper defines: token matches per
// field, every gold tuple takes its best prediction for recall, and precision
// comes from a one-to-one greedy match.
//
// Rows with an even number (from 0, in the order of dev.txt) were read while the
// rules were written; the odd rows were not.
var CaRB = Bench{
	Name:  "carb",
	Short: "open information extraction on CaRB dev: precision, recall, F1, AUC",
	Run:   runCaRB,
}

// oieTuple is one extraction in CaRB's sense.
type oieTuple struct {
	rel  string
	args []string
	conf float64
}

// oieResult is what CaRB reports for a system: area under the curve, and
// precision, recall and F1 at the confidence with the best F1.
type oieResult struct {
	AUC, Precision, Recall, F1 float64
}

func runCaRB(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("carb", flag.ContinueOnError)
	fs.SetOutput(w)
	out := fs.String("out", "", "write the extractions to this file in CaRB's tab format")
	score := fs.String("score", "", "score this file in CaRB's tab format in place of the extractor")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	sents, err := oieLines(dir, "extract/carb/dev.txt")
	if err != nil {
		return err
	}
	gold, err := readCaRBGold(dir, "extract/carb/dev.tsv")
	if err != nil {
		return err
	}
	pred := map[string][]oieTuple{}
	var triples int
	start := time.Now()
	if *score != "" {
		if pred, err = readCaRBTab(*score); err != nil {
			return err
		}
	} else {
		ex, err := openie.New(openie.Options{KeepPronouns: true})
		if err != nil {
			return err
		}
		var tab strings.Builder
		for _, s := range sents {
			xs, err := ex.Extract(ctx, []kg.Text{{Text: s}})
			if err != nil {
				return err
			}
			for _, st := range xs[0].Statements {
				t := oieTuple{treebank(st.Triple.Relation), []string{treebank(st.Triple.Head), treebank(st.Triple.Tail)}, st.Confidence}
				pred[carbKey(s)] = append(pred[carbKey(s)], t)
				fmt.Fprintf(&tab, "%s\t%.4f\t%s\t%s\t%s\n", s, st.Confidence, t.rel, t.args[0], t.args[1])
				triples++
			}
		}
		if *out != "" {
			if err := os.WriteFile(*out, []byte(tab.String()), 0o644); err != nil {
				return err
			}
		}
	}
	took := time.Since(start)
	fmt.Fprintln(w, "| rows | sentences | AUC | precision | recall | F1 |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|")
	for _, part := range []string{"even (read while writing the rules)", "odd", "all"} {
		g := map[string][]oieTuple{}
		for i, s := range sents {
			k := carbKey(s)
			if part[0] == 'a' || (i%2 == 0) == (part[0] == 'e') {
				if t, ok := gold[k]; ok {
					g[k] = t
				}
			}
		}
		r := scoreCaRB(g, pred)
		fmt.Fprintf(w, "| %s | %d | %.3f | %.3f | %.3f | %.3f |\n", part, len(g), r.AUC, r.Precision, r.Recall, r.F1)
	}
	if *score == "" {
		fmt.Fprintf(w, "\n%d triples, %.2f a sentence; %.0f sentences a second on one core.\n",
			triples, float64(triples)/float64(len(sents)), float64(len(sents))/took.Seconds())
	}
	return nil
}

func oieLines(dir, name string) ([]string, error) {
	f, err := Open(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		if s := strings.TrimSpace(sc.Text()); s != "" {
			out = append(out, s)
		}
	}
	return out, sc.Err()
}

// carbKey identifies a sentence whatever its blanks and punctuation.
func carbKey(s string) string {
	for _, e := range [][2]string{{"-LRB-", "("}, {"-RRB-", ")"}, {"-LSB-", "["}, {"-RSB-", "]"}, {"-LCB-", "{"}, {"-RCB-", "}"}} {
		s = strings.ReplaceAll(s, e[0], e[1])
	}
	return strings.Map(func(r rune) rune {
		if r == ' ' || r < 0x80 && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			return -1
		}
		return r
	}, s)
}

func readCaRBGold(dir, name string) (map[string][]oieTuple, error) {
	lines, err := oieLines(dir, name)
	if err != nil {
		return nil, err
	}
	out := map[string][]oieTuple{}
	for _, l := range lines {
		f := strings.Split(l, "\t")
		if len(f) < 2 {
			continue
		}
		t := oieTuple{rel: strings.TrimSpace(f[1]), conf: 1}
		for _, a := range f[2:] {
			if !strings.Contains(a, "C: ") {
				t.args = append(t.args, strings.TrimSpace(a))
			}
		}
		k := carbKey(f[0])
		out[k] = append(out[k], t)
	}
	return out, nil
}

func readCaRBTab(path string) (map[string][]oieTuple, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := map[string][]oieTuple{}
	for n, l := range strings.Split(string(b), "\n") {
		if strings.TrimSpace(l) == "" {
			continue
		}
		f := strings.Split(strings.TrimSpace(l), "\t")
		if len(f) < 3 {
			return nil, fmt.Errorf("%s:%d: want sentence, confidence, relation, arguments", path, n+1)
		}
		var c float64
		if _, err := fmt.Sscan(f[1], &c); err != nil {
			return nil, fmt.Errorf("%s:%d: confidence: %w", path, n+1, err)
		}
		out[carbKey(f[0])] = append(out[carbKey(f[0])], oieTuple{f[2], f[3:], c})
	}
	return out, nil
}

// scoreCaRB scores predictions against gold tuples, both by sentence key.
func scoreCaRB(gold, pred map[string][]oieTuple) oieResult {
	var confs []float64
	for _, ts := range pred {
		for _, t := range ts {
			confs = append(confs, t.conf)
		}
	}
	slices.Sort(confs)
	confs = slices.Compact(confs)
	n := len(confs)
	if n == 0 {
		return oieResult{}
	}
	p, pl, r, rl := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	keys := make([]string, 0, len(gold))
	for k := range gold {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		gs, ps := gold[k], pred[k]
		m := make([][][2]float64, len(gs))
		for i, g := range gs {
			m[i] = make([][2]float64, len(ps))
			for j, q := range ps {
				m[i][j] = matchCaRB(g, q)
			}
		}
		own := make([]float64, len(ps))
		for j, q := range ps {
			own[j] = q.conf
		}
		slices.Sort(own)
		prev := 0
		for _, conf := range own {
			c, _ := slices.BinarySearch(confs, conf)
			if c < prev {
				continue // the same confidence again
			}
			var use []int
			for j, q := range ps {
				if q.conf >= conf {
					use = append(use, j)
				}
			}
			rec := 0.0
			for i := range gs {
				best := 0.0
				for _, j := range use {
					best = max(best, m[i][j][1])
				}
				rec += best
			}
			prec := greedyPrecision(m, use)
			for x := prev; x <= c; x++ {
				p[x] += prec
				pl[x] += float64(len(use))
				r[x] += rec
				rl[x] += float64(len(gs))
			}
			prev = c + 1
		}
		for x := prev; x < n; x++ {
			rl[x] += float64(len(gs))
		}
	}
	var res oieResult
	best := -1.0
	precs, recs := make([]float64, 0, n+1), make([]float64, 0, n+1)
	for x := range confs {
		pr, re := 1.0, 0.0
		if pl[x] > 0 {
			pr = p[x] / pl[x]
		}
		if rl[x] > 0 {
			re = r[x] / rl[x]
		}
		precs, recs = append(precs, pr), append(recs, re)
		f := 0.0
		if pr+re > 0 {
			f = 2 * pr * re / (pr + re)
		}
		if f > best {
			best = f
			res.Precision, res.Recall, res.F1 = pr, re, f
		}
	}
	precs, recs = append(precs, 1), append(recs, 0)
	for x := 1; x < len(recs); x++ {
		res.AUC += (recs[x-1] - recs[x]) * (precs[x] + precs[x-1]) / 2
	}
	res.AUC = math.Abs(res.AUC)
	return res
}

// greedyPrecision matches gold and predicted tuples one to one, the best
// precision first, and returns the sum.
func greedyPrecision(m [][][2]float64, use []int) float64 {
	rows, cols := make([]bool, len(m)), map[int]bool{}
	sum := 0.0
	for range min(len(m), len(use)) {
		bi, bj, best := -1, -1, -1.0
		for i := range m {
			if rows[i] {
				continue
			}
			for _, j := range use {
				if !cols[j] && m[i][j][0] > best {
					bi, bj, best = i, j, m[i][j][0]
				}
			}
		}
		if bi < 0 {
			break
		}
		rows[bi], cols[bj] = true, true
		sum += best
	}
	return sum
}

// matchCaRB returns the precision and recall of a predicted tuple against a
// gold one: shared tokens field by field, the arguments after the first taken
// together, and nothing where the relations share no token.
func matchCaRB(gold, pred oieTuple) [2]float64 {
	g, q := binaryTuple(gold), binaryTuple(pred)
	straight := lenientMatch(g, q)
	for _, said := range []string{"said", "told", "added", "adds", "says"} {
		if strings.Contains(gold.rel, said) {
			if len(pred.args) >= 2 {
				q.args = []string{q.args[1], q.args[0]}
			}
			turned := lenientMatch(g, q)
			if turned[0] > straight[0] || turned[0] == straight[0] && turned[1] > straight[1] {
				return turned
			}
			break
		}
	}
	return straight
}

func binaryTuple(t oieTuple) oieTuple {
	if len(t.args) >= 2 {
		t.args = []string{t.args[0], strings.Join(t.args[1:], " ")}
	}
	return t
}

func lenientMatch(gold, pred oieTuple) [2]float64 {
	gw, pw := strings.Fields(gold.rel), strings.Fields(pred.rel)
	np, ng := len(pw), len(gw)
	shared, left := takeShared(gw, pw)
	if slices.Contains(left, "be") {
		for _, f := range []string{"be", "is", "am", "are", "was", "were", "been", "being"} {
			if slices.Contains(gw, f) {
				shared++
				break
			}
		}
	}
	if shared == 0 {
		return [2]float64{}
	}
	for i, a := range gold.args {
		gw := strings.Fields(a)
		ng += len(gw)
		if i >= len(pred.args) {
			if i < 2 {
				return [2]float64{}
			}
			continue
		}
		pw := strings.Fields(pred.args[i])
		np += len(pw)
		k, _ := takeShared(gw, pw)
		shared += k
	}
	var out [2]float64
	if np > 0 {
		out[0] = float64(shared) / float64(np)
	}
	if ng > 0 {
		out[1] = float64(shared) / float64(ng)
	}
	return out
}

// takeShared counts the words of gold that pred has, each word of pred used
// once, and returns what is left of pred.
func takeShared(gold, pred []string) (int, []string) {
	left := slices.Clone(pred)
	n := 0
	for _, w := range gold {
		if i := slices.Index(left, w); i >= 0 {
			left = slices.Delete(left, i, i+1)
			n++
		}
	}
	return n, left
}

// treebank writes a label as the benchmark's sentences are written: clitics and
// punctuation apart, quotes doubled.
func treebank(label string) string {
	var out []string
	open := false
	for _, w := range strings.Fields(label) {
		var tail []string
		for len(w) > 1 {
			switch w[0] {
			case '(', '$', '#':
				out = append(out, w[:1])
				w = w[1:]
				continue
			case '"':
				out = append(out, "``")
				open = true
				w = w[1:]
				continue
			}
			break
		}
	trim:
		for len(w) > 1 {
			switch c := w[len(w)-1]; c {
			case ',', ';', ':', ')', '%', '!':
				tail = append([]string{string(c)}, tail...)
				w = w[:len(w)-1]
				continue
			case '"':
				tail = append([]string{"''"}, tail...)
				open = false
				w = w[:len(w)-1]
				continue
			case '\'':
				tail = append([]string{"'"}, tail...)
				w = w[:len(w)-1]
				continue
			}
			for _, c := range []string{"'s", "n't", "'ll", "'re", "'ve", "'d", "'m"} {
				if len(w) > len(c) && strings.HasSuffix(w, c) {
					tail = append([]string{c}, tail...)
					w = w[:len(w)-len(c)]
					continue trim
				}
			}
			break
		}
		if w == "\"" {
			w = map[bool]string{true: "''", false: "``"}[open]
			open = !open
		}
		out = append(append(out, w), tail...)
	}
	return strings.Join(out, " ")
}
