"""Every error FaithView raises on purpose.

FaithViewError                what happened, with which value, what to do next
├── InvalidInput              something a caller or a user gave cannot be used
│   ├── InvalidSample         one row: no answer, a character that cannot be stored, ...
│   ├── MissingColumn         a file with no known column for its answers or chunks
│   └── UnreadableFile        a whole file: empty, binary, unknown format, no usable row
├── NotFound                  a run, a row or a claim that is not in the store
├── JudgeUnavailable          unknown judge, missing extra, missing key
├── JudgeFailed               a judge could not judge one answer; becomes a `failed` row
├── PullFailed                another tool's server refuses, is unreachable or sends an unreadable reply
├── RunConflict               a run is in a state that does not allow what was asked
└── StoreError                the database cannot be used
    ├── StoreReplaced         another file is in its place since it was opened
    └── StoreTooNew           it was written by a newer FaithView
"""


class FaithViewError(Exception):
    """Base of all expected errors; its text can be shown to a user unchanged."""


class InvalidInput(FaithViewError):
    """Something that was given cannot be used."""


class InvalidSample(InvalidInput):
    """One row cannot become a sample."""


class MissingColumn(InvalidInput):
    """No column of a file is mapped to a required field.

    Attributes:
        field: the field, "answer" or "contexts".
        question: the question for the column.
        columns: the file's columns, as a part of a sentence.
    """

    def __init__(self, field: str, *, question: str, columns: str) -> None:
        """Take the parts of the message."""
        super().__init__(f"{question} {columns[:1].upper()}{columns[1:]}")
        self.field = field
        self.question = question
        self.columns = columns


class UnreadableFile(InvalidInput):
    """A file as a whole cannot be read."""


class NotFound(FaithViewError):
    """The requested object is not in the store."""


class JudgeUnavailable(FaithViewError):
    """A judge cannot be built: its name is unknown, or its extra or key is missing."""


class JudgeFailed(FaithViewError):
    """A judge could not judge one answer."""


class PullFailed(FaithViewError):
    """Another tool's server refuses, is unreachable or sends an unreadable reply.

    Attributes:
        status: the HTTP status of its answer; None if there was none.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class RunConflict(FaithViewError):
    """The run's state does not allow the request."""


class NotAllowed(FaithViewError):
    """The user may not change the store; the text says why."""


class StoreError(FaithViewError):
    """The database cannot be used."""


class StoreReplaced(StoreError):
    """Another file was put in the place of the database since it was opened."""


class StoreMissing(StoreError):
    """The named store does not exist, and the request does not create one."""


class StoreTooOld(StoreError):
    """The store is too old to be upgraded, or it is shared and must be migrated explicitly."""


class StoreTooNew(StoreError):
    """The database was written by a newer FaithView than this one."""
