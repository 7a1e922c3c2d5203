package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
	"time"
	"unicode"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/openie"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// MINE measures how much of the facts listed for an essay the extracted graph
// holds (data of KGGen's benchmark, Mo et al., arXiv 2502.09956). The published
// measure asks a language model whether a fact can be inferred from the triples
// near it; this one does without: a fact counts as held when at least mineShare
// of its content words, by lemma, stand in at most mineTriples triples, the
// first of them the best alone and each further one sharing an entity with
// those before. The two numbers cannot be compared. Beside it stand a floor (the
// facts against another essay's graph) and a ceiling (whole sentences of the
// essay in the triples' place).
//
// It also measures, on real summaries and articles, how much of the sentences
// the triples cover, how many have a pronoun for an entity, and the speed.
var MINE = Bench{
	Name:  "mine",
	Short: "share of an essay's listed facts that the extracted graph holds; coverage and speed",
	Run:   runMINE,
}

const (
	mineShare   = 0.75
	mineTriples = 3
)

type mineEssay struct {
	Title   string   `json:"title"`
	Essay   string   `json:"essay"`
	Answers []string `json:"answers"`
}

func runMINE(ctx context.Context, w io.Writer, dir string, args []string) error {
	lex, err := nlp.New()
	if err != nil {
		return err
	}
	ex, err := openie.New(openie.Options{})
	if err != nil {
		return err
	}
	var essays []mineEssay
	if err := oieRows(dir, "extract/mine.dev.jsonl", func(b []byte) error {
		var e mineEssay
		if err := json.Unmarshal(b, &e); err != nil {
			return err
		}
		e.Essay = strings.Trim(strings.TrimSpace(e.Essay), "`")
		essays = append(essays, e)
		return nil
	}); err != nil {
		return err
	}
	var graphs, plain [][]factUnit
	triples := 0
	for _, e := range essays {
		xs, err := ex.Extract(ctx, []kg.Text{{Text: e.Essay}})
		if err != nil {
			return err
		}
		var g []factUnit
		for _, t := range xs[0].Statements {
			g = append(g, newFactUnit(lex, t.Triple.Head, t.Triple.Relation, t.Triple.Tail))
			triples++
		}
		graphs = append(graphs, g)
		var p []factUnit
		for _, s := range segment.Sentences(e.Essay) {
			p = append(p, newFactUnit(lex, s.Of(e.Essay)))
		}
		plain = append(plain, p)
	}
	parts := []struct {
		name string
		keep func(i int) bool
	}{
		{"even", func(i int) bool { return i%2 == 0 }},
		{"odd", func(i int) bool { return i%2 == 1 }},
		{"all", func(int) bool { return true }},
	}
	fmt.Fprintln(w, "| essays | facts | held, offline measure | mean coverage | floor: another essay's graph | ceiling: the essay's sentences |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|")
	for _, p := range parts {
		facts, held, floor, top := 0, 0, 0, 0
		mean := 0.0
		for i, e := range essays {
			if !p.keep(i) {
				continue
			}
			for _, a := range e.Answers {
				f := contentWords(lex, a)
				if len(f) == 0 {
					continue
				}
				facts++
				c := factCover(f, graphs[i], mineTriples)
				mean += c
				if c >= mineShare {
					held++
				}
				if factCover(f, graphs[(i+1)%len(graphs)], mineTriples) >= mineShare {
					floor++
				}
				if factCover(f, plain[i], 1) >= mineShare {
					top++
				}
			}
		}
		n := float64(max(1, facts))
		fmt.Fprintf(w, "| %s | %d | %.1f%% | %.1f%% | %.1f%% | %.1f%% |\n", p.name, facts,
			100*float64(held)/n, 100*mean/n, 100*float64(floor)/n, 100*float64(top)/n)
	}
	fmt.Fprintf(w, "\n%d triples of %d essays.\n\n", triples, len(essays))
	return runCoverage(ctx, w, dir, ex, lex)
}

// factUnit is a triple, or a sentence, by its content words.
type factUnit struct {
	words    map[string]bool
	entities []map[string]bool
}

func newFactUnit(lex *nlp.Analyzer, parts ...string) factUnit {
	u := factUnit{words: map[string]bool{}}
	for i, p := range parts {
		ws := contentWords(lex, p)
		for w := range ws {
			u.words[w] = true
		}
		if i != 1 {
			u.entities = append(u.entities, ws)
		}
	}
	return u
}

// linked reports whether a and b share an entity: the content words of one
// entity are among those of another.
func (a factUnit) linked(b factUnit) bool {
	for _, x := range a.entities {
		for _, y := range b.entities {
			if len(x) > 0 && len(y) > 0 && (within(x, y) || within(y, x)) {
				return true
			}
		}
	}
	return false
}

func within(x, y map[string]bool) bool {
	for w := range x {
		if !y[w] {
			return false
		}
	}
	return true
}

// factCover returns the share of the words of fact that at most n linked units
// hold.
func factCover(fact map[string]bool, units []factUnit, n int) float64 {
	left := make(map[string]bool, len(fact))
	for w := range fact {
		left[w] = true
	}
	var chosen []factUnit
	for len(chosen) < n && len(left) > 0 {
		best, at := 0, -1
		for i, u := range units {
			if len(chosen) > 0 {
				ok := false
				for _, c := range chosen {
					ok = ok || c.linked(u)
				}
				if !ok {
					continue
				}
			}
			k := 0
			for w := range left {
				if u.words[w] {
					k++
				}
			}
			if k > best {
				best, at = k, i
			}
		}
		if at < 0 {
			break
		}
		chosen = append(chosen, units[at])
		for w := range units[at].words {
			delete(left, w)
		}
	}
	return 1 - float64(len(left))/float64(len(fact))
}

// stopWords are left out of content: function words and auxiliaries.
var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a an the of in on at to for from by with as into over under
		about between through during and or but nor so yet if than that this these those
		there here it its he she they them his her their him we us our you your i me my who
		whom whose which what when where why how is am are was were be been being has have
		had having do does did will would can could may might must shall should not no n't
		's also very more most such other some any each all both one only own same then too
		just up out off while because although however`) {
		m[w] = true
	}
	return m
}()

// contentWords returns the lemmas of the words of s that are no function words.
func contentWords(lex *nlp.Analyzer, s string) map[string]bool {
	out := map[string]bool{}
	for _, f := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if stopWords[f] || len(f) < 2 && !unicode.IsDigit(rune(f[0])) {
			continue
		}
		l := lex.Lemma(f, "")
		if l == "" {
			l = f
		}
		out[l] = true
	}
	return out
}

// runCoverage measures the extractor on real text: what share of a sentence's
// content words its triples show, and how many entities are pronouns.
func runCoverage(ctx context.Context, w io.Writer, dir string, ex kg.Extractor, lex *nlp.Analyzer) error {
	sets := []struct {
		name, file string
		texts      func(b []byte) ([]string, error)
	}{
		{"SummEval summaries", "grounding/summeval.dev.jsonl", fieldTexts("output")},
		{"SummEval articles", "grounding/summeval.dev.jsonl", fieldTexts("context")},
		{"QAGS-CNN/DM summaries", "grounding/qags/mturk_cnndm.dev.jsonl", qagsTexts},
		{"QAGS-XSum summaries", "grounding/qags/mturk_xsum.dev.jsonl", qagsTexts},
		{"QAGS-XSum articles", "grounding/qags/mturk_xsum.dev.jsonl", fieldTexts("article")},
	}
	fmt.Fprintln(w, "| real text | sentences | triples a sentence | with a triple | content words in a triple | pronoun as an entity | sentences a second |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, set := range sets {
		seen := map[string]bool{}
		var texts []string
		if err := oieRows(dir, set.file, func(b []byte) error {
			ts, err := set.texts(b)
			for _, t := range ts {
				if !seen[t] && strings.TrimSpace(t) != "" {
					seen[t] = true
					texts = append(texts, t)
				}
			}
			return err
		}); err != nil {
			return err
		}
		var sents, triples, with, words, covered, pronouns, ends int
		var took time.Duration
		for _, t := range texts {
			start := time.Now()
			xs, err := ex.Extract(ctx, []kg.Text{{Text: t}})
			if err != nil {
				return err
			}
			took += time.Since(start)
			spans := make([]segment.Span, 0, 2*len(xs[0].Statements))
			in := map[segment.Span]bool{}
			for _, st := range xs[0].Statements {
				triples++
				in[st.Sentence] = true
				spans = append(spans, st.Spans...)
				for _, l := range []string{st.Triple.Head, st.Triple.Tail} {
					ends++
					if pronounLabel[strings.ToLower(l)] {
						pronouns++
					}
				}
			}
			sort.Slice(spans, func(i, j int) bool { return spans[i].Start < spans[j].Start })
			for _, s := range segment.Sentences(t) {
				sents++
				if in[s] {
					with++
				}
				n, k := coveredWords(t, s, spans)
				words += n
				covered += k
			}
		}
		n := float64(max(1, sents))
		fmt.Fprintf(w, "| %s | %d | %.2f | %.1f%% | %.1f%% | %.2f%% | %.0f |\n", set.name, sents, float64(triples)/n,
			100*float64(with)/n, 100*float64(covered)/float64(max(1, words)), 100*float64(pronouns)/float64(max(1, ends)),
			n/max(took.Seconds(), 1e-9))
	}
	return nil
}

var pronounLabel = map[string]bool{"he": true, "she": true, "it": true, "they": true, "him": true, "her": true,
	"them": true, "this": true, "that": true, "these": true, "those": true, "his": true, "hers": true, "theirs": true}

// coveredWords counts the content words of sentence s of text and those that lie
// in one of the spans, which are in ascending order of their start.
func coveredWords(text string, s segment.Span, spans []segment.Span) (n, k int) {
	sub := s.Of(text)
	at := -1
	word := func(b, e int) {
		if stopWords[strings.ToLower(sub[b:e])] {
			return
		}
		n++
		ws := segment.Span{Start: s.Start + b, End: s.Start + e}
		for _, p := range spans {
			if p.Start > ws.Start {
				break
			}
			if p.Contains(ws) {
				k++
				return
			}
		}
	}
	for i, r := range sub {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if at < 0 {
				at = i
			}
			continue
		}
		if at >= 0 {
			word(at, i)
			at = -1
		}
	}
	if at >= 0 {
		word(at, len(sub))
	}
	return n, k
}

func fieldTexts(field string) func([]byte) ([]string, error) {
	return func(b []byte) ([]string, error) {
		var m map[string]any
		if err := json.Unmarshal(b, &m); err != nil {
			return nil, err
		}
		s, _ := m[field].(string)
		return []string{s}, nil
	}
}

func qagsTexts(b []byte) ([]string, error) {
	var row struct {
		S []struct {
			Sentence string `json:"sentence"`
		} `json:"summary_sentences"`
	}
	if err := json.Unmarshal(b, &row); err != nil {
		return nil, err
	}
	var parts []string
	for _, s := range row.S {
		parts = append(parts, s.Sentence)
	}
	return []string{strings.Join(parts, " ")}, nil
}

// oieRows calls f for each line of a data file.
func oieRows(dir, name string, f func(b []byte) error) error {
	file, err := Open(dir, name)
	if err != nil {
		return err
	}
	defer file.Close()
	sc := bufio.NewScanner(file)
	sc.Buffer(nil, 1<<26)
	for n := 1; sc.Scan(); n++ {
		if len(strings.TrimSpace(sc.Text())) == 0 {
			continue
		}
		if err := f(sc.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return sc.Err()
}
