"""Writes metrics/testdata/bert.jsonl and embed/builtin/testdata/bertscore.jsonl: BERTScore of real sentence pairs.

bert.jsonl: the matching of bert-score over an encoder that needs no weights, so
that any implementation can compute the same states: a token is a run of characters
between blanks, with a special token at each end; component k of token i, with c the
CRC-32 of its text, is ((c >> k) & 255) / 128 - 1 + (i % 7) / 16, for k from 0 to 15.

bertscore.jsonl: bert-score with the last layer of all-MiniLM-L6-v2, from the
folder in KGEVAL_MINILM (sentence-transformers/all-MiniLM-L6-v2, as for training/).

Run from the root of the repository; KGEVAL_DATA is the folder of the data sets.
"""

import json
import math
import os
import zlib
from collections import Counter, defaultdict
from importlib.metadata import version

import torch
from bert_score.utils import bert_cos_score_idf, get_model, greedy_cos_idf
from text import rows
from transformers import AutoTokenizer

SET, STEP = "paraphrase/mrpc/msr_paraphrase_train.txt", 16
DIMENSIONS = 16


def states(words):
    out = []
    for i, w in enumerate(words):
        c = zlib.crc32(w.encode())
        out.append([((c >> k) & 255) / 128 - 1 + (i % 7) / 16 for k in range(DIMENSIONS)])
    return torch.tensor([out], dtype=torch.float32)


def crc_scores(pairs):
    """Yields [P, R, F] without and with weights of tokens, one pair at a time."""
    texts = [["<s>", *a.split(), "</s>"] for _, a, b in pairs]
    count = Counter(w for t in texts for w in set(t))
    n = len(texts)
    for _, a, b in pairs:
        out = []
        for idf in (False, True):
            sides = []
            for text in (a, b):
                words = ["<s>", *text.split(), "</s>"]
                weight = [math.log((n + 1) / (count[w] + 1)) if idf else 1.0 for w in words]
                weight[0] = weight[-1] = 0.0
                sides += [states(words), torch.ones(1, len(words)), torch.tensor([weight])]
            out.append([float(x) for x in greedy_cos_idf(*sides)])
        yield out


def minilm_scores(pairs):
    folder = os.environ["KGEVAL_MINILM"]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = get_model(folder, 6)
    idf = defaultdict(lambda: 1.0)
    idf[tokenizer.sep_token_id] = idf[tokenizer.cls_token_id] = 0
    refs, hyps = [a for _, a, _ in pairs], [b for _, _, b in pairs]
    return bert_cos_score_idf(model, refs, hyps, tokenizer, idf, device="cpu", batch_size=16).tolist()


def main():
    torch.set_num_threads(1)
    pairs = list(rows(os.environ.get("KGEVAL_DATA", "../shared/data"), SET, STEP))
    versions = " ".join(f"{p} {version(p)}" for p in ("bert_score", "torch", "transformers"))
    with open("metrics/testdata/bert.jsonl", "w") as out:
        out.write(json.dumps({"versions": versions}) + "\n")
        for (n, _, _), (plain, idf) in zip(pairs, crc_scores(pairs)):
            row = {"set": SET, "row": n, "plain": plain, "idf": idf}
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
    with open("embed/builtin/testdata/bertscore.jsonl", "w") as out:
        out.write(json.dumps({"versions": versions}) + "\n")
        for (n, _, _), plain in zip(pairs, minilm_scores(pairs)):
            row = {"set": SET, "row": n, "plain": plain}
            out.write(json.dumps(row, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
