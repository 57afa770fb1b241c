"""The lexical judge: offline, deterministic, explains itself.

Its packages, in the order in which they work:

- `splitting` splits an answer into claims with their places, and finds the chunks that each claim cites.
- `passages` finds records and tables in the chunks, cuts the chunks into passages, and finds the best ones for a claim.
- `comparing` compares numbers, dates, names and roles, and finds the words in which a claim differs from a sentence
  that it nearly repeats.
- `operators` compares words such as "only" and "unless".
- `records` compares a claim with a record's fields or a table's cells.
- `scoring` turns a comparison into figures, and these into the probability of each claim and of the answer.

`analysis` calls them for one claim and for an answer. `verdicts` decides: a claim that conflicts with a chunk is
contradicted, and a doubtful answer has its weakest claims checked. `scoring/model.json` contains only numbers: 400
trees of six questions each, a linear part, and the pooling. `services/judge_quality/fit.py` writes it.

`faithview fit FILE -o model.json` fits the model to labelled files. FAITHVIEW_LEXICAL_MODEL names a model to use
instead of the packaged one; the fingerprint tells them apart.

The judge compares words. It is sure about a replaced word only if both words are of one class ("weeks", "months"), and
it misses paraphrases that share few words with their source. On one-word edits of summaries it is little better than
chance.
"""

import os
from pathlib import Path

from faithview.domain.run import JudgeSpec
from faithview.judges.base import Judge

__all__ = ["MODEL_VARIABLE", "analysis", "build", "comparing", "passages"]

# Names a model that `faithview fit` wrote, to be used in place of the packaged one.
MODEL_VARIABLE = "FAITHVIEW_LEXICAL_MODEL"


def build(_spec: JudgeSpec) -> Judge:
    """Build the lexical judge, which has no options.

    Raises:
        JudgeUnavailable: the model that the environment names cannot be used.
    """
    from faithview.domain.errors import JudgeUnavailable
    from faithview.judges.lexical.judge import LexicalJudge
    from faithview.judges.lexical.scoring.model import read_model

    path = os.environ.get(MODEL_VARIABLE)
    if path is not None and not path.strip():
        raise JudgeUnavailable(
            f"{MODEL_VARIABLE} is set but empty: set it to the path of a model that `faithview fit` wrote, or unset it."
        )
    return LexicalJudge(read_model(Path(path)) if path else None)
