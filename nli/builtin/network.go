package builtin

import (
	"fmt"
	"math"

	"github.com/kgeval/kgeval/internal/bert"
	"github.com/kgeval/kgeval/nli"
)

// classes in the order of the head's rows.
const (
	entailment = iota
	neutral
	contradiction
	classes
)

// network is the encoder with its head: one linear layer over the mean of all
// states, and the mean and the maximum of the hypothesis' states. The maximum
// lets one wrong word decide.
type network struct {
	*bert.Model
	weight, bias []float32 // [classes][3*Hidden], [classes]
	temperature  float64
	unknown      int32
}

func newNetwork(m *bert.Model) (*network, error) {
	n := &network{Model: m}
	var err error
	if n.weight, err = m.Tensor("head.weight", classes, 3*m.Config().Hidden); err != nil {
		return nil, err
	}
	if n.bias, err = m.Tensor("head.bias", classes); err != nil {
		return nil, err
	}
	t, err := m.Tensor("head.temperature", 1)
	if err != nil {
		return nil, err
	}
	if n.temperature = float64(t[0]); !(n.temperature >= 0.01 && n.temperature <= 100) {
		return nil, fmt.Errorf("%w: temperature %g", ErrFormat, t[0])
	}
	n.unknown = m.Tokenizer().Unknown()
	return n, nil
}

// cost is the number of pieces of text.
func (n *network) cost(text string) int {
	var buf [256]int32
	return len(n.Tokenizer().Encode(buf[:0], text))
}

// pieces returns the pieces of text, at most limit of them.
func (n *network) pieces(text string, limit int) []int32 {
	return n.Tokenizer().EncodeFirst(nil, text, limit)
}

// readable reports whether any of the pieces is known.
func (n *network) readable(pieces []int32) bool {
	for _, id := range pieces {
		if id != n.unknown {
			return true
		}
	}
	return false
}

// head turns the states of a pair whose hypothesis has so many pieces into
// probabilities. Sums run in float64 and in one order.
func (n *network) head(hidden []float32, hypothesis int) nli.Probs {
	h := n.Config().Hidden
	tokens := len(hidden) / h
	first, last := tokens-1-hypothesis, tokens-1
	var logit [classes]float64
	for c := range logit {
		logit[c] = float64(n.bias[c])
	}
	for j := range h {
		all, part, top := 0.0, 0.0, math.Inf(-1)
		for t := range tokens {
			x := float64(hidden[t*h+j])
			all += x
			if t >= first && t < last {
				part += x
				top = max(top, x)
			}
		}
		all /= float64(tokens)
		part /= float64(hypothesis)
		for c := range logit {
			w := n.weight[c*3*h:]
			logit[c] += float64(w[j])*all + float64(w[h+j])*part + float64(w[2*h+j])*top
		}
	}
	return softmax(logit, n.temperature)
}

// softmax returns probabilities that sum to 1, or an error in Err where a logit
// is no number, as only weights that make no sense can cause.
func softmax(logit [classes]float64, temperature float64) nli.Probs {
	top := max(logit[0], logit[1], logit[2])
	var p [classes]float64
	sum := 0.0
	for c, x := range logit {
		p[c] = math.Exp((x - top) / temperature)
		sum += p[c]
	}
	if !(sum >= 1 && sum <= classes) {
		return nli.Probs{Err: fmt.Errorf("%w: they give no finite probabilities", ErrFormat)}
	}
	return nli.Probs{Entailment: p[entailment] / sum, Neutral: p[neutral] / sum, Contradiction: p[contradiction] / sum}
}
