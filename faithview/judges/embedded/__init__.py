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
_WORKERS_OPTION = "workers"


def build(spec: JudgeSpec) -> Judge:
    """Build the judge. Its options are `workers`, a number of processes, and `strictness` (see `Strictness`).

    Raises:
        JudgeUnavailable: the spec carries another option or a value that an option cannot have.
    """
    from faithview.domain.errors import JudgeUnavailable
    from faithview.judges.embedded.combination import Strictness
    from faithview.judges.embedded.judge import EmbeddedJudge, parallel_judge
    from faithview.judges.parallel import read_workers

    known = (_WORKERS_OPTION, STRICTNESS_OPTION)
    unknown = [name for name in spec.options if name not in known]
    if unknown:
        raise JudgeUnavailable(f"Judge 'embedded' has no option {unknown[0]!r}; it has {' and '.join(known)}.")
    named = str(spec.options.get(STRICTNESS_OPTION, Strictness.BALANCED.value))
    if named not in {strictness.value for strictness in Strictness}:
        raise JudgeUnavailable(
            f"The strictness cannot be {named!r}; choose one of {', '.join(s.value for s in Strictness)}."
        )
    workers = read_workers(spec.options.get(_WORKERS_OPTION, "1"))
    strictness = Strictness(named)
    return EmbeddedJudge(strictness) if workers == 1 else parallel_judge(strictness, workers)
