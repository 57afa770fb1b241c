"""One question about one answer: ask the model, read the reply, ask again with what was wrong with it, and count.

A reply that can be used but could be better (a verdict without a quote from a chunk, a list that was cut off) is asked
for once more, and the better of the two is used. So is a reply that is refused. One that cannot be used at all is asked
for up to `TRIES` times: if a server breaks one reply in twenty, two broken ones in a row occur in one of 400 calls, so
a run of 200 calls would lose an answer every other time; four in a row occur in one of 160,000. The client repeats
calls that meet lost connections and error statuses.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import BaseModel

from faithview.domain.diagnosis import Fault
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import REPAIRED
from faithview.domain.sample import Sample
from faithview.judges.llm.client import Call, Finish, Prompt, Reply, TokenUsage
from faithview.judges.llm.prompts import PromptTemplate, fence_chunks, fence_text
from faithview.judges.llm.replies.reading import (
    CUT_OFF,
    Found,
    Repair,
    Repairs,
    Unusable,
    by_number,
    read_reply,
)
from faithview.judges.llm.replies.schemas import lean_schema

_M = TypeVar("_M", bound=BaseModel)

# What of a usable reply is asked for once more; raises Unusable for a reply that cannot be used. The second argument
# says whether its list is cut off.
Flaws = Callable[[_M, bool], Sequence[str]]

# Sends a request to a model, at once or in a batch; raises JudgeFailed if no reply came.
Send = Callable[[Call], Awaitable[Reply]]

NO_QUESTION = "(No question was given.)"
TRIES = 4

# English has three to four and a half letters a token, and most languages have fewer. If a server counts far fewer
# tokens for a prompt, it has not read all of it: Ollama reads half of its context then, and replies as if it had read
# everything. In short prompts the rate says little.
_LETTERS_PER_TOKEN = 6
_LEAST_LETTERS = 4_000

# The longest raw reply that is stored for people to read.
_KEPT_CHARACTERS = 20_000

_FAULTS = {Finish.REFUSED: Fault.REFUSED, Finish.TRUNCATED: Fault.TRUNCATED, Finish.COMPLETE: Fault.UNUSABLE}


class UnusableReply(JudgeFailed):
    """No reply to a question could be used; `raw_reply` is the last one, unchanged, and `fault` its trouble."""

    def __init__(self, text: str, reply: Reply) -> None:
        super().__init__(text)
        self.raw_reply = reply.text[:_KEPT_CHARACTERS]
        self.fault = _FAULTS[reply.finish]


@dataclass(slots=True, kw_only=True)
class Asker:
    """Asks all questions about one answer and counts calls and repairs. Create one for each answer.

    `is_cut` says that a part of the answer was not judged, because replies were cut off; `prompt_cut` is a warning that
    the server probably cut off a prompt.
    """

    sample: Sample
    send: Send
    prompts: Mapping[str, PromptTemplate]
    max_tokens: int
    tries: int = TRIES
    replies: list[TokenUsage] = field(default_factory=list)
    repairs: Repairs = field(default_factory=Repairs)
    is_cut: bool = False
    prompt_cut: str | None = None
    _chunks: str | None = None

    async def ask(
        self,
        step: str,
        schema: type[_M],
        *,
        flaws: Flaws[_M] = lambda value, is_cut: (),
        data: Mapping[str, str] | None = None,
        part: int | None = None,
    ) -> _M:
        """Ask one question and return the checked reply.

        Args:
            step: which prompt.
            schema: the reply's shape.
            flaws: see `Flaws`.
            data: fenced texts by placeholder, besides chunks, question and answer.
            part: which of several questions of this step it is.

        Raises:
            UnusableReply: no reply could be used.
            JudgeFailed: no reply came.
        """
        first = Call(
            call_id=step if part is None else f"{step}-{part}",
            prompt=self.prompts[step].fill({**self._common(), **(data or {})}),
            schema=schema,
            max_tokens=self.max_tokens,
        )
        call, usable, last = first, list[tuple[int, Found[_M]]](), ""
        for count in range(1, self.tries + 1):
            try:
                reply = await self._send(call)
            except JudgeFailed:
                if not usable:
                    raise
                break
            problems: Sequence[str] = ()
            try:
                found = read_reply(reply, schema)
                problems = [*flaws(found.value, found.is_cut), *([CUT_OFF] if found.is_cut else [])]
                usable.append((len(problems), found))
            except Unusable as error:
                problems, last = error.problems, str(error)
            if not problems or (count > 1 and (usable or reply.finish is not Finish.COMPLETE)):
                break
            call = _again(first, reply, problems, count)
        self.repairs[Repair.ASKED_AGAIN] += count - 1
        if not usable:
            raise UnusableReply(_why_given_up(first, reply, last, count), reply)
        _, best = min(usable, key=lambda one: (one[1].is_cut, one[0]))
        self.is_cut |= best.is_cut
        self.repairs[Repair.FORM] += not best.is_exact
        return best.value

    async def ask_list(
        self,
        step: str,
        schema: type[_M],
        noun: str,
        count: int,
        *,
        flaws: Callable[[Any], Sequence[str]] = lambda item: (),
        may_be_cut: bool = True,
        data: Mapping[str, str] | None = None,
    ) -> tuple[_M, dict[int, Any]]:
        """Ask about things 1 to `count`; return the reply, and the items of its list by number, in order.

        Args:
            step: which prompt.
            schema: the reply's shape; its first field is the list.
            noun: what an item is about ("claim"), which is the name of the field with its number too.
            count: how many things there are.
            flaws: what of a usable item is asked for once more.
            may_be_cut: whether a cut-off list is used that does not come to its end when it is asked for again.
            data: fenced texts by placeholder, besides chunks, question and answer.

        Raises:
            JudgeFailed: see `ask`.
        """

        def items(reply: _M, is_cut: bool) -> dict[int, Any]:
            listed = getattr(reply, next(iter(schema.model_fields)))
            return by_number(listed, noun, count, is_cut=is_cut and may_be_cut)

        def flaws_of(reply: _M, is_cut: bool) -> list[str]:
            return [f"{noun} {n} {flaw}" for n, item in items(reply, is_cut).items() for flaw in flaws(item)]

        reply = await self.ask(step, schema, flaws=flaws_of, data=data)
        return reply, items(reply, self.is_cut)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is missing, then one warning for each kind of repair, in a fixed order, with how often it happened."""
        cut = "The judge's replies were cut off, so a part of the answer was not judged." if self.is_cut else None
        repaired = (
            f"{REPAIRED}{kind.value}" + (f" ({self.repairs[kind]} times)." if self.repairs[kind] > 1 else ".")
            for kind in Repair
            if self.repairs[kind]
        )
        return (*filter(None, (self.prompt_cut, cut)), *repaired)

    async def _send(self, call: Call) -> Reply:
        reply = await self.send(call)
        self.replies.append(reply.usage)
        self.prompt_cut = self.prompt_cut or _prompt_cut(call.prompt, reply.usage)
        return reply

    def _common(self) -> dict[str, str]:
        """Return the fenced texts that many prompts need; the chunks are fenced once, for the prompt cache's sake."""
        if self._chunks is None:
            self._chunks = fence_chunks(self.sample.chunks)
        question = self.sample.question
        return {
            "chunks": self._chunks,
            "question": fence_text("question", question) if question else NO_QUESTION,
            "answer": fence_text("answer", self.sample.answer),
        }


async def together(work: Sequence[Coroutine[object, object, Any]]) -> list[Any]:
    """Run coroutines at the same time; the first error is raised after all have ended, for sent calls are paid for."""
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def _again(first: Call, reply: Reply, problems: Sequence[str], count: int) -> Call:
    """Return the question with what was wrong; the reply itself is not sent back, as it may be hostile."""
    listed = "\n".join(f"- {problem}" for problem in problems)
    form = json.dumps(lean_schema(first.schema), separators=(",", ":"))
    told = (
        f"\n\n# Your earlier reply could not be used\n\n{listed}\n\n"
        f"Reply again, with the whole JSON object. Its JSON schema:\n\n{form}\n"
    )
    return replace(
        first,
        call_id=f"{first.call_id}-{count}",
        prompt=replace(first.prompt, task=first.prompt.task + told),
        max_tokens=first.max_tokens * (2 if reply.finish is Finish.TRUNCATED else 1),
    )


def _why_given_up(first: Call, reply: Reply, last: str, count: int) -> str:
    """Return why a question has no answer after `count` replies, for people."""
    times = "once" if count == 1 else f"{count} times"
    if reply.finish is Finish.REFUSED:
        return f"The model refused the question {first.call_id!r} ({times}); its reply is stored with the answer."
    return f"The question {first.call_id!r} was asked {times}, and no reply could be used; the last: {last}."


def _prompt_cut(prompt: Prompt, usage: TokenUsage) -> str | None:
    """Return a warning if the server counted too few tokens for the prompt; None if not, or if it counts none."""
    text = f"{prompt.instructions}{prompt.context}{prompt.task}"
    least = max(_LEAST_LETTERS, _LETTERS_PER_TOKEN * usage.prompt)
    letters = sum(character.isalnum() for character in text) if usage.prompt and len(text) >= least else 0
    if letters < least:
        return None
    return (
        f"The server counted {usage.prompt:,} tokens in a prompt of {letters:,} letters and digits, so it probably cut "
        "the prompt off: give the model a longer context, and judge the answer again without the verdict cache."
    )
