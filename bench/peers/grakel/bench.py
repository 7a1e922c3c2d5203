"""Times GraKeL's Weisfeiler-Lehman kernel on the graphs that `kgeval bench wl` sends.

Reads from standard input {"iterations", "pair_rounds", "gram_rounds", "rows",
"pairs": [[graph, graph], ...], "graphs": [graph, ...]}, where a graph is
{"nodes": [label, ...], "edges": [[from, to], ...]}, taken as undirected.
Writes to standard output {"version", "python", "pair_seconds", "pair_values",
"gram_seconds", "gram_rows"}: one time for each pair and round, the normalised
kernel of each pair, one time for each Gram matrix, and its first rows.
"""

import json
import platform
import sys
import time
import warnings
from importlib.metadata import version

warnings.filterwarnings("ignore")

from grakel.kernels import VertexHistogram, WeisfeilerLehman  # noqa: E402


def raw(graph):
    """Returns the graph in the form GraKeL reads: neighbour lists and labels."""
    neighbours = {u: set() for u in range(len(graph["nodes"]))}
    for u, v in graph["edges"]:
        neighbours[u].add(v)
        neighbours[v].add(u)
    return [{u: sorted(vs) for u, vs in neighbours.items()}, dict(enumerate(graph["nodes"]))]


def main():
    job = json.load(sys.stdin)
    pairs = [[raw(a), raw(b)] for a, b in job["pairs"]]
    graphs = [raw(g) for g in job["graphs"]]

    def fit(some):
        kernel = WeisfeilerLehman(
            n_iter=job["iterations"], normalize=True, base_graph_kernel=VertexHistogram
        )
        start = time.perf_counter()
        gram = kernel.fit_transform(some)
        return time.perf_counter() - start, gram

    fit(pairs[0])  # what is loaded on first use
    pair_seconds, pair_values = [], []
    for turn in range(job["pair_rounds"]):
        for pair in pairs:
            seconds, gram = fit(pair)
            pair_seconds.append(seconds)
            if turn == 0:
                pair_values.append(float(gram[0, 1]))
    gram_seconds, gram_rows = [], []
    for turn in range(job["gram_rounds"]):
        seconds, gram = fit(graphs)
        gram_seconds.append(seconds)
        if turn == 0:
            gram_rows = [[float(x) for x in row] for row in gram[: job["rows"]]]
    json.dump(
        {
            "version": version("grakel"),
            "python": platform.python_version(),
            "pair_seconds": pair_seconds,
            "pair_values": pair_values,
            "gram_seconds": gram_seconds,
            "gram_rows": gram_rows,
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
