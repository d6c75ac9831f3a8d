"""What a room is planned for on a day. Nothing here needs Home Assistant."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from .mapping import is_cooled, time_of
from .models import Away, Outlook, Programme, Room
from .programme_steps import planned_c, steps_between

_UNHEATED = ("off", "manual", "frost")
"""Reasons under which nothing is heated towards the setpoint."""


@dataclass(frozen=True)
class PlannedSpan:
    """A temperature from one moment to another; None while the room is off or under a fixed power."""

    start: datetime
    end: datetime
    temperature: float | None


@dataclass(frozen=True)
class Wishes:
    """What is known of the room when its day is asked for."""

    room: Room
    outlook: Outlook | None
    away: Away | None
    programmes: dict[str, Programme | None]
    """By room; without this one where the key does not open it."""
    zone: ZoneInfo | None


def plan_of(
    wishes: Wishes, now: datetime, start: datetime, end: datetime
) -> list[PlannedSpan]:
    """The programme and absences, and from now on what acts now for as long as it holds."""
    if is_cooled(wishes.outlook):
        return []
    spans = _by_programme(wishes, start, end)
    layers = (
        _absence(wishes, end) if spans else None,
        PlannedSpan(now, max(now, end), None) if _is_unheated(wishes.room) else None,
        _acting(wishes, now, end),
    )
    for layer in layers:
        if layer is not None:
            spans = _covered(spans, layer)
    inside = (
        replace(each, start=max(each.start, start), end=min(each.end, end))
        for each in spans
        if each.start < end and each.end > start
    )
    return _joined(inside)


def _by_programme(wishes: Wishes, start: datetime, end: datetime) -> list[PlannedSpan]:
    room, zone = wishes.room, wishes.zone
    if zone is None or room["id"] not in wishes.programmes:
        return []
    target_c = room["target_temperature"]
    programme = wishes.programmes[room["id"]]
    if programme is None:
        return [PlannedSpan(start, end, target_c)]
    return [
        PlannedSpan(step.start, step.end, planned_c(target_c, step))
        for step in steps_between(programme, zone, start, end)
    ]


def _is_unheated(room: Room) -> bool:
    return room["hvac_mode"] == "off" or room["manual_power"]["enabled"]


def _absence(wishes: Wishes, end: datetime) -> PlannedSpan | None:
    away = wishes.away
    if away is None:
        return None
    lowered = min(wishes.room["target_temperature"], away["target_temperature"])
    begins = datetime.fromisoformat(away["from"])
    return PlannedSpan(begins, time_of(away["until"]) or max(begins, end), lowered)


def _acting(wishes: Wishes, now: datetime, end: datetime) -> PlannedSpan | None:
    outlook = wishes.outlook
    if outlook is None:
        return None
    heated = None if outlook["reason"] in _UNHEATED else outlook["setpoint"]
    return PlannedSpan(now, max(now, time_of(outlook["until"]) or end), heated)


def _covered(spans: list[PlannedSpan], top: PlannedSpan) -> list[PlannedSpan]:
    before = [
        replace(each, end=min(each.end, top.start))
        for each in spans
        if each.start < top.start
    ]
    after = [
        replace(each, start=max(each.start, top.end))
        for each in spans
        if each.end > top.end
    ]
    return [*before, top, *after]


def _joined(spans: Iterable[PlannedSpan]) -> list[PlannedSpan]:
    joined: list[PlannedSpan] = []
    for each in spans:
        last = joined[-1] if joined else None
        if last is not None and (last.end, last.temperature) == (
            each.start,
            each.temperature,
        ):
            joined[-1] = replace(last, end=each.end)
        elif each.start < each.end:
            joined.append(each)
    return joined
