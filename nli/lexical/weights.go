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
	{-0.591, 0.000, 2.326, 0.770, 0.096, 0.000, 1.168, 1.026, -0.775, -0.657, -0.001, -4.117, 0.000, -2.295, 0.000, -0.270, 0.486, -0.588, 0.000, 0.000, -1.693, -0.401},
	{2.038, 0.120, 0.862, 0.509, -1.168, 1.063, 0.452, -0.465, 0.255, 1.911, 2.049, 0.667, 2.290, -0.931, 0.000, -0.714, 0.741, 0.978, -1.760, -1.577, 1.463, -1.525},
}

// calibration maps the entailment that the rules leave: logit(e) becomes
// calibration[0] + calibration[1]*logit(e). Fitted by the same command on the
// same half.
var calibration = [2]float64{0.192, 0.481}
