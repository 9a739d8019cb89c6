"""
Hard negatives that a reader itself ranks high (positive-aware: de Souza Moreira et al., arXiv 2407.15831): cards near to the request, none that is
nearly as near as the card that serves, for those often serve as well.
"""
import torch

MOST, LOOKED_AT, BELOW = 8, 40, 0.95


def vectors_of(model, texts, pieces, limit, size=256):
    tokens = [pieces.tokens(text, limit) for text in texts]
    order = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
    vectors = torch.empty(len(tokens), model.word.shape[1])
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for at in range(0, len(order), size):
            some = order[at : at + size]
            vectors[some] = model([tokens[place] for place in some]).float()
    return vectors


def mined(model, corpus, pieces, limits=(72, 88)):
    """-> {query id: places of cards, nearest first}"""
    cards = vectors_of(model, corpus.cards, pieces, limits[1])
    queries = vectors_of(model, [query["text"] for query in corpus.queries], pieces, limits[0])
    found = {}
    for at in range(0, len(corpus.queries), 512):
        scores = queries[at : at + 512] @ cards.T
        values, places = scores.topk(min(LOOKED_AT, len(corpus.cards)))
        for row, query in enumerate(corpus.queries[at : at + 512]):
            serving = {corpus.cards[place] for place in query["relevant"]}
            highest = BELOW * max(scores[row, place].item() for place in query["relevant"])
            near = [place for value, place in zip(values[row].tolist(), places[row].tolist()) if value < highest and corpus.cards[place] not in serving]
            found[query["id"]] = near[:MOST]
    return found
