"""Compares a claim about opening hours with the hours in a record."""

from collections.abc import Iterable
from dataclasses import dataclass

from faithview.judges.lexical.comparing.comparison import Comparison, Conflict, ConflictKind
from faithview.judges.lexical.passages.index import Context
from faithview.judges.lexical.records.said_hours import TELLING, Days, Reading, Statement, StatementKind, read_hours
from faithview.judges.lexical.records.schedule import (
    DAY_NAMES,
    MINUTES_A_DAY,
    WEEK,
    WEEKEND,
    WORKDAYS,
    OpenRange,
    Schedule,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursCheck:
    """How many statements of a claim about opening hours are right (`agreed`) and how many are `wrong`.

    `conflict` is the first wrong one, None if none is.
    """

    agreed: int
    wrong: int
    conflict: Conflict | None


def check_hours(answer: str, comparison: Comparison, context: Context, schedule: Schedule | None) -> HoursCheck | None:
    """Return how a claim about opening hours agrees with the record's; None if one of them has none."""
    if schedule is None or TELLING.isdisjoint([token.word.lower for token in comparison.tokens]):
        return None
    reading = read_hours(answer, comparison.start, comparison.end, comparison.tokens)
    if not reading.statements:
        return None
    reader = _Reader(answer, context, schedule, reading)
    checks = [reader.check(statement) for statement in reading.statements]
    conflicts = [conflict for conflict in checks if conflict is not None]
    agreed = len(checks) - len(conflicts)
    return HoursCheck(agreed=agreed, wrong=len(conflicts), conflict=conflicts[0] if conflicts else None)


class _Reader:
    """The statements of one claim against one schedule."""

    def __init__(self, answer: str, context: Context, schedule: Schedule, reading: Reading) -> None:
        self.answer = answer
        self.context = context
        self.schedule = schedule
        self.open_days = schedule.open_days
        self.says_closed = any(statement.kind is StatementKind.CLOSED for statement in reading.statements)
        self.named = frozenset[int]().union(*(_told_apart(days) for days in reading.days))
        self.statements = reading.statements
        self.days = reading.days

    def check(self, statement: Statement) -> Conflict | None:
        """Return the hours that contradict a statement; None if it is right."""
        match statement.kind:
            case StatementKind.OPENS | StatementKind.CLOSES | StatementKind.EITHER:
                return self._check_time(statement)
            case StatementKind.OPEN:
                return self._check_open(statement)
            case StatementKind.CLOSED:
                return self._check_closed(statement)
            case StatementKind.COUNT:
                return self._check_count(statement)
            case StatementKind.ALL_DAY:
                days = sorted(d for d in self.open_days if all(r.length < MINUTES_A_DAY for r in self._ranges(d)))
                return self._day_conflict((statement.start, statement.end), days[0]) if days else None
            case StatementKind.MEAL:
                return self._check_meal(statement)

    def _check_time(self, statement: Statement) -> Conflict | None:
        choices = statement.choices or (_ANY_DAY,)
        faults = [self._time_fault(statement, days) for days in choices]
        return faults[0] if all(faults) else None

    def _time_fault(self, statement: Statement, days: Days) -> Conflict | None:
        if self._is_other_weekend(statement, days):
            return None
        meant = self._meant(days)
        is_right = {
            day: self._is_told(statement, day) or self._is_told_apart(statement, days, day)
            for day in sorted(meant & self.open_days)
        }
        if any(is_right.values()) if days.is_some_of_week or not is_right else all(is_right.values()):
            closed = sorted(self._strict(days) - self.open_days)
            if not closed:
                return self._vain_exception(statement, days, is_right)
            return self._day_conflict((days.start, days.end), closed[0])
        wrong = [day for day, right in is_right.items() if not right]
        if not wrong:
            missing = sorted(meant - self.open_days)
            return self._day_conflict((days.start, days.end), missing[0]) if missing else None
        return self._time_conflict(statement, wrong[0])

    def _strict(self, days: Days) -> frozenset[int]:
        """Return the days on which it must be open; "every day" allows closed days that the claim names."""
        if days.is_some_of_week or (self.says_closed and days.named == WEEK):
            return frozenset()
        return days.named

    def _meant(self, days: Days) -> frozenset[int]:
        return days.days - self.named if days.is_rest and days.days - self.named else days.days

    def _is_told_apart(self, statement: Statement, days: Days, day: int) -> bool:
        """Return whether a day of "weekdays" or "daily" is told apart: "5 pm on weekdays and 4 pm on Friday"."""
        if day in days.named and days.named != WEEK:
            return False
        for other in self.days:
            if day not in other.named or 2 * len(other.named & days.days) > len(days.days):
                continue
            timed = [s.kind for s in self.statements if s.minutes and other in s.choices]
            if not timed or statement.kind in timed or StatementKind.EITHER in timed:
                return True
        return False

    def _is_other_weekend(self, statement: Statement, days: Days) -> bool:
        """Return whether it closes so on Friday and Saturday, whose nights are the weekend for many, or before them."""
        if statement.kind is not StatementKind.CLOSES or days.named:
            return False
        if days.days == WEEKEND:
            return all(self._is_told(statement, day) for day in _WEEKEND_NIGHTS)
        says_weekend = any(other.days == WEEKEND for other in self.days)
        meant = (WORKDAYS - _WEEKEND_NIGHTS) & self.open_days
        return days.days == WORKDAYS and says_weekend and all(self._is_told(statement, day) for day in meant)

    def _ranges(self, day: int) -> tuple[OpenRange, ...]:
        return self.schedule.ranges_of(day)

    def _is_told(self, statement: Statement, day: int) -> bool:
        times: list[int] = []
        for r in self._ranges(day):
            times += [r.opens] if statement.kind is not StatementKind.CLOSES else []
            times += [r.closes] if statement.kind is not StatementKind.OPENS else []
        return any(_is_same_minute(mine, theirs) for mine in statement.minutes for theirs in times)

    def _vain_exception(self, statement: Statement, days: Days, is_right: dict[int, bool]) -> Conflict | None:
        """Return the day after "except" for which the very same holds."""
        group = [s for s in self.statements if days in s.choices and s.minutes]
        if not days.left_out or not is_right or len(statement.choices) != 1:
            return None
        for day in sorted(days.left_out & self.open_days):
            if all(self._is_told(other, day) for other in group):
                return self._day_conflict((days.start, days.end), day)
        return None

    def _check_open(self, statement: Statement) -> Conflict | None:
        (days,) = statement.choices
        span = (days.start, days.end)
        must = days.named or days.days
        if self.says_closed and days.named != days.days:
            must = days.named  # "open on weekdays and closed on Tuesday"
        closed = sorted(must - self.open_days)
        if closed:
            return self._day_conflict(span, closed[0])
        if days.left_out and not self._has_times(days) and days.left_out & self.open_days:
            return self._day_conflict(span, min(days.left_out & self.open_days))
        return self._passed_over(days) if statement.is_only else None

    def _has_times(self, days: Days) -> bool:
        return any(days in s.choices and s.minutes for s in self.statements)

    def _passed_over(self, days: Days) -> Conflict | None:
        """Return the open day that "open from Tuesday to Sunday" leaves out and that the answer names nowhere."""
        lower = self.answer.lower()
        others = sorted(self.open_days - days.days)
        if len(days.days) < _FEWEST_IN_ROW or days.is_list or not others or any(word in lower for word in _WHOLE_WEEKS):
            return None
        times = [(r.opens, r.closes) for r in self._ranges(min(days.days))]
        for day in others:
            is_like_them = [(r.opens, r.closes) for r in self._ranges(day)] == times
            if not is_like_them or DAY_NAMES[day].lower() in lower.replace(self._written(days), ""):
                return None
        return self._day_conflict((days.start, days.end), others[0])

    def _written(self, days: Days) -> str:
        return self.answer[days.start : days.end].lower()

    def _check_closed(self, statement: Statement) -> Conflict | None:
        (days,) = statement.choices
        is_open = sorted(days.days & self.open_days)
        if not is_open or (days.is_some and len(is_open) < len(days.days)):
            return None
        return self._day_conflict((statement.start, max(statement.end, days.end)), is_open[0])

    def _check_count(self, statement: Statement) -> Conflict | None:
        count = len(self.open_days)
        if count == statement.count:
            return None
        span = (statement.start, statement.end)
        shut = sorted(WEEK - self.open_days)
        return self._day_conflict(span, shut[0] if count < statement.count and shut else max(self.open_days))

    def _check_meal(self, statement: Statement) -> Conflict | None:
        (days,) = statement.choices
        for day in sorted(days.days & self.open_days):
            ranges = self._ranges(day)
            opens, closes = min(r.opens for r in ranges), max(r.opens + r.length for r in ranges)
            is_open = closes > _LUNCH_OVER if statement.meal == "dinner" else opens < _MEAL_OVER[statement.meal]
            if not is_open:
                return self._day_conflict((statement.start, statement.end), day)
        return None

    def _time_conflict(self, statement: Statement, day: int) -> Conflict:
        r = self._ranges(day)[-1 if statement.kind is StatementKind.CLOSES else 0]
        return Conflict(
            kind=ConflictKind.VALUE,
            passage=self.context.passages[self.schedule.place_of(day)],
            claim_span=(statement.start, statement.end),
            passage_span=r.closes_span if statement.kind is StatementKind.CLOSES else r.opens_span,
        )

    def _day_conflict(self, claim_span: tuple[int, int], day: int) -> Conflict:
        passage = self.context.passages[self.schedule.place_of(day)]
        return Conflict(
            kind=ConflictKind.FIELD,
            passage=passage,
            claim_span=claim_span,
            passage_span=(passage.start, passage.end),
            note=self._told_of(day),
        )

    def _told_of(self, day: int) -> str:
        """Return the record's hours of a day, in words."""
        name = DAY_NAMES[day]
        if day not in self.schedule.days:
            return f"gives no hours for {name}"
        ranges = self._ranges(day)
        if not ranges:
            return f"says closed on {name}"
        return f"says open on {name} " + _listed(f"from {_clock(r.opens)} to {_clock(r.closes)}" for r in ranges)


def _told_apart(days: Days) -> frozenset[int]:
    """Return the days that are not among "the rest of the week"."""
    if days.is_some_of_week:
        return frozenset()
    return days.left_out if days.is_except else days.days | days.left_out


# Possible subjects of a time without days.
_ANY_DAY = Days(start=0, end=0, days=WEEK, named=frozenset(), is_some=True)

_WEEKEND_NIGHTS = frozenset({4, 5})

# "Open Monday to Wednesday" may give only some of the days; from four days in a row on, it gives the whole week.
_FEWEST_IN_ROW = 4
_WHOLE_WEEKS = ("daily", "every day", "seven days", "7 days", "weekend", "all week")

# Minutes after midnight; a place that opens only then serves no breakfast or lunch.
_LUNCH_OVER = 16 * 60
_MEAL_OVER = {"lunch": _LUNCH_OVER, "breakfast": 12 * 60}


def _is_same_minute(mine: int, theirs: int) -> bool:
    # "23:59" is midnight.
    return (mine - theirs + 1) % MINUTES_A_DAY <= 2


def _clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


def _listed(parts: Iterable[str]) -> str:
    return " and ".join(parts)
