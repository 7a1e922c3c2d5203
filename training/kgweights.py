"""Writes weights files in the form that internal/bert reads (the comment in
internal/bert/weights.go defines it). Needs numpy only."""
import hashlib
import json
import re
import struct

import numpy as np


def encode(array, kind):
    """The stored bytes of a tensor, kind as in the format's definition."""
    if kind == "u8":
        return bytes(array)
    a = np.ascontiguousarray(array, dtype=np.float32)
    if kind == "f32":
        return a.astype("<f4").tobytes()
    if kind == "f16":
        return a.astype("<f2").tobytes()
    m = re.fullmatch(r"q(\d+)g(\d+)", kind)
    bits, group = int(m[1]), int(m[2])
    scale, number = quantise(a, bits, group)
    stored = (number + (1 << (bits - 1))).astype(np.uint32).ravel()
    planes = (stored[:, None] >> np.arange(bits, dtype=np.uint32)) & 1
    stream = np.packbits(planes.astype(np.uint8).ravel(), bitorder="little")
    return scale.astype("<f2").tobytes() + stream.tobytes()


def quantise(a, bits, group):
    """Scales (f16 values) and whole numbers of groups along the last axis.
    Of several candidate scales each group takes the one with the least
    squared error."""
    g = a.reshape(-1, group)
    top = np.abs(g).max(1)
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    best_error = np.full(len(g), np.inf)
    best_scale = np.zeros(len(g), np.float32)
    best_number = np.zeros(g.shape, np.int32)
    for shrink in (1.0,) if bits > 8 else (1.0, 0.975, 0.95, 0.925):
        scale = (top * shrink / high).astype(np.float16).astype(np.float32)
        safe = np.where(scale > 0, scale, 1)
        number = np.clip(np.rint(g / safe[:, None]), low, high).astype(np.int32)
        error = ((number * scale[:, None] - g) ** 2).sum(1)
        better = error < best_error
        best_error[better] = error[better]
        best_scale[better] = scale[better]
        best_number[better] = number[better]
    return best_scale, best_number


def decode(array, kind):
    """What the reader will see of array, for measuring before writing."""
    m = re.fullmatch(r"q(\d+)g(\d+)", kind)
    if m:
        scale, number = quantise(np.asarray(array, np.float32), int(m[1]), int(m[2]))
        return (number * scale[:, None]).reshape(np.shape(array)).astype(np.float32)
    return np.asarray(array, np.float32).astype({"f16": np.float16, "f32": np.float32}[kind]).astype(np.float32)


def write(path, model, config, tensors, meta=None):
    """tensors: a list of (name, array or bytes, kind)."""
    infos, blobs = [], []
    for name, array, kind in tensors:
        shape = [len(array)] if kind == "u8" else list(np.shape(array))
        infos.append({"name": name, "type": kind, "shape": shape})
        blobs.append(encode(array, kind))
    digest = hashlib.sha256(b"".join(blobs)).hexdigest()
    header = {"model": model, "sha256": digest, "tensors": infos}
    if config:
        header["config"] = config
    if meta:
        header["meta"] = meta
    head = json.dumps(header, separators=(",", ":"), sort_keys=True).encode()
    with open(path, "wb") as f:
        f.write(b"KGWEIGHT" + struct.pack("<II", 1, len(head)) + head)
        for b in blobs:
            f.write(b)
    return digest


def bert_config(c):
    return {"layers": c["num_hidden_layers"], "hidden": c["hidden_size"], "heads": c["num_attention_heads"],
            "inner": c["intermediate_size"], "positions": 512, "types": 0 if c["model_type"] == "mpnet" else 2,
            "norm_eps": c["layer_norm_eps"], "separators": 2 if c["model_type"] == "mpnet" else 1,
            "buckets": c.get("relative_attention_num_buckets", 0) if c["model_type"] == "mpnet" else 0}


def encoder_tensors(state, config, kind, prefix=""):
    """The encoder's tensors of a Hugging Face BERT or MPNet state dict, as
    numpy arrays, under this format's names; the word table is left out."""
    s = {k[len(prefix):]: v for k, v in state.items() if k.startswith(prefix)}
    mpnet = config["types"] == 0
    out = []

    def add(name, array, k="f32"):
        out.append((name, np.asarray(array, np.float32), k))

    first = 2 if mpnet else 0  # MPNet counts positions from 2
    add("embed.position", s["embeddings.position_embeddings.weight"][first:first + config["positions"]], kind)
    if not mpnet:
        add("embed.type", s["embeddings.token_type_embeddings.weight"])
    add("embed.norm.gain", s["embeddings.LayerNorm.weight"])
    add("embed.norm.bias", s["embeddings.LayerNorm.bias"])
    for i in range(config["layers"]):
        p = f"encoder.layer.{i}."
        if mpnet:
            q, k, v, o = (p + "attention.attn." + n for n in "qkvo")
            norm1 = p + "attention.LayerNorm"
        else:
            q, k, v = (p + "attention.self." + n for n in ("query", "key", "value"))
            o, norm1 = p + "attention.output.dense", p + "attention.output.LayerNorm"
        t = f"layer.{i}."
        add(t + "qkv.weight", np.concatenate([s[n + ".weight"] for n in (q, k, v)]), kind)
        add(t + "qkv.bias", np.concatenate([s[n + ".bias"] for n in (q, k, v)]))
        add(t + "out.weight", s[o + ".weight"], kind)
        add(t + "out.bias", s[o + ".bias"])
        add(t + "norm1.gain", s[norm1 + ".weight"])
        add(t + "norm1.bias", s[norm1 + ".bias"])
        add(t + "up.weight", s[p + "intermediate.dense.weight"], kind)
        add(t + "up.bias", s[p + "intermediate.dense.bias"])
        add(t + "down.weight", s[p + "output.dense.weight"], kind)
        add(t + "down.bias", s[p + "output.dense.bias"])
        add(t + "norm2.gain", s[p + "output.LayerNorm.weight"])
        add(t + "norm2.bias", s[p + "output.LayerNorm.bias"])
    if config["buckets"]:
        add("relative", s["encoder.relative_attention_bias.weight"])
    return out
