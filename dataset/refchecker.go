package dataset

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/kg"
)

// RefChecker reads the benchmark of RefChecker (amazon-science/RefChecker) in two
// forms. One is its files of answers: a JSON array of objects with id, response, and
// a member whose name ends in "_response_kg" that lists triplets with human_label;
// question and context (or reference) are read where the file has them (the
// published annotations do not). The other is JSON lines of setting, file, id,
// triplet and label, a row for each triplet.
//
// A triplet is consistent if its label is "Entailment", and an output if all its
// triplets are. An output without triplets abstains, and is not labelled.
func RefChecker(name string, r io.Reader) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		b, err := open(name, r)
		if err != nil {
			yield(Row{}, err)
			return
		}
		head, _ := b.Peek(1024)
		rows := fromMembers('[', refCheckerAnswer)
		if bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
			rows = fromJSONL(refCheckerTriplet)
		}
		rows(name, b)(yield)
	}
}

type triplet []string

func (t triplet) claim(label string) (Claim, error) {
	if len(t) != 3 {
		return Claim{}, fault(ErrField, "a triplet has %d parts, not 3", len(t))
	}
	switch label {
	case "Entailment", "Neutral", "Contradiction":
	case "":
		return Claim{}, missing("label")
	default:
		return Claim{}, fault(ErrField, "the label of a triplet is %s, not Entailment, Neutral or Contradiction", shown(label))
	}
	return Claim{Triple: kg.Triple{Head: t[0], Relation: t[1], Tail: t[2]}, Label: labelled(label == "Entailment"), Class: label}, nil
}

func refCheckerTriplet(v struct {
	Setting string  `json:"setting"`
	File    string  `json:"file"`
	ID      string  `json:"id"`
	Triplet triplet `json:"triplet"`
	Label   string  `json:"label"`
}) (Row, error) {
	c, err := v.Triplet.claim(v.Label)
	if err != nil {
		return Row{}, err
	}
	if v.ID == "" {
		return Row{}, missing("id")
	}
	// The row's own ID is its line: an answer has many triplets.
	return Row{Group: v.Setting + "/" + v.ID, Set: v.Setting, Model: v.File, Label: c.Label, Class: c.Class, Claims: []Claim{c}}, nil
}

func refCheckerAnswer(_ string, v map[string]json.RawMessage) (Row, error) {
	var row Row
	var sources, reference texts
	for _, x := range []struct {
		field string
		to    any
	}{
		{"id", &row.ID}, {"response", &row.Output}, {"question", &row.Question}, {"context", &sources}, {"reference", &reference},
	} {
		if raw, ok := v[x.field]; ok {
			if err := json.Unmarshal(raw, x.to); err != nil {
				return Row{}, fault(ErrField, "field %q is %s", x.field, shown(string(raw)))
			}
		}
	}
	if _, ok := v["response"]; !ok {
		return Row{}, missing("response")
	}
	if row.ID == "" {
		return Row{}, missing("id")
	}
	row.Group = row.ID
	if row.Sources = sources.sources(); row.Sources == nil {
		row.Sources = reference.sources()
	}
	for _, field := range slices.Sorted(maps.Keys(v)) {
		if !strings.HasSuffix(field, "_response_kg") {
			continue
		}
		var facts []struct {
			Triplet triplet `json:"triplet"`
			Label   string  `json:"human_label"`
		}
		if err := json.Unmarshal(v[field], &facts); err != nil {
			return Row{}, fault(ErrField, "field %q does not list triplets: %v", field, err)
		}
		for _, f := range facts {
			c, err := f.Triplet.claim(f.Label)
			if err != nil {
				return Row{}, err
			}
			if row.Claims = append(row.Claims, c); row.Label != Inconsistent {
				row.Label = c.Label
			}
		}
		break // one extractor's triplets, the first by name
	}
	return row, nil
}
