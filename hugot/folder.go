package hugot

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// modelFolder is a model's folder as Hugging Face's tools write it.
type modelFolder struct {
	path string // absolute
	onnx string // absolute path of the graph
	// read are the files that were read, relative to path.
	read []string
	// config is config.json.
	config modelConfig
	// tokenizer is tokenizer.json.
	tokenizer tokenizerFile
	// raw are the bytes of tokenizer.json, without truncation and padding.
	raw []byte
}

// modelConfig is what is used of config.json.
type modelConfig struct {
	Name      string            `json:"_name_or_path"`
	Type      string            `json:"model_type"`
	Vocab     int               `json:"vocab_size"`
	Types     *int              `json:"type_vocab_size"`
	Positions int               `json:"max_position_embeddings"`
	Pad       *int              `json:"pad_token_id"`
	Labels    map[string]string `json:"id2label"`
}

// openFolder reads the settings of a folder, and refuses one that lacks what
// is always needed.
func openFolder(path string, o Options) (*modelFolder, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFolder, err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFolder, err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%w: %s is a file; name the folder that it is in", ErrFolder, path)
	}
	f := &modelFolder{path: abs}
	if err := f.findGraph(o.File); err != nil {
		return nil, err
	}
	if ok, err := f.json("config.json", &f.config); err != nil {
		return nil, err
	} else if !ok {
		return nil, fmt.Errorf("%w: %s has no config.json; copy it from where the model comes from", ErrFolder, path)
	}
	if f.config.Vocab <= 0 {
		return nil, fmt.Errorf("%w: config.json has no vocab_size", ErrConfig)
	}
	return f, f.readTokenizer()
}

// readTokenizer reads tokenizer.json, and takes from it what cuts or pads texts.
func (f *modelFolder) readTokenizer() error {
	var all map[string]json.RawMessage
	if ok, err := f.json("tokenizer.json", &all); err != nil {
		return err
	} else if !ok {
		return fmt.Errorf("%w: %s has no tokenizer.json; write it with transformers: AutoTokenizer.from_pretrained(MODEL).save_pretrained(FOLDER)", ErrFolder, f.path)
	}
	all["truncation"], all["padding"] = json.RawMessage("null"), json.RawMessage("null")
	raw, err := json.Marshal(all)
	if err == nil {
		f.raw = raw
		err = json.Unmarshal(raw, &f.tokenizer)
	}
	if err != nil {
		return fmt.Errorf("%w: tokenizer.json: %w", ErrConfig, err)
	}
	return nil
}

// findGraph finds the .onnx file: the one that is named, or the only one.
func (f *modelFolder) findGraph(name string) error {
	if name != "" {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%w: File %q is not inside the folder", ErrFolder, name)
		}
		f.onnx = filepath.Join(f.path, name)
		if info, err := os.Stat(f.onnx); err != nil {
			return fmt.Errorf("%w: %w", ErrFolder, err)
		} else if !info.Mode().IsRegular() {
			return fmt.Errorf("%w: %s is no file", ErrFolder, name)
		}
		f.read = append(f.read, filepath.Clean(name))
		return nil
	}
	found, err := f.named(".", func(n string) bool { return strings.HasSuffix(n, ".onnx") })
	if err == nil {
		var more []string
		more, err = f.named("onnx", func(n string) bool { return strings.HasSuffix(n, ".onnx") })
		found = append(found, more...)
	}
	if err != nil {
		return err
	}
	switch len(found) {
	case 0:
		return fmt.Errorf("%w: %s has no .onnx file; docs/models says how to export one", ErrFolder, f.path)
	case 1:
		f.onnx = filepath.Join(f.path, found[0])
		f.read = append(f.read, found[0])
		return nil
	}
	return fmt.Errorf("%w: several .onnx files, name one in Options.File: %s", ErrFolder, strings.Join(found, ", "))
}

// named returns the files in a folder of the folder that match, if it is there.
func (f *modelFolder) named(dir string, match func(name string) bool) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(f.path, dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrFolder, err)
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() && match(e.Name()) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

// json reads a file of settings into v, and reports whether there is one.
func (f *modelFolder) json(name string, v any) (bool, error) {
	b, err := os.ReadFile(filepath.Join(f.path, filepath.FromSlash(name)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%w: %w", ErrFolder, err)
	}
	f.read = append(f.read, name)
	if err := json.Unmarshal(b, v); err != nil {
		return false, fmt.Errorf("%w: %s: %w", ErrConfig, name, err)
	}
	return true, nil
}

// sum identifies the model: the first 12 hex digits of a SHA-256 over every file
// that was read, and those beside the graph that hold its weights.
func (f *modelFolder) sum() (string, error) {
	dir, err := filepath.Rel(f.path, filepath.Dir(f.onnx))
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrFolder, err)
	}
	weights, err := f.named(dir, func(n string) bool { return strings.HasSuffix(n, ".data") || strings.Contains(n, "onnx_data") })
	if err != nil {
		return "", err
	}
	files := append(slices.Clone(f.read), weights...)
	slices.Sort(files)
	h := sha256.New()
	for _, name := range slices.Compact(files) {
		if err := addFile(h, f.path, name); err != nil {
			return "", fmt.Errorf("%w: %w", ErrFolder, err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:12], nil
}

// addFile adds a file's name, length and bytes to h.
func addFile(h io.Writer, dir, name string) error {
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "%q %d\n", filepath.ToSlash(name), info.Size())
	_, err = io.Copy(h, file)
	return err
}

// name is what the model is called: the folder's name, since a config's own is
// often a path of whoever exported it.
func (f *modelFolder) name() string { return filepath.Base(f.path) }

// defaultTokens is for models that say nothing of their length.
const defaultTokens = 512

// maxTokens returns how many tokens are read at once: the least of what the
// settings say, the caller's wish, and what there are positions for.
func (f *modelFolder) maxTokens(wish int, more ...int) (int, error) {
	var tok struct {
		Length float64 `json:"model_max_length"`
	}
	if _, err := f.json("tokenizer_config.json", &tok); err != nil {
		return 0, err
	}
	limit := 0
	take := func(n int) {
		if n > 0 && (limit == 0 || n < limit) {
			limit = n
		}
	}
	if tok.Length < 1e6 { // "no limit" is written as 1e30
		take(int(tok.Length))
	}
	switch f.config.Type {
	case "roberta", "xlm-roberta", "camembert", "mpnet", "longformer", "xlm-roberta-xl": // their positions begin behind the padding's
		if pad := 1; f.config.Positions > 0 {
			if f.config.Pad != nil {
				pad = *f.config.Pad
			}
			take(f.config.Positions - pad - 1)
		}
	default:
		take(f.config.Positions)
	}
	for _, n := range more {
		take(n)
	}
	if limit == 0 {
		limit = defaultTokens
	}
	take(wish)
	if limit < 8 {
		return 0, fmt.Errorf("%w: %d tokens at once are too few, at least 8 are needed", ErrConfig, limit)
	}
	return limit, nil
}
