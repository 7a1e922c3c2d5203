"""Writes the tokenizers and their answers that tokens_test.go compares with:

    python tokens.py [FOLDER OF TEXT, the repository's docs by default]

bpe.json and cased.json are small tokenizers that Hugging Face's library trains on
the text; *.ids.json are its ids of odd and plain texts, without special tokens,
which in a text are plain characters. Needs `pip install tokenizers==0.23.3`.
"""
import glob
import json
import os
import random
import sys

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

here = os.path.dirname(os.path.abspath(__file__))
folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "../../docs")
lines = [line for f in sorted(glob.glob(folder + "/*.md")) for line in open(f, encoding="utf-8").read().split("\n") if line]
random.seed(1)
RANGES = [(32, 127)] * 3 + [(0xA0, 0x250), (0x370, 0x400), (0x400, 0x460), (0x3040, 0x30FF), (0x4E00, 0x4E80), (0x1F600, 0x1F640),
                            (0x300, 0x320), (0x200B, 0x2010), (0xE000, 0xE010), (0x5D0, 0x5F3), (1, 32)]
POOL = [chr(c) for r in RANGES for c in range(*r)]
TEXTS = ["".join(random.choice(POOL) for _ in range(random.randint(1, 40))) for _ in range(60)]
TEXTS += random.sample(lines, 20)
TEXTS += [
    "don't you'll  we've   two  spaces\n\nlines \t tab 12345 1st ", "Café naïve ÉCOLE Ångström", "  lead and trail  ", "a\u00a0b\u3000c\u2003d",
    "Use [SEP] or </s> as text, <s>[CLS] too.", "\t\tif x {", "I'M 'S 're O'Reilly's", "aaaaaaaaaaaaaaaa" * 8, "e" + "\u0301" * 30,
    "½ ² ① ٣ Ⅷ 12,345.67", "नमस्ते 👩\u200d🔬 🇳🇴 שלום", "", " ", "\n", "'", "x'", "''s",
]


def write(name, tokenizer):
    tokenizer.encode_special_tokens = True
    tokenizer.save(f"{here}/{name}.json", pretty=False)
    rows = [{"text": t, "ids": tokenizer.encode(t, add_special_tokens=False).ids} for t in TEXTS]
    with open(f"{here}/{name}.ids.json", "w", encoding="ascii") as f:
        f.write("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")


bpe = Tokenizer(models.BPE(unk_token="<unk>"))
bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
bpe.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=700, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
                                                   initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet())))
write("bpe", bpe)
cased = Tokenizer(models.WordPiece(unk_token="[UNK]"))
cased.normalizer = normalizers.BertNormalizer(lowercase=False)
cased.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
cased.train_from_iterator(lines, trainers.WordPieceTrainer(vocab_size=700, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]))
write("cased", cased)
