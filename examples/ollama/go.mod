module github.com/kgeval/kgeval/examples/ollama

go 1.26.0

require (
	github.com/kgeval/kgeval v0.1.0
	github.com/kgeval/kgeval/llm/langchain v0.1.0
	github.com/tmc/langchaingo v0.1.14
)

require (
	github.com/dlclark/regexp2 v1.10.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/pkoukk/tiktoken-go v0.1.6 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)
