"""
Trains a reader: one tower for requests and cards, InfoNCE over the cards of a batch and one hard negative each (Karpukhin et al., EMNLP 2020),
in both directions. See README.md for the whole recipe.
"""
import json
import os
import time

import torch
from torch import distributed
from torch.nn import functional as F

TEMPERATURE = 0.05


def loss_of(model, queries, cards, hidden):
    """-> loss, share of the queries whose card is first"""
    count = len(queries)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        vectors = model(queries + cards)
    query, card = vectors[:count], vectors[count:]
    scores = query @ card.T / TEMPERATURE
    if hidden:
        rows, columns = torch.tensor(hidden).T
        scores = scores.index_put((rows, columns), torch.tensor(-1e4))
    own = torch.arange(count)
    loss = F.cross_entropy(scores, own) + 0.5 * F.cross_entropy(scores[:, :count].T, own)
    return loss, (scores.argmax(1) == own).float().mean().item()


def share_gradients(model):
    """The mean over all workers, in place."""
    learned = [p for p in model.parameters() if p.requires_grad]
    flat = torch.cat([p.grad.flatten() for p in learned])
    distributed.all_reduce(flat)
    flat /= distributed.get_world_size()
    for p, grad in zip(learned, flat.split([p.numel() for p in learned])):
        p.grad.copy_(grad.view_as(p))


def keep(model, below):
    """So many layers, and what lies under them, are not trained: who reads their rows reads the same as before. 0 trains everything."""
    if below == 0:
        return
    for part in (model.norm, *model.layers[:below]):
        part.requires_grad_(False)
    model.word.requires_grad_(False)
    model.position.requires_grad_(False)


def train(model, sampler, steps, groups, rate, checkpoint, word_rate=None, save_every=100, shares=None, log=print):
    """
    Goes on from the checkpoint where there is one; the same seed and steps give the same weights on the same machine.
    As one worker of a process group, where there is one: each draws batches of its own, the first writes the checkpoint.
    """
    workers = distributed.get_world_size() if distributed.is_initialized() else 1
    worker = distributed.get_rank() if workers > 1 else 0
    learned = {name: p for name, p in model.named_parameters() if p.requires_grad}
    words = [p for name, p in learned.items() if name == "word"]
    body = [p for name, p in learned.items() if name != "word" and p.ndim > 1]
    plain = [p for name, p in learned.items() if name != "word" and p.ndim == 1]
    optimizer = torch.optim.AdamW(
        [
            {"params": body, "peak": rate, "weight_decay": 0.01},
            {"params": plain, "peak": rate, "weight_decay": 0.0},
            {"params": words, "peak": word_rate or rate, "weight_decay": 0.0},
        ],
        lr=rate,
        betas=(0.9, 0.98),
    )
    begin, history = 0, []
    if os.path.exists(checkpoint):
        state = torch.load(checkpoint)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        begin, history = state["step"], state["history"]
        sampler.rng.setstate(state["random"])
        if worker > 0:
            sampler.rng.seed(begin * workers + worker)
        log(f"goes on from step {begin}")
    started = time.time()
    for step in range(begin, steps):
        share = step / steps
        for group in optimizer.param_groups:
            group["lr"] = group["peak"] * min(1, (share + 0.002) / 0.06) * (1 - share) + 1e-7
        batch = sampler.batch(groups) if shares is None else sampler.batch(groups, shares)
        loss, first = loss_of(model, *batch)
        optimizer.zero_grad()
        loss.backward()
        if workers > 1:
            share_gradients(model)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        history.append((loss.item(), first))
        if (step + 1) % 20 == 0 and worker == 0:
            losses, firsts = zip(*history[-20:])
            done = (step + 1 - begin) * len(batch[0]) * workers
            log(f"{time.time() - started:.0f} s, step {step + 1} of {steps}: loss {sum(losses) / 20:.3f}, first {sum(firsts) / 20:.3f}, {done / (time.time() - started):.1f} requests a second")
        if worker == 0 and ((step + 1) % save_every == 0 or step + 1 == steps):
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step + 1, "history": history, "random": sampler.rng.getstate()}
            torch.save(state, checkpoint + ".new")
            os.replace(checkpoint + ".new", checkpoint)
    return history
