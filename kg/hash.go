package kg

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
)

// hashVersion is written before every hash. It changes whenever the bytes that
// are hashed do, so that hashes of different versions never compare equal.
const hashVersion = "kg1"

// Hash returns the content hash of g, "kg1:" and 64 hexadecimal digits. Equal
// graphs have equal hashes in any order of insertion, on any machine, with any
// version of this module that writes the same prefix; a different prefix means
// that two hashes cannot be compared. A nil graph hashes as an empty one.
//
// kg1 is SHA-256 over the triples in the order of Triple.Compare; of each, the
// three labels in the order head, relation, tail; of each label its length in
// bytes as eight bytes, the most significant first, and then its bytes. Labels
// are texts: "1" and "1.0" are different.
func (g *Graph) Hash() string {
	ts := g.Slice()
	slices.SortFunc(ts, Triple.Compare)
	h := sha256.New()
	var buf []byte
	for _, t := range ts {
		buf = buf[:0]
		for _, l := range [...]string{t.Head, t.Relation, t.Tail} {
			buf = binary.BigEndian.AppendUint64(buf, uint64(len(l)))
			buf = append(buf, l...)
		}
		h.Write(buf)
	}
	return hashVersion + ":" + hex.EncodeToString(h.Sum(nil))
}
