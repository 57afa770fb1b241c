"""The embedded judge: the rules of `lexical` and a small model that reads each claim with its passages.

`passages` picks the reader's input, `reader` cuts it into word pieces and runs the network (ONNX, on the processor, in
one thread), `wording` compares a claim's words with its nearest sentence, `combination` turns all findings into one
calibrated probability, and `judge` turns them into verdicts with reasons. `tests/training` makes `reader.onnx`,
`tokenizer.json`, `wording.json` and `combination.json`; the repository's file `NOTICE` names the sources of the weights
and of their training data.
"""

from faithview.domain.run import JudgeSpec
from faithview.judges.base import Judge

__all__ = ["STRICTNESS_OPTION", "build", "reader"]

STRICTNESS_OPTION = "strictness"

# Few machines have more cores.
_MOST_WORKERS = 256


def build(spec: JudgeSpec) -> Judge:
    """Build the judge. Its options are `workers`, a number of threads, and `strictness` (see `Strictness`).

    Raises:
        JudgeUnavailable: the spec carries another option or a value that an option cannot have.
    """
    from faithview.domain.errors import JudgeUnavailable
    from faithview.judges.embedded.combination import Strictness
    from faithview.judges.embedded.judge import EmbeddedJudge

    named = str(spec.options.get(STRICTNESS_OPTION, Strictness.BALANCED.value))
    if named not in {strictness.value for strictness in Strictness}:
        raise JudgeUnavailable(
            f"The strictness cannot be {named!r}; choose one of {', '.join(s.value for s in Strictness)}."
        )
    workers = str(spec.options.get("workers", "1"))
    if not workers.isdecimal() or not 1 <= int(workers) <= _MOST_WORKERS:
        raise JudgeUnavailable(
            f"The embedded judge cannot have {workers} workers; give a number from 1 to {_MOST_WORKERS}."
        )
    return EmbeddedJudge(Strictness(named), workers=int(workers))
