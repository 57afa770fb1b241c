"""Which output of an NLI model means what: models have their labels in different orders."""

from collections.abc import Mapping, Sequence

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.local.models.pairs import Meaning
from faithview.judges.local.running.networks import Logits, shares

# Labels by the beginnings of their names, as published models write them.
_NOT_ENTAILED = ("not_entail", "notentail", "non_entail", "not entail", "not-entail")
_ENTAILED = ("entail", "support")
_CONTRADICTED = ("contradict", "refute")
_NEUTRAL = ("neutral", "not enough", "not_enough", "nei")

# Probabilities are rounded, for processors differ in the last digits and so do batches.
DIGITS = 4


def label_order(model: str, id2label: Mapping[int, str], given: Sequence[str]) -> Meaning:
    """Return what turns a model's logits into the probabilities of support and of contradiction.

    `id2label` is the model's configuration, `given` the labels that the user named in its place. A model with two
    labels says nothing of contradictions.

    Raises:
        JudgeUnavailable: the labels do not say which of them means support, or their number is another.
    """
    names = [str(name) for name in given] or [str(id2label[number]) for number in sorted(id2label)]
    if len(names) != len(id2label):
        raise JudgeUnavailable(
            f"The model {model!r} has {len(id2label)} labels, and the option labels names {len(names)}."
        )
    kinds = [_kind(name) for name in names]
    is_whole = kinds.count("entailed") == 1 and kinds.count("contradicted") <= 1
    if not is_whole or None in kinds or (len(kinds) > 2 and "contradicted" not in kinds):
        raise JudgeUnavailable(
            f"The labels of the model {model!r} do not say what they mean: {', '.join(names)}. Name them in their "
            "order: labels=contradiction,entailment,neutral."
        )
    entailed = kinds.index("entailed")
    contradicted = kinds.index("contradicted") if "contradicted" in kinds else None

    def meaning(logits: Logits) -> tuple[float, float | None]:
        found = shares(logits)
        denied = None if contradicted is None else round(float(found[contradicted]), DIGITS)
        return round(float(found[entailed]), DIGITS), denied

    return meaning


def _kind(name: str) -> str | None:
    folded = name.strip().casefold()
    if folded.startswith(_NOT_ENTAILED):
        return "rest"
    if folded.startswith(_ENTAILED):
        return "entailed"
    if folded.startswith(_CONTRADICTED):
        return "contradicted"
    return "rest" if folded.startswith(_NEUTRAL) else None
