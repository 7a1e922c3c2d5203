"""Tests of synthesise.py: evidence turned into its opposite."""
import random
import unittest

import synthesise


def sentence(tagged):
    words, tags, lemmas = zip(*(w.split("/") for w in tagged.split()))
    glue = ["" if k == 0 or w in ".," else " " for k, w in enumerate(words)]
    return synthesise.Sentence(list(words), list(tags), list(lemmas), glue)


OPENED = "The/DT/the museum/NN/museum was/VBD/be opened/VBN/open in/IN/in 1901/CD/1901 ././."
SHUT = "The/DT/the mayor/NN/mayor did/VBD/do not/RB/not open/VB/open it/PRP/it ././."
RAISED = "The/DT/the board/NN/board raised/VBD/raise all/DT/all its/PRP$/its prices/NNS/price ././."


class Denied(unittest.TestCase):
    def windows(self):
        for seed in range(60):
            yield [sentence(OPENED), sentence(SHUT), sentence(RAISED)], random.Random(seed)

    def test_evidence_denies_one_claim_and_makes_the_other(self):
        texts = [s.text() for s in map(sentence, (OPENED, SHUT, RAISED))]
        kinds = set()
        for window, r in self.windows():
            shown, kind, gone, changed, said = synthesise.denied(window, r)
            kinds.add(kind)
            self.assertNotEqual(gone.lower(), said.lower())
            self.assertIn(said, shown)
            self.assertNotIn(gone, shown)
            self.assertEqual(sum(t in shown for t in texts), 2)
            self.assertIn(gone, texts)
        self.assertEqual(kinds, {"negate", "opposite"})

    def test_a_negation_is_taken_out_as_well_as_put_in(self):
        pairs = {(gone, said) for window, r in self.windows() for _, _, gone, _, said in [synthesise.denied(window, r)]}
        self.assertIn(("The museum was opened in 1901.", "The museum was not opened in 1901."), pairs)
        self.assertTrue(any("not" in gone and "not" not in said for gone, said in pairs), pairs)

    def test_nothing_to_turn(self):
        self.assertIsNone(synthesise.denied([sentence("Oh/UH/oh !/./!")], random.Random(1)))


if __name__ == "__main__":
    unittest.main()
