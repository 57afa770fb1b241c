"""FaithView: is every claim of an answer supported by the chunks that were retrieved for it?

from faithview import check
result = check(answer="...", context=["...", "..."], question="...")
result.faithfulness, result.claims[0].verdict, result.claims[0].supporting_chunk_ids
"""

from typing import TYPE_CHECKING

from faithview.domain.claim import Claim, Evidence, Verdict
from faithview.domain.errors import FaithViewError
from faithview.domain.result import Result, State
from faithview.domain.sample import Chunk, Sample
from faithview.version import __version__

if TYPE_CHECKING:
    from faithview.api import Evaluation, acheck, check, evaluate, open_store
    from faithview.services.container import Services

__all__ = [
    "Chunk",
    "Claim",
    "Evaluation",
    "Evidence",
    "FaithViewError",
    "Result",
    "Sample",
    "Services",
    "State",
    "Verdict",
    "__version__",
    "acheck",
    "check",
    "evaluate",
    "open_store",
]

# What needs the judges and the store is imported when it is first used: `import faithview` must stay quick.
_LAZY = {
    "Evaluation": "faithview.api",
    "Services": "faithview.services.container",
    "acheck": "faithview.api",
    "check": "faithview.api",
    "evaluate": "faithview.api",
    "open_store": "faithview.api",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'faithview' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
