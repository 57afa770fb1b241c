"""Parse and check replies, and find the exact places of quotes. Problems are reported and never patched over."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from faithview.domain.claim import Evidence
from faithview.domain.sample import Sample
from faithview.domain.spans import Span, find_quote, span_at
from faithview.judges.llm.client import Finish, Reply
from faithview.judges.llm.schemas import Quote

_M = TypeVar("_M", bound=BaseModel)
_T = TypeVar("_T")

# A longer list of problems does not help the model.
_PROBLEMS_TOLD = 12

# Some servers without a structured mode put the document into a Markdown code block.
_CODE_BLOCK = re.compile(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)


class Unusable(Exception):
    """A reply cannot be used; `problems` say why, in words for the model that wrote it."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems[:_PROBLEMS_TOLD])


def parse(reply: Reply, schema: type[_M]) -> _M:
    """Return the reply as the schema's object; the whole text must be one JSON document.

    Raises:
        Unusable: the model refused or was cut off, or the text is empty, no JSON, or of another shape.
    """
    if reply.finish is Finish.REFUSED:
        raise Unusable(["the request was refused; only a report about the data is asked for, which is never harmful"])
    if reply.finish is Finish.TRUNCATED:
        raise Unusable(["the reply was cut off before its end; be briefer, and complete"])
    if not reply.text.strip():
        raise Unusable(["the reply was empty"])
    block = _CODE_BLOCK.match(reply.text)
    try:
        return schema.model_validate_json(block[1] if block else reply.text)
    except ValidationError as error:
        raise Unusable([_problem(e["loc"], e["msg"]) for e in error.errors(include_url=False)]) from error


def check_numbers(kind: str, numbers: Iterable[int], expected: int) -> list[str]:
    """Return what is wrong with a list that must name each of 1..expected once."""
    seen = list(numbers)
    problems = [f"there is no {kind} {number}" for number in sorted(set(seen)) if not 1 <= number <= expected]
    problems += [f"{kind} {number} is missing" for number in range(1, expected + 1) if number not in seen]
    problems += [f"{kind} {number} comes more than once" for number in sorted(set(seen)) if seen.count(number) > 1]
    return problems


def check_chunks(where: str, numbers: Iterable[int], sample: Sample) -> list[str]:
    """Return what is wrong with chunk numbers."""
    count = len(sample.chunks)
    return [
        f"{where} names chunk {number}, which does not exist; there are chunks 1 to {count}"
        for number in numbers
        if not 1 <= number <= count
    ]


def by_number(items: Sequence[_T], number: Callable[[_T], int]) -> list[_T]:
    """Return the items in the order of their numbers."""
    return sorted(items, key=number)


def anchor(text: str, quote: str, *, occurrence: int = 1) -> Span | None:
    """Return the place of the quote in the text; None if it is not there, or if several places are possible.

    Models change white space, quotation marks, dashes and capitals, and write dots for omissions; the returned place is
    exact. If the quote occurs only once, a wrong `occurrence` does not matter.
    """
    exact = find_quote(text, quote, occurrence=max(0, occurrence - 1))
    if exact is not None:
        return exact
    pattern = _loose_pattern(quote)
    places = [match.span() for match in pattern.finditer(text)] if pattern else []
    if len(places) == 1:
        return span_at(text, *places[0])
    return span_at(text, *places[occurrence - 1]) if 1 <= occurrence <= len(places) else None


def evidence_from(quotes: Sequence[Quote], sample: Sample) -> tuple[Evidence, ...]:
    """Return quotes as evidence, each with its exact place; a quote that its chunk does not hold stays without one."""
    evidence: list[Evidence] = []
    for item in quotes:
        chunk = sample.chunks[item.chunk - 1]
        span = anchor(chunk.text, item.quote)
        quoted = Evidence(chunk_id=chunk.chunk_id, quote=item.quote if span is None else span.of(chunk.text), span=span)
        if quoted not in evidence:
            evidence.append(quoted)
    return tuple(evidence)


def chunk_ids(numbers: Iterable[int], sample: Sample) -> tuple[str, ...]:
    """Return the ids of the chunks with these numbers, each once, in their order."""
    return tuple(dict.fromkeys(sample.chunks[number - 1].chunk_id for number in numbers))


_ALIKE = {
    **dict.fromkeys("'’‘‛`", "['’‘‛`]"),
    **dict.fromkeys('"“”„«»', '["“”„«»]'),
    **dict.fromkeys("-–—‑−", "[-–—‑−]"),
    "…": r"(?:…|\.\.\.)",
}


# What models put around a quote that is not in the text, or leave off at its ends.
_AT_ENDS = " \t\r\n\"“”„«»'’‘.…"


def _loose_pattern(quote: str) -> re.Pattern[str] | None:
    words = quote.strip(_AT_ENDS).split()
    if not words:
        return None
    core = r"\s+".join("".join(_alike(c) for c in word) for word in words)
    tail = quote.rstrip()[len(quote.rstrip(_AT_ENDS)) :]
    return re.compile(core + "".join(f"(?:{_alike(c)})?" for c in tail if not c.isspace()), re.IGNORECASE)


def _alike(character: str) -> str:
    return _ALIKE.get(character, re.escape(character))


def _problem(place: tuple[int | str, ...], message: str) -> str:
    where = ".".join(str(part) for part in place)
    return f"{where}: {message}" if where else message
