package lexical

import "math"

// The features of an alignment, in the order of the coefficients.
const (
	fBias       = iota
	fCoverage   // weighted share of content words that the passage states
	fFull       // 1 when it states all of them
	fValues     // share of values that it states, half for one that another sentence holds
	fNames      // share of names, likewise
	fOrder      // share of neighbouring matches that keep order and nearness
	fPairs      // share of neighbouring words of the hypothesis that are neighbours in the premise
	fElsewhere  // weighted share of content words that only the rest of the premise holds
	fUnmatched  // number of content words not stated, 1 - exp(-n/2)
	fNegation   // a negation only one side has
	fAntonym    // an opposite
	fValueClash // another value in place of the hypothesis' one
	fNameClash  // another name
	fHedge      // a hedge or quantifier mismatch
	fRole       // arguments exchanged
	fLength     // log(1 + content words of the hypothesis)
	fDocument   // log(1 + sentences of the premise)
	fTwo        // 1 when the passage is two sentences
	fSpread     // coverage times order
	fBreaks     // number of neighbouring words that are not neighbours in the premise, 1 - exp(-n/3)
	fSplice     // fBreaks times fPairs squared: breaks in what is copied otherwise
	fThin       // 1 - coverage over one half, 0 from there on: about something else
	features
)

// features describes an alignment in numbers that are 0..1 but for the
// logarithms.
func (a *alignment) features() [features]float64 {
	var f [features]float64
	c := a.measure()
	f[fBias] = 1
	f[fCoverage], f[fValues], f[fNames] = c.Words, c.Values, c.Names
	f[fOrder], f[fPairs], f[fElsewhere] = c.Order, c.Pairs, c.Elsewhere
	f[fSpread] = c.Words * c.Order
	if c.Missing == 0 {
		f[fFull] = 1
	}
	f[fUnmatched] = 1 - math.Exp(-float64(c.Missing)/2)
	f[fBreaks] = 1 - math.Exp(-float64(c.Breaks)/3)
	f[fSplice] = f[fBreaks] * c.Pairs * c.Pairs
	f[fThin] = max(0, 1-2*c.Words)
	for k, on := range map[int]bool{fNegation: c.Negation, fAntonym: c.Antonym, fValueClash: c.OtherValue,
		fNameClash: c.OtherName, fHedge: c.Hedge, fRole: c.Role, fTwo: c.Passage > 1} {
		if on {
			f[k] = 1
		}
	}
	f[fLength] = math.Log(1 + float64(c.Content))
	f[fDocument] = math.Log(float64(1 + c.Sentences))
	return f
}

// softmax returns the class probabilities of the two scores against neutral's 0.
func softmax(entail, contra float64) (e, n, c float64) {
	m := max(entail, contra, 0)
	e, n, c = math.Exp(entail-m), math.Exp(-m), math.Exp(contra-m)
	s := e + n + c
	return e / s, n / s, c / s
}

// score applies the coefficients.
func score(f [features]float64, w *[2][features]float64) (entail, contra float64) {
	for k := range f {
		entail += f[k] * w[0][k]
		contra += f[k] * w[1][k]
	}
	return entail, contra
}
