package bert

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// piece is a tensor to write.
type piece struct {
	TensorInfo
	data []byte
}

// writeFile makes a weights file in memory.
func writeFile(h Header, pieces []piece) []byte {
	sum := sha256.New()
	for _, p := range pieces {
		h.Tensors = append(h.Tensors, p.TensorInfo)
		sum.Write(p.data)
	}
	h.SHA256 = hex.EncodeToString(sum.Sum(nil))
	head, err := json.Marshal(h)
	if err != nil {
		panic(err)
	}
	b := []byte(magic)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = append(b, head...)
	for _, p := range pieces {
		b = append(b, p.data...)
	}
	return b
}

func floatPiece(name string, v []float32, shape ...int) piece {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, v)
	return piece{TensorInfo{Name: name, Type: "f32", Shape: shape}, b.Bytes()}
}

// tinyVocabulary is enough to cut any lower-case Latin text.
func tinyVocabulary(mpnet bool) []string {
	v := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}
	if mpnet {
		v = []string{"<pad>", "[UNK]", "<s>", "</s>"}
	}
	for c := 'a'; c <= 'z'; c++ {
		v = append(v, string(c), "##"+string(c))
	}
	return append(v, "[", "]", "the", "##ing", "run", ".")
}

var tinyBERT = Config{Layers: 2, Hidden: 64, Heads: 2, Inner: 96, Positions: 300, Types: 2, NormEps: 1e-12, Separators: 1}
var tinyMPNet = Config{Layers: 2, Hidden: 64, Heads: 1, Inner: 64, Positions: 160, NormEps: 1e-5, Separators: 2, Buckets: 32}

// tiny makes a model file with random weights.
func tiny(c Config, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, seed))
	vocabulary := tinyVocabulary(c.Types == 0)
	text := strings.Join(vocabulary, "\n") + "\n"
	pieces := []piece{{TensorInfo{Name: "vocabulary", Type: "u8", Shape: []int{len(text)}}, []byte(text)}}
	add := func(name string, scale float64, shape ...int) {
		n := 1
		for _, d := range shape {
			n *= d
		}
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(r.NormFloat64() * scale)
			if strings.HasSuffix(name, "gain") {
				v[i] += 1
			}
		}
		pieces = append(pieces, floatPiece(name, v, shape...))
	}
	h := c.Hidden
	w := 1 / math.Sqrt(float64(h))
	add("embed.word", 1, len(vocabulary), h)
	add("embed.position", 1, c.Positions, h)
	if c.Types > 0 {
		add("embed.type", 1, c.Types, h)
	}
	add("embed.norm.gain", .1, h)
	add("embed.norm.bias", .1, h)
	for i := range c.Layers {
		p := fmt.Sprintf("layer.%d.", i)
		for _, l := range []struct {
			name    string
			out, in int
		}{{"qkv", 3 * h, h}, {"out", h, h}, {"up", c.Inner, h}, {"down", h, c.Inner}} {
			add(p+l.name+".weight", w, l.out, l.in)
			add(p+l.name+".bias", .1, l.out)
		}
		for _, n := range []string{"norm1", "norm2"} {
			add(p+n+".gain", .1, h)
			add(p+n+".bias", .1, h)
		}
	}
	if c.Buckets > 0 {
		add("relative", 1, c.Buckets, c.Heads)
	}
	return writeFile(Header{Model: "tiny", Config: &c}, pieces)
}
