"""What the page Audit lists, in the address: a link opens the same rows for another admin."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta

from faithview.domain.audit import AuditFilter, Kind
from faithview.domain.buckets import is_plausible
from faithview.ui.shell.address_field import AddressField, write_together

_WHO, _KIND, _FIND, _FIRST, _LAST, _PAGE = map(AddressField, ("who", "kind", "find", "from", "to", "page"))
_PAGE_DIGITS = 6
_ONE_DAY = timedelta(days=1)


def read() -> AuditFilter:
    """Return which rows the address asks for; what it holds of no meaning filters nothing."""
    first, last = first_day(), last_day()
    return AuditFilter(
        who=_WHO.get(),
        kind=kind(),
        since=None if first is None else _midnight(first),
        until=None if last is None else _midnight(last) + _ONE_DAY,
        words=(_FIND.get() or "").strip(),
    )


def kind() -> Kind | None:
    """Return what the rows are about; None for everything."""
    named = _KIND.get()
    return Kind(named) if named in list(Kind) else None


def first_day() -> date | None:
    """Return the first day, in UTC; None for all before."""
    return _day(_FIRST)


def last_day() -> date | None:
    """Return the last day, in UTC; None for all after."""
    return _day(_LAST)


def page() -> int:
    """Return the page, from 1."""
    return _PAGE.number(digits=_PAGE_DIGITS) or 1


def find(words: str) -> None:
    """Ask for rows with words; empty for all."""
    _ask({_FIND: words or None})


def select_who(who: str | None) -> None:
    """Ask for what one person did; None for everybody."""
    _ask({_WHO: who})


def select_kind(kind: Kind | None) -> None:
    """Ask for rows about one kind of thing; None for everything."""
    _ask({_KIND: kind})


def select_first(day: date | None) -> None:
    """Ask for rows from a day on; None for all before."""
    _ask({_FIRST: day.isoformat() if day else None})


def select_last(day: date | None) -> None:
    """Ask for rows until a day; None for all after."""
    _ask({_LAST: day.isoformat() if day else None})


def _ask(changed: Mapping[AddressField, str | None]) -> None:
    """Ask for other rows, from their first page on."""
    write_together({**changed, _PAGE: None})


def turn(number: int) -> None:
    """Ask for another page."""
    _PAGE.set(None if number == 1 else str(number))


def _day(field: AddressField) -> date | None:
    try:
        day = date.fromisoformat(field.get() or "")
    except ValueError:
        return None
    return day if is_plausible(_midnight(day)) else None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
