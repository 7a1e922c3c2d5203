package embedhttp

import (
	"errors"
	"fmt"

	"github.com/kgeval/kgeval/embed"
)

// DecodeOpenAI reads an answer in OpenAI's dialect to a request of some texts, and
// puts the vectors into the order of their indices: servers may answer in
// any. An answer without indices is in order.
func DecodeOpenAI(body []byte, texts int) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     *int   `json:"index"`
			Embedding Vector `json:"embedding"`
		} `json:"data"`
	}
	if err := Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	if answer.Data == nil {
		return nil, ErrAnswer
	}
	if len(answer.Data) != texts {
		return nil, &embed.CountError{Want: texts, Got: len(answer.Data)}
	}
	vectors := make([][]float32, texts)
	without := 0
	for i, d := range answer.Data {
		at := i
		if d.Index == nil {
			without++
		} else {
			at = *d.Index
		}
		if at < 0 || at >= texts || vectors[at] != nil {
			return nil, fmt.Errorf("index %d of a vector is out of place or there twice", at)
		}
		if d.Embedding == nil {
			return nil, &embed.LengthError{Index: at}
		}
		vectors[at] = d.Embedding
	}
	if without > 0 && without < texts {
		return nil, errors.New("some vectors have an index and some have none")
	}
	return vectors, nil
}

// DecodeOllama reads an answer of Ollama's, whose vectors are in order.
func DecodeOllama(body []byte, texts int) ([][]float32, error) {
	var answer struct {
		Embeddings []Vector `json:"embeddings"`
	}
	if err := Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	if answer.Embeddings == nil {
		return nil, ErrAnswer
	}
	if len(answer.Embeddings) != texts {
		return nil, &embed.CountError{Want: texts, Got: len(answer.Embeddings)}
	}
	vectors := make([][]float32, texts)
	for i, v := range answer.Embeddings {
		vectors[i] = v
	}
	return vectors, nil
}
