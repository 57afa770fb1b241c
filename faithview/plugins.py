"""Everything that a plug-in may import: formats, judges and exporters (docs/plugins.md).

These names change only as the changelog says; all other modules of FaithView may change without notice.
"""

from typing import TYPE_CHECKING

from faithview.domain.lazy_exports import export_lazily

if TYPE_CHECKING:
    from faithview.domain.claim import Claim, Evidence, HallucinationType, Mismatch, Severity, Verdict
    from faithview.domain.errors import FaithViewError, InvalidInput, JudgeFailed, JudgeUnavailable, UnreadableFile
    from faithview.domain.result import Result, Usage
    from faithview.domain.run import JudgeSpec
    from faithview.domain.sample import Chunk, Sample
    from faithview.domain.scoring import State
    from faithview.domain.spans import Span
    from faithview.formats.exporters.exporter import ExportedRun, Exporter, ExportRow, own_fields
    from faithview.formats.files.report import RowProblem
    from faithview.formats.files.tables import RawRow, Table
    from faithview.formats.reading.reader import (
        Annotation,
        GivenLabel,
        Judged,
        LabelledSpan,
        Match,
        Question,
        Reader,
        Row,
    )
    from faithview.formats.rows.cells import BadCell
    from faithview.formats.rows.mapping import Mapping
    from faithview.judges.base import Judge

__all__ = [
    "Annotation",
    "BadCell",
    "Chunk",
    "Claim",
    "Evidence",
    "ExportRow",
    "ExportedRun",
    "Exporter",
    "FaithViewError",
    "GivenLabel",
    "HallucinationType",
    "InvalidInput",
    "Judge",
    "JudgeFailed",
    "JudgeSpec",
    "JudgeUnavailable",
    "Judged",
    "LabelledSpan",
    "Mapping",
    "Match",
    "Mismatch",
    "Question",
    "RawRow",
    "Reader",
    "Result",
    "Row",
    "RowProblem",
    "Sample",
    "Severity",
    "Span",
    "State",
    "Table",
    "UnreadableFile",
    "Usage",
    "Verdict",
    "own_fields",
]

# Each module is imported with the first of its names: FaithView loads a plug-in with every command that takes one.
_LAZY = {
    "Annotation": "faithview.formats.reading.reader",
    "BadCell": "faithview.formats.rows.cells",
    "Chunk": "faithview.domain.sample",
    "Claim": "faithview.domain.claim",
    "Evidence": "faithview.domain.claim",
    "ExportRow": "faithview.formats.exporters.exporter",
    "ExportedRun": "faithview.formats.exporters.exporter",
    "Exporter": "faithview.formats.exporters.exporter",
    "FaithViewError": "faithview.domain.errors",
    "GivenLabel": "faithview.formats.reading.reader",
    "HallucinationType": "faithview.domain.claim",
    "InvalidInput": "faithview.domain.errors",
    "Judge": "faithview.judges.base",
    "JudgeFailed": "faithview.domain.errors",
    "JudgeSpec": "faithview.domain.run",
    "JudgeUnavailable": "faithview.domain.errors",
    "Judged": "faithview.formats.reading.reader",
    "LabelledSpan": "faithview.formats.reading.reader",
    "Mapping": "faithview.formats.rows.mapping",
    "Match": "faithview.formats.reading.reader",
    "Mismatch": "faithview.domain.claim",
    "Question": "faithview.formats.reading.reader",
    "RawRow": "faithview.formats.files.tables",
    "Reader": "faithview.formats.reading.reader",
    "Result": "faithview.domain.result",
    "Row": "faithview.formats.reading.reader",
    "RowProblem": "faithview.formats.files.report",
    "Sample": "faithview.domain.sample",
    "Severity": "faithview.domain.claim",
    "Span": "faithview.domain.spans",
    "State": "faithview.domain.scoring",
    "Table": "faithview.formats.files.tables",
    "UnreadableFile": "faithview.domain.errors",
    "Usage": "faithview.domain.result",
    "Verdict": "faithview.domain.claim",
    "own_fields": "faithview.formats.exporters.exporter",
}

__getattr__, __dir__ = export_lazily(__name__, _LAZY)
