package lexical

import (
	"math"

	"github.com/kgeval/kgeval/nlp/slot"
)

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
	f[fBias] = 1
	f[fCoverage], f[fValues] = a.coverage()
	f[fOrder] = a.order()
	f[fSpread] = f[fCoverage] * f[fOrder]
	var content, unmatched, all, elsewhere float64
	for i := range a.h.words {
		w := &a.h.words[i]
		if !w.content() {
			continue
		}
		content++
		weight := w.weight * (0.4 + 0.6*a.p.rarity(w.lemma))
		all += weight
		if a.match[i] < 0 {
			unmatched++
			elsewhere += weight * a.p.holds(w.lemma)
		}
	}
	if all > 0 {
		f[fElsewhere] = elsewhere / all
	}
	if unmatched == 0 {
		f[fFull] = 1
	}
	f[fUnmatched] = 1 - math.Exp(-unmatched/2)
	names, stated := 0, 0.0
	for i, s := range a.h.slots {
		if s.Kind != slot.Name || len(s.Words) == 0 {
			continue
		}
		names++
		switch {
		case a.stated(i):
			stated++
		case a.elsewhere(i):
			stated += 0.5
		}
	}
	f[fNames] = 1
	if names > 0 {
		f[fNames] = stated / float64(names)
	}
	pairs, held := 0, 0
	for i := 1; i < len(a.h.words); i++ {
		pairs++
		if _, ok := a.p.pairs[pairHash(a.h.words[i-1].lemma, a.h.words[i].lemma)]; ok {
			held++
		}
	}
	f[fPairs] = 1
	if pairs > 0 {
		f[fPairs] = float64(held) / float64(pairs)
	}
	f[fBreaks] = 1 - math.Exp(-float64(pairs-held)/3)
	f[fSplice] = f[fBreaks] * f[fPairs] * f[fPairs]
	f[fThin] = max(0, 1-2*f[fCoverage])
	for _, c := range a.clashes {
		switch c.kind {
		case "negation":
			f[fNegation] = 1
		case "antonym":
			f[fAntonym] = 1
		case "number", "date", "unit":
			if c.against {
				f[fValueClash] = 1
			}
		case "name":
			if c.against {
				f[fNameClash] = 1
			}
		case "hedge", "quantifier":
			f[fHedge] = 1
		case "role":
			f[fRole] = 1
		}
	}
	f[fLength] = math.Log(1 + content)
	f[fDocument] = math.Log(float64(1 + len(a.p.sentences)))
	if a.sentences > 1 {
		f[fTwo] = 1
	}
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
