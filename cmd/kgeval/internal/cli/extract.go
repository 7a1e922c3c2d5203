package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/jsonl"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

var extractFormat = format{"kgeval.extract", 1}

// extractRow is an output row of kgeval extract; docs/rows.md describes it.
type extractRow struct {
	jsonl.Head
	Triples [][3]string `json:"triples"`
	// Spans holds for each triple where the text states it.
	Spans     [][]segment.Span `json:"spans"`
	Dropped   []droppedRow     `json:"dropped"`
	Truncated bool             `json:"truncated,omitempty"`
	Error     *string          `json:"error"`
}

type droppedRow struct {
	Raw    string        `json:"raw"`
	Reason string        `json:"reason"`
	Span   *segment.Span `json:"span,omitempty"`
}

// newExtractRow lists each triple once, with all its places.
func newExtractRow(h jsonl.Head, text string, e kg.Extraction, u offsetUnit) extractRow {
	convert := u.spans(text)
	row := extractRow{Head: h, Triples: [][3]string{}, Spans: [][]segment.Span{}, Dropped: []droppedRow{}, Truncated: e.Truncated}
	at := map[kg.Triple]int{}
	for _, s := range e.Statements {
		i, ok := at[s.Triple]
		if !ok {
			i = len(row.Triples)
			at[s.Triple] = i
			row.Triples = append(row.Triples, [3]string{s.Triple.Head, s.Triple.Relation, s.Triple.Tail})
			row.Spans = append(row.Spans, []segment.Span{})
		}
		for _, x := range s.Spans {
			row.Spans[i] = append(row.Spans[i], convert(x))
		}
	}
	for _, d := range e.Dropped {
		r := droppedRow{Raw: d.Raw, Reason: d.Reason}
		if !d.Span.Empty() {
			s := convert(d.Span)
			r.Span = &s
		}
		row.Dropped = append(row.Dropped, r)
	}
	if e.Err != nil {
		msg := oneLine(e.Err.Error())
		row.Error = &msg
	}
	return row
}

func failedExtract(h jsonl.Head, err error) any {
	msg := oneLine(err.Error())
	return extractRow{Head: h, Triples: [][3]string{}, Spans: [][]segment.Span{}, Dropped: []droppedRow{}, Error: &msg}
}

func (a *app) extractCommand() *cobra.Command {
	var (
		many      batchFlags
		text      string
		formatArg string
		dropped   bool
		offset    = offsetUnit("byte")
		model     llmFlags
	)
	cmd := &cobra.Command{
		Use:   "extract [FILE...]",
		Short: "The facts of a text as triples",
		Long: `Extract turns text into triples (head, relation, tail) that read as sentences and
keep negation, quantities, times, places and hedges. Texts given together share
their names: a surname in the second becomes the full name of the first.

With --jsonl each line is an object with "text" and perhaps "id"; docs/rows.md
describes the rows.

` + exitHelp,
		Example: `  kgeval extract article.txt
  kgeval extract --text "Ada Lovelace wrote the first program in 1843." --json
  kgeval extract article.txt --format dot | dot -Tsvg > article.svg
  kgeval extract --jsonl texts.jsonl --out triples.jsonl
  kgeval extract article.txt --llm http://localhost:11434/v1 --llm-model qwen2.5:7b`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := many.check(cmd, args, "text", "format", "dropped"); err != nil {
				return err
			}
			p, err := a.parts.load()
			if err != nil {
				return err
			}
			if x, err := model.extractor(); err != nil {
				return err
			} else if x != nil {
				p.Extractor = x
			}
			if many.jsonl != "" {
				return a.run(cmd.Context(), many, batch{
					format:   extractFormat,
					settings: "extract offsets=" + string(offset) + model.settings(),
					row: func(ctx context.Context, h jsonl.Head, line []byte) (any, error) {
						var row struct {
							ID   json.RawMessage `json:"id"`
							Text *string         `json:"text"`
						}
						if err := decode(line, &row); err != nil {
							return nil, err
						}
						if row.Text == nil {
							return nil, errors.New(`"text" is missing`)
						}
						e, err := extractOne(ctx, p.Extractor, kg.Text{Text: *row.Text})
						if err != nil {
							return nil, err
						}
						return newExtractRow(h, *row.Text, e, offset), nil
					},
					failed: failedExtract,
					judge:  judgeError,
				})
			}
			texts, err := a.texts(cmd, args, text, many.repair)
			if err != nil {
				return err
			}
			all, err := p.Extractor.Extract(cmd.Context(), texts)
			if err != nil {
				return plainError{err}
			}
			for _, e := range all {
				if e.Err != nil {
					fmt.Fprintf(a.stderr, "kgeval: %s: %s\n", e.TextID, oneLine(e.Err.Error()))
					a.code = exitUnknown
				}
			}
			switch {
			case many.asJSON:
				for i, e := range all {
					h := extractFormat.head("")
					if len(all) > 1 {
						h = extractFormat.head(e.TextID)
					}
					if _, err := fmt.Fprintf(a.stdout, "%s\n", encode(newExtractRow(h, texts[i].Text, e, offset))); err != nil {
						return err
					}
				}
				return nil
			case formatArg != "":
				f, err := kg.FormatByName(formatArg)
				if err != nil {
					return fmt.Errorf("--format: %w", plainError{err})
				}
				g := kg.NewGraph()
				for _, e := range all {
					g = g.Union(e.Graph())
				}
				return kg.Encode(a.stdout, f, g)
			}
			for i, e := range all {
				if err := a.showExtraction(texts[i], e, dropped, len(all) > 1); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&text, "text", "", "the text itself, `TEXT`, instead of a file")
	cmd.Flags().StringVar(&formatArg, "format", "", "print the graph of all texts as `json`, json-objects, jsonl, python, csv, nt or dot")
	cmd.Flags().BoolVar(&dropped, "dropped", false, "also list what was seen and left out, and why")
	cmd.Flags().Var(&offset, "offsets", "what spans count in JSON")
	model.register(cmd, "find the facts")
	many.register(cmd)
	return cmd
}

func extractOne(ctx context.Context, x kg.Extractor, t kg.Text) (kg.Extraction, error) {
	all, err := x.Extract(ctx, []kg.Text{t})
	if err != nil {
		return kg.Extraction{}, err
	}
	if len(all) != 1 {
		return kg.Extraction{}, fmt.Errorf("the extractor %s gave %d results for one text", x.ID(), len(all))
	}
	return all[0], nil
}

// texts reads the texts that the arguments and --text give.
func (a *app) texts(cmd *cobra.Command, args []string, text string, repair bool) ([]kg.Text, error) {
	set := cmd.Flags().Changed("text")
	switch {
	case set && len(args) > 0:
		return nil, fmt.Errorf("--text and the file %s were both given; leave one out", args[0])
	case set:
		t, err := utf8Text("--text", text, repair)
		return []kg.Text{{ID: "text", Text: t}}, err
	case len(args) == 0:
		return nil, errors.New("say which text: a file, - for standard input, --text TEXT, or --jsonl FILE for many")
	}
	var out []kg.Text
	for _, name := range args {
		t, err := a.read("text", name)
		if err != nil {
			return nil, err
		}
		if t, err = utf8Text(name, t, repair); err != nil {
			return nil, err
		}
		out = append(out, kg.Text{ID: name, Text: t})
	}
	return out, nil
}

func (a *app) showExtraction(text kg.Text, e kg.Extraction, dropped, named bool) error {
	var b strings.Builder
	g := e.Graph()
	if named {
		fmt.Fprintf(&b, "%s: ", text.ID)
	}
	fmt.Fprintf(&b, "%s\n", count(g.Len(), "triple", "triples"))
	for t := range g.Triples() {
		fmt.Fprintf(&b, "  %s %s %s %s %s\n", a.paint.strong(mark.Plain(t.Head)), a.paint.dim("|"),
			mark.Plain(t.Relation), a.paint.dim("|"), a.paint.strong(mark.Plain(t.Tail)))
	}
	if e.Truncated {
		fmt.Fprintln(&b, "a part of the text was not read")
	}
	if dropped && len(e.Dropped) > 0 {
		fmt.Fprintf(&b, "left out:\n")
		for _, d := range e.Dropped {
			fmt.Fprintf(&b, "  %s: %s\n", mark.Plain(d.Reason), mark.Plain(d.Raw))
		}
	}
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}
