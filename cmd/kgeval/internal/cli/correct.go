package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/jsonl"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/segment"
)

var correctFormat = format{"kgeval.correct", 1}

// correctRow is an output row of kgeval correct; docs/rows.md describes it.
type correctRow struct {
	jsonl.Head
	Text string `json:"text"`
	// Verdict is that of the text after correcting.
	Verdict claim.Outcome `json:"verdict"`
	Edits   []editRow     `json:"edits"`
	Left    []leftRow     `json:"left"`
	Error   *string       `json:"error"`
}

type editRow struct {
	Span     segment.Span `json:"span"`
	NewSpan  segment.Span `json:"new_span"`
	Old      string       `json:"old"`
	New      string       `json:"new"`
	Reason   string       `json:"reason"`
	Evidence *evidenceRow `json:"evidence,omitempty"`
}

type leftRow struct {
	Text    string         `json:"text"`
	Verdict claim.Verdict  `json:"verdict"`
	Spans   []segment.Span `json:"spans"`
	Kind    string         `json:"kind"`
	Reason  string         `json:"reason"`
}

func newCorrectRow(h jsonl.Head, s kgeval.Sample, c graphcorrect.Correction, u offsetUnit) correctRow {
	row := correctRow{Head: h, Text: c.Text, Verdict: finalOutcome(c), Edits: []editRow{}, Left: []leftRow{}}
	at, after := u.sample(s), u.spans(c.Text)
	for _, e := range c.Edits {
		r := editRow{Span: at(-1, e.Span), NewSpan: after(e.NewSpan), Old: e.Old, New: e.New, Reason: e.Reason}
		if v := e.Evidence; v != nil {
			r.Evidence = &evidenceRow{v.Source, v.Index, at(v.Index, v.Span), v.Role}
		}
		row.Edits = append(row.Edits, r)
	}
	for _, l := range c.Left {
		k := c.Before.Claims[l.Claim]
		r := leftRow{Text: k.Text, Verdict: k.Verdict, Spans: []segment.Span{}, Kind: string(l.Kind), Reason: l.Reason}
		for _, x := range k.Spans {
			r.Spans = append(r.Spans, at(-1, x))
		}
		row.Left = append(row.Left, r)
	}
	return row
}

// finalOutcome is the verdict on the text that is handed back.
func finalOutcome(c graphcorrect.Correction) claim.Outcome {
	if c.After != nil {
		return c.After.Outcome
	}
	return c.Before.Outcome
}

func judgeCorrect(row []byte) (int, string) {
	var r struct {
		Verdict claim.Outcome     `json:"verdict"`
		Edits   []json.RawMessage `json:"edits"`
		Error   *string           `json:"error"`
	}
	if err := json.Unmarshal(row, &r); err != nil || r.Error != nil {
		return exitUnknown, "failed"
	}
	word := string(r.Verdict)
	if len(r.Edits) > 0 {
		word = "corrected, now " + word
	}
	return outcomeCode(r.Verdict), word
}

func (a *app) correctCommand() *cobra.Command {
	var (
		in     sampleFlags
		many   batchFlags
		how    checkFlags
		remove bool
		quietT bool
		offset = offsetUnit("byte")
	)
	cmd := &cobra.Command{
		Use:   "correct",
		Short: "What the output should have said",
		Long: `Correct checks a model's output against its context, puts what is contradicted
(a name, a number, a date, a negation) right from the evidence, and checks the
result again. Everything else stays byte for byte. What cannot be put right is
listed and left, or with --remove taken out.

With --llm the language model finds the facts and corrects each flagged one in two
steps: the fact from the context, then the text from the fact.

The exit code is about the corrected text: 0 when it is consistent.

With --jsonl the rows are those of kgeval check; docs/rows.md describes them.

` + exitHelp,
		Example: `  kgeval correct --context article.txt --output summary.txt
  kgeval correct --context article.txt --output summary.txt --text > corrected.txt
  kgeval correct --jsonl samples.jsonl --out corrected.jsonl`,
		Args: noArgs("name the files with --context and --output"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := many.check(cmd, args, append(in.single, "text")...); err != nil {
				return err
			}
			options, err := how.options(cmd)
			if err != nil {
				return err
			}
			policy := graphcorrect.Leave
			if remove {
				policy = graphcorrect.Remove
			}
			corrections := graphcorrect.Options{Unfixable: policy}
			if m, err := how.model.open(); err != nil {
				return err
			} else if m != nil {
				if remove {
					return errors.New("--llm and --remove were both given; a language model corrects one fact after the other, and leaves what it can't")
				}
				two, err := graphcorrect.NewTwoStep(m, graphcorrect.TwoStepOptions{})
				if err != nil {
					return plainError{err}
				}
				corrections.Proposers, corrections.Sequential = []graphcorrect.Proposer{two}, true
			}
			corrector, err := a.parts.corrector(options, corrections)
			if err != nil {
				return err
			}
			if many.jsonl != "" {
				return a.run(cmd.Context(), many, batch{
					format:   correctFormat,
					settings: fmt.Sprintf("correct %s remove=%t offsets=%s", how.settings(), remove, offset),
					row: func(ctx context.Context, h jsonl.Head, line []byte) (any, error) {
						s, err := decodeSample(line)
						if err != nil {
							return nil, err
						}
						c, err := corrector.Correct(ctx, s)
						if err != nil {
							return nil, err
						}
						return newCorrectRow(h, s, c, offset), nil
					},
					failed: func(h jsonl.Head, err error) any {
						msg := oneLine(err.Error())
						return correctRow{Head: h, Verdict: claim.OutcomeUnknown, Edits: []editRow{}, Left: []leftRow{}, Error: &msg}
					},
					judge: judgeCorrect,
				})
			}
			s, name, err := a.sample(cmd, in, many.repair)
			if err != nil {
				return err
			}
			c, err := corrector.Correct(cmd.Context(), s)
			if err != nil {
				return plainError{err}
			}
			a.code = outcomeCode(finalOutcome(c))
			switch {
			case many.asJSON:
				_, err = fmt.Fprintf(a.stdout, "%s\n", encode(newCorrectRow(correctFormat.head(""), s, c, offset)))
			case quietT:
				_, err = fmt.Fprint(a.stdout, c.Text)
			default:
				err = a.showCorrection(s, name, c)
			}
			return err
		},
	}
	in.register(cmd)
	how.register(cmd)
	cmd.Flags().BoolVar(&remove, "remove", false, "take out what cannot be put right")
	cmd.Flags().BoolVar(&quietT, "text", false, "print the corrected text and nothing else")
	cmd.Flags().Var(&offset, "offsets", "what spans count in JSON")
	many.register(cmd)
	return cmd
}

func (a *app) showCorrection(s kgeval.Sample, name string, c graphcorrect.Correction) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", name, a.outcome(c.Before.Outcome, string(c.Before.Outcome)))
	if c.Changed() {
		fmt.Fprintf(&b, ", after %s: %s", count(len(c.Edits), "edit", "edits"), a.outcome(finalOutcome(c), string(finalOutcome(c))))
	}
	fmt.Fprintf(&b, "\n%s\n", mark.Summary(c.Before.Counts))
	for _, e := range c.Edits {
		fmt.Fprintf(&b, "\n%s:%s: %s -> %s\n", name, mark.At(s.Output, e.Span.Start), a.paint.bad(quoted(e.Old)), a.paint.good(quoted(e.New)))
		if e.Reason != "" {
			fmt.Fprintf(&b, "  why: %s\n", mark.Plain(e.Reason))
		}
		if v := e.Evidence; v != nil && v.Index >= 0 && v.Index < len(s.Sources) {
			text := s.Sources[v.Index].Text
			fmt.Fprintf(&b, "  from %s:%s: %s\n", v.Source, mark.At(text, v.Span.Start), mark.Quote(text, v.Span, 200))
		}
	}
	for _, l := range c.Left {
		k := c.Before.Claims[l.Claim]
		f := mark.NewFinding(s, k, 160)
		fmt.Fprintf(&b, "\n%s:%s: %s, left as it is: %s\n", name, f.At, a.verdict(k.Verdict, string(k.Verdict)), f.Quote)
		if l.Reason != "" {
			fmt.Fprintf(&b, "  why: %s\n", mark.Plain(l.Reason))
		}
	}
	var marks []mark.Mark
	for _, e := range c.Edits {
		marks = append(marks, mark.Mark{Span: e.NewSpan, Under: '+', Paint: a.paint.good})
	}
	if strings.TrimSpace(c.Text) != "" {
		b.WriteString("\n")
		if err := mark.Write(&b, c.Text, a.width(), marks...); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

func quoted(s string) string {
	if s == "" {
		return "(nothing)"
	}
	return "»" + mark.Plain(s) + "«"
}
