// Command annotate reads JSON strings, one a line, and writes for each its
// sentences, tokens with part of speech, and names: what training/synthesise.py
// needs to change a sentence at the right word.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/kgeval/kgeval/nlp"
)

type out struct {
	Text      string   `json:"text"`
	Sentences [][2]int `json:"sentences"` // token ranges
	Starts    []int    `json:"starts"`    // bytes
	Ends      []int    `json:"ends"`
	Tags      []string `json:"tags"`
	Lemmas    []string `json:"lemmas"`
	Names     [][2]int `json:"names"` // token ranges
	Kinds     []string `json:"kinds"`
}

func main() {
	log.SetFlags(0)
	a, err := nlp.New()
	if err != nil {
		log.Fatal(err)
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	dec := json.NewDecoder(in)
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	enc := json.NewEncoder(w)
	for dec.More() {
		var text string
		if err := dec.Decode(&text); err != nil {
			log.Fatal(err)
		}
		d, err := a.Analyze(context.Background(), text)
		if err != nil {
			log.Fatal(err)
		}
		o := out{Text: text}
		for _, s := range d.Sentences {
			o.Sentences = append(o.Sentences, [2]int{s.First, s.End})
		}
		for _, t := range d.Tokens {
			o.Starts, o.Ends = append(o.Starts, t.Start), append(o.Ends, t.End)
			o.Tags, o.Lemmas = append(o.Tags, t.Tag), append(o.Lemmas, t.Lemma)
		}
		for _, n := range d.Names {
			o.Names = append(o.Names, [2]int{n.First, n.End})
			o.Kinds = append(o.Kinds, string(n.Kind))
		}
		if err := enc.Encode(o); err != nil {
			log.Fatal(err)
		}
	}
}
