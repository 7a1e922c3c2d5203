package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// modelFolder writes a folder as a model's.
func modelFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"model.onnx": strings.Repeat("weights ", 1000), "config.json": "{}", "1_Pooling/config.json": "{\"a\":1}", ".cache/x": "not part of it",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestModelManifestAndCheck(t *testing.T) {
	dir := modelFolder(t)
	if got := kgevalRun(t, "", "model", "check", dir); got.code != exitUsage || !strings.Contains(got.stderr, "kgeval model manifest") {
		t.Fatalf("without a manifest: %+v", got)
	}
	if got := kgevalRun(t, "", "model", "manifest", dir); got.code != exitOK || !strings.Contains(got.stdout, "3 files") {
		t.Fatalf("%+v", got)
	}
	b, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := readManifest(b)
	if err != nil || len(m.Files) != 3 || m.Files[0].Path != "1_Pooling/config.json" || m.Files[2].Bytes != 8000 {
		t.Fatalf("%+v, %v", m, err)
	}
	if got := kgevalRun(t, "", "model", "manifest", "--out", "-", dir); got.stdout != string(b) {
		t.Errorf("the same folder gives another manifest: %s", got.stdout)
	}
	if got := kgevalRun(t, "", "model", "check", dir); got.code != exitOK || got.stdout != "3 files are as the manifest says\n" {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		name string
		edit func(dir string) error
		says string
	}{
		{"missing", func(d string) error { return os.Remove(d + "/config.json") }, "config.json is missing\n"},
		{"shorter", func(d string) error { return os.Truncate(d+"/model.onnx", 5000) }, "model.onnx has 5,000 bytes, not 8,000; the download may have broken off\n"},
		{"longer", func(d string) error { return os.WriteFile(d+"/config.json", []byte("{\"a\": 2}"), 0o644) }, "config.json has 8 bytes, not 2\n"},
		{"other content", func(d string) error { return os.WriteFile(d+"/config.json", []byte("[]"), 0o644) }, "config.json has the right size and another content"},
		{"a pointer", func(d string) error {
			return os.WriteFile(d+"/model.onnx", []byte("version https://git-lfs.github.com/spec/v1\n"), 0o644)
		}, "git lfs pull"},
		{"one more", func(d string) error { return os.WriteFile(d+"/model_int8.onnx", nil, 0o644) }, "model_int8.onnx is not in the manifest\n"},
		{"a folder in its place", func(d string) error {
			if err := os.Remove(d + "/config.json"); err != nil {
				return err
			}
			return os.Mkdir(d+"/config.json", 0o755)
		}, "config.json is no file\n"},
	} {
		dir := modelFolder(t)
		kgevalRun(t, "", "model", "manifest", dir)
		if err := c.edit(dir); err != nil {
			t.Fatal(err)
		}
		got := kgevalRun(t, "", "model", "check", dir)
		if got.code != exitBad || !strings.Contains(got.stdout, c.says) || !strings.Contains(got.stdout, "1 of 3 files") {
			t.Errorf("%s: %+v, want %q", c.name, got, c.says)
		}
	}
}

func TestModelManifestUsage(t *testing.T) {
	dir := modelFolder(t)
	for _, args := range [][]string{
		{"model", "manifest"}, {"model", "check", dir, dir}, {"model", "manifest", dir + "/config.json"}, {"model", "check", dir + "/none"},
		{"model", "manifest", t.TempDir()}, {"model", "manifest", "--out", dir + "/no/such/folder", dir},
	} {
		if got := kgevalRun(t, "", args...); got.code != exitUsage || got.stderr == "" {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// FuzzManifest: whatever is accepted names files below the folder, each once, and is
// the same when it is written and read again.
func FuzzManifest(f *testing.F) {
	sum := strings.Repeat("0a", 32)
	f.Add([]byte(`{"format":"kgeval.manifest","version":1,"files":[{"path":"a/b","bytes":3,"sha256":"` + sum + `"}]}`))
	f.Add([]byte(`{"format":"kgeval.manifest","version":1,"files":[{"path":"../b","bytes":3,"sha256":"` + sum + `"}]}`))
	f.Add([]byte(`{"format":"kgeval.manifest","version":2}`))
	f.Add([]byte(`{"format":"kgeval.manifest","version":1} x`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := readManifest(b)
		if err != nil {
			return
		}
		for i, file := range m.Files {
			if !filepath.IsLocal(filepath.FromSlash(file.Path)) || i > 0 && file.Path <= m.Files[i-1].Path {
				t.Errorf("%q is accepted", file.Path)
			}
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := readManifest(again); err != nil || len(n.Files) != len(m.Files) {
			t.Errorf("%s: %v", again, err)
		}
	})
}
