"""A diagnosis as one JSON document. It holds which variables are set, never what they are set to."""

from faithview.documents.diagnosis import (
    DiagnosisDocument,
    EmbeddedState,
    JudgeState,
    LocalState,
    ProjectStore,
    StoreState,
)
from faithview.domain.diagnosis import Diagnosis, JudgeCheck, StoreCheck
from faithview.wording.diagnosis import judge_lines, judge_state, store_words


def diagnosis_document(diagnosis: Diagnosis) -> DiagnosisDocument:
    """Return the document of `faithview doctor --json`."""
    return DiagnosisDocument.of(
        diagnosis,
        store=StoreState.of(diagnosis.store, **_store(diagnosis.store)),
        projects=[ProjectStore.of(store, project=name, **_store(store)) for name, store in diagnosis.projects.items()],
        embedded=EmbeddedState.of(diagnosis.embedded, works=diagnosis.embedded.error is None),
        local=LocalState(installed=diagnosis.local_missing is None, text=diagnosis.local_missing),
        judges=[_judge(check) for check in diagnosis.judges],
    )


def _store(store: StoreCheck) -> dict[str, object]:
    return {"works": store.error is None, "text": store_words(store)}


def _judge(check: JudgeCheck) -> JudgeState:
    return JudgeState.of(
        check,
        state=judge_state(check),
        variables=dict(check.variables),
        error=check.tested.error if check.tested is not None else check.list_error,
        text=judge_lines(check),
    )
