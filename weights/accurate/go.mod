module github.com/kgeval/kgeval/weights/accurate

go 1.26.0
