package dataset

import (
	"fmt"
	"io"
	"iter"

	"github.com/kgeval/kgeval/claim"
)

// PubMedQA reads ori_pqal.json and its like (pubmedqa/pubmedqa): one JSON object with
// a member for each article. The sections of the abstract are the sources, in order,
// with IDs such as "21645374/2"; the long answer is the gold answer, and the final
// decision (yes, no, maybe) the class.
func PubMedQA(name string, r io.Reader) iter.Seq2[Row, error] {
	type article struct {
		Question string   `json:"QUESTION"`
		Contexts []string `json:"CONTEXTS"`
		Answer   string   `json:"LONG_ANSWER"`
		Decision string   `json:"final_decision"`
	}
	return fromMembers('{', func(id string, a article) (Row, error) {
		switch {
		case a.Question == "":
			return Row{}, missing("QUESTION")
		case len(a.Contexts) == 0:
			return Row{}, missing("CONTEXTS")
		}
		row := Row{ID: id, Group: id, Question: a.Question, Gold: a.Answer, Class: a.Decision}
		for i, text := range a.Contexts {
			row.Sources = append(row.Sources, claim.Source{ID: fmt.Sprintf("%s/%d", id, i+1), Text: text})
		}
		return row, nil
	})(name, r)
}

// MedQuAD reads JSON lines of id, focus, question and answer, which is MedQuAD
// (abachaa/MedQuAD) with a line for each pair of its XML files. There is no context;
// the answer is the gold answer, and rows about one focus are a group. A row's ID is its
// line: the set's own ids are given anew in each of its folders.
func MedQuAD(name string, r io.Reader) iter.Seq2[Row, error] {
	type pair struct {
		Focus    string `json:"focus"`
		Question string `json:"question"`
		Answer   string `json:"answer"`
	}
	return fromJSONL(func(p pair) (Row, error) {
		switch {
		case p.Question == "":
			return Row{}, missing("question")
		case p.Answer == "":
			return Row{}, missing("answer")
		}
		return Row{Group: p.Focus, Question: p.Question, Gold: p.Answer}, nil
	})(name, r)
}
