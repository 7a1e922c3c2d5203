package dataset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
)

// QAGS reads mturk_cnndm.jsonl and mturk_xsum.jsonl (W4ngatang/qags): an article and
// the sentences of its summary, each with votes. A sentence is consistent if more than
// half of its votes are "yes", the output if all its sentences are.
func QAGS(name string, r io.Reader) iter.Seq2[Row, error] {
	type summary struct {
		Article   string `json:"article"`
		Sentences []struct {
			Sentence  string `json:"sentence"`
			Responses []struct {
				Response string `json:"response"`
			} `json:"responses"`
		} `json:"summary_sentences"`
	}
	return fromJSONL(func(s summary) (Row, error) {
		switch {
		case s.Article == "":
			return Row{}, missing("article")
		case len(s.Sentences) == 0:
			return Row{}, missing("summary_sentences")
		}
		row := Row{Sources: context(s.Article), Label: Consistent}
		var texts []string
		for i, x := range s.Sentences {
			if len(x.Responses) == 0 {
				return Row{}, fault(ErrField, "sentence %d has no responses", i+1)
			}
			yes := 0
			for _, v := range x.Responses {
				if v.Response == "yes" {
					yes++
				}
			}
			c := Claim{Text: x.Sentence, Label: labelled(2*yes > len(x.Responses))}
			if c.Label == Inconsistent {
				row.Label = Inconsistent
			}
			row.Claims = append(row.Claims, c)
			texts = append(texts, x.Sentence)
		}
		row.Output = strings.Join(texts, " ")
		return row, nil
	})(name, r)
}

// context is a single source without a name.
func context(text string) []claim.Source { return []claim.Source{{ID: "context", Text: text}} }

// SummEval reads JSON lines of SummEval (Yale-LILY/SummEval) in two forms: context,
// output and label, as re-released by BARTScore; or text, decoded and
// expert_annotations, as published and paired with the articles. In the latter an
// output is consistent if all experts gave it 5 for consistency.
func SummEval(name string, r io.Reader) iter.Seq2[Row, error] {
	type summary struct {
		ID      string          `json:"id"`
		Model   string          `json:"model_id"`
		Context string          `json:"context"`
		Text    string          `json:"text"`
		Output  string          `json:"output"`
		Decoded string          `json:"decoded"`
		Label   json.RawMessage `json:"label"`
		Experts []struct {
			Consistency *float64 `json:"consistency"`
		} `json:"expert_annotations"`
	}
	return fromJSONL(func(s summary) (Row, error) {
		text, output := cmp.Or(s.Context, s.Text), cmp.Or(s.Output, s.Decoded)
		if s.ID != "" && s.Model != "" {
			s.ID += "/" + s.Model
		}
		row := Row{ID: s.ID, Model: s.Model, Output: output}
		if s.Experts == nil {
			return judged(row, text, s.Label)
		}
		row.Label = Consistent
		for i, e := range s.Experts {
			if e.Consistency == nil {
				return Row{}, fault(ErrField, "field \"consistency\" of expert %d is missing", i+1)
			}
			if *e.Consistency < 5 {
				row.Label = Inconsistent
			}
		}
		return judged(row, text, nil)
	})(name, r)
}

// judged fills in context and label of a row that must have both and an output.
func judged(row Row, text string, label json.RawMessage) (Row, error) {
	switch {
	case text == "":
		return Row{}, missing("context")
	case row.Output == "":
		return Row{}, missing("output")
	}
	row.Sources = context(text)
	if row.Label == Unlabelled {
		var err error
		if row.Label, row.Class, err = labelOf("label", label); err != nil {
			return Row{}, err
		}
	}
	return row, nil
}

// SummEdits reads JSON lines of SummEdits (salesforce/factualNLG): context (or doc),
// output (or summary), label, and the text before the edits as original, which
// becomes the gold text. The class names the kinds of edits, with " + " between.
func SummEdits(name string, r io.Reader) iter.Seq2[Row, error] {
	type edited struct {
		ID       string          `json:"id"`
		Context  string          `json:"context"`
		Doc      string          `json:"doc"`
		Output   string          `json:"output"`
		Summary  string          `json:"summary"`
		Original string          `json:"original"`
		Seed     string          `json:"original_summary"`
		Label    json.RawMessage `json:"label"`
		Edits    []string        `json:"edit_types"`
		Domain   string          `json:"domain"`
	}
	return fromJSONL(func(e edited) (Row, error) {
		row := Row{ID: e.ID, Set: e.Domain, Output: cmp.Or(e.Output, e.Summary), Gold: cmp.Or(e.Original, e.Seed)}
		row, err := judged(row, cmp.Or(e.Context, e.Doc), e.Label)
		if err == nil {
			row.Class = strings.Join(e.Edits, " + ")
		}
		return row, err
	})(name, r)
}

// BEGIN reads grounded dialogue (google/BEGIN-dataset) as JSON lines of context,
// question (what was said before), output and label; or as the published file of
// tab-separated columns knowledge, message, response, begin_label. "Fully
// attributable" is consistent, all else inconsistent.
func BEGIN(name string, r io.Reader) iter.Seq2[Row, error] {
	type reply struct {
		Context  string          `json:"context"`
		Question string          `json:"question"`
		Output   string          `json:"output"`
		Label    json.RawMessage `json:"label"`
	}
	return either(func(v reply) (Row, error) {
		return judged(Row{Question: v.Question, Output: v.Output}, v.Context, v.Label)
	}, '\t', Fields{
		Question: "message", Context: "knowledge", Output: "response", Label: "begin_label", Model: "model", Set: "data_source",
		Consistent: []string{"Fully attributable"}, Inconsistent: []string{"Not attributable", "Not fully attributable", "Generic"},
	})(name, r)
}

// AggreFact reads LLM-AggreFact (lytang/LLM-AggreFact) as CSV or JSON lines of dataset,
// doc, claim and label (1 supported, 0 not). Its sets are told apart by Row.Set.
func AggreFact(name string, r io.Reader) iter.Seq2[Row, error] {
	type fact struct {
		Set   string          `json:"dataset"`
		Doc   string          `json:"doc"`
		Claim string          `json:"claim"`
		Label json.RawMessage `json:"label"`
	}
	return either(func(f fact) (Row, error) {
		if f.Claim == "" {
			return Row{}, missing("claim")
		}
		if f.Doc == "" {
			return Row{}, missing("doc")
		}
		return judged(Row{Set: f.Set, Output: f.Claim}, f.Doc, f.Label)
	}, ',', Fields{Context: "doc", Output: "claim", Label: "label", Set: "dataset"})(name, r)
}

// either reads JSON lines where the file begins with a brace, and a table otherwise.
func either[T any](parse func(T) (Row, error), comma rune, f Fields) Loader {
	return func(name string, r io.Reader) iter.Seq2[Row, error] {
		return func(yield func(Row, error) bool) {
			b, err := open(name, r)
			if err != nil {
				yield(Row{}, err)
				return
			}
			head, _ := b.Peek(1024)
			rows := table(comma, f)
			if bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
				rows = fromJSONL(parse)
			}
			rows(name, b)(yield)
		}
	}
}

// WiCE reads JSON lines of WiCE (ryokamoi/wice), whole or in chunks: a claim, its
// evidence as a list of sentences, and a label, of which "supported" is consistent.
// The evidence is one source; the claims of one article are a group.
func WiCE(name string, r io.Reader) iter.Seq2[Row, error] {
	type entailment struct {
		Claim    string   `json:"claim"`
		Evidence []string `json:"evidence"`
		Label    string   `json:"label"`
		Meta     struct {
			ID    string `json:"id"`
			Title string `json:"claim_title"`
		} `json:"meta"`
	}
	return fromJSONL(func(e entailment) (Row, error) {
		switch {
		case e.Claim == "":
			return Row{}, missing("claim")
		case len(e.Evidence) == 0:
			return Row{}, missing("evidence")
		case !slices.Contains([]string{"supported", "partially_supported", "not_supported"}, e.Label):
			return Row{}, fault(ErrField, `field "label" is %s, not supported, partially_supported or not_supported`, shown(e.Label))
		}
		return Row{
			ID: e.Meta.ID, Group: e.Meta.Title, Output: e.Claim, Class: e.Label,
			Sources: context(strings.TrimSpace(strings.Join(e.Evidence, " "))),
			Label:   labelled(e.Label == "supported"),
		}, nil
	})(name, r)
}

// texts is a text, or a list of texts.
type texts []string

// UnmarshalJSON reads both forms; null is none.
func (t *texts) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		if *t = nil; one != "" {
			*t = texts{one}
		}
		return nil
	}
	var many []string
	if err := json.Unmarshal(b, &many); err != nil {
		return fault(ErrField, "%s is neither a text nor a list of texts", shown(string(b)))
	}
	*t = many
	return nil
}

func (t texts) sources() []claim.Source {
	if len(t) == 1 {
		return context(t[0])
	}
	var out []claim.Source
	for i, x := range t {
		out = append(out, claim.Source{ID: fmt.Sprintf("context/%d", i+1), Text: x})
	}
	return out
}
