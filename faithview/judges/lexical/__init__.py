"""The embedded judge: offline, deterministic, explains itself.

What it does, in the order of its packages. `splitting` splits an answer into claims with their places, and reads which
chunks it points at. `passages` finds records and tables in the chunks, cuts the chunks into passages and finds those
that say most of a claim. `comparing` compares what words alone cannot (numbers, dates, names, roles), and finds in
which words a claim departs from a sentence that it nearly repeats; `operators` knows words such as "only" and "unless",
`records` what a claim says of a record's fields or of a table's cells. `analysis` calls them all, for one claim and for
an answer. `scoring` sums a comparison up in figures and turns those into probabilities, of each claim and of the
answer. `verdicts` decides: a claim that conflicts with a chunk is contradicted, and an answer that is doubtful as a
whole has its weakest claims checked. `scoring/model.json` holds numbers only: 400 trees of six questions each, a
straight line, and the pooling; `services/judge_quality/fit.py` makes it.

`faithview fit FILE -o model.json` fits it again to labelled files; the environment's FAITHVIEW_LEXICAL_MODEL names a
model to use in place of the packaged one, and the fingerprint tells them apart.

It compares words. Of a word that was replaced it is sure only where both are of one class ("weeks", "months"), and it
misses a paraphrase that shares few words with its source: on one-word edits of summaries it is little better than
chance.
"""

import os
from pathlib import Path

from faithview.domain.run import JudgeSpec
from faithview.judges.base import Judge

__all__ = ["MODEL_VARIABLE", "WORKERS_OPTION", "analysis", "build", "comparing", "passages"]

# Names a model that `faithview fit` wrote, to be used in place of the packaged one.
MODEL_VARIABLE = "FAITHVIEW_LEXICAL_MODEL"


# The judge's only option: the number of processes.
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
    from faithview.judges.lexical.scoring.model import read_model
    from faithview.judges.parallel import ParallelJudge, read_workers

    unknown = [name for name in spec.options if name != WORKERS_OPTION]
    if unknown:
        raise JudgeUnavailable(f"Judge 'lexical' has no option {unknown[0]!r}; it has only {WORKERS_OPTION!r}.")
    workers = read_workers(spec.options.get(WORKERS_OPTION, "1"))
    path = os.environ.get(MODEL_VARIABLE)
    if path is not None and not path.strip():
        raise JudgeUnavailable(
            f"{MODEL_VARIABLE} is set but empty: set it to the path of a model that `faithview fit` wrote, or unset it."
        )
    judge = LexicalJudge(read_model(Path(path)) if path else None)
    return judge if workers == 1 else ParallelJudge(workers, judge, partial(judge_with, path))
