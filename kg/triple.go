package kg

// Triple is one fact: the directed edge from Head to Tail labelled Relation.
// Labels are any UTF-8 text; nothing in this module splits a label at
// punctuation. Two triples are the same fact to the kg package when all three
// labels are equal byte for byte; apply a Normalizer first for a looser sense.
type Triple struct {
	Head, Relation, Tail string
}
