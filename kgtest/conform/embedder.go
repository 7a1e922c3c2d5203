package conform

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/embed"
)

// Embedder tests the contract of embed.Embedder, and of embed.Thresholder where
// it is one. fresh returns an embedder that is ready; every call must give one
// that behaves the same.
func Embedder(t *testing.T, fresh func() embed.Embedder, options ...Option) {
	t.Helper()
	run(t, embedderRules, fresh, defaults(true), options)
}

var embedderRules = []rule[embed.Embedder]{
	{"the ID is not empty and does not change", embedderID},
	{"no texts give no vectors", embedderNone},
	{"vectors have one length, are finite, and of unit norm", embedderVectors},
	{"blank texts give a unit or a zero vector", embedderBlank},
	{"a vector does not depend on the other texts or its position", embedderIndependent},
	{"the same call gives the same result", embedderDeterministic},
	{"different texts have different vectors", embedderTells},
	{"a context that has ended is an error that wraps its error", embedderEnded},
	{"a call ends with its context", embedderCancel},
	{"texts are not changed", embedderInputs},
	{"odd texts have vectors like others", embedderOdd},
	{"thresholds are cosines", embedderThresholds},
	{"safe for concurrent use", embedderConcurrent},
	{"no goroutines stay behind", embedderLeaks},
}

// vectors calls e; ok is true when there is one vector for each text.
func vectors(t tb, c config, e embed.Embedder, in []string) (out [][]float32, ok bool) {
	t.Helper()
	out, err, ok := call(t, c, fmt.Sprintf("Embed of %d texts", len(in)), func() ([][]float32, error) {
		return e.Embed(context.Background(), in)
	})
	if !ok {
		return nil, false
	}
	if err != nil {
		t.Errorf("Embed of %d texts: %v", len(in), err)
		return nil, false
	}
	if len(out) != len(in) {
		t.Errorf("Embed of %d texts gives %d vectors", len(in), len(out))
		return nil, false
	}
	return out, true
}

// checkVector reports a vector that is not finite, or neither of unit norm nor,
// where that is allowed, zero.
func checkVector(t tb, what string, v []float32, zero bool) {
	t.Helper()
	if len(v) == 0 {
		t.Errorf("%s: the vector has no elements", what)
		return
	}
	var sum float64
	for i, x := range v {
		if y := float64(x); math.IsNaN(y) || math.IsInf(y, 0) {
			t.Errorf("%s: element %d is %v", what, i, x)
			return
		}
		sum += float64(x) * float64(x)
	}
	norm := math.Sqrt(sum)
	if norm == 0 && zero {
		return
	}
	if math.Abs(norm-1) > 1e-3 {
		t.Errorf("%s: the vector has norm %v, want 1", what, norm)
	}
}

// sameVector reports whether two vectors are equal within the tolerance.
func sameVector(c config, a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool {
		return x == y || math.Abs(float64(x)-float64(y)) <= c.tolerance
	})
}

func embedderID(t tb, c config, fresh func() embed.Embedder) {
	e := fresh()
	before := e.ID()
	vectors(t, c, e, plainTexts()[:3])
	checkID(t, before, e.ID(), fresh().ID())
}

func embedderNone(t tb, c config, fresh func() embed.Embedder) {
	e := fresh()
	vectors(t, c, e, nil)
	vectors(t, c, e, []string{})
}

func embedderVectors(t tb, c config, fresh func() embed.Embedder) {
	e := fresh()
	in := plainTexts()
	out, ok := vectors(t, c, e, in)
	if !ok {
		return
	}
	short := []string{"Paris", "a", "Yes", "42", "柿子", "works for"}
	more, ok := vectors(t, c, e, short)
	if !ok {
		return
	}
	for i, v := range append(out, more...) {
		what := fmt.Sprintf("text %.40q", append(in, short...)[i])
		checkVector(t, what, v, false)
		if len(v) != len(out[0]) {
			t.Errorf("%s: the vector has %d elements, another one %d", what, len(v), len(out[0]))
			return
		}
	}
}

func embedderBlank(t tb, c config, fresh func() embed.Embedder) {
	in := []string{"Paris", "", " \t\r\n", "\u00a0\u3000"}
	out, ok := vectors(t, c, fresh(), in)
	if !ok {
		return
	}
	for i, v := range out {
		checkVector(t, fmt.Sprintf("text %q", in[i]), v, i > 0)
		if len(v) != len(out[0]) {
			t.Errorf("text %q: the vector has %d elements, another one %d", in[i], len(v), len(out[0]))
		}
	}
}

func embedderIndependent(t tb, c config, fresh func() embed.Embedder) {
	e := fresh()
	in := plainTexts()
	in = append(in, "", in[0], in[3], "Paris") // a blank one, and two for the second time
	batch, ok := vectors(t, c, e, in)
	if !ok {
		return
	}
	reversed := slices.Clone(in)
	slices.Reverse(reversed)
	back, ok := vectors(t, c, e, reversed)
	if !ok {
		return
	}
	slices.Reverse(back)
	for i, s := range in {
		if !sameVector(c, batch[i], back[i]) {
			t.Errorf("text %q has another vector when the call is reversed", s)
			return
		}
		if i%7 != 0 && s != "" {
			continue
		}
		alone, ok := vectors(t, c, e, []string{s})
		if !ok {
			return
		}
		if !sameVector(c, batch[i], alone[0]) {
			t.Errorf("text %q has another vector alone than at position %d of %d", s, i, len(in))
			return
		}
	}
}

func embedderDeterministic(t tb, c config, fresh func() embed.Embedder) {
	if !c.deterministic {
		return
	}
	e := fresh()
	in := plainTexts()[:12]
	first, ok := vectors(t, c, e, in)
	if !ok {
		return
	}
	kept := cloneVectors(first)
	for turn, f := range []embed.Embedder{e, e, fresh()} {
		again, ok := vectors(t, c, f, in)
		if !ok {
			return
		}
		for i := range in {
			if !sameVector(c, kept[i], again[i]) {
				t.Errorf("text %q has another vector in turn %d", in[i], turn+2)
				return
			}
			if !slices.Equal(kept[i], first[i]) {
				t.Errorf("text %q: a later call changed the vector of an earlier one", in[i])
				return
			}
		}
	}
}

// cloneVectors copies vectors and what they hold.
func cloneVectors(vs [][]float32) [][]float32 {
	out := make([][]float32, len(vs))
	for i, v := range vs {
		out[i] = slices.Clone(v)
	}
	return out
}

func embedderTells(t tb, c config, fresh func() embed.Embedder) {
	in := plainTexts()[:6]
	out, ok := vectors(t, c, fresh(), in)
	if !ok {
		return
	}
	for i := range out {
		for j := range i {
			if slices.Equal(out[i], out[j]) {
				t.Errorf("%q and %q have the same vector", in[j], in[i])
				return
			}
		}
	}
}

func embedderEnded(t tb, c config, fresh func() embed.Embedder) {
	e := fresh()
	for want, ctx := range ended() {
		_, err, ok := call(t, c, "Embed", func() ([][]float32, error) { return e.Embed(ctx, plainTexts()[:3]) })
		if ok && !errors.Is(err, want) {
			t.Errorf("error %v, want one that wraps %v", err, want)
		}
	}
}

func embedderCancel(t tb, c config, fresh func() embed.Embedder) {
	e := fresh()
	in := slices.Repeat(plainTexts(), 5)
	checkCancel(t, c, func(ctx context.Context) (int, error) {
		out, err := e.Embed(ctx, in)
		for _, v := range out {
			if err == nil && len(v) == 0 {
				return 0, nil
			}
		}
		return len(out), err
	}, len(in))
}

func embedderInputs(t tb, c config, fresh func() embed.Embedder) {
	whole := append(plainTexts()[:6], "", "  Ana  hired\nBo. ", "not part of the call")
	want := slices.Clone(whole)
	vectors(t, c, fresh(), whole[:len(whole)-1])
	if !slices.Equal(whole, want) {
		t.Errorf("the caller's slice was changed from %q to %q", want, whole)
	}
}

// hasContent reports whether text has a letter or a digit.
func hasContent(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool {
		return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
	}) >= 0
}

func embedderOdd(t tb, c config, fresh func() embed.Embedder) {
	e := fresh()
	plain, ok := vectors(t, c, e, []string{"Paris"})
	if !ok {
		return
	}
	for _, o := range oddTexts(c) {
		out, err, ok := call(t, c, o.name, func() ([][]float32, error) {
			return e.Embed(context.Background(), []string{o.text, "Paris"})
		})
		switch {
		case !ok:
			return
		case err != nil:
			if !o.refusable {
				t.Errorf("%s: %v", o.name, err)
			}
		case len(out) != 2:
			t.Errorf("%s: %d vectors for 2 texts", o.name, len(out))
		default:
			checkVector(t, o.name, out[0], !hasContent(o.text))
			if len(out[0]) != len(plain[0]) {
				t.Errorf("%s: the vector has %d elements, another one %d", o.name, len(out[0]), len(plain[0]))
			}
			if !sameVector(c, out[1], plain[0]) {
				t.Errorf("%s: the text beside it has another vector than alone", o.name)
			}
		}
	}
}

func embedderThresholds(t tb, _ config, fresh func() embed.Embedder) {
	e, ok := fresh().(embed.Thresholder)
	if !ok {
		return
	}
	first := e.Thresholds()
	for name, x := range map[string]float64{"Entity": first.Entity, "Relation": first.Relation, "Triple": first.Triple} {
		if !(x >= -1 && x <= 1) {
			t.Errorf("threshold %s is %v, want a cosine", name, x)
		}
	}
	if again := e.Thresholds(); again != first {
		t.Errorf("thresholds are %+v, and asked again %+v", first, again)
	}
}

func embedderConcurrent(t tb, c config, fresh func() embed.Embedder) {
	e := fresh()
	plain := plainTexts()
	const callers, each = 8, 6
	part := func(i int) []string { return plain[each*i : each*i+each] }
	var want [callers][][]float32
	for i := range want {
		out, ok := vectors(t, c, e, part(i))
		if !ok {
			return
		}
		want[i] = cloneVectors(out)
	}
	concurrently(callers, func(i int) {
		for range 5 {
			got, ok := vectors(t, c, e, part(i))
			if !ok {
				return
			}
			for k, v := range got {
				checkVector(t, "beside other calls", v, false)
				if c.deterministic && !sameVector(c, v, want[i][k]) {
					t.Errorf("text %q has another vector beside other calls", part(i)[k])
					return
				}
			}
		}
	})
}

func embedderLeaks(t tb, c config, fresh func() embed.Embedder) {
	e := fresh()
	in := plainTexts()[:4]
	checkLeaks(t, c, "calling Embed", func() {
		call(t, c, "Embed", func() ([][]float32, error) { return e.Embed(context.Background(), in) })
	})
	checkLeaks(t, c, "cancelling Embed", func() {
		ctx, cancel := cancelAfter(1)
		defer cancel()
		call(t, c, "Embed", func() ([][]float32, error) { return e.Embed(ctx, in) })
	})
}
