"""The reader's network in PyTorch: BERT with 6 layers of 384 dimensions, three classes, a mark for each word piece."""

import json
from pathlib import Path

import torch
import torch.nn.functional as functional
from safetensors.torch import load_file
from torch import Tensor, nn

WIDTH = 384
_HEADS = 12
_LAYERS = 6
_INNER = 1536
_VOCABULARY = 30_522
_MOST_TOKENS = 512
_EPSILON = 1e-12
CLASSES = ("entailed", "neutral", "contradicted")


class Layer(nn.Module):  # type: ignore[misc]  # its base is Any where types are checked: PyTorch is not installed
    """Self-attention and a feed-forward net, each with its residual and norm after it (as in BERT)."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.attention_norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.inner, self.outer = nn.Linear(WIDTH, _INNER), nn.Linear(_INNER, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return the states, shape (batch, length, width); `mask` is True where a key may be looked at."""
        batch, length, _ = states.shape

        def heads(part: Tensor) -> Tensor:
            return part.view(batch, length, _HEADS, WIDTH // _HEADS).transpose(1, 2)

        looked = functional.scaled_dot_product_attention(
            heads(self.query(states)), heads(self.key(states)), heads(self.value(states)), attn_mask=mask
        )
        joined = looked.transpose(1, 2).reshape(batch, length, WIDTH)
        states = self.attention_norm(states + self.dropout(self.out(joined)))
        inner = functional.gelu(self.inner(states))
        normed: Tensor = self.norm(states + self.dropout(self.outer(inner)))
        return normed


class Reader(nn.Module):  # type: ignore[misc]  # as above
    """Classes of a pair, from its first token, and for each token the log odds that it is wrong."""

    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        self.words = nn.Embedding(_VOCABULARY, WIDTH)
        self.places = nn.Embedding(_MOST_TOKENS, WIDTH)
        self.sides = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(_LAYERS))
        self.pool = nn.Linear(WIDTH, WIDTH)
        self.classes = nn.Linear(WIDTH, len(CLASSES))
        self.marks = nn.Linear(WIDTH, 1)

    def forward(self, tokens: Tensor, sides: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the classes' logits, shape (batch, 3), and the tokens' log odds of being wrong, (batch, length)."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        states = self.words(tokens) + self.places(places)[None] + self.sides(sides)
        states = self.dropout(self.norm(states))
        seen = mask[:, None, None, :].bool()
        for layer in self.layers:
            states = layer(states, seen)
        first = torch.tanh(self.pool(states[:, 0]))
        return self.classes(self.dropout(first)), self.marks(states)[..., 0]


def start_from(folder: Path, dropout: float = 0.1) -> Reader:
    """Return a reader with the weights of a sentence-embedding model in that folder (`model.safetensors`)."""
    shape = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    expected = {"hidden_size": WIDTH, "num_hidden_layers": _LAYERS, "intermediate_size": _INNER}
    if any(shape[name] != value for name, value in expected.items()):
        raise ValueError(f"{folder} holds a network of another shape than {expected}.")
    stored = load_file(str(folder / "model.safetensors"))
    reader = Reader(dropout)
    names = {
        "words": "embeddings.word_embeddings",
        "places": "embeddings.position_embeddings",
        "sides": "embeddings.token_type_embeddings",
        "norm": "embeddings.LayerNorm",
    }
    parts = {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "out": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "inner": "intermediate.dense",
        "outer": "output.dense",
        "norm": "output.LayerNorm",
    }
    for number in range(_LAYERS):
        names |= {f"layers.{number}.{ours}": f"encoder.layer.{number}.{theirs}" for ours, theirs in parts.items()}
    given = {
        f"{ours}.{kind}": stored[f"{theirs}.{kind}"]
        for ours, theirs in names.items()
        for kind in ("weight", "bias")
        if f"{theirs}.{kind}" in stored
    }
    lacking = reader.load_state_dict(given, strict=False).missing_keys
    if any(not name.startswith(("pool.", "classes.", "marks.")) for name in lacking):
        raise ValueError(f"{folder} lacks weights for {lacking}.")
    return reader
