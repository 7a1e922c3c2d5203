package lexical

// weights are the coefficients of the logistic model over the features, for
// entailment and for contradiction, each against neutral.
var weights = [2][features]float64{
	{fBias: -5.5, fCoverage: 4, fFull: 1, fValues: 1, fNames: 0.8, fOrder: 0.5, fPairs: 1.5, fUnmatched: -1, fNegation: -3, fAntonym: -3, fValueClash: -3, fNameClash: -2, fHedge: -1.5, fRole: -3},
	{fBias: -4, fCoverage: 2, fNegation: 3, fAntonym: 3, fValueClash: 3, fNameClash: 1.5, fRole: 2.5},
}
