"""One question about one answer: ask the model, check the reply, repair it once, start again at most once, and count.

If a reply cannot be used, the model gets one repair attempt with a list of the problems. If that reply is broken too
(no JSON, a missing field, a number that does not exist), the question is asked once more from the start, again with one
repair attempt. Why: if a server breaks one reply in twenty, two broken replies in a row occur in one of 400 calls, so a
run of 100 answers with 200 calls would fail for one answer every other time; four in a row occur in one of 160,000. If
the second reply is a refusal or is cut off, the question is not asked again: the model would do the same, and long
replies are expensive. The client (`Transport`) handles lost connections and error statuses.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from pydantic import BaseModel

from faithview.domain.errors import JudgeFailed
from faithview.domain.sample import Sample
from faithview.judges.llm.client import Finish, Prompt, Reply, TokenUsage
from faithview.judges.llm.fences import fence_chunks, fence_text
from faithview.judges.llm.parsing import Unusable, parse
from faithview.judges.llm.prompts import PromptTemplate
from faithview.judges.llm.schemas import lean_schema

_M = TypeVar("_M", bound=BaseModel)
_T = TypeVar("_T")

Check = Callable[[_M], Sequence[str]]

NO_QUESTION = "(No question was given.)"

# After a cut-off reply the limit is doubled, but no model writes more than this for one answer.
_MOST_TOKENS = 64_000

# After two unusable replies, at most two more.
_MOST_REPLIES = 4

# A raw reply is stored for people to read.
_KEPT_CHARACTERS = 20_000


class UnusableReply(JudgeFailed):
    """No reply to a question could be used; `raw_reply` is the last one, unchanged."""

    def __init__(self, text: str, *, raw_reply: str) -> None:
        super().__init__(text)
        self.raw_reply = raw_reply[:_KEPT_CHARACTERS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request: `call_id` is unique within an answer and the same whenever the answer is judged again."""

    call_id: str
    prompt: Prompt
    schema: type[BaseModel]
    max_tokens: int


class Send(Protocol):
    """What carries a request to a model: at once, or by way of a batch."""

    async def __call__(self, call: Call) -> Reply:
        """Return the reply.

        Raises:
            JudgeFailed: none came.
        """
        ...


@dataclass(slots=True)
class Asker:
    """Asks all questions about one answer and counts the calls. Create one for each answer."""

    sample: Sample
    send: Send
    prompts: Mapping[str, PromptTemplate]
    max_tokens: int
    replies: list[TokenUsage] = field(default_factory=list)
    _chunks: str | None = None

    async def ask(
        self,
        step: str,
        schema: type[_M],
        *,
        check: Check[_M],
        data: Mapping[str, str] | None = None,
        part: int | None = None,
    ) -> _M:
        """Ask one question and return the checked reply.

        Args:
            step: which prompt.
            schema: the reply's shape.
            check: returns what is wrong with a reply of the right shape, nothing where it can be used.
            data: fenced texts by placeholder, besides chunks, question and answer.
            part: which of several questions of this step it is.

        Raises:
            UnusableReply: neither a reply nor a repaired one could be used.
            JudgeFailed: no reply came.
        """
        first = Call(
            call_id=step if part is None else f"{step}-{part}",
            prompt=self.prompts[step].fill({**self._common(), **(data or {})}),
            schema=schema,
            max_tokens=self.max_tokens,
        )
        call, count = first, 0
        while True:
            count += 1
            reply = await self._send(call)
            try:
                return _checked(reply, schema, check)
            except Unusable as unusable:
                following = _next_call(first, call, reply, unusable, count=count)
                if following is None:
                    reason = f"None of the judge's {count} replies to {step!r} could be used; the last: {unusable}."
                    raise UnusableReply(reason, raw_reply=reply.text) from unusable
                call = following

    async def _send(self, call: Call) -> Reply:
        reply = await self.send(call)
        self.replies.append(reply.usage)
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


async def together(work: Sequence[Coroutine[object, object, _T]]) -> list[_T]:
    """Run coroutines at the same time; the first error is raised once all have ended, so that none is left behind."""
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


def _checked(reply: Reply, schema: type[_M], check: Check[_M]) -> _M:
    parsed = parse(reply, schema)
    problems = check(parsed)
    if problems:
        raise Unusable(problems)
    return parsed


def _next_call(first: Call, call: Call, reply: Reply, unusable: Unusable, *, count: int) -> Call | None:
    """Return what to ask after the `count`-th reply, which could not be used; None where nothing more is asked."""
    if count % 2 == 1:
        return _repair(call, reply, unusable)
    if count >= _MOST_REPLIES or reply.finish is not Finish.COMPLETE:
        return None
    return replace(first, call_id=f"{first.call_id}-anew")


def _repair(call: Call, reply: Reply, unusable: Unusable) -> Call:
    """Return the same question again with what was wrong; the reply itself is not sent back, as it may be hostile."""
    problems = "\n".join(f"- {problem}" for problem in unusable.problems)
    form = json.dumps(lean_schema(call.schema.model_json_schema()), separators=(",", ":"))
    task = (
        f"{call.prompt.task}\n\n# Your earlier reply could not be used\n\n{problems}\n\n"
        f"Reply again, with the whole JSON object. Its JSON schema:\n\n{form}\n"
    )
    room = call.max_tokens * 2 if reply.finish is Finish.TRUNCATED else call.max_tokens
    return replace(
        call,
        call_id=f"{call.call_id}-again",
        prompt=replace(call.prompt, task=task),
        max_tokens=min(room, max(call.max_tokens, _MOST_TOKENS)),
    )
