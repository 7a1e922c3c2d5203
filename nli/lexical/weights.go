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
	{-0.877, 0.000, 2.099, 0.942, 0.127, 0.000, 1.304, 1.189, -0.893, -0.650, -0.017, -3.848, 0.000, -2.395, 0.000, -0.311, 0.677, -0.578, 0.000, 0.000, -1.485, -0.289},
	{3.336, 0.035, 0.696, 0.590, -1.310, 0.270, 0.314, 0.461, -0.475, 1.624, 2.103, 0.643, 2.165, -1.041, 0.000, -0.761, 0.838, 0.614, -1.714, -1.881, 1.934, -0.968},
}

// calibration maps the entailment that the rules leave: logit(e) becomes
// calibration[0] + calibration[1]*logit(e). Fitted by the same command on the
// same half.
var calibration = [2]float64{0.169, 0.499}
