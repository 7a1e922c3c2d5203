package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func header() Header {
	return Header{Format: Format, Version: Version, Name: "n", Settings: map[string]string{"a": "1"}, Models: []string{"m"}, Temperatures: []float64{0}, Repeats: 1, Items: 2, Tasks: 2, Started: time.Unix(0, 0).UTC()}
}

func lines(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var out []byte
	for _, e := range entries {
		b, err := e.encode()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b...)
	}
	return out
}

func sample(t *testing.T) []byte {
	h := header()
	return lines(t, entry{Header: &h}, entry{Item: &Item{ID: "i", Question: "q \u2028 \"}"}},
		entry{Answer: &Answer{Task: Task{"i", "m", 0, 0}, Text: `<b>,"sum":"0123456789abcdef"}`}}, entry{Score: &Score{Task: Task{"i", "m", 0, 0}, CUS: .5}})
}

func write(t *testing.T, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Whatever byte a log was cut at, all whole lines are read, the rest is cut off, and what
// is appended then makes a sound log.
func TestALogCutAtAnyByte(t *testing.T) {
	whole := sample(t)
	for n := range len(whole) + 1 {
		path := write(t, whole[:n])
		count := bytes.Count(whole[:n], []byte("\n"))
		run, err := Read(path)
		switch {
		case count == 0 && !errors.Is(err, ErrNoRun), count > 0 && err != nil:
			t.Fatalf("cut at %d: %v", n, err)
		case count > 0 && run.Torn != (whole[n-1] != '\n'):
			t.Fatalf("cut at %d: torn %t", n, run.Torn)
		}
		j, s, err := openLog(path, header(), false)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if got := len(s.run.Items) + len(s.records); got != min(max(0, count-1), 2) {
			t.Fatalf("cut at %d: %d", n, got)
		}
		// Without waiting for the disk, for each of so many files.
		if err := j.append(entry{Item: &Item{ID: "j"}}, false); err != nil {
			t.Fatal(err)
		}
		if err := j.f.Close(); err != nil {
			t.Fatal(err)
		}
		if run, err = Read(path); err != nil || run.Torn || run.Items[len(run.Items)-1].ID != "j" {
			t.Fatalf("cut at %d, then gone on with: %v", n, err)
		}
	}
}

// A changed byte is noticed: in the last line it was torn, in the middle it is an error.
func TestAChangedByteIsNoticed(t *testing.T) {
	whole := sample(t)
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for i := range whole {
		if whole[i] == '\n' {
			continue
		}
		b := bytes.Clone(whole)
		b[i] ^= 1
		run, err := Read(write(t, b))
		var damaged *CorruptError
		switch {
		case i < last && !errors.As(err, &damaged) && !errors.Is(err, ErrNoRun):
			t.Fatalf("byte %d: %v", i, err)
		case i >= last && (err != nil || !run.Torn || len(run.Records) != 1 || run.Records[0].Score != nil):
			t.Fatalf("byte %d of the last line: %v", i, err)
		}
	}
	_, err := Read(write(t, append(append(bytes.Clone(whole[:last-20]), "x\n"...), whole[last:]...)))
	if err == nil || !strings.Contains(err.Error(), "line 3 is damaged: it is no line of a run") {
		t.Error(err)
	}
}

func TestFilesThatAreNoLog(t *testing.T) {
	h := header()
	h.Version = 2
	newer := lines(t, entry{Header: &h})
	future := bytes.Replace(newer, []byte(`"name":"n"`), []byte(`"name":{"long":"n"}`), 1)
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"a newer version":               {newer, "the log is of version 2, and this program reads version 1: use a newer kgeval, or begin another log"},
		"a newer version, another form": {future, "the log is of version 2, and this program reads version 1"},
		"another file":                  {[]byte("hello\nworld\n"), `no log of a run: it begins with "hello\nworld\n"`},
		"rows of another kind":          {[]byte(`{"format":"kgeval.check"}` + "\n"), "no log of a run"},
		"a binary":                      {append([]byte("\x7fELF"), make([]byte, 100)...), "no log of a run"},
		"two headers":                   {append(sample(t), append(sample(t), '\n')...), "line 5 is damaged"},
	} {
		path := write(t, c.text)
		_, readErr := Read(path)
		_, _, openErr := openLog(path, header(), false)
		for _, err := range []error{readErr, openErr} {
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, c.text) {
			t.Errorf("%s: the file was changed", name)
		}
	}
	var v *VersionError
	if _, err := Read(write(t, newer)); !errors.As(err, &v) || v.Got != 2 {
		t.Error(err)
	}
	if _, err := Read(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Read(write(t, nil)); !errors.Is(err, ErrNoRun) {
		t.Error(err)
	}
}

// full is a disk that has room for so many bytes.
type full struct {
	b    bytes.Buffer
	room int
}

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.room-f.b.Len())
	f.b.Write(p[:n])
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

// bytesOf reads what is on a disk.
func bytesOf(f *full) io.Reader { return bytes.NewReader(f.b.Bytes()) }

func (f *full) Sync() error            { return nil }
func (f *full) Truncate(n int64) error { f.b.Truncate(int(n)); return nil }
func (f *full) Close() error           { return nil }

func TestAFullDiskLeavesWholeLines(t *testing.T) {
	e := entry{Item: &Item{ID: "i"}}
	one := len(lines(t, e))
	for room := range 3 * one {
		f := &full{room: room}
		j := &journal{f: f}
		var err error
		for err == nil {
			err = j.append(e, true)
		}
		var w *WriteError
		if !errors.As(err, &w) || !errors.Is(err, syscall.ENOSPC) || f.b.Len() != room/one*one {
			t.Fatalf("room %d: %v, %d bytes", room, err, f.b.Len())
		}
		// After the first failure nothing is written, though there is room again.
		f.room = 1 << 20
		if again := j.append(e, true); again != err {
			t.Fatalf("room %d: %v", room, again)
		}
	}
}

// /dev/full is a file whose disk is always full.
func TestNoSpaceFromTheKernel(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here: ", err)
	}
	j := &journal{f: f}
	if err := j.append(entry{Item: &Item{ID: "i"}}, false); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "writing the log: ") {
		t.Error(err)
	}
	j.close()
}

func FuzzReadLog(f *testing.F) {
	h := Header{Format: Format, Version: Version}
	for _, e := range []entry{{Header: &h}, {Item: &Item{ID: "i"}}, {Answer: &Answer{}}, {Score: &Score{}}, {Failure: &Failure{}}} {
		b, err := e.encode()
		if err != nil {
			f.Fatal(err)
		}
		head, _ := entry{Header: &h}.encode()
		f.Add(append(head, b...))
		f.Add(b[:len(b)/2])
	}
	f.Add([]byte("{\"header\":{\"format\":\"kgeval.run\",\"version\":9}}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := readState(bytes.NewReader(b))
		if err != nil {
			if fmt.Sprint(err) == "" {
				t.Fatal("an error without words")
			}
			return
		}
		if s.end > int64(len(b)) || s.run.Torn != (s.end < int64(len(b))) {
			t.Fatalf("end %d of %d, torn %t", s.end, len(b), s.run.Torn)
		}
		s.finish()
		// What was read whole is read again the same.
		again, err := readState(io.LimitReader(bytes.NewReader(b), s.end))
		if err != nil || again.run.Torn || len(again.records) != len(s.records) {
			t.Fatal(err)
		}
	})
}

// Begun anew, a log is empty whatever was wrong with it; another file is left alone.
func TestALogBegunAnew(t *testing.T) {
	h := header()
	h.Version = 2
	other := header()
	other.Settings = map[string]string{"a": "2"}
	whole := sample(t)
	for name, text := range map[string][]byte{
		"a newer version": lines(t, entry{Header: &h}), "other settings": lines(t, entry{Header: &other}),
		"damaged": append(append(bytes.Clone(whole), "x\n"...), whole...), "torn": whole[:len(whole)-9], "sound": whole, "empty": nil,
	} {
		path := write(t, text)
		j, s, err := openLog(path, header(), true)
		if err != nil || len(s.records) != 0 {
			t.Errorf("%s: %v", name, err)
			continue
		}
		j.close()
		if r, err := Read(path); err != nil || len(r.Items) != 0 || r.Header.Settings["a"] != "1" {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := write(t, []byte("hello\n"))
	if _, _, err := openLog(path, header(), true); !errors.Is(err, ErrNoRun) {
		t.Error(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "hello\n" {
		t.Error("a file that is no log was emptied")
	}
}
