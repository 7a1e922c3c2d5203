package embedhttp

import (
	"encoding/json"
	"errors"
)

// Vector reads a JSON list of numbers; null and whatever is beyond a float32 is an
// error, where encoding/json would leave 0 in its place.
type Vector []float32

// UnmarshalJSON reads the list. Its errors hold nothing of what was read.
func (v *Vector) UnmarshalJSON(b []byte) error {
	var numbers []*float32
	if json.Unmarshal(b, &numbers) != nil || numbers == nil {
		return ErrVector
	}
	out := make([]float32, len(numbers))
	for i, x := range numbers {
		if x == nil {
			return ErrVector
		}
		out[i] = *x
	}
	*v = out
	return nil
}

// ErrVector is a vector that is none.
var ErrVector = errors.New("a vector is no list of numbers")

// ErrAnswer is a body that is no answer of the dialect.
var ErrAnswer = errors.New("not a whole JSON object with vectors")

// Unmarshal reads an answer into v. Its errors are ErrVector and ErrAnswer, which
// hold nothing of what was read.
func Unmarshal(body []byte, v any) error {
	switch err := json.Unmarshal(body, v); {
	case errors.Is(err, ErrVector):
		return ErrVector
	case err != nil:
		return ErrAnswer
	}
	return nil
}
