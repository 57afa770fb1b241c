"""A model that reads a claim with a passage: how it is loaded, what it is given, and what its numbers mean."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from threading import Lock
from typing import Any, NamedTuple

from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.judges.local.files import FOUNDATION, ModelFiles, find_files, first_line, loading
from faithview.judges.local.options import LocalOptions
from faithview.judges.local.windows import windows
from faithview.judges.text.sentences import Range

# A new number whenever the code changes a verdict.
_RULES = "local/2"

# Tokens of a chunk at a time. NLI models are trained on single sentences and lose their way in long premises; MiniCheck
# cuts documents at 400 tokens itself; HHEM reads long texts.
_WINDOWS = {"nli": 256, "hhem": 1024, "minicheck": 400}

# A passage may have a few tokens more than in its chunk, where the cut is within a character of several tokens.
_SPARE = 8

# Tokens of a batch. A processor gains nothing from larger batches; a GPU needs them to be kept busy.
_CPU_BATCH_TOKENS = 4_096
_GPU_BATCH_TOKENS = 32_768

# Models that count the places of tokens from the padding's number on.
_COUNT_FROM_PADDING = ("roberta", "xlm-roberta", "camembert")

# Probabilities are rounded, for processors differ in the last digits and so do batches.
DIGITS = 4


class Opinion(NamedTuple):
    """What a model says of a claim and one passage `[start, end)` of a chunk, which is given by its number.

    `supported` and `contradicted` are probabilities in [0, 1]; `contradicted` is 0 for a model that cannot tell a
    contradiction from silence.
    """

    chunk: int
    start: int
    end: int
    supported: float
    contradicted: float


@lru_cache(maxsize=1)
def find_model(options: LocalOptions) -> "LocalModel":
    """Return the model; the latest is kept, so a page that builds a judge for each answer does not load it again."""
    return LocalModel(options)


class LocalModel:
    """A model that was found; its weights are loaded when it first reads.

    Judges in several threads may share it. They read one after the other: the tokenizer's padding is a state.
    """

    def __init__(self, options: LocalOptions) -> None:
        """Find the model and read its configuration.

        Raises:
            JudgeUnavailable: the model or the device is not there, or the model is not one for this judge.
        """
        self._options = options
        self._lock = Lock()
        self._is_hhem = options.family == "hhem"
        self._files = self._base = find_files(options.model, options.revision)
        if self._is_hhem:
            # HHEM's repository has weights only; configuration and tokenizer are those of the model it was made from.
            named = json.loads(self._files.config.read_text(encoding="utf-8")).get("foundation", FOUNDATION)
            self._base = find_files(options.foundation or named, None)
        self._config = _read_config(self._base, trusts_code=options.trusts_code)
        if self._is_hhem:
            self._config.num_labels = 2
        self._supported: int = 1
        self._contradicted: int | None = None
        if options.family == "nli":
            self._supported, self._contradicted = label_places(options.model, self._config.id2label, options.labels)
        elif self._config.num_labels != 2:
            raise JudgeUnavailable(
                f"MiniCheck has two labels, and {options.model!r} has {self._config.num_labels}; choose another model."
            )
        self._device = _pick_device(options.device)
        # T5, which HHEM is made from, exceeds the range of half precision.
        self._is_half = self._device != "cpu" and not self._is_hhem

    @property
    def version(self) -> str:
        """All that can change a verdict besides the texts: the code, the model's content, the precision, options."""
        parts = [_RULES, self._files.version]
        if self._is_hhem:
            parts.append(self._base.version)
        if self._is_half:
            parts.append("half")
        if self._options.window is not None:
            parts.append(f"window={self._options.window}")
        if self._options.labels:
            parts.append(f"labels={','.join(self._options.labels)}")
        return "+".join(parts)

    def read(self, claims: Sequence[str], chunks: Sequence[str]) -> list[list[Opinion]]:
        """Return for each claim one opinion a passage, in the order of the chunks.

        Of a claim longer than half of what the model takes, the first half is read.

        Raises:
            JudgeUnavailable: the model cannot be loaded.
            JudgeFailed: the memory is too small.
        """
        with self._lock:
            return self._read(claims, chunks)

    def _read(self, claims: Sequence[str], chunks: Sequence[str]) -> list[list[Opinion]]:
        texts = [self._plain(chunk) for chunk in chunks]
        tokens = [self._tokens(text) for text in texts]
        waiting = [given for number, claim in enumerate(claims) for given in self._inputs(number, claim, texts, tokens)]
        waiting.sort(key=lambda given: -given.tokens)
        most = self._options.batch_tokens or (_CPU_BATCH_TOKENS if self._device == "cpu" else _GPU_BATCH_TOKENS)
        opinions: list[list[Opinion]] = [[] for _ in claims]
        while waiting:
            size = max(1, most // waiting[0].tokens)
            batch, waiting = waiting[:size], waiting[size:]
            for given, shares in zip(batch, self._run(batch), strict=True):
                denied = 0.0 if self._contradicted is None else round(shares[self._contradicted], DIGITS)
                opinion = Opinion(given.chunk, *given.place, round(shares[self._supported], DIGITS), denied)
                opinions[given.claim].append(opinion)
        return [sorted(of_claim) for of_claim in opinions]

    def _inputs(
        self, number: int, claim: str, chunks: Sequence[str], tokens: Sequence[Sequence[Range]]
    ) -> Iterator["_Input"]:
        """Yield the inputs for a claim: one for each window of each chunk."""
        claim, room = self._plain(claim), self._options.window or _WINDOWS[self._options.family]
        limit = _limit(self._config)
        if limit is not None and len(of_claim := self._tokens(claim)) > limit // 2:
            claim = claim[: of_claim[limit // 2][0]]
        beside = len(self._tokenizer(*self._texts("", claim), verbose=False)["input_ids"])
        if limit is not None:
            room = min(room, limit - beside - _SPARE)
        for chunk, text in enumerate(chunks):
            for start, end in windows(text, tokens[chunk], room):
                length = beside + min(room, len(tokens[chunk]))
                yield _Input(number, chunk, (start, end), self._texts(text[start:end], claim), length)

    def _texts(self, passage: str, claim: str) -> tuple[str, ...]:
        """Return what the tokenizer gets, as the authors give it to their model: a text, or a pair of them."""
        if self._is_hhem:
            return (
                f"<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {passage}\n\n"
                f"Hypothesis: {claim}",
            )
        if self._options.family == "minicheck":
            return (f"{passage}{self._tokenizer.eos_token}{claim}",)
        return passage, claim  # the premise comes first

    def _plain(self, text: str) -> str:
        """Return the text, as long as before, without anything that looks like a special token ("[SEP]", "</s>").

        In an answer or a chunk it is data, and would end that text for the model; its first character becomes a space.
        """
        return self._special.sub(lambda found: f" {found[0][1:]}", text)

    def _tokens(self, text: str) -> list[Range]:
        """Return the place of each token in a text."""
        given = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        return [(start, end) for start, end in given["offset_mapping"]]

    def _run(self, batch: Sequence["_Input"]) -> list[list[float]]:
        """Return for each input the probabilities of the labels."""
        import torch

        columns = [list(texts) for texts in zip(*(given.texts for given in batch), strict=True)]
        encoded = self._tokenizer(*columns, padding=True, return_tensors="pt", verbose=False).to(self._device)
        try:
            with torch.inference_mode():
                logits = self._network(**encoded).logits
        except torch.OutOfMemoryError as error:
            raise JudgeFailed(
                f"{self._device} has too little memory for {len(batch)} inputs of {batch[0].tokens:,} tokens; choose a "
                "smaller batch_tokens or window, or device=cpu."
            ) from error
        if self._is_hhem:
            logits = logits[:, 0]  # at the first token, the prompt's "<pad>"
        shares: list[list[float]] = logits.float().softmax(-1).tolist()
        return shares

    @cached_property
    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        with loading(self._base):
            return AutoTokenizer.from_pretrained(
                self._base.place,
                revision=self._base.revision,
                trust_remote_code=self._options.trusts_code,
                padding_side="right",
            )

    @cached_property
    def _special(self) -> re.Pattern[str]:
        names = sorted(map(str, self._tokenizer.all_special_tokens), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, names)))

    @cached_property
    def _network(self) -> Any:
        import torch
        from transformers import AutoModelForSequenceClassification, T5ForTokenClassification

        kind: Any = AutoModelForSequenceClassification
        how: dict[str, Any] = {"trust_remote_code": self._options.trusts_code}
        if self._is_hhem:
            # The class in HHEM's repository does the same and does not load in Transformers 5; its names begin with t5.
            kind, how = T5ForTokenClassification, {"key_mapping": {r"^t5\.": ""}}
        with loading(self._files):
            network, found = kind.from_pretrained(
                self._files.place,
                config=self._config,
                revision=self._files.revision,
                dtype=torch.float16 if self._is_half else torch.float32,
                output_loading_info=True,
                **how,
            )
            network = network.to(self._device).eval()
        # Weights that are missing would be random ones.
        if found["missing_keys"]:
            raise JudgeUnavailable(
                f"The model {self._files.place!r} lacks {min(found['missing_keys'])!r} and so was not trained for this "
                "judge; choose another."
            )
        return network


class _Input(NamedTuple):
    """What is read at once: the numbers of claim and chunk, the passage's place in it, and about how many tokens."""

    claim: int
    chunk: int
    place: Range
    texts: tuple[str, ...]
    tokens: int


def _read_config(files: ModelFiles, *, trusts_code: bool) -> Any:
    from transformers import AutoConfig

    with loading(files):
        return AutoConfig.from_pretrained(files.place, revision=files.revision, trust_remote_code=trusts_code)


# Labels by the beginnings of their names, as published models write them.
_NOT_ENTAILED = ("not_entail", "notentail", "non_entail", "not entail", "not-entail")
_UNKNOWN = ("neutral", "not enough", "not_enough", "nei")
_KINDS = {
    "other": (*_NOT_ENTAILED, *_UNKNOWN),
    "supported": ("entail", "support"),
    "contradicted": ("contradict", "refute"),
}


def label_places(model: str, id2label: dict[int, str], given: Sequence[str]) -> tuple[int, int | None]:
    """Return which of a model's labels means support and which contradiction; None if it has none for that.

    Args:
        model: its name.
        id2label: the labels in its configuration.
        given: the labels that the user named in their place; none for the configuration's.

    Raises:
        JudgeUnavailable: the labels do not say which of them means support, or their number is another.
    """
    names = list(given) or [str(id2label[number]) for number in sorted(id2label)]
    if len(names) != len(id2label):
        raise JudgeUnavailable(
            f"The model {model!r} has {len(id2label)} labels, and the option labels names {len(names)}."
        )
    kinds = [
        next((kind for kind, begins in _KINDS.items() if name.casefold().startswith(begins)), None) for name in names
    ]
    # Of two labels the other one may be "not entailed"; of three, one must be a contradiction.
    denials = kinds.count("contradicted")
    if None in kinds or kinds.count("supported") != 1 or denials > 1 or (len(kinds) > 2 and denials == 0):
        raise JudgeUnavailable(
            f"The labels of the model {model!r} do not say what they mean: {', '.join(names)}. Name them in their "
            "order: labels=contradiction,entailment,neutral."
        )
    return kinds.index("supported"), kinds.index("contradicted") if denials else None


def _pick_device(wanted: str) -> str:
    """Return PyTorch's name of the device: for "auto" an NVIDIA or AMD GPU, else Apple's, else the processor."""
    import torch

    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.empty(0, device=wanted)
    except (RuntimeError, AssertionError) as error:
        raise JudgeUnavailable(
            f"PyTorch finds no device {wanted!r} here ({first_line(error)}); leave the option device out."
        ) from error
    return wanted


def _limit(config: Any) -> int | None:
    """Return how many tokens a network takes; None for one whose places are relative, which takes any number."""
    if config.model_type == "t5" or (config.model_type == "deberta-v2" and not config.position_biased_input):
        return None
    most: int | None = getattr(config, "max_position_embeddings", None)
    if most is not None and config.model_type in _COUNT_FROM_PADDING:
        most -= int(config.pad_token_id) + 1
    return most
