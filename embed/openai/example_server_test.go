package openai_test

import (
	"net/http/httptest"

	"github.com/kgeval/kgeval/internal/embedfault"
)

// exampleServer stands for a server of the reader's.
func exampleServer() *httptest.Server { return httptest.NewServer(embedfault.OpenAI.Good(0)) }
