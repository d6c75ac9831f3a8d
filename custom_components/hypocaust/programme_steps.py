"""When the steps of a programme begin and end. Nothing here needs Home Assistant."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from .local_time import moment_of
from .models import Programme

WEEKDAYS = (
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
)

_SEARCHED = timedelta(days=16)
"""A step holds until the next one; two weeks have one, also where single dates follow days without steps."""


@dataclass(frozen=True)
class ProgrammeStep:
    """A span in which a room is to be so many kelvin below its target."""

    start: datetime
    end: datetime
    setback: float


_LEAST_C = 5.0
"""However far a programme lowers a room."""


def planned_c(target_c: float, step: ProgrammeStep) -> float:
    """What a room is to be in a step."""
    return max(_LEAST_C, target_c - step.setback)


def steps_between(
    programme: Programme, zone: ZoneInfo, start: datetime, end: datetime
) -> list[ProgrammeStep]:
    """The steps of which a part lies in the span, in order."""
    first = (start - _SEARCHED).astimezone(zone).date()
    last = (end + _SEARCHED).astimezone(zone).date()
    begun: dict[datetime, float] = {}
    for day in _days(first, last):
        for at, setback in _steps_of(programme, day):
            # Where the clocks skip several steps, the last of them counts.
            begun[moment_of(zone, datetime.combine(day, at))] = setback
    moments = sorted(begun)
    return [
        ProgrammeStep(moment, following, begun[moment])
        for moment, following in zip(moments, moments[1:], strict=False)
        if moment < end and following > start
    ]


def _days(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def _steps_of(programme: Programme, day: date) -> Iterator[tuple[time, float]]:
    follows = next(
        (
            each["follows"]
            for each in programme.get("dates", [])
            if each["date"] == day.isoformat()
        ),
        WEEKDAYS[day.weekday()],
    )
    for step in programme.get(follows, []):
        yield time.fromisoformat(step["at"]), float(step["setback"])
