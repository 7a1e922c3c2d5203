package hugot

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/nli"
)

// other returns an encoder with other inputs or outputs.
func other(build func(g *graph)) []byte {
	var g graph
	build(&g)
	return g.bytes()
}

// What can't be read right is refused by name, and nothing keeps running.
func TestFoldersThatAreRefused(t *testing.T) {
	vocab := len(wordPieces)
	e, n := tinyEncoder(), tinyNLI("entailment", "neutral", "contradiction")
	tok := func(edit func(object)) object { x := bertTokenizer(); edit(x); return x }
	modules := func(kinds ...string) []object {
		var out []object
		for _, k := range kinds {
			out = append(out, object{"type": k, "path": "1_Pooling"})
		}
		return out
	}
	for name, c := range map[string]struct {
		f    files
		nli  bool
		o    NLIOptions
		want error
		says string
	}{
		"no tokenizer.json":   {e.with("tokenizer.json", nil), false, NLIOptions{}, ErrFolder, "save_pretrained"},
		"no config.json":      {e.with("config.json", nil), false, NLIOptions{}, ErrFolder, "config.json"},
		"no .onnx":            {e.with("model.onnx", nil), false, NLIOptions{}, ErrFolder, ".onnx"},
		"two .onnx":           {e.with("onnx/model_int8.onnx", encoder(vocab)), false, NLIOptions{}, ErrFolder, "model_int8.onnx"},
		"another's .onnx":     {e, false, NLIOptions{Options: Options{File: "../model.onnx"}}, ErrFolder, "inside"},
		"no such .onnx":       {e, false, NLIOptions{Options: Options{File: "x.onnx"}}, ErrFolder, "x.onnx"},
		"a cut .onnx":         {e.with("model.onnx", truncated(encoder(vocab))), false, NLIOptions{}, ErrGraph, "model.onnx"},
		"an empty .onnx":      {e.with("model.onnx", []byte{}), false, NLIOptions{}, nil, ""},
		"a text as .onnx":     {e.with("model.onnx", []byte("version https://git-lfs\n")), false, NLIOptions{}, ErrGraph, "model.onnx"},
		"config of no JSON":   {e.with("config.json", []byte("{")), false, NLIOptions{}, ErrConfig, "config.json"},
		"no vocab_size":       {e.with("config.json", object{"model_type": "bert"}), false, NLIOptions{}, ErrConfig, "vocab_size"},
		"another tokenizer":   {e.with("config.json", config(object{"vocab_size": 10})), false, NLIOptions{}, ErrTokenizer, "not of one model"},
		"too few types":       {n.with("config.json", config(object{"type_vocab_size": 1, "id2label": n["config.json"].(object)["id2label"]})), true, NLIOptions{}, ErrTokenizer, "type_vocab_size"},
		"few positions":       {e.with("config.json", config(object{"max_position_embeddings": 4})), false, NLIOptions{}, ErrConfig, "4 tokens"},
		"no modules.json":     {e.with("modules.json", nil), false, NLIOptions{}, ErrPooling, "Options.Pooling"},
		"unknown pooling":     {e.with("1_Pooling/config.json", object{"pooling_mode": "attention"}), false, NLIOptions{}, ErrPooling, `"attention"`},
		"old unknown pooling": {e.with("1_Pooling/config.json", object{"pooling_mode_median_tokens": true}), false, NLIOptions{}, ErrPooling, `"median"`},
		"no pooling":          {e.with("1_Pooling/config.json", object{"pooling_mode_mean_tokens": false}), false, NLIOptions{}, ErrPooling, "none"},
		"a dense layer":       {e.with("modules.json", modules("x.Transformer", "x.Pooling", "x.Dense")), false, NLIOptions{}, ErrPooling, "x.Dense"},
		"no pooling module":   {e.with("modules.json", modules("x.Transformer")), false, NLIOptions{}, ErrPooling, "no Pooling"},
		"prompts not pooled":  {e.with("config_sentence_transformers.json", object{"default_prompt_name": "q", "prompts": object{"q": "query: "}}).with("1_Pooling/config.json", object{"pooling_mode": "mean", "include_prompt": false}), false, NLIOptions{}, ErrPooling, "include_prompt"},
		"no such prompt":      {e.with("config_sentence_transformers.json", object{"default_prompt_name": "q"}), false, NLIOptions{}, ErrConfig, `"q"`},
		"LABEL_n":             {n.with("config.json", config(object{"id2label": object{"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}})), true, NLIOptions{}, ErrLabels, "NLIOptions.Labels"},
		"no labels":           {n.with("config.json", config(nil)), true, NLIOptions{}, ErrLabels, "NLIOptions.Labels"},
		"one label twice":     {n.with("config.json", config(object{"id2label": object{"0": "entailment", "1": "entailment"}})), true, NLIOptions{}, ErrLabels, "entailment"},
		"a label at 7":        {n.with("config.json", config(object{"id2label": object{"7": "entailment"}})), true, NLIOptions{}, ErrLabels, `"7"`},
		"fewer labels":        {n.with("config.json", config(object{"id2label": object{"0": "entailment", "1": "not_entailment"}})), true, NLIOptions{}, ErrLabels, "2 labels"},
		"labels of no NLI":    {n, true, NLIOptions{Labels: []Label{"positive", "negative"}}, ErrLabels, "positive"},
		"no pairs":            {n.with("tokenizer.json", tok(func(x object) { x["post_processor"] = nil })), true, NLIOptions{}, ErrTokenizer, "pair"},
		"unknown layout":      {n.with("tokenizer.json", tok(func(x object) { x["post_processor"] = object{"type": "Other"} })), true, NLIOptions{}, ErrTokenizer, "Other"},
		"an encoder as NLI":   {n.with("model.onnx", encoder(vocab)), true, NLIOptions{}, ErrOutput, "3 axes"},
		"an NLI as encoder":   {e.with("model.onnx", judge(vocab, notID, [3]int{0, 1, 2})), false, NLIOptions{}, ErrOutput, "logits"},
		"other inputs": {e.with("model.onnx", other(func(g *graph) {
			g.threeInputs(open2...)
			g.input("decoder_input_ids", open2...)
			g.states(vocab, "last_hidden_state")
			g.output("last_hidden_state", float32Type, -1, -1, width)
		})), false, NLIOptions{}, ErrInputs, `"decoder_input_ids"`},
		"no input_ids": {e.with("model.onnx", other(func(g *graph) {
			g.input("attention_mask", open2...)
			g.node("Cast", "last_hidden_state", []string{"attention_mask"}, attribute{name: "to", i: float32Type})
			g.output("last_hidden_state", float32Type, -1, -1, width)
		})), false, NLIOptions{}, ErrInputs, "input_ids"},
		"a fixed length": {e.with("model.onnx", other(func(g *graph) {
			g.threeInputs(1, 128)
			g.states(vocab, "last_hidden_state")
			g.output("last_hidden_state", float32Type, 1, 128, width)
		})), false, NLIOptions{}, ErrShape, "dynamic axes"},
		"a fixed batch": {e.with("model.onnx", other(func(g *graph) {
			g.threeInputs(8, -1)
			g.states(vocab, "last_hidden_state")
			g.output("last_hidden_state", float32Type, 8, -1, width)
		})), false, NLIOptions{}, ErrShape, "dynamic axes"},
		"states of float64": {e.with("model.onnx", other(func(g *graph) {
			g.threeInputs(open2...)
			g.states(vocab, "x32")
			g.node("Cast", "last_hidden_state", []string{"x32"}, attribute{name: "to", i: doubleType})
			g.output("last_hidden_state", doubleType, -1, -1, width)
		})), false, NLIOptions{}, ErrOutput, "float32"},
		"an operator of nobody": {e.with("model.onnx", other(func(g *graph) {
			g.threeInputs(open2...)
			g.states(vocab, "s")
			g.node("Frobnicate", "last_hidden_state", []string{"s"})
			g.output("last_hidden_state", float32Type, -1, -1, width)
		})), false, NLIOptions{}, ErrGraph, "Frobnicate"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := c.f.write(t)
			before := runtime.NumGoroutine()
			each(t, func(t *testing.T, o Options) {
				c.o.Backend, c.o.Library = o.Backend, o.Library
				var err error
				if c.nli {
					_, err = LoadNLI(context.Background(), dir, c.o)
				} else {
					_, err = LoadEmbedder(context.Background(), dir, EmbedderOptions{Options: c.o.Options})
				}
				if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v\nwant one that wraps %q and has %q", err, c.want, c.says)
				}
			})
			if after := runtime.NumGoroutine(); after > before+1 {
				t.Errorf("%d goroutines, %d before", after, before)
			}
		})
	}
	if _, err := LoadEmbedder(context.Background(), t.TempDir()+"/none", EmbedderOptions{}); !errors.Is(err, ErrFolder) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := LoadEmbedder(context.Background(), e.write(t), EmbedderOptions{Options: Options{Backend: "tpu"}}); !errors.Is(err, ErrBackend) {
		t.Errorf("an unknown backend: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := LoadEmbedder(ctx, e.write(t), EmbedderOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// Whatever the order of the classes, the same pair gets the same verdict; two classes
// and one logit say what they know.
func TestHeads(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		const premise, denied, said = "ana hired bo", "ana did not hire bo", "ana hired bo"
		want := map[string]nli.Probs{}
		for _, order := range [][]string{
			{"entailment", "neutral", "contradiction"}, {"contradiction", "entailment", "neutral"}, {"neutral", "contradiction", "entailment"},
		} {
			m := mustNLI(t, tinyNLI(order...), NLIOptions{Options: o})
			for _, h := range []string{denied, said} {
				p := verdict(t, m, premise, h)
				if w, ok := want[h]; ok && math.Abs(p.Entailment-w.Entailment)+math.Abs(p.Contradiction-w.Contradiction) > 1e-6 {
					t.Errorf("%v, %q: %+v, in another order %+v", order, h, p, w)
				}
				want[h] = p
			}
		}
		if !(want[denied].Contradiction > .5 && want[said].Entailment > .5) {
			t.Errorf("%+v", want)
		}
		// The labels that a caller gives stand in place of LABEL_n.
		plain := tinyNLI("contradiction", "entailment", "neutral")
		m := mustNLI(t, plain.with("config.json", config(object{"id2label": object{"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}})),
			NLIOptions{Options: o, Labels: []Label{Contradiction, Entailment, Neutral}})
		if p := verdict(t, m, premise, said); math.Abs(p.Entailment-want[said].Entailment) > 1e-6 {
			t.Errorf("with given labels %+v, want %+v", p, want[said])
		}
		two := mustNLI(t, tinyNLI("Not-Entailment", "entailment"), NLIOptions{Options: o})
		if p := verdict(t, two, premise, denied); p.Contradiction != 0 || math.Abs(p.Entailment+p.Neutral-1) > 1e-9 {
			t.Errorf("two classes: %+v", p)
		}
		one := mustNLI(t, tinyNLI("entailment"), NLIOptions{Options: o})
		if p, q := verdict(t, one, premise, said), verdict(t, one, premise, denied); !(p.Entailment > .7 && q.Entailment < .3) || p.Contradiction != 0 {
			t.Errorf("one logit: %+v and %+v", p, q)
		}
	})
}

func TestHypothesisIsNeverCut(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		o.MaxTokens = 64
		m := mustNLI(t, tinyNLI("entailment", "neutral", "contradiction"), NLIOptions{Options: o})
		if m.Budget() != 61 {
			t.Errorf("a budget of %d, want 64 less three special tokens", m.Budget())
		}
		premise := strings.Repeat("a b c d e f. ", 20)
		var long *nli.HypothesisTooLongError
		if p := verdict(t, m, premise, strings.Repeat("x ", 55)); !errors.As(p.Err, &long) || long.Cost != 55 || long.Budget != 61 {
			t.Errorf("%+v", p)
		}
		// The last word of a hypothesis is read, beside a premise of many windows.
		fits := strings.Repeat("x ", 50)
		if a, b := verdict(t, m, premise, fits+"y"), verdict(t, m, premise, fits+"not"); a.Err != nil || a == b {
			t.Errorf("%+v and %+v", a, b)
		}
		// What any window supports is supported.
		if p, q := verdict(t, m, premise+"g did not h. "+premise, "g did not h."), verdict(t, m, premise, "g did not h."); p.Entailment < .5 || q.Entailment > .5 {
			t.Errorf("what stands in the middle of a long premise: %+v, and without it %+v", p, q)
		}
		for _, c := range []struct {
			pair nli.Pair
			want error
		}{
			{nli.Pair{Premise: " ", Hypothesis: "a"}, nli.ErrEmptyPremise}, {nli.Pair{Premise: "a", Hypothesis: "\n"}, nli.ErrEmptyHypothesis},
			{nli.Pair{Premise: "a", Hypothesis: "玛丽"}, ErrUnreadable}, {nli.Pair{Premise: "\x00", Hypothesis: "a"}, ErrUnreadable},
		} {
			if p := verdict(t, m, c.pair.Premise, c.pair.Hypothesis); !errors.Is(p.Err, c.want) {
				t.Errorf("%q: %v, want %v", c.pair, p.Err, c.want)
			}
		}
	})
}

func TestPool(t *testing.T) {
	states := []float32{1, -4, 2, 8, 3, 2} // three tokens of two dimensions
	for mode, want := range map[Pooling][]float32{
		First: {1, -4}, Max: {3, 8}, Mean: {2, 2}, MeanSqrt: {float32(6 / math.Sqrt(3)), float32(6 / math.Sqrt(3))},
		Weighted: {14. / 6, 3}, Last: {3, 2},
	} {
		if got := pool(states, 2, []Pooling{mode}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", mode, got, want)
		}
	}
	if got := pool(states, 2, []Pooling{First, Mean}); !slices.Equal(got, []float32{1, -4, 2, 2}) {
		t.Errorf("two side by side: %v", got)
	}
}

// A folder's pooling is what is done, in both forms of its file.
func TestPoolingIsTheFolders(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		of := func(file object) *Embedder {
			return mustEmbedder(t, tinyEncoder().with("1_Pooling/config.json", file), EmbedderOptions{Options: o})
		}
		text := "ana hired bo"
		cls := vector(t, of(object{"pooling_mode": "cls"}), text)
		mean := vector(t, of(object{"pooling_mode": "mean"}), text)
		if slices.Equal(cls, mean) {
			t.Error("cls and mean are the same")
		}
		if got := vector(t, of(object{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}), text); !slices.Equal(got, cls) {
			t.Error("the old form of cls is another")
		}
		both := of(object{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true})
		if both.Dimensions() != 2*width {
			t.Errorf("two side by side have %d dimensions", both.Dimensions())
		}
		// Without the folder's word it is the caller's.
		own := mustEmbedder(t, tinyEncoder().with("modules.json", nil), EmbedderOptions{Options: o, Pooling: First})
		if got := vector(t, own, text); !slices.Equal(got, cls) {
			t.Error("Options.Pooling cls is another")
		}
		if _, err := LoadEmbedder(context.Background(), tinyEncoder().write(t), EmbedderOptions{Options: o, Pooling: First}); !errors.Is(err, ErrPooling) {
			t.Errorf("against the folder's word: %v", err)
		}
		prompted := mustEmbedder(t, tinyEncoder(), EmbedderOptions{Options: o, Prompt: "query: "})
		if got := vector(t, prompted, text); embed.Cosine(got, vector(t, of(object{"pooling_mode": "mean"}), "query: "+text)) != 1 {
			t.Error("a prompt is not what stands before the text")
		}
		if prompted.ID() == own.ID() {
			t.Error("another pooling or prompt has the same ID")
		}
	})
}
