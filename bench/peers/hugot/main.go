// Command hugot runs a sentence encoder under hugot's pure-Go backend for
// `kgeval bench encoder --hugot`. It is a module of its own, outside the
// workspace, so that none of its dependencies reach kgeval.
//
//	hugot FOLDER
//
// FOLDER holds onnx.onnx and tokenizer.json. It writes a line {"peers": {name:
// version}} and answers lines {"texts": [...], "times": n} by lines {"seconds": [...],
// "pooled": [...]}, the times of n runs and the embedding of the first text.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"time"

	"github.com/knights-analytics/hugot"
)

type job struct {
	Texts []string `json:"texts"`
	Times int      `json:"times"`
}

type reply struct {
	Seconds []float64 `json:"seconds"`
	Pooled  []float32 `json:"pooled"`
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: hugot FOLDER")
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, folder string) error {
	session, err := hugot.NewGoSession(ctx)
	if err != nil {
		return err
	}
	defer session.Destroy()
	pipeline, err := hugot.NewPipeline(session, hugot.FeatureExtractionConfig{ModelPath: folder, Name: "minilm", OnnxFilename: "onnx.onnx"})
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]any{"peers": map[string]string{"hugot": version()}}); err != nil {
		return err
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil // the asker is gone
		}
		var j job
		if err := json.Unmarshal(line, &j); err != nil {
			return err
		}
		var r reply
		for range j.Times {
			start := time.Now()
			o, err := pipeline.RunPipeline(ctx, j.Texts)
			if err != nil {
				return err
			}
			r.Seconds = append(r.Seconds, time.Since(start).Seconds())
			if len(o.Embeddings) != len(j.Texts) {
				return fmt.Errorf("%d embeddings of %d texts", len(o.Embeddings), len(j.Texts))
			}
			r.Pooled = o.Embeddings[0]
		}
		if err := out.Encode(r); err != nil {
			return err
		}
	}
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if m.Path == "github.com/knights-analytics/hugot" {
			return m.Version
		}
	}
	return "unknown"
}
