"""What was before the integration was added, hour by hour. Nothing here needs Home Assistant."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from .local_time import moment_of
from .models import HistoryPoint, RoomEnergy


@dataclass(frozen=True)
class HeatHour:
    """The kWh that a floor took in an hour, and the service's counter at its end."""

    start: datetime
    kwh: float
    counter: float


@dataclass(frozen=True)
class TemperatureHour:
    """What a room was like in an hour, in degrees Celsius."""

    start: datetime
    mean: float
    lowest: float
    highest: float


def spans_before(last: date, days: int, longest: int) -> list[tuple[date, date]]:
    """So many days up to and with the last, in spans that one request may be about, the latest first."""
    spans: list[tuple[date, date]] = []
    first = last - timedelta(days=days - 1)
    while last >= first:
        begin = max(first, last - timedelta(days=longest - 1))
        spans.append((begin, last))
        last = begin - timedelta(days=1)
    return spans


def heat_hours(
    answers: list[RoomEnergy], zone: ZoneInfo, until: datetime
) -> list[HeatHour]:
    """The hours before a moment, from answers about spans of which the first is the latest.

    The counter is followed back from what it is now: so the same hour has the same counter whenever it is read.
    """
    counter = answers[0].get("counter") if answers else None
    if counter is None:
        return []
    found: list[HeatHour] = []
    for start, kwh in sorted(_counted(answers, zone), reverse=True):
        if start < until:
            found.append(HeatHour(start, kwh, round(counter, 4)))
        counter -= kwh
    return found[::-1]


def _counted(
    answers: list[RoomEnergy], zone: ZoneInfo
) -> Iterator[tuple[datetime, float]]:
    for answer in answers:
        for day in answer.get("days", []):
            for hour, kwh in enumerate(day.get("hours") or []):
                local = datetime.combine(date.fromisoformat(day["day"]), time(hour))
                yield moment_of(zone, local).astimezone(zone), kwh


def temperature_hours(
    points: list[HistoryPoint], until: datetime
) -> list[TemperatureHour]:
    """The whole hours before a moment in which the temperature was known."""
    known = [
        (datetime.fromisoformat(point["at"]), point["temperature"])
        for point in points
        if point["temperature"] is not None
    ]
    hours: list[TemperatureHour] = []
    for start, group in groupby(
        sorted(known), lambda each: each[0].replace(minute=0, second=0, microsecond=0)
    ):
        values = [value for _, value in group]
        if start + timedelta(hours=1) <= until:
            mean = round(sum(values) / len(values), 3)
            hours.append(TemperatureHour(start, mean, min(values), max(values)))
    return hours
