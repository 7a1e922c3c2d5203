package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/jsonl"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

var compareFormat = format{"kgeval.compare", 1}

// compareRow is an output row of kgeval compare; docs/rows.md describes it.
type compareRow struct {
	jsonl.Head
	Score     *float64 `json:"score"`
	Structure *float64 `json:"structure"`
	Meaning   *float64 `json:"meaning"`
	Mode      string   `json:"mode"`
	// Flags holds "degenerate", "fallback" and "approximate", where they hold.
	Flags []string `json:"flags"`
	// AB and BA are how well b covers a, and a covers b.
	AB    *float64 `json:"ab"`
	BA    *float64 `json:"ba"`
	Error *string  `json:"error"`
}

func newCompareRow(h jsonl.Head, r s3kg.Result) compareRow {
	return compareRow{
		Head: h, Score: &r.Score, Structure: &r.Structure, Meaning: &r.Meaning,
		Mode: string(r.Form), Flags: compareFlags(r), AB: &r.AB.Score, BA: &r.BA.Score,
	}
}

func compareFlags(r s3kg.Result) []string {
	flags := []string{}
	for _, f := range []struct {
		on   bool
		name string
	}{{r.Degenerate, "degenerate"}, {r.Fallback, "fallback"}, {r.Approximate, "approximate"}, {r.Truncated, "truncated"}} {
		if f.on {
			flags = append(flags, f.name)
		}
	}
	return flags
}

// side is one side of a comparison: a text or a graph.
type side struct {
	text  string
	graph *kg.Graph
}

// decodeSide reads "a" or "b" of a row: a text, or a list of triples.
func decodeSide(name string, raw json.RawMessage) (side, error) {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0 || bytes.Equal(raw, []byte("null")):
		return side{}, fmt.Errorf("%q is missing", name)
	case raw[0] == '"':
		var s side
		err := json.Unmarshal(raw, &s.text)
		return s, err
	case raw[0] == '[':
		g, err := kg.Decode(bytes.NewReader(raw), kg.JSON)
		if err != nil {
			return side{}, fmt.Errorf("%q: %w", name, plainError{err})
		}
		return side{graph: g}, nil
	}
	return side{}, fmt.Errorf("%q must be a text or a list of triples", name)
}

var errMixed = errors.New(`"a" and "b" must both be texts or both be lists of triples`)

func compareSides(ctx context.Context, scorer *s3kg.Scorer, a, b side) (s3kg.Result, error) {
	switch {
	case a.graph != nil && b.graph != nil:
		return scorer.Score(ctx, a.graph, b.graph)
	case a.graph == nil && b.graph == nil:
		return scorer.CompareTexts(ctx, a.text, b.text)
	}
	return s3kg.Result{}, errMixed
}

func (a *app) compareCommand() *cobra.Command {
	var (
		many         batchFlags
		textA, textB string
		triples      bool
		mode         string
		least        float64
	)
	cmd := &cobra.Command{
		Use:   "compare [A B]",
		Short: "How alike are two texts in what they mean and relate?",
		Long: `Compare turns both texts into graphs of facts and scores how alike they are, from
0 to 1: what one side lacks, reverses or replaces costs. A fact told the other
way round ("A sued B", "B sued A") is no likeness, whatever the words.

With --mode cover the score is how well B covers A; what B adds costs nothing.
With --triples the files hold graphs instead of texts (JSON, JSON Lines, a
Python list, CSV, N-Triples or DOT, by the ending of their names).

With --jsonl each line is an object with "a" and "b", two texts or two lists of
triples, and perhaps "id"; docs/rows.md describes the rows.

` + exitHelp,
		Example: `  kgeval compare gold.txt answer.txt
  kgeval compare --a-text "Ana sued Bo." --b-text "Bo sued Ana."
  kgeval compare --triples gold.json answer.json --min 0.8
  kgeval compare --jsonl pairs.jsonl --out scores.jsonl`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := many.check(cmd, args, "a-text", "b-text", "triples"); err != nil {
				return err
			}
			if mode != string(s3kg.F1) && mode != string(s3kg.Cover) {
				return fmt.Errorf("--mode must be f1 or cover, not %q", mode)
			}
			hasMin := cmd.Flags().Changed("min")
			if hasMin && !(least > 0 && least <= 1) {
				return fmt.Errorf("--min must be above 0 and at most 1, not %v", least)
			}
			scorer, err := a.parts.scorer(s3kg.Form(mode))
			if err != nil {
				return err
			}
			if many.jsonl != "" {
				return a.run(cmd.Context(), many, batch{
					format:   compareFormat,
					settings: "compare mode=" + mode,
					row: func(ctx context.Context, h jsonl.Head, line []byte) (any, error) {
						var row struct {
							ID json.RawMessage `json:"id"`
							A  json.RawMessage `json:"a"`
							B  json.RawMessage `json:"b"`
						}
						if err := decode(line, &row); err != nil {
							return nil, err
						}
						x, err := decodeSide("a", row.A)
						if err != nil {
							return nil, err
						}
						y, err := decodeSide("b", row.B)
						if err != nil {
							return nil, err
						}
						r, err := compareSides(ctx, scorer, x, y)
						if err != nil {
							return nil, err
						}
						return newCompareRow(h, r), nil
					},
					failed: func(h jsonl.Head, err error) any {
						msg := oneLine(err.Error())
						return compareRow{Head: h, Mode: mode, Flags: []string{}, Error: &msg}
					},
					judge: func(row []byte) (int, string) {
						var r struct {
							Score *float64 `json:"score"`
							Error *string  `json:"error"`
						}
						switch err := json.Unmarshal(row, &r); {
						case err != nil || r.Error != nil || r.Score == nil:
							return exitUnknown, "failed"
						case hasMin && *r.Score < least:
							return exitBad, fmt.Sprintf("below %v", least)
						}
						return exitOK, "scored"
					},
				})
			}
			x, y, err := a.sides(cmd, args, textA, textB, triples, many.repair)
			if err != nil {
				return err
			}
			r, err := compareSides(cmd.Context(), scorer, x, y)
			if err != nil {
				return plainError{err}
			}
			if hasMin && r.Score < least {
				a.code = exitBad
			}
			if many.asJSON {
				_, err = fmt.Fprintf(a.stdout, "%s\n", encode(newCompareRow(compareFormat.head(""), r)))
				return err
			}
			return a.showComparison(r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&textA, "a-text", "", "the first text itself, `TEXT`, instead of a file")
	f.StringVar(&textB, "b-text", "", "the second text itself, `TEXT`, instead of a file")
	f.BoolVar(&triples, "triples", false, "the files hold graphs, not texts")
	f.StringVar(&mode, "mode", string(s3kg.F1), "`f1` (what either side lacks costs; the order does not matter) or cover (how well B covers A)")
	f.Float64Var(&least, "min", 0, "exit with 1 for a score below `SCORE`, above 0 and at most 1")
	many.register(cmd)
	return cmd
}

// sides reads what is compared, from two arguments or the text flags.
func (a *app) sides(cmd *cobra.Command, args []string, textA, textB string, triples, repair bool) (x, y side, err error) {
	setA, setB := cmd.Flags().Changed("a-text"), cmd.Flags().Changed("b-text")
	if triples && (setA || setB) {
		return x, y, errors.New("--triples is for files; leave out --a-text and --b-text")
	}
	want := 2
	for _, set := range []bool{setA, setB} {
		if set {
			want--
		}
	}
	if len(args) != want {
		return x, y, errors.New("say what to compare: two files (- for standard input), or --a-text and --b-text, or --jsonl FILE for many")
	}
	get := func(set bool, text, flag string) (side, error) {
		if set {
			t, err := utf8Text(flag, text, repair)
			return side{text: t}, err
		}
		name := args[0]
		args = args[1:]
		content, err := a.read(map[bool]string{true: "the first text", false: "the second text"}[len(args) == want-1], name)
		if err != nil {
			return side{}, err
		}
		if content, err = utf8Text(name, content, repair); err != nil || !triples {
			return side{text: content}, err
		}
		format, ok := kg.FormatByPath(name)
		if !ok {
			format = kg.JSON
		}
		g, err := kg.Decode(strings.NewReader(content), format)
		if err != nil {
			return side{}, fmt.Errorf("%s: %w", name, plainError{err})
		}
		return side{graph: g}, nil
	}
	if x, err = get(setA, textA, "--a-text"); err != nil {
		return x, y, err
	}
	y, err = get(setB, textB, "--b-text")
	return x, y, err
}

func (a *app) showComparison(r s3kg.Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "score      %s (%s)\n", a.paint.strong(fmt.Sprintf("%.3f", r.Score)), modeWords(r.Form))
	fmt.Fprintf(&b, "structure  %.3f\nmeaning    %.3f\n", r.Structure, r.Meaning)
	fmt.Fprintf(&b, "b covers a %.3f, a covers b %.3f\n", r.AB.Score, r.BA.Score)
	if r.Fallback {
		fmt.Fprintln(&b, "a text gave no graph, so both were compared as whole sentences")
	}
	if r.Degenerate {
		fmt.Fprintln(&b, "one side at least is empty; the score is a convention")
	}
	if r.Approximate {
		fmt.Fprintln(&b, "the graphs are too large for the best alignment; a greedy one was used")
	}
	for _, m := range r.Matches {
		paint := a.paint.warn
		switch m.Class {
		case s3kg.Same, s3kg.Aligned:
			paint = a.paint.good
		case s3kg.Missing, s3kg.Reversed, s3kg.Opposite:
			paint = a.paint.bad
		}
		fmt.Fprintf(&b, "\n%s %.2f\n  a  %s\n", paint(string(m.Class)), m.Similarity, tripleLine(m.A))
		if m.Class != s3kg.Missing {
			fmt.Fprintf(&b, "  b  %s\n", tripleLine(m.B))
		}
	}
	for _, t := range r.Extra {
		fmt.Fprintf(&b, "\n%s\n  b  %s\n", a.paint.warn("only in b"), tripleLine(t))
	}
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

func tripleLine(t kg.Triple) string {
	return mark.Plain(t.Head) + " | " + mark.Plain(t.Relation) + " | " + mark.Plain(t.Tail)
}

func modeWords(f s3kg.Form) string {
	if f == s3kg.Cover {
		return "cover: how well b covers a"
	}
	return "f1: what either side lacks costs"
}
