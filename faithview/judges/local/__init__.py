"""Judges whose models run on the user's own hardware: `nli`, `hhem`, `minicheck` and `lettucedetect`.

`options` reads what the user chose, `files` finds a model and `loading` loads it; equal choices share one loaded model.
`models` knows what a model is given and what its numbers mean. `networks` runs a model in batches of tokens, which
answers that are judged at the same time share. `texts` cuts long chunks. `judge` asks a model that reads a claim with a
passage, or one that marks words of an answer, and turns what they say into claims.

PyTorch and Transformers, which the extra `local` installs, are imported only when a model is looked for.
"""

from importlib.util import find_spec

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges.base import INSTALL_LOCAL, Judge

__all__ = ["build", "files", "loading", "models", "networks", "texts"]

_PACKAGES = ("torch", "transformers")


def build(spec: JudgeSpec) -> Judge:
    """Build the judge that the spec names, FAMILY:MODEL; its model is loaded with the first answer.

    Raises:
        JudgeUnavailable: PyTorch or Transformers is not installed, an option cannot be used, or the model is a folder
            that is not there.
    """
    from faithview.judges.local.files import check_folder
    from faithview.judges.local.options import Family, read_options

    options = read_options(spec)
    check_folder(options.model)
    if not all(find_spec(name) for name in _PACKAGES):
        raise JudgeUnavailable(f"Judge {spec.name!r} needs PyTorch and Transformers: {INSTALL_LOCAL}.")
    if options.family is Family.LETTUCEDETECT:
        from faithview.judges.local.judge import TokenJudge

        return TokenJudge(options)
    from faithview.judges.local.judge import PairJudge

    return PairJudge(options)
