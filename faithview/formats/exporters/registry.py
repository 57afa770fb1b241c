"""The exporters of all formats, plug-ins included."""

import logging
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from faithview.domain.errors import InvalidInput
from faithview.formats.exporters import csv_jsonl_parquet, other_tools
from faithview.formats.exporters.exporter import ExportedRun, Exporter
from faithview.formats.plugins import load_plugins, pick_named

# Entry points of this group add exporters: name -> "package.module:EXPORTER".
ENTRY_POINTS = "faithview.exporters"

_BUILTIN: tuple[Exporter, ...] = (
    *csv_jsonl_parquet.EXPORTERS,
    other_tools.RAGAS,
    other_tools.DEEPEVAL,
    other_tools.LANGSMITH,
    other_tools.INSPECTORRAGET,
)
BUILTIN_NAMES = tuple(exporter.name for exporter in _BUILTIN)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporters:
    """The usable exporters, and a sentence about each broken plug-in."""

    usable: tuple[Exporter, ...]
    broken: tuple[str, ...] = ()

    def named(self, name: str) -> Exporter:
        """Return the exporter with that name.

        Raises:
            InvalidInput: there is none; the text lists the known ones and the broken plug-ins.
        """
        return pick_named(self.usable, name, kind="export format", broken=self.broken)


@lru_cache(maxsize=1)
def list_exporters() -> Exporters:
    """Return the built-in exporters, then those of installed plug-ins by name; a broken plug-in is named."""
    usable, broken = load_plugins(ENTRY_POINTS, kind="exporter", wanted=Exporter, builtin=_BUILTIN)
    return Exporters(usable=usable, broken=broken)


def write_run(exporter: Exporter, run: ExportedRun, path: Path) -> None:
    """Write a run; an error of a plug-in names it.

    Raises:
        InvalidInput: the plug-in failed, or wrote no file.
    """
    if exporter in _BUILTIN:
        exporter.write(run, path)
        return
    try:
        exporter.write(run, path)
    except Exception as error:  # a plug-in may fail in any way
        _log.exception("The exporter plug-in %s fails", exporter.name)
        raise InvalidInput(
            f"The exporter plug-in {exporter.name!r} failed: {type(error).__name__}: {error}."
        ) from error
    if not path.is_file():
        raise InvalidInput(f"The exporter plug-in {exporter.name!r} wrote no file.")
