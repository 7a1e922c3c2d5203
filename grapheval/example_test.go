package grapheval_test

import (
	"context"
	"fmt"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg/openie"
	"github.com/kgeval/kgeval/nli/lexical"
)

func ExampleChecker_Check() {
	extractor, err := openie.New(openie.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := lexical.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	checker, err := grapheval.New(grapheval.Options{Extractor: extractor, Model: model})
	if err != nil {
		fmt.Println(err)
		return
	}
	output := "The ferry carries 120 cars."
	r, err := checker.Check(context.Background(), claim.Sample{
		Sources: []claim.Source{{ID: "timetable", Text: "The ferry sails daily. It carries 80 cars."}},
		Output:  output,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Outcome)
	for _, i := range r.Flagged() {
		c := r.Claims[i]
		fmt.Printf("%s: %s\n", c.Verdict, c.Text)
		for _, e := range c.Evidence {
			fmt.Printf("%s %s: %s\n", e.Source, e.Role, e.Text)
		}
	}
	// Output:
	// inconsistent
	// contradicted: The ferry carries 120 cars.
	// timetable contradicts: It carries 80 cars.
}

func ExampleCheckable() {
	fmt.Println(grapheval.Checkable("The documents do not say."))
	fmt.Println(grapheval.Checkable("Das steht nicht im Text."))
	fmt.Println(grapheval.Checkable("Zed was founded in 1990."))
	// Output:
	// false
	// false
	// true
}

func ExampleCalibrate() {
	scores := []float64{0.1, 0.2, 0.2, 0.4, 0.9, 0.7}
	inconsistent := []bool{false, false, false, false, true, true}
	cutoff, err := grapheval.Calibrate(scores, inconsistent, 0.25)
	fmt.Println(cutoff, err)
	// Output: 0.2 <nil>
}
