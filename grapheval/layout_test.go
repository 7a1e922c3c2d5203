package grapheval

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLayoutOf(t *testing.T) {
	for _, test := range []struct {
		name, output string
		code         []string
		rows         []string // cells with " ; " between, the header in brackets
	}{
		{"prose", "The mill | the ferry.\nIt rains.", nil, nil},
		{"a block with its language", "Run:\n```go\nx := 1\n```\nDone.", []string{"```go\nx := 1\n```"}, nil},
		{"a block that is cut off", "~~~\nls -l", []string{"~~~\nls -l"}, nil},
		{"a fence of four in which three are text", "````md2\n```\na\n````", []string{"````md2\n```\na\n````"}, nil},
		{"code within a line", "```x``` is a name.", nil, nil},
		{"a block that says that it is text", "```text\nThe mill is old.\n```", nil, nil},
		{"a block of sentences", "```\nThe mill is old.\nIda sold it in May.\n```", nil, nil},
		{"a table", "| A | B |\n|---|:-:|\n| x | 1 |\n| y | |", nil, []string{"[A ; B]", "x ; 1", "y ; "}},
		{"a table without a rule", "| mill | 3 |\n| ferry | 4 |", nil, []string{"mill ; 3", "ferry ; 4"}},
		{"tabs, a header told by the numbers below", "Place\tYear\nMill\t1890", nil, []string{"[Place ; Year]", "Mill ; 1890"}},
		{"a grid", "+---+---+\n| x | 1 |\n+---+---+\n| y | 2 |\n+---+---+", nil, []string{"x ; 1", "y ; 2"}},
		{"one row is no table", "| x | y |", nil, nil},
		{"two tables", "| a | 1 |\n| b | 2 |\n\n| c | 1 | 2 |\n| d | 3 | 4 |", nil, []string{"a ; 1", "b ; 2", "c ; 1 ; 2", "d ; 3 ; 4"}},
		{"lines that end with CR LF", "| A | B |\r\n|---|---|\r\n| x | 1 |\r\n", nil, []string{"[A ; B]", "x ; 1"}},
	} {
		l := layoutOf(test.output)
		var code, rows []string
		for _, c := range l.code {
			code = append(code, c.Of(test.output))
		}
		for _, r := range l.rows {
			var cells []string
			for _, c := range r.cells {
				cells = append(cells, c.Of(test.output))
			}
			row := strings.Join(cells, " ; ")
			if r.header {
				row = "[" + row + "]"
			}
			rows = append(rows, row)
		}
		if d := cmp.Diff(test.code, code); d != "" {
			t.Errorf("%s: code %s", test.name, d)
		}
		if d := cmp.Diff(test.rows, rows); d != "" {
			t.Errorf("%s: rows %s", test.name, d)
		}
	}
}

func TestLabelled(t *testing.T) {
	for sentence, want := range map[string]string{
		"City: Lund": "Lund", "- **Opening year**: 1998": "1998", "Price: 80 kronor.": "80 kronor", "* Owner : Ida Holm": "Ida Holm",
		"Ida said: the mill is old and has to be sold at once": "", "The mill is old.": "", "https://example.org": "", "10:30": "",
		"The man who sold the mill: Bo": "", "A: b. C: d": "",
	} {
		if got, _ := labelled(sentence); got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}

func FuzzLayout(f *testing.F) {
	for _, s := range []string{"", "```", "~~~x\n~~~", "| a | b |\n|-|-|\n||", "\t\t\n\t\t", "|\n|\n|", "| a\n| b", "x\t1\r\ny\t2", "````\n```\n````", "+--+\n|a|b|\n+--+", "\x00|\xff\n|--|\n", "| ü | 柿 |\n| ö | 子 |"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, output string) {
		l := layoutOf(output)
		last := 0
		for _, c := range l.code {
			if c.Start < last || c.End > len(output) || c.Empty() {
				t.Fatalf("code %v after %d", c, last)
			}
			last = c.End
		}
		last = 0
		for _, r := range l.rows {
			if r.at.Start < last || r.at.End > len(output) || len(r.cells) < 2 {
				t.Fatalf("row %v with %d cells after %d", r.at, len(r.cells), last)
			}
			last = r.at.End
			for _, c := range r.cells {
				if c.Start < r.at.Start || c.End > r.at.End || c.Start > c.End {
					t.Fatalf("cell %v outside its row %v", c, r.at)
				}
			}
			for _, c := range r.claims(output, map[string]string{}) {
				if len(c.Spans) == 0 || c.Text == "" {
					t.Fatalf("claim %+v", c)
				}
			}
		}
	})
}

// A megabyte of bars, tabs or fences takes no longer than one of words.
func TestLayoutIsLinear(t *testing.T) {
	for _, unit := range []string{"| a | b |\n", "a\tb\n", "```\n", "|", "\t", "|---", "`"} {
		began := time.Now()
		layoutOf(strings.Repeat(unit, 1<<20/len(unit)))
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%q: %v", unit, took)
		}
	}
}
