package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// RAGTruth returns a loader of RAGTruth's response.jsonl (ParticleMedia/RAGTruth); info
// is its source_info.jsonl, which is read at once and held in memory. The error is a
// *RowError or *FileError in info.
//
// An output is inconsistent if it has a marked span. Spans are turned from characters
// into bytes; one that does not hold the text it should is looked for. The passages of
// a question, which are one text there, become sources of their own; the data of a
// table is a source as JSON. Rows about one source are a group; Row.Class is the
// task, and Row.Split the set's own.
func RAGTruth(infoName string, info io.Reader) (Loader, error) {
	type source struct {
		question string
		task     string
		sources  []claim.Source
	}
	sources := map[string]source{}
	for l, err := range lines(infoName, info) {
		if err == nil {
			err = l.err
		}
		var v struct {
			ID     json.RawMessage `json:"source_id"`
			Task   string          `json:"task_type"`
			Source json.RawMessage `json:"source_info"`
		}
		if err == nil {
			err = unmarshal(l.text, &v)
		}
		var s source
		if err == nil {
			s.task = v.Task
			s.question, s.sources, err = ragSources(v.Source)
		}
		var file *FileError
		switch {
		case errors.As(err, &file):
			return nil, err
		case err != nil:
			return nil, &RowError{File: infoName, Line: l.number, Err: err}
		}
		sources[plain(v.ID)] = s
	}
	type response struct {
		ID     json.RawMessage `json:"id"`
		Source json.RawMessage `json:"source_id"`
		Model  string          `json:"model"`
		Labels []struct {
			Start int    `json:"start"`
			End   int    `json:"end"`
			Text  string `json:"text"`
			Type  string `json:"label_type"`
		} `json:"labels"`
		Split    string `json:"split"`
		Response string `json:"response"`
	}
	return fromJSONL(func(v response) (Row, error) {
		id := plain(v.Source)
		if id == "" {
			return Row{}, missing("source_id")
		}
		s, ok := sources[id]
		if !ok {
			return Row{}, fault(ErrField, "source_id %s is not in %s", shown(id), infoName)
		}
		row := Row{
			ID: plain(v.ID), Group: id, Question: s.question, Sources: s.sources, Output: v.Response,
			Label: labelled(len(v.Labels) == 0), Class: s.task, Split: v.Split, Model: v.Model,
		}
		offsets := segment.NewOffsets(v.Response)
		for i, l := range v.Labels {
			span := segment.Span{Start: offsets.FromRune(l.Start), End: offsets.FromRune(l.End)}
			if span.Start >= span.End || l.Text != "" && span.Of(v.Response) != l.Text {
				at := strings.Index(v.Response, l.Text)
				if at < 0 || l.Text == "" {
					return Row{}, fault(ErrField, "label %d: characters %d to %d of the response are not %s", i+1, l.Start, l.End, shown(l.Text))
				}
				span = segment.Span{Start: at, End: at + len(l.Text)}
			}
			row.Spans = append(row.Spans, Span{Span: span, Class: l.Type})
		}
		return row, nil
	}), nil
}

// plain is a JSON string or number as text.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

var passage = regexp.MustCompile(`(?m)^passage \d+:`)

func ragSources(raw json.RawMessage) (question string, sources []claim.Source, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil, missing("source_info")
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return "", context(text), nil
	}
	var qa struct {
		Question string `json:"question"`
		Passages string `json:"passages"`
	}
	if json.Unmarshal(raw, &qa) == nil && qa.Passages != "" {
		starts := passage.FindAllStringIndex(qa.Passages, -1)
		for i, at := range starts {
			end := len(qa.Passages)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			sources = append(sources, claim.Source{ID: fmt.Sprintf("passage %d", i+1), Text: strings.TrimSpace(qa.Passages[at[1]:end])})
		}
		if sources == nil {
			sources = context(qa.Passages)
		}
		return qa.Question, sources, nil
	}
	return "", []claim.Source{{ID: "data", Text: string(raw)}}, nil
}
