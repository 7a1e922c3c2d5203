package s3kg

// FittedTexts returns the weights of Evidence for embed/builtin, as embedder and as encoder
// of tokens, and kg/openie.
//
// They were learnt by logistic regression, with weights of the first group of Evidence
// bound to be positive or 0 and those of the second negative or 0, from the half "fit" of
// the sets mrpc, sts12, oregano and swap of `kgeval bench similarity` (932 pairs; an
// intercept for each set, of which Bias is the mean). docs/results/similarity.md has what
// they are worth on the other half. Structure got hardly a weight, Meaning and Entities none:
// where a text has its tokens, what an offline extractor makes of it tells little more.
func FittedTexts() TextModel {
	return TextModel{
		Bias: -4.52,
		Weights: Evidence{
			Cosine: 1.64, Sentences: 0.74, Tokens: 0.81, WeakestEither: 3.31, WeakestBoth: 1.27, Words: 0.71, Sequence: 0.79,
			Length: 0.77, Structure: 0.07,
			ExchangedNames: -2.34, ExchangedNumbers: -1.84, LeftOutNames: -0.74, LeftOutNumbers: -1.19, Denied: -0.43, Reordered: -0.27,
		},
	}
}
