"""The judge's contract: a sample in, a result out."""

from typing import Protocol, runtime_checkable

from faithview.domain.result import Result
from faithview.domain.sample import Sample


@runtime_checkable
class Judge(Protocol):
    """Something that judges answers.

    A judge is used from one event loop, any number of answers at a time. It holds no state that one answer could leave
    for the next. `fingerprint` names exactly what judged: two runs with the same one are comparable.
    """

    @property
    def name(self) -> str:
        """The judge's name as in the contract: "lexical", "openai:MODEL"."""
        ...

    @property
    def fingerprint(self) -> str:
        """Name, version and everything else that can change a verdict, as one short string."""
        ...

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer.

        The result's state says what became of it; spans and quotes are as the judge found them and are verified by the
        caller. The threshold of the result is set by the caller.

        Raises:
            JudgeFailed: the answer could not be judged; the caller records the text as the row's error.
        """
        ...

    async def aclose(self) -> None:
        """Release connections. Called once, in the loop the judge was used in."""
        ...
