"""Fills the templates of reports; every text is escaped, and the page loads nothing."""

from datetime import UTC, datetime
from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from faithview.version import __version__
from faithview.wording import numbers as fmt
from faithview.wording.evidence import NO_QUOTE, NOT_ANCHORED, QUOTE_NOT_FOUND
from faithview.wording.verdicts import NOT_A_CLAIM_WORD, VERDICTS
from faithview.wording.views import VIEW_WORDS


def render(template: str, **values: Any) -> str:
    """Fill a template; raises if it names a value that is not there."""
    return (
        _environment()
        .get_template(template)
        .render(
            verdicts=VERDICTS,
            version=__version__,
            made_at=fmt.day_and_time(datetime.now(UTC)),
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
    environment.filters |= {
        "signed": partial(fmt.signed, decimals=3),
        "signed_measure": partial(fmt.signed_measure, decimals=3),
        "share": fmt.share,
        "threshold": fmt.threshold,
        "fixed": fmt.fixed,
        "ends": fmt.ends,
        "percent": fmt.percent,
        "p_number": fmt.p_number,
        "p_value": fmt.p_value,
        "plus_minus": fmt.plus_minus,
        "day": fmt.day,
        "plural": fmt.plural,
        "verb": fmt.verb,
    }
    # Macros of an imported template see globals only.
    environment.globals |= {
        "not_a_claim": NOT_A_CLAIM_WORD,
        "view_words": VIEW_WORDS,
        "quote_not_found": QUOTE_NOT_FOUND,
        "no_quote": NO_QUOTE,
        "not_anchored": NOT_ANCHORED,
    }
    return environment
