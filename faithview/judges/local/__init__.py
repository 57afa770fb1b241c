"""Judges whose models run on the user's own hardware: `nli`, `hhem` and `minicheck`.

`options` reads what the user chose, `files` finds a model. `model` loads it and has it read each claim with the
`windows` of each chunk. `judge` turns what it says into verdicts with quotes.

PyTorch and Transformers, which the extra `local` installs, are imported only where a model is looked for.
"""

from faithview.domain.run import JudgeSpec
from faithview.judges.base import Judge

__all__ = ["build", "files", "model", "windows"]


def build(spec: JudgeSpec) -> Judge:
    """Build the judge that the spec names, FAMILY:MODEL; its model is loaded with the first answer.

    Raises:
        JudgeUnavailable: an option has a value that it cannot have, or the model is a folder that is not there.
    """
    from faithview.judges.local.files import folder_of
    from faithview.judges.local.judge import LocalJudge
    from faithview.judges.local.options import read_options

    options = read_options(spec)
    folder_of(options.model)
    return LocalJudge(options)
