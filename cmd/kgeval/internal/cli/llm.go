package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/openai"
	"github.com/kgeval/kgeval/llm/retry"
)

// llmKey is the environment variable of the key: a flag would show it to every
// process on the machine.
const llmKey = "KGEVAL_LLM_KEY"

// llmFlags say which language model does a part of a command's work.
type llmFlags struct{ url, model string }

func (l *llmFlags) register(cmd *cobra.Command, what string) {
	f := cmd.Flags()
	f.StringVar(&l.url, "llm", "", what+" with a language model behind an OpenAI-compatible endpoint, `URL` such as http://localhost:11434/v1; its key is read from "+llmKey)
	f.StringVar(&l.model, "llm-model", "", "the `NAME` of the language model at --llm")
}

// open returns the model, or nil without --llm.
func (l llmFlags) open() (llm.Model, error) {
	switch {
	case l.url == "" && l.model == "":
		return nil, nil
	case l.url == "":
		return nil, fmt.Errorf("--llm-model names a model, but --llm does not say where it is")
	case l.model == "":
		return nil, fmt.Errorf("--llm needs the name of the model: --llm-model NAME")
	}
	m, err := openai.New(openai.Config{BaseURL: l.url, Model: l.model, Key: os.Getenv(llmKey)})
	if err != nil {
		return nil, fmt.Errorf("--llm: %w", plainError{err})
	}
	return retry.New(m, retry.Options{}), nil
}

// extractor returns the extractor that asks the model, or nil without --llm.
func (l llmFlags) extractor() (*llmkg.Extractor, error) {
	m, err := l.open()
	if m == nil || err != nil {
		return nil, err
	}
	x, err := llmkg.New(m, llmkg.Options{})
	if err != nil {
		return nil, plainError{err}
	}
	return x, nil
}

// settings is the part of a journal's settings that names the model; it is empty
// without --llm.
func (l llmFlags) settings() string {
	m, err := l.open()
	if m == nil || err != nil {
		return ""
	}
	return " llm=" + m.ID()
}
