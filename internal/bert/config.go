package bert

import "fmt"

// Config is the shape of an encoder.
type Config struct {
	Layers    int     `json:"layers"`
	Hidden    int     `json:"hidden"` // a multiple of 32
	Heads     int     `json:"heads"`  // Hidden/Heads is a multiple of 32
	Inner     int     `json:"inner"`  // width of the feed-forward part, a multiple of 32
	Positions int     `json:"positions"`
	Types     int     `json:"types"` // token types; 0 in MPNet
	NormEps   float32 `json:"norm_eps"`
	// Buckets is the number of buckets of the relative position bias, 0 without.
	Buckets int `json:"buckets,omitempty"`
	// Separators is how many separator tokens stand between the two texts of a
	// pair: 1 in BERT, 2 in MPNet.
	Separators int `json:"separators"`
}

// Most that a weights file may ask for: a damaged or hostile header must not
// make the program allocate without bound.
const (
	maxLayers = 48
	maxWidth  = 8192
	maxLength = 8192
)

func (c Config) validate() error {
	bad := func(what string, v int) error {
		return fmt.Errorf("%w: %s is %d", ErrFormat, what, v)
	}
	switch {
	case c.Layers < 1 || c.Layers > maxLayers:
		return bad("layers", c.Layers)
	case c.Hidden < 32 || c.Hidden > maxWidth || c.Hidden%32 != 0:
		return bad("hidden", c.Hidden)
	case c.Heads < 1 || c.Hidden%c.Heads != 0 || c.Hidden/c.Heads%32 != 0:
		return bad("heads", c.Heads)
	case c.Inner < 32 || c.Inner > 4*maxWidth || c.Inner%32 != 0:
		return bad("inner", c.Inner)
	case c.Positions < 8 || c.Positions > maxLength:
		return bad("positions", c.Positions)
	case c.Types < 0 || c.Types > 16:
		return bad("types", c.Types)
	case c.Buckets < 0 || c.Buckets > 1024 || c.Buckets%4 != 0:
		return bad("buckets", c.Buckets)
	case c.Separators < 1 || c.Separators > 2:
		return bad("separators", c.Separators)
	case !(c.NormEps > 0 && c.NormEps < 1):
		return fmt.Errorf("%w: norm_eps is %g", ErrFormat, c.NormEps)
	}
	return nil
}
