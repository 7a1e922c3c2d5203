package calibrate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/kgeval/kgeval/calibrate"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/s3kg"
)

// angles embeds "0.83 whatever" so that its cosine with "1 whatever" is 0.83.
type angles struct{ id string }

func (a angles) ID() string { return a.id }

func (angles) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		word, _, _ := strings.Cut(t, " ")
		c, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, err
		}
		out[i] = []float32{float32(c), float32(math.Sqrt(1 - c*c))}
	}
	return out, ctx.Err()
}

// pairsAt are pairs with these cosines.
func pairsAt(unit calibrate.Unit, same bool, cosines ...float64) []calibrate.Pair {
	var out []calibrate.Pair
	for i, c := range cosines {
		group := fmt.Sprint("text ", i)
		out = append(out, calibrate.Pair{A: "1 " + group, B: fmt.Sprint(c, " ", group), Same: same, Unit: unit, Group: group})
	}
	return out
}

func evenly(from, to float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = from + (to-from)*float64(i)/float64(n-1)
	}
	return out
}

func TestEmbedModelFindsTheLeastCosine(t *testing.T) {
	for _, c := range []struct {
		name             string
		same, different  []float64
		rate             float64
		want, found, bad float64
	}{
		{"apart", evenly(0.9, 0.99, 40), evenly(-0.5, 0.6, 200), 0, 0.6, 1, 0.01},
		{"overlapping", evenly(0.5, 0.995, 100), evenly(0, 0.7, 1000), 0, 0.7, 0.6, 0.001},
		{"a looser rate", evenly(0.5, 0.995, 100), evenly(0, 0.995, 200), 0.2, 0.8, 0.39, 0.2},
		{"below zero", evenly(-0.1, 0.5, 40), evenly(-0.9, -0.505, 100), 0, -0.5, 1, 0},
	} {
		pairs := append(pairsAt(calibrate.Entity, true, c.same...), pairsAt(calibrate.Entity, false, c.different...)...)
		rand.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		f, err := calibrate.EmbedModel(t.Context(), angles{"a"}, pairs, calibrate.EmbedOptions{FalseMatches: c.rate, Batch: 7})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		rate := c.rate
		if rate == 0 {
			rate = 0.01
		}
		m := f.Matches[calibrate.Entity]
		if math.Abs(m.Cosine-c.want) > 0.011 || m.False > rate || math.Abs(m.Found-c.found) > 0.03 || math.Abs(m.False-c.bad) > 0.011 {
			t.Errorf("%s: %+v, want a cosine of %v, found %v, false %v", c.name, m, c.want, c.found, c.bad)
		}
		// A hundredth less lets too many pass.
		n := 0
		for _, x := range c.different {
			if x >= m.Cosine-0.01 {
				n++
			}
		}
		if float64(n) <= rate*float64(len(c.different))-1 {
			t.Errorf("%s: %v is not the least: %d pass a hundredth below", c.name, m.Cosine, n)
		}
		if m.HeldFalse > 3*rate+0.02 || m.Same != len(c.same) || m.Different != len(c.different) {
			t.Errorf("%s: %+v", c.name, m)
		}
		if len(f.Matches) != 1 || f.Model != "a" || f.Thresholds().Relation != 0 {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

func TestEmbedModelRefuses(t *testing.T) {
	good := func(unit calibrate.Unit) []calibrate.Pair {
		return append(pairsAt(unit, true, evenly(0.8, 0.9, 20)...), pairsAt(unit, false, evenly(0, 0.5, 100)...)...)
	}
	if _, err := calibrate.EmbedModel(t.Context(), angles{"a"}, good(calibrate.Triple), calibrate.EmbedOptions{}); err != nil {
		t.Fatal(err)
	}
	var few *calibrate.TooFewError
	var one *calibrate.OneClassError
	for name, c := range map[string]struct {
		pairs []calibrate.Pair
		is    func(error) bool
	}{
		"none":         {nil, func(err error) bool { return errors.As(err, &few) && few.Have == 0 }},
		"one class":    {good(calibrate.Entity)[:20], func(err error) bool { return errors.As(err, &one) && one.Label == "same" }},
		"other class":  {good(calibrate.Entity)[20:], func(err error) bool { return errors.As(err, &one) && one.Label == "different" }},
		"few same":     {good(calibrate.Entity)[1:], func(err error) bool { return errors.As(err, &few) && few.Have == 19 && few.Need == 20 }},
		"few others":   {good(calibrate.Entity)[:119], func(err error) bool { return errors.As(err, &few) && few.Have == 99 && few.Need == 100 }},
		"second unit":  {append(good(calibrate.Entity), good(calibrate.Relation)[:20]...), func(err error) bool { return errors.As(err, &one) && one.Unit == "relation" }},
		"equal texts":  {append(good(calibrate.Entity)[:20], calibrate.Pair{A: "1 x", B: "1 x", Unit: calibrate.Entity}), func(err error) bool { return errors.As(err, &one) }},
		"unknown unit": {good("sentence"), func(err error) bool { return err != nil && strings.Contains(err.Error(), "sentence") }},
		"all alike":    {append(good(calibrate.Entity)[:20], alike(100)...), func(err error) bool { return errors.Is(err, calibrate.ErrApart) }},
		"embedder":     {append(good(calibrate.Entity), calibrate.Pair{A: "no number", B: "1", Unit: calibrate.Entity}), func(err error) bool { return errors.Is(err, strconv.ErrSyntax) }},
	} {
		if f, err := calibrate.EmbedModel(t.Context(), angles{"a"}, c.pairs, calibrate.EmbedOptions{}); !c.is(err) || f.Model != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := calibrate.EmbedModel(ctx, angles{"a"}, good(calibrate.Entity), calibrate.EmbedOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// alike are different pairs whose texts have one vector.
func alike(n int) []calibrate.Pair {
	out := pairsAt(calibrate.Entity, false, make([]float64, n)...)
	for i := range out {
		out[i].B = "1.0 another text"
	}
	return out
}

// sure is a model that finds a hypothesis entailed as far as its last number says.
type sure struct {
	id  string
	err error
}

func (s sure) ID() string { return s.id }

func (s sure) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	out := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		words := strings.Fields(strings.TrimRight(p.Hypothesis, "."))
		percent, err := strconv.Atoi(words[len(words)-1])
		if s.err != nil || err != nil {
			out[i].Err = errors.Join(s.err, err)
			continue
		}
		e := float64(percent) / 100
		out[i] = nli.Probs{Entailment: e, Neutral: 1 - e}
	}
	return out, ctx.Err()
}

// outputs are n outputs that the model finds entailed by about so much.
func outputs(n int, consistent bool, from, to int, set string) []calibrate.Output {
	var out []calibrate.Output
	for i := range n {
		out = append(out, calibrate.Output{
			Source: fmt.Sprintf("The gauge of station %d was read.", i), Consistent: consistent, Set: set,
			Text: fmt.Sprintf("The gauge showed %d.", from+(to-from)*i/max(n-1, 1)),
		})
	}
	return out
}

// A model that is never sure of what is right: at the usual 0.5 all is inconsistent,
// and at its own thresholds nothing that is right.
func TestNLIModel(t *testing.T) {
	rows := append(outputs(60, true, 22, 45, "a"), outputs(60, false, 1, 15, "a")...)
	o := grapheval.Options{Model: sure{id: "shy"}, Unit: grapheval.Sentences}
	var first calibrate.File
	for i, concurrency := range []int{1, 4} {
		calls := 0
		f, err := calibrate.NLIModel(t.Context(), o, rows, calibrate.VerdictOptions{Data: "ours", Concurrency: concurrency, OnProgress: func(done, of int) {
			if calls++; of != 120 || done > of {
				t.Errorf("%d of %d", done, of)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if calls != 60 {
			t.Errorf("told %d times of 60 sources", calls)
		}
		if i == 0 {
			first = f
		} else if !reflect.DeepEqual(first, f) {
			t.Errorf("%d at a time: %+v, one at a time %+v", concurrency, f.Verdicts, first.Verdicts)
		}
	}
	v := first.Verdicts
	if v.AUROC != 1 || v.HeldAccuracy < 0.97 || v.HeldAlarms > 0.05 || v.Consistent != 60 || v.Inconsistent != 60 || v.Unjudged != 0 || first.Model != "shy" {
		t.Errorf("%+v", v)
	}
	c, err := first.Calibration(o.Model)
	if err != nil || !c.Measured {
		t.Fatal(err)
	}
	// The threshold of a claim is at most one half; the outputs' verdicts are right.
	o.Calibration = c
	checker, err := grapheval.New(o)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, r := range rows {
		got, err := checker.Check(t.Context(), claim.Sample{Sources: []claim.Source{{Text: r.Source}}, Output: r.Text})
		if err != nil {
			t.Fatal(err)
		}
		if (got.Outcome == claim.Consistent) != r.Consistent {
			wrong++
		}
	}
	if wrong > 2 {
		t.Errorf("%d of %d outputs are judged wrongly at the model's own thresholds", wrong, len(rows))
	}
}

func TestNLIModelRefuses(t *testing.T) {
	good := append(outputs(30, true, 60, 99, ""), outputs(30, false, 1, 30, "")...)
	o := grapheval.Options{Model: sure{id: "m"}, Unit: grapheval.Sentences}
	down := errors.New("down")
	var few *calibrate.TooFewError
	var one *calibrate.OneClassError
	var unjudged *calibrate.UnjudgedError
	for name, c := range map[string]struct {
		o    grapheval.Options
		rows []calibrate.Output
		is   func(error) bool
	}{
		"none":      {o, nil, func(err error) bool { return errors.As(err, &few) }},
		"one class": {o, good[:30], func(err error) bool { return errors.As(err, &one) && one.Label == "consistent" }},
		"few":       {o, good[11:], func(err error) bool { return errors.As(err, &few) && few.Have == 19 }},
		"no model":  {grapheval.Options{Unit: grapheval.Sentences}, good, func(err error) bool { return err != nil }},
		"empty":     {o, append([]calibrate.Output{{Text: "a"}}, good...), func(err error) bool { return err != nil }},
		"model fails": {grapheval.Options{Model: sure{id: "m", err: down}, Unit: grapheval.Sentences}, good, func(err error) bool {
			return errors.As(err, &unjudged) && errors.Is(err, down) && unjudged.Unjudged == 60
		}},
	} {
		if f, err := calibrate.NLIModel(t.Context(), c.o, c.rows, calibrate.VerdictOptions{}); !c.is(err) || f.Model != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := calibrate.NLIModel(ctx, o, good, calibrate.VerdictOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func matchFile() calibrate.File {
	return calibrate.File{Kind: calibrate.Embed, Model: hashed.New().ID(), Data: "ours", Matches: map[calibrate.Unit]calibrate.Match{
		calibrate.Entity: {Cosine: 0.5, Same: 20, Different: 100, Found: 0.9, HeldFound: 0.8, AUROC: 0.9},
		calibrate.Triple: {Cosine: 0.9, Same: 20, Different: 100, Found: 0.9, HeldFound: 0.8, AUROC: 0.9},
	}}
}

func verdictFile() calibrate.File {
	return calibrate.File{Kind: calibrate.NLI, Model: "m", Verdicts: &calibrate.Verdicts{
		Threshold: 0.4, Denial: 0.5, Center: 0.45, Slope: 0.7, Claims: 0.1, Balanced: 0.5, FewFalseAlarms: 0.8, Consistent: 30, Inconsistent: 40, AUROC: 0.8, HeldAccuracy: 0.7, HeldAlarms: 0.05,
	}}
}

// What was written reads the same, under each way to read, and again gives the same
// bytes.
func TestFileRoundTrip(t *testing.T) {
	for _, f := range []calibrate.File{matchFile(), verdictFile()} {
		name := filepath.Join(t.TempDir(), "f.json")
		if err := f.Save(name); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Format, f.Version = calibrate.Format, calibrate.Version
		loaded, err := calibrate.Load(name)
		if err != nil || !reflect.DeepEqual(loaded, f) {
			t.Errorf("got %+v, %v, want %+v", loaded, err, f)
		}
		inside, err := calibrate.LoadFS(fstest.MapFS{"f.json": {Data: data}}, "f.json")
		if err != nil || !reflect.DeepEqual(inside, f) {
			t.Errorf("got %+v, %v", inside, err)
		}
		var again bytes.Buffer
		if err := loaded.Write(&again); err != nil || !bytes.Equal(again.Bytes(), data) {
			t.Errorf("written again: %s, %v", again.String(), err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	if _, err := calibrate.Load(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := matchFile().Save(filepath.Join(t.TempDir(), "no", "folder.json")); err == nil {
		t.Error("a folder that is not there")
	}
}

func TestReadRefuses(t *testing.T) {
	text := func(f calibrate.File) string {
		var b strings.Builder
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	matches, verdicts := text(matchFile()), text(verdictFile())
	var version *calibrate.VersionError
	if _, err := calibrate.Read(strings.NewReader(strings.Replace(matches, `"version": 1`, `"version": 2, "later": true`, 1))); !errors.As(err, &version) || version.Got != 2 {
		t.Errorf("another version: %v", err)
	}
	for name, s := range map[string]string{
		"nothing":           "",
		"null":              "null",
		"a list":            "[]",
		"HTML":              "<html>",
		"cut":               matches[:len(matches)/2],
		"another format":    strings.Replace(matches, calibrate.Format, "kgeval.check", 1),
		"huge":              matches + strings.Repeat(" ", 2<<20),
		"no model":          strings.Replace(verdicts, `"model": "m"`, `"model": ""`, 1),
		"another kind":      strings.Replace(verdicts, `"nli"`, `"llm"`, 1),
		"the other kind":    strings.Replace(verdicts, `"nli"`, `"embed"`, 1),
		"a unit":            strings.Replace(matches, `"entity"`, `"entities"`, 1),
		"a name misspelled": strings.Replace(matches, `"cosine"`, `"cosin"`, 1),
		"a cosine of 2":     strings.Replace(matches, `"cosine": 0.5`, `"cosine": 2`, 1),
		"a cosine of 0":     strings.Replace(matches, `"cosine": 0.5`, `"cosine": 0`, 1),
		"a word":            strings.Replace(matches, `"cosine": 0.5`, `"cosine": "0.5"`, 1),
		"a share":           strings.Replace(matches, `"found": 0.9`, `"found": 90`, 1),
		"a threshold":       strings.Replace(verdicts, `"threshold": 0.4`, `"threshold": 0`, 1),
		"a slope":           strings.Replace(verdicts, `"slope": 0.7`, `"slope": -1`, 1),
		"a count":           strings.Replace(verdicts, `"consistent": 30`, `"consistent": -30`, 1),
	} {
		if f, err := calibrate.Read(strings.NewReader(s)); !errors.Is(err, calibrate.ErrFormat) {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	bad := matchFile()
	bad.Model = ""
	if err := bad.Write(&bytes.Buffer{}); !errors.Is(err, calibrate.ErrFormat) {
		t.Errorf("written: %v", err)
	}
}

// Thresholds serve the model that they were measured for, and no other.
func TestAnotherModelIsRefused(t *testing.T) {
	f := matchFile()
	e, err := f.Embedder(hashed.New())
	if err != nil {
		t.Fatal(err)
	}
	// The unit that the file lacks stays as the embedder has it.
	own := hashed.New().Thresholds()
	if got := e.Thresholds(); got.Entity != 0.5 || got.Triple != 0.9 || got.Relation != own.Relation {
		t.Errorf("%+v", got)
	}
	scorer, err := s3kg.New(s3kg.Options{Embedder: e})
	if err != nil || scorer == nil {
		t.Fatal(err)
	}
	var id *calibrate.IDError
	if _, err := f.Embedder(angles{"another"}); !errors.As(err, &id) || id.File != f.Model || id.Model != "another" {
		t.Errorf("%v", err)
	}
	v := verdictFile()
	if _, err := v.Calibration(sure{id: "m2"}); !errors.As(err, &id) {
		t.Errorf("%v", err)
	}
	if c, err := v.Calibration(sure{id: "m"}); err != nil || c.Threshold != 0.4 || c.Denial != 0.5 || c.Claims != 0.1 {
		t.Errorf("%+v, %v", c, err)
	}
	o := grapheval.Options{Model: sure{id: "m"}, Unit: grapheval.Sentences}
	if got, err := v.Options(o); err != nil || got.Calibration == nil || o.Calibration != nil {
		t.Errorf("%+v, %v", got, err)
	}
	v.Verdicts.Extractor = "facts/1"
	var extractor *calibrate.ExtractorError
	if got, err := v.Options(o); !errors.As(err, &extractor) || got.Calibration != nil || !strings.Contains(err.Error(), "facts/1") {
		t.Errorf("other claims: %v", err)
	}
	if _, err := v.Options(grapheval.Options{}); err == nil {
		t.Error("no model")
	}
	var kind *calibrate.KindError
	if _, err := v.Embedder(hashed.New()); !errors.As(err, &kind) {
		t.Errorf("%v", err)
	}
	if _, err := f.Calibration(sure{id: "m"}); !errors.As(err, &kind) {
		t.Errorf("%v", err)
	}
	var _ embed.Thresholder = e
}
