package llmkg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/internal/reply"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/prompt"
	"github.com/kgeval/kgeval/segment"
)

const (
	// maxKnown is how many names a chunk's request lists.
	maxKnown = 60
	// minChunk is the length in bytes of a chunk that is not cut further.
	minChunk = 400
	// maxShown is how much of an unreadable reply is shown to the model again.
	maxShown = 4000
)

// text reads one text, in chunks where it is long.
func (x *Extractor) text(ctx context.Context, text string) reading {
	var r reading
	for _, c := range segment.Windows(text, x.opts.ChunkBytes, 0, nil) {
		x.chunk(ctx, c.Of(text), &r)
		if r.err != nil {
			return r
		}
	}
	return r
}

// chunk reads a part of a text into r, in smaller parts where the model's window
// or reply was too small for it.
func (x *Extractor) chunk(ctx context.Context, part string, r *reading) {
	ts, rep, err := x.ask(ctx, part, names(r.triples))
	if (rep.Truncated || errors.Is(err, llm.ErrContextTooLong) || errors.Is(err, llm.ErrTruncated)) && ctx.Err() == nil {
		if halves := segment.Windows(part, (len(part)+1)/2, 0, nil); len(part) >= 2*minChunk && len(halves) > 1 {
			r.repaired = appendOnce(r.repaired, "smaller chunks after a reply that was cut")
			for _, h := range halves {
				x.chunk(ctx, h.Of(part), r)
				if r.err != nil {
					return
				}
			}
			return
		}
	}
	r.add(ts, rep)
	if err != nil {
		r.err = fmt.Errorf("llmkg: %s: %w", x.model.ID(), err)
	}
}

// names returns the entities of what was read so far, the last new ones first to
// go when there are too many.
func names(ts []kg.Triple) []string {
	var out []string
	seen := make(map[string]bool)
	for _, t := range ts {
		for _, l := range []string{t.Head, t.Tail} {
			if seen[l] || !isName(l) || len(l) > 80 {
				continue
			}
			seen[l] = true
			if out = append(out, strings.Join(strings.Fields(l), " ")); len(out) == maxKnown {
				return out
			}
		}
	}
	return out
}

// ask asks about one part until the reply can be read, and for what was missed.
func (x *Extractor) ask(ctx context.Context, part string, known []string) ([]kg.Triple, reply.Report, error) {
	messages, err := x.opts.Prompt.Messages(prompt.Slots{
		SlotText:  prompt.Fenced(part),
		SlotKnown: prompt.FencedAfter("Names from earlier parts of the same text. Where this part speaks of the same thing, use the same name:", strings.Join(known, "\n")),
	})
	if err != nil {
		return nil, reply.Report{}, err
	}
	o := reply.Options{Text: part, Examples: x.examples, Limit: x.opts.Limit}
	var ts []kg.Triple
	var rep reply.Report
	messages, err = x.converse(ctx, messages, schema, func(r llm.Response) error {
		var err error
		ts, rep, err = reply.Triples(r, o)
		return err
	})
	if err != nil || rep.Truncated {
		return ts, rep, err
	}
	for range x.opts.Gleanings {
		more := append(slices.Clone(messages), llm.Message{Role: llm.User, Text: gleanMore})
		var extra []kg.Triple
		var extraRep reply.Report
		messages, err = x.converse(ctx, more, schema, func(r llm.Response) error {
			var err error
			extra, extraRep, err = reply.Triples(r, o)
			return err
		})
		if err != nil {
			if ctx.Err() != nil {
				return ts, rep, err
			}
			// What was found stands; only the second look failed.
			rep.Dropped = append(rep.Dropped, reply.Drop{Reason: "a second look failed: " + err.Error()})
			return ts, rep, nil
		}
		before := len(ts)
		for _, t := range extra {
			if !slices.Contains(ts, t) {
				ts = append(ts, t)
			}
		}
		rep.Dropped = append(rep.Dropped, extraRep.Dropped...)
		for _, what := range extraRep.Repaired {
			rep.Repaired = appendOnce(rep.Repaired, what)
		}
		if len(ts) == before {
			break
		}
	}
	return ts, rep, nil
}

// converse asks, and asks again with the reason where read could not use the
// reply. It returns the conversation with the last reply. Of a failed attempt
// nothing is left but the last error.
func (x *Extractor) converse(ctx context.Context, messages []llm.Message, schema string, read func(llm.Response) error) ([]llm.Message, error) {
	for attempt := 0; ; attempt++ {
		resp, err := x.generate(ctx, messages, schema)
		if err != nil {
			return messages, err
		}
		if err = read(resp); err == nil {
			return append(slices.Clone(messages), llm.Message{Role: llm.Assistant, Text: resp.Text}), nil
		}
		var why *reply.Error
		if !errors.As(err, &why) || attempt >= x.opts.Retries || errors.Is(err, reply.ErrTooLong) || errors.Is(err, llm.ErrTruncated) {
			return messages, err
		}
		reason := why.Kind.Error()
		if why.Detail != "" {
			reason += ", " + why.Detail
		}
		messages = append(slices.Clone(messages),
			llm.Message{Role: llm.Assistant, Text: shown(resp.Text)},
			llm.Message{Role: llm.User, Text: fmt.Sprintf(askAgain, strings.Join(strings.Fields(shown(reason)), " "))})
	}
}

// shown is a reply as it is shown to the model again.
func shown(s string) string {
	s = segment.RepairUTF8(s)
	if len(s) > maxShown {
		s = segment.RepairUTF8(s[:maxShown]) + "…"
	}
	return s
}

// generate asks the model, with the schema as long as the backend takes it.
func (x *Extractor) generate(ctx context.Context, messages []llm.Message, schema string) (llm.Response, error) {
	req := llm.Request{Messages: messages, Temperature: x.opts.Temperature, Seed: x.opts.Seed, MaxTokens: x.opts.MaxTokens}
	if schema != "" && x.opts.Schema == SchemaAuto && !x.plain.Load() {
		req.Schema = json.RawMessage(schema)
		resp, err := x.model.Generate(ctx, req)
		if !errors.Is(err, llm.ErrUnsupported) && !errors.Is(err, llm.ErrBadRequest) || errors.Is(err, llm.ErrContextTooLong) || ctx.Err() != nil {
			return resp, llm.ContextError(ctx, err)
		}
		req.Schema = nil
		resp, err = x.model.Generate(ctx, req)
		if err == nil {
			x.plain.Store(true)
		}
		return resp, llm.ContextError(ctx, err)
	}
	resp, err := x.model.Generate(ctx, req)
	return resp, llm.ContextError(ctx, err)
}

// together asks about all texts at once. The error is the context's.
func (x *Extractor) together(ctx context.Context, texts []kg.Text, ask []int, found []reading) error {
	if len(ask) == 0 {
		return nil
	}
	var bodies []string
	var options []reply.Options
	for _, i := range ask {
		bodies = append(bodies, texts[i].Text)
		options = append(options, reply.Options{Text: texts[i].Text, Examples: x.examples, Limit: x.opts.Limit})
	}
	messages, err := x.opts.Prompt.Messages(prompt.Slots{SlotTexts: numbered(bodies)})
	if err != nil {
		return err
	}
	var sets []reply.Set
	var rep reply.Report
	_, err = x.converse(ctx, messages, "", func(r llm.Response) error {
		var err error
		sets, rep, err = reply.Sets(r, options)
		return err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for k, i := range ask {
		r := &found[i]
		switch {
		case err != nil:
			r.err = fmt.Errorf("llmkg: %s: %w", x.model.ID(), err)
			continue
		case !sets[k].Read:
			r.err = fmt.Errorf("llmkg: %s: %w: no list for text %d of %d", x.model.ID(), reply.ErrUnreadable, k+1, len(ask))
		}
		one := reply.Report{Repaired: rep.Repaired, Truncated: rep.Truncated}
		if k == 0 {
			one = rep // what was dropped is listed once
		}
		r.add(sets[k].Triples, one)
	}
	return nil
}
