"""Loaded models, shared by all judges of a process that were chosen alike."""

from collections.abc import Callable
from threading import Lock
from typing import TypeVar
from weakref import WeakValueDictionary

from faithview.judges.local.models.loading import check, load_pair_model, load_token_model
from faithview.judges.local.models.pairs import PairModel
from faithview.judges.local.models.prepared import Prepared, prepare
from faithview.judges.local.models.tokens import TokenModel
from faithview.judges.local.options import LocalOptions

_Model = TypeVar("_Model", PairModel, TokenModel)

# What some judge uses, and the model used last: a page that builds a judge for each answer does not load it each time.
_used: WeakValueDictionary[LocalOptions, PairModel | TokenModel] = WeakValueDictionary()
_latest: list[PairModel | TokenModel] = []
_lock = Lock()


def pair_model(options: LocalOptions) -> PairModel:
    """Return the loaded model that reads claims beside passages; raises JudgeUnavailable where it cannot be loaded."""
    return _shared(options, load_pair_model, PairModel)


def token_model(options: LocalOptions) -> TokenModel:
    """Return the loaded model that marks words of answers; raises JudgeUnavailable where it cannot be loaded."""
    return _shared(options, load_token_model, TokenModel)


def fingerprint_of(options: LocalOptions) -> str:
    """Return a judge's fingerprint; reads the model's configuration and loads no weights.

    Raises:
        JudgeUnavailable: the model is not there, or its configuration shows that it is not one for this judge.
    """
    prepared = prepare(options)
    check(prepared)
    return f"{options.name}+{prepared.version}"


def _shared(options: LocalOptions, load: Callable[[Prepared], _Model], kind: type[_Model]) -> _Model:
    with _lock:  # the second to ask waits for the first, and loads nothing
        known = _used.get(options)
        model = known if isinstance(known, kind) else load(prepare(options))
        _used[options] = model
        _latest[:] = [model]
        return model
