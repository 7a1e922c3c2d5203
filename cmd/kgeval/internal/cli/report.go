package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/report"
)

// writeWhole writes a file for people as a whole or not at all: to a file
// beside it, which then takes its name. "-" is standard output.
func (a *app) writeWhole(name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(a.stdout)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	defer os.Remove(f.Name()) // gone already where all went well
	_, err = f.Write(b.Bytes())
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return nil
}

// writeCheckPage writes a check as a page.
func (a *app) writeCheckPage(file string, s kgeval.Sample, name string, r claim.Result) error {
	return a.writeWhole(file, func(w io.Writer) error {
		return report.CheckPage(w, s, r, report.Options{Name: name})
	})
}
