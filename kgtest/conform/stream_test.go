package conform

import (
	"context"
	"iter"
	"testing"

	"github.com/kgeval/kgeval/llm"
)

// goodStreamer is goodLLM in two pieces.
type goodStreamer struct{ goodLLM }

func (m goodStreamer) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		r, err := m.Generate(ctx, req)
		if err != nil {
			yield(llm.Piece{}, err)
			return
		}
		if yield(llm.Piece{Text: r.Text[:4]}, nil) {
			yield(llm.Piece{Text: r.Text[4:], Done: &r}, nil)
		}
	}
}

// badStreamer does something else with the good one's stream.
type badStreamer struct {
	goodLLM
	stream func(ctx context.Context, req llm.Request, good iter.Seq2[llm.Piece, error]) iter.Seq2[llm.Piece, error]
}

func (m badStreamer) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return m.stream(ctx, req, goodStreamer{}.Stream(ctx, req))
}

// streaming returns models whose streams are the good one's, piece by piece.
func streaming(change func(yield func(llm.Piece, error) bool, p llm.Piece, err error) bool) func() llm.Model {
	return func() llm.Model {
		return badStreamer{stream: func(_ context.Context, _ llm.Request, good iter.Seq2[llm.Piece, error]) iter.Seq2[llm.Piece, error] {
			return func(yield func(llm.Piece, error) bool) {
				for p, err := range good {
					if !change(yield, p, err) {
						return
					}
				}
			}
		}}
	}
}

func TestStreamSuitePassesAGoodOne(t *testing.T) {
	checkPasses(t, llmRules, quick(true), func() llm.Model { return goodStreamer{} })
}

// brokenStreamers are those of TestLLMSuiteCatches that break a stream.
func brokenStreamers(stop <-chan struct{}) []broken[llm.Model] {
	const form = "a stream is one reply in pieces, and says when it ends"
	const ends = "a stream fails as a call does, and may be left"
	return []broken[llm.Model]{
		{"just ends", streaming(func(yield func(llm.Piece, error) bool, p llm.Piece, err error) bool {
			return p.Done == nil && yield(p, err)
		}), form, "neither an error nor a piece that says Done"},
		{"loses a piece", streaming(func(yield func(llm.Piece, error) bool, p llm.Piece, err error) bool {
			return err == nil && p.Done == nil || yield(p, err)
		}), form, "the pieces say"},
		{"goes on", streaming(func(yield func(llm.Piece, error) bool, p llm.Piece, err error) bool {
			return yield(p, err) && yield(llm.Piece{}, nil)
		}), form, "went on after its end"},
		{"half a reply for a context that ended", func() llm.Model {
			return badStreamer{stream: func(_ context.Context, req llm.Request, _ iter.Seq2[llm.Piece, error]) iter.Seq2[llm.Piece, error] {
				return goodStreamer{}.Stream(context.Background(), req)
			}}
		}, ends, "error <nil>"},
		{"once only", func() llm.Model {
			return badStreamer{stream: func(_ context.Context, _ llm.Request, good iter.Seq2[llm.Piece, error]) iter.Seq2[llm.Piece, error] {
				spent := false
				return func(yield func(llm.Piece, error) bool) {
					if !spent {
						spent = true
						good(yield)
					}
				}
			}}
		}, ends, "ranged over twice"},
		{"leaves a goroutine", func() llm.Model {
			return badStreamer{stream: func(_ context.Context, _ llm.Request, good iter.Seq2[llm.Piece, error]) iter.Seq2[llm.Piece, error] {
				return func(yield func(llm.Piece, error) bool) {
					go func() { <-stop }()
					good(yield)
				}
			}}
		}, ends, "goroutines behind"},
	}
}
