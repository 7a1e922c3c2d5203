// Package builtin is the entailment model that is inside the program: a
// transformer that reads a premise and a hypothesis together (a cross-encoder)
// and tells entailment, neutral and contradiction apart. It runs in pure Go on
// weights that kgeval trained itself; no download, no network, no cgo.
//
// It reads English. It is made for the question that checking asks: is each
// detail of this one statement in these few sentences? It does not calculate, does
// not know the world, and gives no reasons; nli/lexical gives some.
// docs/models/ has a card for each set of weights: what it was trained on, how it
// was measured, what it cannot do.
package builtin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kgeval/kgeval/internal/bert"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/weights"
)

// Errors of weights that are not the built-in ones; test with errors.Is.
var (
	// ErrFormat: this is not a weights file, or one of another version.
	ErrFormat = bert.ErrFormat
	// ErrTruncated: the file ends before its data does.
	ErrTruncated = bert.ErrTruncated
	// ErrChecksum: the data is not what was written.
	ErrChecksum = bert.ErrChecksum
	// ErrMissing: the files lack a part of the model.
	ErrMissing = bert.ErrMissing
)

// ErrUnreadable says that a text holds nothing that the vocabulary has: marks of
// no language, or one word of more than 100 letters.
var ErrUnreadable = errors.New("nli/builtin: nothing in the text is in the model's vocabulary")

// Options are choices that have a default.
type Options struct {
	// Workers is the number of goroutines that work on one call; 0 means
	// GOMAXPROCS, and less than 0 is taken for 0. The probabilities are the same
	// bits with any number.
	Workers int
	// Budget is how many tokens premise and hypothesis may have together before
	// the premise is cut into windows; 0 takes what the weights were made for.
	// Another budget is part of the ID, since it changes results.
	Budget int
}

// Model is the entailment model. It is safe for concurrent use; calls share the
// weights, and the answers to the last pairs.
type Model struct {
	id     string
	budget int
	net    func() (*network, error)
	work   counts

	// answers is Model without its memory of pairs behind nli.Cached: checking
	// asks for evidence right after the verdict, and one reading serves both.
	answers nli.Model
}

var (
	_ nli.Windower  = (*Model)(nil)
	_ nli.Explainer = (*Model)(nil)
)

// remembered is how many pairs' probabilities are kept, some 200 kB.
const remembered = 1024

// method names what is done with the weights; the number rises with each change
// of any probability that is no change of the weights.
const method = 1

// Accurate returns the model with larger weights, which see more and take longer.
// They are in a module of their own that nothing here imports, so that only who
// asks for it fetches it:
//
//	import "github.com/kgeval/kgeval/weights/accurate"
//	model, err := builtin.Accurate(accurate.Files(), builtin.Options{})
//
// files are the contents of weights files that together make one model; where
// none holds a vocabulary, the built-in words are taken. Only headers are read
// now, and an error wraps ErrFormat, ErrTruncated or ErrMissing; the rest is read
// and compared with its checksum when the first pair comes.
func Accurate(files []string, o Options) (*Model, error) {
	headers, files, err := open(files)
	if err != nil {
		return nil, err
	}
	return build(headers, o, sync.OnceValues(func() (*network, error) { return load(files) }))
}

// Load returns a model with weights from files of fsys, which together make one
// model in the form that internal/bert describes and training/export_nli.py
// writes; where none holds a vocabulary, the built-in words are taken. It reads
// them at once. The error wraps one of ErrFormat, ErrTruncated, ErrChecksum,
// ErrMissing, or the file system's.
func Load(fsys fs.FS, names []string, o Options) (*Model, error) {
	var files []string
	for _, name := range names {
		b, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("nli/builtin: %w", err)
		}
		files = append(files, string(b))
	}
	headers, files, err := open(files)
	if err != nil {
		return nil, err
	}
	net, err := load(files)
	if err != nil {
		return nil, fmt.Errorf("nli/builtin: %w", err)
	}
	return build(headers, o, func() (*network, error) { return net, nil })
}

// open reads the headers of files, and adds the built-in words where none of them
// has a vocabulary.
func open(files []string) ([]bert.Header, []string, error) {
	vocabulary := func(h bert.Header) bool {
		return slices.ContainsFunc(h.Tensors, func(t bert.TensorInfo) bool { return t.Name == "vocabulary" })
	}
	var headers []bert.Header
	for i, f := range files {
		h, err := bert.ReadHeader(strings.NewReader(f))
		if err != nil {
			return nil, nil, fmt.Errorf("nli/builtin: file %d: %w", i+1, err)
		}
		headers = append(headers, h)
	}
	if !slices.ContainsFunc(headers, vocabulary) {
		h, err := bert.ReadHeader(strings.NewReader(weights.Words()))
		if err != nil {
			return nil, nil, fmt.Errorf("nli/builtin: built-in words: %w", err)
		}
		headers, files = append([]bert.Header{h}, headers...), append([]string{weights.Words()}, files...)
	}
	return headers, files, nil
}

func load(files []string) (*network, error) {
	m, err := bert.LoadStrings(files)
	if err != nil {
		return nil, err
	}
	return newNetwork(m)
}

// build makes a Model of what the headers say; the network may come later.
func build(headers []bert.Header, o Options, net func() (*network, error)) (*Model, error) {
	m := &Model{net: net}
	for _, h := range headers {
		if h.Config == nil {
			continue
		}
		var err error
		if m.budget, err = budgetOf(h, o); err != nil {
			return nil, fmt.Errorf("nli/builtin: %w", err)
		}
		m.id = fmt.Sprintf("%s/%d@%s", h.Model, method, bert.Sum(headers))
		if o.Budget > 0 {
			m.id += "/budget=" + strconv.Itoa(m.budget)
		}
	}
	if m.id == "" {
		return nil, fmt.Errorf("nli/builtin: %w: a configuration", ErrMissing)
	}
	m.answers = nli.Cached(reader{m, max(o.Workers, 0)}, remembered)
	return m, nil
}

// defaultBudget is for weights that do not say what they were made for.
const defaultBudget = 240

// budgetOf returns how many tokens the two texts of a pair may have together.
func budgetOf(h bert.Header, o Options) (int, error) {
	budget := defaultBudget
	if s, ok := h.Meta["budget"]; ok {
		n, err := strconv.Atoi(s)
		if err != nil {
			return 0, fmt.Errorf("%w: budget %q", ErrFormat, s)
		}
		budget = n
	}
	if o.Budget > 0 {
		budget = o.Budget
	}
	if most := h.Config.Positions - 2 - h.Config.Separators; budget < 16 || budget > most {
		return 0, fmt.Errorf("%w: a budget of %d tokens, the model reads 16 to %d", ErrFormat, budget, most)
	}
	return budget, nil
}

// ID names the weights, the version of what is done with them, and their files'
// sums.
func (m *Model) ID() string { return m.id }

// Budget is how many tokens premise and hypothesis may have together, without
// the special ones; about 180 English words.
func (m *Model) Budget() int { return m.budget }

// Cost is the number of tokens of text. Where the weights are damaged, it counts
// four bytes for one; Classify then says what is wrong.
func (m *Model) Cost(text string) int {
	n, err := m.net()
	if err != nil {
		return (len(text) + 3) / 4
	}
	return n.cost(text)
}

// Classify judges pairs; see nli.Model.
//
// Of the Budget a quarter is kept for the hypothesis, or what it takes if that is
// more. A premise that fits into the rest is read as it is. A longer one is read in
// windows of whole sentences, which overlap by a quarter, and the pair's
// P(entailment) is the greatest of any window; P(contradiction) too, but at most
// what entailment leaves. The hypothesis is never cut.
//
// A pair's Err is nli.ErrEmptyPremise, nli.ErrEmptyHypothesis, ErrUnreadable,
// *nli.LanguageError, or *nli.HypothesisTooLongError for a hypothesis that takes
// more than seven eighths of the Budget. The returned error is the context's,
// which is looked at between groups of about 192 tokens, or that of damaged
// weights. Time is linear in the texts; memory beyond theirs is bounded.
func (m *Model) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	return m.answers.Classify(ctx, pairs)
}

// Work is what a Model has done so far.
type Work struct {
	// Pairs counts the pairs that were asked for and not remembered, Windows what
	// was read for them, Tokens the tokens of these with the special ones.
	Pairs, Windows, Tokens int64
}

// Work returns how much was read since the model was made, for reports of cost.
func (m *Model) Work() Work {
	return Work{m.work.pairs.Load(), m.work.windows.Load(), m.work.tokens.Load()}
}

type counts struct{ pairs, windows, tokens atomic.Int64 }
