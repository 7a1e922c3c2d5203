//go:build !cgo || (!ORT && !ALL)

package hugot

import "fmt"

func openORT(string, *modelFolder) (session, tokens, error) {
	return nil, nil, fmt.Errorf("%w: ORT is not in this build; build with cgo and -tags ORT (docs/models/own-onnx.md says what else it needs)", ErrBackend)
}
