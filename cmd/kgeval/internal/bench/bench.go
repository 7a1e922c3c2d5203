// Package bench measures kgeval against data sets and peers: each file is one
// benchmark of `kgeval bench`.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Bench is one benchmark.
type Bench struct {
	// Name is the word after `kgeval bench`.
	Name string
	// Short says what is measured, in one line.
	Short string
	// Run measures and writes a table in Markdown to w. Data is read from dir
	// (see DataDir); args are the words after Name.
	Run func(ctx context.Context, w io.Writer, dir string, args []string) error
}

// ErrNoData is wrapped by errors that say a data set is not there.
var ErrNoData = errors.New("data set not found")

// DataDir returns the folder of the data sets: KGEVAL_DATA, or ../shared/data
// seen from the root of the repository.
func DataDir() string {
	if d := os.Getenv("KGEVAL_DATA"); d != "" {
		return d
	}
	return filepath.FromSlash("../shared/data")
}

// Open opens the data file with the given slash-separated name under dir. The
// error wraps ErrNoData and says how to set the folder.
func Open(dir, name string) (*os.File, error) {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, fmt.Errorf("%w: %v (set KGEVAL_DATA to the folder that holds %s)", ErrNoData, err, name)
	}
	return f, nil
}
