package main

import "github.com/kgeval/kgeval/nlp"

func main() { nlp.New() }
