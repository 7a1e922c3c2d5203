package cache

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"testing"

	"github.com/kgeval/kgeval/llm"
)

// Whatever bytes a store gives back, decoding ends in a reply or an error; a
// reply can be kept again and is the same then.
func FuzzDecode(f *testing.F) {
	whole, err := encode(llm.Response{Text: "a\xff", Stop: llm.StopEnd, LogProbs: []llm.TokenLogProbs{{TokenProb: llm.TokenProb{Token: "a"}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[header:])
	f.Add(whole[header : len(whole)/2])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, payload []byte) {
		if len(payload) > 1<<16 {
			return
		}
		value := make([]byte, header, header+len(payload))
		value[0] = version
		binary.BigEndian.PutUint32(value[1:], crc32.ChecksumIEEE(payload)) // else nothing gets past it
		r, err := decode(append(value, payload...))
		if err != nil {
			return
		}
		again, err := encode(r)
		if err != nil {
			t.Fatal(err)
		}
		s, err := decode(again)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := encode(s); err != nil || !bytes.Equal(again, twice) {
			t.Errorf("%+v became %+v, %v", r, s, err)
		}
	})
}

// A value that changed by a single bit on its way is an error.
func TestOneWrongBit(t *testing.T) {
	want := llm.Response{Text: "Noor leads Team Red.", Stop: llm.StopEnd, Model: "m"}
	value, err := encode(want)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(value) * 8 {
		bad := bytes.Clone(value)
		bad[i/8] ^= 1 << (i % 8)
		if r, err := decode(bad); err == nil {
			t.Fatalf("bit %d: %+v", i, r)
		}
	}
	if r, err := decode(value); err != nil || !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, %v", r, err)
	}
}
