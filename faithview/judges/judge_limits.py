"""The limits of the built-in judges, shown wherever a judge is chosen or measured."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from faithview.domain.run import JudgeErrors


@cache
def measured_errors() -> Mapping[str, JudgeErrors]:
    """Return how often judges are wrong on documentation, by the judge's name, with their usual settings.

    `python -m tests.performance.embedded_quality --write` updates it.
    """
    counts = json.loads(files(__package__).joinpath("measured.json").read_bytes())
    return {judge: JudgeErrors(**of_judge) for judge, of_judge in counts.items()}


_ONLY_CHUNKS = "No judge that reads only the retrieved chunks can tell whether the chunks themselves are true."

EMBEDDED = (
    "It reads each claim together with its passages with a small model, which is often wrong: where it matters, check "
    "the claims that it calls supported.",
    "It judges paraphrases with a small reading model, near-copies mostly by their words, and records by rules.",
    "It works out a sum, a difference or a ratio of two numbers. It does not infer anything that needs common "
    "knowledge or several chunks together.",
    "In records and tables it checks yes-or-no fields, opening hours and cells that a claim names by row and "
    "column. It does not check texts in cells or the headings above a table.",
    "It is made for English. It misses irony and hypotheticals.",
    _ONLY_CHUNKS,
)

RULES = (
    "It ranks fluent paraphrases of documentation little better than chance, and may call one that shares few words "
    "with its chunk not_mentioned.",
    "In a short text it compares decisive words such as all, must, only and unless. In a long text it usually misses "
    "a single changed word: on summaries edited that way the judge is little better than chance.",
    "Contradicted means that a value, a name, a negation or a field differs in a sentence that says nearly the "
    "same. In long how-to texts that sentence may belong to another step or recipe, so read both sides.",
    "It does not infer what follows only from arithmetic, common knowledge or several chunks taken together.",
    "In records and tables it checks yes-or-no fields, opening hours and cells that a claim names by row and "
    "column. It does not check texts in cells or the headings above a table.",
    "It is made for English. It sees who did what to whom in simple sentences only, and misses irony and "
    "hypotheticals.",
    _ONLY_CHUNKS,
)

_ONE_PASSAGE = (
    "It reads one claim with one passage at a time, so it misses what follows only from several chunks taken "
    "together, and it does not know what a pronoun in the claim stands for.",
    "It was trained on English, and on texts that may be unlike yours: measure it on your own labels.",
)

NLI = (
    *_ONE_PASSAGE,
    "It sometimes takes two statements about different things for a contradiction. So a chunk with few of the claim's "
    "words never contradicts it.",
    "It never calls a claim partially supported.",
    _ONLY_CHUNKS,
)

SUPPORT_ONLY = (
    *_ONE_PASSAGE,
    "It says only how far a claim is supported: it calls a claim that a chunk denies not_mentioned as well, and never "
    "calls a claim partially supported.",
    _ONLY_CHUNKS,
)

CASCADE = (
    "The default judge alone decides the claims that it is sure of, and is sometimes wrong about those.",
    "The default judge lists the claims: what it does not take for a claim is never sent to the model.",
)

MODEL = (
    "It may give another verdict when asked again; repeats show how often.",
    "It tends to be lenient with fluent text and with answers from its own family of models.",
    "Text under judgement can try to influence it. Such text is marked as data, which helps but is not always enough.",
    "It may know things that the chunks do not say, and count them as support.",
    _ONLY_CHUNKS,
)
