"""Templates filled: every text is escaped, and the page may load nothing."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from faithview.services.report.figures import signed
from faithview.version import __version__
from faithview.wording.verdicts import VERDICTS


def render(template: str, **values: Any) -> str:
    """Fill a template; raises if it names a value that is not there."""
    return (
        _environment()
        .get_template(template)
        .render(
            verdicts=VERDICTS,
            version=__version__,
            made_at=datetime.now(UTC).strftime("%-d %B %Y, %H:%M UTC"),
            **values,
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("faithview.services.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["signed"] = signed
    environment.filters["share"] = lambda value: "–" if value is None else f"{value:.2f}"
    environment.filters["p_value"] = _p_value
    return environment


def _p_value(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.0001" if value < 0.00005 else f"{value:.4f}" if value < 0.001 else f"{value:.3f}"
