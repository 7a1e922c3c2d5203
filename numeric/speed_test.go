package numeric_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/numeric"
)

// A paragraph of reports, as often as it takes.
const report = "The harbour handled 3.4 million tonnes in 2019, up 12% from 2018. Its 21 cranes moved about 1,250 containers a day, " +
	"and the pilots brought in 4,120 ships between January and June. The port authority employs 312 people and spent $45m on a new quay 280 metres long. "

func BenchmarkPrepare(b *testing.B) {
	text := strings.Repeat(report, 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := numeric.Prepare(context.Background(), []string{text}, numeric.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	e, err := numeric.Prepare(context.Background(), []string{strings.Repeat(report, 100)}, numeric.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(report)))
	for b.Loop() {
		if _, err := e.Check(context.Background(), report); err != nil {
			b.Fatal(err)
		}
	}
}
