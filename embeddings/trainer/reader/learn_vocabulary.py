"""
Chooses the pieces of the reader's vocabulary and where their vectors start: pieces of MiniLM's vocabulary that texts about tools need, and pieces
of ten other languages, learned by byte-pair merges from a glossary and from requests. A new piece starts where the words that it stands in have
their English translations (least squares over the glossary).
"""
import collections
import heapq
import json

import torch

from pieces import UNSPACED, Pieces

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def kept_pieces(pretrained, texts, most):
    """texts: (words, weight) -> pieces of the pretrained vocabulary, most frequent first, at most `most`"""
    pieces = Pieces(pretrained)
    words = collections.Counter()
    for text, weight in texts:
        for word in text.split(" "):
            if word:
                words[word] += weight
    counts = collections.Counter()
    for word, count in words.items():
        for number in pieces.of_word(word):
            counts[pretrained[number]] += count
    letters = [piece for piece in pretrained if piece.isascii() and len(piece.removeprefix("##")) == 1]
    ordered = [piece for piece, _ in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))]
    kept = list(dict.fromkeys(SPECIAL + letters + [piece for piece in ordered if piece not in SPECIAL]))
    return kept[:most]


def merged_pieces(words, most):
    """Byte-pair merges over words with counts (Sennrich et al., ACL 2016) -> pieces, `##` where they go on with a word, by the order of merging"""
    spelled, counts = [], []
    for word, count in sorted(words.items()):
        if word.startswith(UNSPACED):
            parts = list(word[1:])
        else:
            parts = [word[0]] + ["##" + letter for letter in word[1:]]
        spelled.append(parts)
        counts.append(count)
    letters = collections.Counter()
    for parts, count in zip(spelled, counts):
        for part in parts:
            letters[part] += count
    pairs, where = collections.Counter(), collections.defaultdict(set)
    for number, parts in enumerate(spelled):
        for pair in zip(parts, parts[1:]):
            pairs[pair] += counts[number]
            where[pair].add(number)
    heap = [(-count, pair) for pair, count in pairs.items()]
    heapq.heapify(heap)
    found = [letter for letter, count in sorted(letters.items(), key=lambda entry: (-entry[1], entry[0])) if count >= 3]
    known = set(found)
    while heap and len(found) < most:
        count, pair = heapq.heappop(heap)
        if -count != pairs.get(pair, 0):
            continue
        if -count < 3:
            break
        one, other = pair
        joined = one + other.removeprefix("##") if other.startswith("##") else one + other
        if joined not in known:
            known.add(joined)
            found.append(joined)
        changed = set()
        for number in where.pop(pair):
            parts, own = spelled[number], counts[number]
            for old in zip(parts, parts[1:]):
                pairs[old] -= own
                changed.add(old)
            new, at = [], 0
            while at < len(parts):
                if at + 1 < len(parts) and (parts[at], parts[at + 1]) == pair:
                    new.append(joined)
                    at += 2
                else:
                    new.append(parts[at])
                    at += 1
            spelled[number] = new
            for fresh in zip(new, new[1:]):
                pairs[fresh] += own
                where[fresh].add(number)
                changed.add(fresh)
        pairs.pop(pair, None)
        for each in changed:
            if pairs.get(each, 0) > 0:
                heapq.heappush(heap, (-pairs[each], each))
    return found


def start_vectors(vocabulary, fixed, translations, targets, pull=1.0, rounds=40):
    """
    vocabulary: all pieces; fixed: {piece: row [384]} of those that keep their pretrained vectors; translations: words of another language;
    targets [n, 384]: the mean pretrained vector of their English. Conjugate gradients over the normal equations; `pull` draws pieces to the mean. -> table [pieces, 384]
    """
    pieces = Pieces(vocabulary)
    bags = [pieces.tokens(words, 24)[1:-1] for words in translations]
    rows = torch.tensor([row for row, bag in enumerate(bags) for _ in bag])
    columns = torch.tensor([number for bag in bags for number in bag])
    shares = torch.tensor([1 / len(bag) for bag in bags for _ in bag])[:, None]
    free = torch.ones(len(vocabulary), 1)
    table = targets.mean(0).repeat(len(vocabulary), 1)
    for piece, row in fixed.items():
        table[pieces.ids[piece]] = row
        free[pieces.ids[piece]] = 0
    means = lambda values: torch.zeros_like(targets).index_add_(0, rows, values[columns] * shares)
    back = lambda values: torch.zeros_like(table).index_add_(0, columns, values[rows] * shares)
    change = torch.zeros_like(table)
    rest = free * back(targets - means(table))
    direction, size = rest.clone(), rest.pow(2).sum()
    for number in range(rounds):
        moved = free * (back(means(direction)) + 0.01 * pull * direction)
        step = size / (direction * moved).sum()
        change += step * direction
        rest -= step * moved
        grown = rest.pow(2).sum()
        direction = rest + grown / size * direction
        size = grown
        if number % 10 == 9:
            print(f"start vectors, round {number + 1}: {(targets - means(table + change)).pow(2).sum(1).mean().item():.4f}", flush=True)
    return table + change
