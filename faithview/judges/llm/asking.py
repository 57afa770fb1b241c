"""One question about one answer: ask the model, check the reply, ask again for what cannot be used, and count.

If a part of a reply can be used (the rulings for ten of twelve claims), the rest alone is asked for again, at most
three times. What a reply can do without (the quote for a verdict) is asked for once more and no more: if it does not
come, the first reply is used. If nothing can be used, the model gets one repair attempt with a list of the problems. If
that reply is broken too, the question is asked once more from the start, again with one repair attempt. Why: if a
server breaks one reply in twenty, two broken replies in a row occur in one of 400 calls, so a run of 100 answers with
200 calls would fail for one answer every other time; four in a row occur in one of 160,000. If the second reply is a
refusal or is cut off, the question is not asked again: the model would do the same, and long replies are expensive.
Complete parts of cut-off replies are used then, and the result says that a part of the answer was not judged. The
client (`Transport`) handles lost connections and error statuses.
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
from faithview.judges.llm.prompts import PromptTemplate, fence_chunks, fence_text
from faithview.judges.llm.replies.find_json import PROMPT_CUT, Repair, Repairs
from faithview.judges.llm.replies.listing import Form, Taken
from faithview.judges.llm.replies.parsing import TakenObject, Unusable
from faithview.judges.llm.replies.schemas import lean_schema

_M = TypeVar("_M", bound=BaseModel)
_Item = TypeVar("_Item", bound=BaseModel)
_T = TypeVar("_T")
_Taken = TypeVar("_Taken", covariant=True)

Check = Callable[[_M], Sequence[str]]

NO_QUESTION = "(No question was given.)"

# After a cut-off reply the limit is doubled, but no model writes more than this for one answer.
_MOST_TOKENS = 64_000

# After two unusable replies, at most two more. What follows a question's id in those of the later calls.
_LATER = ("-again", "-anew", "-anew-again")
_MOST_REPLIES = 1 + len(_LATER)

# English has three to four and a half letters a token, and most languages have fewer. If a server counts far fewer
# tokens for a prompt, it has not read all of it: Ollama reads half of its context then, and replies as if it had read
# everything. In short prompts the rate says little.
_LETTERS_PER_TOKEN = 6
_LEAST_LETTERS = 4_000

# The longest raw reply that is stored for people to read.
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
    """Sends a request to a model, at once or in a batch."""

    async def __call__(self, call: Call) -> Reply:
        """Return the reply.

        Raises:
            JudgeFailed: none came.
        """
        ...


class Taking(Protocol[_Taken]):
    """The usable part of the replies to one question so far."""

    def take(self, reply: Reply, repairs: Repairs) -> _Taken:
        """Return what the replies amount to.

        Raises:
            Unusable: something is missing, or can be better.
        """
        ...

    def settle(self, repairs: Repairs, *, partly: bool) -> _Taken | None:
        """Return what can be used when nothing more is asked for; None if something that decides is missing.

        With `partly`, what was whole in cut-off replies is used.
        """
        ...


@dataclass(slots=True)
class Asker:
    """Asks all questions about one answer and counts calls and repairs. Create one for each answer."""

    sample: Sample
    send: Send
    prompts: Mapping[str, PromptTemplate]
    max_tokens: int
    replies: list[TokenUsage] = field(default_factory=list)
    repairs: Repairs = field(default_factory=Repairs)
    _chunks: str | None = None

    async def ask(
        self,
        step: str,
        schema: type[_M],
        *,
        flaws: Check[_M] = lambda _: (),
        from_text: Callable[[str], _M] | None = None,
        data: Mapping[str, str] | None = None,
        part: int | None = None,
    ) -> _M:
        """Ask one question and return the checked reply.

        Args:
            step: which prompt.
            schema: the reply's shape.
            flaws: returns what is asked for once more, though the reply can be used without it.
            from_text: makes the object from a plain-text reply; None if plain text is not a valid reply.
            data: fenced texts by placeholder, besides chunks, question and answer.
            part: which of several questions of this step it is.

        Raises:
            UnusableReply: neither a reply nor a repaired one could be used.
            JudgeFailed: no reply came.
        """
        taking = TakenObject(schema=schema, flaws=flaws, from_text=from_text)
        return await self._converse(self._call(step, schema, data, part), taking)

    async def ask_list(
        self, step: str, form: Form[_M, _Item], *, data: Mapping[str, str] | None = None
    ) -> tuple[_M, dict[int, _Item]]:
        """Ask a question whose reply is a list; return the reply without it, and the items by their numbers, in order.

        All items are there unless `form.may_be_cut`: then `repairs.is_cut` says whether some are missing.

        Args:
            step: which prompt.
            form: what the list is about.
            data: fenced texts by placeholder, besides chunks, question and answer.

        Raises:
            UnusableReply: some items are still missing after all attempts.
            JudgeFailed: no reply came.
        """
        return await self._converse(self._call(step, form.schema, data), Taken(form))

    def _call(
        self, step: str, schema: type[BaseModel], data: Mapping[str, str] | None, part: int | None = None
    ) -> Call:
        return Call(
            call_id=step if part is None else f"{step}-{part}",
            prompt=self.prompts[step].fill({**self._common(), **(data or {})}),
            schema=schema,
            max_tokens=self.max_tokens,
        )

    async def _converse(self, first: Call, taking: Taking[_T]) -> _T:
        call, count = first, 0
        while True:
            count += 1
            repairs = Repairs()
            try:
                reply = await self._send(call)
            except JudgeFailed:
                settled = taking.settle(repairs, partly=False)
                if settled is None:
                    raise
                self.repairs.add(repairs)
                return settled
            try:
                taken = taking.take(reply, repairs)
            except Unusable as unusable:
                following = _next_call(first, call, reply, unusable, count=count)
                if following is None:
                    settled = taking.settle(repairs, partly=True)
                    if settled is None:
                        reason = _why_given_up(first, reply, unusable, count)
                        raise UnusableReply(reason, raw_reply=reply.text) from unusable
                    self.repairs.add(repairs)
                    return settled
                self.repairs.note(Repair.ASKED_ANEW if unusable.rest is None else Repair.ASKED_AGAIN)
                if unusable.rest is not None:  # a part of it is used
                    self.repairs.add(repairs)
                call = following
            else:
                self.repairs.add(repairs)
                return taken

    async def _send(self, call: Call) -> Reply:
        reply = await self.send(call)
        self.replies.append(reply.usage)
        self.repairs.prompt_cut = self.repairs.prompt_cut or _prompt_cut(call.prompt, reply.usage)
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
    """Run coroutines at the same time; the first error is raised after all have ended."""
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


def _prompt_cut(prompt: Prompt, usage: TokenUsage) -> str | None:
    """Return a warning if the server counted too few tokens for the prompt; None if not, or if it counts none."""
    text = f"{prompt.instructions}{prompt.context}{prompt.task}"
    if not usage.prompt or len(text) < max(_LEAST_LETTERS, _LETTERS_PER_TOKEN * usage.prompt):
        return None
    letters = sum(character.isalnum() for character in text)
    if letters < max(_LEAST_LETTERS, _LETTERS_PER_TOKEN * usage.prompt):
        return None
    return PROMPT_CUT.format(tokens=usage.prompt, letters=letters)


def _why_given_up(first: Call, reply: Reply, unusable: Unusable, count: int) -> str:
    """Return why a question has no answer after `count` replies, for people."""
    if reply.finish is Finish.REFUSED:
        return f"The model refused the question {first.call_id!r}, {count} times; its reply is stored with the answer."
    if unusable.rest is not None:
        return f"The judge's {count} replies to {first.call_id!r} are incomplete; the last: {unusable}."
    return f"None of the judge's {count} replies to {first.call_id!r} could be used; the last: {unusable}."


def _next_call(first: Call, call: Call, reply: Reply, unusable: Unusable, *, count: int) -> Call | None:
    """Return the next call after the `count`-th reply, which was unusable; None if there is none."""
    if count >= _MOST_REPLIES:
        return None
    call_id = f"{first.call_id}{_LATER[count - 1]}"
    if unusable.rest is not None or count % 2 == 1:
        room = call.max_tokens * 2 if reply.finish is Finish.TRUNCATED else call.max_tokens
        return replace(
            first,
            call_id=call_id,
            prompt=replace(
                first.prompt,
                task=first.prompt.task + _what_was_wrong(first, unusable),
                has_form=unusable.rest is None,
            ),
            max_tokens=min(room, max(call.max_tokens, _MOST_TOKENS)),
        )
    return replace(first, call_id=call_id) if reply.finish is Finish.COMPLETE else None


def _what_was_wrong(call: Call, unusable: Unusable) -> str:
    """Return what to say about a reply; the reply itself is not sent back, as it may be hostile."""
    problems = "\n".join(f"- {problem}" for problem in unusable.problems)
    form = json.dumps(lean_schema(call.schema.model_json_schema()), separators=(",", ":"))
    if unusable.rest is not None:
        return f"\n\n# A part of your earlier reply could not be used\n\n{problems}\n\n{unusable.rest}\n"
    return (
        f"\n\n# Your earlier reply could not be used\n\n{problems}\n\n"
        f"Reply again, with the whole JSON object. Its JSON schema:\n\n{form}\n"
    )
