package grapheval

import "fmt"

// PanicError says that a part that the caller supplied (a model, an extractor)
// panicked. It stands for the failure of the one call.
type PanicError struct {
	// Value is what the part panicked with.
	Value any
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap gives the value where it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// guarded calls a part that the caller supplied and turns a panic into an error:
// calls run in goroutines of the checker, where a panic would end the program.
func guarded[T any](call func() (T, error)) (out T, err error) {
	defer func() {
		if v := recover(); v != nil {
			var none T
			out, err = none, &PanicError{Value: v}
		}
	}()
	return call()
}
