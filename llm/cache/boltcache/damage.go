package boltcache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// damage is an error of a file that no waiting will mend. What it was found in
// is not opened again: bbolt keeps memory mapped when it fails half-way.
type damage struct {
	file  os.FileInfo
	cause any
}

func (d *damage) Error() string {
	return fmt.Sprintf("the file is damaged, remove it: %v", d.cause)
}

// The layout of bbolt's two meta pages, which has been the same since 2013: a
// page header of 16 bytes, then these fields.
const (
	metaMagic   = 0xED0CDAED
	metaSize    = 16 + 64
	atMagic     = 16
	atPageSize  = 16 + 8
	atPages     = 16 + 40 // the first page behind those in use
	atTx        = 16 + 48
	maxPageSize = 1 << 16
)

// checkLength reports a file that is shorter than its own directory of pages
// says. bbolt itself would read behind its end.
func checkLength(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	first, err := readMeta(f, 0)
	if err != nil || first == nil {
		return err // bbolt says it better
	}
	newest := first
	if second, err := readMeta(f, first.pageSize); err != nil {
		return err
	} else if second != nil && second.tx > first.tx {
		newest = second
	}
	// The file grows before a meta page says so: ask for its length last.
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if need := newest.pages * uint64(newest.pageSize); newest.pages < 1<<40 && uint64(info.Size()) < need {
		return &damage{info, fmt.Sprintf("it has %d bytes of %d", info.Size(), need)}
	}
	return nil
}

type meta struct {
	pageSize  int64
	pages, tx uint64
}

// readMeta returns the meta page at offset, or nil where there is none.
func readMeta(f *os.File, offset int64) (*meta, error) {
	var b [metaSize]byte
	if _, err := f.ReadAt(b[:], offset); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	order := binary.NativeEndian
	size := order.Uint32(b[atPageSize:])
	if order.Uint32(b[atMagic:]) != metaMagic || size == 0 || size > maxPageSize {
		return nil, nil
	}
	return &meta{int64(size), order.Uint64(b[atPages:]), order.Uint64(b[atTx:])}, nil
}
