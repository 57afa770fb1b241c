"""The prompts: versioned files or a user's own, filled so that the data to judge cannot change them.

The data is between marks that it cannot know, so no text can end its own part.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import count
from string import Template
from typing import get_args

from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Chunk, Json
from faithview.judges.llm.client import Prompt
from faithview.judges.llm.replies.schemas import BY_STEP

STRICTNESS = ("strict", "lenient")

# The placeholders that each prompt must contain.
PLACEHOLDERS: Mapping[str, tuple[str, ...]] = {
    "claims_extract": ("question", "answer"),
    "claims_verify": ("chunks", "question", "answer", "claims"),
    "single": ("chunks", "question", "answer"),
    "per_claim": ("chunks", "question", "claim"),
    "nli": ("chunks", "sentences"),
    "sentence": ("chunks", "question", "sentences"),
    "qa_questions": ("question", "answer"),
    "qa_answers": ("chunks", "questions"),
    "qa_compare": ("comparisons",),
    "companions": ("chunks", "question", "answer"),
    "rewrite": ("chunks", "question", "answer", "sentences"),
    "generate": ("chunks", "question", "rejected"),
}

# The newest version of each file; those without a strictness say nothing about what counts as support.
_VERSIONS: Mapping[str, int] = {
    **dict.fromkeys(PLACEHOLDERS, 3),
    **dict.fromkeys(("claims_extract", "claims_verify", "single"), 4),
    "companions": 2,
    "rewrite": 1,
    "generate": 1,
}
_WITHOUT_STRICTNESS = ("claims_extract", "qa_questions", "qa_answers", "companions", "rewrite", "generate")
_RULES = "data.v2.md"
_EXAMPLE = "example.v4.json"

# The steps that a worked example exists for, and the list that its reply has.
EXAMPLES: Mapping[str, str] = {"single": "claims", "claims_extract": "claims", "claims_verify": "rulings"}

# Steps that are asked several times about one answer.
_REPEATED = ("per_claim",)

_LONGEST_TEMPLATE = 100_000  # characters; a longer one is the wrong file
_LONGEST_NAME = 60


@dataclass(frozen=True, kw_only=True)  # without slots: the parts are worked out once
class PromptTemplate:
    """One prompt: `step` says which question of a method it is for, `name` which text it is ("single.strict.v4")."""

    step: str
    name: str
    text: str

    @cached_property
    def sha256(self) -> str:
        """Hash of what is sent besides the data."""
        return hashlib.sha256(f"{_read_prompt(_RULES)}\n{self.text}".encode()).hexdigest()

    @property
    def label(self) -> str:
        """Name and the beginning of the hash: enough to tell any two prompts apart."""
        return f"{self.name}:{self.sha256[:12]}"

    @cached_property
    def instructions(self) -> str:
        """The text before the first placeholder, which is the same for every answer."""
        return f"{_read_prompt(_RULES)}\n{Template(self.text[: self._cuts[0]]).substitute()}"

    def fill(self, values: Mapping[str, str]) -> Prompt:
        """Return the prompt with the values in their places; a value is put in as it is and never looked into."""
        first, second = self._cuts
        return Prompt(
            instructions=self.instructions,
            context=Template(self.text[first:second]).substitute(values),
            task=Template(self.text[second:]).substitute(values),
            reuses_context=self.step in _REPEATED,
        )

    @cached_property
    def _cuts(self) -> tuple[int, int]:
        """Where the instructions end, and where the chunks do if they come first."""
        first = _placeholders(self.text)[0]
        return first.start(), first.end() if first[0] in ("$chunks", "${chunks}") else first.start()


def shipped_prompt(step: str, *, strictness: str = "strict") -> PromptTemplate:
    """Return the newest shipped prompt for a step."""
    variant = "" if step in _WITHOUT_STRICTNESS else f".{strictness}"
    name = f"{step}{variant}.v{_VERSIONS[step]}"
    return PromptTemplate(step=step, name=name, text=_read_prompt(f"{name}.md"))


def with_example(prompt: PromptTemplate) -> PromptTemplate:
    """Return the prompt with the worked example before its data; one for a step without an example is unchanged."""
    if prompt.step not in EXAMPLES:
        return prompt
    text, step = prompt.text, prompt.step
    first = _placeholders(text)[0].start()
    heading = text.rfind("\n#", 0, first)
    at = heading + 1 if heading >= 0 else text.rfind("\n", 0, first) + 1
    example = _write_example(step).replace("$", "$$")
    return PromptTemplate(step=step, name=f"{prompt.name}.example", text=f"{text[:at]}{example}{text[at:]}")


def _write_example(step: str) -> str:
    given = json.loads(_read_prompt(_EXAMPLE))
    schema, field = BY_STEP[step], EXAMPLES[step]
    item = get_args(schema.model_fields[field].annotation)[0]
    items = [
        {name: part for name, part in {"claim": number, **claim}.items() if name in item.model_fields}
        for number, claim in enumerate(given["claims"], start=1)
    ]
    head = {name: given[name] for name in ("abstained", "suggestions") if name in schema.model_fields}
    reply = json.dumps({field: items, **head}, ensure_ascii=False)
    texts = [f"Chunk {number}: {text}" for number, text in enumerate(given["chunks"], start=1)]
    parts = [
        *(texts if "chunks" in PLACEHOLDERS[step] else ()),
        f"Question: {given['question']}",
        f"Answer: {given['answer']}",
        *(f"Claim {n}: {c['text']}" for n, c in enumerate(given["claims"], start=1) if field == "rulings"),
        f"Reply: {reply}",
    ]
    return "# An example, with other texts\n\n" + "\n\n".join(parts) + "\n\n"


def custom_prompt(step: str, text: str, *, name: str = "custom") -> PromptTemplate:
    """Return a user's prompt for a step, its placeholders checked.

    Raises:
        InvalidInput: a placeholder is missing, unknown, malformed or not on a line of its own, or the text is too long;
            says which and how to write it.
    """
    if len(text) > _LONGEST_TEMPLATE:
        raise InvalidInput(f"The prompt has {len(text):,} characters; at most {_LONGEST_TEMPLATE:,} fit.")
    template = Template(text)
    if not template.is_valid():
        at = next(m.start() for m in Template.pattern.finditer(text) if m["invalid"] is not None)
        line = text.count("\n", 0, at) + 1
        raise InvalidInput(f"Line {line} of the prompt has a '$' without a placeholder's name; write '$$' for a '$'.")
    wanted, placeholders = PLACEHOLDERS[step], template.get_identifiers()
    known = ", ".join(f"${name}" for name in wanted)
    for placeholder in wanted:
        if placeholder not in placeholders:
            raise InvalidInput(f"The prompt lacks ${placeholder}; a prompt for {step!r} needs {known}.")
    for placeholder in placeholders:
        if placeholder not in wanted:
            raise InvalidInput(f"The prompt has an unknown placeholder ${placeholder}; {step!r} knows {known}.")
    _check_lines(text)
    # The name is part of the fingerprint, which is one short line.
    return PromptTemplate(step=step, name=" ".join(name.split())[:_LONGEST_NAME] or "custom", text=text)


def _check_lines(text: str) -> None:
    """Raise InvalidInput for a placeholder next to other words: its text comes with fences, each on a separate line."""
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _placeholders(line):
            if line.strip() != match[0]:
                raise InvalidInput(
                    f"Line {number} of the prompt has {match[0]} next to other words. Put it on a separate line: the "
                    "text that replaces it is enclosed in two marker lines."
                )


def _placeholders(text: str) -> list[re.Match[str]]:
    return [match for match in Template.pattern.finditer(text) if match["named"] or match["braced"]]


@lru_cache(maxsize=64)
def _read_prompt(name: str) -> str:
    return files("faithview.judges.llm").joinpath("prompts", name).read_text("utf-8")


_SECRET = secrets.token_bytes(32)
_MARK_CHARACTERS = 12  # 48 bits; an attacker can try only one, and each costs tokens with every text


def fence_chunks(chunks: Sequence[Chunk]) -> str:
    """Return the chunks, numbered from 1 in their order, each between fences. The source's own ids are not sent.

    The same chunks get the same marks in one process, so vendors can cache them.
    """
    texts = [chunk.text for chunk in chunks]
    data = json.dumps(texts).encode()
    marks = (hmac.new(_SECRET, b"%d %b" % (attempt, data), hashlib.sha256).hexdigest() for attempt in count())
    mark = _unused(marks, texts)
    return "\n".join(_fence(f"chunk {number}", text, mark) for number, text in enumerate(texts, start=1))


def fence_text(name: str, text: str) -> str:
    """Return a text between fences of its own."""
    return _fence(name, text, _unused((secrets.token_hex(_MARK_CHARACTERS) for _ in count()), [text]))


def fence_items(name: str, items: Sequence[dict[str, Json]]) -> str:
    """Return a list between fences, as one JSON object per line; escapes keep each text on one line."""
    return fence_text(name, "\n".join(json.dumps(item, ensure_ascii=False) for item in items))


def _fence(name: str, text: str, mark: str) -> str:
    return f"<<<begin {name} {mark}>>>\n{text}\n<<<end {name} {mark}>>>"


def _unused(marks: Iterable[str], texts: Sequence[str]) -> str:
    """Return the beginning of the first mark whose beginning is in none of the texts."""
    beginnings = (mark[:_MARK_CHARACTERS] for mark in marks)
    return next(mark for mark in beginnings if not any(mark in text for text in texts))
