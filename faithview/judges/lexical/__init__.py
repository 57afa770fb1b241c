"""The embedded judge: offline, deterministic, explains itself.

What it does, in the order of its modules: `abstention` and `claims` split an answer into claims with their places;
`citations` reads which chunks the answer points at; `retrieve` finds the sentences that say most of a claim;
`values`, `names` and `polarity` compare what words alone cannot (numbers, names, negations), and, where a chunk is a
record or a table, `flags` (its yes-or-no fields, by the `topics` they are about), `hours` and `cell_conflicts` what a
claim says of its fields; `denials` looks at what the answer says that the context does not tell; `features` and
`surroundings` sum that up in numbers; `model` turns the numbers into a probability, `pooling` the claims'
probabilities into the answer's, and `verdict` both into verdicts with their reasons: what stands against a chunk is
contradicted, and an answer that is doubtful as a whole has its weakest claims checked. `model.json` holds numbers
only: 400 trees of six questions each, a straight line, and the pooling.

`faithview fit FILE -o model.json` fits it anew to labelled files (`judge_quality/training.py`); the environment's
FAITHVIEW_LEXICAL_MODEL names a model to use in place of the packaged one, and the fingerprint tells them apart.

It compares words. It misses a verb that was replaced by another one from the chunk, and a paraphrase that shares few
words with its source: on one-word edits of summaries it is little better than chance.
"""

import os
from pathlib import Path

from faithview.domain.run import JudgeSpec
from faithview.judges.base import Judge

__all__ = ["MODEL_VARIABLE", "WORKERS_OPTION", "build"]

# Names a model that `faithview fit` wrote, to be used in place of the packaged one.
MODEL_VARIABLE = "FAITHVIEW_LEXICAL_MODEL"


# The judge's only option: in how many processes it judges.
WORKERS_OPTION = "workers"


def build(spec: JudgeSpec) -> Judge:
    """Build the embedded judge. Its only option is `workers`, a number of processes; 1 is this one.

    Raises:
        JudgeUnavailable: the spec carries another option, which this judge would have to ignore, or the model that the
            environment names cannot be used.
    """
    from functools import partial

    from faithview.domain.errors import JudgeUnavailable
    from faithview.judges.lexical.judge import LexicalJudge, judge_with
    from faithview.judges.lexical.model import read_model
    from faithview.judges.parallel import ParallelJudge, read_workers

    unknown = [name for name in spec.options if name != WORKERS_OPTION]
    if unknown:
        raise JudgeUnavailable(f"Judge 'lexical' has no option {unknown[0]!r}; it has only {WORKERS_OPTION!r}.")
    workers = read_workers(spec.options.get(WORKERS_OPTION, "1"))
    path = os.environ.get(MODEL_VARIABLE)
    judge = LexicalJudge(read_model(Path(path)) if path else None)
    return judge if workers == 1 else ParallelJudge(workers, judge, partial(judge_with, path))
