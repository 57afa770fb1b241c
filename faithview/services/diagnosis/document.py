"""A diagnosis as one JSON document. It holds which variables are set, never what they are set to."""

from collections.abc import Mapping
from typing import Any

from faithview.domain.diagnosis import Diagnosis, JudgeCheck, StoreCheck, Tested
from faithview.wording.diagnosis import judge_lines, judge_state, store_words


def diagnosis_document(diagnosis: Diagnosis) -> Mapping[str, Any]:
    """Return the document of `faithview doctor --json`."""
    return {
        "works": diagnosis.works,
        "store": _store(diagnosis.store),
        "projects": [{"project": name, **_store(store)} for name, store in diagnosis.projects.items()],
        "embedded": {"works": diagnosis.embedded.error is None, **_tested(diagnosis.embedded)},
        "local": {"installed": diagnosis.local_missing is None, "text": diagnosis.local_missing},
        "judges": [_judge(check) for check in diagnosis.judges],
    }


def _store(store: StoreCheck) -> Mapping[str, Any]:
    return {
        "url": store.url,
        "works": store.error is None,
        "schema": store.found,
        "wanted": store.wanted,
        "text": store_words(store),
        "live": [backlog.document() for backlog in store.backlogs],
    }


def _judge(check: JudgeCheck) -> Mapping[str, Any]:
    return {
        "judge": check.name,
        "state": judge_state(check),
        "variables": dict(check.variables),
        "host": check.host,
        "models": None if check.models is None else list(check.models),
        "model": check.model,
        "reply_form": check.reply_form,
        "fault": check.fault,
        "error": check.tested.error if check.tested is not None else check.list_error,
        "test": None if check.tested is None else _tested(check.tested),
        "text": judge_lines(check),
    }


def _tested(tested: Tested) -> dict[str, Any]:
    return {
        "verdict": tested.verdict,
        "expected": tested.expected,
        "seconds": round(tested.seconds, 3),
        "error": tested.error,
        "llm_calls": tested.usage.llm_calls,
        "prompt_tokens": tested.usage.prompt_tokens,
        "completion_tokens": tested.usage.completion_tokens,
        "cost_usd": tested.usage.cost_usd,
        "warnings": list(tested.warnings),
    }
