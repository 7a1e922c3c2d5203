package s3kg

import "github.com/kgeval/kgeval/kg"

// Form says which of its numbers a Scorer puts into Result.Score.
type Form string

// The forms of a score.
const (
	// F1 is the harmonic mean of both covers: what either graph lacks costs.
	F1 Form = "f1"
	// Cover is how well b covers a: what b adds costs nothing.
	Cover Form = "cover"
)

// Parts is a score with the parts it is made of, each in [0,1].
type Parts struct {
	Score, Structure, Meaning float64
}

// Class says what became of a triple of a in b. Values may be added.
type Class string

// The classes of matches, from same to none.
const (
	// Same: head, relation and tail are equal after normalisation.
	Same Class = "same"
	// Aligned: head, relation and tail match, at least one of them by the
	// cosine of its label.
	Aligned Class = "aligned"
	// CircumstanceDiffers: head, relation and tail match, but not all that says
	// when and where.
	CircumstanceDiffers Class = "circumstance differs"
	// RelationDiffers: only head and tail match.
	RelationDiffers Class = "relation differs"
	// HeadDiffers: only relation and tail match.
	HeadDiffers Class = "head differs"
	// TailDiffers: only head and relation match.
	TailDiffers Class = "tail differs"
	// Opposite: head and tail match, and the relations contradict each other
	// (see Options.Conflict); or the relation and one end match, and the other
	// end is denied ("a history", "no history"). The similarity is 0.
	Opposite Class = "opposite"
	// Reversed: the relation matches, and so do head with tail and tail with
	// head. The similarity is 0.
	Reversed Class = "reversed"
	// Nearest: b's triple is the nearest of all as a sentence, however near; of
	// the published methods (Paper, Reference) only.
	Nearest Class = "nearest"
	// Missing: b has nothing for it. The similarity is 0.
	Missing Class = "missing"
)

// Match is a triple of a and what b has for it. No triple of b serves two
// different facts of a.
type Match struct {
	A kg.Triple
	// B is the partner; the zero Triple if Class is Missing.
	B     kg.Triple
	Class Class
	// Similarity of the two facts, in [0,1].
	Similarity float64
}

// LabelPair is a label of a and the label of b that it was aligned with, both as
// they are first written in their graphs.
type LabelPair struct {
	A, B string
	// Cosine is 1 if the labels are equal after normalisation, else the cosine
	// of their embeddings.
	Cosine float64
}

// Result is how alike two graphs a and b are.
type Result struct {
	// Score, Structure and Meaning are those of Form.
	Score, Structure, Meaning float64
	Form                      Form

	// AB is how well b covers a, BA how well a covers b. In both,
	// Score = (1-alpha) Structure + alpha Meaning.
	AB, BA Parts
	// F1 holds the harmonic mean of AB and BA for each number. So F1.Score is
	// the mean of two blends and not the blend of F1.Structure and F1.Meaning.
	F1 Parts

	// Entities and Relations are the one-to-one alignments, in a's order.
	Entities, Relations []LabelPair
	// Matches has one entry for each triple of a, in a's order.
	Matches []Match
	// Extra are the triples of b that no fact of a has as its partner, in b's
	// order.
	Extra []kg.Triple

	// A and B are the graphs that were compared.
	A, B *kg.Graph

	// Degenerate says that there was nothing to compare on one side at least,
	// so that the score is a convention: 1 if both sides are empty, else 0.
	Degenerate bool
	// Whole is the score of the texts as wholes, if Options.Whole asked for it and the
	// texts have graphs. Score, AB.Score, BA.Score and F1.Score then contain it with that
	// weight; Structure and Meaning do not.
	Whole float64
	// Evidence is what the score of texts was made of with Options.Texts, else nil. All
	// scores are then the blend; Structure and Meaning stay those of the graphs.
	Evidence *Evidence
	// Fallback says that texts were compared as whole sentences, as one of them
	// gave no graph. Score, Structure and Meaning are then all the same number.
	Fallback bool
	// Truncated says that the extractor did not read a text to its end.
	Truncated bool
	// Approximate says that a part was too large for an optimal assignment and
	// was paired greedily.
	Approximate bool

	entities int // distinct entities of both graphs

	// Method names what made the result: the embedder's ID and the settings. It says
	// "thresholds=assumed" where nobody measured from which cosine on the embedder's
	// labels match, and DefaultThreshold was taken.
	Method string
}

// pick sets the numbers of the form.
func (r *Result) pick(f Form) {
	p := r.F1
	if f == Cover {
		p = r.AB
	}
	r.Form = f
	r.Score, r.Structure, r.Meaning = p.Score, p.Structure, p.Meaning
}

// harmonic returns the harmonic mean, 0 if either number is 0. It is symmetric to
// the bit, and exactly x for x and x.
func harmonic(x, y float64) float64 {
	if x == y {
		return x
	}
	if x <= 0 || y <= 0 {
		return 0
	}
	return min(1, 2*(x*y)/(x+y))
}

func f1(ab, ba Parts) Parts {
	return Parts{
		Score:     harmonic(ab.Score, ba.Score),
		Structure: harmonic(ab.Structure, ba.Structure),
		Meaning:   harmonic(ab.Meaning, ba.Meaning),
	}
}
