"""The embedded judge: offline, deterministic, explains itself.

What it does, in the order of its modules: `abstention` and `claims` split an answer into claims with their places;
`retrieve` finds the sentences of the chunks that say most of a claim; `values`, `names` and `polarity` compare what
words alone cannot (numbers, names, negations); `features` sums that up in numbers, `model` turns the numbers into a
probability, `verdict` into a verdict with its reasons, and `pooling` the claims' probabilities into the answer's.
A model fitted anew needs only other figures in `coefficients`.

It sees words. It cannot see a verb changed for another that also stands in the chunk, nor a paraphrase that shares few
words with its source.
"""

from faithview.domain.run import JudgeSpec
from faithview.judges.base import Judge


def build(spec: JudgeSpec) -> Judge:
    """Build the embedded judge; it has no options.

    Raises:
        JudgeUnavailable: the spec carries an option, which this judge would have to ignore.
    """
    from faithview.domain.errors import JudgeUnavailable
    from faithview.judges.lexical.judge import LexicalJudge

    if spec.options:
        raise JudgeUnavailable(
            f"Judge 'lexical' has no option {next(iter(spec.options))!r}; remove it (the embedded judge has none)."
        )
    return LexicalJudge()
