package embed

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"log/slog"
	"math"
	"slices"
)

// Store keeps values by key. Implementations are safe for concurrent use, and
// neither keep nor change what they are given after the call;
// llm/cache/boltcache is one, in a file that processes may share.
type Store interface {
	// GetAll returns the values of those keys that have one. They belong to the
	// caller.
	GetAll(ctx context.Context, keys []string) (map[string][]byte, error)
	// PutAll keeps each value under its key, in place of what was there.
	PutAll(ctx context.Context, values map[string][]byte) error
}

// StoredOptions are the settings of Stored. The zero value is sound.
type StoredOptions struct {
	// Batch is how many texts that are not in the store are asked for at a time.
	// Their vectors are kept before the next are asked for, so that an error or the
	// context's end loses no more than these. 0 means 256.
	Batch int
	// OnStoreError is told when the store fails or holds a damaged value. The call
	// goes on without it. It may be called concurrently. Default: a warning in
	// slog.Default.
	OnStoreError func(ctx context.Context, err error)
}

// Stored returns an embedder that asks e only for texts whose vectors the store does
// not have. The key is of the ID of e and the text, so that another model, or another
// version of it, has other entries; an ID must change with whatever changes vectors.
// A text that is twice in a call is asked for once. Blank texts, zero vectors and
// failures are not kept. All vectors of a call have one length: where the store's
// and e's differ, the error is a *LengthError, and the ID has not changed with its
// model.
//
// The result carries the ID of e, and its thresholds if it has any, and is safe for
// concurrent use if e is. Calls at the same time that want the same text may each ask
// for it; Cached around it joins them. A nil store keeps nothing.
func Stored(e Embedder, s Store, o StoredOptions) Embedder {
	if o.Batch <= 0 {
		o.Batch = 256
	}
	if o.OnStoreError == nil {
		o.OnStoreError = func(ctx context.Context, err error) {
			slog.WarnContext(ctx, "embed: the store of vectors failed", "err", err)
		}
	}
	return likeInner(&stored{inner: e, store: s, o: o}, e)
}

type stored struct {
	inner Embedder
	store Store
	o     StoredOptions
}

func (s *stored) ID() string { return s.inner.ID() }

func (s *stored) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.store == nil {
		return s.inner.Embed(ctx, texts)
	}
	id := s.inner.ID()
	known := make(map[string][]float32, len(texts)) // by text
	keys := make([]string, 0, len(texts))
	texted := make(map[string]string, len(texts)) // key to text
	var wanted []string
	for _, t := range texts {
		if _, seen := known[t]; seen {
			continue
		}
		known[t] = nil
		wanted = append(wanted, t)
		if !blank(t) {
			key := storeKey(id, t)
			keys = append(keys, key)
			texted[key] = t
		}
	}
	values, err := s.store.GetAll(ctx, keys)
	if err != nil {
		s.failed(ctx, fmt.Errorf("reading vectors: %w", err))
	}
	for _, key := range keys {
		value, ok := values[key]
		if !ok {
			continue
		}
		v, err := decodeVector(value)
		if err != nil {
			s.failed(ctx, fmt.Errorf("reading a vector: %w", err))
			continue
		}
		known[texted[key]] = v
	}
	var ask []string
	for _, t := range wanted {
		if known[t] == nil {
			ask = append(ask, t)
		}
	}
	for len(ask) > 0 {
		part := ask[:min(len(ask), s.o.Batch)]
		ask = ask[len(part):]
		if err := s.ask(ctx, id, texts, part, known); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for i, t := range texts {
		vectors[i] = known[t]
	}
	if err := Check(texts, vectors); err != nil {
		return nil, err
	}
	return vectors, nil
}

// ask embeds some of all texts, keeps their vectors and puts them into known.
func (s *stored) ask(ctx context.Context, id string, all, texts []string, known map[string][]float32) error {
	vectors, err := s.inner.Embed(ctx, texts)
	if err != nil {
		return err
	}
	if err := Check(texts, vectors); err != nil {
		return placed(err, func(i int) int { return slices.Index(all, texts[i]) })
	}
	values := make(map[string][]byte, len(texts))
	for i, t := range texts {
		known[t] = vectors[i]
		if !blank(t) && !isZero(vectors[i]) {
			values[storeKey(id, t)] = encodeVector(vectors[i])
		}
	}
	if len(values) > 0 {
		if err := s.store.PutAll(ctx, values); err != nil {
			s.failed(ctx, fmt.Errorf("keeping vectors: %w", err))
		}
	}
	return nil
}

func (s *stored) failed(ctx context.Context, err error) {
	if ctx.Err() == nil { // else the store's time was over with the caller's
		s.o.OnStoreError(ctx, err)
	}
}

// storeKey names a text's vector. The texts themselves are not stored.
func storeKey(id, text string) string {
	h := sha256.New()
	_ = binary.Write(h, binary.BigEndian, uint64(len(id))) // a hash takes everything
	h.Write([]byte(id))
	h.Write([]byte(text))
	return fmt.Sprintf("vector/%x", h.Sum(nil))
}

// vectorVersion begins every stored value; the CRC-32 of the rest and the elements
// as little-endian float32 follow.
const vectorVersion = 1

const vectorHeader = 5

func encodeVector(v []float32) []byte {
	b := make([]byte, vectorHeader, vectorHeader+4*len(v))
	b[0] = vectorVersion
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	binary.BigEndian.PutUint32(b[1:], crc32.ChecksumIEEE(b[vectorHeader:]))
	return b
}

func decodeVector(b []byte) ([]float32, error) {
	switch {
	case len(b) <= vectorHeader || (len(b)-vectorHeader)%4 != 0:
		return nil, fmt.Errorf("a value of %d bytes", len(b))
	case b[0] != vectorVersion:
		return nil, fmt.Errorf("version %d, and this one reads %d: clear the store", b[0], vectorVersion)
	case crc32.ChecksumIEEE(b[vectorHeader:]) != binary.BigEndian.Uint32(b[1:]):
		return nil, fmt.Errorf("a damaged value (its checksum is wrong)")
	}
	v := make([]float32, (len(b)-vectorHeader)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[vectorHeader+4*i:]))
	}
	return v, nil
}
