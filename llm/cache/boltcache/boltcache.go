// Package boltcache keeps what models said in one file on disk, with bbolt: the
// replies of a llm/cache, and the vectors of an embed.Stored; one file may hold both.
//
// The file may be shared by processes. bbolt locks a file for as long as it is
// open, so the file is opened for each operation: readers of several processes
// share it, writers take turns. That costs about a tenth of a millisecond for a reader and some
// milliseconds for a writer, which is little beside a call of a language model.
// Locks are the operating system's (flock); file systems on a network often
// have none that hold, so keep the file on a local disk.
package boltcache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// ErrBusy says that others had the file locked for longer than an operation
// waits, for instance a program that keeps it open.
var ErrBusy = errors.New("the file is locked by another process")

// Options say how to open a file. The zero value is sound.
type Options struct {
	// Wait is how long an operation waits for the file, if its context lives
	// that long. Default 10 s.
	Wait time.Duration
}

// Store is a cache.Store and an embed.Store in a file. It is safe for concurrent use and needs no
// closing: between operations nothing is open.
type Store struct {
	path string
	wait time.Duration
	// mu lets one operation of this process at the file. Readers could share
	// the file's lock, but many of them would never leave it, and a writer of
	// another process would never get it.
	mu sync.Mutex

	damage atomic.Pointer[damage]
}

var bucket = []byte("replies")

// Open returns the store in the file at path, which is made (mode 0600) where it
// does not exist; its directory must. A file that is no bbolt database, or a
// damaged one, is an error, and is left as it is; a file that others keep locked
// is ErrBusy. Removing the file clears the store, also while it is in use.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if o.Wait <= 0 {
		o.Wait = 10 * time.Second
	}
	s := &Store{path: path, wait: o.Wait}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.with(ctx, false, func(db *bolt.DB) error {
		return db.Update(func(tx *bolt.Tx) error {
			_, err := tx.CreateBucketIfNotExists(bucket)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Path returns the file's path.
func (s *Store) Path() string { return s.path }

// Get returns the value of key.
func (s *Store) Get(ctx context.Context, key string) (value []byte, ok bool, err error) {
	values, err := s.GetAll(ctx, []string{key})
	value, ok = values[key]
	return value, ok, err
}

// Put keeps value under key. When it returns nil the value is on the disk.
func (s *Store) Put(ctx context.Context, key string, value []byte) error {
	return s.PutAll(ctx, map[string][]byte{key: value})
}

// GetAll returns the values of those keys that have one, in one opening of the file.
func (s *Store) GetAll(ctx context.Context, keys []string) (map[string][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// The file may be removed at any time, and is empty for a moment when made.
	switch info, err := os.Stat(s.path); {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Size() == 0:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("boltcache: %w", err)
	}
	values := make(map[string][]byte)
	err := s.with(ctx, true, func(db *bolt.DB) error {
		return db.View(func(tx *bolt.Tx) error {
			b := tx.Bucket(bucket)
			if b == nil {
				return nil
			}
			for _, key := range keys {
				if v := b.Get([]byte(key)); v != nil {
					values[key] = slices.Clone(v)
				}
			}
			return nil
		})
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return values, nil
}

// PutAll keeps each value under its key, all of them or, with an error, none. When
// it returns nil they are on the disk.
func (s *Store) PutAll(ctx context.Context, values map[string][]byte) error {
	if len(values) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.with(ctx, false, func(db *bolt.DB) error {
		return db.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(bucket)
			if err != nil {
				return err
			}
			for _, key := range slices.Sorted(maps.Keys(values)) {
				if err := b.Put([]byte(key), values[key]); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// with opens the file, waiting for its lock, and closes it after do.
func (s *Store) with(ctx context.Context, readOnly bool, do func(*bolt.DB) error) error {
	give := time.Now().Add(s.wait)
	pause := time.Millisecond
	for {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("boltcache: %s: %w", s.path, err)
		}
		err := s.once(readOnly, do)
		if err == nil {
			return nil
		}
		if !errors.Is(err, bolterrors.ErrTimeout) {
			return fmt.Errorf("boltcache: %s: %w", s.path, err)
		}
		if time.Now().After(give) {
			return fmt.Errorf("boltcache: %s: %w for %v", s.path, ErrBusy, s.wait)
		}
		// Waits are of random length, so that processes don't march in step.
		timer := time.NewTimer(pause/2 + rand.N(pause))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
		pause = min(2*pause, 20*time.Millisecond)
	}
}

// once is one attempt to lock and open the file; bbolt.ErrTimeout where another
// has it locked. Of a damaged file bbolt reads what its pages say, which can
// panic or lead behind the end of the file; both become errors.
func (s *Store) once(readOnly bool, do func(*bolt.DB) error) (err error) {
	if err := s.sound(); err != nil {
		return err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	var file *os.File
	var db *bolt.DB
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		d := &damage{cause: p}
		d.file, _ = os.Stat(s.path)
		s.damage.Store(d)
		err = d
		if db == nil && file != nil { // else db.Close has run
			unlock(file)
			file.Close()
		}
	}()
	db, err = bolt.Open(s.path, 0o600, &bolt.Options{
		// bbolt polls at 50 ms and knows no context: let it try once.
		Timeout:  1,
		ReadOnly: readOnly,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			f, err := os.OpenFile(name, flag, mode)
			file = f
			return f, err
		},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}

// sound returns the damage that was found in the file, if it is still there.
func (s *Store) sound() error {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		s.damage.Store(nil)
		return nil
	}
	if err != nil {
		return err
	}
	if d := s.damage.Load(); d != nil && d.file != nil && os.SameFile(d.file, info) && d.file.ModTime().Equal(info.ModTime()) {
		return d
	}
	if err := checkLength(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
