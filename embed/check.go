package embed

import (
	"fmt"
	"math"
	"strings"
)

// A CountError says that an embedder did not return one vector for each text.
type CountError struct {
	Want, Got int
}

func (e *CountError) Error() string {
	return fmt.Sprintf("embed: %d vectors for %d texts", e.Got, e.Want)
}

// A LengthError says that the vector of the text at Index has another length
// than those before it, or none at all.
type LengthError struct {
	Index     int
	Want, Got int
}

func (e *LengthError) Error() string {
	if e.Got == 0 {
		return fmt.Sprintf("embed: the vector of text %d is empty", e.Index)
	}
	return fmt.Sprintf("embed: the vector of text %d has %d dimensions, not %d", e.Index, e.Got, e.Want)
}

// A ValueError says that the vector of the text at Index holds a NaN or an
// infinity.
type ValueError struct {
	Index     int
	Dimension int
	Value     float32
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("embed: the vector of text %d holds %v in dimension %d", e.Index, e.Value, e.Dimension)
}

// A ZeroError says that the vector of the text at Index is zero although the
// text is not blank.
type ZeroError struct {
	Index int
}

func (e *ZeroError) Error() string {
	return fmt.Sprintf("embed: the vector of text %d is zero", e.Index)
}

// Check reports whether vectors may be an Embedder's answer to texts: one vector
// for each text, all of one length, finite, none zero but those of blank texts.
// The error is a *CountError, *LengthError, *ValueError or *ZeroError. The norm
// is not checked; see Normalize.
func Check(texts []string, vectors [][]float32) error {
	if len(texts) != len(vectors) {
		return &CountError{Want: len(texts), Got: len(vectors)}
	}
	for i, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return &LengthError{Index: i, Want: len(vectors[0]), Got: len(v)}
		}
		zero := true
		for d, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return &ValueError{Index: i, Dimension: d, Value: x}
			}
			zero = zero && x == 0
		}
		if zero && !blank(texts[i]) {
			return &ZeroError{Index: i}
		}
	}
	return nil
}

// placed is an error of Check on a part of a call's texts, told by their places in
// the whole call.
func placed(err error, at func(i int) int) error {
	switch err := err.(type) {
	case *LengthError:
		err.Index = at(err.Index)
	case *ValueError:
		err.Index = at(err.Index)
	case *ZeroError:
		err.Index = at(err.Index)
	}
	return err
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
