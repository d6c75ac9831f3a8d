"""The state of buildings as it changes. Passing trouble is waited out, any other ends the loop."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from json import loads
from typing import Any, cast
from urllib.parse import urlencode

from .errors import HypocaustError
from .types import State
from .requests import Request, Shape, path_of
from .retry import passes_in_time, wait_s_after
from .session import Session
from .stopper import Stopper

_WAIT_S = 50
"""Below the minute after which proxies give up a request without an answer."""
_BETWEEN_CHANGES_S = 0.5
"""A house may change more often than anyone looks: this stays within a key's budget."""

OnTrouble = Callable[[HypocaustError], object]
"""Called at each request that failed and will be repeated."""


@dataclass(frozen=True)
class BuildingsEvent:
    """The buildings that are followed: at the beginning, and when they are others."""

    building_ids: list[str]


@dataclass(frozen=True)
class StateEvent:
    """The state of a building, and which parts of it are new; all of them at first."""

    building_id: str
    state: State
    changed: list[str]


Event = BuildingsEvent | StateEvent


def watch(session: Session, building_id: str, on_trouble: OnTrouble | None, stopper: Stopper) -> Iterator[State]:
    """The state now, again as soon as something in it has changed, and when trouble is over."""
    path = path_of("/v1/buildings/{}/state", building_id)
    shown: State | None = None
    failures = 0
    while True:
        wait_s = 0 if shown is None or failures > 0 else _WAIT_S
        tag = f'"{shown["revision"]}"' if shown and failures == 0 else None
        try:
            request = Request[State]("GET", path, Shape(State), {"wait": wait_s})
            state = session.if_changed(request, tag, stopper)
            is_news = state is not None and (failures > 0 or shown is None or _seen(state) != _seen(shown))
            failures = 0
            shown = state or shown
            if is_news and state is not None:
                yield state
            stopper.wait(_BETWEEN_CHANGES_S)
        except HypocaustError as error:
            if not passes_in_time(error, shown is not None):
                raise
            _report(on_trouble, error)
            stopper.wait(wait_s_after(error, failures))
            failures += 1


def _seen(state: State) -> dict[str, Any]:
    """A heartbeat alone is no change."""
    building = {name: value for name, value in state["building"].items() if name != "last_seen"}
    return {**{name: value for name, value in state.items() if name != "revision"}, "building": building}


def events(
    session: Session, building_id: str | None, on_trouble: OnTrouble | None, stopper: Stopper
) -> Iterator[Event]:
    """Events over as many connections as it takes."""
    target = "/v1/events" + ("" if building_id is None else f"?{urlencode({'building_id': building_id})}")
    states: dict[str, State] = {}
    last_event_id: str | None = None
    failures = 0
    while True:
        try:
            for sent_id, name, data in _sent_events(session.lines(target, last_event_id, stopper)):
                event = _event_of(states, name, data)
                if event:
                    yield event
                # Only once it has been taken: what was not may come again.
                last_event_id = sent_id
                failures = 0
            raise HypocaustError("no_connection", "The stream of events has ended")
        except HypocaustError as error:
            if not passes_in_time(error, last_event_id is not None):
                raise
            _report(on_trouble, error)
            stopper.wait(wait_s_after(error, failures))
            failures += 1


def _sent_events(lines: Iterator[str]) -> Iterator[tuple[str, str, str]]:
    """As much of server-sent events as the service uses: one line a field, a blank line behind each event."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
            continue
        if {"id", "event", "data"} <= fields.keys():
            yield fields["id"], fields["event"], fields["data"]
        fields = {}


def _event_of(states: dict[str, State], name: str, data: str) -> Event | None:
    value = loads(data)
    if name == "buildings":
        ids: list[str] = value["building_ids"]
        for gone in states.keys() - set(ids):
            del states[gone]
        return BuildingsEvent(ids)
    if name != "state":
        return None
    building_id: str = value.pop("building_id")
    state = cast(State, {**states.get(building_id, {}), **value})
    states[building_id] = state
    return StateEvent(building_id, state, [part for part in value if part != "revision"])


def _report(on_trouble: OnTrouble | None, error: HypocaustError) -> None:
    if on_trouble:
        on_trouble(error)
