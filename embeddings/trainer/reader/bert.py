"""A BERT of a few layers whose text vector is the mean over its tokens, as Audition runs it (src/vectors/reader)."""
import json
import math
import struct

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

HIDDEN, HEADS, INTERMEDIATE, EPSILON = 384, 12, 1536, 1e-12
NUMBERS = {"F32": np.float32, "F16": np.float16, "I8": np.int8, "U8": np.uint8, "I64": np.int64}


class Norm(nn.LayerNorm):
    """In 32 bits, whatever the rows have: that is more exact, and on processors it is faster too."""

    def forward(self, x):
        return F.layer_norm(x.float(), self.normalized_shape, self.weight, self.bias, self.eps).to(x.dtype)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.out = nn.Linear(HIDDEN, HIDDEN)
        self.norm = Norm(HIDDEN, EPSILON)
        self.up = nn.Linear(HIDDEN, INTERMEDIATE)
        self.down = nn.Linear(INTERMEDIATE, HIDDEN)
        self.norm2 = Norm(HIDDEN, EPSILON)

    def forward(self, x, bias):
        n, t, _ = x.shape
        q, k, v = self.qkv(x).view(n, t, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) * (1 / math.sqrt(HIDDEN // HEADS)) + bias
        context = (scores.softmax(-1) @ v).transpose(1, 2).reshape(n, t, HIDDEN)
        x = self.norm(x + self.out(context))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Reader(nn.Module):
    """Tokens to unit vectors of 384 values."""

    def __init__(self, tokens, layers=6, positions=128):
        super().__init__()
        self.word = nn.Parameter(torch.zeros(tokens, HIDDEN))
        self.position = nn.Parameter(torch.zeros(positions, HIDDEN))
        self.norm = Norm(HIDDEN, EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.rounded = None  # rows of `word` as they will be stored, where training should know it

    def rows(self, ids):
        rows = F.embedding(ids, self.word)
        return rows if self.rounded is None else self.rounded(rows)

    def chunk(self, rows, lengths):
        """rows [n, t, 384] padded with anything, lengths [n] -> [n, 384] float32"""
        n, t, _ = rows.shape
        dtype = self.layers[0].qkv.weight.dtype if not torch.is_autocast_cpu_enabled() else torch.bfloat16
        seen = torch.arange(t)[None, :] < lengths[:, None]
        bias = torch.zeros(n, 1, 1, t, dtype=dtype).masked_fill(~seen[:, None, None, :], -1e4)
        x = self.norm(rows + self.position[:t]).to(dtype)
        for layer in self.layers:
            x = layer(x, bias)
        weights = seen.float() / lengths[:, None]
        return F.normalize((x.float() * weights[..., None]).sum(1), dim=-1)

    def forward(self, texts, most=4096):
        """Texts as lists of token ids, in any order; texts of like length are computed together."""
        # Rows are taken from the table once: the gradient of a whole table is made once, too.
        used, places_of = torch.unique(torch.tensor([0] + [token for text in texts for token in text]), return_inverse=True)
        table, places_of = self.rows(used), places_of[1:].split([len(text) for text in texts])
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        vectors, places, at = [], [], 0
        while at < len(order):
            # a chunk's padding wastes at most a sixth
            shortest = len(texts[order[at]])
            end = at
            while end < len(order) and len(texts[order[end]]) <= shortest * 1.2 + 2 and (end - at + 1) * len(texts[order[end]]) <= most:
                end += 1
            some = [places_of[place] for place in order[at:end]]
            ids = nn.utils.rnn.pad_sequence(some, batch_first=True)
            vectors.append(self.chunk(F.embedding(ids, table), torch.tensor([len(text) for text in some])))
            places += order[at:end]
            at = end
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(places)] = torch.arange(len(order))
        return torch.cat(vectors)[back]


def read_safetensors(file):
    with open(file, "rb") as handle:
        header = json.loads(handle.read(struct.unpack("<Q", handle.read(8))[0]))
        data = handle.read()
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(data[begin:end], NUMBERS[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def write_safetensors(file, tensors):
    names = {dtype: name for name, dtype in NUMBERS.items()}
    header, at = {}, 0
    for name, values in tensors.items():
        # Rows are read where they lie: each begins at a multiple of 16 bytes.
        at = (at + 15) // 16 * 16
        header[name] = {"dtype": names[values.dtype.type], "shape": list(values.shape), "data_offsets": [at, at + values.nbytes]}
        at += values.nbytes
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-(8 + len(head)) % 64)
    with open(file, "wb") as handle:
        handle.write(struct.pack("<Q", len(head)) + head)
        written = 0
        for name, values in tensors.items():
            begin = header[name]["data_offsets"][0]
            handle.write(b"\0" * (begin - written) + values.tobytes())
            written = begin + values.nbytes


def pretrained(file, kept=None, positions=128, layers=6):
    """all-MiniLM-L6-v2 from its safetensors; `kept` are the rows of its vocabulary that stay, in their new order."""
    t = {name: torch.from_numpy(values.astype(np.float32)) for name, values in read_safetensors(file).items() if values.dtype != np.int64}
    word = t["embeddings.word_embeddings.weight"]
    model = Reader(len(word) if kept is None else len(kept), layers, positions)
    with torch.no_grad():
        model.word.copy_(word if kept is None else word[torch.as_tensor(kept)])
        model.position.copy_(t["embeddings.position_embeddings.weight"][:positions] + t["embeddings.token_type_embeddings.weight"][0])
        copy = lambda module, name: (module.weight.copy_(t[name + ".weight"]), module.bias.copy_(t[name + ".bias"]))
        copy(model.norm, "embeddings.LayerNorm")
        for number, layer in enumerate(model.layers):
            at = f"encoder.layer.{number}."
            for part in ("weight", "bias"):
                getattr(layer.qkv, part).copy_(torch.cat([t[f"{at}attention.self.{name}.{part}"] for name in ("query", "key", "value")]))
            copy(layer.out, at + "attention.output.dense")
            copy(layer.norm, at + "attention.output.LayerNorm")
            copy(layer.up, at + "intermediate.dense")
            copy(layer.down, at + "output.dense")
            copy(layer.norm2, at + "output.LayerNorm")
    return model
