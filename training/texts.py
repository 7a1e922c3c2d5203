"""Lists the texts that document-level examples are made from, as JSON strings,
one a line: what training/annotate reads.

    texts.py DATA > texts.jsonl

Sections of WikiText-2, contexts of PubMedQA and answers of MedQuAD are
documents; the simple sentences of WikiSplit, each once, follow with U+0001
before them, so that synthesise.py knows them from documents. With KGEVAL_LIMIT
at most so many of each are listed, for a try. Standard library only.
"""
import itertools
import json
import os
import re
import sys

SENTENCE = "\x01"
LONGEST = 6000  # characters of an answer


def rows(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            yield json.loads(line)


def wikitext(data):
    for r in rows(f"{data}/docs/wikitext2.jsonl"):
        yield r["text"]


def pubmedqa(data):
    with open(f"{data}/qa/pubmedqa/ori_pqal.json", encoding="utf-8") as f:
        for r in json.load(f).values():
            yield " ".join(r["CONTEXTS"])


def medquad(data):
    for r in rows(f"{data}/qa/medquad.jsonl"):
        yield re.sub(r"\s+", " ", r["answer"])[:LONGEST]


def wikisplit(data):
    seen = set()
    for r in rows(f"{data}/rephrase/wikisplit.jsonl"):
        for s in r["simple"]:
            if s not in seen:
                seen.add(s)
                yield SENTENCE + s


def texts(data, limit=None):
    for part in (wikitext, pubmedqa, medquad, wikisplit):
        yield from itertools.islice(part(data), limit)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    limit = os.environ.get("KGEVAL_LIMIT")
    for t in texts(sys.argv[1], int(limit) if limit else None):
        print(json.dumps(t))


if __name__ == "__main__":
    main()
