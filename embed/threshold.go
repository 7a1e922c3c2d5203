package embed

// ThresholdsOf returns the thresholds that e carries, and those of fallback in
// place of each that e does not carry (see Thresholder).
func ThresholdsOf(e Embedder, fallback Thresholds) Thresholds {
	var t Thresholds
	if x, ok := e.(Thresholder); ok {
		t = x.Thresholds()
	}
	if t.Entity == 0 {
		t.Entity = fallback.Entity
	}
	if t.Relation == 0 {
		t.Relation = fallback.Relation
	}
	if t.Triple == 0 {
		t.Triple = fallback.Triple
	}
	return t
}

// WithThresholds returns e as a Thresholder with the given thresholds in place of
// its own: for a model that was calibrated on data of the caller's.
func WithThresholds(e Embedder, t Thresholds) Thresholder {
	return thresholded{Embedder: e, thresholds: t}
}

type thresholded struct {
	Embedder
	thresholds Thresholds
}

func (t thresholded) Thresholds() Thresholds { return t.thresholds }

// likeInner gives the wrapper the thresholds of what it wraps, if there are any.
func likeInner(wrapper, inner Embedder) Embedder {
	if x, ok := inner.(Thresholder); ok {
		return passing{Embedder: wrapper, inner: x}
	}
	return wrapper
}

// passing asks the inner embedder at each call: its thresholds may be read late.
type passing struct {
	Embedder
	inner Thresholder
}

func (p passing) Thresholds() Thresholds { return p.inner.Thresholds() }
