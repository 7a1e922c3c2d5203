package calibrate_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/calibrate"
)

func TestReadPairs(t *testing.T) {
	got, err := calibrate.ReadPairs(strings.NewReader("\ufeff" + `{"a": "M. Curie", "b": "Marie Curie", "same": true, "unit": "entity", "group": "1"}

{"a": "works for", "b": "was fired by", "same": false, "unit": "relation"}` + "\r\n"))
	want := []calibrate.Pair{{A: "M. Curie", B: "Marie Curie", Same: true, Unit: calibrate.Entity, Group: "1"}, {A: "works for", B: "was fired by", Unit: calibrate.Relation}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, line := range map[string]string{
		"no b": `{"a": "x", "same": true, "unit": "entity"}`, "no same": `{"a": "x", "b": "y", "unit": "entity"}`, "no unit": `{"a": "x", "b": "y", "same": true}`,
		"same in words": `{"a": "x", "b": "y", "same": "yes", "unit": "entity"}`, "another member": `{"a": "x", "b": "y", "same": true, "unit": "entity", "label": 1}`,
		"a list": `["x", "y"]`, "cut": `{"a": "x"`, "two in a line": `{"a":"x","b":"y","same":true,"unit":"entity"} {}`, "too long": `{"a": "` + strings.Repeat("x", 17<<20) + `"}`,
	} {
		_, err := calibrate.ReadPairs(strings.NewReader(`{"a": "x", "b": "y", "same": true, "unit": "triple"}` + "\n" + line))
		var row *calibrate.RowError
		if !errors.As(err, &row) || row.Line != 2 || len(err.Error()) > 300 {
			t.Errorf("%s: %.300v", name, err)
		}
	}
}

func TestReadOutputs(t *testing.T) {
	got, err := calibrate.ReadOutputs(strings.NewReader(`{"context": "c", "output": "o", "label": "consistent", "set": "s"}
{"context": "c", "output": "o", "label": "inconsistent"}
{"premise": "p", "hypothesis": "h", "label": "entailment"}
{"premise": "p", "hypothesis": "h", "label": "neutral"}
{"premise": "p", "hypothesis": "h", "label": "contradiction"}`))
	want := []calibrate.Output{
		{Source: "c", Text: "o", Consistent: true, Set: "s"}, {Source: "c", Text: "o"}, {Source: "p", Text: "h", Consistent: true}, {Source: "p", Text: "h"}, {Source: "p", Text: "h"},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, line := range []string{`{"context": "c", "label": "consistent"}`, `{"context": "c", "hypothesis": "h", "label": "consistent"}`, `{"context": "c", "output": "o", "label": "true"}`, `{"context": "c", "output": "o"}`,
		`{"context": "c", "output": "o", "premise": "p", "hypothesis": "h", "label": "consistent"}`, `{"context": 1, "output": "o", "label": "consistent"}`, "x"} {
		var row *calibrate.RowError
		if _, err := calibrate.ReadOutputs(strings.NewReader(line)); !errors.As(err, &row) || row.Line != 1 {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, file := range []calibrate.File{matchFile(), verdictFile()} {
		var b strings.Builder
		if err := file.Write(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.String())
	}
	f.Add(`{"format":"kgeval.calibration","version":1,"kind":"nli","model":"m","verdicts":{}}`)
	f.Fuzz(func(t *testing.T, s string) {
		file, err := calibrate.Read(strings.NewReader(s))
		if err != nil {
			return
		}
		// What reads can be written, and reads again.
		var b strings.Builder
		if err := file.Write(&b); err != nil {
			t.Fatalf("%+v: %v", file, err)
		}
		again, err := calibrate.Read(strings.NewReader(b.String()))
		if err != nil || again.Model != file.Model || again.Thresholds() != file.Thresholds() {
			t.Errorf("%+v reads again as %+v, %v", file, again, err)
		}
	})
}

func FuzzReadRows(f *testing.F) {
	f.Add(`{"a": "x", "b": "y", "same": true, "unit": "entity"}`)
	f.Add(`{"context": "c", "output": "o", "label": "consistent"}`)
	f.Add("\ufeff\n\x00{}")
	f.Fuzz(func(t *testing.T, s string) {
		pairs, err := calibrate.ReadPairs(strings.NewReader(s))
		for _, p := range pairs {
			if p.Unit != calibrate.Entity && p.Unit != calibrate.Relation && p.Unit != calibrate.Triple {
				t.Errorf("%+v", p)
			}
		}
		outputs, err2 := calibrate.ReadOutputs(strings.NewReader(s))
		if strings.TrimSpace(strings.TrimPrefix(s, "\ufeff")) != "" && err == nil && err2 == nil && len(pairs)+len(outputs) == 0 && strings.Trim(s, "\r\n\t \v\f\u0085\u00a0\ufeff") != "" {
			t.Errorf("%q is neither rows nor an error", s)
		}
	})
}
