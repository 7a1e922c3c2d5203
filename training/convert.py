"""Makes the data folder that training reads from the files that the sources
themselves publish, for whoever hasn't that folder:

    convert.py UPSTREAM OUT [--only SOURCE ...]
    convert.py --verify DATA

UPSTREAM holds the files under the names of the column "files" in sources.tsv;
each is checked against its sha256 there (of SNLI the archive is). OUT gets

    nli/nli_00..03.jsonl                  {premise, hypothesis, label, source}
    docs/wikitext2.jsonl                  {title, section, text}
    qa/medquad.jsonl                      {id, focus, question, answer}
    qa/pubmedqa/ori_pqal.json             as published
    rephrase/wikisplit.jsonl              {complex, simple}

row by row what training used, without the sources that it leaves out and whose
licence doesn't allow more. The rows of nli/ stand in the four files in which
training read them, since it shuffles file by file. With --only the other
sources' files need not be there, and what is written is for looking at, not
for training. --verify says whether the rows in DATA are those that training
used. Standard library only.
"""
import argparse
import csv
import hashlib
import io
import json
import os
import re
import sys
import xml.etree.ElementTree as ET
import zipfile

TWO = {"entailed": "entailment", "not-entailed": "not_entailment"}

# Parts of Curriculum, in the order of their rows; of each the file val.jsonl.
CURRICULUM = """analytic boolean comparative conditional context_align coreference counterfactual counting entailment_tree hypernymy
hyponymy kg_relations lexical monotonicity_infer negation ner quantifier spatial sprl syntactic_alternation syntactic_variation temporal
transitive verbcorner verbnet""".split()

# Parts of MedQuAD of which every fourth document was taken: those with answers.
MEDQUAD = ["1_CancerGov_QA", "5_NIDDK_QA", "6_NINDS_QA", "7_SeniorHealth_QA", "8_NHLBI_QA_XML", "9_CDC_QA"]

# Rows of nli/ in the first three of its four files; the last takes the rest.
# (They were 40,000 each with the sources that are left out here.)
FILES = [31633, 40000, 40000]


class Wrong(Exception):
    """A source's file is missing or isn't the one that was used."""


# --- text ---------------------------------------------------------------------

def treebank(s):
    """Tokens of the Penn Treebank set apart by blanks, brackets as they are:
    the form that SNLI's rows have."""
    s = re.sub(r'^"', "`` ", s)
    s = re.sub(r'([ (\[{<])"', r"\1 `` ", s)
    s = s.replace("...", " ... ")
    s = re.sub(r"[,;:@#$%&?!\[\](){}<>]|--", r" \g<0> ", re.sub(r"([^.])(\.)([\])}>\"']*)[ \t]*$", r"\1 \2\3 ", s))
    s = f" {s} ".replace('"', " '' ")
    s = re.sub(r"([^'])' ", r"\1 ' ", s)
    s = re.sub(r"('[sSmMdD]|'(?:ll|re|ve|LL|RE|VE)|n't|N'T) ", r" \1 ", s)
    s = re.sub(r" (can)(not) ", r" \1 \2 ", s, flags=re.I)
    s = re.sub(r" (gon|wan)(na) ", r" \1 \2 ", s, flags=re.I)
    return " ".join(s.split())


def joined(s):
    """Tokens set apart by blanks, written as text is."""
    s = re.sub(r"\s*@([-,.])@\s*", r"\1", s)
    s = re.sub(r"\s+([,.;:!?)\]%]|n't\b)", r"\1", s)
    s = re.sub(r"([(\[$])\s+", r"\1", s)
    return s


APOSTROPHE = re.compile(r"\s+('(?=(?:s|re|ve|ll|d|m|t)\b|\s|$))")


def wikisplit_text(s):
    s = joined(s.replace("''", '"').replace("``", '"'))
    return APOSTROPHE.sub(r"\1", re.sub(r'\s+"', '"', s))


def wikitext_text(s):
    s = re.sub(r'" ([^"]*) "', r'"\1"', joined(s))
    return APOSTROPHE.sub(r"\1", s)


# --- sources: the upstream files' content as rows -------------------------------

def row(premise, hypothesis, label, source):
    return {"premise": premise, "hypothesis": hypothesis, "label": label, "source": source}


def lines(data):
    # JSON lines may hold U+2028 and its like, at which splitlines would cut.
    return [x for x in data.decode("utf-8").split("\n") if x.strip()]


def table(data):
    """Tab separated with a header, as dictionaries; quotes mean nothing."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8").replace("\r\n", "\n"), newline="\n"), delimiter="\t", quoting=csv.QUOTE_NONE))


def snli(data, source):
    for line in lines(data):
        r = json.loads(line)
        if r["gold_label"] != "-":
            yield row(treebank(r["sentence1"]), treebank(r["sentence2"]), r["gold_label"], source)


def curriculum(data, name):
    for line in lines(data):
        r = json.loads(line)
        if r["premise"].strip():
            yield row(r["premise"].strip(), r["hypothesis"].strip(), TWO.get(r["gold_label"], r["gold_label"]), "curriculum/" + name)


def breaking_nli(data):
    for line in lines(data):
        r = json.loads(line)
        yield row(r["sentence1"], r["sentence2"], r["gold_label"], "breaking_nli/" + r["category"])


def cad_nli(data):
    for r in table(data):
        yield row(r["sentence1"].strip(), r["sentence2"].strip(), r["gold_label"], "cad_nli")


def med(data):
    for r in table(data):
        yield row(r["sentence1"], r["sentence2"], "entailment" if r["gold_label"] == "entailment" else "not_entailment", "med")


def fever_symmetric(data):
    for line in lines(data):
        r = json.loads(line)
        yield row(r["evidence"], r["claim"], {"SUPPORTS": "entailment", "REFUTES": "contradiction"}[r["label"]], "fever_symmetric")


def wice(data):
    for line in lines(data):
        r = json.loads(line)
        yield row(" ".join(r["evidence"]).strip(), r["claim"].strip(), "entailment" if r["label"] == "supported" else "not_entailment", "wice")


def wikisplit(data):
    for line in lines(data):
        whole, parts = line.rstrip("\r").split("\t")
        yield {"complex": wikisplit_text(whole), "simple": [wikisplit_text(p) for p in parts.split(" <::::> ")]}


def wikitext(parts):
    """Sections of more than 60 tokens, lines of a heading's kind apart."""
    title, section, body = "", "", []

    def done():
        text = " ".join(body)
        if len(text.split()) > 60:
            yield {"title": wikitext_text(title), "section": wikitext_text(section), "text": wikitext_text(text)}

    for data in parts:
        for line in data.decode("utf-8").split("\n"):
            line = line.strip()
            head = re.fullmatch(r"((?:= )+)(.*?)(?: =)+", line)
            if head:
                yield from done()
                body = []
                if head[1] == "= ":
                    title, section = head[2], ""
                else:
                    section = head[2]
            elif line:
                body.append(line)
        yield from done()
        body = []


def medquad(documents):
    """documents: the XML of every document in MEDQUAD's folders, sorted."""
    for k, data in enumerate(documents):
        if k % 4:
            continue
        root = ET.fromstring(data)
        for pair in root.iter("QAPair"):
            question, answer = pair.find("Question"), pair.findtext("Answer")
            if answer and answer.strip():
                yield {"id": question.get("qid"), "focus": root.findtext("Focus"), "question": question.text, "answer": answer}


# --- files --------------------------------------------------------------------------

def sources(path):
    with open(path, encoding="utf-8", newline="") as f:
        return {r["name"]: r for r in csv.DictReader((x for x in f if not x.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)}


class Upstream:
    """The published files, each checked when it is read."""

    def __init__(self, folder, table):
        self.folder = folder
        self.sums = {}
        for r in table.values():
            self.sums.update(zip(r["files"].split(), r["sha256"].split()))

    def read(self, name, inside=None):
        path = os.path.join(self.folder, name)
        try:
            with open(path, "rb") as f:
                data = f.read()
        except OSError as e:
            raise Wrong(f"{path}: {e.strerror}; sources.tsv says where it is published") from None
        want, got = self.sums.get(name), hashlib.sha256(data).hexdigest()
        if want != got:
            raise Wrong(f"{path}: sha256 is {got}, but {want} in sources.tsv: not the version that was used")
        if inside is None:
            return data
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            return z.read(inside)

    def folder_of(self, name, folders):
        """All files of these folders under name, sorted; checked together:
        the sum is that of the lines "sha256  path"."""
        names = [f"{d}/{f}" for d in folders for f in sorted(os.listdir(os.path.join(self.folder, name, d)))]
        data = []
        for n in names:
            with open(os.path.join(self.folder, name, n), "rb") as f:
                data.append(f.read())
        got = hashlib.sha256("".join(f"{hashlib.sha256(d).hexdigest()}  {n}\n" for n, d in zip(names, data)).encode()).hexdigest()
        if self.sums.get(name) != got:
            raise Wrong(f"{os.path.join(self.folder, name)}: sum of the files is {got}, but {self.sums.get(name)} in sources.tsv")
        return data


def rows_sum(rows):
    """Says which rows, whatever their order: sha256 over the rows as JSON
    lines (keys in their order, UTF-8, no escapes beyond JSON's own), sorted
    by byte."""
    h = hashlib.sha256()
    for line in sorted((json.dumps(r, ensure_ascii=False) + "\n").encode() for r in rows):
        h.update(line)
    return h.hexdigest()


def nli(up):
    """The rows of nli/ by source, in the order in which they stand there."""
    yield "snli", lambda: [r for s in ("dev", "test") for r in snli(up.read("snli/snli_1.0.zip", f"snli_1.0/snli_1.0_{s}.jsonl"), "snli_" + s)]
    for name in CURRICULUM:
        yield "curriculum/" + name, lambda name=name: list(curriculum(up.read(f"curriculum/{name}.zip", f"{name}/val.jsonl"), name))
    yield "breaking_nli", lambda: list(breaking_nli(up.read("breaking_nli/breaking_nli_dataset.zip", "data/dataset.jsonl")))
    yield "cad_nli", lambda: [r for s in ("train", "dev") for r in cad_nli(up.read(f"cad_nli/{s}.tsv"))]
    yield "med", lambda: list(med(up.read("med/MED.tsv")))
    yield "fever_symmetric", lambda: list(fever_symmetric(up.read("fever_symmetric/fever_symmetric_dev.jsonl")))
    yield "wice", lambda: list(wice(up.read("wice/dev.jsonl")))


def texts(up):
    yield "wikitext2", "docs/wikitext2.jsonl", lambda: list(wikitext([up.read("wikitext2/valid.txt"), up.read("wikitext2/test.txt")]))
    yield "medquad", "qa/medquad.jsonl", lambda: list(medquad(up.folder_of("medquad", MEDQUAD)))
    yield "wikisplit", "rephrase/wikisplit.jsonl", lambda: [r for s in ("tune", "validation", "test") for r in wikisplit(up.read(f"wikisplit/{s}.tsv"))]


def held(data):
    """The rows of a data folder by the names of sources.tsv."""
    rows = {}
    for k in range(4):
        with open(f"{data}/nli/nli_0{k}.jsonl", encoding="utf-8") as f:
            for line in f:
                r = json.loads(line)
                name = re.sub(r"^snli_(dev|test)$|^(breaking_nli)/.*", lambda m: m[2] or "snli", r["source"])
                rows.setdefault(name, []).append(r)
    for name, path, _ in texts(None):
        with open(f"{data}/{path}", encoding="utf-8") as f:
            rows[name] = [json.loads(line) for line in f]
    return rows


def verify(data, known):
    rows = held(data)
    with open(f"{data}/qa/pubmedqa/ori_pqal.json", "rb") as f:
        other = [] if hashlib.sha256(f.read()).hexdigest() == known["pubmedqa"]["sha256"] else ["pubmedqa"]
    for name, r in known.items():
        if name != "pubmedqa" and not r["use"].startswith("left out") and rows_sum(rows.get(name, [])) != r["rows_sha256"]:
            other.append(name)
    if other:
        raise Wrong(f"{data}: not the rows that were used: {', '.join(other)}")


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "wb") as f:
        f.write(data)
    os.replace(path + ".part", path)


def as_lines(rows):
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows).encode()


def main():
    p = argparse.ArgumentParser(description="training data from the sources' own files")
    p.add_argument("upstream", nargs="?")
    p.add_argument("out", nargs="?")
    p.add_argument("--verify", metavar="DATA")
    p.add_argument("--only", nargs="+", default=[], help="names of sources.tsv")
    p.add_argument("--sources", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "sources.tsv"))
    a = p.parse_args()
    known = sources(a.sources)
    if a.verify:
        try:
            return verify(a.verify, known)
        except (Wrong, OSError) as e:
            sys.exit(str(e))
    if not a.out:
        p.error("UPSTREAM and OUT, or --verify DATA")
    up = Upstream(a.upstream, known)

    def wanted(name):
        return not a.only or any(name == o or name.startswith(o + "/") for o in a.only)

    def checked(name, rows):
        want, got = known[name]["rows_sha256"], rows_sum(rows)
        if len(rows) != int(known[name]["rows"]) or got != want:
            raise Wrong(f"{name}: {len(rows)} rows with sum {got}, but {known[name]['rows']} with {want} in sources.tsv")
        print(f"{name}: {len(rows)} rows, as used")
        return rows

    try:
        part = [r for name, make in nli(up) if wanted(name) for r in checked(name, make())]
        if part:
            for k in range(4):
                n = FILES[k] if k < len(FILES) else len(part)
                write(f"{a.out}/nli/nli_0{k}.jsonl", as_lines(part[:n]))
                part = part[n:]
        for name, path, make in texts(up):
            if wanted(name):
                write(f"{a.out}/{path}", as_lines(checked(name, make())))
        if wanted("pubmedqa"):
            data = up.read("pubmedqa/ori_pqal.json")
            write(f"{a.out}/qa/pubmedqa/ori_pqal.json", data)
            print(f"pubmedqa: {len(json.loads(data))} rows, as used")
    except Wrong as e:
        sys.exit(str(e))


if __name__ == "__main__":
    main()
