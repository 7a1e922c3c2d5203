package llm

import (
	"context"
	"iter"
	"strings"
)

// Piece is a part of a reply as it comes. The last one of a reply that came to
// its end has Done set.
type Piece struct {
	// Text is what came since the last piece; it may be empty.
	Text string
	// Done is the whole reply, with the Text of all pieces joined.
	Done *Response
}

// Streamer is a Model that can give its reply in pieces.
//
// Stream yields pieces in order. It ends after a piece with Done set, or after
// an error, which comes with what Generate says about errors; a sequence that
// ends with neither was cut (see Collect). Nothing is asked before the first
// pull, each range over the sequence asks anew, and leaving the loop early ends
// the request and leaves nothing running. What was yielded before an error is
// not a reply.
type Streamer interface {
	Model
	Stream(ctx context.Context, req Request) iter.Seq2[Piece, error]
}

// Stream asks m for a reply in pieces. A model that is no Streamer gives its
// reply as one piece.
func Stream(ctx context.Context, m Model, req Request) iter.Seq2[Piece, error] {
	if s, ok := m.(Streamer); ok {
		return s.Stream(ctx, req)
	}
	return func(yield func(Piece, error) bool) {
		r, err := m.Generate(ctx, req)
		if err != nil {
			yield(Piece{}, err)
			return
		}
		yield(Piece{Text: r.Text, Done: &r}, nil)
	}
}

// Collect reads a stream to its end. Beside an error the Response holds the
// text that came before it, with StopUnknown. A stream that ends without saying
// so is ErrTruncated.
func Collect(pieces iter.Seq2[Piece, error]) (Response, error) {
	var text strings.Builder
	for p, err := range pieces {
		if err != nil {
			return Response{Text: text.String(), Stop: StopUnknown}, err
		}
		if p.Done != nil {
			return *p.Done, nil
		}
		text.WriteString(p.Text)
	}
	return Response{Text: text.String(), Stop: StopUnknown},
		&Error{Kind: ErrTruncated, Message: "the stream ended without saying that the reply has"}
}
