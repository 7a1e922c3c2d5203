//go:build amd64 || arm64 || loong64 || mips64 || mips64le || ppc64 || ppc64le || riscv64 || s390x

package hugot

import (
	"context"
	"fmt"
	"path/filepath"

	_ "github.com/gomlx/gomlx/backends/simplego" // the engine in pure Go
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/knights-analytics/hugot/backends"
	"github.com/knights-analytics/hugot/options"
)

// openGo loads the graph with hugot's Go backend, and reads the tokenizer itself.
func openGo(f *modelFolder) (session, tokens, error) {
	tok, err := goTokens(f.tokenizer)
	if err != nil {
		return nil, nil, err
	}
	s, err := loadGo(f)
	if err != nil {
		return nil, nil, err
	}
	return s, tok, nil
}

// goSession is a graph under GoMLX, as hugot loads it. hugot's pipelines are not used:
// they leave a run behind when a context ends and free its tensors under it, fill
// position ids from 1, and pad sequences of one batch to one length.
type goSession struct{ model *backends.Model }

func loadGo(f *modelFolder) (s *goSession, err error) {
	// A damaged file makes the parser or the translation of its graph panic.
	defer recovered(&err)
	o := options.Defaults()
	o.Backend = "GO"
	m := &backends.Model{Path: filepath.Dir(f.onnx), OnnxFilename: filepath.Base(f.onnx), Pipelines: map[string]backends.Pipeline{}}
	if err := backends.CreateModelBackend(context.Background(), m, o); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrGraph, filepath.Base(f.onnx), err)
	}
	// hugot looks for the file's name in all folders below.
	if got := filepath.Join(m.Path, filepath.FromSlash(m.OnnxPath)); filepath.Clean(got) != f.onnx {
		m.GoMLXModel.Destroy()
		return nil, fmt.Errorf("%w: there are two files %s, and hugot took %s; move one away", ErrFolder, filepath.Base(f.onnx), got)
	}
	return &goSession{m}, nil
}

// recovered turns a panic of the libraries below into an error.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", ErrGraph, r)
	}
}

func infos(of []backends.InputOutputInfo) []tensorInfo {
	var out []tensorInfo
	for _, t := range of {
		out = append(out, tensorInfo{t.Name, t.Dimensions})
	}
	return out
}

func (s *goSession) inputs() []tensorInfo  { return infos(s.model.InputsMeta) }
func (s *goSession) outputs() []tensorInfo { return infos(s.model.OutputsMeta) }

func (s *goSession) run(values [][]int64) (out []tensor, err error) {
	defer recovered(&err)
	in := make([]any, len(values))
	for i, v := range values {
		t := tensors.FromFlatDataAndDimensions(v, 1, len(v))
		defer t.FinalizeAll() //nolint:errcheck // memory that the collector frees anyway
		in[i] = t
	}
	results, err := s.model.GoMLXModel.Exec.Exec(in...)
	for _, t := range results {
		defer t.FinalizeAll() //nolint:errcheck // as above
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGraph, err)
	}
	for _, t := range results {
		o := tensor{dims: t.Shape().Dimensions}
		if t.DType() == dtypes.Float32 {
			if o.data, err = tensors.CopyFlatData[float32](t); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrGraph, err)
			}
		}
		out = append(out, o)
	}
	return out, nil
}

func (s *goSession) close() (err error) {
	defer recovered(&err)
	s.model.GoMLXModel.Destroy()
	return nil
}
