"""Makes document-level examples for entailment from plain texts: a premise of
several sentences, and claims that are sentences of it (kept, shortened,
merged, split, restyled) or the same with one thing wrong (a name, a number, a
negation, an opposite, who did it, to whom, an addition from elsewhere).

Both kinds go through the same shortening and restyling, so that style says
nothing about truth. Texts are annotated by training/annotate (Go); what is
random is seeded. Standard library only.

    synthesise.py DATA ANNOTATED OUT [--seed N] [--per-document N]
"""
import argparse
import json
import random
import re

NAME_TAGS = {"NNP", "NNPS"}
NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
BE = {"is", "are", "was", "were", "has", "have", "had", "can", "could", "will", "would", "should", "may", "might", "must", "does", "do", "did"}
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
RESTRICTING = {"former", "alleged", "fake", "only", "last", "first", "few", "little", "least", "not", "no", "never", "almost", "nearly",
               "hardly", "less", "fewer", "other", "same", "such", "supposed", "potential", "possible", "likely", "unlikely", "false", "late",
               "next", "second", "third", "many", "most", "several", "half", "non", "anti", "rarely", "seldom", "scarcely", "partly", "about"}
OPPOSITES = """increase decrease|rise fall|gain lose|win lose|accept reject|allow forbid|begin end|start stop|open close|buy sell|love hate
arrive depart|enter leave|succeed fail|support oppose|confirm deny|remember forget|include exclude|strengthen weaken|improve worsen|raise lower
expand shrink|attack defend|build destroy|create destroy|appear disappear|agree disagree|approve reject|import export|push pull|borrow lend
high low|large small|big small|old new|young old|early late|hot cold|long short|strong weak|rich poor|good bad|happy sad|fast slow|public private
male female|northern southern|eastern western|upper lower|major minor|positive negative|common rare|safe dangerous|true false|hard soft|deep shallow
wide narrow|heavy light|full empty|alive dead|domestic foreign|modern ancient|popular unpopular|successful unsuccessful|best worst|better worse
more less|most least|before after|above below|inside outside|always never|often rarely|first last|north south|east west|with without|majority minority
husband wife|son daughter|brother sister|father mother|king queen|man woman|boy girl|winner loser|beginning end|victory defeat|mother father
increased decreased|rose fell|gained lost|won lost|accepted rejected|allowed banned|began ended|started stopped|opened closed|bought sold
arrived left|entered left|succeeded failed|supported opposed|confirmed denied|included excluded|improved worsened|raised lowered|expanded reduced
attacked defended|built destroyed|appeared disappeared|agreed refused|approved rejected|joined left|praised criticised|loved hated"""


def opposites():
    table = {}
    for pair in re.split(r"[|\n]", OPPOSITES):
        a, b = pair.split()
        table.setdefault(a, b)
        table.setdefault(b, a)
    return table


OPPOSITE = opposites()


class Sentence:
    """One sentence as words and tags, with the blanks between them."""

    def __init__(self, words, tags, lemmas, glue):
        self.words, self.tags, self.lemmas, self.glue = words, tags, lemmas, glue

    def text(self):
        return "".join(g + w for g, w in zip(self.glue, self.words)).strip()

    def copy(self):
        return Sentence(self.words[:], self.tags[:], self.lemmas[:], self.glue[:])

    def replace(self, start, end, words, tags):
        """A copy in which the tokens [start, end) are others."""
        s = self.copy()
        s.words[start:end], s.tags[start:end] = words, tags
        s.lemmas[start:end] = [w.lower() for w in words]
        s.glue[start:end] = [self.glue[start] if start < len(self.glue) else " "] + [" "] * (len(words) - 1) if words else []
        return s

    def cut(self, start, end):
        s = self.copy()
        for part in (s.words, s.tags, s.lemmas, s.glue):
            del part[start:end]
        return s

    def spans(self, tags):
        """Maximal runs of tokens with these tags."""
        out, i = [], 0
        while i < len(self.tags):
            j = i
            while j < len(self.tags) and self.tags[j] in tags:
                j += 1
            if j > i:
                out.append((i, j))
            i = max(j, i + 1)
        return out

    def names(self):
        return [(i, j) for i, j in self.spans(NAME_TAGS)
                if self.words[i] not in MONTHS and self.words[i] not in DAYS and any(c.isalpha() for c in self.words[i])]

    def noun_phrases(self):
        """Base noun phrases: determiner, adjectives, nouns."""
        out, i, n = [], 0, len(self.tags)
        while i < n:
            j = i
            if self.tags[j] in ("DT", "PRP$", "CD"):
                j += 1
            while j < n and self.tags[j] in ("JJ", "VBN", "CD", "JJR", "JJS") and self.words[j] != ",":
                j += 1
            k = j
            while k < n and self.tags[k].startswith("NN"):
                k += 1
            if k > j:
                out.append((i, k))
                i = k
            else:
                i += 1
        return out

    def verb(self):
        """Position of the first finite verb, or None."""
        for i, t in enumerate(self.tags):
            if t in ("VBZ", "VBD", "VBP", "MD"):
                return i
        return None

    def subject(self):
        """The noun phrase that the sentence begins with and whose verb
        follows, or None."""
        v = self.verb()
        if v is None or v == 0:
            return None
        if any(w in (",", ";", ":") for w in self.words[:v]) or self.tags[0] in ("IN", "WRB", "CC", "WDT", "WP"):
            return None
        head = [k for k in self.noun_phrases() if k[0] == 0]
        return (0, v) if head and v <= 8 else None


def sentences(doc):
    data = doc["text"].encode()
    for first, end in doc["sentences"]:
        s, last = Sentence([], [], [], []), None
        for k in range(first, end):
            b, e = doc["starts"][k], doc["ends"][k]
            gap = " " if last is not None and b > last else ""
            s.words.append(data[b:e].decode())
            s.tags.append(doc["tags"][k])
            s.lemmas.append(doc["lemmas"][k])
            s.glue.append(gap)
            last = e
        yield s


def usable(s):
    t = s.text()
    return 5 <= len(s.words) <= 45 and s.verb() is not None and t[-1:] in ".!" and "<unk>" not in t and t[:1].isupper() and t.count('"') % 2 == 0


# --- what keeps the meaning, or says less ---------------------------------

def capital(s):
    for i, w in enumerate(s.words):
        if w[:1].isalpha():
            s.words[i] = w[:1].upper() + w[1:]
            break
    if s.glue:
        s.glue[0] = ""
    return s


def drop_brackets(s, r):
    opens = [i for i, w in enumerate(s.words) if w in "(["]
    for i in opens:
        for j in range(i, len(s.words)):
            if s.words[j] in ")]":
                return s.cut(i, j + 1)
    return None


def drop_fronted(s, r):
    if "," not in s.words[1:9] or s.tags[0] != "IN" or s.words[0].lower() in ("if", "unless", "without", "despite", "although", "while", "because", "instead"):
        return None
    c = s.words.index(",")
    if any(t in ("VBZ", "VBD", "VBP") for t in s.tags[:c]) or s.verb() is None or len(s.words) - c < 5:
        return None
    return capital(s.cut(0, c + 1))


def drop_tail(s, r):
    """Leaves out a last part after a comma that only adds to what was said."""
    commas = [i for i, w in enumerate(s.words) if w == ","]
    for c in reversed(commas):
        nxt = s.words[c + 1].lower() if c + 1 < len(s.words) else ""
        adds = nxt in ("which", "who", "where", "while", "whose", "including", "although", "though") or s.tags[c + 1:c + 2] == ["VBG"] or (
            nxt in ("and", "but") and any(t in ("VBZ", "VBD", "VBP", "MD") for t in s.tags[c + 2:c + 7]))
        v = s.verb()
        if adds and v is not None and v < c and c >= 5 and not any(w.lower() in ("if", "not", "no", "never", "either", "neither") for w in s.words[:c]):
            return s.cut(c, len(s.words) - 1)
    return None


def drop_apposition(s, r):
    commas = [i for i, w in enumerate(s.words) if w == ","]
    for a, b in zip(commas, commas[1:]):
        inner = s.tags[a + 1:b]
        if 1 <= len(inner) <= 10 and inner[0] in ("DT", "WP", "WDT", "VBN", "VBG") and a > 0 and s.tags[a - 1].startswith("NN") and "CC" not in s.tags[b + 1:b + 2]:
            return s.cut(a, b + 1)
    return None


def drop_modifier(s, r):
    at = [i for i in range(1, len(s.words) - 1) if s.tags[i] in ("JJ", "RB") and s.lemmas[i] not in RESTRICTING and s.words[i].lower() not in RESTRICTING
          and (s.tags[i] == "JJ" and s.tags[i + 1].startswith("NN") and s.tags[i - 1] in ("DT", "IN", "PRP$", "VBD", "VBZ", "CC") or
               s.tags[i] == "RB" and s.words[i].endswith("ly") and s.tags[i + 1].startswith("VB"))
          and s.words[i - 1].lower() not in ("a", "an", "as", "so", "too", "very")]
    return s.cut(*(lambda i: (i, i + 1))(r.choice(at))) if at else None


def short_name(s, r):
    full = [(i, j) for i, j in s.names() if j - i == 2 and i > 0]
    if not full:
        return None
    i, j = r.choice(full)
    return s.cut(i, j - 1) if s.glue[i] == "" else s.replace(i, j, [s.words[j - 1]], [s.tags[j - 1]])


def number_form(s, r):
    for i, w in enumerate(s.words):
        if w.lower() in NUMBER_WORDS and i > 0:
            return s.replace(i, i + 1, [str(NUMBER_WORDS.index(w.lower()) + 2)], ["CD"])
        if w.isdigit() and 2 <= int(w) <= 12 and i > 0 and s.tags[i + 1:i + 2] == ["NNS"]:
            return s.replace(i, i + 1, [NUMBER_WORDS[int(w) - 2]], ["CD"])
    return None


KEEP = [(drop_brackets, 1.0), (drop_fronted, .5), (drop_tail, .6), (drop_apposition, .6), (drop_modifier, .4), (short_name, .3), (number_form, .4)]


def shorten(s, r):
    for change, p in KEEP:
        if r.random() < p:
            t = change(s, r)
            if t is not None and t.verb() is not None and len(t.words) >= 4:
                s = t
    return s


# --- what makes it wrong ----------------------------------------------------

def phrase(s, span):
    return s.words[span[0]:span[1]], s.tags[span[0]:span[1]]


def key(s, span):
    return " ".join(s.words[span[0]:span[1]]).lower()


def wrong_name(s, r, others):
    mine = s.names()
    if not mine:
        return None
    have = " ".join(s.words).lower()
    spans = [(o, n) for o in others for n in o.names() if not any(w.lower() in have for w in o.words[n[0]:n[1]])]
    if not spans:
        return None
    o, n = r.choice(spans)
    i, j = r.choice(mine)
    return s.replace(i, j, *phrase(o, n))


def wrong_number(s, r, others):
    at = [i for i, w in enumerate(s.words) if re.fullmatch(r"\d[\d,.]*", w) or w.lower() in NUMBER_WORDS or w in MONTHS or w in DAYS]
    if not at:
        return None
    i = r.choice(at)
    w = s.words[i]
    pool = [x for o in others for x in o.words if x != w and (re.fullmatch(r"\d[\d,.]*", x) and len(x) == len(w) if w[0].isdigit() else False)]
    if w in MONTHS or w in DAYS:
        new = r.choice([x for x in (MONTHS if w in MONTHS else DAYS) if x != w])
    elif w.lower() in NUMBER_WORDS:
        new = r.choice([x for x in NUMBER_WORDS if x != w.lower()])
        new = new.capitalize() if w[0].isupper() else new
    elif pool and r.random() < .4:
        new = r.choice(pool)
    else:
        digits = [k for k, c in enumerate(w) if c.isdigit()]
        k = r.choice(digits[-2:] if len(w) == 4 else digits)
        new = w[:k] + r.choice([d for d in "123456789" if d != w[k]]) + w[k + 1:]
    return s.replace(i, i + 1, [new], ["CD"])


def negate(s, r, others):
    for i, w in enumerate(s.words):
        if w.lower() in ("not", "n't", "never") and i > 0:
            t = s.cut(i, i + 1)
            return t if w.lower() != "n't" or t.words[i - 1].lower() not in ("ca", "wo") else None
    v = s.verb()
    if v is None:
        return None
    w, tag = s.words[v].lower(), s.tags[v]
    if w in BE:
        return s.replace(v, v + 1, [s.words[v], r.choice(["not", "not", "never"])], [tag, "RB"])
    if tag in ("VBD", "VBZ", "VBP") and s.lemmas[v] != w or tag == "VBP":
        do = {"VBD": "did", "VBZ": "does", "VBP": "do"}[tag]
        return s.replace(v, v + 1, [do, "not", s.lemmas[v]], [tag, "RB", "VB"])
    return None


def opposite(s, r, others):
    at = [i for i, w in enumerate(s.words) if w.lower() in OPPOSITE and i > 0]
    if not at:
        return None
    i = r.choice(at)
    return s.replace(i, i + 1, [OPPOSITE[s.words[i].lower()]], [s.tags[i]])


def wrong_subject(s, r, others):
    mine = s.subject()
    if mine is None:
        return None
    words = {w for w in s.lemmas}
    pool = []
    for o in others:
        for n in o.noun_phrases():
            if o.lemmas[n[1] - 1] not in words and o.tags[n[0]] != "CD":
                pool.append((o, n))
    if not pool:
        return None
    o, n = r.choice(pool)
    ws, ts = phrase(o, n)
    if n[0] == 0 and ts[0] not in NAME_TAGS:
        ws = [ws[0].lower()] + ws[1:]
    return capital(s.replace(mine[0], mine[1], ws, ts))


def wrong_object(s, r, others):
    v = s.verb()
    if v is None:
        return None
    mine = [n for n in s.noun_phrases() if n[0] > v]
    words = {w for w in s.lemmas}
    pool = [(o, n) for o in others for n in o.noun_phrases() if n[0] > 0 and o.lemmas[n[1] - 1] not in words]
    if not mine or not pool:
        return None
    i, j = r.choice(mine)
    plural = s.tags[j - 1].endswith("S")
    same = [p for p in pool if p[0].tags[p[1][1] - 1].endswith("S") == plural] or pool
    o, n = r.choice(same)
    return s.replace(i, j, *phrase(o, n))


def swap_roles(s, r, others):
    names = s.names()
    names = [n for k, n in enumerate(names) if key(s, n) not in [key(s, m) for m in names[:k]]]
    if len(names) < 2:
        return None
    (a, b), (c, d) = names[0], names[-1]
    if any(w in ("and", "or", "&") for w in s.words[b:c]) and not any(t.startswith("VB") for t in s.tags[b:c]):
        return None
    x, y = phrase(s, (a, b)), phrase(s, (c, d))
    return s.replace(c, d, *x).replace(a, b, *y)


def addition(s, r, others):
    """A phrase with a preposition from another sentence, at the end."""
    pool = []
    for o in others:
        for n in o.noun_phrases():
            k = n[0]
            if k > 0 and o.tags[k - 1] == "IN" and o.words[k - 1].lower() in ("in", "for", "with", "from", "by", "at", "after", "during", "because", "against", "near") \
                    and o.lemmas[n[1] - 1] not in s.lemmas:
                pool.append((o, (k - 1, n[1])))
    if not pool:
        return None
    o, n = r.choice(pool)
    ws, ts = phrase(o, n)
    ws = [ws[0].lower()] + ws[1:]
    t = s.copy()
    end = len(t.words) - 1 if t.words[-1] in ".!" else len(t.words)
    return t.replace(end, end, ws, ts) if end == len(t.words) else _insert(t, end, ws, ts)


def _insert(t, at, ws, ts):
    for part, new in ((t.words, ws), (t.tags, ts), (t.lemmas, [w.lower() for w in ws]), (t.glue, [" "] * len(ws))):
        part[at:at] = new
    return t


# label, how often it is tried, the change
WRONG = [("not_entailment", 4, wrong_name), ("contradiction", 3, wrong_number), ("contradiction", 2, negate), ("contradiction", 2, opposite),
         ("not_entailment", 4, wrong_subject), ("not_entailment", 3, wrong_object), ("not_entailment", 3, swap_roles), ("not_entailment", 3, addition)]


def spoil(s, r, others):
    order = sorted(WRONG, key=lambda w: r.random() ** (1 / w[1]), reverse=True)
    for label, _, change in order:
        t = change(s, r, others)
        if t is not None and t.text().lower() != s.text().lower():
            before = {w.lower() for w in s.words}
            return label, change.__name__, t, {w.lower() for w in t.words if w.isalnum()} - before
    return None


# --- style --------------------------------------------------------------------

def restyle(text, r):
    """As news summaries come: set apart, lower case, or as they are."""
    k = r.random()
    if k < .55:
        return text
    if k < .8:
        text = re.sub(r"([,.;:!?()])(?=\s|$)", r" \1", text)
        text = re.sub(r"(\w)(n't|'s|'re|'ve|'ll)\b", r"\1 \2", text)
        if r.random() < .5:
            text = text[:1] + text[1:].lower()
        return text
    if k < .9:
        return text.lower()
    return text.rstrip(" .")


def denied(window, r):
    """A window in which one sentence says the opposite of what it said, with
    the claim that it now denies and the one that it now makes. Without these a
    model learns that a negation in the claim is wrong, and overlooks one in
    the evidence."""
    at = [i for i, s in enumerate(window) if usable(s)]
    if not at:
        return None
    i = r.choice(at)
    s = shorten(window[i], r)
    for change in r.sample([negate, opposite], 2):
        t = change(s, r, ())
        if t is not None and t.text().lower() != s.text().lower():
            shown = [x.text() for x in window]
            shown[i] = t.text()
            changed = {w.lower() for w in s.words if w.isalnum()} - {w.lower() for w in t.words}
            return " ".join(shown), change.__name__, s.text(), changed, t.text()
    return None


def claims(window, elsewhere, r, n):
    """n true and n false claims about the window's sentences."""
    good = [s for s in window if usable(s)]
    if not good:
        return
    for _ in range(n):
        s = shorten(r.choice(good), r)
        text, kind = s.text(), "shortened"
        if r.random() < .2 and len(good) > 1:
            k = r.randrange(len(window) - 1)
            a, b = window[k], window[k + 1]
            if usable(a) and usable(b) and b.tags[0] not in ("CC", "RB", "IN"):
                a, b = shorten(a, r), shorten(b, r)
                first = b.words[0] if b.tags[0] in NAME_TAGS or b.words[0] == "I" else b.words[0][:1].lower() + b.words[0][1:]
                text = a.text().rstrip(".! ") + r.choice([", and ", "; ", ", while "]) + first + b.text()[len(b.words[0]):]
                kind = "merged"
        yield "entailment", kind, text, ()
    for _ in range(n):
        s = shorten(r.choice(good), r)
        if r.random() < .15 and elsewhere:
            t = shorten(r.choice(elsewhere), r)
            yield "not_entailment", "elsewhere", t.text(), ()
            continue
        others = [o for o in window if o is not s]
        if r.random() < .25 or len(others) < 2:
            others = others + elsewhere
        out = spoil(s, r, others)
        if out:
            label, kind, t, changed = out
            text = t.text()
            if r.random() < .12:
                o = shorten(r.choice(good), r)
                text = r.choice([o.text() + " " + text, text + " " + o.text()])
            yield label, kind, text, changed


def main():
    p = argparse.ArgumentParser()
    p.add_argument("data")
    p.add_argument("annotated")
    p.add_argument("out")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--denied", type=float, default=0, help="share of the windows that are also shown with one sentence turned into its opposite")
    a = p.parse_args()
    r = random.Random(a.seed)
    docs, split = [], []
    for line in open(a.annotated):
        d = json.loads(line)
        (split if d["text"].startswith("\x01") else docs).append(d)
    out = open(a.out, "w")
    count = {}

    def put(source, premise, hypothesis, label, kind, changed=()):
        count[(kind, label)] = count.get((kind, label), 0) + 1
        out.write(json.dumps({"premise": premise, "hypothesis": restyle(hypothesis, r), "label": label, "source": source, "kind": kind,
                              "changed": sorted(changed)}) + "\n")

    lists = [[s for s in sentences(d)] for d in docs]
    for _ in range(a.rounds):
        for n, ss in enumerate(lists):
            if len(ss) < 2:
                continue
            k = 0
            while k < len(ss):
                size = r.choice([2, 3, 4, 5, 6, 8])
                window = ss[k:k + size]
                k += size
                premise = " ".join(s.text() for s in window)
                if "<unk>" in premise:
                    window = [s for s in window if "<unk>" not in s.text()]
                    premise = " ".join(s.text() for s in window)
                if len(window) < 2 or len(premise.split()) > 230:
                    continue
                away = [s for s in ss if s not in window and usable(s)] or [s for s in r.choice(lists) if usable(s)]
                if r.random() < .3:
                    premise = re.sub(r"([,.;:!?()])(?=\s|$)", r" \1", premise)
                for label, kind, text, changed in claims(window, away, r, 3 if len(window) > 3 else 2):
                    put("synthetic/documents", premise, text, label, kind, changed)
                turned = denied(window, r) if a.denied and r.random() < a.denied else None
                if turned:
                    premise, kind, gone, changed, said = turned
                    put("synthetic/denied", premise, gone, "contradiction", "gone_" + kind, changed)
                    put("synthetic/denied", premise, said, "entailment", "said_" + kind)

    # Wikipedia sentences with their split forms, several to a premise.
    items = []
    for line in open(a.data + "/rephrase/wikisplit.jsonl"):
        items.append(json.loads(line))
    parsed = {d["text"]: list(sentences(d)) for d in split}

    def parse(text):
        ss = parsed.get("\x01" + text)
        return ss[0] if ss and len(ss) == 1 else None

    for _ in range(a.rounds):
        r.shuffle(items)
        for k in range(0, len(items) - 6, 4):
            group = items[k:k + r.choice([1, 2, 3, 4])]
            for it in group:
                simple = it["simple"]
                shown = [g["complex"] for g in group]
                kind = r.random()
                if kind < .2:  # one half says less than the whole
                    half = r.randrange(2)
                    shown[group.index(it)] = simple[half]
                    premise = " ".join(shown)
                    put("synthetic/split", premise, it["complex"], "not_entailment", "half")
                    continue
                if kind < .4:
                    shown[group.index(it)] = " ".join(simple)
                    put("synthetic/split", " ".join(shown), it["complex"], "entailment", "joined")
                    continue
                premise = " ".join(shown)
                pick = r.choice(simple)
                if kind < .7:
                    put("synthetic/split", premise, pick, "entailment", "split")
                    continue
                s = parse(pick)
                others = [x for g in group if g is not it for x in (parse(g["simple"][0]), parse(g["simple"][1])) if x] + \
                         [x for x in (parse(it["simple"][0]), parse(it["simple"][1])) if x and x is not s]
                bad = spoil(s, r, others) if s and usable(s) and others else None
                if bad:
                    put("synthetic/split", premise, bad[2].text(), bad[0], bad[1], bad[3])
    for k in sorted(count):
        print(*k, count[k])


if __name__ == "__main__":
    main()
