//go:build cgo && (ORT || ALL)

package hugot

import "os"

// ofBuild are what this build has.
var ofBuild = []Backend{Go, ORT}

// testOptions takes ONNX Runtime's library from KGEVAL_ORT, the folder that .ci/ort
// fills.
func testOptions(b Backend) Options { return Options{Backend: b, Library: os.Getenv("KGEVAL_ORT")} }
