"""Trains the entailment cross-encoder. Resumes from its last checkpoint.

    train.py --base DIR --out DIR --data FILE[:N] ... [--epochs E] [--lr R]

FILE holds JSON lines {premise, hypothesis, label, source}; :N takes N rows of
it, drawn by seed. --skip names sources (prefixes) that are left out.
"""
import argparse
import json
import os
import random
import time

import numpy as np
import torch
from transformers import AutoTokenizer

from model import LABELS, CrossEncoder, loss


def read(specs, skip, caps, seed):
    rows = []
    for spec in specs:
        path, _, n = spec.partition(":")
        part = []
        for line in open(path):
            r = json.loads(line)
            if not any(r["source"].startswith(s) for s in skip):
                part.append(r)
        random.Random(seed).shuffle(part)
        seen = {}
        kept = []
        for r in part:
            cap = next((c for p, c in caps.items() if r["source"].startswith(p)), None)
            seen[r["source"]] = seen.get(r["source"], 0) + 1
            if cap is None or seen[r["source"]] <= cap:
                kept.append(r)
        rows += kept[: int(n)] if n else kept
    return rows


def encode(tok, rows, length):
    out = []
    sep = tok.sep_token_id
    first = tok.cls_token_id
    mpnet = "mpnet" in tok.__class__.__name__.lower() or tok.cls_token == "<s>"
    for k in range(0, len(rows), 2000):
        part = rows[k:k + 2000]
        a = tok([r["premise"] for r in part], add_special_tokens=False, truncation=True, max_length=600)["input_ids"]
        b = tok([r["hypothesis"] for r in part], add_special_tokens=False, truncation=True, max_length=length // 2)["input_ids"]
        for r, p, h in zip(part, a, b):
            p = p[: length - len(h) - (4 if mpnet else 3)]
            ids = [first] + p + [sep] * (2 if mpnet else 1)
            start = len(ids)
            ids += h + [sep]
            out.append((np.array(ids, np.int32), start, LABELS[r["label"]]))
    return out


def batches(items, tokens, seed):
    """Batches of about equal length, of at most so many tokens, shuffled."""
    r = random.Random(seed)
    order = sorted(range(len(items)), key=lambda i: len(items[i][0]) + r.random() * 12)
    out, cur, width = [], [], 0
    for i in order:
        w = max(width, len(items[i][0]))
        if cur and -(-w // 16) * 16 * (len(cur) + 1) > tokens:
            out.append(cur)
            cur, w = [], len(items[i][0])
        cur.append(i)
        width = w
    out.append(cur)
    r.shuffle(out)
    return out


def collate(items, index, types, pad):
    # Few distinct shapes: oneDNN keeps a compiled kernel for each.
    n = -(-max(len(items[i][0]) for i in index) // 16) * 16
    ids = torch.full((len(index), n), pad, dtype=torch.long)
    mask = torch.zeros((len(index), n), dtype=torch.long)
    claim = torch.zeros((len(index), n), dtype=torch.long)
    kind = torch.zeros((len(index), n), dtype=torch.long) if types else None
    labels = torch.tensor([items[i][2] for i in index])
    for k, i in enumerate(index):
        x, start, _ = items[i]
        ids[k, : len(x)] = torch.from_numpy(x.astype(np.int64))
        mask[k, : len(x)] = 1
        claim[k, start : len(x) - 1] = 1
        if types:
            kind[k, start : len(x)] = 1
    return ids, mask, claim, kind, labels


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--base", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--data", nargs="+", required=True)
    p.add_argument("--init", help="begin with the weights of this checkpoint, with a new optimiser and schedule")
    p.add_argument("--skip", nargs="*", default=[])
    p.add_argument("--cap", nargs="*", default=[], help="source=N: at most N rows of each source with this prefix")
    p.add_argument("--epochs", type=float, default=1)
    p.add_argument("--lr", type=float, default=8e-5)
    p.add_argument("--tokens", type=int, default=8192)
    p.add_argument("--length", type=int, default=256)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--save-every", type=int, default=300)
    p.add_argument("--freeze", type=int, default=0, help="leave this many layers, from below, as they are")
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    os.makedirs(a.out, exist_ok=True)
    log = open(a.out + "/log.jsonl", "a")

    def say(**kw):
        log.write(json.dumps(kw) + "\n")
        log.flush()
        print(kw, flush=True)

    tok = AutoTokenizer.from_pretrained(a.base)
    caps = {k: int(v) for k, _, v in (c.rpartition("=") for c in a.cap)}
    rows = read(a.data, a.skip, caps, a.seed)
    items = encode(tok, rows, a.length)
    count = len(rows)
    del rows
    model = CrossEncoder(a.base)
    types = getattr(model.encoder.config, "type_vocab_size", 0) >= 2 and model.encoder.config.model_type == "bert"
    plan = []
    e = 0
    while e < a.epochs:
        b = batches(items, a.tokens, a.seed + e)
        plan += b if a.epochs - e >= 1 else b[: int(len(b) * (a.epochs - e))]
        e += 1
    if a.init:
        begun = torch.load(a.init)
        model.load_state_dict(begun.get("model", begun))
    model.freeze(a.freeze)
    params = [q for q in model.parameters() if q.requires_grad]
    opt = torch.optim.AdamW(params, lr=a.lr, weight_decay=0.01)
    warm = max(1, len(plan) // 20)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) / warm, max(0.02, (len(plan) - s) / max(1, len(plan) - warm))))
    step = 0
    ckpt = a.out + "/last.pt"
    if os.path.exists(ckpt):
        s = torch.load(ckpt)
        model.load_state_dict(s["model"])
        opt.load_state_dict(s["opt"])
        sched.load_state_dict(s["sched"])
        step = s["step"]
    say(rows=count, steps=len(plan), start=step, args=vars(a))
    t0, seen, total, last = time.time(), 0, 0.0, step
    model.train()
    while step < len(plan):
        ids, mask, claim, kind, labels = collate(items, plan[step], types, tok.pad_token_id)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(ids, mask, claim, kind)
        l = loss(logits.float(), labels)
        opt.zero_grad()
        l.backward()
        torch.nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        sched.step()
        step += 1
        seen += len(labels)
        total += l.item()
        if step % 50 == 0:
            say(step=step, loss=round(total / (step - last), 4), rate=round(seen / (time.time() - t0), 1))
            total, last = 0.0, step
        if step % a.save_every == 0 or step == len(plan):
            torch.save({"model": model.state_dict(), "opt": opt.state_dict(), "sched": sched.state_dict(), "step": step}, ckpt + ".tmp")
            os.replace(ckpt + ".tmp", ckpt)
            torch.save(model.state_dict(), a.out + f"/step{step}.pt")
    say(done=True, step=step)


if __name__ == "__main__":
    main()
