"""Writes a reader as Audition opens it, and reads it back: model.json, weights.safetensors, vocabulary.txt."""
import hashlib
import json
import os

import numpy as np
import torch
from torch import nn

import bert

# Quantiles of a normal distribution, the ends and zero among them (NF4: Dettmers et al., arXiv 2305.14314, appendix E), in 127ths.
LEVELS = np.round(127 * np.array([
    -1.0, -0.6961928, -0.5250731, -0.3949175, -0.2844414, -0.1847734, -0.0910500, 0.0,
    0.0795803, 0.1609302, 0.2461123, 0.3379152, 0.4407098, 0.5626170, 0.7229568, 1.0,
])).astype(np.int8)
MIDDLES = torch.tensor((LEVELS[1:].astype(np.float32) + LEVELS[:-1]) / 2)


def levels_of(rows):
    """[n, 384] -> numbers of levels [n, 384] and the scale of each row [n]"""
    scale = rows.abs().amax(1).clamp(min=1e-9) / 127
    return torch.bucketize((rows / scale[:, None]).contiguous(), MIDDLES), scale


class Rounded(nn.Module):
    """Rows as they are stored in 4 bits; gradients pass as if they were not (straight-through)."""

    def forward(self, rows):
        flat = rows.detach().reshape(-1, rows.shape[-1])
        numbers, scale = levels_of(flat)
        stored = torch.tensor(LEVELS.astype(np.float32))[numbers] * scale[:, None]
        return rows + (stored.view_as(rows) - rows).detach()


def int8_rows(weight):
    scale = weight.abs().amax(1).clamp(min=1e-9) / 127
    return torch.round(weight / scale[:, None]).to(torch.int8).numpy(), scale.numpy().astype(np.float32)


def tensors_of(model, packed=True):
    f = lambda values: values.detach().float().numpy().astype(np.float32)
    tensors = {}
    if packed:
        numbers, scale = levels_of(model.word.detach())
        numbers = numbers.numpy().astype(np.uint8)
        tensors["embeddings.word.packed"] = (numbers[:, 0::2] | (numbers[:, 1::2] << 4)).astype(np.uint8)
        tensors["embeddings.word.levels"] = LEVELS
        tensors["embeddings.word.scale"] = scale.numpy().astype(np.float32)
    else:
        tensors["embeddings.word"], tensors["embeddings.word.scale"] = int8_rows(model.word.detach())
    tensors["embeddings.position"] = f(model.position)
    tensors["embeddings.norm.weight"], tensors["embeddings.norm.bias"] = f(model.norm.weight), f(model.norm.bias)

    def linear(name, weight, bias):
        tensors[name + ".weight"], tensors[name + ".scale"] = int8_rows(weight.detach())
        tensors[name + ".bias"] = f(bias)

    def norm(name, module):
        tensors[name + ".weight"], tensors[name + ".bias"] = f(module.weight), f(module.bias)

    for number, layer in enumerate(model.layers):
        at = f"layers.{number}"
        for part, name in enumerate(("query", "key", "value")):
            rows = slice(part * bert.HIDDEN, (part + 1) * bert.HIDDEN)
            linear(f"{at}.attention.{name}", layer.qkv.weight[rows], layer.qkv.bias[rows])
        linear(at + ".attention.output", layer.out.weight, layer.out.bias)
        norm(at + ".attention.norm", layer.norm)
        linear(at + ".intermediate", layer.up.weight, layer.up.bias)
        linear(at + ".output", layer.down.weight, layer.down.bias)
        norm(at + ".output.norm", layer.norm2)
    return tensors


def write_reader(folder, name, model, vocabulary, card=None, query_limit=96, card_limit=96, packed=True):
    """
    vocabulary: the pieces, in the order of the rows. card: facts for people, put into model.json as they are.
    """
    os.makedirs(folder, exist_ok=True)
    bert.write_safetensors(f"{folder}/weights.safetensors", tensors_of(model, packed))
    with open(f"{folder}/vocabulary.txt", "w", encoding="utf-8") as file:
        file.writelines(piece + "\n" for piece in vocabulary)
    sha = lambda file: hashlib.sha256(open(f"{folder}/{file}", "rb").read()).hexdigest()
    head = {
        "format": "audition-reader/1",
        "name": name,
        "layers": len(model.layers),
        "hidden": bert.HIDDEN,
        "heads": bert.HEADS,
        "intermediate": bert.INTERMEDIATE,
        "positions": len(model.position),
        "tokens": len(vocabulary),
        "epsilon": bert.EPSILON,
        "queryLimit": query_limit,
        "cardLimit": card_limit,
        "files": {file.split(".")[0]: {"file": file, "sha256": sha(file)} for file in ("weights.safetensors", "vocabulary.txt")},
        **({} if card is None else {"card": card}),
    }
    with open(f"{folder}/model.json", "w", encoding="utf-8") as file:
        json.dump(head, file, ensure_ascii=False, indent=2)
        file.write("\n")


def read_reader(folder):
    """-> the model, its pieces"""
    with open(f"{folder}/vocabulary.txt", encoding="utf-8") as file:
        vocabulary = file.read().split("\n")[:-1]
    tensors = {name: torch.from_numpy(values.astype(np.float32)) for name, values in bert.read_safetensors(f"{folder}/weights.safetensors").items()}
    if "embeddings.word.packed" in tensors:
        packed, levels = tensors["embeddings.word.packed"].long(), tensors["embeddings.word.levels"]
        tensors["embeddings.word"] = levels[torch.stack([packed & 15, packed >> 4], -1).flatten(1)]
    rows = lambda name, scale: tensors[name] * tensors[scale][:, None]
    model = bert.Reader(len(vocabulary), len([name for name in tensors if name.endswith(".intermediate.weight")]), len(tensors["embeddings.position"]))

    def linear(module, *names):
        module.weight.copy_(torch.cat([rows(name + ".weight", name + ".scale") for name in names]))
        module.bias.copy_(torch.cat([tensors[name + ".bias"] for name in names]))

    def norm(module, name):
        module.weight.copy_(tensors[name + ".weight"])
        module.bias.copy_(tensors[name + ".bias"])

    with torch.no_grad():
        model.word.copy_(rows("embeddings.word", "embeddings.word.scale"))
        model.position.copy_(tensors["embeddings.position"])
        norm(model.norm, "embeddings.norm")
        for number, layer in enumerate(model.layers):
            at = f"layers.{number}"
            linear(layer.qkv, *(f"{at}.attention.{part}" for part in ("query", "key", "value")))
            linear(layer.out, at + ".attention.output")
            norm(layer.norm, at + ".attention.norm")
            linear(layer.up, at + ".intermediate")
            linear(layer.down, at + ".output")
            norm(layer.norm2, at + ".output.norm")
    return model, vocabulary
