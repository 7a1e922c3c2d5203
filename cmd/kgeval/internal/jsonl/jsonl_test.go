package jsonl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lengthRow is a row as a command would make it: how long its line is.
type lengthRow struct {
	Head
	Length int `json:"length"`
}

func lengths(jobs int, done []Head) Run {
	return Run{
		Settings: "test",
		Jobs:     jobs,
		Done:     done,
		Do: func(_ context.Context, l Line, h Head) []byte {
			// Later lines are often done first.
			time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
			h.Format, h.Version = "test.length", 1
			h.ID = json.RawMessage(fmt.Sprint(l.Number))
			b, _ := json.Marshal(lengthRow{h, len(l.Text)})
			return b
		},
		Panicked: func(l Line, h Head, cause error) []byte { return []byte(cause.Error()) },
	}
}

func TestReader(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	for name, c := range map[string]struct {
		in   string
		want []Line
	}{
		"empty":                   {"", nil},
		"blank lines are counted": {"\n  \na\n\t\r\nb", []Line{{3, []byte("a")}, {5, []byte("b")}}},
		"windows line ends":       {"a\r\nb\r\n", []Line{{1, []byte("a")}, {2, []byte("b")}}},
		"byte order mark":         {"\ufeffa\n\ufeffb\n", []Line{{1, []byte("a")}, {2, []byte("\ufeffb")}}},
		"only a byte order mark":  {"\ufeff", nil},
		"a line of 10 MB":         {"a\n" + long + "\nb\n", []Line{{1, []byte("a")}, {2, []byte(long)}, {3, []byte("b")}}},
		"bytes that are no text":  {"\xff\x00\n", []Line{{1, []byte("\xff\x00")}}},
	} {
		r := NewReader(strings.NewReader(c.in))
		var got []Line
		for {
			l, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(name, err)
			}
			got = append(got, l)
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %d lines, want %d", name, len(got), len(c.want))
			continue
		}
		for i := range got {
			if got[i].Number != c.want[i].Number || !bytes.Equal(got[i].Text, c.want[i].Text) {
				t.Errorf("%s: line %d differs", name, i)
			}
		}
		if n, err := Count(strings.NewReader(c.in)); err != nil || n != len(c.want) {
			t.Errorf("%s: Count = %d, %v", name, n, err)
		}
	}
}

func input(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s\n", strings.Repeat("y", i%7+1))
		if i%5 == 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func TestOrderIsKeptAndBytesAreTheSame(t *testing.T) {
	in := input(200)
	var first string
	for _, jobs := range []int{0, 1, 2, 8, 64} {
		var out bytes.Buffer
		if err := lengths(jobs, nil).Over(context.Background(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\n"); n != 200 {
			t.Errorf("%d jobs: %d rows for 200 lines", jobs, n)
		}
		if first == "" {
			first = out.String()
		}
		if out.String() != first {
			t.Errorf("%d jobs give other bytes", jobs)
		}
	}
}

// A run that is killed at any byte of its output goes on to the same bytes.
func TestResumeAtEachByte(t *testing.T) {
	in := input(6)
	var whole bytes.Buffer
	if err := lengths(2, nil).Over(context.Background(), strings.NewReader(in), &whole); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "out.jsonl")
	for cut := range whole.Len() + 1 {
		if err := os.WriteFile(name, whole.Bytes()[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		var seen int
		o, err := OpenOutput(name, "test.length", 1, func([]byte) { seen++ })
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		rows := bytes.Count(whole.Bytes()[:cut], []byte("\n"))
		if len(o.Rows) != rows || seen != rows {
			t.Fatalf("cut at %d: %d rows and %d seen, want %d", cut, len(o.Rows), seen, rows)
		}
		worked := 0
		r := lengths(1, o.Rows)
		do := r.Do
		r.Do = func(ctx context.Context, l Line, h Head) []byte { worked++; return do(ctx, l, h) }
		if err := r.Over(context.Background(), strings.NewReader(in), o); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		o.Close()
		if worked != 6-rows {
			t.Errorf("cut at %d: worked on %d lines, want %d", cut, worked, 6-rows)
		}
		if got, _ := os.ReadFile(name); !bytes.Equal(got, whole.Bytes()) {
			t.Fatalf("cut at %d: got\n%s\nwant\n%s", cut, got, whole.Bytes())
		}
	}
}

func TestChangedInputIsRefused(t *testing.T) {
	var out bytes.Buffer
	if err := lengths(1, nil).Over(context.Background(), strings.NewReader("a\nb\nc\n"), &out); err != nil {
		t.Fatal(err)
	}
	var done []Head
	for _, row := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var h Head
		if err := json.Unmarshal([]byte(row), &h); err != nil {
			t.Fatal(err)
		}
		done = append(done, h)
	}
	for name, c := range map[string]struct {
		in       string
		settings string
		row      int
	}{
		"another line":        {"a\nB\nc\n", "test", 2},
		"a line in front":     {"new\na\nb\nc\n", "test", 1},
		"a blank line before": {"a\n\nb\nc\n", "test", 2},
		"fewer lines":         {"a\nb\n", "test", 3},
		"other settings":      {"a\nb\nc\n", "other", 1},
	} {
		r := lengths(2, done)
		r.Settings = c.settings
		var got bytes.Buffer
		err := r.Over(context.Background(), strings.NewReader(c.in), &got)
		var changed *ChangedError
		if !errors.As(err, &changed) || changed.Row != c.row {
			t.Errorf("%s: %v, want a ChangedError for row %d", name, err, c.row)
		}
		if got.Len() > 0 {
			t.Errorf("%s: wrote %q", name, got.String())
		}
	}
	// More lines are no change: they are what is still to do.
	var got bytes.Buffer
	if err := lengths(2, done).Over(context.Background(), strings.NewReader("a\nb\nc\nd\n"), &got); err != nil {
		t.Error(err)
	}
	if !strings.Contains(got.String(), `"line":4`) || strings.Count(got.String(), "\n") != 1 {
		t.Errorf("appended %q", got.String())
	}
}

func TestForeignOutputIsLeftAlone(t *testing.T) {
	ours := `{"format":"test.length","version":1,"id":1,"line":1,"input":"00","length":1}` + "\n"
	for name, content := range map[string]string{
		"a text":                  "my notes",
		"a text with lines":       "my notes\nare here\n",
		"another format":          strings.Replace(ours, "test.length", "test.other", 1),
		"another version":         strings.Replace(ours, `"version":1`, `"version":2`, 1),
		"rows and then something": ours + "{\"format\":\"tes!",
		"JSON of another kind":    `{"a":1}` + "\n",
		"a binary without a line": strings.Repeat("\x00", 1<<20),
		"rows and then a binary":  ours + strings.Repeat("\x7f", 1<<20),
	} {
		file := filepath.Join(t.TempDir(), "out.jsonl")
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if o, err := OpenOutput(file, "test.length", 1, nil); err == nil {
			o.Close()
			t.Errorf("%s: taken for an output of ours", name)
		}
		if got, _ := os.ReadFile(file); string(got) != content {
			t.Errorf("%s: changed to %q", name, got)
		}
	}
}

// A device has no end; what is not a row is known by its first bytes.
func TestEndlessOutputIsRefused(t *testing.T) {
	const device = "/dev/zero"
	if _, err := os.Stat(device); err != nil {
		t.Skipf("needs %s, which this system does not have", device)
	}
	if o, err := OpenOutput(device, "test.length", 1, nil); err == nil {
		o.Close()
		t.Error("taken for an output of ours")
	}
}

func TestCancelKeepsWholeRows(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := lengths(4, nil)
	r.Wrote = func(row []byte) {
		if bytes.Contains(row, []byte(`"id":10,`)) {
			cancel()
		}
	}
	do := r.Do
	r.Do = func(ctx context.Context, l Line, h Head) []byte {
		if ctx.Err() != nil {
			return []byte("a row made of nothing but the cancellation")
		}
		return do(ctx, l, h)
	}
	var out bytes.Buffer
	err := r.Over(ctx, strings.NewReader(strings.Repeat("z\n", 1000)), &out)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(rows) != 10 {
		t.Errorf("%d rows after cancelling at the tenth", len(rows))
	}
	for i, row := range rows {
		var h Head
		if err := json.Unmarshal([]byte(row), &h); err != nil || h.Line != i+1 {
			t.Errorf("row %d: %q", i+1, row)
		}
	}
}

func TestCancelDoesNotWaitForAReaderThatHangs(t *testing.T) {
	hang, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := lengths(2, nil).Over(ctx, hang, io.Discard); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

type failingWriter struct{ after int }

var errDisk = errors.New("disk full")

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.after--; w.after < 0 {
		return 0, errDisk
	}
	return len(b), nil
}

func TestFailuresOfReadingAndWritingAreReturned(t *testing.T) {
	if err := lengths(2, nil).Over(context.Background(), strings.NewReader(input(50)), &failingWriter{after: 3}); !errors.Is(err, errDisk) {
		t.Error("writing:", err)
	}
	in := io.MultiReader(strings.NewReader("a\nb\n"), errReader{})
	var out bytes.Buffer
	if err := lengths(2, nil).Over(context.Background(), in, &out); !errors.Is(err, errDisk) {
		t.Error("reading:", err)
	}
	if n := strings.Count(out.String(), "\n"); n != 2 {
		t.Errorf("%d rows before the failure, want 2", n)
	}
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errDisk }

func TestAPanicBecomesARow(t *testing.T) {
	r := lengths(2, nil)
	do := r.Do
	r.Do = func(ctx context.Context, l Line, h Head) []byte {
		if l.Number == 2 {
			panic("boom")
		}
		return do(ctx, l, h)
	}
	var out bytes.Buffer
	if err := r.Over(context.Background(), strings.NewReader("a\nb\nc\n"), &out); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(out.String(), "\n")
	if !strings.Contains(rows[1], "boom") || !strings.Contains(rows[2], `"line":3`) {
		t.Errorf("rows %q", rows)
	}
}
