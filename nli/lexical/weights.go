package lexical

// weights are the coefficients of the logistic model over the features (see
// features.go, in that order), for entailment and for contradiction, each
// against neutral. They were fitted by
//
//	go test ./nli/lexical -run TestFit -fit -v
//
// on one half of the documents of the development data: at most 400 pairs a
// label of each licensed source of nli/ whose labels words can tell, and the
// outputs and single sentences of grounding/, the two groups with equal weight,
// labels balanced within each source. Signs are constrained, so that a
// coefficient can be read: see signs in fit_test.go. The other half of the
// documents is for reporting; `kgeval bench nli` and `kgeval bench grounding`
// use that half.
var weights = [2][features]float64{
	{-0.777, 0.000, 2.077, 0.935, 0.120, 0.000, 1.245, 0.982, -0.952, -0.687, -0.002, -3.843, 0.000, -2.245, 0.000, -0.276, 0.556, -0.231, 0.000, 0.000, -1.556, -0.199},
	{2.278, 0.902, 0.694, 0.580, -1.259, 1.000, 0.191, 0.078, -0.102, 1.671, 2.055, 0.687, 2.193, -1.183, 0.000, -0.723, 0.781, 0.868, -2.246, -1.815, 1.689, -1.201},
}

// calibration maps the entailment that the rules leave: logit(e) becomes
// calibration[0] + calibration[1]*logit(e). Fitted by the same command on the
// same half.
var calibration = [2]float64{0.196, 0.498}
