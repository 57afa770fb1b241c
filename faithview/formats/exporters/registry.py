"""The exporters of all shapes, plug-ins included."""

import logging
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache, partial
from importlib.metadata import entry_points
from pathlib import Path

from faithview.domain.errors import InvalidInput
from faithview.formats.export import EXPORT_FORMATS, ExportFormat, write_file
from faithview.formats.exporters import deepeval, inspectorraget, langsmith, ragas
from faithview.formats.exporters.exporter import ExportedRun, Exporter

# Entry points of this group add exporters: name -> "package.module:EXPORTER".
ENTRY_POINTS = "faithview.exporters"
_TITLES: dict[ExportFormat, str] = {"csv": "CSV", "jsonl": "JSON Lines", "parquet": "Parquet"}


def _write_own(file_format: ExportFormat, run: ExportedRun, path: Path) -> None:
    write_file(run.rows(), path, format=file_format)


_BUILTIN: tuple[Exporter, ...] = (
    *(
        Exporter(name=name, title=_TITLES[name], ending=name, write=partial(_write_own, name))
        for name in EXPORT_FORMATS
    ),
    ragas.EXPORTER,
    deepeval.EXPORTER,
    langsmith.EXPORTER,
    inspectorraget.EXPORTER,
)
BUILTIN_NAMES = tuple(exporter.name for exporter in _BUILTIN)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporters:
    """The exporters that can be used, and a sentence on each plug-in that cannot."""

    usable: tuple[Exporter, ...]
    broken: tuple[str, ...] = ()

    def named(self, name: str) -> Exporter:
        """Return the exporter with that name.

        Raises:
            InvalidInput: there is none; the text lists those there are, and the plug-ins that are broken.
        """
        for exporter in self.usable:
            if exporter.name == name:
                return exporter
        names = [exporter.name for exporter in self.usable]
        near = get_close_matches(name, names, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        parts = [f"There is no export format {name!r}; known are {', '.join(names)}.{hint}", *self.broken]
        raise InvalidInput(" ".join(parts))


@lru_cache(maxsize=1)
def list_exporters() -> Exporters:
    """Return the built-in exporters, then those of installed plug-ins by name; a broken plug-in is named."""
    usable, broken = list(_BUILTIN), []
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        try:
            exporter = point.load()
        except Exception as error:  # noqa: BLE001 - a border: a plug-in may fail in any way, and is named
            _log.exception("The exporter plug-in %s cannot be loaded", point.name)
            broken.append(f"The exporter plug-in {point.name!r} cannot be loaded: {type(error).__name__}: {error}.")
            continue
        if not isinstance(exporter, Exporter):
            broken.append(f"The exporter plug-in {point.name!r} is a {type(exporter).__name__} and no Exporter.")
        elif any(exporter.name == other.name for other in usable):
            broken.append(f"The exporter plug-in {point.name!r} has the name of another one, {exporter.name!r}.")
        else:
            usable.append(exporter)
    return Exporters(usable=tuple(usable), broken=tuple(broken))


def write_run(exporter: Exporter, run: ExportedRun, path: Path) -> None:
    """Write a run; a plug-in that fails is named.

    Raises:
        InvalidInput: the plug-in failed, or wrote no file.
    """
    if exporter in _BUILTIN:
        exporter.write(run, path)
        return
    try:
        exporter.write(run, path)
    except Exception as error:  # a border: a plug-in may fail in any way
        _log.exception("The exporter plug-in %s fails", exporter.name)
        raise InvalidInput(
            f"The exporter plug-in {exporter.name!r} failed: {type(error).__name__}: {error}."
        ) from error
    if not path.is_file():
        raise InvalidInput(f"The exporter plug-in {exporter.name!r} wrote no file.")
