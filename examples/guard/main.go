// Command guard is an HTTP handler that checks each answer before it leaves:
//
//	go run ./examples/guard & curl 'localhost:8080/?q=When+did+the+mill+close%3F'
package main

import (
	"fmt"
	"log"
	"net/http"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
)

// model stands for the language model that writes the answers.
func model(question string) string { return "The mill at Stonebrook closed in 1989." }

func handler(sources []kgeval.Source) (http.HandlerFunc, error) {
	parts, err := kgeval.Offline()
	if err != nil {
		return nil, err
	}
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		return nil, err
	}
	return func(w http.ResponseWriter, r *http.Request) {
		question := r.FormValue("q")
		answer := model(question)
		result, err := checker.Check(r.Context(), kgeval.Sample{Question: question, Sources: sources, Output: answer})
		if err != nil || result.Outcome != claim.Consistent && result.Outcome != claim.NoClaims {
			answer = "I could not verify my answer."
		}
		fmt.Fprintln(w, answer)
	}, nil
}

func main() {
	h, err := handler([]kgeval.Source{{ID: "report", Text: "The mill at Stonebrook closed in 1998 after a flood."}})
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("localhost:8080", h))
}
