package bench

import (
	"context"
	"fmt"

	"github.com/kgeval/kgeval/metrics"
)

// interval formats a measure, times factor, with its 95% bootstrap interval over
// groups; without samples only the measure.
func interval(ctx context.Context, points []metrics.Point, samples int, seed uint64, factor float64, format string, measure func([]metrics.Point) (float64, bool)) string {
	if samples == 0 {
		samples = -1
	}
	x, err := metrics.Bootstrap(ctx, points, func(p metrics.Point) string { return p.Group }, metrics.Resampling{Samples: samples, Seed: seed}, measure)
	if err != nil {
		if ctx.Err() != nil {
			return "interrupted"
		}
		return "one class only"
	}
	if x.Samples == 0 {
		return fmt.Sprintf(format, factor*x.Value)
	}
	return fmt.Sprintf(format+" ["+format+", "+format+"]", factor*x.Value, factor*x.Low, factor*x.High)
}
