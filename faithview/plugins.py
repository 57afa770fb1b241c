"""Everything that a plug-in with a judge may import (docs/plugins.md).

These names change only as the changelog says; all other modules of FaithView may change without notice.
"""

from faithview.domain.claim import Claim, Evidence, HallucinationType, Mismatch, Severity, Verdict
from faithview.domain.errors import FaithViewError, InvalidInput, JudgeFailed, JudgeUnavailable
from faithview.domain.result import Result, Usage
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import State
from faithview.domain.spans import Span
from faithview.judges.base import Judge

__all__ = [
    "Chunk",
    "Claim",
    "Evidence",
    "FaithViewError",
    "HallucinationType",
    "InvalidInput",
    "Judge",
    "JudgeFailed",
    "JudgeSpec",
    "JudgeUnavailable",
    "Mismatch",
    "Result",
    "Sample",
    "Severity",
    "Span",
    "State",
    "Usage",
    "Verdict",
]
