// Package wl is the Weisfeiler-Lehman subtree kernel (Shervashidze,
// Schweitzer, van Leeuwen, Mehlhorn, Borgwardt: Weisfeiler-Lehman Graph
// Kernels, JMLR 12, 2011, section 3) over directed multigraphs whose nodes and
// edges carry integer labels.
//
// Every node starts with its label. In each of h iterations it gets a new
// label that stands for its own label and the multiset of its neighbours'
// labels, so that after i iterations two nodes have the same label exactly
// when their surroundings look the same i steps far. The kernel of two graphs
// counts pairs of nodes with equal labels, summed over the iterations 0..h:
//
//	k(G, G') = sum over i = 0..h of <c_i(G), c_i(G')>
//
// where c_i(G) counts the labels of iteration i. It is a dot product of
// feature vectors, hence symmetric and positive semidefinite.
//
// The kernel is exact: a label stands for one signature, and signatures are
// compared in full, so a collision of hashes costs time and never changes a
// result. Values are counts in float64, exact below 2^53 (a graph of a million
// equal nodes gives (h+1)*10^12); beyond, they are correct to rounding and can
// neither overflow nor become NaN.
//
// Compare takes one pair, Gram all pairs of a slice, and a Refiner turns graphs
// into sparse feature vectors that stay comparable as more graphs arrive.
// Labels maps strings to the integers that graphs are made of.
//
// The package is not for telling isomorphic graphs from others: the kernel
// cannot tell apart what one-dimensional Weisfeiler-Lehman refinement cannot
// (two triangles and a hexagon, for example). It knows nothing of text; labels
// are equal or not. Package s3kg aligns similar labels first.
package wl
