package jsonl

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Whatever a file holds, opening it for output either refuses and leaves it as
// it is, or keeps its whole rows and cuts off the rest.
func FuzzOpenOutput(f *testing.F) {
	row := `{"format":"test.length","version":1,"id":1,"line":1,"input":"00","length":1}` + "\n"
	f.Add([]byte(""))
	f.Add([]byte(row))
	f.Add([]byte(row + row[:20]))
	f.Add([]byte(row[:9]))
	f.Add([]byte(`{"format":"tesX`))
	f.Add([]byte("\x00\xff\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		name := filepath.Join(t.TempDir(), "out.jsonl")
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := OpenOutput(name, "test.length", 1, nil)
		want := content
		if err == nil {
			o.Close()
			want = content[:bytes.LastIndexByte(content, '\n')+1]
			if n := bytes.Count(want, []byte("\n")); n != len(o.Rows) || int(o.Repaired) != len(content)-len(want) {
				t.Errorf("%d rows and %d bytes cut off %q", len(o.Rows), o.Repaired, content)
			}
		}
		if got, _ := os.ReadFile(name); !bytes.Equal(got, want) {
			t.Errorf("%q became %q", content, got)
		}
	})
}

// Every line with anything on it is read once, with its number.
func FuzzReader(f *testing.F) {
	f.Add([]byte("a\r\n\n b\n\ufeffc"))
	f.Add([]byte("\ufeff\n\x00\n\r"))
	f.Fuzz(func(t *testing.T, content []byte) {
		lines := bytes.Split(content, []byte("\n"))
		r := NewReader(bytes.NewReader(content))
		last := 0
		for {
			l, err := r.Next()
			if err != nil {
				break
			}
			if l.Number <= last || l.Number > len(lines) || !bytes.Contains(lines[l.Number-1], l.Text) || len(bytes.TrimSpace(l.Text)) == 0 {
				t.Fatalf("line %d is %q in %q", l.Number, l.Text, content)
			}
			last = l.Number
		}
		for i, l := range lines[min(last, len(lines)):] {
			if len(bytes.TrimSpace(bytes.TrimPrefix(l, []byte("\ufeff")))) > 0 {
				t.Errorf("line %d of %q was not read", last+i+1, content)
			}
		}
	})
}
