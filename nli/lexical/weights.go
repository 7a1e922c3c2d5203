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
	{-0.844, 0.174, 2.097, 0.864, 0.170, 0.042, 1.176, 1.071, -0.884, -0.419, -1.742, -4.062, 0.000, -2.205, 0.000, -0.240, 0.474, -0.723, 0.000, 0.000, -1.427, -0.267},
	{2.362, -0.249, 1.033, 0.381, -1.219, 0.954, 0.599, -0.330, 0.466, 1.987, 0.708, 0.468, 2.269, -1.066, 0.000, -0.854, 0.703, 1.053, -1.467, -1.376, 1.598, -1.615},
}

// calibration maps the entailment that the rules leave: logit(e) becomes
// calibration[0] + calibration[1]*logit(e). Fitted by the same command on the
// same half.
var calibration = [2]float64{0.215, 0.482}
