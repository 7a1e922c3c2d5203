package experiment

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock is that of Unix. Windows keeps others from reading a locked range, and so the
// range is one that no log will reach.
func lock(f *os.File) error {
	const far = 1 << 30
	o := windows.Overlapped{OffsetHigh: far}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &o)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return ErrLocked
	}
	return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
}
