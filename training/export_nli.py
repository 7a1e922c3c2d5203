"""Writes the weights file of an entailment model from one checkpoint of
train.py, or from the mean of several:

    export_nli.py STEP.pt ... --base DIR --out FILE [--storage q8g64]
        [--words KIND] [--words-out FILE] [--temperature T] [--log LOG --data DATA]
        [--reference FILE]

FILE holds everything but vocabulary and word table, which a model of MiniLM's
shares with the embedder (words.kgw); for one of MPNet's, or with --words, they
are in it too, stored as KIND, or in a file of their own with --words-out.

With --log (train.py's log.jsonl, which names what was trained on) pairs are
drawn that no training step saw: rows beyond the caps, with premises of their
own. On these the temperature is fitted, what storage costs is printed (--compare
names more kinds), and --reference FILE takes the probabilities that Go must
reproduce from the file, as JSON lines.
"""
import argparse
import json
import math
import random

import numpy as np
import torch
from transformers import AutoTokenizer

import kgweights
from model import CrossEncoder
from train import collate, encode, read

FRAGILE = ("embed.type",)  # small, and nothing is won by cutting its bits


def average(paths):
    """The mean of the checkpoints' weights."""
    total = None
    for p in paths:
        s = torch.load(p, map_location="cpu")
        s = {k: v.double() for k, v in s.get("model", s).items()}
        total = s if total is None else {k: total[k] + s[k] for k in s}
    return {k: (v / len(paths)).float() for k, v in total.items()}


def tensors(state, config, kind):
    """All but words and temperature, as (name, array, kind)."""
    out = kgweights.encoder_tensors({k: v.numpy() for k, v in state.items()}, config, kind, "encoder.")
    out = [(n, a, "f32" if n in FRAGILE else k) for n, a, k in out]
    return out + [("head.weight", state["head.weight"].numpy(), "f32"), ("head.bias", state["head.bias"].numpy(), "f32")]


def stored(state, config, kind, words):
    """The state as the reader of the file will see it."""
    s = dict(state)
    names = [k for k in s if k.endswith(".weight") and "encoder.layer" in k and s[k].dim() == 2]
    names.append("encoder.embeddings.position_embeddings.weight")
    for n in names:
        s[n] = torch.from_numpy(kgweights.decode(s[n].numpy(), kind))
    w = "encoder.embeddings.word_embeddings.weight"
    s[w] = torch.from_numpy(kgweights.decode(s[w].numpy(), words))
    return s


def unseen(log, count, seed=7):
    """Rows of the capped sources that training did not take."""
    args = next(r["args"] for r in map(json.loads, open(log)) if "args" in r)
    caps = {k: int(v) for k, _, v in (c.rpartition("=") for c in args["cap"])}
    used = read(args["data"], args["skip"], caps, args["seed"])
    premises = {r["premise"] for r in used}
    del used
    every = read([d.partition(":")[0] for d in args["data"]], args["skip"], {}, args["seed"])
    rest = [r for r in every if r["premise"] not in premises]
    random.Random(seed).shuffle(rest)
    out, seen = [], {}
    for r in rest:  # no source makes more than a sixth
        seen[r["source"]] = seen.get(r["source"], 0) + 1
        if seen[r["source"]] <= count // 6 and len(out) < count:
            out.append(r)
    return out


def logits(model, items, types, pad):
    out = np.zeros((len(items), 3))
    order = sorted(range(len(items)), key=lambda i: len(items[i][0]))
    with torch.no_grad():
        for k in range(0, len(order), 32):
            idx = order[k:k + 32]
            ids, mask, claim, kind, _ = collate(items, idx, types, pad)
            out[idx] = model(ids, mask, claim, kind).double().numpy()
    return out


def probabilities(z, t=1.0):
    e = np.exp((z - z.max(1, keepdims=True)) / t)
    return e / e.sum(1, keepdims=True)


def nll(z, labels, t):
    p = probabilities(z, t)
    picked = np.where(labels == 3, 1 - p[:, 0], p[np.arange(len(p)), np.minimum(labels, 2)])
    return -np.log(np.maximum(picked, 1e-12)).mean()


def fit_temperature(z, labels):
    grid = [math.exp(x) for x in np.linspace(math.log(0.5), math.log(4), 200)]
    return min(grid, key=lambda t: nll(z, labels, t))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("checkpoints", nargs="+")
    p.add_argument("--base", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--name", help="default: kgeval/nli-small-1, or nli-accurate-1 for MPNet")
    p.add_argument("--storage", default="q8g64")
    p.add_argument("--words", default="")
    p.add_argument("--words-out", help="write vocabulary and word table to this file instead")
    p.add_argument("--shared-words", default="q10g48", help="how words.kgw stores the table, for --reference and --compare")
    p.add_argument("--budget", type=int, help="tokens of premise and hypothesis together (default: 16 less than training's --length)")
    p.add_argument("--temperature", type=float)
    p.add_argument("--log")
    p.add_argument("--compare", nargs="*", default=[])
    p.add_argument("--pairs", type=int, default=2000)
    p.add_argument("--reference")
    p.add_argument("--threads", type=int, default=1)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    state = average(a.checkpoints)
    config = kgweights.bert_config(json.load(open(f"{a.base}/config.json")))
    temperature = a.temperature or 1.0
    mpnet = config["types"] == 0
    own = a.words or (a.storage if mpnet else "")
    words = own or a.shared_words
    length = 256
    if a.log:
        length = next(r["args"] for r in map(json.loads, open(a.log)) if "args" in r)["length"]
        rows = unseen(a.log, a.pairs)
        tok = AutoTokenizer.from_pretrained(a.base)
        items = encode(tok, rows, length)
        labels = np.array([x[2] for x in items])
        model = CrossEncoder(a.base)
        types = config["types"] > 0

        def run(s):
            model.load_state_dict(s)
            model.eval()
            return logits(model, items, types, tok.pad_token_id)

        exact = run(state)
        if a.temperature is None:
            temperature = fit_temperature(exact, labels)
        p0 = probabilities(exact, temperature)
        right = np.where(labels == 3, p0[:, 0] < 0.5, p0.argmax(1) == np.minimum(labels, 2))
        print(json.dumps({"pairs": len(items), "temperature": round(temperature, 4), "accuracy": round(float(right.mean()), 4),
                          "nll": round(float(nll(exact, labels, temperature)), 4), "nll at 1": round(float(nll(exact, labels, 1)), 4)}))
        ours = None
        for kind in dict.fromkeys([*a.compare, a.storage]):
            z = run(stored(state, config, kind, words))
            q = probabilities(z, temperature)
            d = np.abs(q - p0).max(1)
            flips = int((q.argmax(1) != p0.argmax(1)).sum())
            print(json.dumps({"storage": kind, "words": words, "largest": round(float(d.max()), 4), "mean": round(float(d.mean()), 5), "other label": flips}))
            ours = q
        if a.reference:
            with open(a.reference, "w") as f:
                for r, x in zip(rows, ours):
                    f.write(json.dumps({"premise": r["premise"], "hypothesis": r["hypothesis"], "entailment": x[0], "neutral": x[1], "contradiction": x[2]}) + "\n")
    out = tensors(state, config, a.storage)
    out.append(("head.temperature", np.array([temperature], np.float32), "f32"))
    name = a.name or ("kgeval/nli-accurate-1" if mpnet else "kgeval/nli-small-1")
    meta = {"budget": str(a.budget or length - 16), "licence": "Apache-2.0",
            "source": f"trained by kgeval (training/run.sh) from all-{'mpnet-base' if mpnet else 'MiniLM-L6'}-v2"}
    if own:
        vocabulary = open(f"{a.base}/vocab.txt", "rb").read()
        table = [("vocabulary", vocabulary, "u8"), ("embed.word", state["encoder.embeddings.word_embeddings.weight"].numpy(), own)]
        if a.words_out:
            print(a.words_out, kgweights.write(a.words_out, name + "-words", None, table, meta))
        else:
            out = table + out
    digest = kgweights.write(a.out, name, config, out, meta)
    print(a.out, digest)


if __name__ == "__main__":
    main()
