"""python3 -m unittest discover -s training"""
import hashlib
import io
import json
import os
import tempfile
import unittest
import zipfile

import convert
import texts


def jsonl(*rows):
    return "".join(json.dumps(r) + "\n" for r in rows).encode()


class Text(unittest.TestCase):
    def test_treebank_sets_tokens_apart(self):
        for raw, want in [
            ("A dog, wet.", "A dog , wet ."),
            ('He says "no way".', "He says `` no way '' ."),
            ('"Yes", she said.', "`` Yes '' , she said ."),
            ("Two men (one old) can't agree: why?", "Two men ( one old ) ca n't agree : why ?"),
            ("It's the boys' and I'll go", "It 's the boys ' and I 'll go"),
            ("A men's-only club at 5:30", "A men's-only club at 5 : 30"),
            ("Nobody cannot  go", "Nobody can not go"),
            ("Wait...", "Wait ..."),
            ("", ""),
        ]:
            self.assertEqual(convert.treebank(raw), want)

    def test_wikisplit_joins_tokens(self):
        for raw, want in [
            ("He left , then ( in 1990 ) died .", "He left, then (in 1990) died."),
            ("The town 's 90 % share cost $ 5 .", "The town's 90% share cost $5."),
            ("They did n't go .", "They didn't go."),
            ("the song '' Long Way '' won", 'the song" Long Way" won'),
        ]:
            self.assertEqual(convert.wikisplit_text(raw), want)

    def test_wikitext_joins_tokens_and_pairs_quotes(self):
        self.assertEqual(convert.wikitext_text('a well @-@ known " red song " of 1 @,@ 000 m , or 0 @.@ 5 [ km ]'),
                         'a well-known "red song" of 1,000 m, or 0.5 [km]')


class Sources(unittest.TestCase):
    def test_snli_leaves_out_what_annotators_disagreed_on(self):
        data = jsonl({"gold_label": "-", "sentence1": "A.", "sentence2": "B."}, {"gold_label": "neutral", "sentence1": "A cat.", "sentence2": "B."})
        self.assertEqual(list(convert.snli(data, "snli_dev")), [convert.row("A cat .", "B .", "neutral", "snli_dev")])

    def test_curriculum_has_two_and_three_classes(self):
        data = jsonl({"premise": " A ", "hypothesis": "B", "gold_label": "not-entailed"}, {"premise": "A", "hypothesis": "B", "gold_label": "neutral"},
                     {"premise": "", "hypothesis": "B", "gold_label": "entailed"})
        self.assertEqual([(r["premise"], r["label"]) for r in convert.curriculum(data, "ner")], [("A", "not_entailment"), ("A", "neutral")])

    def test_a_line_separator_inside_a_row_does_not_cut_it(self):
        data = '{"sentence1": "a\u2028b", "sentence2": "c", "gold_label": "neutral", "category": "x"}\n'.encode()
        self.assertEqual(len(list(convert.breaking_nli(data))), 1)

    def test_tables_keep_quotes(self):
        data = b'sentence1\tsentence2\tgold_label\n"A\tB"\tneutral\nC\tD\tentailment\n'
        self.assertEqual([(r["premise"], r["label"]) for r in convert.med(data)], [('"A', "not_entailment"), ("C", "entailment")])
        self.assertEqual([r["label"] for r in convert.cad_nli(data)], ["neutral", "entailment"])

    def test_two_classes_of_support(self):
        fever = jsonl({"evidence": "E", "claim": "C", "label": "REFUTES"})
        self.assertEqual(next(convert.fever_symmetric(fever))["label"], "contradiction")
        wice = jsonl(*({"evidence": [" E", "F"], "claim": "C ", "label": v} for v in ("supported", "partially_supported", "not_supported")))
        self.assertEqual([r["label"] for r in convert.wice(wice)], ["entailment", "not_entailment", "not_entailment"])
        self.assertEqual(next(convert.wice(wice))["premise"], "E F")

    def test_wikisplit_rows(self):
        self.assertEqual(list(convert.wikisplit(b"A , and B .\tA . <::::> B .\n")), [{"complex": "A, and B.", "simple": ["A.", "B."]}])

    def test_wikitext_sections(self):
        long = "word " * 61
        data = f" = Thing = \n \n short \n \n = = First part = = \n {long} \n {long}\n = Other = \n {long}".encode()
        self.assertEqual([(r["title"], r["section"], len(r["text"].split())) for r in convert.wikitext([data])], [("Thing", "First part", 122), ("Other", "", 61)])

    def test_medquad_takes_every_fourth_document(self):
        doc = '<Document><Focus>F</Focus><QAPairs><QAPair><Question qid="{0}">Q</Question><Answer>A</Answer></QAPair>' \
              '<QAPair><Question qid="x">Q</Question><Answer/></QAPair></QAPairs></Document>'
        self.assertEqual([r["id"] for r in convert.medquad([doc.format(k).encode() for k in range(6)])], ["0", "4"])


class Files(unittest.TestCase):
    def test_sums_are_checked(self):
        with tempfile.TemporaryDirectory() as d:
            b = io.BytesIO()
            with zipfile.ZipFile(b, "w") as z:
                z.writestr("x/val.jsonl", "{}")
            with open(f"{d}/a.zip", "wb") as f:
                f.write(b.getvalue())
            good = {"s": {"files": "a.zip", "sha256": hashlib.sha256(b.getvalue()).hexdigest()}}
            self.assertEqual(convert.Upstream(d, good).read("a.zip", "x/val.jsonl"), b"{}")
            with self.assertRaisesRegex(convert.Wrong, "not the version"):
                convert.Upstream(d, {"s": {"files": "a.zip", "sha256": "0" * 64}}).read("a.zip")
            with self.assertRaisesRegex(convert.Wrong, "sources.tsv says"):
                convert.Upstream(d, good).read("b.zip")

    def test_sum_of_rows_is_of_a_set_with_repetitions(self):
        a, b = convert.row("p", "é", "neutral", "s"), convert.row("q", "h", "neutral", "s")
        self.assertEqual(convert.rows_sum([a, b]), convert.rows_sum([b, a]))
        self.assertNotEqual(convert.rows_sum([a, b]), convert.rows_sum([a, b, b]))

    def test_table_of_sources(self):
        table = convert.sources(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sources.tsv"))
        for name, r in table.items():
            self.assertEqual(len(r), 10, name)
            self.assertNotIn(None, r.values(), name)
            self.assertEqual(len(r["files"].split()), len(r["sha256"].split()), name)
            if not r["use"].startswith("left out"):
                self.assertNotIn(r["licence"], ("", "none found"), name)
        made = {n for n, _ in convert.nli(None)} | {n for n, _, _ in convert.texts(None)} | {"pubmedqa"}
        self.assertEqual(made, {n for n, r in table.items() if r["files"] != "-"})
        rows = sum(int(table[n]["rows"]) for n, _ in convert.nli(None))
        self.assertGreater(rows, sum(convert.FILES))


class Verify(unittest.TestCase):
    def test_other_rows_are_named(self):
        with tempfile.TemporaryDirectory() as d:
            for k in range(4):
                convert.write(f"{d}/nli/nli_0{k}.jsonl", jsonl(convert.row("p", "h", "neutral", ["snli_dev", "snli_test", "breaking_nli/colors", "med"][k])))
            for name in ("docs/wikitext2.jsonl", "qa/medquad.jsonl", "rephrase/wikisplit.jsonl", "qa/pubmedqa/ori_pqal.json"):
                convert.write(f"{d}/{name}", b"")
            rows = convert.held(d)
            self.assertEqual([len(rows[n]) for n in ("snli", "breaking_nli", "med", "medquad")], [2, 1, 1, 0])
            known = {n: {"use": "all", "rows_sha256": convert.rows_sum(rows[n]), "sha256": "-"} for n in ("snli", "breaking_nli", "med")}
            known["pubmedqa"] = {"use": "all", "rows_sha256": "-", "sha256": hashlib.sha256(b"").hexdigest()}
            convert.verify(d, known)
            known["med"]["rows_sha256"] = "-"
            with self.assertRaisesRegex(convert.Wrong, ": med$"):
                convert.verify(d, known)


class Texts(unittest.TestCase):
    def test_sentences_are_marked_and_come_once(self):
        with tempfile.TemporaryDirectory() as d:
            for name, data in (("docs/wikitext2.jsonl", jsonl({"text": "W"})), ("qa/pubmedqa/ori_pqal.json", json.dumps({"1": {"CONTEXTS": ["P", "Q"]}}).encode()),
                               ("qa/medquad.jsonl", jsonl({"answer": "a \n b" + "c" * 7000})),
                               ("rephrase/wikisplit.jsonl", jsonl({"simple": ["S", "T"]}, {"simple": ["S", "U"]}))):
                convert.write(f"{d}/{name}", data)
            got = list(texts.texts(d))
            self.assertEqual(got[:2] + got[3:], ["W", "P Q", "\x01S", "\x01T", "\x01U"])
            self.assertEqual((got[2][:5], len(got[2])), ("a bcc", 6000))
            self.assertEqual(list(texts.texts(d, 1))[-1], "\x01S")


if __name__ == "__main__":
    unittest.main()
