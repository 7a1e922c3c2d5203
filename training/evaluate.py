"""Balanced accuracy and AUROC of a checkpoint on the development halves of the
grounding sets, per sentence of the output (minimum) over windows of the
context (maximum), and of the whole output at once.

    evaluate.py --base DIR --state FILE --data DATA --annotated FILE [--limit N]

FILE holds the annotation (training/annotate) of each row's context and output,
in the order that --list prints them.
"""
import argparse
import json
import sys

import numpy as np
import torch
from transformers import AutoTokenizer

from model import CrossEncoder
from train import collate, encode


def rows(data):
    for name, path in (("qags_cnn", "grounding/qags/mturk_cnndm.dev.jsonl"), ("qags_xsum", "grounding/qags/mturk_xsum.dev.jsonl")):
        for line in open(f"{data}/{path}"):
            r = json.loads(line)
            votes = [[v["response"] == "yes" for v in s["responses"]] for s in r["summary_sentences"]]
            good = all(sum(v) * 2 > len(v) for v in votes)
            yield name, r["article"], " ".join(s["sentence"] for s in r["summary_sentences"]), good
    for name, path in (("summeval", "grounding/summeval.dev.jsonl"), ("summedits", "grounding/summedits.dev.jsonl"), ("begin", "grounding/begin_wow.dev.jsonl")):
        for line in open(f"{data}/{path}"):
            r = json.loads(line)
            if r["label"] in ("consistent", "inconsistent"):
                yield name, r["context"], r["output"], r["label"] == "consistent"


def auroc(score, label):
    order = np.argsort(score, kind="stable")
    rank = np.empty(len(score))
    s = np.asarray(score)[order]
    i = 0
    while i < len(s):
        j = i
        while j < len(s) and s[j] == s[i]:
            j += 1
        rank[order[i:j]] = (i + j - 1) / 2 + 1
        i = j
    y = np.asarray(label, bool)
    n1, n0 = y.sum(), (~y).sum()
    return (rank[y].sum() - n1 * (n1 + 1) / 2) / (n1 * n0)


def balanced(score, label, t):
    p, y = np.asarray(score) >= t, np.asarray(label, bool)
    return (p[y].mean() + (~p[~y]).mean()) / 2


def windows(sents, words):
    """Windows of whole sentences of about so many words, the next one
    beginning with the last sentence of the one before."""
    out, cur, n = [], [], 0
    for s in sents:
        k = len(s.split())
        if cur and n + k > words:
            out.append(" ".join(cur))
            cur = cur[-1:]
            n = len(cur[0].split()) if cur else 0
        cur.append(s)
        n += k
    return out + ([" ".join(cur)] if cur else [])


def sentence_texts(d):
    b = d["text"].encode()
    return [b[d["starts"][f]:d["ends"][e - 1]].decode() for f, e in d["sentences"] if e > f]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--base")
    p.add_argument("--state")
    p.add_argument("--data", required=True)
    p.add_argument("--annotated")
    p.add_argument("--list", action="store_true")
    p.add_argument("--limit", type=int, default=10**9)
    p.add_argument("--words", type=int, default=110)
    p.add_argument("--length", type=int, default=256)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--out")
    a = p.parse_args()
    if a.list:
        for _, c, o, _ in rows(a.data):
            print(json.dumps(c))
            print(json.dumps(o))
        return
    torch.set_num_threads(a.threads)
    tok = AutoTokenizer.from_pretrained(a.base)
    model = CrossEncoder(a.base)
    model.load_state_dict(torch.load(a.state))
    model.eval()
    types = model.encoder.config.model_type == "bert"
    ann = [json.loads(l) for l in open(a.annotated)]
    pairs, where, labels, seen = [], [], {}, {}
    for k, (name, _, _, good) in enumerate(rows(a.data)):
        n = seen[name] = seen.get(name, 0) + 1
        if n > a.limit:
            continue
        labels.setdefault(name, []).append(good)
        item = len(labels[name]) - 1
        ctx, out = sentence_texts(ann[2 * k]), sentence_texts(ann[2 * k + 1])
        for w in windows(ctx, a.words):
            for j, s in enumerate(out):
                pairs.append({"premise": w, "hypothesis": s, "label": "neutral"})
                where.append((name, item, j))
            if len(out) > 1:
                pairs.append({"premise": w, "hypothesis": " ".join(out), "label": "neutral"})
                where.append((name, item, -1))
    items = encode(tok, pairs, a.length)
    prob = np.zeros((len(items), 3), np.float32)
    order = sorted(range(len(items)), key=lambda i: len(items[i][0]))
    with torch.no_grad():
        for k in range(0, len(order), 32):
            idx = order[k:k + 32]
            ids, mask, claim, kind, _ = collate(items, idx, types, tok.pad_token_id)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                prob[idx] = torch.softmax(model(ids, mask, claim, kind).float(), 1).numpy()
    best = {}
    for (name, item, j), q in zip(where, prob):
        key = (name, item, j)
        best[key] = max(best.get(key, 0.0), float(q[0]))
    result = {}
    for name in labels:
        n = len(labels[name])
        low = [1.0] * n
        whole = [None] * n
        for (nm, item, j), v in best.items():
            if nm != name:
                continue
            if j >= 0:
                low[item] = min(low[item], v)
            else:
                whole[item] = v
        whole = [w if w is not None else l for w, l in zip(whole, low)]
        y = labels[name]
        ts = np.unique(low)
        result[name] = {"n": n, "auroc": round(auroc(low, y), 4), "b": round(balanced(low, y, .5), 4), "b*": round(max(balanced(low, y, t) for t in ts), 4),
                        "whole auroc": round(auroc(whole, y), 4), "whole b": round(balanced(whole, y, .5), 4)}
        print(name, result[name], flush=True)
    if a.out:
        json.dump({"result": result, "scores": {f"{n}|{i}|{j}": v for (n, i, j), v in best.items()}}, open(a.out, "w"))


if __name__ == "__main__":
    sys.exit(main())
