package dataset

import (
	"errors"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/kg"
)

// MRPC reads msr_paraphrase_train.txt and its like: a header line, and then Quality,
// two ids and two sentences with tabs between.
func MRPC(name string, r io.Reader) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		for p, err := range fromLines(name, r, func(l line) (Pair, error) {
			f := strings.Split(string(l.text), "\t")
			if len(f) != 5 {
				return Pair{}, fault(ErrField, "the row has %d fields with tabs between, not 5", len(f))
			}
			if l.number == 1 && f[0] == "Quality" {
				return Pair{}, nil
			}
			if f[0] != "0" && f[0] != "1" {
				return Pair{}, fault(ErrField, "the quality is %s, not 0 or 1", shown(f[0]))
			}
			p := Pair{ID: rowID(name, l.number), A: f[3], B: f[4], Scale: 1, Line: l.number}
			p.Group = p.ID
			if f[0] == "1" {
				p.Similarity = 1
			}
			return p, nil
		}) {
			if err == nil && p.Line == 0 { // the header
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// STS reads pairs of SemEval's Semantic Textual Similarity, such as MSRpar.train.tsv: a
// score from 0 to 5 and two sentences, with tabs between.
func STS(name string, r io.Reader) iter.Seq2[Pair, error] {
	return fromLines(name, r, func(l line) (Pair, error) {
		f := strings.Split(string(l.text), "\t")
		if len(f) < 3 {
			return Pair{}, fault(ErrField, "the row has %d fields with tabs between, not 3", len(f))
		}
		score, err := strconv.ParseFloat(strings.TrimSpace(f[0]), 64)
		if err != nil || !(score >= 0 && score <= 5) {
			return Pair{}, fault(ErrField, "the score is %s, not a number from 0 to 5", shown(f[0]))
		}
		id := rowID(name, l.number)
		return Pair{ID: id, Group: id, A: f[1], B: f[2], Similarity: score, Scale: 5, Line: l.number}, nil
	})
}

var perturbationType = regexp.MustCompile(`'type': '(\w+)'`)

// SemanticKG reads the CSV files of semantic-kg (EdMorrell/semantic-kg): subgraph_triples
// and perturbed_subgraph_triples as Python lists, their similarity, and where the file
// has them the texts original_response and perturbed_response. Pairs of one subgraph
// (subgraph_hash) are a group; Kind is the perturbation_type, or the kinds that the
// perturbation_log names, with " + " between.
func SemanticKG(name string, r io.Reader) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		for rec, err := range records(name, r, ',', "subgraph_triples", "perturbed_subgraph_triples", "similarity") {
			if err != nil {
				var row *RowError
				if !yield(Pair{}, err) || !errors.As(err, &row) {
					return
				}
				continue
			}
			p, err := semanticPair(name, rec)
			if err != nil {
				p, err = Pair{}, &RowError{File: name, Line: rec.line, Err: err}
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

func semanticPair(name string, rec record) (Pair, error) {
	p := Pair{ID: rowID(name, rec.line), Scale: 1, Line: rec.line}
	var err error
	if p.Similarity, err = strconv.ParseFloat(rec.get("similarity"), 64); err != nil || !(p.Similarity >= 0 && p.Similarity <= 1) {
		return Pair{}, fault(ErrField, "similarity is %s, not a number from 0 to 1", shown(rec.get("similarity")))
	}
	for i, to := range []**kg.Graph{&p.GraphA, &p.GraphB} {
		column := []string{"subgraph_triples", "perturbed_subgraph_triples"}[i]
		if *to, err = kg.Decode(strings.NewReader(rec.get(column)), kg.Python); err != nil {
			return Pair{}, fault(ErrField, "%s is no list of triples: %v", column, err)
		}
	}
	p.A, p.B = rec.get("original_response"), rec.get("perturbed_response")
	if p.Group = rec.get("subgraph_hash"); p.Group == "" {
		p.Group = p.GraphA.Hash()
	}
	if p.Kind = rec.get("perturbation_type"); p.Kind == "" {
		var kinds []string
		for _, m := range perturbationType.FindAllStringSubmatch(rec.get("perturbation_log"), -1) {
			kinds = append(kinds, m[1])
		}
		slices.Sort(kinds)
		p.Kind = strings.Join(slices.Compact(kinds), " + ")
	}
	return p, nil
}
