package bench

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/dataset"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/llm/openai"
	"github.com/kgeval/kgeval/llm/retry"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
	"github.com/kgeval/kgeval/nli/llmjudge"
)

// groundingOptions say what is judged, and how.
type groundingOptions struct {
	models, files []string
	methods       string
	llm, llmModel string
	journal       string
	only          bool          // take results from the journal alone
	time          time.Duration // 0: no bound
}

// groundingSet is the rows of one set.
type groundingSet struct {
	name string
	rows []groundingRow
	// file says that it is one of the user's, of which nothing was fitted on any row.
	file bool
}

// groundingFormats names the forms of files whose outputs have labels.
func groundingFormats() string {
	var out []string
	for _, f := range dataset.Formats() {
		if f.Labels {
			out = append(out, f.Name)
		}
	}
	return strings.Join(out, ", ")
}

// groundingData reads the development sets and files. skipped says what is not
// there, in words.
func groundingData(dir, half, only string, limit int, seed uint64, files []string) (all []groundingSet, skipped []string, err error) {
	wanted := strings.Split(strings.ToLower(only), ",")
	for _, set := range groundingSets {
		if only != "" && !slices.Contains(wanted, strings.ToLower(set.name)) {
			continue
		}
		rows, err := set.read(dir)
		if errors.Is(err, ErrNoData) {
			skipped = append(skipped, fmt.Sprintf("%s was skipped: %v", set.name, err))
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		rows = slices.DeleteFunc(rows, func(r groundingRow) bool { return !inHalf(half, r.context) })
		all = append(all, groundingSet{name: set.name, rows: rows})
	}
	for _, f := range files {
		sets, notes, err := groundingFile(f)
		if err != nil {
			return nil, nil, err
		}
		all, skipped = append(all, sets...), append(skipped, notes...)
	}
	for i := range all {
		if rows := all[i].rows; limit > 0 && len(rows) > limit {
			rng := rand.New(rand.NewPCG(seed, 0))
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			all[i].rows = rows[:limit]
		}
	}
	return all, skipped, nil
}

// groundingFile reads the rows of a file given as FORMAT=PATH. A file of several
// sets gives several.
func groundingFile(arg string) (sets []groundingSet, notes []string, err error) {
	format, name, ok := strings.Cut(arg, "=")
	if !ok {
		return nil, nil, fmt.Errorf("-file must be FORMAT=PATH, with FORMAT one of %s, not %q", groundingFormats(), arg)
	}
	rows, bad, err := dataset.Collect(dataset.Open(format, name))
	if err != nil {
		return nil, nil, err
	}
	base, _, _ := strings.Cut(path.Base(name), ".")
	at := map[string]int{}
	unlabelled := 0
	for _, r := range rows {
		if r.Label == dataset.Unlabelled || r.Output == "" || len(r.Sources) == 0 {
			unlabelled++
			continue
		}
		set := format + ", " + base
		if r.Set != "" {
			set = format + ", " + r.Set
		}
		k, ok := at[set]
		if !ok {
			k = len(sets)
			at[set] = k
			sets = append(sets, groundingSet{name: set, file: true})
		}
		sets[k].rows = append(sets[k].rows, fromDataset(r))
	}
	if len(sets) == 0 {
		return nil, nil, fmt.Errorf("%s: no row has a context, an output and a label (%d rows, %d that could not be read)", name, len(rows), len(bad))
	}
	if unlabelled > 0 || len(bad) > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d rows without context, output or label and %d that could not be read are left out.", name, unlabelled, len(bad)))
	}
	if format == "wice" {
		notes = append(notes, "WiCE is among the training data of the built-in entailment model: its lines say nothing about that model's quality.")
	}
	return sets, notes, nil
}

func fromDataset(r dataset.Row) groundingRow {
	row := groundingRow{
		id: r.ID, question: r.Question, output: r.Output, sources: r.Sources,
		consistent: r.Label == dataset.Consistent, group: r.Group,
	}
	var texts []string
	for _, s := range r.Sources {
		texts = append(texts, s.Text)
	}
	row.context = strings.Join(texts, "\n\n")
	for _, s := range r.Spans {
		if s.Class != "" && !slices.Contains(row.types, s.Class) {
			row.types = append(row.types, s.Class)
		}
	}
	// A class that only says the label again is no kind of error.
	if len(r.Spans) == 0 && !row.consistent && strings.ContainsFunc(r.Class, unicode.IsLetter) && !strings.EqualFold(r.Class, string(r.Label)) {
		row.types = []string{r.Class}
	}
	return row
}

// groundingWay is one way to check with one model.
type groundingWay struct {
	model, method string // for tables
	id            string // of the model, the parts beside it and the way
	check         func(ctx context.Context, s claim.Sample) (claim.Result, error)
	work          func() builtin.Work
}

// The ways to check, in the order of the tables.
const (
	wayRaw       = "raw"
	waySentences = "sentences"
	wayPaper     = "paper"
	wayDefault   = "default"
	wayOverlap   = "overlap"
)

// groundingWays returns every way to check with every model. Each has a model of
// its own, so that none lives on what another one has read already.
func groundingWays(o groundingOptions) ([]groundingWay, error) {
	parts, err := kgeval.Offline()
	if err != nil {
		return nil, err
	}
	var wanted []string
	if o.methods != "" {
		wanted = strings.Split(o.methods, ",")
		for _, m := range wanted {
			if !slices.Contains([]string{wayRaw, waySentences, wayPaper, wayDefault, wayOverlap}, m) {
				return nil, fmt.Errorf("-methods: there is no %q; the ways are raw, sentences, paper, default, overlap", m)
			}
		}
	}
	use := func(method string) bool { return wanted == nil || slices.Contains(wanted, method) }
	var out []groundingWay
	add := func(name, method string, model nli.Model, options grapheval.Options, parts kgeval.Parts) error {
		if !use(method) {
			return nil
		}
		options.Model, options.NoEvidence = model, true
		c, err := parts.Checker(options)
		if err != nil {
			return err
		}
		label := method
		id := model.ID() + " " + method
		if method == wayPaper || method == wayDefault {
			id += " " + parts.Extractor.ID()
			if _, ok := parts.Extractor.(*llmkg.Extractor); ok {
				label += ", LLM extractor"
			}
		}
		out = append(out, groundingWay{
			model: name, method: label, id: id, check: c.Check,
			work: func() builtin.Work { w, _ := nlimodel.Work(model); return w },
		})
		return nil
	}
	methods := []struct {
		name    string
		options grapheval.Options
	}{{wayRaw, grapheval.WholeOutput()}, {waySentences, grapheval.PerSentence()}, {wayPaper, grapheval.Paper()}, {wayDefault, grapheval.Options{}}}
	for _, name := range o.models {
		for _, m := range methods {
			model, err := nlimodel.Open(name, builtin.Options{})
			if err != nil {
				return nil, err
			}
			short, _, _ := strings.Cut(model.ID(), "@")
			short, _, _ = strings.Cut(short, "(")
			if err := add(short, m.name, model, m.options, parts); err != nil {
				return nil, err
			}
		}
	}
	if o.llm != "" {
		client, err := openai.New(openai.Config{BaseURL: o.llm, Model: o.llmModel, Key: os.Getenv("KGEVAL_LLM_KEY")})
		if err != nil {
			return nil, err
		}
		m := retry.New(client, retry.Options{})
		judge, err := llmjudge.New(m, llmjudge.Options{})
		if err != nil {
			return nil, err
		}
		for _, k := range methods {
			if err := add("LLM judge", k.name, judge, k.options, parts); err != nil {
				return nil, err
			}
		}
		with := parts
		if with.Extractor, err = llmkg.New(m, llmkg.Options{}); err != nil {
			return nil, err
		}
		model, err := nlimodel.Open("combined", builtin.Options{})
		if err != nil {
			return nil, err
		}
		short, _, _ := strings.Cut(model.ID(), "(")
		if err := add(short, wayDefault, model, grapheval.Options{}, with); err != nil {
			return nil, err
		}
	}
	if use(wayOverlap) {
		out = append(out, groundingWay{model: "word overlap", method: wayOverlap, id: "overlap/1", check: checkOverlap, work: func() builtin.Work { return builtin.Work{} }})
	}
	return out, nil
}

// checkOverlap is the plainest of checkers: an output is as true as the least
// share of a sentence's words that stand in the sources, and should be above three
// quarters.
func checkOverlap(_ context.Context, s claim.Sample) (claim.Result, error) {
	var all strings.Builder
	for _, x := range s.Sources {
		all.WriteString(x.Text + "\n")
	}
	least := 1.0
	for _, share := range overlaps(all.String(), sentencesOf(s.Output)) {
		least = min(least, share)
	}
	r := claim.Result{Outcome: claim.Consistent, PInconsistent: 1 - least}
	if least < 0.75 {
		r.Outcome = claim.Inconsistent
	}
	return r, nil
}

// groundingScore is a row's result by one way; a line of the journal.
type groundingScore struct {
	Way string `json:"way"`
	Row string `json:"row"`
	Sum string `json:"sum"` // of the row's texts
	// P is P(inconsistent); 1 where it is unknown, 0 where there are no claims.
	P       float64       `json:"p"`
	Outcome claim.Outcome `json:"outcome"`
	Claims  int           `json:"claims"`
	Tokens  int64         `json:"tokens"`
	Seconds float64       `json:"seconds"` // of the wall clock
	CPU     float64       `json:"cpu"`     // seconds of processor time
	Error   string        `json:"error,omitempty"`
}

func (g groundingScore) key() string { return g.Way + "\x00" + g.Row + "\x00" + g.Sum }

// sumOf tells rows with the same name and other texts apart.
func sumOf(r groundingRow) string {
	h := sha256.New()
	for _, t := range []string{r.context, r.question, r.output} {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return fmt.Sprintf("%.8x", h.Sum(nil))
}

// judge checks all rows by all ways, but for what the journal holds already. The
// result is by groundingScore.key; left is how many are still missing.
func (o groundingOptions) judge(ctx context.Context, sets []groundingSet, ways []groundingWay) (scores map[string]groundingScore, left int, err error) {
	scores = map[string]groundingScore{}
	write := func(groundingScore) error { return nil }
	if o.journal != "" {
		f, err := openJournal(o.journal, scores)
		if err != nil {
			return nil, 0, err
		}
		defer f.Close()
		write = func(g groundingScore) error {
			b, err := json.Marshal(g)
			if err != nil {
				return err
			}
			_, err = f.Write(append(b, '\n'))
			return err
		}
	}
	began := time.Now()
	for _, way := range ways {
		for _, set := range sets {
			for _, r := range set.rows {
				if err := ctx.Err(); err != nil {
					return nil, 0, err
				}
				g := groundingScore{Way: way.id, Row: r.id, Sum: sumOf(r)}
				if _, ok := scores[g.key()]; ok {
					continue
				}
				if o.only || o.time > 0 && time.Since(began) > o.time {
					left++
					continue
				}
				if err := g.measure(ctx, way, r); err != nil {
					return nil, 0, err
				}
				scores[g.key()] = g
				if err := write(g); err != nil {
					return nil, 0, fmt.Errorf("-journal: %w", err)
				}
			}
		}
	}
	return scores, left, nil
}

// measure checks a row. What fails on it is kept with it; the error is the
// context's.
func (g *groundingScore) measure(ctx context.Context, way groundingWay, r groundingRow) error {
	before, cpu, began := way.work(), cpuTime(), time.Now()
	result, err := way.check(ctx, r.sample())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	g.Seconds, g.CPU, g.Tokens = time.Since(began).Seconds(), (cpuTime() - cpu).Seconds(), way.work().Tokens-before.Tokens
	if err != nil {
		g.P, g.Outcome, g.Error = 1, claim.OutcomeUnknown, err.Error()
		return nil
	}
	g.P, g.Outcome, g.Claims = result.PInconsistent, result.Outcome, len(result.Claims)
	return nil
}

// openJournal reads what a journal holds into scores and opens it for more. A last
// line that was cut off, as by a kill, is written over.
func openJournal(name string, scores map[string]groundingScore) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("-journal: %w", err)
	}
	in := bufio.NewReader(f)
	var good int64
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if err != io.EOF {
				return nil, errors.Join(fmt.Errorf("-journal: %w", err), f.Close())
			}
			break
		}
		var g groundingScore
		if err := json.Unmarshal(line, &g); err != nil {
			return nil, errors.Join(fmt.Errorf("-journal: %s:%d is no result of this benchmark: %w", name, n, err), f.Close())
		}
		scores[g.key()] = g
		good += int64(len(line))
	}
	if err := f.Truncate(good); err != nil {
		return nil, errors.Join(fmt.Errorf("-journal: %w", err), f.Close())
	}
	if _, err := f.Seek(good, io.SeekStart); err != nil {
		return nil, errors.Join(fmt.Errorf("-journal: %w", err), f.Close())
	}
	return f, nil
}
