package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/jsonl"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/nli/builtin"
	"github.com/kgeval/kgeval/nli/llmjudge"
	"github.com/kgeval/kgeval/numeric"
	"github.com/kgeval/kgeval/segment"
)

var checkFormat = format{"kgeval.check", 1}

// checkRow is an output row of kgeval check; docs/rows.md describes it.
type checkRow struct {
	jsonl.Head
	Verdict       claim.Outcome `json:"verdict"`
	PInconsistent *float64      `json:"p_inconsistent"`
	Claims        []claimRow    `json:"claims"`
	// Figures are the output's numbers, and Fidelity counts its entities and
	// relations.
	Figures  []figureRow    `json:"figures"`
	Fidelity claim.Fidelity `json:"fidelity"`
	Notes    []claim.Note   `json:"notes,omitempty"`
	Error    *string        `json:"error"`
}

type claimRow struct {
	Triple        *[3]string     `json:"triple"`
	Text          string         `json:"text"`
	Verdict       claim.Verdict  `json:"verdict"`
	PInconsistent float64        `json:"p_inconsistent"`
	Spans         []segment.Span `json:"spans"`
	Evidence      []evidenceRow  `json:"evidence"`
	Reasons       []reasonRow    `json:"reasons,omitempty"`
	Faults        []claim.Fault  `json:"faults,omitempty"`
	Error         string         `json:"error,omitempty"`
}

type evidenceRow struct {
	Source string       `json:"source"`
	Index  int          `json:"index"`
	Span   segment.Span `json:"span"`
	Role   claim.Role   `json:"role"`
}

type reasonRow struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
}

func newCheckRow(h jsonl.Head, s kgeval.Sample, r claim.Result, u offsetUnit) checkRow {
	row := checkRow{Head: h, Verdict: r.Outcome, Notes: r.Notes, Claims: claimRows(s, r, u), Figures: figureRows(s, r, u), Fidelity: r.Fidelity}
	if p, ok := r.Score(); ok {
		row.PInconsistent = &p
	}
	return row
}

func claimRows(s kgeval.Sample, r claim.Result, u offsetUnit) []claimRow {
	rows := []claimRow{}
	for _, c := range r.MapSpans(u.sample(s)).Claims {
		row := claimRow{
			Text: c.Text, Verdict: c.Verdict, PInconsistent: c.PInconsistent,
			Spans: c.Spans, Evidence: []evidenceRow{}, Faults: c.Faults,
		}
		if !c.Whole {
			row.Triple = &[3]string{c.Triple.Head, c.Triple.Relation, c.Triple.Tail}
		}
		for _, e := range c.Evidence {
			row.Evidence = append(row.Evidence, evidenceRow{e.Source, e.Index, e.Span, e.Role})
		}
		for _, x := range c.Reasons {
			row.Reasons = append(row.Reasons, reasonRow{x.Kind, x.Detail})
		}
		if c.Err != nil {
			row.Error = c.Err.Error()
		}
		rows = append(rows, row)
	}
	return rows
}

func failedCheck(h jsonl.Head, err error) any {
	msg := oneLine(err.Error())
	return checkRow{Head: h, Verdict: claim.OutcomeUnknown, Claims: []claimRow{}, Figures: []figureRow{}, Error: &msg}
}

// outcomeCode is what an outcome means for the exit code.
func outcomeCode(o claim.Outcome) int {
	switch o {
	case claim.Consistent, claim.NoClaims:
		return exitOK
	case claim.Inconsistent:
		return exitBad
	}
	return exitUnknown
}

func judgeCheck(row []byte) (int, string) {
	var r struct {
		Verdict claim.Outcome `json:"verdict"`
		Error   *string       `json:"error"`
	}
	if err := json.Unmarshal(row, &r); err != nil || r.Error != nil {
		return exitUnknown, "failed"
	}
	return outcomeCode(r.Verdict), string(r.Verdict)
}

// checkFlags choose the way of checking.
type checkFlags struct {
	method        string
	threshold     float64
	fewFalseAlarm bool
	model         llmFlags
	judge         bool
	comma         bool
	nli           string
	maxPairs      int
	maxTime       time.Duration
}

func (c *checkFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.method, "method", "facts", "what is checked: `facts` (triples, and each sentence that none covers), paper (triples only, as the GraphEval paper does), sentences, or output (the whole output at once)")
	f.Float64Var(&c.threshold, "threshold", 0, "P(inconsistent) above which a claim is not supported, `P` between 0 and 1 (default: as measured for the model)")
	f.BoolVar(&c.fewFalseAlarm, "few-false-alarms", false, "call an output inconsistent only at the point set to 5% false alarms on development outputs (for tests and guards)")
	f.BoolVar(&c.comma, "decimal-comma", false, "the texts write numbers as 1.234,5 (for the exact check of numbers)")
	f.StringVar(&c.nli, "model", "", "judge the facts by this `MODEL`: "+nlimodel.Help)
	f.IntVar(&c.maxPairs, "max-pairs", 0, "judge at most `N` pairs of passage and fact for an output; facts beyond are unknown (0: no bound)")
	f.DurationVar(&c.maxTime, "max-time", 0, "check an output for at most this `TIME`, such as 10s; facts not judged by then are unknown (0: no bound)")
	c.model.register(cmd, "find the facts")
	f.BoolVar(&c.judge, "llm-judge", false, "judge the facts with the language model of --llm too")
}

func (c *checkFlags) options(cmd *cobra.Command) (grapheval.Options, error) {
	var o grapheval.Options
	switch c.method {
	case "facts":
	case "paper":
		o = grapheval.Paper()
	case "sentences":
		o = grapheval.PerSentence()
	case "output":
		o = grapheval.WholeOutput()
	default:
		return o, fmt.Errorf("--method must be facts, paper, sentences or output, not %q", c.method)
	}
	if cmd.Flags().Changed("threshold") {
		if !(c.threshold > 0 && c.threshold < 1) {
			return o, fmt.Errorf("--threshold must be above 0 and below 1, not %v", c.threshold)
		}
		o.Threshold = c.threshold
	}
	if c.fewFalseAlarm {
		o.Point = grapheval.FewFalseAlarms
	}
	if c.comma {
		o.Numbers.Style = numeric.CommaDecimal
	}
	if c.maxPairs < 0 || c.maxTime < 0 {
		return o, errors.New("--max-pairs and --max-time must not be negative")
	}
	o.MaxPairs, o.MaxTime = c.maxPairs, c.maxTime
	if c.nli != "" {
		if c.judge {
			return o, errors.New("--model and --llm-judge both say who judges; give one")
		}
		judge, err := nlimodel.Open(c.nli, builtin.Options{})
		if err != nil {
			return o, fmt.Errorf("--model: %w", plainError{err})
		}
		o.Model = judge
	}
	m, err := c.model.open()
	switch {
	case err != nil:
		return o, err
	case m == nil && c.judge:
		return o, errors.New("--llm-judge needs a language model: say where with --llm URL and --llm-model NAME")
	case m == nil:
		return o, nil
	}
	if o.Extractor, err = llmkg.New(m, llmkg.Options{}); err != nil {
		return o, plainError{err}
	}
	if c.judge {
		if o.Model, err = llmjudge.New(m, llmjudge.Options{}); err != nil {
			return o, plainError{err}
		}
	}
	return o, nil
}

func (c *checkFlags) settings() string {
	s := fmt.Sprintf("method=%s threshold=%v few=%t%s", c.method, c.threshold, c.fewFalseAlarm, c.model.settings())
	if c.judge {
		s += " judge"
	}
	if c.comma {
		s += " comma"
	}
	if c.nli != "" {
		s += " model=" + c.nli
	}
	if c.maxPairs > 0 {
		s += fmt.Sprintf(" pairs=%d", c.maxPairs)
	}
	if c.maxTime > 0 {
		s += " time=" + c.maxTime.String()
	}
	return s
}

// sampleFlags give one sample.
type sampleFlags struct {
	context                         []string
	contextText, output, outputText string
	question                        string
	single                          []string
}

func (s *sampleFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVarP(&s.context, "context", "c", nil, "the source to check against, `FILE` (- for standard input; may be given several times)")
	f.StringVar(&s.contextText, "context-text", "", "the source itself, `TEXT`, instead of a file")
	f.StringVarP(&s.output, "output", "o", "", "what the model wrote, `FILE` (- for standard input)")
	f.StringVar(&s.outputText, "output-text", "", "what the model wrote, `TEXT`, instead of a file")
	f.StringVarP(&s.question, "question", "q", "", "the question that the output answers, `TEXT`, if there was one")
	s.single = []string{"context", "context-text", "output", "output-text", "question"}
}

func (a *app) sample(cmd *cobra.Command, s sampleFlags, repair bool) (sample kgeval.Sample, name string, err error) {
	set := cmd.Flags().Changed
	sample.Question = s.question
	sample.Sources, err = a.sources(s.context, s.contextText, set("context"), set("context-text"), repair)
	if err != nil {
		return sample, "", err
	}
	text, ok, err := a.text("output", s.output, s.outputText, set("output"), set("output-text"))
	if err != nil {
		return sample, "", err
	}
	if !ok {
		return sample, "", errors.New("say what the model wrote: --output FILE or --output-text TEXT (or --jsonl FILE for many)")
	}
	name = "output"
	if set("output") && s.output != "-" {
		name = s.output
	}
	sample.Output, err = utf8Text(name, text, repair)
	return sample, name, err
}

// decodeSample reads an input row of check and correct.
func decodeSample(line []byte) (kgeval.Sample, error) {
	var row struct {
		ID      json.RawMessage `json:"id"`
		Context json.RawMessage `json:"context"`
		Output  *string         `json:"output"`
		// Question may be null or absent.
		Question string `json:"question"`
	}
	var s kgeval.Sample
	if err := decode(line, &row); err != nil {
		return s, err
	}
	switch {
	case row.Output == nil:
		return s, errors.New(`"output" is missing`)
	case len(row.Context) == 0 || string(row.Context) == "null":
		return s, errors.New(`"context" is missing`)
	}
	// The id was read before; a number would not fit the sample's.
	rest, err := json.Marshal(struct {
		Context json.RawMessage `json:"context"`
	}{row.Context})
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(rest, &s); err != nil {
		return s, err
	}
	s.Output, s.Question = *row.Output, row.Question
	return s, nil
}

func (a *app) checkCommand() *cobra.Command {
	var (
		in     sampleFlags
		many   batchFlags
		how    checkFlags
		offset = offsetUnit("byte")
		page   string
	)
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Is a model's output true to its context?",
		Long: `Check finds the facts in a model's output and judges each of them against the
context: supported, contradicted, unsupported (the context does not say it),
conflicting (the sources disagree), or unknown (it could not be judged).

Marks under the output: ^ contradicted, ~ unsupported, ! conflicting, ? unknown.

With --jsonl each line is an object with "context" (a text, or a list of texts
or of {"id", "text"}), "output", and perhaps "id" and "question"; docs/rows.md
describes the rows.

` + exitHelp,
		Example: `  kgeval check --context article.txt --output summary.txt
  kgeval check -c article.txt -c table.txt -o answer.txt --question "When did it open?"
  kgeval check -c article.txt -o summary.txt --html summary.html
  my-model | kgeval check --context article.txt --output - --json
  kgeval check --jsonl samples.jsonl --out verdicts.jsonl --jobs 4`,
		Args: noArgs("name the files with --context and --output"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := many.check(cmd, args, append(in.single, "html")...); err != nil {
				return err
			}
			options, err := how.options(cmd)
			if err != nil {
				return err
			}
			checker, err := a.parts.checker(options)
			if err != nil {
				return err
			}
			if many.jsonl != "" {
				return a.run(cmd.Context(), many, batch{
					format:   checkFormat,
					settings: "check " + how.settings() + " offsets=" + string(offset),
					row: func(ctx context.Context, h jsonl.Head, line []byte) (any, error) {
						s, err := decodeSample(line)
						if err != nil {
							return nil, err
						}
						r, err := checker.Check(ctx, s)
						if err != nil {
							return nil, err
						}
						return newCheckRow(h, s, r, offset), nil
					},
					failed: failedCheck,
					judge:  judgeCheck,
				})
			}
			s, name, err := a.sample(cmd, in, many.repair)
			if err != nil {
				return err
			}
			r, err := checker.Check(cmd.Context(), s)
			if err != nil {
				return plainError{err}
			}
			if page != "" {
				if err := a.writeCheckPage(page, s, name, r); err != nil || page == "-" {
					a.code = outcomeCode(r.Outcome)
					return err
				}
			}
			a.code = outcomeCode(r.Outcome)
			if many.asJSON {
				_, err = fmt.Fprintf(a.stdout, "%s\n", encode(newCheckRow(checkFormat.head(""), s, r, offset)))
				return err
			}
			return a.showCheck(s, name, r)
		},
	}
	in.register(cmd)
	how.register(cmd)
	many.register(cmd)
	cmd.Flags().Var(&offset, "offsets", "what spans count in JSON")
	cmd.Flags().StringVar(&page, "html", "", "write the result as a page to read in a browser too, `FILE` (- for standard output, and nothing else there)")
	return cmd
}
