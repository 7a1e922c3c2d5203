module github.com/kgeval/kgeval/examples/accurate

go 1.26.0

require (
	github.com/kgeval/kgeval v0.1.0
	github.com/kgeval/kgeval/weights/accurate v0.1.0
)

require (
	github.com/aaaton/golem/v4 v4.0.2 // indirect
	github.com/aaaton/golem/v4/dicts/en v1.0.1 // indirect
	github.com/jdkato/prose/v3 v3.2.3 // indirect
	github.com/kgeval/kgeval/weights v0.1.0 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)
