// Package kgtest asks in an ordinary go test whether a text that a model wrote
// is true to its context, or like another text.
//
//	func TestAnswer(t *testing.T) {
//		answer := myService.Answer(question)
//		kgtest.Grounded(t, article, answer)
//	}
//
// It runs offline, with the parts of kgeval.Offline, unless options replace
// them. A failure names the fact, its place in the output, and the nearest
// evidence in the context.
//
// What cannot be judged never passes: an empty context, a model that failed and
// a threshold that was left at zero stop the test, and an output without
// anything to check fails it unless AllowNoClaims is given.
//
// It is not for measuring a model over a data set: a test passes or fails. Use
// package grapheval for the numbers.
package kgtest
