"""Reads and controls the rooms of a Hypocaust floor heating."""

from .aio import AsyncHypocaustClient
from .client import HypocaustClient
from .errors import HypocaustError
from .following import BuildingsEvent, Event, StateEvent

__all__ = [
    "AsyncHypocaustClient",
    "BuildingsEvent",
    "Event",
    "HypocaustClient",
    "HypocaustError",
    "StateEvent",
]
