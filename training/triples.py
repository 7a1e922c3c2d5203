"""Turns a share of the synthetic claims into the form that the offline
extractor gives them. For a true claim any of its parts will do; for a false
one the part that holds the change.

    triples.py IN CLAIMS OUT [--share S]     CLAIMS: training/claims run over
    triples.py IN --list                     the texts that --list prints
"""
import argparse
import json
import random


def main():
    p = argparse.ArgumentParser()
    p.add_argument("rows")
    p.add_argument("claims", nargs="?")
    p.add_argument("out", nargs="?")
    p.add_argument("--list", action="store_true")
    p.add_argument("--share", type=float, default=0.3)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    rows = [json.loads(l) for l in open(a.rows)]
    if a.list:
        for r in rows:
            print(json.dumps(r["hypothesis"]))
        return
    r = random.Random(a.seed)
    n = 0
    with open(a.out, "w") as out:
        for row, line in zip(rows, open(a.claims)):
            claims = json.loads(line)
            changed = set(row.pop("changed", None) or [])
            if r.random() < a.share and claims:
                if row["label"] != "entailment":
                    claims = [c for c in claims if changed and changed <= {w.strip(".,;").lower() for w in c.split()}]
                if claims:
                    row["hypothesis"] = r.choice(claims)
                    row["kind"] += "+triple"
                    n += 1
            out.write(json.dumps(row) + "\n")
    print(n, "of", len(rows), "as triples")


if __name__ == "__main__":
    main()
