//go:build cgo && (ORT || ALL)

package hugot

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	rust "github.com/daulet/tokenizers"
	ort "github.com/yalue/onnxruntime_go"
)

// openORT loads the graph into ONNX Runtime, through the binding that hugot uses, and
// the tokenizer into Hugging Face's own library. hugot's loader is not used: it
// changes the process' working directory, and its runs never free their outputs.
func openORT(library string, f *modelFolder) (session, tokens, error) {
	if err := runtimes.start(library); err != nil {
		return nil, nil, err
	}
	tok, err := rust.FromBytes(f.raw, rust.WithEncodeSpecialTokens())
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%w: %w", ErrTokenizer, err), runtimes.stop())
	}
	s, err := loadORT(f.onnx)
	if err != nil {
		return nil, nil, errors.Join(err, tok.Close(), runtimes.stop())
	}
	return s, &rustTokens{tok: tok}, nil
}

// runtimes counts who uses ONNX Runtime, which a process has once. Where
// somebody else started it, it is used as it is and left alone.
var runtimes environment

type environment struct {
	mu    sync.Mutex
	users int
	ours  bool
}

func (e *environment) start(library string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.users == 0 && !ort.IsInitialized() {
		name := map[string]string{"windows": "onnxruntime.dll", "darwin": "libonnxruntime.dylib"}[runtime.GOOS]
		if name == "" {
			name = "libonnxruntime.so"
		}
		if library == "" && runtime.GOOS == "linux" {
			library = "/usr/lib"
		}
		path := filepath.Join(library, name)
		if library != "" {
			if _, err := os.Stat(path); err != nil {
				return fmt.Errorf("%w: ONNX Runtime's library: %w; name its folder in Options.Library", ErrBackend, err)
			}
		}
		ort.SetSharedLibraryPath(path)
		if err := ort.InitializeEnvironment(); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrBackend, path, err)
		}
		if err := ort.DisableTelemetry(); err != nil {
			return errors.Join(fmt.Errorf("%w: %w", ErrBackend, err), ort.DestroyEnvironment())
		}
		e.ours = true
	}
	e.users++
	return nil
}

func (e *environment) stop() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.users--; e.users > 0 || !e.ours {
		return nil
	}
	e.ours = false
	return ort.DestroyEnvironment()
}

type ortSession struct {
	graph   *ort.DynamicAdvancedSession
	in, out []tensorInfo
}

func loadORT(path string) (*ortSession, error) {
	fail := func(err error) (*ortSession, error) {
		return nil, fmt.Errorf("%w: %s: %w", ErrGraph, filepath.Base(path), err)
	}
	in, out, err := ort.GetInputOutputInfo(path)
	if err != nil {
		return fail(err)
	}
	s := &ortSession{}
	var inNames, outNames []string
	for _, i := range in {
		s.in, inNames = append(s.in, tensorInfo{i.Name, i.Dimensions}), append(inNames, i.Name)
	}
	for _, o := range out {
		s.out, outNames = append(s.out, tensorInfo{o.Name, o.Dimensions}), append(outNames, o.Name)
	}
	if s.graph, err = ort.NewDynamicAdvancedSession(path, inNames, outNames, nil); err != nil {
		return fail(err)
	}
	return s, nil
}

func (s *ortSession) inputs() []tensorInfo  { return s.in }
func (s *ortSession) outputs() []tensorInfo { return s.out }

func (s *ortSession) run(values [][]int64) (out []tensor, err error) {
	in, results := make([]ort.Value, 0, len(values)), make([]ort.Value, len(s.out))
	defer func() {
		for _, v := range append(in, results...) {
			if v != nil {
				err = errors.Join(err, v.Destroy())
			}
		}
	}()
	for _, v := range values {
		t, err := ort.NewTensor(ort.NewShape(1, int64(len(v))), v)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrGraph, err)
		}
		in = append(in, t)
	}
	if err := s.graph.Run(in, results); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGraph, err)
	}
	for _, r := range results {
		o := tensor{}
		for _, d := range r.GetShape() {
			o.dims = append(o.dims, int(d))
		}
		if t, ok := r.(*ort.Tensor[float32]); ok {
			o.data = append(o.data, t.GetData()...)
		}
		out = append(out, o)
	}
	return out, nil
}

func (s *ortSession) close() error { return errors.Join(s.graph.Destroy(), runtimes.stop()) }

// rustTokens is the reference's own tokenizer. Closing waits for calls.
type rustTokens struct {
	mu  sync.RWMutex
	tok *rust.Tokenizer
}

// encode leaves out NUL, at which a C string ends, and what is not UTF-8, which
// the library refuses.
func (t *rustTokens) encode(text string, _ int) ([]uint32, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.tok == nil {
		return nil, ErrClosed
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
	e, err := t.tok.EncodeWithOptionsErr(text, false)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTokenizer, err)
	}
	return e.IDs, nil
}

func (t *rustTokens) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tok == nil {
		return nil
	}
	tok := t.tok
	t.tok = nil
	return tok.Close()
}
