package llm

import "fmt"

// WindowError says by how much a request does not fit into a model's window. It
// is an ErrContextTooLong. A backend that tells no sizes gives ErrContextTooLong
// without one.
type WindowError struct {
	Tokens int // of the messages, or of them and the longest reply
	Window int // that the model has
}

func (e *WindowError) Error() string {
	return fmt.Sprintf("%d tokens, and the model's window has %d", e.Tokens, e.Window)
}

// Unwrap returns ErrContextTooLong.
func (e *WindowError) Unwrap() error { return ErrContextTooLong }
