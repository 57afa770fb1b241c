"""The judge that a caller describes with keyword arguments."""

from collections.abc import Mapping
from pathlib import Path

from faithview.domain.arguments import check_arguments
from faithview.domain.run import JudgeSpec
from faithview.services.judge_catalogue import make_spec, read_prompt

__all__ = ["describe_judge"]


def describe_judge(
    judge: str,
    method: str,
    *,
    strictness: str | None,
    prompt: str | Path | None,
    companions: bool,
    options: Mapping[str, str] | None,
) -> JudgeSpec:
    """Return the specification of a judge; the arguments are those of `evaluate`, and so are the errors."""
    check_arguments(
        judge=judge,
        companions=companions,
        optional={"method": method, "strictness": strictness, "prompt": prompt, "options": options},
    )
    return make_spec(
        judge,
        method=method,
        strictness=strictness,
        prompt_text=read_prompt(prompt) if isinstance(prompt, Path) else prompt,
        prompt_name=prompt.stem if isinstance(prompt, Path) else None,
        companions=companions,
        options=options,
    )
