package embedhttp

import (
	"crypto/sha256"
	"fmt"
)

// ID joins what an embedder's vectors depend on: the dialect, the place, the model,
// the dimensions that are asked for (0: the model's own) and the prefix.
func ID(dialect, place, model, name string, dimensions int, prefix string) string {
	id := name
	if id == "" {
		id = dialect + "-embeddings/" + place + "/" + model
	}
	if dimensions > 0 {
		id += fmt.Sprintf("+d%d", dimensions)
	}
	if prefix != "" {
		id += fmt.Sprintf("+prefix-%x", sha256.Sum256([]byte(prefix)))[:len("+prefix-")+8]
	}
	return id
}
