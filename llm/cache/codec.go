package cache

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"hash/crc32"

	"github.com/kgeval/kgeval/llm"
)

// version begins every value. It changes with the form of what follows, which
// is the CRC-32 of the rest in four bytes, and the reply as gob: unlike JSON,
// gob keeps bytes that are not UTF-8.
const version = 1

const header = 5

func encode(r llm.Response) ([]byte, error) {
	var b bytes.Buffer
	b.Write(make([]byte, header))
	if err := gob.NewEncoder(&b).Encode(r); err != nil {
		return nil, err
	}
	value := b.Bytes()
	value[0] = version
	sum := crc32.ChecksumIEEE(value[header:])
	value[1], value[2], value[3], value[4] = byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum)
	return value, nil
}

func decode(value []byte) (llm.Response, error) {
	if len(value) < header {
		return llm.Response{}, fmt.Errorf("a value of %d bytes", len(value))
	}
	if value[0] != version {
		return llm.Response{}, fmt.Errorf("version %d, and this one reads %d: clear the store", value[0], version)
	}
	sum := uint32(value[1])<<24 | uint32(value[2])<<16 | uint32(value[3])<<8 | uint32(value[4])
	if crc32.ChecksumIEEE(value[header:]) != sum {
		return llm.Response{}, fmt.Errorf("a damaged value (its checksum is wrong)")
	}
	var r llm.Response
	if err := gob.NewDecoder(bytes.NewReader(value[header:])).Decode(&r); err != nil {
		return llm.Response{}, err
	}
	return r, nil
}
