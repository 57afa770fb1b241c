"""FaithView: is every claim of an answer supported by the chunks that were retrieved for it?

from faithview import check
result = check(answer="...", context=["...", "..."], question="...")
result.faithfulness, result.claims[0].verdict, result.claims[0].supporting_chunk_ids
"""

from typing import TYPE_CHECKING

from faithview.domain.lazy_exports import export_lazily
from faithview.version import __version__

if TYPE_CHECKING:
    from faithview.api.check import acheck, check
    from faithview.api.evaluate import DataWarning, aevaluate, evaluate
    from faithview.api.preflight import preflight
    from faithview.api.results import ComparedRuns, Evaluation, JudgedAnswer, RunList
    from faithview.api.store import Store, open_store
    from faithview.domain.claim import Claim, Evidence, HallucinationType, Mismatch, Severity, Verdict
    from faithview.domain.errors import (
        FaithViewError,
        InvalidInput,
        InvalidSample,
        JudgeUnavailable,
        NotFound,
        StoreError,
    )
    from faithview.domain.live import LogLimits
    from faithview.domain.result import Result, Usage
    from faithview.domain.run import RunSummary
    from faithview.domain.sample import Chunk, Sample
    from faithview.domain.scoring import Interval, RunScore, State
    from faithview.live import configure_log, flush_log, log_answer, log_counts
    from faithview.services.guard.check import GuardCheck, Issue
    from faithview.services.guard.correction import Correction, Edit
    from faithview.services.guard.generation import (
        Attempt,
        Generation,
        GenerationFailed,
        GenerationRequest,
        agenerate_with_validation,
        generate_with_validation,
    )
    from faithview.services.guard.guard import FaithfulnessGuard, GuardBlocked, GuardedAnswer
    from faithview.services.live.logger import LogCounts

__all__ = [
    "Attempt",
    "Chunk",
    "Claim",
    "ComparedRuns",
    "Correction",
    "DataWarning",
    "Edit",
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
    "HallucinationType",
    "Interval",
    "InvalidInput",
    "InvalidSample",
    "Issue",
    "JudgeUnavailable",
    "JudgedAnswer",
    "LogCounts",
    "LogLimits",
    "Mismatch",
    "NotFound",
    "Result",
    "RunList",
    "RunScore",
    "RunSummary",
    "Sample",
    "Severity",
    "State",
    "Store",
    "StoreError",
    "Usage",
    "Verdict",
    "__version__",
    "acheck",
    "aevaluate",
    "agenerate_with_validation",
    "check",
    "configure_log",
    "evaluate",
    "flush_log",
    "generate_with_validation",
    "log_answer",
    "log_counts",
    "open_store",
    "preflight",
]

# Everything is imported when it is first used: `import faithview` must stay quick, since pytest loads the plugin in
# every project in whose environment FaithView is installed.
_LAZY = {
    "Attempt": "faithview.services.guard.generation",
    "Chunk": "faithview.domain.sample",
    "Claim": "faithview.domain.claim",
    "ComparedRuns": "faithview.api.results",
    "Correction": "faithview.services.guard.correction",
    "DataWarning": "faithview.api.evaluate",
    "Edit": "faithview.services.guard.correction",
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
    "HallucinationType": "faithview.domain.claim",
    "Interval": "faithview.domain.scoring",
    "InvalidInput": "faithview.domain.errors",
    "InvalidSample": "faithview.domain.errors",
    "Issue": "faithview.services.guard.check",
    "JudgeUnavailable": "faithview.domain.errors",
    "JudgedAnswer": "faithview.api.results",
    "LogCounts": "faithview.services.live.logger",
    "LogLimits": "faithview.domain.live",
    "Mismatch": "faithview.domain.claim",
    "NotFound": "faithview.domain.errors",
    "Result": "faithview.domain.result",
    "RunList": "faithview.api.results",
    "RunScore": "faithview.domain.scoring",
    "RunSummary": "faithview.domain.run",
    "Sample": "faithview.domain.sample",
    "Severity": "faithview.domain.claim",
    "State": "faithview.domain.scoring",
    "Store": "faithview.api.store",
    "StoreError": "faithview.domain.errors",
    "Usage": "faithview.domain.result",
    "Verdict": "faithview.domain.claim",
    "acheck": "faithview.api.check",
    "aevaluate": "faithview.api.evaluate",
    "agenerate_with_validation": "faithview.services.guard.generation",
    "check": "faithview.api.check",
    "configure_log": "faithview.live",
    "evaluate": "faithview.api.evaluate",
    "flush_log": "faithview.live",
    "generate_with_validation": "faithview.services.guard.generation",
    "log_answer": "faithview.live",
    "log_counts": "faithview.live",
    "open_store": "faithview.api.store",
    "preflight": "faithview.api.preflight",
}

__getattr__, __dir__ = export_lazily(__name__, _LAZY)
