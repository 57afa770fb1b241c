"""The judge's contract: a sample in, a result out."""

from typing import Protocol, runtime_checkable

from faithview.domain.result import Result
from faithview.domain.sample import Sample

# How to install the packages of judges with a local model, as the end of a sentence.
INSTALL_LOCAL = "install the extra 'local', for example with pip install 'faithview[local] @ file:///path/to/the.whl'"


@runtime_checkable
class Judge(Protocol):
    """Something that judges answers.

    A judge is used from one event loop, for any number of answers at a time, and keeps no state between answers. Runs
    with the same `fingerprint` are comparable.
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

        The result's state is the outcome. The caller verifies spans and quotes, and sets the threshold of the result.

        Raises:
            JudgeFailed: the answer could not be judged; the caller stores the text as the row's error.
        """
        ...

    async def aclose(self) -> None:
        """Release connections. Called once, in the loop the judge was used in."""
        ...
