"""What a test judged, on its way from the process of the test to the one that stores it."""

import base64
import pickle
from dataclasses import dataclass
from hashlib import sha256

from faithview.domain.result import Result
from faithview.domain.sample import Sample

__all__ = ["RecordedAnswer", "pack", "row_name", "unpack"]

# A key or a segment of a sample can be 500 characters long, and "#2" may be added to a key.
_MOST_CHARACTERS = 480
_DIGEST = 12


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """One answer of a test, judged."""

    sample: Sample
    result: Result


def pack(answer: RecordedAnswer) -> str:
    """Return the answer as text, for a test's report: pytest-xdist sends those from process to process."""
    return base64.b64encode(pickle.dumps(answer)).decode("ascii")


def unpack(text: str) -> RecordedAnswer:
    """Return the answer that was packed."""
    answer: RecordedAnswer = pickle.loads(base64.b64decode(text))  # noqa: S301 - from a process of this very session
    return answer


def row_name(text: str) -> str:
    """Return a test's id, or a segment, as a store can hold it: what is too long keeps its beginning and a digest."""
    clean = text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")
    if len(clean) <= _MOST_CHARACTERS:
        return clean
    digest = sha256(clean.encode()).hexdigest()[:_DIGEST]
    return f"{clean[: _MOST_CHARACTERS - _DIGEST - 1]}~{digest}"
