"""What the built-in judges cannot see. Shown wherever a judge is chosen or measured, and in docs/judges.md."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from faithview.domain.run import JudgeErrors


@cache
def measured_errors() -> Mapping[str, JudgeErrors]:
    """Return how often judges are wrong on documentation, by the judge's name, with their usual settings.

    `python -m tests.performance.embedded_quality --write` counts it anew.
    """
    counts = json.loads(files(__package__).joinpath("measured.json").read_bytes())
    return {judge: JudgeErrors(**of_judge) for judge, of_judge in counts.items()}


_ONLY_CHUNKS = "No judge that reads only the retrieved chunks can tell whether the chunks themselves are true."

EMBEDDED = (
    "It reads each claim beside its passages with a small model, which is often wrong: check a claim that it calls "
    "supported where it matters.",
    "It judges paraphrases with a small reading model, near-copies mostly by their words, and records by rules.",
    "It works out a sum, a difference or a ratio of two numbers. It does not infer anything that needs common "
    "knowledge or several chunks together.",
    "In records and tables it checks yes-or-no fields, opening hours and cells that a claim names by row and "
    "column. It does not check texts in cells or the headings above a table.",
    "It is made for English. It misses irony and hypotheticals.",
    _ONLY_CHUNKS,
)

RULES = (
    "Fluent paraphrases over documentation, as today's assistants write them, it ranks little better than chance; one "
    "that shares few words with its chunk may be called not_mentioned.",
    "Beside a short text it compares the words that decide, such as all, must, only and unless. In a long text a "
    "single changed word is usually missed: on summaries edited that way the judge is little better than chance.",
    "Contradicted means that a value, a name, a negation or a field differs in a sentence that says nearly the "
    "same. In long how-to texts that may be a step or a value of another recipe, so read both sides.",
    "It does not infer what follows only from arithmetic, common knowledge or several chunks taken together.",
    "In records and tables it checks yes-or-no fields, opening hours and cells that a claim names by row and "
    "column. It does not check texts in cells or the headings above a table.",
    "It is made for English. It sees who did what to whom in simple sentences only, and misses irony and "
    "hypotheticals.",
    _ONLY_CHUNKS,
)

_ONE_PASSAGE = (
    "It reads one claim beside one passage at a time, so it misses what follows only from several chunks taken "
    "together, and it does not know what a pronoun in the claim stands for.",
    "It was trained on English, and on texts that may be unlike yours: measure it on your own labels.",
)

NLI = (
    *_ONE_PASSAGE,
    "It takes two statements about different things for a contradiction at times. So a chunk with few of the claim's "
    "words never contradicts it.",
    "It never calls a claim partially supported.",
    _ONLY_CHUNKS,
)

SUPPORT_ONLY = (
    *_ONE_PASSAGE,
    "It says only how far a claim is supported: what a chunk denies is called not_mentioned too, and nothing is called "
    "partially supported.",
    _ONLY_CHUNKS,
)

TOKENS = (
    "It marks words that no chunk supports, and does not tell which chunk supports the others: the quote is the "
    "sentence with most of the claim's words.",
    "It does not tell a contradiction from silence: what a chunk denies is called not_mentioned or "
    "partially_supported.",
    "It was trained on English, and on texts that may be unlike yours: measure it on your own labels.",
    _ONLY_CHUNKS,
)

MODEL = (
    "It may give another verdict when asked again; repeats show how often.",
    "It tends to be lenient with fluent text and with answers from its own family of models.",
    "Text under judgement can try to influence it. Such text is marked as data, which helps but is not always enough.",
    "It may know things that the chunks do not say, and count them as support.",
    _ONLY_CHUNKS,
)
