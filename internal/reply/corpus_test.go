package reply

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
)

// row is a reply of the corpus with its right value. A row with a Model was
// recorded from that model; the others were written for a kind of fault.
type row struct {
	Name  string `json:"name"`
	Model string `json:"model"`
	Stop  string `json:"stop"`
	Reply string `json:"reply"`

	Want      json.RawMessage `json:"want"`
	Error     string          `json:"error"` // the kind of the error instead
	Truncated *bool           `json:"truncated"`
	Repaired  *bool           `json:"repaired"` // whether anything is said to be
	Dropped   *int            `json:"dropped"`

	Text     string      `json:"text"`
	Examples [][3]string `json:"examples"`
	N        int         `json:"n"`
	Original string      `json:"original"`
}

var kinds = map[string]error{
	"empty": ErrEmpty, "unreadable": ErrUnreadable, "refused": ErrRefused, "ambiguous": ErrAmbiguous, "cut": ErrCut, "none": ErrNone,
}

func (r row) response() llm.Response {
	return llm.Response{Text: r.Reply, Stop: llm.StopReason(r.Stop)}
}

func (r row) options() Options {
	o := Options{Text: r.Text}
	for _, e := range r.Examples {
		o.Examples = append(o.Examples, kg.Triple{Head: e[0], Relation: e[1], Tail: e[2]})
	}
	return o
}

func corpus(t testing.TB, name string) []row {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "corpus", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []row
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var r row
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatalf("%s, line %d: %v", name, len(rows)+1, err)
		}
		if (len(r.Want) == 0) == (r.Error == "") || r.Error != "" && kinds[r.Error] == nil {
			t.Fatalf("%s, line %d: want %s, error %q", name, len(rows)+1, r.Want, r.Error)
		}
		rows = append(rows, r)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// check compares what a reader gave with the row. got has the form of Want.
func (r row) check(t *testing.T, got any, rep Report, err error) {
	t.Helper()
	switch {
	case r.Error != "":
		var e *Error
		if !errors.Is(err, kinds[r.Error]) {
			t.Errorf("got %v, %v, want the error %s", got, err, r.Error)
		} else if errors.As(err, &e); e.Raw != r.Reply {
			t.Errorf("the error holds %q", e.Raw)
		}
	case err != nil:
		t.Errorf("error %v, want %s", err, r.Want)
	default:
		var want, have any
		b, jerr := json.Marshal(got)
		if jerr != nil || json.Unmarshal(b, &have) != nil || json.Unmarshal(r.Want, &want) != nil {
			t.Fatal(jerr)
		}
		if x, y := fmt.Sprintf("%q", have), fmt.Sprintf("%q", want); x != y {
			t.Errorf("got  %s\nwant %s", x, y)
		}
	}
	if want := r.Truncated != nil && *r.Truncated; rep.Truncated != want && (r.Truncated != nil || r.Stop == "end" && r.Error == "") {
		t.Errorf("truncated %v, want %v", rep.Truncated, want)
	}
	if r.Repaired != nil && *r.Repaired != (len(rep.Repaired) > 0) {
		t.Errorf("repaired %q, want any: %v", rep.Repaired, *r.Repaired)
	}
	n := 0
	for _, k := range rep.Counts {
		n += k
	}
	if r.Dropped != nil && n != *r.Dropped {
		t.Errorf("dropped %v, want %d", rep.Counts, *r.Dropped)
	}
}

func list(ts []kg.Triple) [][3]string {
	out := [][3]string{}
	for _, t := range ts {
		out = append(out, [3]string{t.Head, t.Relation, t.Tail})
	}
	return out
}

// read gives what each reader makes of a row, in the form of Want.
var readers = map[string]func(r row) (any, Report, error){
	"triples.jsonl": func(r row) (any, Report, error) {
		ts, rep, err := Triples(r.response(), r.options())
		return list(ts), rep, err
	},
	"triple.jsonl": func(r row) (any, Report, error) {
		t, rep, err := Triple(r.response(), r.options())
		return [3]string{t.Head, t.Relation, t.Tail}, rep, err
	},
	"verdicts.jsonl": func(r row) (any, Report, error) {
		v, rep, err := ReadVerdicts(r.response(), r.N)
		of := make(map[string]string)
		for id, x := range v.Of {
			of[strconv.Itoa(id)] = string(x)
		}
		return of, rep, err
	},
	"text.jsonl": func(r row) (any, Report, error) {
		return Text(r.response(), r.Original)
	},
}

func TestCorpus(t *testing.T) {
	all, recorded := 0, 0
	for _, name := range slices.Sorted(maps.Keys(readers)) {
		for i, r := range corpus(t, name) {
			all++
			if r.Model != "" {
				recorded++
			}
			t.Run(fmt.Sprintf("%s/%d %s", strings.TrimSuffix(name, ".jsonl"), i+1, r.Name), func(t *testing.T) {
				got, rep, err := readers[name](r)
				r.check(t, got, rep, err)
				if t.Failed() {
					t.Logf("reply %q (%s)", r.Reply, r.Stop)
				}
			})
		}
	}
	t.Logf("%d replies, %d of them recorded", all, recorded)
}
