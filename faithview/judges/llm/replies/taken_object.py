"""A reply that is one object: used as it is, or asked for once more where it lacks what it can do without."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic import BaseModel

from faithview.judges.llm.client import Finish, Reply
from faithview.judges.llm.replies.find_json import plain_text
from faithview.judges.llm.replies.parsing import Unusable, parse_once
from faithview.judges.llm.replies.repairs import Repairs

_M = TypeVar("_M", bound=BaseModel)


@dataclass(slots=True, kw_only=True)
class TakenObject(Generic[_M]):
    """What is taken from the replies to one question so far.

    `flaws` returns what is asked for once more, though the object can be used without it. `from_text` makes the object
    of a reply that is plain text; None where plain text is no reply.
    """

    schema: type[_M]
    flaws: Callable[[_M], Sequence[str]]
    from_text: Callable[[str], _M] | None = None
    _flawed: _M | None = None
    _repairs: Repairs = field(default_factory=Repairs)

    def take(self, reply: Reply, repairs: Repairs) -> _M:
        """Return the object; the first one with flaws is used where the second has flaws too or cannot be used.

        Raises:
            Unusable: there is none that can be used, or one with flaws for the first time.
        """
        own = Repairs()
        try:
            parsed, wanted = self._parse(reply, own)
        except Unusable:
            if self._flawed is None:
                raise
            return self._use(self._flawed, repairs)
        flaws = [*wanted, *self.flaws(parsed)]
        if not flaws:
            repairs.add(own)
            return parsed
        if self._flawed is not None:
            return self._use(self._flawed, repairs)
        self._flawed, self._repairs = parsed, own
        raise Unusable(flaws)

    def settle(self, repairs: Repairs, *, partly: bool) -> _M | None:
        """Return the object with flaws if there is one: nothing more is asked for."""
        del partly  # an object that was cut off cannot be used
        return None if self._flawed is None else self._use(self._flawed, repairs)

    def _use(self, flawed: _M, repairs: Repairs) -> _M:
        repairs.add(self._repairs)
        return flawed

    def _parse(self, reply: Reply, repairs: Repairs) -> tuple[_M, list[str]]:
        try:
            return parse_once(reply, self.schema, repairs)
        except Unusable:
            if self.from_text is None or reply.finish is not Finish.COMPLETE:
                raise
            text = plain_text(reply.text, self.schema.model_fields)
            if text is None:
                raise
            return self.from_text(text), []
