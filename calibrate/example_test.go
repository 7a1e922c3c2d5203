package calibrate_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/kgeval/kgeval/calibrate"
	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/s3kg"
)

// matcher compares graphs with an embedder at the thresholds of a file.
func matcher(file string, mine embed.Embedder) (*s3kg.Scorer, error) {
	f, err := calibrate.Load(file)
	if err != nil {
		return nil, err
	}
	e, err := f.Embedder(mine) // an *calibrate.IDError for another model
	if err != nil {
		return nil, err
	}
	return s3kg.New(s3kg.Options{Embedder: e})
}

// judged checks sentences with an entailment model at the thresholds of a file.
func judged(file string, mine nli.Model) (*grapheval.Checker, error) {
	f, err := calibrate.Load(file)
	if err != nil {
		return nil, err
	}
	o, err := f.Options(grapheval.Options{Model: mine, Unit: grapheval.Sentences})
	if err != nil {
		return nil, err
	}
	return grapheval.New(o)
}

func Example() {
	// Labelled pairs, of which there should be more, and of the texts at hand.
	var rows strings.Builder
	for i := range 100 {
		fmt.Fprintf(&rows, `{"a": "station %d", "b": "Station no. %d", "same": true, "unit": "entity"}`+"\n", 1000+i, 1000+i)
		fmt.Fprintf(&rows, `{"a": "station %d", "b": "harbour %d", "same": false, "unit": "entity"}`+"\n", 1000+i, 2000+i)
	}
	pairs, err := calibrate.ReadPairs(strings.NewReader(rows.String()))
	if err != nil {
		log.Fatal(err)
	}
	f, err := calibrate.EmbedModel(context.Background(), hashed.New(), pairs, calibrate.EmbedOptions{Data: "stations"})
	if err != nil {
		log.Fatal(err)
	}
	m := f.Matches[calibrate.Entity]
	fmt.Printf("%d pairs; %.0f%% of the different ones match\n", m.Same+m.Different, 100*m.False)

	// They are for this embedder alone.
	_, err = f.Embedder(angles{"another"})
	var id *calibrate.IDError
	fmt.Println(errors.As(err, &id))
	// Output:
	// 200 pairs; 0% of the different ones match
	// true
}
