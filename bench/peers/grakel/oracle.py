"""Writes wl/testdata/oracle.jsonl: kernel values of GraKeL and networkx on random graphs.

The graphs have self loops, edges in both directions and nodes without edges.
Labels have one length and are ASCII, as networkx joins them without a separator.
"""

import collections
import json
import random
import warnings
from importlib.metadata import version

import networkx as nx
from grakel.kernels import VertexHistogram, WeisfeilerLehman

warnings.filterwarnings("ignore")


def random_graph(rng, relations):
    n = rng.randint(1, 10)
    pairs = sorted({(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randrange(16))})
    edges = [[u, v] + ([f"r{rng.randrange(3)}"] if relations else []) for u, v in pairs]
    rng.shuffle(edges)
    return {"nodes": [f"n{rng.randrange(4)}" for _ in range(n)], "edges": edges}


def undirected(graph):
    """Returns the graph with one edge for each pair of nodes."""
    pairs = {tuple(sorted(e[:2])): e for e in graph["edges"]}
    return {"nodes": graph["nodes"], "edges": list(pairs.values())}


def networkx_gram(graphs, h, directed, relations):
    counts = []
    for graph in graphs:
        g = nx.DiGraph() if directed else nx.Graph()
        for i, label in enumerate(graph["nodes"]):
            g.add_node(i, label=label)
        for u, v, *label in graph["edges"]:
            g.add_edge(u, v, label=label[0] if label else "")
        hashes = nx.weisfeiler_lehman_subgraph_hashes(
            g,
            node_attr="label",
            edge_attr="label" if relations else None,
            iterations=h,
            include_initial_labels=True,
        )
        counts.append(collections.Counter((i, x) for hs in hashes.values() for i, x in enumerate(hs)))
    return [[sum(a[k] * b[k] for k in a) for b in counts] for a in counts]


def grakel_gram(graphs, h, both):
    raw = []
    for graph in graphs:
        neighbours = {u: [] for u in range(len(graph["nodes"]))}
        for u, v in graph["edges"]:
            neighbours[u].append(v)
            if both:
                neighbours[v].append(u)
        raw.append([{u: sorted(set(vs)) for u, vs in neighbours.items()}, dict(enumerate(graph["nodes"]))])
    kernel = WeisfeilerLehman(n_iter=h, base_graph_kernel=VertexHistogram)
    return [[int(x) for x in row] for row in kernel.fit_transform(raw)]


def main():
    rng = random.Random(1)
    with open("wl/testdata/oracle.jsonl", "w") as out:
        for turn in range(80):
            neighbours, relations = [("out", False), ("both", False), ("both", True), ("directed", False)][turn % 4]
            h = rng.randint(1, 5)
            graphs = [random_graph(rng, relations) for _ in range(2)]
            if turn % 3 == 0:  # a copy with one label changed
                graphs[1] = json.loads(json.dumps(graphs[0]))
                graphs[1]["nodes"][0] = "n0"
            if neighbours == "both" and relations:
                graphs = [undirected(g) for g in graphs]
            if relations or neighbours == "directed":
                oracle = "networkx " + version("networkx")
                gram = networkx_gram(graphs, h, neighbours == "directed", relations)
            else:
                oracle = "grakel " + version("grakel")
                gram = grakel_gram(graphs, h, neighbours == "both")
            row = {
                "oracle": oracle,
                "neighbours": neighbours,
                "edge_labels": relations,
                "iterations": h,
                "a": graphs[0],
                "b": graphs[1],
                "gram": gram,
                "normalised": gram[0][1] / (gram[0][0] * gram[1][1]) ** 0.5,
            }
            out.write(json.dumps(row, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
