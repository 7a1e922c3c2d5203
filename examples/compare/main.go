// Command compare tells how alike an answer and a gold answer are in what they say, and
// which fact makes the difference.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/s3kg"
)

const gold = "Ana Ruiz hired Bo Lindqvist. Bo Lindqvist repaired the ferry."

var answers = []string{
	"Bo Lindqvist was hired by Ana Ruiz. Bo Lindqvist repaired the ferry.", // the same in other words
	"Bo Lindqvist hired Ana Ruiz. Bo Lindqvist repaired the ferry.",        // one fact turned round
	"Ana Ruiz hired Bo Lindqvist. Bo Lindqvist repaired the bridge.",       // another thing
	"Ana Ruiz hired Bo Lindqvist.",                                         // one fact lost
}

func main() {
	parts, err := kgeval.Offline()
	if err != nil {
		log.Fatal(err)
	}
	scorer, err := parts.Scorer(s3kg.Options{})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	fmt.Println("gold:", gold)
	for _, answer := range answers {
		r, err := scorer.CompareTexts(ctx, gold, answer)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("\n%.2f  %s\n", r.Score, answer)
		for _, m := range r.Matches {
			fmt.Printf("      %-20s (%s, %s, %s)\n", m.Class, m.A.Head, m.A.Relation, m.A.Tail)
		}
		for _, t := range r.Extra {
			fmt.Printf("      %-20s (%s, %s, %s)\n", "only in the answer", t.Head, t.Relation, t.Tail)
		}
		influences, err := scorer.LeaveOneOut(ctx, r)
		if err != nil {
			log.Fatal(err)
		}
		if len(influences) > 0 && influences[0].Gain > 0 {
			x := influences[0]
			fmt.Printf("      without (%s, %s, %s) the score would be %.2f\n", x.Triple.Head, x.Triple.Relation, x.Triple.Tail, x.Score)
		}
	}
}
