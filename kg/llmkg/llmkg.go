// Package llmkg extracts triples with a language model, as GraphEval (Sansford
// et al., 2024) and the S3KG authors do: entities, coreference,
// relations, in one request with worked examples.
//
// A text is asked about alone, with the same prompt as any other, and the labels
// of the texts of one call are joined afterwards. Options.Joint asks about all
// texts of a call at once, as is common; a model then pulls the labels and the
// facts of one text towards another (docs/extract-llm.md has a measure of it),
// which is the very thing that a comparison must not do.
//
// A reply that can't be read is an error of its text, never an empty graph, and
// what was repaired, dropped or cut is said in the Extraction. The package
// trusts no instruction in a text, but a model may: what comes back is only
// triples.
package llmkg

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/kgeval/kgeval/internal/reply"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/prompt"
	"github.com/kgeval/kgeval/segment"
)

// Version is part of an Extractor's ID; it changes whenever the same replies may
// give other triples.
const Version = "1"

// SchemaUse says whether the backend is asked to constrain its reply.
type SchemaUse int

// The uses of a schema.
const (
	// SchemaAuto asks for it until the backend says that it can't (an
	// llm.ErrUnsupported or llm.ErrBadRequest), and from then on does without.
	SchemaAuto SchemaUse = iota
	// SchemaNever always takes a plain reply.
	SchemaNever
)

// Options are the settings of an Extractor. The zero value is the default.
type Options struct {
	// Prompt replaces Default, or with Joint the prompt of that name.
	Prompt prompt.Prompt
	// Joint asks about all texts of a call in one request. Texts are then not
	// cut into chunks, and gleanings are not asked for.
	Joint bool
	// ChunkBytes is the length of text above which it is read in chunks, cut at
	// borders of sentences; 0 means 6,000. Each chunk's request lists the names
	// that the chunks before it brought.
	ChunkBytes int
	// Retries is how often a reply that can't be read is shown to the model with
	// the reason, to be written anew; 0 means 1, a negative value never.
	Retries int
	// Gleanings is how often the model is asked for what it missed; 0 means not
	// at all. It ends at the first time that brings nothing new.
	Gleanings int
	// Schema says whether the backend is asked to constrain its reply.
	Schema SchemaUse
	// MaxTokens bounds each reply; 0 leaves it to the model. A reply that is cut
	// by it leads to smaller chunks.
	MaxTokens int
	// Temperature of the draw; nil means 0.
	Temperature *float64
	// Seed of the draw; nil leaves it to the model.
	Seed *int64
	// Limit is the most triples of one reply; 0 means 10,000.
	Limit int
	// Concurrency is how many texts are asked about at the same time; 0 means 4.
	// The result does not depend on it.
	Concurrency int
	// KeepLabels leaves labels as each reply has them, instead of joining those
	// that differ only in writing and surnames with full names.
	KeepLabels bool
}

// Extractor is the kg.Extractor that asks a language model. It is safe for
// concurrent use, and as deterministic as its model.
type Extractor struct {
	model    llm.Model
	opts     Options
	id       string
	examples []kg.Triple
	plain    atomic.Bool // the backend can't constrain its reply
}

var _ kg.Extractor = (*Extractor)(nil)

// New returns an extractor that asks m. It fails for a nil model, and for a
// prompt without name, version or its slot.
func New(m llm.Model, o Options) (*Extractor, error) {
	if m == nil {
		return nil, errors.New("llmkg: the model is nil")
	}
	if o.Prompt.Zero() {
		o.Prompt = Default()
		if o.Joint {
			o.Prompt = Joint()
		}
	}
	slots := []string{SlotText, SlotKnown}
	if o.Joint {
		slots = []string{SlotTexts}
	}
	if err := o.Prompt.Check(slots...); err != nil {
		return nil, fmt.Errorf("llmkg: %w", err)
	}
	if o.Temperature == nil {
		o.Temperature = new(0.0)
	}
	if o.ChunkBytes <= 0 {
		o.ChunkBytes = 6000
	}
	if o.Retries == 0 {
		o.Retries = 1
	}
	if o.Concurrency <= 0 {
		o.Concurrency = 4
	}
	x := &Extractor{model: m, opts: o}
	x.id = fmt.Sprintf("llmkg/%s(%s, %s)", Version, m.ID(), o.Prompt.ID())
	for _, more := range []struct {
		is   bool
		name string
	}{
		{o.Joint, "joint"}, {o.Gleanings > 0, fmt.Sprintf("gleanings=%d", o.Gleanings)}, {o.Schema == SchemaNever, "plain"},
		{o.ChunkBytes != 6000, fmt.Sprintf("chunk=%d", o.ChunkBytes)}, {*o.Temperature != 0, fmt.Sprintf("t=%g", *o.Temperature)},
		{o.KeepLabels, "labels"},
	} {
		if more.is {
			x.id += "+" + more.name
		}
	}
	for _, e := range o.Prompt.Examples {
		r := llm.Response{Text: e.Reply, Stop: llm.StopEnd}
		if ts, _, err := reply.Triples(r, reply.Options{}); err == nil {
			x.examples = append(x.examples, ts...)
		}
	}
	return x, nil
}

// ID names the method, the model, the prompt with its version, and every option
// that is not the default.
func (x *Extractor) ID() string { return x.id }

// Extract implements kg.Extractor. A text that is not UTF-8, one whose reply
// can't be read after all retries, and one that the model fails on has an Err;
// after llm.ErrAuth no further text is asked about. A text whose reply was cut
// even for the smallest chunk is marked as truncated.
//
// Statements are ordered by where kg.Locator finds them in the text; those that
// it does not find keep their place in the reply and have no spans. A triple
// whose head or tail is a pronoun is dropped.
func (x *Extractor) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("llmkg: %w", err)
	}
	out := make([]kg.Extraction, len(texts))
	var ask []int
	for i, t := range texts {
		out[i].TextID = t.ID
		if err := segment.CheckUTF8(t.Text); err != nil {
			out[i].Err = fmt.Errorf("llmkg: %w", err)
		} else if !blank(t.Text) {
			ask = append(ask, i)
		}
	}
	found := make([]reading, len(texts))
	var err error
	if x.opts.Joint {
		err = x.together(ctx, texts, ask, found)
	} else {
		err = x.oneByOne(ctx, texts, ask, found)
	}
	if err != nil {
		return nil, fmt.Errorf("llmkg: %w", err)
	}
	if !x.opts.KeepLabels {
		joinLabels(found)
	}
	for _, i := range ask {
		found[i].fill(texts[i].Text, &out[i])
	}
	return out, nil
}

// oneByOne asks about each text alone. The error is the context's.
func (x *Extractor) oneByOne(ctx context.Context, texts []kg.Text, ask []int, found []reading) error {
	var noAuth atomic.Pointer[error]
	var g errgroup.Group
	g.SetLimit(x.opts.Concurrency)
	for _, i := range ask {
		g.Go(func() error {
			if e := noAuth.Load(); e != nil {
				found[i].err = *e
				return nil
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			found[i] = x.text(ctx, texts[i].Text)
			if err := found[i].err; errors.Is(err, llm.ErrAuth) {
				noAuth.CompareAndSwap(nil, &err)
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

// reading is what replies said of one text.
type reading struct {
	triples   []kg.Triple
	dropped   []kg.Dropped
	repaired  []string
	truncated bool
	err       error
}

func (r *reading) add(ts []kg.Triple, rep reply.Report) {
	r.triples = append(r.triples, ts...)
	r.report(rep)
	r.truncated = r.truncated || rep.Truncated
}

func (r *reading) report(rep reply.Report) {
	listed := make(map[string]int)
	for _, d := range rep.Dropped {
		r.dropped = append(r.dropped, kg.Dropped{Raw: d.Raw, Reason: d.Reason})
		listed[d.Reason]++
	}
	for _, reason := range sortedKeys(rep.Counts) {
		if more := rep.Counts[reason] - listed[reason]; more > 0 {
			r.dropped = append(r.dropped, kg.Dropped{Reason: fmt.Sprintf("%s (and %d more)", reason, more)})
		}
	}
	for _, what := range rep.Repaired {
		r.repaired = appendOnce(r.repaired, what)
	}
}
