"""Writes metrics/testdata/ranks.jsonl: measures of scikit-learn and scipy on real rows.

The scores are those of metrics/testdata/text.jsonl (see text.py, which comes first),
the labels those of the data sets: paraphrase or not in MRPC, 0 to 5 in STS12. A row
of the output holds scores and labels, and what the packages make of them.

Run from the root of the repository; KGEVAL_DATA is the folder of the data sets.
"""

import json
import os
from importlib.metadata import version

import numpy as np
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score


def labels(data, name):
    with open(os.path.join(data, name), encoding="utf-8-sig", newline="") as f:
        lines = f.read().split("\n")
    if "mrpc" in name:
        lines = lines[1:]
    return [float(line.split("\t")[0]) if line.strip() else None for line in lines]


def binary(scores, gold):
    """Measures of scores against labels 0 and 1."""
    s, y = np.array(scores), np.array(gold).astype(int)
    sweep = [(f1_score(y, (s >= i / 100).astype(int), zero_division=0), i / 100) for i in range(101)]
    best = max(f for f, _ in sweep)
    return {
        "auroc": roc_auc_score(y, s),
        "balanced": [[t, balanced_accuracy_score(y, (s >= t).astype(int))] for t in (0.3, 0.5, 0.7)],
        "maxf1": [best, next(t for f, t in sweep if f >= best - 1e-12)],
    }


def correlations(scores, gold):
    return {
        "pearson": stats.pearsonr(scores, gold).statistic,
        "spearman": stats.spearmanr(scores, gold).statistic,
        "kendall": stats.kendalltau(scores, gold).statistic,
        "ranks": stats.rankdata(gold).tolist(),
    }


def main():
    data = os.environ.get("KGEVAL_DATA", "../shared/data")
    with open("metrics/testdata/text.jsonl") as f:
        rows = [json.loads(line) for line in f][1:]
    versions = " ".join(f"{p} {version(p)}" for p in ("scikit-learn", "scipy", "numpy"))
    with open("metrics/testdata/ranks.jsonl", "w") as out:
        out.write(json.dumps({"versions": versions}) + "\n")
        for name in dict.fromkeys(r["set"] for r in rows):
            here = [r for r in rows if r["set"] == name]
            gold = labels(data, name)
            gold = [gold[r["row"]] for r in here]
            for measure, value in {
                "rouge1": lambda r: round(r["rouge1"][2], 2),  # many ties
                "rougeL": lambda r: r["rougeL"][2],
                "bleu": lambda r: r["bleu"] / 100,
            }.items():
                scores = [value(r) for r in here]
                high = [float(g >= 4 if "sts" in name else g) for g in gold]
                boot = stats.bootstrap(
                    (np.array(scores),), np.mean, n_resamples=20000, method="percentile", random_state=1
                ).confidence_interval
                row = {
                    "set": name,
                    "measure": measure,
                    "rows": [r["row"] for r in here],
                    "scores": scores,
                    "labels": gold,
                    "positive": high,
                    "binary": binary(scores, high),
                    "correlations": correlations(scores, gold),
                    "quantiles": [[q, float(np.quantile(scores, q))] for q in (0.025, 0.3, 0.5, 0.975)],
                    "bootstrap": [float(boot.low), float(boot.high)],
                }
                out.write(json.dumps(row, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
