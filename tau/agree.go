package tau

import "github.com/kgeval/kgeval/metrics"

// Agreement counts, class by class, how the findings of a report agree with those that
// are known: a finding is right if the known ones have it with the same class and the
// same two facts. Add the counts of many reports up with Counts.Plus, and see
// metrics.MicroF1 and metrics.MacroF1. coarse compares in the paper's scheme.
func Agreement(got, known []Finding, coarse bool) map[Class]metrics.Counts {
	key := func(f Finding) Finding {
		if coarse {
			f.Class = f.Class.Coarse()
		}
		return Finding{Class: f.Class, Reference: f.Reference, Answer: f.Answer}
	}
	left := map[Finding]int{}
	for _, f := range known {
		left[key(f)]++
	}
	out := map[Class]metrics.Counts{}
	for _, f := range got {
		k := key(f)
		c := out[k.Class]
		if left[k] > 0 {
			left[k]--
			c.TP++
		} else {
			c.FP++
		}
		out[k.Class] = c
	}
	for k, n := range left {
		if n > 0 {
			c := out[k.Class]
			c.FN += n
			out[k.Class] = c
		}
	}
	return out
}
