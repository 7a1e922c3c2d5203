package cli

import (
	"bytes"
	"context"
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

	"github.com/spf13/cobra"
)

// manifestName is the file that says what belongs to a model's folder.
const manifestName = "kgeval-manifest.json"

// manifest is what kgeval model manifest writes; docs/models/own-onnx.md describes it.
type manifest struct {
	Format  string         `json:"format"`
	Version int            `json:"version"`
	Files   []manifestFile `json:"files"`
}

type manifestFile struct {
	Path   string `json:"path"` // below the folder, with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// modelFiles lists the files below dir in order, links to files among them, but for
// the manifest itself and what begins with a dot.
func modelFiles(ctx context.Context, dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if path != dir && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || rel == manifestName {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			info, err := os.Stat(path)
			if err != nil {
				return fmt.Errorf("%s is a link that leads nowhere: %w", filepath.ToSlash(rel), err)
			}
			if info.Mode().IsRegular() {
				out = append(out, filepath.ToSlash(rel))
			}
			return nil
		}
		if d.Type().IsRegular() {
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	slices.Sort(out)
	return out, err
}

// measure returns a file's size and sum; it stops when ctx ends.
func measure(ctx context.Context, dir, path string) (manifestFile, error) {
	m := manifestFile{Path: path}
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(path)))
	if err != nil {
		return m, err
	}
	defer f.Close()
	h := sha256.New()
	for {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		n, err := io.CopyN(h, f, 1<<22)
		m.Bytes += n
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return m, err
		}
	}
	m.SHA256 = fmt.Sprintf("%x", h.Sum(nil))
	return m, nil
}

// readManifest reads and checks a manifest.
func readManifest(b []byte) (manifest, error) {
	var m manifest
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return m, errors.New("something stands behind the manifest's end")
	}
	if m.Format != "kgeval.manifest" || m.Version != 1 {
		return m, fmt.Errorf("it has the format %q, version %d; want kgeval.manifest, 1", m.Format, m.Version)
	}
	for i, f := range m.Files {
		switch {
		case !filepath.IsLocal(filepath.FromSlash(f.Path)) || strings.ContainsAny(f.Path, "\\\x00"):
			return m, fmt.Errorf("file %d: %q is no path below the folder", i+1, f.Path)
		case f.Bytes < 0 || len(f.SHA256) != 64 || strings.Trim(f.SHA256, "0123456789abcdef") != "":
			return m, fmt.Errorf("file %d: %q has no size, or no sum of 64 hex digits", i+1, f.Path)
		case i > 0 && f.Path <= m.Files[i-1].Path:
			return m, fmt.Errorf("file %d: %q stands twice or out of order", i+1, f.Path)
		}
	}
	return m, nil
}

// compareFile says what is wrong with a file, "" for nothing. The size is looked
// at first: it tells a broken download without reading gigabytes.
func compareFile(ctx context.Context, dir string, want manifestFile) (string, error) {
	path := filepath.Join(dir, filepath.FromSlash(want.Path))
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is missing", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "is no file", nil
	case info.Size() != want.Bytes:
		if pointer(path) {
			return fmt.Sprintf("is a Git LFS pointer and not the file of %s bytes; fetch it with git lfs pull", grouped(int(want.Bytes))), nil
		}
		hint := ""
		if info.Size() < want.Bytes {
			hint = "; the download may have broken off"
		}
		return fmt.Sprintf("has %s bytes, not %s%s", grouped(int(info.Size())), grouped(int(want.Bytes)), hint), nil
	}
	got, err := measure(ctx, dir, want.Path)
	if err != nil {
		return "", err
	}
	if got.SHA256 != want.SHA256 {
		return fmt.Sprintf("has the right size and another content (SHA-256 %s…, not %s…): damaged, or another version", got.SHA256[:12], want.SHA256[:12]), nil
	}
	return "", nil
}

// pointer reports whether a file is what git leaves where Git LFS is not installed.
func pointer(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const begin = "version https://git-lfs"
	b := make([]byte, len(begin))
	_, err = io.ReadFull(f, b)
	return err == nil && string(b) == begin
}

func oneFolder(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("name the model's folder, and nothing else")
	}
	if info, err := os.Stat(args[0]); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is a file; name the folder that it is in", args[0])
	}
	return nil
}

func (a *app) modelManifestCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "manifest FOLDER",
		Short: "Write sizes and sums of a model's own files",
		Long: `Manifest writes the size and the SHA-256 of every file below the folder to
` + manifestName + ` in it, so that "kgeval model check" can tell on another day or
machine whether the model is the same. Files that begin with a dot are left out.`,
		Args: oneFolder,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := modelFiles(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if len(files) == 0 {
				return fmt.Errorf("%s holds no files", args[0])
			}
			m := manifest{Format: "kgeval.manifest", Version: 1}
			for _, path := range files {
				f, err := measure(cmd.Context(), args[0], path)
				if err != nil {
					return err
				}
				m.Files = append(m.Files, f)
			}
			b, err := json.MarshalIndent(m, "", "  ")
			if err != nil {
				return err
			}
			b = append(b, '\n')
			if out == "-" {
				_, err = a.stdout.Write(b)
				return err
			}
			if out == "" {
				out = filepath.Join(args[0], manifestName)
			}
			if err := os.WriteFile(out, b, 0o644); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%s: %d files\n", out, len(m.Files))
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`file` to write, - for standard output (default "+manifestName+" in the folder)")
	return cmd
}

func (a *app) modelCheckCommand() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "check FOLDER",
		Short: "Compare a model's files with its manifest",
		Long: `Check compares every file below the folder with what "kgeval model manifest" wrote:
a file that is missing, has another size or another content, or that the manifest
does not have, is named, and the exit code is then 1.`,
		Args: oneFolder,
		RunE: func(cmd *cobra.Command, args []string) error {
			if from == "" {
				from = filepath.Join(args[0], manifestName)
			}
			b, err := os.ReadFile(from)
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%w; write it with kgeval model manifest, on a copy that you trust", err)
			} else if err != nil {
				return err
			}
			m, err := readManifest(b)
			if err != nil {
				return fmt.Errorf("%s: %w", from, err)
			}
			present, err := modelFiles(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			known, wrong := map[string]bool{}, 0
			report := func(path, what string) error {
				wrong++
				_, err := fmt.Fprintf(a.stdout, "%s %s\n", path, what)
				return err
			}
			for _, f := range m.Files {
				known[f.Path] = true
				what, err := compareFile(cmd.Context(), args[0], f)
				if err == nil && what != "" {
					err = report(f.Path, what)
				}
				if err != nil {
					return err
				}
			}
			for _, path := range present {
				if !known[path] {
					if err := report(path, "is not in the manifest"); err != nil {
						return err
					}
				}
			}
			if wrong > 0 {
				a.code = exitBad
				_, err = fmt.Fprintf(a.stdout, "%d of %d files are not as the manifest says\n", wrong, len(m.Files))
			} else {
				_, err = fmt.Fprintf(a.stdout, "%d files are as the manifest says\n", len(m.Files))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&from, "manifest", "", "`file` to compare with (default "+manifestName+" in the folder)")
	return cmd
}
