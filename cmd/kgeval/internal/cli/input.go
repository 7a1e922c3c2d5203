package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/segment"
)

// read returns the whole of a file, or of standard input for "-". The name of
// the thing that is read stands in errors.
func (a *app) read(what, name string) (string, error) {
	if name != "-" {
		b, err := os.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", what, err)
		}
		return string(b), nil
	}
	r, err := a.standardInput(what)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r)
	if err != nil {
		return "", fmt.Errorf("%s: standard input: %w", what, err)
	}
	return string(b), nil
}

// standardInput returns standard input the first time, and an error if two
// things want to read it.
func (a *app) standardInput(what string) (io.Reader, error) {
	if a.stdinUsed != "" {
		return nil, fmt.Errorf("both %s and %s would read standard input; give one of them as a file", a.stdinUsed, what)
	}
	a.stdinUsed = what
	return a.stdin, nil
}

// text returns what a pair of flags gives: --what FILE or --what-text TEXT.
// ok is false when neither was given.
func (a *app) text(what, file, text string, fileSet, textSet bool) (s string, ok bool, err error) {
	switch {
	case fileSet && textSet:
		return "", false, fmt.Errorf("--%s and --%s-text were both given; leave one out", what, what)
	case fileSet:
		s, err = a.read("--"+what, file)
		return s, err == nil, err
	case textSet:
		return text, true, nil
	}
	return "", false, nil
}

// utf8Text trims a byte order mark and returns text as UTF-8: as it is, or
// repaired when repair is set, or an error that names the offset.
func utf8Text(what, text string, repair bool) (string, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if err := segment.CheckUTF8(text); err != nil {
		if !repair {
			return "", fmt.Errorf("%s: %w; save it as UTF-8, or repair it with --repair", what, trimPrefix(err))
		}
		text = segment.RepairUTF8(text)
	}
	return text, nil
}

// trimPrefix drops the name of the package from an error that a user reads.
func trimPrefix(err error) error { return plainError{err} }

type plainError struct{ error }

func (e plainError) Unwrap() error { return e.error }

func (e plainError) Error() string {
	s := e.error.Error()
	for _, p := range []string{"segment: ", "claim: ", "grapheval: ", "graphcorrect: ", "s3kg: ", "kg: ", "nli: ", "nli/builtin: ", "calibrate: ", "experiment: ", "dataset: "} {
		s = strings.TrimPrefix(s, p)
	}
	return s
}

// sources returns the context of a single item: one source per file, named by
// the file, or the one text of --context-text.
func (a *app) sources(files []string, text string, filesSet, textSet, repair bool) ([]kgeval.Source, error) {
	if filesSet && textSet {
		return nil, fmt.Errorf("--context and --context-text were both given; leave one out")
	}
	if textSet {
		t, err := utf8Text("--context-text", text, repair)
		if err != nil {
			return nil, err
		}
		return []kgeval.Source{{ID: "context", Text: t}}, nil
	}
	if !filesSet {
		return nil, fmt.Errorf("say which context to check against: --context FILE or --context-text TEXT (or --jsonl FILE for many)")
	}
	var out []kgeval.Source
	for _, f := range files {
		t, err := a.read("--context", f)
		if err != nil {
			return nil, err
		}
		if t, err = utf8Text(f, t, repair); err != nil {
			return nil, err
		}
		id := filepath.ToSlash(f)
		if f == "-" {
			id = "stdin"
		}
		out = append(out, kgeval.Source{ID: id, Text: t})
	}
	return out, nil
}
