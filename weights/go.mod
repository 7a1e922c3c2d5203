module github.com/kgeval/kgeval/weights

go 1.26.0
