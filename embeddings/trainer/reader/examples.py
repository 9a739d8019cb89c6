"""What a reader is trained on: requests with cards, parts of cards with the rest, words with their translations, all as lists of tokens."""
import collections
import json
import random

from pieces import UNSPACED

LANGUAGES = "de fr es pt it zh ja ko ru ar".split()


class Glossary:
    """English words and phrases with their usual translations; puts requests into other languages word by word."""

    def __init__(self, entries):
        """entries: (english words, {language: [words]})"""
        self.of = {language: {} for language in LANGUAGES}
        self.longest = 1
        for english, translations in entries:
            key = tuple(english.split(" "))
            self.longest = max(self.longest, len(key))
            for language in LANGUAGES:
                known = self.of[language].setdefault(key, [])
                known += [words for words in translations.get(language, []) if words and words not in known]

    def find(self, words, at, language):
        table = self.of[language]
        for length in range(min(self.longest, len(words) - at), 0, -1):
            key = tuple(words[at : at + length])
            if table.get(key):
                return table[key], length
        word = words[at]
        for ending, instead in (("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e")):
            if word.endswith(ending) and len(word) > len(ending) + 2:
                found = table.get((word[: -len(ending)] + instead,))
                if found:
                    return found, 1
        return None, 1

    def translated(self, text, language, share, rng):
        """Words that the glossary knows become words of the language, each with this chance; the rest stay."""
        words, out, at = text.split(" "), [], 0
        while at < len(words):
            found, length = self.find(words, at, language)
            if found and rng.random() < share:
                # The first translation is the most usual.
                out.append(found[0] if rng.random() < 0.6 else rng.choice(found))
            else:
                out += words[at : at + length]
            at += length
        return " ".join(out)


class Corpus:
    def __init__(self, record):
        self.name, self.family, self.cards = record["name"], record["family"], record["cards"]
        self.queries = record["queries"]
        self.pairs = record["pairs"]


def read_corpora(file):
    with open(file, encoding="utf-8") as lines:
        return [Corpus(json.loads(line)) for line in lines]


class Sampler:
    """
    Draws batches in groups: a group's queries are asked of one corpus, so that their cards are each other's negatives.

    families: those that are trained on; None for all. told: {(corpus name, query id): {language: words}}, requests told again.
    mined: {(corpus name, query id): [places of cards]}, hard negatives of a reader beside those of BM25.
    """

    def __init__(self, corpora, glossary, told, pieces, families=None, seed=1, group=16, limits=(72, 88), mined=None):
        self.rng = random.Random(seed)
        self.glossary, self.pieces, self.group, self.limits = glossary, pieces, group, limits
        self.told = told
        # What a reader ranks high is wrong by meaning, what BM25 ranks high by words: each is needed.
        self.mined, self.mined_share = mined or {}, 0.6 if mined else 0
        self.supervised = [(c, self.fresh_order(len(c.queries))) for c in corpora if c.queries and (families is None or c.family in families)]
        self.weights = [min(len(c.queries), 6000) ** 0.7 for c, _ in self.supervised]
        paired = [c for c in corpora if c.pairs and (families is None or c.family in families or not c.queries)]
        self.paired = [(c, self.fresh_order(len(c.pairs))) for c in paired]
        self.pair_weights = [min(len(c.pairs), 8000) ** 0.6 for c, _ in self.paired]
        self.retold = [
            (c, [q for q in c.queries if (c.name, q["id"]) in told])
            for c, _ in self.supervised
        ]
        self.retold = [(c, queries) for c, queries in self.retold if queries]
        self.words = [(english, language, words) for language in LANGUAGES for key, all_words in glossary.of[language].items() for english in [" ".join(key)] for words in all_words]

    def fresh_order(self, count):
        order = list(range(count))
        self.rng.shuffle(order)
        return [order, 0]

    def next_of(self, entry):
        order, at = entry[1]
        if at >= len(order):
            self.rng.shuffle(order)
            at = 0
        entry[1][1] = at + 1
        return order[at]

    def some_language(self):
        return self.rng.choice(LANGUAGES)

    def query_text(self, query):
        draw = self.rng.random()
        if draw < 0.25 and query["keywords"]:
            text = query["keywords"]
        elif draw < 0.33:
            text = query["story"]
        else:
            text = query["text"]
        if self.rng.random() < 0.25:
            text = self.glossary.translated(text, self.some_language(), self.rng.choice((0.5, 0.9, 1.0)), self.rng)
        return text

    def card_text(self, corpus, place):
        text = corpus.cards[place]
        if self.rng.random() < 0.06:
            text = self.glossary.translated(text, self.some_language(), 0.9, self.rng)
        return text

    def supervised_group(self, entry):
        corpus = entry[0]
        for _ in range(self.group):
            query = corpus.queries[self.next_of(entry)]
            yield self.example(corpus, query, self.query_text(query))

    def retold_group(self):
        corpus, queries = self.rng.choices(self.retold, [len(q) ** 0.5 for _, q in self.retold])[0]
        for _ in range(self.group):
            query = self.rng.choice(queries)
            told = self.told[corpus.name, query["id"]]
            yield self.example(corpus, query, told[self.rng.choice(sorted(told))])

    def example(self, corpus, query, text):
        place = self.rng.choice(query["relevant"])
        negatives = query["negatives"]
        if self.rng.random() < self.mined_share:
            negatives = self.mined.get((corpus.name, query["id"])) or negatives
        wrong = self.rng.choice(negatives[:8]) if negatives else self.rng.randrange(len(corpus.cards))
        serving = {corpus.cards[each] for each in query["relevant"]}
        return text, self.card_text(corpus, place), self.card_text(corpus, wrong), serving, corpus.cards[place], corpus.cards[wrong]

    def paired_group(self):
        entry = self.rng.choices(self.paired, self.pair_weights)[0]
        corpus = entry[0]
        for _ in range(self.group):
            place, anchor, positive = corpus.pairs[self.next_of(entry)]
            wrong = self.rng.randrange(len(corpus.cards))
            # Half of the time the card itself stands for its other part: that is what searches meet.
            text = corpus.cards[place] if self.rng.random() < 0.5 and anchor not in corpus.cards[place] else positive
            yield anchor, text, corpus.cards[wrong], {text, corpus.cards[place]}, text, corpus.cards[wrong]

    def word_group(self):
        language = self.some_language()
        for _ in range(self.group):
            english, _, words = self.rng.choice(self.words)
            other = self.rng.choice(self.words)[0]
            yield words, english, other, {english}, english, other

    def batch(self, groups, shares=(0.6, 0.14, 0.18, 0.08)):
        """shares: of requests, requests told again, parts of cards, words"""
        rows = []
        for _ in range(groups):
            kind = self.rng.choices(("request", "retold", "pair", "word"), shares)[0]
            if kind == "retold" and not self.retold:
                kind = "request"
            if kind == "request":
                rows += self.supervised_group(self.rng.choices(self.supervised, self.weights)[0])
            elif kind == "retold":
                rows += self.retold_group()
            elif kind == "pair":
                rows += self.paired_group()
            else:
                rows += self.word_group()
        query_limit, card_limit = self.limits
        queries = [self.pieces.tokens(row[0], query_limit) for row in rows]
        cards = [self.pieces.tokens(row[1], card_limit) for row in rows] + [self.pieces.tokens(row[2], card_limit) for row in rows]
        keys = [row[4] for row in rows] + [row[5] for row in rows]
        columns = collections.defaultdict(list)
        for at, key in enumerate(keys):
            columns[key].append(at)
        # What serves a query too is no negative of it.
        hidden = [(at, column) for at, row in enumerate(rows) for key in row[3] for column in columns.get(key, ()) if column != at]
        return queries, cards, hidden
