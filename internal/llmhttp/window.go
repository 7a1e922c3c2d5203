package llmhttp

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/llm"
)

// overflowPhrases are how servers without a code of their own say that a
// request does not fit.
var overflowPhrases = []string{
	"maximum context length",        // vLLM, OpenAI, Mistral, LM Studio
	"exceeds the available context", // llama.cpp before it had a type
	"exceeds the context",
	"exceed context limit", // Anthropic, with max_tokens
	"context length exceeded",
	"context window",
	"prompt is too long",       // Anthropic, LiteLLM
	"prompt too long",          // Ollama
	"too large for model with", // Mistral
	"input token count",        // Google
	"`inputs` tokens +",        // Text Generation Inference
	"longer than the context",  // LM Studio
	"is too large to process",  // llama.cpp, of a text to embed
}

func (f failure) overflows() bool {
	m := strings.ToLower(f.Message)
	for _, p := range overflowPhrases {
		if strings.Contains(m, p) {
			return true
		}
	}
	return false
}

// The sizes in the messages of those that have no fields for them.
var (
	windowSize = regexp.MustCompile(`(?i)(?:maximum context length (?:is|of)|context size \(?|context limit: \d+ \+ \d+ >|tokens >|number of tokens allowed \(|model with) ?\(?(\d{1,12})`)
	tokensSize = regexp.MustCompile(`(?i)(?:resulted in|requested|prompt contains|request \(|input token count \(|too long:) ?(\d{1,12})`)
)

// sizes returns how much was asked for and how much fits, or nil where the
// server does not tell both.
func (f failure) sizes() *llm.WindowError {
	w := &llm.WindowError{Tokens: f.Tokens, Window: f.Window}
	if w.Window <= 0 {
		w.Window = first(windowSize, f.Message)
	}
	if w.Tokens <= 0 {
		w.Tokens = first(tokensSize, f.Message)
	}
	if w.Tokens <= 0 || w.Window <= 0 {
		return nil
	}
	return w
}

func first(re *regexp.Regexp, s string) int {
	m := re.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return n
}
