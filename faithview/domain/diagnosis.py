"""Results of `faithview doctor`: whether the store works, which judges are set up, and which of them answer."""

from dataclasses import dataclass, field
from enum import StrEnum

from faithview.domain.claim import Verdict
from faithview.domain.live import Backlog
from faithview.domain.result import Usage

# Default timeout of a model's server.
DEFAULT_TIMEOUT_S = 60.0


class Fault(StrEnum):
    """Why a model's server gave no usable reply, which tells the user what to check."""

    KEY = "wrong key"
    ACCESS = "no access"
    QUOTA = "no credit"
    RATE_LIMIT = "rate limit"
    MODEL = "no such model"
    ADDRESS = "wrong address"
    NO_MODELS = "no models"
    UNREACHABLE = "unreachable"
    TIMEOUT = "too slow"
    SERVER = "server error"
    REJECTED = "request rejected"
    NO_API = "no API"  # the address answers, but it is not a model's server
    REFUSED = "refusal"
    TRUNCATED = "reply cut off"
    UNUSABLE = "reply is not in the form"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """How a judge ruled on the one claim of the test answer; `verdict` is None if it found no claim or failed.

    `fault` and `error` say why it failed; both are None if it did not. `warnings` are the judge's, about its reply.
    """

    expected: Verdict
    verdict: Verdict | None = None
    seconds: float = 0.0
    usage: Usage = field(default_factory=Usage)
    warnings: tuple[str, ...] = ()
    fault: Fault | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCheck:
    """A judge that asks a server. `variables` maps its environment variables to whether they are set.

    `missing` says what it lacks; None if it is set up. `models` are those that the server lists, None if it was not
    asked or gave no list; `list_fault` and `list_error` say why. `model` is the one that was asked, `reply_form` how
    the form of its reply had to be requested ("schema", "prompt"); `tested` is None if none was asked.
    """

    name: str
    variables: tuple[tuple[str, bool], ...]
    host: str | None
    missing: str | None = None
    models: tuple[str, ...] | None = None
    list_fault: Fault | None = None
    list_error: str | None = None
    model: str | None = None
    reply_form: str | None = None
    tested: Tested | None = None

    @property
    def fault(self) -> Fault | None:
        """Why the judge does not work; None if it works or was not tried. A server does not have to list its models."""
        return self.list_fault if self.tested is None else self.tested.fault


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCheck:
    """The store: its address without a password, its schema (None: it is empty) and the required schema.

    `error` says why it cannot be used. `backlogs` are those of live applications, empty if its schema has none.
    """

    url: str
    found: str | None = None
    wanted: str = ""
    error: str | None = None
    backlogs: tuple[Backlog, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The whole result.

    `embedded` is the default judge's test; `local_missing` says what judges with a local model lack, or None.
    """

    store: StoreCheck
    embedded: Tested
    local_missing: str | None
    judges: tuple[JudgeCheck, ...]

    @property
    def works(self) -> bool:
        """Whether everything that is set up works."""
        tests = [self.store.error, self.embedded.error, *(check.fault for check in self.judges)]
        return all(found is None for found in tests)
