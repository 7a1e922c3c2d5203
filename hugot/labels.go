package hugot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/nli"
)

// A Label is what a class of a model means.
type Label string

// The known labels.
const (
	Entailment    Label = "entailment"
	Neutral       Label = "neutral"
	Contradiction Label = "contradiction"
	// NotEntailment is the other class of a model with two; it counts as neutral,
	// since such a model does not tell a denial from what is not said.
	NotEntailment Label = "not_entailment"
)

// heads are the classes that make a head, in any order.
var heads = [][]Label{
	{Entailment, Neutral, Contradiction},
	{Entailment, NotEntailment},
	{Entailment, Contradiction},
	{Entailment}, // one logit
}

// labelsOf returns what the classes mean: the caller's word, else the folder's.
func labelsOf(f *modelFolder, given []Label) ([]Label, error) {
	const how = "; say it in NLIOptions.Labels, in the order of the classes, such as {Contradiction, Entailment, Neutral}"
	labels := slices.Clone(given)
	if len(labels) == 0 {
		n := len(f.config.Labels)
		if n == 0 {
			return nil, fmt.Errorf("%w: config.json has no id2label"+how, ErrLabels)
		}
		labels = make([]Label, n)
		for key, name := range f.config.Labels {
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= n {
				return nil, fmt.Errorf("%w: id2label of config.json has the class %q of %d", ErrLabels, key, n)
			}
			labels[i] = Label(strings.NewReplacer("-", "_", " ", "_", "non_entailment", string(NotEntailment)).Replace(strings.ToLower(strings.TrimSpace(name))))
		}
	}
	sorted := slices.Sorted(slices.Values(labels))
	for _, h := range heads {
		if slices.Equal(sorted, slices.Sorted(slices.Values(h))) {
			return labels, nil
		}
	}
	return nil, fmt.Errorf("%w: %q, want entailment with neutral and contradiction, with not_entailment, with contradiction, or alone"+how, ErrLabels, labels)
}

// probs turns logits into probabilities: softmax over classes, the logistic function of
// one logit.
func probs(logits []float32, labels []Label) nli.Probs {
	values := make([]float64, len(logits))
	top := math.Inf(-1)
	for i, x := range logits {
		values[i] = float64(x)
		top = max(top, values[i])
	}
	var p nli.Probs
	if len(values) == 1 {
		p.Entailment = 1 / (1 + math.Exp(-values[0]))
		p.Neutral = 1 - p.Entailment
		return p
	}
	sum := 0.0
	for i, x := range values {
		values[i] = math.Exp(x - top)
		sum += values[i]
	}
	for i, x := range values {
		switch labels[i] {
		case Entailment:
			p.Entailment = x / sum
		case Contradiction:
			p.Contradiction = x / sum
		default:
			p.Neutral = x / sum
		}
	}
	return p
}
