"""Whose verdicts a figure goes by, in words: the view, and short names for judges."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from faithview.domain.views import View

# What stands beside a figure: "faithfulness by the judge".
VIEW_WORDS: Mapping[View, str] = MappingProxyType(
    {View.JUDGE: "by the judge", View.REVIEWED: "reviewed", View.CORRECTED: "corrected"}
)
# After "scored by".
VIEW_AUTHORS: Mapping[View, str] = MappingProxyType(
    {
        View.JUDGE: "the judge",
        View.REVIEWED: "people where they labelled, else the judge",
        View.CORRECTED: "the judge, corrected by a spot-check",
    }
)
# A fingerprint begins with the judge's name and, for a model that is served elsewhere than usual, its server.
_NAME = re.compile(r"(?P<name>[\w.:-]+)(@[^/]+)?(/(?P<rest>.*))?")
_DIGEST = re.compile(r"[:+][0-9a-f]{6,}")


def short_judge_names(fingerprints: Sequence[str]) -> Mapping[str, str]:
    """Return a name by fingerprint, as short as tells these judges apart: "embedded", "gpt-5, method strict".

    A name is the judge's own; with its method and version where several judges share it; with the digests in which
    they differ where they share these too ("embedded 1 (952150a0)"); and the whole fingerprint where that is not
    enough either.
    """
    distinct = list(dict.fromkeys(fingerprints))
    names = dict(zip(distinct, distinct, strict=True))
    for shorten in (partial(_with_digests, others=distinct), _with_rest, _name):
        names.update(_told_apart(distinct, shorten, names))
    return names


def _told_apart(
    fingerprints: Sequence[str], shorten: Callable[[str], str], names: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the short names that no two of these judges share; the others keep the names they have."""
    short = {fingerprint: shorten(fingerprint) for fingerprint in fingerprints}
    shared = list(short.values())
    return {f: name if shared.count(name) == 1 else names[f] for f, name in short.items()}


def _name(fingerprint: str) -> str:
    found = _NAME.fullmatch(fingerprint)
    return found["name"] if found else fingerprint


def _with_rest(fingerprint: str) -> str:
    found = _NAME.fullmatch(fingerprint)
    if found is None or not found["rest"]:
        return fingerprint
    return f"{found['name']} {_DIGEST.sub('', found['rest']).replace('/', ' ')}"


def _with_digests(fingerprint: str, others: Sequence[str]) -> str:
    name = _with_rest(fingerprint)
    alike = [_DIGEST.findall(other) for other in others if _with_rest(other) == name]
    own = [digest[1:] for digest in _DIGEST.findall(fingerprint) if not all(digest in digests for digests in alike)]
    return f"{name} ({', '.join(own)})" if own else fingerprint
