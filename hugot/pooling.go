package hugot

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Pooling says how a sentence gets its vector from those of its tokens, in
// sentence-transformers' names.
type Pooling string

// The known ways of pooling.
const (
	First    Pooling = "cls"                  // the first token's
	Max      Pooling = "max"                  // the greatest of each dimension
	Mean     Pooling = "mean"                 // the mean, special tokens included
	MeanSqrt Pooling = "mean_sqrt_len_tokens" // the sum by the root of their number
	Weighted Pooling = "weightedmean"         // the mean, the n-th token's n-fold
	Last     Pooling = "lasttoken"            // the last token's
)

// poolings in the order in which several stand side by side. Cosines don't depend on it.
var poolings = []Pooling{First, Max, Mean, MeanSqrt, Weighted, Last}

// sentence is what sentence-transformers' files say of a model.
type sentence struct {
	pooling []Pooling // none where there is no such file
	limit   int       // tokens, 0 where it is not said
	lower   bool      // texts are put into lower case first
	prompt  string    // before every text
}

// readSentence reads modules.json and what it names.
func readSentence(f *modelFolder) (sentence, error) {
	var s sentence
	var settings struct {
		Limit int  `json:"max_seq_length"`
		Lower bool `json:"do_lower_case"`
	}
	if _, err := f.json("sentence_bert_config.json", &settings); err != nil {
		return s, err
	}
	s.limit, s.lower = settings.Limit, settings.Lower
	var prompts struct {
		Default *string           `json:"default_prompt_name"`
		Prompts map[string]string `json:"prompts"`
	}
	if _, err := f.json("config_sentence_transformers.json", &prompts); err != nil {
		return s, err
	}
	if d := prompts.Default; d != nil {
		p, ok := prompts.Prompts[*d]
		if !ok {
			return s, fmt.Errorf("%w: config_sentence_transformers.json has no prompt %q", ErrConfig, *d)
		}
		s.prompt = p
	}
	var modules []struct {
		Type string `json:"type"`
		Path string `json:"path"`
	}
	if ok, err := f.json("modules.json", &modules); err != nil || !ok {
		return s, err
	}
	for i, m := range modules {
		switch kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; {
		case kind == "Transformer" && i == 0, kind == "Normalize" && i == len(modules)-1:
		case kind == "Pooling" && i == 1:
			var err error
			if s.pooling, err = readPooling(f, m.Path); err != nil {
				return s, err
			}
		default:
			return s, fmt.Errorf("%w: modules.json has %s at place %d; known are Transformer, Pooling and Normalize, one after the other", ErrPooling, m.Type, i)
		}
	}
	if s.pooling == nil {
		return s, fmt.Errorf("%w: modules.json has no Pooling", ErrPooling)
	}
	return s, nil
}

// readPooling reads the Pooling module's file, in its old form with a field for
// each way, or its new one.
func readPooling(f *modelFolder, path string) ([]Pooling, error) {
	name := path + "/config.json"
	var fields map[string]json.RawMessage
	if ok, err := f.json(name, &fields); err != nil {
		return nil, err
	} else if !ok {
		return nil, fmt.Errorf("%w: modules.json names %s, which is not there", ErrFolder, name)
	}
	var all []Pooling
	for key, raw := range fields {
		switch mode, old := strings.CutPrefix(key, "pooling_mode_"); {
		case key == "include_prompt":
			var in bool
			if err := json.Unmarshal(raw, &in); err != nil {
				return nil, fmt.Errorf("%w: %s: %s: %w", ErrConfig, name, key, err)
			}
			if !in {
				return nil, fmt.Errorf("%w: %s has include_prompt false, which is not known here", ErrPooling, name)
			}
		case key == "pooling_mode":
			var one Pooling
			if json.Unmarshal(raw, &one) == nil {
				all = append(all, one)
			} else if err := json.Unmarshal(raw, &all); err != nil {
				return nil, fmt.Errorf("%w: %s: %w", ErrConfig, name, err)
			}
		case old:
			var on bool
			if err := json.Unmarshal(raw, &on); err != nil {
				return nil, fmt.Errorf("%w: %s: %s: %w", ErrConfig, name, key, err)
			}
			if on {
				if mode != string(MeanSqrt) {
					mode = strings.TrimSuffix(strings.TrimSuffix(mode, "_tokens"), "_token")
				}
				all = append(all, Pooling(mode))
			}
		}
	}
	return checkPoolings(all)
}

// checkPoolings refuses what is not known, and puts the rest into order.
func checkPoolings(all []Pooling) ([]Pooling, error) {
	for _, p := range all {
		if !slices.Contains(poolings, p) {
			return nil, fmt.Errorf("%w: %q; known are %q", ErrPooling, p, poolings)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: the pooling's settings name none", ErrPooling)
	}
	slices.SortFunc(all, func(a, b Pooling) int { return slices.Index(poolings, a) - slices.Index(poolings, b) })
	return slices.Compact(all), nil
}

// pool joins the rows of states, each of the given width, as modes say, side by
// side. Sums run in float64.
func pool(states []float32, width int, modes []Pooling) []float32 {
	rows := len(states) / width
	out := make([]float32, 0, width*len(modes))
	for _, mode := range modes {
		v := make([]float64, width)
		switch mode {
		case First, Last:
			row := states[:width]
			if mode == Last {
				row = states[(rows-1)*width:]
			}
			for j, x := range row {
				v[j] = float64(x)
			}
		case Max:
			for j := range v {
				v[j] = math.Inf(-1)
			}
			for i, x := range states {
				v[i%width] = max(v[i%width], float64(x))
			}
		default:
			total := 0.0
			for r := range rows {
				weight := 1.0
				if mode == Weighted {
					weight = float64(r + 1)
				}
				total += weight
				for j, x := range states[r*width : (r+1)*width] {
					v[j] += weight * float64(x)
				}
			}
			if mode == MeanSqrt {
				total = math.Sqrt(total)
			}
			for j := range v {
				v[j] /= total
			}
		}
		for _, x := range v {
			out = append(out, float32(x))
		}
	}
	return out
}
