package langchain

import (
	"encoding/json"
	"net/url"

	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
)

// members are those of a JSON object.
type members map[string]json.RawMessage

// put sets a member to a pointer's value, or removes it where that is nil.
func put[T any](m members, name string, p *T) error {
	if p == nil {
		delete(m, name)
		return nil
	}
	return set(m, name, *p)
}

func set(m members, name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	m[name] = b
	return nil
}

// write returns the body that langchaingo made, with the settings of req.
func (d Dialect) write(body []byte, req llm.Request, to *url.URL) ([]byte, error) {
	var m members
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	if m == nil {
		m = members{}
	}
	var err error
	switch d {
	case OpenAI:
		err = writeOpenAI(m, req, to)
	case Ollama:
		err = writeOllama(m, req)
	default:
		err = writeSettings(m, req)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(m)
}

// writeSettings sets what has the same name everywhere.
func writeSettings(m members, req llm.Request) error {
	if err := put(m, "temperature", req.Temperature); err != nil {
		return err
	}
	if err := put(m, "top_p", req.TopP); err != nil {
		return err
	}
	return put(m, "top_k", req.TopK)
}

func writeOpenAI(m members, req llm.Request, to *url.URL) error {
	if err := writeSettings(m, req); err != nil {
		return err
	}
	if err := put(m, "seed", req.Seed); err != nil {
		return err
	}
	delete(m, "max_tokens")
	delete(m, "max_completion_tokens")
	if req.MaxTokens > 0 {
		if err := set(m, llmhttp.MaxTokensField(to), req.MaxTokens); err != nil {
			return err
		}
	}
	if req.LogProbs > 0 {
		if err := set(m, "logprobs", true); err != nil {
			return err
		}
		if err := set(m, "top_logprobs", req.LogProbs); err != nil {
			return err
		}
	}
	if len(req.Schema) == 0 {
		return nil
	}
	return set(m, "response_format", map[string]any{
		"type":        "json_schema",
		"json_schema": map[string]any{"name": "reply", "strict": true, "schema": req.Schema},
	})
}

func writeOllama(m members, req llm.Request) error {
	var options members
	if raw, ok := m["options"]; ok {
		if err := json.Unmarshal(raw, &options); err != nil {
			return err
		}
	}
	if options == nil {
		options = members{}
	}
	if err := writeSettings(options, req); err != nil {
		return err
	}
	if err := put(options, "seed", req.Seed); err != nil {
		return err
	}
	if err := set(m, "options", options); err != nil {
		return err
	}
	if len(req.Schema) > 0 {
		m["format"] = req.Schema
	}
	return nil
}
