"""Writes a built-in model as the ONNX folder that others read, hugot/ among them:

    export_onnx.py embedder FOLDER words.kgw embedder.kgw
    export_onnx.py nli FOLDER words.kgw entailment.kgw

from the weights files of weights/ or of export_embedder.py and export_nli.py. FOLDER
gets model.onnx (opset 17, float32, dynamic axes), config.json, tokenizer.json,
tokenizer_config.json and, for the embedder, sentence-transformers' modules.json
and pooling. BERT's shape only. Needs numpy and onnx.
"""
import argparse
import json
import os
import re
import struct

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def read(path):
    """Header and tensors (arrays; bytes where they are text) of a weights file,
    whose form the comment in internal/bert/weights.go defines."""
    with open(path, "rb") as f:
        data = f.read()
    if data[:8] != b"KGWEIGHT":
        raise SystemExit(f"{path} is no weights file")
    version, size = struct.unpack("<II", data[8:16])
    if version != 1:
        raise SystemExit(f"{path} has version {version}, known is 1")
    header, at, out = json.loads(data[16:16 + size]), 16 + size, {}
    for t in header["tensors"]:
        n = int(np.prod(t["shape"]))
        kind = re.fullmatch(r"q(\d+)g(\d+)", t["type"])
        if kind:
            bits, group = int(kind[1]), int(kind[2])
            scale = np.frombuffer(data, "<f2", n // group, at).astype(np.float32)
            at += 2 * len(scale)
            length = (n * bits + 7) // 8
            stream = np.unpackbits(np.frombuffer(data, np.uint8, length, at), bitorder="little", count=n * bits)
            number = (stream.reshape(n, bits).astype(np.int64) << np.arange(bits)).sum(1) - (1 << (bits - 1))
            a = (number.reshape(-1, group) * scale[:, None]).astype(np.float32).reshape(t["shape"])
        elif t["type"] == "u8":
            length, a = n, data[at:at + n]
        else:
            dtype = {"f32": np.dtype("<f4"), "f16": np.dtype("<f2")}[t["type"]]
            length = n * dtype.itemsize
            a = np.frombuffer(data, dtype, n, at).astype(np.float32).reshape(t["shape"])
        at += length
        out[t["name"]] = a
    if at != len(data):
        raise SystemExit(f"{path} has {len(data)} bytes, its header speaks of {at}")
    return header, out


class Graph:
    """Nodes and weights of an ONNX graph; every method returns its output's name."""

    def __init__(self):
        self.nodes, self.weights = [], []

    def weight(self, a, dtype=np.float32):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.array(a, dtype, order="C"), name))
        return name

    def op(self, kind, *inputs, outputs=1, **attributes):
        names = [f"n{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def linear(self, x, weight, bias):
        return self.op("Add", self.op("MatMul", x, self.weight(weight.T)), self.weight(bias))

    def norm(self, x, gain, bias, eps):
        return self.op("LayerNormalization", x, self.weight(gain), self.weight(bias), axis=-1, epsilon=eps)


def encoder(g, c, t):
    """BERT's last hidden states."""
    h, heads = c["hidden"], c["heads"]
    wide = h // heads
    length = g.op("Gather", g.op("Shape", "input_ids"), g.weight(1, np.int64), axis=0)
    places = g.op("Range", g.weight(0, np.int64), length, g.weight(1, np.int64))
    x = g.op("Add", g.op("Gather", g.weight(t["embed.word"]), "input_ids"), g.op("Gather", g.weight(t["embed.type"]), "token_type_ids"))
    x = g.norm(g.op("Add", x, g.op("Gather", g.weight(t["embed.position"]), places)), t["embed.norm.gain"], t["embed.norm.bias"], c["norm_eps"])
    mask = g.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    away = g.op("Mul", g.op("Sub", g.weight(1), mask), g.weight(-1e9))
    away = g.op("Unsqueeze", away, g.weight([1, 2], np.int64))
    split, join = g.weight([0, 0, heads, wide], np.int64), g.weight([0, 0, h], np.int64)
    for i in range(c["layers"]):
        p = f"layer.{i}."
        qkv = g.linear(x, t[p + "qkv.weight"], t[p + "qkv.bias"])
        parts = g.op("Split", qkv, g.weight([h, h, h], np.int64), outputs=3, axis=-1)
        q, k, v = (g.op("Reshape", part, split) for part in parts)
        q, v, k = g.op("Transpose", q, perm=[0, 2, 1, 3]), g.op("Transpose", v, perm=[0, 2, 1, 3]), g.op("Transpose", k, perm=[0, 2, 3, 1])
        scores = g.op("Div", g.op("MatMul", q, k), g.weight(np.sqrt(wide)))
        a = g.op("MatMul", g.op("Softmax", g.op("Add", scores, away), axis=-1), v)
        a = g.op("Reshape", g.op("Transpose", a, perm=[0, 2, 1, 3]), join)
        x = g.norm(g.op("Add", x, g.linear(a, t[p + "out.weight"], t[p + "out.bias"])), t[p + "norm1.gain"], t[p + "norm1.bias"], c["norm_eps"])
        u = g.linear(x, t[p + "up.weight"], t[p + "up.bias"])
        u = g.op("Mul", g.op("Mul", u, g.weight(0.5)), g.op("Add", g.op("Erf", g.op("Div", u, g.weight(np.sqrt(2)))), g.weight(1)))
        x = g.norm(g.op("Add", x, g.linear(u, t[p + "down.weight"], t[p + "down.bias"])), t[p + "norm2.gain"], t[p + "norm2.bias"], c["norm_eps"])
    return x


def head(g, x, t, separator):
    """The classifier of nli/builtin: mean of all states, mean and maximum of the
    claim's, whose tokens are of type 1 and no separator."""
    two, one = g.weight([2], np.int64), g.weight([1], np.int64)
    mask = g.op("Unsqueeze", g.op("Cast", "attention_mask", to=TensorProto.FLOAT), two)
    inside = g.op("Cast", g.op("Not", g.op("Equal", "input_ids", g.weight(separator, np.int64))), to=TensorProto.FLOAT)
    claim = g.op("Unsqueeze", g.op("Mul", g.op("Cast", "token_type_ids", to=TensorProto.FLOAT), inside), two)

    def mean(m):
        return g.op("Div", g.op("ReduceSum", g.op("Mul", x, m), one, keepdims=0), g.op("ReduceSum", m, one, keepdims=0))

    rest = g.op("Mul", g.op("Sub", g.weight(1), claim), g.weight(-1e4))
    top = g.op("ReduceMax", g.op("Add", g.op("Mul", x, claim), rest), axes=[1], keepdims=0)
    view = g.op("Concat", mean(mask), mean(claim), top, axis=1)
    return g.linear(view, t["head.weight"] / t["head.temperature"], t["head.bias"] / t["head.temperature"])


def tokenizer(vocabulary):
    def token(name, kind):
        return {"SpecialToken": {"id": name, "type_id": kind}}

    def sequence(name, kind):
        return {"Sequence": {"id": name, "type_id": kind}}

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": vocabulary[s], "content": s, **plain} for s in special],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [token("[CLS]", 0), sequence("A", 0), token("[SEP]", 0)],
            "pair": [token("[CLS]", 0), sequence("A", 0), token("[SEP]", 0), sequence("B", 1), token("[SEP]", 1)],
            "special_tokens": {s: {"id": s, "ids": [vocabulary[s]], "tokens": [s]} for s in ("[CLS]", "[SEP]")},
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary},
    }


def main():
    p = argparse.ArgumentParser()
    p.add_argument("kind", choices=["embedder", "nli"])
    p.add_argument("folder")
    p.add_argument("weights", nargs="+")
    a = p.parse_args()
    config, meta, t = None, {}, {}
    for path in a.weights:
        header, tensors = read(path)
        t.update(tensors)
        if "config" in header:
            config, meta = header["config"], header.get("meta", {})
    if not config or config["types"] == 0:
        raise SystemExit("the files hold no encoder, or one of MPNet's shape, which is not exported here")
    pieces = bytes(t["vocabulary"]).decode().rstrip("\n").split("\n")
    vocabulary = {s: i for i, s in enumerate(pieces)}
    g = Graph()
    out = encoder(g, config, t)
    shape, name, length = ["batch", "sequence"], "last_hidden_state", 256
    result = shape + [config["hidden"]]
    if a.kind == "nli":
        out, name, result = head(g, out, t, vocabulary["[SEP]"]), "logits", ["batch", 3]
        length = int(meta.get("budget", 240)) + 3
    g.nodes.append(helper.make_node("Identity", [out], [name]))
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("input_ids", "attention_mask", "token_type_ids")]
    graph = helper.make_graph(g.nodes, "kgeval", inputs, [helper.make_tensor_value_info(name, TensorProto.FLOAT, result)], g.weights)
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])
    onnx.checker.check_model(model)
    os.makedirs(a.folder, exist_ok=True)
    onnx.save(model, os.path.join(a.folder, "model.onnx"))
    settings = {
        "model_type": "bert", "vocab_size": len(pieces), "type_vocab_size": config["types"], "max_position_embeddings": config["positions"],
        "hidden_size": config["hidden"], "num_hidden_layers": config["layers"], "num_attention_heads": config["heads"],
        "intermediate_size": config["inner"], "layer_norm_eps": config["norm_eps"], "pad_token_id": vocabulary["[PAD]"],
    }
    files = {"config.json": settings, "tokenizer.json": tokenizer(vocabulary), "tokenizer_config.json": {"model_max_length": length}}
    if a.kind == "nli":
        settings["id2label"] = {"0": "entailment", "1": "neutral", "2": "contradiction"}
    else:
        files["modules.json"] = [
            {"idx": i, "name": str(i), "path": path, "type": "sentence_transformers.models." + kind}
            for i, (path, kind) in enumerate([("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")])]
        files["1_Pooling/config.json"] = {"word_embedding_dimension": config["hidden"], "pooling_mode_mean_tokens": True}
        files["sentence_bert_config.json"] = {"max_seq_length": length, "do_lower_case": False}
    for path, content in files.items():
        path = os.path.join(a.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            json.dump(content, f, ensure_ascii=False)
    print(a.folder)


if __name__ == "__main__":
    main()
