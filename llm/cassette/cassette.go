// Package cassette records what a language model said and plays it back, so that
// a test or an example runs without a model, the same each time, and shows in a
// diff what a change of a prompt changes.
//
// A cassette is one JSON file that people can read, review and edit: texts
// stand line by line. It holds requests and replies, never a header or a key;
// what looks like a key within a text is replaced before it is written.
//
// It is no cache (llm/cache): a request that was not recorded is an error in
// Replay, and what was recorded does not grow old.
package cassette

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"strings"
	"sync"

	"github.com/kgeval/kgeval/llm"
)

// Mode says where replies come from.
type Mode int

// The modes.
const (
	// Replay answers from the file alone. The model is never asked.
	Replay Mode = iota
	// Record asks the model for everything and writes the file anew.
	Record
	// Extend answers from the file, and records what is not in it.
	Extend
)

// Options say how to use a cassette. The zero value replays.
type Options struct {
	Mode Mode
	// Secrets are texts that must not reach the file, besides what looks like
	// a key of a known kind. They are replaced wherever they stand.
	Secrets []string
	// Redact, if set, changes every text that is recorded, and every request
	// before it is looked up. It must be deterministic, and safe for
	// concurrent use.
	Redact func(string) string
}

// Cassette is an open cassette. It is safe for concurrent use. One that records
// must be closed.
type Cassette struct {
	path   string
	o      Options
	redact func(string) string

	mu         sync.Mutex
	recordings []*recording
	byKey      map[string]*recording
	unsaved    int
	closed     bool
}

// recording is one request and its reply.
type recording struct {
	Model    string
	Request  llm.Request
	Response llm.Response
	used     bool
}

func (r *recording) key() string { return llm.Key(r.Model, r.Request) }

// Open reads the cassette at path. In Replay the file must exist; Record does
// not read it, and replaces it at the first reply. A file that can't be read as
// a cassette is an error that says where.
func Open(path string, o Options) (*Cassette, error) {
	c := &Cassette{path: path, o: o, redact: redactor(o.Secrets, o.Redact), byKey: map[string]*recording{}}
	switch o.Mode {
	case Replay, Extend:
	case Record:
		return c, nil
	default:
		return nil, fmt.Errorf("cassette: unknown mode %d", o.Mode)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if o.Mode == Extend {
			return c, nil
		}
		return nil, fmt.Errorf("cassette: nothing recorded yet, record first: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("cassette: %w", err)
	}
	if c.recordings, err = parse(data); err != nil {
		return nil, fmt.Errorf("cassette: %s: %w", path, err)
	}
	for _, r := range c.recordings {
		c.byKey[r.key()] = r
	}
	return c, nil
}

// Model returns m behind the cassette. Several models may share one: recordings
// are told apart by the models' IDs. In Replay m may be nil if the cassette
// holds recordings of one model only, which it then stands for.
//
// A request finds its recording by all of its fields (llm.Key), after secrets
// were replaced in it. There is one reply for each request, however often it is
// asked; draws that shall differ have different Samples. What isn't there is a
// *MissError in Replay.
//
// Replies that were cut or refused are recorded as such, errors are not
// recorded. A reply in which a secret was replaced loses its LogProbs, and is
// handed on in Record as it will be in Replay. Replies out of the file have
// Cached set.
func (c *Cassette) Model(m llm.Model) *Model { return &Model{c, m} }

// Path returns the path of the file.
func (c *Cassette) Path() string { return c.path }

// Unused returns the recordings that nobody has asked for so far, each as its
// place in the file and the beginning of its last message. In Record there are
// none.
func (c *Cassette) Unused() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []string
	for i, r := range c.recordings {
		if !r.used {
			all = append(all, fmt.Sprintf("recording %d (%s): %s", i+1, r.Model, beginning(r.Request)))
		}
	}
	return all
}

// beginning shows a request in a line.
func beginning(req llm.Request) string {
	if len(req.Messages) == 0 {
		return ""
	}
	return fmt.Sprintf("%.60q", strings.Join(strings.Fields(req.Messages[len(req.Messages)-1].Text), " "))
}

// Close writes what was recorded. Later requests are errors. Replay writes
// nothing. Closing twice does no harm.
func (c *Cassette) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.unsaved == 0 {
		return nil
	}
	return c.save()
}

// save writes the file; c.mu is held.
func (c *Cassette) save() error {
	data, err := format(c.recordings)
	if err == nil {
		err = replaceFile(c.path, data)
	}
	if err != nil {
		return fmt.Errorf("cassette: %w", err)
	}
	c.unsaved = 0
	return nil
}

// lookup returns the recorded reply.
func (c *Cassette) lookup(key string) (llm.Response, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.byKey[key]
	if !ok {
		return llm.Response{}, false
	}
	r.used = true
	out := r.Response.Clone()
	out.Cached = true
	return out, true
}

// record keeps a reply and returns what stands for it from now on. Of equal
// requests at the same time the first reply counts.
func (c *Cassette) record(key string, r *recording) (llm.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return llm.Response{}, errClosed
	}
	if first, ok := c.byKey[key]; ok {
		out := first.Response.Clone()
		out.Cached = true
		return out, nil
	}
	r.used = true
	c.byKey[key] = r
	c.recordings = append(c.recordings, r)
	c.unsaved++
	// A crash must not cost the whole recording, and writing the file after
	// each reply would take quadratic time: an eighth is what may be lost.
	if c.unsaved > len(c.recordings)/8 {
		if err := c.save(); err != nil {
			return llm.Response{}, err
		}
	}
	return r.Response.Clone(), nil
}

var errClosed = errors.New("cassette: used after Close")

// Model is a model behind a cassette. It can stream, and is safe for concurrent
// use.
type Model struct {
	cassette *Cassette
	inner    llm.Model // nil: the only one on the cassette
}

// ID returns the ID of the model within, without secrets; "cassette" where
// there is none.
func (m *Model) ID() string {
	if m.inner != nil {
		return m.cassette.redact(m.inner.ID())
	}
	if id, err := m.cassette.only(); err == nil {
		return id
	}
	return "cassette"
}

// only returns the ID of the one model that was recorded.
func (c *Cassette) only() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.recordings) == 0 {
		return "", fmt.Errorf("cassette: %s: no recordings", c.path)
	}
	id := c.recordings[0].Model
	for _, r := range c.recordings {
		if r.Model != id {
			return "", fmt.Errorf("cassette: %s: recordings of %s and %s, and no model to say which", c.path, id, r.Model)
		}
	}
	return id, nil
}

// find validates and looks up. Without an error, ask says that the model is to
// be asked, and r has the request and its key.
func (m *Model) find(ctx context.Context, req llm.Request) (out llm.Response, r *recording, key string, err error) {
	c := m.cassette
	if err := llm.Validate(req); err != nil {
		return out, nil, "", err
	}
	if err := ctx.Err(); err != nil {
		return out, nil, "", fmt.Errorf("cassette: %w", err)
	}
	if m.inner == nil {
		if c.o.Mode != Replay {
			return out, nil, "", errors.New("cassette: no model to record")
		}
		if _, err := c.only(); err != nil {
			return out, nil, "", err
		}
	}
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	if closed {
		return out, nil, "", errClosed
	}
	r = &recording{Model: m.ID(), Request: redactRequest(req, c.redact)}
	key = r.key()
	if out, ok := c.lookup(key); ok {
		return out, nil, "", nil
	}
	if c.o.Mode == Replay {
		return out, nil, "", c.miss(r)
	}
	return out, r, key, nil
}

// keep records a reply.
func (m *Model) keep(key string, r *recording, out llm.Response) (llm.Response, error) {
	r.Response = redactResponse(out, m.cassette.redact)
	r.Response.Cached = false
	err := sound(r.Response)
	if err == nil {
		err = llm.Validate(r.Request) // Options.Redact may have spoilt it
	}
	if err == nil && r.Model == "" {
		err = errors.New("its model has no ID")
	}
	if err != nil {
		return out, fmt.Errorf("cassette: this reply can't be recorded: %w", err)
	}
	return m.cassette.record(key, r)
}

// sound reports what a file can't hold.
func sound(r llm.Response) error {
	switch r.Stop {
	case llm.StopEnd, llm.StopLength, llm.StopRefused, llm.StopUnknown:
	default:
		return fmt.Errorf("unknown stop reason %q", r.Stop)
	}
	for _, t := range r.LogProbs {
		for _, p := range append(t.Top[:len(t.Top):len(t.Top)], t.TokenProb) {
			if math.IsNaN(p.LogProb) || math.IsInf(p.LogProb, 0) {
				return fmt.Errorf("log-probability %v of %q", p.LogProb, p.Token)
			}
		}
	}
	return nil
}

// Generate returns the recorded reply, or asks and records, as the cassette's
// mode says. A reply that could not be written is an error.
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	out, r, key, err := m.find(ctx, req)
	if err != nil || r == nil {
		return out, err
	}
	if out, err = m.inner.Generate(ctx, req); err != nil {
		return out, err
	}
	return m.keep(key, r, out)
}

// Stream yields a recorded reply as one piece, or the model's pieces, and
// records the reply when it is whole. While recording, pieces are handed on as
// they come; the last one's Done is what was recorded.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		out, r, key, err := m.find(ctx, req)
		if err != nil {
			yield(llm.Piece{}, err)
			return
		}
		if r == nil {
			yield(llm.Piece{Text: out.Text, Done: &out}, nil)
			return
		}
		for p, err := range llm.Stream(ctx, m.inner, req) {
			if err == nil && p.Done != nil {
				var kept llm.Response
				if kept, err = m.keep(key, r, *p.Done); err == nil {
					p.Done = &kept
				} else {
					p = llm.Piece{}
				}
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}
