"""Runs kganalytica's kg_similarity on the graphs that `kgeval bench s3kg` sends.

Reads from standard input {"vectors": {text: [number, ...]}, "pairs": [[triples, triples],
...], "rounds": n}, where triples are [[head, relation, tail], ...]. Writes to standard
output {"versions": {name: version}, "scores": [...], "seconds": [...], "cpu": [...]}: for each
pair the score, and the least time of n calls by the clock and of the processor.

The encoder is a table of the given vectors: torch and sentence_transformers are
stood in for by what the function uses of them.
"""

import importlib.util
import json
import os
import sys
import time
import types
import warnings
from importlib.metadata import PackageNotFoundError, version

warnings.filterwarnings("ignore")

# Before torch is stood in for: scipy, which GraKeL imports, looks for it.
import grakel  # noqa: E402, F401
import grakel.kernels  # noqa: E402, F401
import networkx  # noqa: E402, F401
import numpy as np  # noqa: E402

TABLE = {}


class Tensor:
    def __init__(self, a):
        self.a = a

    def detach(self):
        return self

    def cpu(self):
        return self

    def numpy(self):
        return self.a


class SentenceTransformer:
    def __init__(self, name, device=None):
        pass

    def encode(self, texts, convert_to_tensor=False, device=None):
        return Tensor(np.array([TABLE[t] for t in texts], dtype=np.float32))


def stand_in(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


def load():
    """Returns kg_similarity without what the package imports besides."""
    stand_in("sentence_transformers", SentenceTransformer=SentenceTransformer)
    stand_in("torch", Tensor=Tensor, device=lambda name: name, cuda=types.SimpleNamespace(is_available=lambda: False))
    package = importlib.util.find_spec("kganalytica")
    path = os.path.join(os.path.dirname(package.origin), "kg_similarity.py")
    spec = importlib.util.spec_from_file_location("kg_similarity", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.kg_similarity


def version_of(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def main():
    job = json.load(sys.stdin)
    TABLE.update({t: np.array(v, dtype=np.float32) for t, v in job["vectors"].items()})
    kg_similarity = load()
    out = {"versions": {n: version_of(n) for n in ("kganalytica", "grakel", "networkx", "numpy")}, "scores": [], "seconds": [], "cpu": []}
    for a, b in job["pairs"]:
        clock, cpu, score = float("inf"), float("inf"), 0.0
        for _ in range(job["rounds"]):
            t, c = time.perf_counter(), time.process_time()
            score = kg_similarity(a, b)
            clock, cpu = min(clock, time.perf_counter() - t), min(cpu, time.process_time() - c)
        out["scores"].append(score)
        out["seconds"].append(clock)
        out["cpu"].append(cpu)
    json.dump(out, sys.stdout)


main()
