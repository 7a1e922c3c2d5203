package langchain

import (
	"reflect"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"github.com/kgeval/kgeval/llm"
)

// Dialect is a provider's protocol, as langchaingo v0.1.14 speaks it.
type Dialect string

// The dialects. A model that wraps one of langchaingo's needs Config.Dialect to
// be known by.
const (
	OpenAI    Dialect = "openai"
	Ollama    Dialect = "ollama"
	Anthropic Dialect = "anthropic"
	GoogleAI  Dialect = "googleai"
	Other     Dialect = "other"
)

// dialectOf finds the dialect by the package of the model's type.
func dialectOf(m llms.Model) Dialect {
	t := reflect.TypeOf(m)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if rest, ok := strings.CutPrefix(t.PkgPath(), "github.com/tmc/langchaingo/llms/"); ok {
		switch d := Dialect(rest); d {
		case OpenAI, Ollama, Anthropic, GoogleAI:
			return d
		}
	}
	return Other
}

// wired reports whether the adapter reads the dialect's exchange.
func (d Dialect) wired() bool { return d == OpenAI || d == Ollama || d == Anthropic }

// fields are the optional fields of llm.Request that reach a provider.
// LogProbs is not among them: it is a wish.
var fields = []string{"Temperature", "TopP", "TopK", "Seed", "MaxTokens", "Stop", "Schema"}

// carried are the fields that langchaingo carries by itself.
var carried = map[Dialect][]string{
	OpenAI:    {"Temperature", "Seed", "MaxTokens", "Stop"},
	Ollama:    {"Temperature", "TopP", "TopK", "Seed", "MaxTokens", "Stop"},
	Anthropic: {"Temperature", "TopP", "MaxTokens", "Stop"},
	GoogleAI:  {"Temperature", "TopP", "TopK", "MaxTokens", "Stop"},
}

// written are the fields that the adapter writes into the request itself.
var written = map[Dialect][]string{
	OpenAI:    fields,
	Ollama:    fields,
	Anthropic: {"Temperature", "TopP", "TopK", "MaxTokens", "Stop"},
}

// options are langchaingo's for a request, or an error for what would be lost.
func (m *Model) options(req llm.Request) ([]llms.CallOption, error) {
	out := []llms.CallOption{llms.WithModel(m.config.Model)}
	set := map[string]bool{}
	if req.Temperature != nil {
		set["Temperature"] = true
		out = append(out, llms.WithTemperature(*req.Temperature))
	}
	if req.TopP != nil {
		set["TopP"] = true
		out = append(out, llms.WithTopP(*req.TopP))
	}
	if req.TopK != nil {
		set["TopK"] = true
		out = append(out, llms.WithTopK(*req.TopK))
	}
	if req.Seed != nil {
		set["Seed"] = true
		out = append(out, llms.WithSeed(int(*req.Seed)))
	}
	if req.MaxTokens > 0 {
		set["MaxTokens"] = true
		out = append(out, llms.WithMaxTokens(req.MaxTokens))
	}
	if len(req.Stop) > 0 {
		set["Stop"] = true
		out = append(out, llms.WithStopWords(slices.Clone(req.Stop)))
	}
	set["Schema"] = len(req.Schema) > 0

	wired := m.config.Client != nil
	can, reason := carried[m.dialect], "langchaingo does not carry it; give the model an HTTP client by langchain.Client"
	switch {
	case wired:
		can, reason = written[m.dialect], "the provider has no such setting"
	case m.dialect == Other:
		can, reason = m.config.Carries, "not among Config.Carries"
	case m.dialect == GoogleAI:
		reason = "langchaingo does not carry it"
	}
	var lost []string
	for _, f := range fields {
		if set[f] && !slices.Contains(can, f) {
			lost = append(lost, f)
		}
	}
	if lost != nil {
		return nil, &llm.UnsupportedError{Fields: lost, Reason: reason}
	}
	if wired {
		return out, nil
	}
	return out, m.changed(req)
}

// changed reports what langchaingo would send as something else.
func (m *Model) changed(req llm.Request) error {
	const wire = "; give the model an HTTP client by langchain.Client"
	if req.Seed != nil && (*req.Seed == 0 || int64(int(*req.Seed)) != *req.Seed) {
		return &llm.UnsupportedError{Fields: []string{"Seed"}, Reason: "langchaingo does not send a seed of 0, or beyond its int" + wire}
	}
	switch {
	case m.dialect == OpenAI && reasons(m.config.Model):
		if req.Temperature != nil {
			return &llm.UnsupportedError{Fields: []string{"Temperature"}, Reason: "langchaingo does not send it to a model of this name" + wire}
		}
	case m.dialect == OpenAI || m.dialect == Ollama || m.dialect == Anthropic:
		if req.Temperature == nil {
			return &llm.UnsupportedError{Fields: []string{"Temperature"}, Reason: "langchaingo sends 0 where it is not set; set it, or" + strings.TrimPrefix(wire, ";")}
		}
	}
	return nil
}

// reasons reports whether langchaingo takes an OpenAI model for one that knows
// no temperature, by its name.
func reasons(model string) bool {
	for _, prefix := range []string{"o1-", "o3-", "gpt-5"} {
		if strings.HasPrefix(model, prefix) {
			return true
		}
	}
	return model == "o3"
}
