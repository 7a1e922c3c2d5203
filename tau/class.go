package tau

import "github.com/kgeval/kgeval/s3kg"

// Class says how a fact of the reference fares in the answer, or that the answer adds
// one. Values may be added.
type Class string

// The classes.
const (
	// Aligned: head, relation and tail match.
	Aligned Class = "aligned"
	// RelationMismatch: only head and tail match.
	RelationMismatch Class = "relation mismatch"
	// HeadMismatch: only relation and tail match.
	HeadMismatch Class = "head mismatch"
	// TailMismatch: only head and relation match; or all three do, and the answer says
	// another time or place.
	TailMismatch Class = "tail mismatch"
	// Reversed: the relation matches, and head and tail are exchanged.
	Reversed Class = "reversed"
	// Missing: the answer has nothing for it.
	Missing Class = "missing"
	// Extra: the reference has nothing for it.
	Extra Class = "extra"
)

// Classes returns all classes, in a fixed order.
func Classes() []Class {
	return []Class{Aligned, RelationMismatch, HeadMismatch, TailMismatch, Reversed, Missing, Extra}
}

// EntityMismatch is what Coarse makes of several classes.
const EntityMismatch Class = "entity mismatch"

// Coarse returns the class in the paper's scheme, which does not tell which end is
// wrong: a wrong head, a wrong tail and both in each other's place are
// EntityMismatch. The others stay.
func (c Class) Coarse() Class {
	switch c {
	case HeadMismatch, TailMismatch, Reversed:
		return EntityMismatch
	}
	return c
}

// Kind is a group of classes.
type Kind string

// The kinds of departures.
const (
	// None: the fact is there as it should be.
	None Kind = ""
	// Drift: the answer says it otherwise.
	Drift Kind = "drift"
	// Omission: the answer does not say it.
	Omission Kind = "omission"
	// Addition: the answer says what the reference does not.
	Addition Kind = "addition"
)

// Kind returns the kind of departure that the class is.
func (c Class) Kind() Kind {
	switch c {
	case Aligned:
		return None
	case Missing:
		return Omission
	case Extra:
		return Addition
	}
	return Drift
}

// classOf translates the classes of s3kg.
func classOf(c s3kg.Class) (class Class, opposite bool) {
	switch c {
	case s3kg.Same, s3kg.Aligned:
		return Aligned, false
	case s3kg.RelationDiffers:
		return RelationMismatch, false
	case s3kg.Opposite:
		return RelationMismatch, true
	case s3kg.HeadDiffers:
		return HeadMismatch, false
	case s3kg.TailDiffers, s3kg.CircumstanceDiffers:
		return TailMismatch, false
	case s3kg.Reversed:
		return Reversed, false
	}
	return Missing, false
}
