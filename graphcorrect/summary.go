package graphcorrect

import "github.com/kgeval/kgeval/claim"

// Summary counts corrections as the paper's table 3 does.
type Summary struct {
	// Outputs is how many outputs there are, Inconsistent how many of them the
	// check found inconsistent, Changed how many texts differ afterwards.
	Outputs, Inconsistent, Changed int
	// Believed is how many of the inconsistent outputs are consistent by the
	// check of their corrected text. The checker is the judge here: what it does
	// not see, it believes.
	Believed int
	// Flagged is how many claims of the inconsistent outputs were flagged, Left
	// how many of them were left as they are, by kind in LeftBy.
	Flagged, Left int
	LeftBy        map[LeftKind]int
}

// BelievedRate is Believed over Inconsistent; 0, and false, when nothing was
// inconsistent.
func (s Summary) BelievedRate() (rate float64, ok bool) {
	if s.Inconsistent == 0 {
		return 0, false
	}
	return float64(s.Believed) / float64(s.Inconsistent), true
}

// Summarize counts corrections. A Correction whose text was not checked again
// counts as not believed.
func Summarize(all []Correction) Summary {
	s := Summary{Outputs: len(all), LeftBy: make(map[LeftKind]int)}
	for _, c := range all {
		if c.Changed() {
			s.Changed++
		}
		if c.Before.Outcome != claim.Inconsistent {
			continue
		}
		s.Inconsistent++
		s.Flagged += len(c.Before.Flagged())
		s.Left += len(c.Left)
		for _, l := range c.Left {
			s.LeftBy[l.Kind]++
		}
		if c.After != nil && c.After.Outcome == claim.Consistent {
			s.Believed++
		}
	}
	return s
}
