"""Which judges and stores work, the state of the service, and errors.

Documents say which variables are set, never their values.
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator

from faithview.documents.base import Count, Document, Number, Part, WithOptional, entry
from faithview.documents.live import ApplicationBacklog
from faithview.domain.claim import Verdict


def _rounded(value: Any) -> Any:
    return round(value, 3) if isinstance(value, float) else value


class _StoreState(Part):
    url: str = entry("The store's address without a password.")
    works: bool = entry("Whether it can be used.")
    schema_found: str | None = entry("Its schema.", "found", name="schema")
    wanted: str = entry("This FaithView's schema.")
    text: str = entry("The same in a sentence.")
    live: list[ApplicationBacklog] = entry("Logged answers that wait, by application.", "backlogs")


class StoreState(_StoreState):
    """A store."""


class _ProjectName(Part):
    project: str = entry("The project.")


class ProjectStore(_StoreState, _ProjectName):
    """A project's store."""


class TestedJudge(Part):
    """A judge's verdict on a test answer."""

    verdict: Verdict | None = entry("Its verdict.")
    expected: Verdict = entry("The correct verdict.")
    seconds: Annotated[Number, BeforeValidator(_rounded)] = entry("How long it took, in seconds.", low=0)
    error: str | None = entry("Why there is no verdict.")
    llm_calls: Count = entry("Calls of a model.", "usage.llm_calls")
    prompt_tokens: Count = entry("Tokens sent.", "usage.prompt_tokens")
    completion_tokens: Count = entry("Tokens received.", "usage.completion_tokens")
    cost_usd: Number | None = entry("The cost in US dollars; null if no price is known.", "usage.cost_usd")
    warnings: list[str] = entry("What is missing from the result.")


class _Works(Part):
    works: bool = entry("Whether it works.")


class EmbeddedState(TestedJudge, _Works):
    """The embedded judge."""


class LocalState(Part):
    """Judges on the user's own hardware."""

    installed: bool = entry("Whether the packages that they need are installed.")
    text: str | None = entry("What is missing.")


class JudgeState(Part):
    """A judge."""

    judge: str = entry("Its name.", "name")
    state: str = entry("Whether it can be used, in one or two words.")
    variables: dict[str, bool] = entry("Its environment variables, and whether they are set.")
    host: str | None = entry("The host that it calls; null if none.")
    models: list[str] | None = entry("The models that the server offers; null if it was not asked.")
    model: str | None = entry("The model that was tested.")
    reply_form: str | None = entry("The form in which the model was asked to reply.")
    fault: str | None = entry("The fault, as a code for programs.")
    error: str | None = entry("The fault, in words.")
    test: TestedJudge | None = entry("Its verdict on a test answer; null if it was not asked.", "tested")
    text: list[str] = entry("The same in sentences.")


class DiagnosisDocument(Document):
    """Which judges are configured and can be reached, and whether the store works."""

    works: bool = entry("Whether everything that is configured works.")
    store: StoreState = entry("The store.")
    projects: list[ProjectStore] = entry("The projects' stores.")
    embedded: EmbeddedState = entry("The embedded judge.")
    local: LocalState = entry("Judges on the user's own hardware.")
    judges: list[JudgeState] = entry("The other judges.")


class StoreSchemaDocument(Document):
    """Which schema a store has, and whether it is damaged."""

    found: str | None = entry("Its schema; null for an empty database.", "current")
    wanted: str = entry("This FaithView's schema.")
    is_current: bool = entry("Whether they are the same.")
    problems: list[str] = entry("The damage that was found.")


class HealthDocument(Document):
    """The service is alive."""

    status: Literal["ok"] = entry('Always "ok".', default="ok")
    version: str = entry("FaithView's version.")


class ReadyDocument(Document):
    """Whether the service can work."""

    ready: bool = entry("Whether judge and store work.")
    judge: bool = entry("Whether the judge works.")
    store: bool = entry("Whether the store works.")


class ErrorDetail(WithOptional, Part):
    """What went wrong."""

    left_out: ClassVar[frozenset[str]] = frozenset({"field"})

    type: str = entry("A name for programs.")
    message: str = entry("What happened and what to do.")
    field: str | None = entry("The field of the request with the error, such as `context.2.text`.", default=None)


class ErrorDocument(Document):
    """The body of every reply that is not a success."""

    error: ErrorDetail = entry("What went wrong.")
