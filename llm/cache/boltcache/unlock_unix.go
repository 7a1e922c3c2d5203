//go:build unix && !solaris && !aix

package boltcache

import (
	"os"
	"syscall"
)

// unlock gives up the file's lock. Closing alone does not while the file is
// still mapped, as it is after a panic inside of bbolt.Open.
func unlock(f *os.File) { syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
