//go:build unix && !solaris && !illumos && !aix

package experiment

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this process until it is closed; it fails with ErrLocked if
// another process, or another open file of this one, has it. A process that dies gives
// it back. Reading needs no lock.
func lock(f *os.File) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		case errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOTSUP):
			return nil // a file system without locks
		default:
			return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}
