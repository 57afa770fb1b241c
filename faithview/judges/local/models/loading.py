"""Each family's loading path: which class, which input, which numbers. They are those of the models' authors."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.local.models.labels import DIGITS, label_order
from faithview.judges.local.models.pairs import Meaning, PairModel
from faithview.judges.local.models.prepared import Prepared, hhem_setting
from faithview.judges.local.models.texts import Texts, load_texts
from faithview.judges.local.models.tokens import TokenModel
from faithview.judges.local.models.weights import load_hhem, load_hhem_with_its_code, load_network
from faithview.judges.local.options import Family, Runtime
from faithview.judges.local.running.batches import Encoded
from faithview.judges.local.running.networks import Forward, Logits, Network, OnnxNetwork, TorchNetwork, shares

# Tokens of a chunk at a time. NLI models are trained on single sentences and lose their way in long premises; MiniCheck
# cuts documents at 400 tokens itself (its T5 at 500 words, about as many as 700 tokens); HHEM reads long texts.
_WINDOWS = {Family.NLI: 256, Family.HHEM: 1024, Family.MINICHECK: 400}
_T5_MINICHECK_WINDOW = 700

# LettuceDetect is trained on inputs of so many tokens, prompt and answer together.
_LETTUCEDETECT_LIMIT = 4096

# The first word pieces of "0" and "1" in T5's vocabulary, which MiniCheck's T5 answers with.
_T5_ZERO, _T5_ONE = 3, 209

_HHEM_PROMPT = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {text1}\n\nHypothesis: {text2}"

_PLACE = re.compile(r"\{(text1|text2)\}")

# Models that count the places of tokens from the padding's number on.
_COUNT_FROM_PADDING = ("roberta", "xlm-roberta", "camembert")

_ONNX_FILES = ("onnx/model.onnx", "model.onnx")


def check(prepared: Prepared) -> None:
    """Raise JudgeUnavailable where the configuration shows that the model is not one for its judge."""
    config, family, model = prepared.config, prepared.options.family, prepared.files.place
    if family is Family.NLI:
        label_order(model, config.id2label, prepared.options.labels)
    elif family is Family.MINICHECK:
        if config.model_type not in ("roberta", "deberta-v2", "t5"):
            raise JudgeUnavailable(
                f"The judge minicheck runs MiniCheck's RoBERTa, DeBERTa and Flan-T5; {model!r} is "
                f"{config.model_type!r}. Bespoke-MiniCheck-7B needs a server of its own."
            )
        if config.model_type != "t5" and config.num_labels != 2:
            raise JudgeUnavailable(f"MiniCheck has two labels, and {model!r} has {config.num_labels}.")
    elif family is Family.LETTUCEDETECT and config.num_labels != 2:
        raise JudgeUnavailable(f"LettuceDetect has two labels, and {model!r} has {config.num_labels}.")


def load_pair_model(prepared: Prepared) -> PairModel:
    """Load a model that reads a claim beside a passage; raises JudgeUnavailable where that cannot be."""
    check(prepared)
    is_t5 = prepared.config.model_type == "t5"
    if prepared.options.family is Family.HHEM:
        return _load_hhem(prepared)
    texts = load_texts(prepared.texts_files, trusts_code=prepared.options.trusts_code)
    if prepared.options.family is Family.MINICHECK:
        return _load_t5_minicheck(prepared, texts) if is_t5 else _load_minicheck(prepared, texts)
    network = _classifier(prepared, texts)
    meaning = label_order(prepared.files.place, prepared.config.id2label, prepared.options.labels)

    def encode(passage: str, claim: str) -> Encoded:
        return Encoded(*texts.pair(passage, claim))  # the premise comes first

    return _pair_model(prepared, texts, network, encode, meaning)


def load_token_model(prepared: Prepared) -> TokenModel:
    """Load a model that marks words of an answer; raises JudgeUnavailable where that cannot be."""
    check(prepared)
    texts = load_texts(prepared.texts_files, trusts_code=prepared.options.trusts_code)
    model = load_network("AutoModelForTokenClassification", prepared)
    most = prepared.options.window or _LETTUCEDETECT_LIMIT
    limit = _limit(prepared.config)
    return TokenModel(
        texts=texts,
        network=_torch_network(prepared, texts, _encoder(model)),
        limit=most if limit is None else min(most, limit),
    )


def _load_hhem(prepared: Prepared) -> PairModel:
    """The prompt is one text; the output at its first token, the prompt's "<pad>", is the answer."""
    texts = load_texts(prepared.texts_files)
    prompt = hhem_setting(prepared.files, "prompt", _HHEM_PROMPT)
    model = load_hhem_with_its_code(prepared) if prepared.options.trusts_code else load_hhem(prepared)

    def forward(tokens: Any, mask: Any, _sides: Any) -> Any:
        logits = model(input_ids=tokens, attention_mask=mask).logits
        return logits[:, 0, :] if logits.ndim == 3 else logits  # the model's own class picks the first token itself

    def encode(passage: str, claim: str) -> Encoded:
        given = {"text1": texts.plain(passage), "text2": texts.plain(claim)}
        return Encoded(texts.prompt_ids(_PLACE.sub(lambda place: given[place[1]], prompt)))

    return _pair_model(prepared, texts, _torch_network(prepared, texts, forward), encode, _second)


def _load_minicheck(prepared: Prepared, texts: Texts) -> PairModel:
    """RoBERTa and DeBERTa read document and claim as one text, with the end mark between them."""
    network = _classifier(prepared, texts)
    first, between, last = texts.special("cls_token"), texts.special("eos_token"), texts.special("sep_token")

    def encode(passage: str, claim: str) -> Encoded:
        return Encoded([first, *texts.ids(passage), between, *texts.ids(claim), last])

    return _pair_model(prepared, texts, network, encode, _second)


def _load_t5_minicheck(prepared: Prepared, texts: Texts) -> PairModel:
    """T5 writes one token, of which only "0" and "1" are compared."""
    import torch

    model = load_network("AutoModelForSeq2SeqLM", prepared)
    end, start = texts.special("eos_token"), prepared.config.decoder_start_token_id

    def forward(tokens: Any, mask: Any, _sides: Any) -> Any:
        begun = torch.full((tokens.shape[0], 1), start, dtype=torch.long, device=tokens.device)
        logits = model(input_ids=tokens, attention_mask=mask, decoder_input_ids=begun).logits
        return logits[:, 0, [_T5_ZERO, _T5_ONE]]

    def encode(passage: str, claim: str) -> Encoded:
        return Encoded([*texts.ids(f"predict: {passage}"), end, *texts.ids(claim), end])

    return _pair_model(prepared, texts, _torch_network(prepared, texts, forward), encode, _second)


def _classifier(prepared: Prepared, texts: Texts) -> Network:
    """Return a classifier of pairs: from the model's ONNX file on a processor, where it has one, else with PyTorch."""
    options = prepared.options
    on_processor = prepared.device.name == "cpu"
    if options.runtime is Runtime.ONNX and not on_processor:
        raise JudgeUnavailable("ONNX Runtime runs on the processor here; write device=cpu with runtime=onnx.")
    if on_processor and options.runtime is not Runtime.TORCH:
        path = _onnx_file(prepared)
        if path is not None:
            most = options.batch_tokens or prepared.device.batch_tokens
            return OnnxNetwork(path, padding=texts.special("pad_token"), batch_tokens=most)
        if options.runtime is Runtime.ONNX:
            raise JudgeUnavailable(
                f"The model {prepared.files.place!r} has no {_ONNX_FILES[0]}; leave the option runtime out."
            )
    model = load_network("AutoModelForSequenceClassification", prepared)
    return _torch_network(prepared, texts, _encoder(model))


def _onnx_file(prepared: Prepared) -> Path | None:
    return next((path for name in _ONNX_FILES if (path := prepared.files.find(name)) is not None), None)


def _encoder(model: Any) -> Forward:
    def forward(tokens: Any, mask: Any, sides: Any) -> Any:
        told = {} if sides is None else {"token_type_ids": sides}
        return model(input_ids=tokens, attention_mask=mask, **told).logits

    return forward


def _torch_network(prepared: Prepared, texts: Texts, forward: Forward) -> TorchNetwork:
    most = prepared.options.batch_tokens
    return TorchNetwork(forward, prepared.device, padding=texts.special("pad_token"), batch_tokens=most)


def _pair_model(
    prepared: Prepared, texts: Texts, network: Network, encode: Callable[[str, str], Encoded], meaning: Meaning
) -> PairModel:
    is_t5_minicheck = prepared.options.family is Family.MINICHECK and prepared.config.model_type == "t5"
    usual = _T5_MINICHECK_WINDOW if is_t5_minicheck else _WINDOWS[prepared.options.family]
    return PairModel(
        texts=texts,
        network=network,
        encode=encode,
        meaning=meaning,
        window=prepared.options.window or usual,
        limit=_limit(prepared.config),
    )


def _limit(config: Any) -> int | None:
    """Return how many tokens a network takes; None for one whose places are relative, which takes any number."""
    if config.model_type == "t5" or (config.model_type == "deberta-v2" and not config.position_biased_input):
        return None
    most: int | None = getattr(config, "max_position_embeddings", None)
    if most is not None and config.model_type in _COUNT_FROM_PADDING:
        most -= int(config.pad_token_id) + 1
    return most


def _second(logits: Logits) -> tuple[float, float | None]:
    """Return the probability of the second label, "supported", of a model that knows no contradiction."""
    return round(float(shares(logits)[1]), DIGITS), None
