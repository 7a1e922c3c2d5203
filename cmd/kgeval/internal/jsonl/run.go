package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Run is one pass over an input.
type Run struct {
	// Settings is anything that changes the rows; see Sum.
	Settings string
	// Jobs is how many lines are worked on at once; at least 1.
	Jobs int
	// Done are the heads of the rows that a former run finished.
	Done []Head
	// Do makes the row of one line, without a line end. It must not fail: what
	// goes wrong with a line belongs into its row. Several calls run at once.
	Do func(ctx context.Context, l Line, h Head) []byte
	// Panicked makes the row of a line whose Do panicked.
	Panicked func(l Line, h Head, cause error) []byte
	// Wrote, if not nil, is told of each row that was written, in order.
	Wrote func(row []byte)
}

type job struct {
	line Line
	head Head
	row  []byte
	done chan struct{}
}

// Over reads lines from in and writes a row for each to out, in order. It
// returns nil at the end of in, the context's error as soon as the context ends
// (rows written so far are whole), a *ChangedError when a row of r.Done was not
// made from the line at its place, and otherwise the error of reading or
// writing. Each row is written in one piece.
//
// At most 2*Jobs lines are held in memory.
func (r Run) Over(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()

	jobs := max(1, r.Jobs)
	order := make(chan *job, jobs)
	work := make(chan *job)
	readErr := make(chan error, 1)

	// The reader may hang in Read for ever (a terminal); nobody waits for it.
	go func() {
		defer close(order)
		defer close(work)
		readErr <- r.read(ctx, NewReader(in), order, work)
	}()
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for j := range work {
				j.row = r.do(ctx, j)
				close(j.done)
			}
		})
	}

	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case j, ok := <-order:
			if !ok {
				workers.Wait()
				return <-readErr
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-j.done:
			}
			// A row made while the context ended may say nothing but that.
			if err := ctx.Err(); err != nil {
				return err
			}
			row := append(j.row, '\n')
			if _, err := out.Write(row); err != nil {
				return err
			}
			if r.Wrote != nil {
				r.Wrote(j.row)
			}
		}
	}
}

func (r Run) read(ctx context.Context, lines *Reader, order, work chan<- *job) error {
	for n := 0; ; n++ {
		l, err := lines.Next()
		if errors.Is(err, io.EOF) {
			if n < len(r.Done) {
				return &ChangedError{Row: n + 1, Reason: "has no line in the input any more"}
			}
			return nil
		}
		if err != nil {
			return err
		}
		h := Head{Line: l.Number, Input: Sum(r.Settings, l.Text)}
		if n < len(r.Done) {
			if d := r.Done[n]; d.Line != h.Line || d.Input != h.Input {
				return &ChangedError{Row: n + 1, Reason: fmt.Sprintf(
					"was made from another input line, or with other flags, than line %d is now", l.Number)}
			}
			continue
		}
		j := &job{line: l, head: h, done: make(chan struct{})}
		select {
		case order <- j:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case work <- j:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r Run) do(ctx context.Context, j *job) (row []byte) {
	defer func() {
		if p := recover(); p != nil {
			row = r.Panicked(j.line, j.head, fmt.Errorf("internal error, please report it: %v", p))
		}
	}()
	return r.Do(ctx, j.line, j.head)
}
