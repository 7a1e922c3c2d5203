package calibrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// maxFile bounds what is read of a file, in bytes.
const maxFile = 1 << 20

// Read reads a file. What is none, is longer than 1 MB or has a number out of its
// range is ErrFormat, another version a *VersionError.
func Read(r io.Reader) (File, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return File{}, fmt.Errorf("calibrate: %w", err)
	case len(b) > maxFile:
		return File{}, fmt.Errorf("%w: more than %d bytes", ErrFormat, maxFile)
	}
	// The head first: the rest may be another version's.
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return File{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if head.Format != Format {
		return File{}, fmt.Errorf("%w: \"format\" is %.40q, not %q", ErrFormat, head.Format, Format)
	}
	if head.Version != Version {
		return File{}, &VersionError{Got: head.Version}
	}
	var f File
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields() // a name misspelled by hand would be a threshold of 0
	if err := d.Decode(&f); err != nil {
		return File{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if err := f.check(); err != nil {
		return File{}, err
	}
	return f, nil
}

// Load reads the file of that name.
func Load(name string) (File, error) {
	r, err := os.Open(name)
	if err != nil {
		return File{}, fmt.Errorf("calibrate: %w", err)
	}
	defer r.Close()
	f, err := Read(r)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// LoadFS reads the file of that name from a file system, such as one embedded in the
// caller's program.
func LoadFS(fsys fs.FS, name string) (File, error) {
	r, err := fsys.Open(name)
	if err != nil {
		return File{}, fmt.Errorf("calibrate: %w", err)
	}
	defer r.Close()
	f, err := Read(r)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// Write writes the file as indented JSON; the same file gives the same bytes. It
// refuses what Read would.
func (f File) Write(w io.Writer) error {
	f.Format, f.Version = Format, Version
	if err := f.check(); err != nil {
		return err
	}
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// Save writes the file under that name, whole or not at all.
func (f File) Save(name string) error {
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".calibration-*")
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	_, err = temp.Write(b.Bytes())
	err = errors.Join(err, temp.Chmod(0o644), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("calibrate: %w", errors.Join(err, os.Remove(temp.Name())))
	}
	return nil
}

// check reports what is missing or out of its range.
func (f File) check() error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
	}
	if f.Model == "" {
		return wrong(`"model" is empty`)
	}
	switch f.Kind {
	case Embed:
		if len(f.Matches) == 0 || f.Verdicts != nil {
			return wrong("a file for an embedder has matches, and no verdicts")
		}
		for unit, m := range f.Matches {
			if !slices.Contains(units, unit) {
				return wrong("unit %.40q is none of %v", unit, units)
			}
			// 0 stands for "not measured" in embed.Thresholds.
			if !(m.Cosine >= -1 && m.Cosine <= 1) || m.Cosine == 0 {
				return wrong("%s: the cosine is %v, which is no threshold", unit, m.Cosine)
			}
			if err := shares(m.Found, m.False, m.HeldFound, m.HeldFalse, m.AUROC); err != nil || m.Same < 0 || m.Different < 0 {
				return wrong("%s: a share or a count is out of its range", unit)
			}
		}
	case NLI:
		if f.Verdicts == nil || len(f.Matches) != 0 {
			return wrong("a file for an entailment model has verdicts, and no matches")
		}
		v := *f.Verdicts
		if err := v.calibration().Validate(); err != nil {
			return fmt.Errorf("%w: %w", ErrFormat, err)
		}
		if err := shares(v.AUROC, v.HeldAccuracy, v.HeldAlarms); err != nil || v.Consistent < 0 || v.Inconsistent < 0 || v.Unjudged < 0 {
			return wrong("a share or a count is out of its range")
		}
	default:
		return wrong(`"kind" is %.40q, neither %q nor %q`, f.Kind, Embed, NLI)
	}
	return nil
}

var errShare = errors.New("no share")

func shares(all ...float64) error {
	for _, x := range all {
		if !(x >= 0 && x <= 1) || math.IsNaN(x) {
			return errShare
		}
	}
	return nil
}
