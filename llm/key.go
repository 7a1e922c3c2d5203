package llm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
)

// Key names a request to a model: the SHA-256 over the model's ID and every
// field of the request, in hex. Requests that a model can't tell apart (no Stop
// and an empty one, a temperature of 0 and of -0) have one key; any other
// difference, down to a byte that is not UTF-8, gives another key. Keys are
// stable over versions of this package as long as its prefix is.
func Key(modelID string, r Request) string {
	k := keyer{sha256.New()}
	k.text("kgeval/llm/1")
	k.text(modelID)
	k.count(len(r.Messages))
	for _, m := range r.Messages {
		k.text(string(m.Role))
		k.text(m.Text)
	}
	k.float(r.Temperature)
	k.float(r.TopP)
	if k.set(r.TopK != nil) {
		k.count(*r.TopK)
	}
	if k.set(r.Seed != nil) {
		k.number(uint64(*r.Seed))
	}
	k.count(r.MaxTokens)
	k.count(len(r.Stop))
	for _, s := range r.Stop {
		k.text(s)
	}
	k.text(string(r.Schema))
	k.count(r.LogProbs)
	k.count(r.Sample)
	return hex.EncodeToString(k.h.Sum(nil))
}

// keyer writes values so that no two sequences of them have the same bytes.
type keyer struct{ h hash.Hash }

func (k keyer) number(n uint64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	k.h.Write(b[:])
}

func (k keyer) count(n int) { k.number(uint64(int64(n))) }

func (k keyer) text(s string) {
	k.count(len(s))
	k.h.Write([]byte(s))
}

func (k keyer) set(is bool) bool {
	var b [1]byte
	if is {
		b[0] = 1
	}
	k.h.Write(b[:])
	return is
}

func (k keyer) float(p *float64) {
	if k.set(p != nil) {
		k.number(math.Float64bits(*p + 0)) // -0 + 0 is 0
	}
}
