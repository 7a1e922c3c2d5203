package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/jsonl"
	"github.com/kgeval/kgeval/segment"
)

// batchFlags are the flags of a command that also works on many items.
type batchFlags struct {
	jsonl, out string
	jobs       int
	restart    bool
	quiet      bool
	asJSON     bool
	repair     bool
}

func (b *batchFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&b.jsonl, "jsonl", "", "work on many: read one JSON row a line from `FILE` (- for standard input)")
	f.StringVar(&b.out, "out", "", "write the rows of --jsonl to `FILE`; if it exists, go on where it ends (default: standard output)")
	f.IntVar(&b.jobs, "jobs", runtime.GOMAXPROCS(0), "rows of --jsonl to work on at once, `N`; their order is kept")
	f.Lookup("jobs").DefValue = "one a processor"
	f.BoolVar(&b.restart, "restart", false, "begin --out anew, even if it holds rows of a former run")
	f.BoolVar(&b.quiet, "quiet", false, "no progress bar and no summary on standard error")
	f.BoolVar(&b.asJSON, "json", false, "print one JSON row instead of the view for people")
	f.BoolVar(&b.repair, "repair", false, "repair text that is not UTF-8 (bad bytes become U+FFFD) instead of refusing it")
}

// check refuses flags that contradict each other. single are the flags that
// give one item.
func (b *batchFlags) check(cmd *cobra.Command, args []string, single ...string) error {
	if b.jsonl == "" {
		for _, name := range []string{"out", "restart", "jobs"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--%s needs --jsonl", name)
			}
		}
		return nil
	}
	if b.jobs < 1 {
		return fmt.Errorf("--jobs must be at least 1, not %d", b.jobs)
	}
	if b.restart && b.out == "" {
		return fmt.Errorf("--restart needs --out")
	}
	for _, name := range single {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s gives one item and --jsonl many; leave one out", name)
		}
	}
	if len(args) > 0 {
		return fmt.Errorf("%q gives one item and --jsonl many; leave one out", args[0])
	}
	return nil
}

// format is a kind of output row.
type format struct {
	name    string
	version int
}

func (f format) head(id string) jsonl.Head {
	h := jsonl.Head{Format: f.name, Version: f.version}
	if id != "" {
		h.ID, _ = json.Marshal(id)
	}
	return h
}

// batch is what a command does with many rows.
type batch struct {
	format format
	// settings is anything that changes rows, such as a threshold.
	settings string
	// row makes the row for the members of an input object; it returns an error
	// for what must become an error row.
	row func(ctx context.Context, h jsonl.Head, line []byte) (any, error)
	// failed makes an error row.
	failed func(h jsonl.Head, err error) any
	// judge tells what a finished row means for the exit code, and the word
	// under which the summary counts it.
	judge func(row []byte) (code int, word string)
}

// run works through --jsonl and sets the exit code.
func (a *app) run(ctx context.Context, flags batchFlags, b batch) error {
	tally := newTally(b.judge)
	in, total, closeIn, err := a.openRows(flags)
	if err != nil {
		return err
	}
	defer closeIn()

	r := jsonl.Run{
		Settings: b.settings + a.parts.thresholds.settings() + fmt.Sprintf(" repair=%t", flags.repair),
		Jobs:     flags.jobs,
		Do: func(ctx context.Context, l jsonl.Line, h jsonl.Head) []byte {
			h.Format, h.Version = b.format.name, b.format.version
			return b.do(ctx, l, h, flags.repair)
		},
		Panicked: func(_ jsonl.Line, h jsonl.Head, cause error) []byte {
			h.Format, h.Version = b.format.name, b.format.version
			h.ID = lineID(h.Line)
			return encode(b.failed(h, cause))
		},
	}
	out := a.stdout
	if flags.out != "" && flags.out != "-" {
		if sameFile(flags.jsonl, flags.out) {
			return fmt.Errorf("--out and --jsonl are the same file %s; choose another one for --out", flags.out)
		}
		if flags.restart {
			if err := os.Remove(flags.out); err != nil && !errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("--out: %w", err)
			}
		}
		o, err := jsonl.OpenOutput(flags.out, b.format.name, b.format.version, tally.add)
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		defer o.Close()
		r.Done, out = o.Rows, o
		if len(o.Rows) > 0 && !flags.quiet {
			fmt.Fprintf(a.stderr, "%s: %s in %s from a former run; going on\n",
				b.format.name, count(len(o.Rows), "row is", "rows are"), flags.out)
		}
	}

	bar := a.bar(flags, total, len(r.Done))
	r.Wrote = func(row []byte) {
		tally.add(row)
		bar.Add(1)
	}
	err = r.Over(ctx, in, out)
	bar.Exit()
	var changed *jsonl.ChangedError
	switch {
	case errors.As(err, &changed):
		return fmt.Errorf("%s: %w; put the old input and flags back, choose another --out, or begin anew with --restart", flags.out, err)
	case err != nil && ctx.Err() == nil:
		return fmt.Errorf("--jsonl: %w", err)
	}
	if !flags.quiet {
		fmt.Fprintf(a.stderr, "%s: %s\n", b.format.name, tally)
	}
	if err != nil {
		return err
	}
	a.code = tally.code()
	return nil
}

// openRows opens the input of a batch; total is its number of rows where that
// can be told and is worth knowing, else -1.
func (a *app) openRows(flags batchFlags) (in io.Reader, total int, closeIn func() error, err error) {
	if flags.jsonl == "-" {
		in, err = a.standardInput("--jsonl")
		return in, -1, func() error { return nil }, err
	}
	f, err := os.Open(flags.jsonl)
	if err != nil {
		return nil, 0, nil, fmt.Errorf("--jsonl: %w", err)
	}
	total = -1
	if st, err := f.Stat(); err == nil && st.IsDir() {
		f.Close()
		return nil, 0, nil, fmt.Errorf("--jsonl: %s is a folder, not a file", flags.jsonl)
	} else if err == nil && st.Mode().IsRegular() && a.progress && !flags.quiet {
		if total, err = jsonl.Count(f); err != nil {
			f.Close()
			return nil, 0, nil, fmt.Errorf("--jsonl: %w", err)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			f.Close()
			return nil, 0, nil, fmt.Errorf("--jsonl: %w", err)
		}
	}
	return f, total, f.Close, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// bar returns a progress bar that draws only on a terminal.
func (a *app) bar(flags batchFlags, total, done int) *progressbar.ProgressBar {
	var w io.Writer = io.Discard
	if a.progress && !flags.quiet && flags.out != "" {
		w = a.stderr
	}
	bar := progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("rows"),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100_000_000),
		progressbar.OptionClearOnFinish())
	bar.Add(done)
	return bar
}

func (b batch) do(ctx context.Context, l jsonl.Line, h jsonl.Head, repair bool) []byte {
	h.ID = lineID(l.Number)
	text := l.Text
	fail := func(err error) []byte {
		return encode(b.failed(h, fmt.Errorf("line %d: %w", l.Number, err)))
	}
	if err := segment.CheckUTF8(string(text)); err != nil {
		if !repair {
			return fail(trimPrefix(err))
		}
		text = []byte(segment.RepairUTF8(string(text)))
	}
	var row struct {
		ID json.RawMessage `json:"id"`
	}
	if err := decode(text, &row); err != nil {
		return fail(err)
	}
	switch id := bytes.TrimSpace(row.ID); {
	case len(id) == 0 || bytes.Equal(id, []byte("null")):
	case id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9':
		h.ID = id
	default:
		return fail(errors.New(`"id" must be a string or a number`))
	}
	v, err := b.row(ctx, h, text)
	if err != nil {
		return fail(trimPrefix(err))
	}
	return encode(v)
}

func lineID(n int) json.RawMessage { return json.RawMessage(strconv.Quote(strconv.Itoa(n))) }

// decode reads one JSON object and says in words what is wrong with it.
func decode(line []byte, v any) error {
	if t := bytes.TrimSpace(line); len(t) > 0 && t[0] != '{' && json.Valid(t) {
		return errors.New("not a JSON object")
	}
	err := json.Unmarshal(line, v)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON: %w at byte %d", err, syntax.Offset)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%q is a JSON %s and should be a %s", kind.Field, kind.Value, jsonName(kind.Type.Kind().String()))
	}
	return trimPrefix(err)
}

func jsonName(kind string) string {
	switch kind {
	case "slice", "array":
		return "list"
	case "struct", "map":
		return "JSON object"
	}
	return kind
}

// encode returns v as one line of JSON.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		// A row holds strings, finite numbers and raw JSON that was parsed before.
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// tally counts rows by what they mean.
type tally struct {
	judge func([]byte) (int, string)
	rows  int
	words map[string]int
	codes map[int]int
	order []string
}

func newTally(judge func([]byte) (int, string)) *tally {
	return &tally{judge: judge, words: map[string]int{}, codes: map[int]int{}}
}

func (t *tally) add(row []byte) {
	code, word := t.judge(row)
	t.rows++
	t.codes[code]++
	if t.words[word]++; t.words[word] == 1 {
		t.order = append(t.order, word)
	}
}

// code returns the exit code of all rows: 1 wins over 3, and 3 over 0.
func (t *tally) code() int {
	for _, code := range []int{exitBad, exitUnknown} {
		if t.codes[code] > 0 {
			return code
		}
	}
	return exitOK
}

func (t *tally) String() string {
	parts := make([]string, 0, len(t.order))
	for _, w := range t.order {
		parts = append(parts, fmt.Sprintf("%d %s", t.words[w], w))
	}
	if len(parts) == 0 {
		return "no rows"
	}
	return fmt.Sprintf("%s: %s", count(t.rows, "row", "rows"), strings.Join(parts, ", "))
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
