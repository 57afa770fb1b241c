"""FaithView: is every claim of an answer supported by the chunks that were retrieved for it?

from faithview import check
result = check(answer="...", context=["...", "..."], question="...")
result.faithfulness, result.claims[0].verdict, result.claims[0].supporting_chunk_ids
"""

from typing import TYPE_CHECKING

from faithview.version import __version__

if TYPE_CHECKING:
    from faithview.api.check import acheck, check
    from faithview.api.evaluate import DataWarning, aevaluate, evaluate
    from faithview.api.results import ComparedRuns, Evaluation, JudgedAnswer, RunList
    from faithview.api.store import Store, open_store
    from faithview.domain.claim import Claim, Evidence, Verdict
    from faithview.domain.errors import FaithViewError
    from faithview.domain.result import Result, State
    from faithview.domain.sample import Chunk, Sample
    from faithview.live import flush_log, log_answer, log_counts
    from faithview.services.guard.check import GuardCheck
    from faithview.services.guard.correction import Correction
    from faithview.services.guard.generation import (
        Generation,
        GenerationFailed,
        GenerationRequest,
        agenerate_with_validation,
        generate_with_validation,
    )
    from faithview.services.guard.guard import FaithfulnessGuard, GuardBlocked, GuardedAnswer

__all__ = [
    "Chunk",
    "Claim",
    "ComparedRuns",
    "Correction",
    "DataWarning",
    "Evaluation",
    "Evidence",
    "FaithViewError",
    "FaithfulnessGuard",
    "Generation",
    "GenerationFailed",
    "GenerationRequest",
    "GuardBlocked",
    "GuardCheck",
    "GuardedAnswer",
    "JudgedAnswer",
    "Result",
    "RunList",
    "Sample",
    "State",
    "Store",
    "Verdict",
    "__version__",
    "acheck",
    "aevaluate",
    "agenerate_with_validation",
    "check",
    "evaluate",
    "flush_log",
    "generate_with_validation",
    "log_answer",
    "log_counts",
    "open_store",
]

# Everything is imported when it is first used: `import faithview` must stay quick, since pytest loads the plugin in
# every project in whose environment FaithView is installed.
_LAZY = {
    "Chunk": "faithview.domain.sample",
    "Claim": "faithview.domain.claim",
    "ComparedRuns": "faithview.api.results",
    "Correction": "faithview.services.guard.correction",
    "DataWarning": "faithview.api.evaluate",
    "Evaluation": "faithview.api.results",
    "Evidence": "faithview.domain.claim",
    "FaithViewError": "faithview.domain.errors",
    "FaithfulnessGuard": "faithview.services.guard.guard",
    "Generation": "faithview.services.guard.generation",
    "GenerationFailed": "faithview.services.guard.generation",
    "GenerationRequest": "faithview.services.guard.generation",
    "GuardBlocked": "faithview.services.guard.guard",
    "GuardCheck": "faithview.services.guard.check",
    "GuardedAnswer": "faithview.services.guard.guard",
    "JudgedAnswer": "faithview.api.results",
    "Result": "faithview.domain.result",
    "RunList": "faithview.api.results",
    "Sample": "faithview.domain.sample",
    "State": "faithview.domain.scoring",
    "Store": "faithview.api.store",
    "Verdict": "faithview.domain.claim",
    "acheck": "faithview.api.check",
    "aevaluate": "faithview.api.evaluate",
    "agenerate_with_validation": "faithview.services.guard.generation",
    "check": "faithview.api.check",
    "evaluate": "faithview.api.evaluate",
    "flush_log": "faithview.live",
    "generate_with_validation": "faithview.services.guard.generation",
    "log_answer": "faithview.live",
    "log_counts": "faithview.live",
    "open_store": "faithview.api.store",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'faithview' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
