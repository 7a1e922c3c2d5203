"""Writes metrics/testdata/text.jsonl: ROUGE, BLEU and stems of real sentence pairs.

Run from the root of the repository; KGEVAL_DATA is the folder of the data sets. A
row of the output names a row of a data set and holds values only.
"""

import json
import os
import zlib
from importlib.metadata import version

from nltk.stem.porter import PorterStemmer
from rouge_score import rouge_scorer, tokenize
from sacrebleu.metrics import BLEU

# Which rows: every STEP-th, counted from 0 after the header line.
SETS = {
    "paraphrase/mrpc/msr_paraphrase_train.txt": 10,
    "paraphrase/sts12/SMTeuroparl.test-gold.tsv": 3,
}


def rows(data, name, step):
    """Yields (number, first sentence, second sentence)."""
    with open(os.path.join(data, name), encoding="utf-8-sig", newline="") as f:
        lines = f.read().split("\n")
    if "mrpc" in name:
        lines = lines[1:]
    for n, line in enumerate(lines):
        if n % step or not line.strip():
            continue
        parts = line.rstrip("\r").split("\t")
        yield n, parts[-2], parts[-1]


def score(x):
    return [x.precision, x.recall, x.fmeasure]


def main():
    data = os.environ.get("KGEVAL_DATA", "../shared/data")
    stemmed = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    plain = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
    bleu = BLEU(effective_order=True)
    porter = PorterStemmer()
    versions = " ".join(f"{p} {version(p)}" for p in ("rouge_score", "nltk", "sacrebleu"))
    with open("metrics/testdata/text.jsonl", "w") as out:
        out.write(json.dumps({"versions": versions}) + "\n")
        for name, step in SETS.items():
            for n, a, b in rows(data, name, step):
                one, two = stemmed.score(a, b), plain.score(a, b)
                row = {
                    "set": name,
                    "row": n,
                    "stems": zlib.crc32(" ".join(tokenize.tokenize(a, porter)).encode()),
                    "rouge1": score(one["rouge1"]),
                    "rouge2": score(one["rouge2"]),
                    "rougeL": score(one["rougeL"]),
                    "plain1": score(two["rouge1"]),
                    "plainL": score(two["rougeL"]),
                    "bleu": bleu.sentence_score(b, [a]).score,
                }
                out.write(json.dumps(row, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
