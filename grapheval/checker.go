package grapheval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/numeric"
	"github.com/kgeval/kgeval/segment"
)

// Result is what Check returns; see claim.Result.
type Result = claim.Result

// Checker checks outputs against their sources. It is safe for concurrent use.
type Checker struct {
	opts   Options
	budget budget
}

// New returns a Checker. It fails when a required option is missing or one has
// a value that makes no sense.
func New(o Options) (*Checker, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Checker{opts: o, budget: budgetOf(o)}, nil
}

// Check tells whether s.Output is consistent with s.Sources.
//
// It fails with claim.ErrNoContext when no source has any text, with a
// *claim.InvalidUTF8Error when a text is not UTF-8 (unless Options.Repair), when
// the extractor fails as a whole, and with the context's error, at once, when
// ctx ends. A model that fails on one claim is no error: the claim is unknown,
// with the cause in Claim.Err. A model or extractor that panics has failed, with
// a *PanicError as the cause.
func (c *Checker) Check(ctx context.Context, s claim.Sample) (Result, error) {
	began := time.Now()
	p, err := c.Prepare(ctx, s.Sources)
	if err != nil {
		return Result{}, err
	}
	r, err := p.check(ctx, s.Question, s.Output, began)
	r.ID = s.ID
	return r, err
}

// Prepare does the work that depends on the sources alone, so that many outputs
// can be checked against them: it cuts them into windows, and where there are more
// of these than a claim is judged against (Options.Nearest), it indexes their words
// and lets Options.Embedder read them. Its errors are those of Check for sources.
// The sources must not be changed as long as the Prepared is in use.
func (c *Checker) Prepare(ctx context.Context, sources []claim.Source) (*Prepared, error) {
	if c == nil || c.opts.Model == nil {
		return nil, errNoChecker
	}
	if ctx == nil {
		return nil, errNoContext
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("grapheval: %w", err)
	}
	p := &Prepared{checker: c, sources: slices.Clone(sources)}
	p.vocabulary = sync.OnceValue(func() vocabulary { return vocabularyOf(p.sources) })
	p.words = sync.OnceValue(func() string { return wordsOfSources(p.sources) })
	if c.opts.Repair {
		fixed, changed := claim.Repair(claim.Sample{Sources: sources})
		if changed {
			p.sources = fixed.Sources
			p.notes = append(p.notes, claim.Note{Kind: claim.NoteRepaired, Detail: "a source was not UTF-8; its spans are in the repaired text"})
		}
	}
	if err := claim.ValidateSources(p.sources); err != nil {
		return nil, fmt.Errorf("grapheval: %w", err)
	}
	var err error
	if p.windows, err = c.budget.windows(ctx, p.sources, c.budget.reserve); err != nil {
		return nil, err
	}
	if p.retrieval, err = newRetrieval(ctx, p.windows, c.opts.toRead(len(p.windows)), c.opts.Embedder); err != nil {
		return nil, err
	}
	if p.numbers, err = numbersOf(ctx, p.sources, c.opts.Numbers); err != nil {
		return nil, err
	}
	p.locators = sync.OnceValue(func() []*kg.Locator {
		out := make([]*kg.Locator, len(p.sources))
		for i, s := range p.sources {
			out[i] = kg.NewLocator(s.Text)
		}
		return out
	})
	for i, s := range p.sources {
		if claim.Blank(s.Text) {
			p.notes = append(p.notes, claim.Note{Kind: claim.NoteSkippedSource, Detail: fmt.Sprintf("source %q has no text", s.Name(i))})
		}
	}
	return p, nil
}

var (
	errNoChecker = errors.New("grapheval: a Checker must come from New, and a Prepared from Prepare")
	errNoContext = errors.New("grapheval: the context is nil")
)

// Prepared is a context that was made ready for checking. It is safe for
// concurrent use.
type Prepared struct {
	checker *Checker
	sources []claim.Source
	windows []window
	notes   []claim.Note

	retrieval *retrieval // of windows; nil where all are read

	// vocabulary is made when the first claim is flagged.
	vocabulary func() vocabulary
	// words are those of the sources, as wordsOf gives them, for quotations.
	words func() string
	// numbers are those of the sources, and locators find entities in each of them.
	numbers  *numeric.Evidence
	locators func() []*kg.Locator
}

// Check is Checker.Check against the prepared sources.
func (p *Prepared) Check(ctx context.Context, question, output string) (Result, error) {
	return p.check(ctx, question, output, time.Now())
}

// check is Check for one that began at the given time.
func (p *Prepared) check(ctx context.Context, question, output string, began time.Time) (Result, error) {
	if p == nil || p.checker == nil {
		return Result{}, errNoChecker
	}
	if ctx == nil {
		return Result{}, errNoContext
	}
	o := p.checker.opts
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("grapheval: %w", err)
	}
	r := Result{
		Threshold: o.Threshold,
		Cutoff:    o.Calibration.cutoff(o.Point),
		Windows:   len(p.windows),
		Model:     o.Model.ID(),
		Notes:     slices.Clone(p.notes),
		Claims:    []claim.Claim{},
	}
	if o.Unit == Triples || o.Unit == TriplesOnly {
		r.Extractor = o.Extractor.ID()
	}
	s := claim.Sample{Question: question, Sources: p.sources, Output: output}
	if o.Repair {
		var changed bool
		if s, changed = claim.Repair(s); changed {
			r.Notes = append(r.Notes, claim.Note{Kind: claim.NoteRepaired, Detail: "the output or question was not UTF-8; its spans are in the repaired text"})
		}
	}
	if err := claim.Validate(s); err != nil {
		return Result{}, fmt.Errorf("grapheval: %w", err)
	}

	until := o.until(began)
	found, err := p.claims(ctx, s, until)
	if err != nil {
		return Result{}, err
	}
	r.Notes = append(r.Notes, found.notes...)
	if o.MaxClaims > 0 && len(found.claims) > o.MaxClaims {
		found.cut = len(found.claims) - o.MaxClaims
		found.claims = found.claims[:o.MaxClaims]
		r.Notes = append(r.Notes, claim.Note{Kind: claim.NoteCut, Detail: fmt.Sprintf("%d claims beyond the limit of %d were not checked", found.cut, o.MaxClaims)})
	}
	unread, err := p.judge(ctx, s.Output, found.claims, until)
	if err != nil {
		return Result{}, err
	}
	if unread > 0 {
		r.Notes = append(r.Notes, claim.Note{Kind: claim.NotePartial, Detail: fmt.Sprintf("the model could not judge %d supported claims against every passage", unread)})
	}
	r.Claims = append(r.Claims, found.claims...)
	p.fragments(r.Claims, found.values)
	r.Notes = append(r.Notes, o.limitNotes(r.Claims)...)
	r.Counts = claim.Count(r.Claims)
	r.Counts.Sentences, r.Counts.Skipped, r.Counts.Cut = found.sentences, found.skipped, found.cut
	for i, k := range r.Claims {
		if k.Verdict == claim.Conflicting {
			r.Notes = append(r.Notes, claim.Note{Kind: claim.NoteConflict, Detail: fmt.Sprintf("the sources disagree on claim %d", i)})
		}
	}
	if r.Figures, err = p.figures(ctx, s.Output, r.Claims); err != nil {
		return Result{}, err
	}
	withoutVerified(r.Claims, r.Figures)
	r.Fidelity = p.fidelity(s.Question, &r)
	o.decide(&r, found.incomplete || found.cut > 0)
	return r, nil
}

// judge fills in the verdicts of claims. Hypotheses that are equal are judged
// once. It returns how many claims were found to be supported although the model
// failed on a window.
func (p *Prepared) judge(ctx context.Context, output string, claims []claim.Claim, until time.Time) (partial int, err error) {
	questions, all, err := p.questions(ctx, output, claims, until)
	if err != nil {
		return 0, err
	}
	all, open, err := p.allot(ctx, claims, all, questions)
	if err != nil {
		return 0, err
	}
	answers := make([]judgement, len(questions))
	err = p.each(ctx, len(questions), func(ctx context.Context, i int) error {
		if !open[i] {
			return nil
		}
		timed, cancel := within(ctx, until)
		defer cancel()
		var err error
		answers[i], err = p.judgeOne(timed, questions[i])
		if err != nil && ctx.Err() == nil && timed.Err() != nil {
			answers[i], err = judgement{hypothesis: questions[i].text, verdict: claim.Unknown, err: ErrMaxTime}, nil
		}
		return err
	})
	if err != nil {
		return 0, err
	}

	// The better of the two for each claim, with evidence; again equal ones once.
	type pair struct{ own, sentence, quotation int }
	var pairs []pair
	same := make(map[pair][]int)
	for _, a := range all {
		k := pair{a.own, a.sentence, weakest(answers, a.quotations)}
		if k.sentence >= 0 && !p.countsFor(answers[k.sentence], answers[k.own], claims[a.claim]) {
			k.sentence = -1
		}
		if same[k] == nil {
			pairs = append(pairs, k)
		}
		same[k] = append(same[k], a.claim)
	}
	var unread atomic.Int64
	err = p.each(ctx, len(pairs), func(ctx context.Context, i int) error {
		k := pairs[i]
		j := answers[k.own]
		if k.sentence >= 0 {
			j = j.withSentence(answers[k.sentence], p.checker.opts.Threshold)
		}
		if k.quotation >= 0 && j.err == nil && (answers[k.quotation].err != nil || answers[k.quotation].support < j.support) {
			j = answers[k.quotation]
		}
		if err := p.findEvidence(ctx, &j, until); err != nil {
			return err
		}
		for _, c := range same[k] {
			j.fill(&claims[c], output)
			claims[c].Faults = p.faults(claims[c], output)
			if j.unread > 0 && j.err == nil {
				unread.Add(1)
			}
		}
		return nil
	})
	return int(unread.Load()), err
}

// questions returns what is to be asked: the claims that nothing decided yet, and
// the sentences that state them.
func (p *Prepared) questions(ctx context.Context, output string, claims []claim.Claim, until time.Time) ([]question, []asked, error) {
	var questions []question
	seen := make(map[string]int)
	ask := func(hypothesis string) int {
		i, ok := seen[hypothesis]
		if !ok {
			i = len(questions)
			seen[hypothesis] = i
			questions = append(questions, question{text: hypothesis})
		}
		return i
	}
	var all []asked
	stated := make(map[segment.Span]int) // a sentence may be long, and state many claims
	for i, c := range claims {
		if c.Verdict != "" {
			continue // decided without the model
		}
		a := asked{claim: i, own: ask(c.Text), sentence: -1}
		if !c.Whole && !p.checker.opts.NoSentences {
			q, ok := stated[c.Sentence]
			if !ok {
				q = ask(plain(c.Sentence.Of(output)))
				stated[c.Sentence] = q
			}
			a.sentence = q
		}
		if p.checker.opts.Unit == Triples {
			for _, q := range p.quotations(c.Text) {
				a.quotations = append(a.quotations, ask(q))
			}
		}
		all = append(all, a)
	}
	if p.retrieval == nil || p.retrieval.vectors == nil || len(questions) == 0 {
		return questions, all, nil
	}
	texts := make([]string, len(questions))
	for i, q := range questions {
		texts[i] = q.text
	}
	timed, cancel := within(ctx, until)
	defer cancel()
	vectors, err := embedded(timed, p.checker.opts.Embedder, texts)
	if ctx.Err() != nil {
		return nil, nil, fmt.Errorf("grapheval: %w", ctx.Err())
	}
	if timed.Err() != nil {
		err = ErrMaxTime
	}
	for i := range questions {
		if err != nil {
			questions[i].err = err
			continue
		}
		questions[i].vector = vectors[i]
	}
	return questions, all, nil
}

// each calls do for 0 to n-1, several at a time. The first error ends it; when
// the context ends, that is the error.
func (p *Prepared) each(ctx context.Context, n int, do func(context.Context, int) error) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(p.checker.opts.Concurrency)
	for i := range n {
		if gctx.Err() != nil {
			break
		}
		g.Go(func() error { return do(gctx, i) })
	}
	err := g.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("grapheval: %w", ctx.Err())
	}
	return err
}
