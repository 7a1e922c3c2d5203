package cassette

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kgeval/kgeval/llm"
)

// formatVersion is the version of the file's form.
const formatVersion = 1

// The form of the file. It names each field of llm.Request and llm.Response on
// its own, so that a renamed field can't change files unseen.
type (
	fileForm struct {
		Version    int             `json:"cassette"`
		Recordings []recordingForm `json:"recordings"`
	}
	recordingForm struct {
		Model    text         `json:"model"`
		Request  requestForm  `json:"request"`
		Response responseForm `json:"response"`
	}
	requestForm struct {
		Temperature *float64      `json:"temperature,omitempty"`
		TopP        *float64      `json:"top_p,omitempty"`
		TopK        *int          `json:"top_k,omitempty"`
		Seed        *int64        `json:"seed,omitempty"`
		MaxTokens   int           `json:"max_tokens,omitempty"`
		Stop        []text        `json:"stop,omitempty"`
		LogProbs    int           `json:"log_probs,omitempty"`
		Sample      int           `json:"sample,omitempty"`
		Schema      *text         `json:"schema,omitempty"` // byte for byte, since it is part of the key
		Messages    []messageForm `json:"messages"`
	}
	messageForm struct {
		Role llm.Role `json:"role"`
		Text text     `json:"text"`
	}
	responseForm struct {
		Stop     llm.StopReason `json:"stop"`
		Model    text           `json:"model"`
		Latency  string         `json:"latency"`
		Usage    llm.Usage      `json:"usage"`
		Text     text           `json:"text"`
		LogProbs []tokenForm    `json:"log_probs,omitempty"`
	}
	tokenForm struct {
		probForm
		Top []probForm `json:"top,omitempty"`
	}
	probForm struct {
		Token   text    `json:"token"`
		LogProb float64 `json:"log_prob"`
	}
)

// text is a string that stands line by line: as a JSON string where it has one
// line, as a list of lines where it has more, and as {"base64": …} where it is
// not UTF-8, which JSON can't hold.
type text string

// MarshalJSON returns the string, the list or the object.
func (t text) MarshalJSON() ([]byte, error) {
	var v any = string(t)
	switch {
	case !utf8.ValidString(string(t)):
		v = map[string]string{"base64": base64.StdEncoding.EncodeToString([]byte(t))}
	case strings.Contains(string(t), "\n"):
		v = strings.Split(string(t), "\n")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) > 0 && b[0] == '[':
		var lines []string
		if err := json.Unmarshal(b, &lines); err != nil {
			return err
		}
		*t = text(strings.Join(lines, "\n"))
	case len(b) > 0 && b[0] == '{':
		var o map[string]string
		if err := json.Unmarshal(b, &o); err != nil {
			return err
		}
		encoded, ok := o["base64"]
		if !ok || len(o) != 1 {
			return errors.New(`a text is a string, a list of lines, or {"base64": …}`)
		}
		raw, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return err
		}
		*t = text(raw)
	default:
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*t = text(s)
	}
	return nil
}

// format returns the file that holds the recordings.
func format(recordings []*recording) ([]byte, error) {
	f := fileForm{Version: formatVersion, Recordings: []recordingForm{}}
	for _, r := range recordings {
		f.Recordings = append(f.Recordings, toForm(r))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(f)
	return b.Bytes(), err
}

// parse reads a file. Its recordings are valid requests, each another one.
func parse(data []byte) ([]*recording, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var f fileForm
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("not a cassette: %w%s", err, place(data, err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	if f.Version != formatVersion {
		return nil, fmt.Errorf(`"cassette": version %d, and this program reads version %d`, f.Version, formatVersion)
	}
	var all []*recording
	seen := map[string]int{}
	for i, form := range f.Recordings {
		r, err := fromForm(form)
		if err != nil {
			return nil, fmt.Errorf("recording %d: %w", i+1, err)
		}
		key := r.key()
		if first, ok := seen[key]; ok {
			return nil, fmt.Errorf("recording %d has the same request as recording %d; keep one", i+1, first)
		}
		seen[key] = i + 1
		all = append(all, r)
	}
	return all, nil
}

// place says in which line a JSON error is.
func place(data []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at := int64(-1)
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	}
	if at < 0 || at > int64(len(data)) {
		return ""
	}
	return fmt.Sprintf(" (line %d)", 1+bytes.Count(data[:at], []byte("\n")))
}

func toForm(r *recording) recordingForm {
	q, a := r.Request, r.Response
	form := recordingForm{
		Model: text(r.Model),
		Request: requestForm{
			Temperature: q.Temperature, TopP: q.TopP, TopK: q.TopK, Seed: q.Seed,
			MaxTokens: q.MaxTokens, LogProbs: q.LogProbs, Sample: q.Sample,
			Messages: []messageForm{},
		},
		Response: responseForm{
			Stop: a.Stop, Model: text(a.Model), Latency: a.Latency.String(), Usage: a.Usage, Text: text(a.Text),
		},
	}
	for _, s := range q.Stop {
		form.Request.Stop = append(form.Request.Stop, text(s))
	}
	if len(q.Schema) > 0 {
		form.Request.Schema = new(text(q.Schema))
	}
	for _, m := range q.Messages {
		form.Request.Messages = append(form.Request.Messages, messageForm{m.Role, text(m.Text)})
	}
	for _, p := range a.LogProbs {
		t := tokenForm{probForm: probForm{text(p.Token), p.LogProb}}
		for _, top := range p.Top {
			t.Top = append(t.Top, probForm{text(top.Token), top.LogProb})
		}
		form.Response.LogProbs = append(form.Response.LogProbs, t)
	}
	return form
}

func fromForm(form recordingForm) (*recording, error) {
	q, a := form.Request, form.Response
	r := &recording{
		Model: string(form.Model),
		Request: llm.Request{
			Temperature: q.Temperature, TopP: q.TopP, TopK: q.TopK, Seed: q.Seed,
			MaxTokens: q.MaxTokens, LogProbs: q.LogProbs, Sample: q.Sample,
		},
		Response: llm.Response{Stop: a.Stop, Model: string(a.Model), Usage: a.Usage, Text: string(a.Text)},
	}
	if q.Schema != nil {
		r.Request.Schema = json.RawMessage(*q.Schema)
	}
	for _, s := range q.Stop {
		r.Request.Stop = append(r.Request.Stop, string(s))
	}
	for _, m := range q.Messages {
		r.Request.Messages = append(r.Request.Messages, llm.Message{Role: m.Role, Text: string(m.Text)})
	}
	for _, t := range a.LogProbs {
		p := llm.TokenLogProbs{TokenProb: llm.TokenProb{Token: string(t.Token), LogProb: t.LogProb}}
		for _, top := range t.Top {
			p.Top = append(p.Top, llm.TokenProb{Token: string(top.Token), LogProb: top.LogProb})
		}
		r.Response.LogProbs = append(r.Response.LogProbs, p)
	}
	if r.Model == "" {
		return nil, errors.New("no model")
	}
	if err := llm.Validate(r.Request); err != nil {
		return nil, err
	}
	if err := sound(r.Response); err != nil {
		return nil, err
	}
	if a.Latency != "" {
		d, err := time.ParseDuration(a.Latency)
		if err != nil || d < 0 {
			return nil, fmt.Errorf("latency %q is no duration", a.Latency)
		}
		r.Response.Latency = d
	}
	if a.Usage.Input < 0 || a.Usage.Output < 0 || a.Usage.CachedInput < 0 {
		return nil, errors.New("a usage below 0")
	}
	return r, nil
}

// replaceFile writes data to path so that the file is the old one or the new
// one at any time.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it was renamed
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
