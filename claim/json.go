package claim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kgeval/kgeval/kg"
)

// UnmarshalJSON reads a sample whose "context" is one text, or a list whose
// members are texts or objects {"id", "text"}. "context" absent or null gives
// no sources. Unknown fields are ignored.
func (s *Sample) UnmarshalJSON(b []byte) error {
	var v struct {
		ID       string          `json:"id"`
		Question string          `json:"question"`
		Context  json.RawMessage `json:"context"`
		Output   string          `json:"output"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("claim: sample: %w", err)
	}
	sources, err := decodeContext(v.Context)
	if err != nil {
		return fmt.Errorf("claim: sample: context: %w", err)
	}
	*s = Sample{ID: v.ID, Question: v.Question, Sources: sources, Output: v.Output}
	return nil
}

var errContextForm = errors.New(`must be a text, or a list of texts or of {"id", "text"}`)

func decodeContext(raw json.RawMessage) ([]Source, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil, nil
	}
	switch raw[0] {
	case '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, err
		}
		return []Source{{Text: text}}, nil
	case '[':
		var members []json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			return nil, err
		}
		sources := make([]Source, len(members))
		for i, m := range members {
			m = bytes.TrimSpace(m)
			var err error
			switch {
			case len(m) > 0 && m[0] == '"':
				err = json.Unmarshal(m, &sources[i].Text)
			case len(m) > 0 && m[0] == '{':
				err = decodeSource(m, &sources[i])
			case bytes.Equal(m, []byte("null")): // an empty member keeps its position
			default:
				err = errContextForm
			}
			if err != nil {
				return nil, fmt.Errorf("member %d: %w", i, err)
			}
		}
		return sources, nil
	}
	return nil, errContextForm
}

// decodeSource reads {"id", "text"}; an id may be a number, and becomes its
// digits.
func decodeSource(raw json.RawMessage, s *Source) error {
	var v struct {
		ID   json.RawMessage `json:"id"`
		Text json.RawMessage `json:"text"`
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	// An absent text is a slip of the pen, a null one an empty member.
	if v.Text == nil || json.Unmarshal(v.Text, &s.Text) != nil {
		return errors.New(`needs "text", a text`)
	}
	switch id := bytes.TrimSpace(v.ID); {
	case len(id) == 0 || bytes.Equal(id, []byte("null")):
	case id[0] == '"':
		return json.Unmarshal(id, &s.ID)
	case id[0] == '-' || id[0] >= '0' && id[0] <= '9':
		s.ID = string(id)
	default:
		return errors.New(`"id" must be a text or a number`)
	}
	return nil
}

// claimJSON is Claim with the triple as [head, relation, tail] and the error as
// text.
type claimJSON struct {
	Triple *[3]string `json:"triple"`
	claimFields
	Error string `json:"error,omitempty"`
}

// claimFields is Claim without its methods. Its own "triple" is shadowed by
// claimJSON's.
type claimFields Claim

// MarshalJSON writes the triple as [head, relation, tail], or null when the
// claim is a whole sentence, and Err as the text "error".
func (c Claim) MarshalJSON() ([]byte, error) {
	v := claimJSON{claimFields: claimFields(c)}
	if !c.Whole {
		v.Triple = &[3]string{c.Triple.Head, c.Triple.Relation, c.Triple.Tail}
	}
	if c.Err != nil {
		v.Error = c.Err.Error()
	}
	return json.Marshal(v)
}

// UnmarshalJSON reads what MarshalJSON writes. Err becomes an error with the
// same text.
func (c *Claim) UnmarshalJSON(b []byte) error {
	var v claimJSON
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("claim: %w", err)
	}
	*c = Claim(v.claimFields)
	c.Triple = kg.Triple{}
	if v.Triple != nil {
		c.Triple = kg.Triple{Head: v.Triple[0], Relation: v.Triple[1], Tail: v.Triple[2]}
	}
	if v.Error != "" {
		c.Err = errors.New(v.Error)
	}
	return nil
}

type resultFields Result

// MarshalJSON writes p_inconsistent as null when the output has no claims, and
// claims as [] when there are none.
func (r Result) MarshalJSON() ([]byte, error) {
	v := struct {
		resultFields
		PInconsistent *float64 `json:"p_inconsistent"`
	}{resultFields: resultFields(r), PInconsistent: &r.PInconsistent}
	if r.Outcome == NoClaims {
		v.PInconsistent = nil
	}
	if v.Claims == nil {
		v.Claims = []Claim{}
	}
	return json.Marshal(v)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Result) UnmarshalJSON(b []byte) error {
	v := struct {
		*resultFields
		PInconsistent *float64 `json:"p_inconsistent"`
	}{resultFields: (*resultFields)(r)}
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("claim: result: %w", err)
	}
	r.PInconsistent = 0
	if v.PInconsistent != nil {
		r.PInconsistent = *v.PInconsistent
	}
	return nil
}
