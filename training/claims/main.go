// Command claims reads JSON strings, one a line, and writes for each the list
// of claims that the offline extractor makes of it: what a model will be asked
// about at run time.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/openie"
)

func main() {
	log.SetFlags(0)
	x, err := openie.New(openie.Options{})
	if err != nil {
		log.Fatal(err)
	}
	dec := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	enc := json.NewEncoder(w)
	for dec.More() {
		var text string
		if err := dec.Decode(&text); err != nil {
			log.Fatal(err)
		}
		out, err := x.Extract(context.Background(), []kg.Text{{Text: text}})
		if err != nil {
			log.Fatal(err)
		}
		claims := []string{}
		for _, s := range out[0].Statements {
			if s.Claim != "" {
				claims = append(claims, s.Claim)
			} else {
				claims = append(claims, s.Triple.Sentence())
			}
		}
		if err := enc.Encode(claims); err != nil {
			log.Fatal(err)
		}
	}
}
