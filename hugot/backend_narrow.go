//go:build !(amd64 || arm64 || loong64 || mips64 || mips64le || ppc64 || ppc64le || riscv64 || s390x)

package hugot

import "fmt"

// openGo has nothing to open: hugot's libraries do not build for 32 bits.
func openGo(*modelFolder) (session, tokens, error) {
	return nil, nil, fmt.Errorf("%w: the Go backend needs a 64-bit processor", ErrBackend)
}
