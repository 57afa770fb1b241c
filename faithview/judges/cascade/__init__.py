"""A cascade of two judges: the default judge decides what it is sure of, and a model decides the rest.

`cuts` says which claims the default judge is sure of: those whose probability of support is outside two cuts. `judge`
sends the others to the model, all of an answer's in one call, and puts its verdicts in their place. `shares.json` says
which cuts send about which share of the claims; `python -m tests.performance.cascade_curve --write` writes it.
"""

from typing import cast

from faithview.domain.run import JudgeSpec
from faithview.judges.base import Judge

__all__ = ["SHARE_OPTION", "build", "cuts"]

SHARE_OPTION = "cascade_share"


def build(spec: JudgeSpec) -> Judge:
    """Build the cascade "cascade:JUDGE:MODEL".

    Its own option is `cascade_share`; the judge that it asks gets the others.

    Raises:
        JudgeUnavailable: the other judge cannot be built or cannot rule on given claims, an option cannot be used, or
            the spec has a method, which a cascade does not use.
    """
    from faithview.domain.errors import JudgeUnavailable
    from faithview.judges.capabilities import SupportsVerifying
    from faithview.judges.cascade.cuts import read_cuts
    from faithview.judges.cascade.judge import CascadeJudge
    from faithview.judges.embedded.judge import EmbeddedJudge
    from faithview.judges.registry import build_judge, check_name

    if spec.method != JudgeSpec().method:
        raise JudgeUnavailable(
            f"A cascade asks its model about given claims in one call per answer, so the method {spec.method!r} does "
            f"not apply to {spec.name!r}; leave it out."
        )
    options = dict(spec.options)
    cuts = read_cuts(options.pop(SHARE_OPTION, None))
    asked = build_judge(JudgeSpec(name=spec.name.partition(":")[2], options=options))
    # Not `isinstance`, which looks at every property: a local model's fingerprint reads the model's files.
    if not callable(getattr(asked, "verify", None)):
        raise JudgeUnavailable(
            f"The judge {asked.name!r} lists the claims of an answer itself and cannot rule on given ones, so a "
            "cascade cannot ask it."
        )
    if check_name(spec.name).is_remote:
        from faithview.judges.cascade.llm import LlmCascade  # its validation library is not needed for other models
        from faithview.judges.llm.judge import LlmJudge

        return LlmCascade(EmbeddedJudge(), cast(LlmJudge, asked), cuts)
    return CascadeJudge(EmbeddedJudge(), cast(SupportsVerifying, asked), cuts)
