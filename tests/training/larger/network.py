"""The larger reader in PyTorch: the first eight layers of all-mpnet-base-v2, three classes, a mark for each word piece.

MPNet has no embedding of sides; `</s>` between the two texts tells them apart. A bias for the distance of two pieces,
the same in every layer, is added to the attention. Embeddings, their norm and that bias are not trained.
"""

import math
from collections.abc import Sequence
from pathlib import Path

import torch
import torch.nn.functional as functional
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from tests.training.network import CLASSES

WIDTH, HEADS, INNER, VOCABULARY, LAYERS = 768, 12, 3072, 30_527, 8
MOST_TOKENS = 448
PADDING = 1
FIRST, SEPARATOR = "<s>", "</s>"
_PLACES = 514
_DISTANCES = 32
_EPSILON = 1e-5
_FAR = -1e9
_NOT_TRAINED = ("words.", "places.", "norm.", "distance.")
_NEW = ("pool.", "classes.", "marks.")  # what all-mpnet-base-v2 has not

# Our names of its parts.
_OUTER_PARTS = {
    "words": "embeddings.word_embeddings",
    "places": "embeddings.position_embeddings",
    "norm": "embeddings.LayerNorm",
    "distance": "encoder.relative_attention_bias",
}
_LAYER_PARTS = {
    "query": "attention.attn.q",
    "key": "attention.attn.k",
    "value": "attention.attn.v",
    "out": "attention.attn.o",
    "attention_norm": "attention.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "norm": "output.LayerNorm",
}


class Layer(nn.Module):
    """Self-attention and a feed-forward net, each with its residual and norm after it."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.attention_norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.inner, self.outer = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=_EPSILON)

    def forward(self, states: Tensor, seen: Tensor, first: int) -> Tensor:
        """Return the states of the `first` places, shape (batch, first, width), after a look at all of them.

        `seen` is added to the attention's scores.
        """

        def heads(part: Tensor) -> Tensor:
            return part.view(*part.shape[:2], HEADS, WIDTH // HEADS).transpose(1, 2)

        key, value = heads(self.key(states)), heads(self.value(states))
        states = states[:, :first]
        query = heads(self.query(states))
        mask = seen[:, :, :first].to(query.dtype)
        looked = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        states = self.attention_norm(states + self.out(looked.transpose(1, 2).reshape(states.shape)))
        return self.norm(states + self.outer(functional.gelu(self.inner(states))))


class Reader(nn.Module):
    """Classes of a pair, from its first token, and for each token the log odds that it is wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(_PLACES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.distance = nn.Embedding(_DISTANCES, HEADS)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.pool = nn.Linear(WIDTH, WIDTH)
        self.classes = nn.Linear(WIDTH, len(CLASSES))
        self.marks = nn.Linear(WIDTH, 1)
        for part in (self.words, self.places, self.norm, self.distance):
            part.requires_grad_(False)

    def forward(self, tokens: Tensor, mask: Tensor, first: int) -> tuple[Tensor, Tensor]:
        """Return the classes' logits, shape (batch, 3), and the `first` tokens' log odds of being wrong.

        The last layer works out these tokens alone: nobody reads the others.
        """
        length = tokens.shape[1]
        states = self.norm(self.words(tokens) + self.places(torch.arange(2, length + 2))[None])
        seen = self.distance(distance_classes(length)).permute(2, 0, 1)[None]
        seen = seen + torch.where(mask[:, None, None, :].bool(), 0.0, _FAR)
        for number, layer in enumerate(self.layers, start=1):
            states = layer(states, seen, length if number < LAYERS else first)
        return self.classes(torch.tanh(self.pool(states[:, 0]))), self.marks(states)[..., 0]


def distance_classes(length: int) -> Tensor:
    """Return MPNet's class, 0 to 31, of each distance of two places: exact up to 7, then logarithmic to 128."""
    at = torch.arange(length)
    back = at[:, None] - at[None, :]
    far = back.abs()
    logarithmic = 8 + (torch.log(far.float().clamp(min=1) / 8) / math.log(16) * 8).long()
    return (back < 0).long() * 16 + torch.where(far < 8, far, logarithmic.clamp(max=15))


def read(start: Path, weights: Sequence[Path] = ()) -> Reader:
    """Return the reader: all-mpnet-base-v2, and over it the mean of files of our weights or of states of training.

    Raises:
        ValueError: parts of the network are in no file.
    """
    stored = load_file(str(start / "model.safetensors"))
    names = dict(_OUTER_PARTS)
    for number in range(LAYERS):
        names |= {f"layers.{number}.{ours}": f"encoder.layer.{number}.{its}" for ours, its in _LAYER_PARTS.items()}
    given = {
        f"{ours}.{kind}": stored[f"{its}.{kind}"]
        for ours, its in names.items()
        for kind in ("weight", "bias")
        if f"{its}.{kind}" in stored
    }
    trained = [_trained(path) for path in weights]
    if trained:
        given |= {name: sum(part[name].float() for part in trained) / len(trained) for name in trained[0]}
    reader = Reader()
    lacking = reader.load_state_dict(given, strict=False).missing_keys
    if any(not name.startswith(_NEW) for name in lacking):
        raise ValueError(f"{start} lacks weights for {lacking}.")
    return reader


def _trained(path: Path) -> dict[str, Tensor]:
    if path.suffix != ".pt":
        return load_file(str(path))
    given: dict[str, Tensor] = torch.load(path)["reader"]
    return given


def precision() -> torch.autocast:
    """Return a context of bfloat16 where the processor multiplies matrices of it; elsewhere 32 bits are quicker."""
    return torch.autocast("cpu", torch.bfloat16, enabled=torch.cpu.get_capabilities()["amx_bf16"])


def own_weights(reader: Reader) -> dict[str, Tensor]:
    """Return what was trained, in 16 bits: all but embeddings, norm and distances."""
    return {name: part.half() for name, part in reader.state_dict().items() if not name.startswith(_NOT_TRAINED)}


def tokenizer(start: Path) -> Tokenizer:
    """Return the tokenizer of all-mpnet-base-v2, which neither cuts nor fills."""
    found = Tokenizer.from_file(str(start / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found
