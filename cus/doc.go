// Package cus measures how well a model uses its context: the Context Understanding
// Score of "Do LLMs Understand Context? A Knowledge Graph-Based Evaluation Framework",
// over a data set and between models.
//
// An item's score is the harmonic mean of two similarities of graphs (see s3kg):
//
//	CUS = 2 GoldSim CtxSim / (GoldSim + CtxSim), 0 where either is 0
//
// GoldSim is how alike the answer and the gold answer are, CtxSim how well the context
// covers the answer. A model that answers rightly from memory has a low CtxSim, one that
// copies the context without answering a low GoldSim. The score of a data set is the
// mean over its items.
//
// It compares graphs, and so it is as good as they are; package tau tells what lowers a
// score. It does not say which of an answer's statements is false (see grapheval).
package cus
