module github.com/kgeval/kgeval

go 1.26.0

require (
	github.com/aaaton/golem/v4 v4.0.2
	github.com/aaaton/golem/v4/dicts/en v1.0.1
	github.com/google/go-cmp v0.7.0
	github.com/jdkato/prose/v3 v3.2.3
	github.com/kgeval/kgeval/weights v0.1.0
	go.etcd.io/bbolt v1.5.0
	go.uber.org/goleak v1.3.0
	golang.org/x/sync v0.25.0
	golang.org/x/sys v0.47.0
	golang.org/x/text v0.44.0
	gonum.org/v1/gonum v0.17.0
)
