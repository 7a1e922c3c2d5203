package experiment

import (
	"context"
	"errors"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg/openie"
	"github.com/kgeval/kgeval/s3kg"
)

// parrot repeats the context.
type parrot struct{}

func (parrot) ID() string { return "parrot" }

func (parrot) Answer(_ context.Context, q Question) (Reply, error) {
	return Reply{Text: q.Sources[0].Text}, nil
}

// Wherever the disk becomes full, the run ends with the cause, leaves whole lines, and a
// later one, with room, goes on from there.
func TestARunOnAFullDisk(t *testing.T) {
	extractor, err := openie.New(openie.Options{})
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := s3kg.New(s3kg.Options{Embedder: hashed.New(), Extractor: extractor})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Models:       []Model{{Name: "m", Answerer: parrot{}, Concurrency: 2}},
		Temperatures: []float64{0},
		Scoring:      Scoring{Extractor: extractor, Scorer: scorer},
		ScoreJobs:    2,
	}
	for _, id := range []string{"a", "b", "c"} {
		o.Items = append(o.Items, Item{ID: id, Question: "When?", Gold: "The mill closed in 1956.", Sources: []claim.Source{{Text: "The mill closed in 1956."}}})
	}
	run := func(disk *full) (*runner, error) {
		h, tasks, err := o.header(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := readState(bytesOf(disk))
		if err != nil {
			t.Fatal(err)
		}
		if s.run.Torn {
			t.Fatal("half a line was left")
		}
		j := &journal{f: disk, end: s.end}
		if s.end == 0 {
			if err := j.append(entry{Header: &h}, true); err != nil {
				return nil, err
			}
		}
		r := newRunner(o, j, s, tasks)
		return r, r.run(t.Context())
	}
	ample := &full{room: 1 << 20}
	if _, err := run(ample); err != nil {
		t.Fatal(err)
	}
	size := ample.b.Len()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for room := 0; room < size-300; room += 97 {
		disk := &full{room: room}
		var w *WriteError
		if _, err := run(disk); !errors.As(err, &w) || !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("room for %d of %d bytes: %v", room, size, err)
		}
		disk.room = 1 << 20
		r, err := run(disk)
		if err != nil || r.progress().Done != 3 {
			t.Fatalf("room for %d bytes, and then for all: %v, %+v", room, err, r.progress())
		}
	}
}
