package combined

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Example is a labelled output: what Weigh says of each of its statements
// against its source. An output is consistent when all its statements are.
type Example struct {
	// Set names the data set; every set counts the same, and within it both
	// labels do.
	Set        string
	Consistent bool
	Opinions   []Opinion
}

// ErrOneSided says that a set of examples lacks one of the labels.
var ErrOneSided = errors.New("nli/combined: examples of both labels are needed in every set")

// Fit returns the weights that explain the examples best: logistic regression on
// the least sure statement of each output, with a small ridge. Statements that
// could not be judged, or that stand in the source word for word, are left out,
// and outputs of which none is left. Parts that are not in use are given no
// weight; with no names all parts are fitted. The result depends on nothing but
// the examples and the names.
//
// Never report quality on the examples that were fitted; leave whole sets out.
func Fit(examples []Example, use ...string) (Weights, error) {
	if len(use) == 0 {
		use = names
	}
	var columns []int
	for _, n := range use {
		k := slices.Index(names, n)
		if k < 0 {
			return Weights{}, fmt.Errorf("nli/combined: there is no part %q to fit; the parts are %q", n, names)
		}
		columns = append(columns, k)
	}
	d, err := design(examples, columns)
	if err != nil {
		return Weights{}, err
	}
	beta := d.minimise()
	w := Weights{Bias: beta[0], Of: map[string]float64{}}
	for i, n := range use {
		x := beta[i+1] / d.sd[i]
		w.Of[n] = round(x)
		w.Bias -= x * d.mean[i]
	}
	w.Bias = round(w.Bias)
	return w, nil
}

func round(x float64) float64 { return math.Round(x*1000) / 1000 }

// matrix is the examples' statements in standardised numbers.
type matrix struct {
	rows     [][]float64 // with a leading 1
	output   []int       // of each row
	label    []float64   // of each output
	weight   []float64   // of each output; they sum to 1
	mean, sd []float64
}

func design(examples []Example, columns []int) (*matrix, error) {
	d := &matrix{mean: make([]float64, len(columns)), sd: make([]float64, len(columns))}
	var sets []string
	counts := map[string]*[2]int{}
	for _, ex := range examples {
		n := len(d.label)
		before := len(d.rows)
		for i := range ex.Opinions {
			o := &ex.Opinions[i]
			if o.Probs.Err != nil || o.Coverage.Verbatim {
				continue
			}
			f := features(o)
			row := []float64{1}
			for _, k := range columns {
				row = append(row, f[k])
			}
			d.rows = append(d.rows, row)
			d.output = append(d.output, n)
		}
		if len(d.rows) == before {
			continue
		}
		if counts[ex.Set] == nil {
			counts[ex.Set] = new([2]int)
		}
		y := 0
		if ex.Consistent {
			y = 1
		}
		counts[ex.Set][y]++
		d.label = append(d.label, float64(y))
		sets = append(sets, ex.Set)
	}
	for set, c := range counts {
		if c[0] == 0 || c[1] == 0 {
			return nil, fmt.Errorf("%w: %q has %d consistent and %d inconsistent outputs with a statement to weigh", ErrOneSided, set, c[1], c[0])
		}
	}
	if len(d.label) == 0 {
		return nil, fmt.Errorf("%w: there are none", ErrOneSided)
	}
	for i, set := range sets {
		d.weight = append(d.weight, 1/float64(2*len(counts)*counts[set][int(d.label[i])]))
	}
	d.standardise()
	return d, nil
}

func (d *matrix) standardise() {
	n := float64(len(d.rows))
	for k := range d.mean {
		for _, r := range d.rows {
			d.mean[k] += r[k+1] / n
		}
		for _, r := range d.rows {
			d.sd[k] += (r[k+1] - d.mean[k]) * (r[k+1] - d.mean[k]) / n
		}
		d.sd[k] = math.Sqrt(d.sd[k])
		if d.sd[k] < 1e-9 {
			d.sd[k] = 1
		}
		for _, r := range d.rows {
			r[k+1] = (r[k+1] - d.mean[k]) / d.sd[k]
		}
	}
}

// How near the soft minimum over an output's statements is to the minimum; the
// weight of the ridge; the steps and their size.
const (
	sharpness = 6.0
	ridge     = 3e-3
	steps     = 3000
	rate      = 0.02
)

// minimise runs Adam, whose steps need no line search, over all examples.
func (d *matrix) minimise() []float64 {
	width := len(d.mean) + 1
	beta, m, v := make([]float64, width), make([]float64, width), make([]float64, width)
	z := make([]float64, len(d.rows))
	least := make([]float64, len(d.label))
	sum := make([]float64, len(d.label))
	for step := 1; step <= steps; step++ {
		for i := range least {
			least[i], sum[i] = math.Inf(1), 0
		}
		for i, r := range d.rows {
			z[i] = 0
			for k, x := range r {
				z[i] += beta[k] * x
			}
			least[d.output[i]] = min(least[d.output[i]], z[i])
		}
		for i := range d.rows {
			sum[d.output[i]] += math.Exp(sharpness * (least[d.output[i]] - z[i]))
		}
		g := make([]float64, width)
		for k := 1; k < width; k++ {
			g[k] = 2 * ridge * beta[k]
		}
		for i, r := range d.rows {
			o := d.output[i]
			soft := least[o] - math.Log(sum[o])/sharpness
			share := math.Exp(sharpness*(least[o]-z[i])) / sum[o]
			slope := d.weight[o] * (1/(1+math.Exp(-soft)) - d.label[o]) * share
			for k, x := range r {
				g[k] += slope * x
			}
		}
		for k := range beta {
			m[k] = 0.9*m[k] + 0.1*g[k]
			v[k] = 0.999*v[k] + 0.001*g[k]*g[k]
			mh := m[k] / (1 - math.Pow(0.9, float64(step)))
			vh := v[k] / (1 - math.Pow(0.999, float64(step)))
			beta[k] -= rate * mh / (math.Sqrt(vh) + 1e-12)
		}
	}
	return beta
}
