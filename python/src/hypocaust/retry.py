"""How often, and after what time, a request is tried again."""

from collections.abc import Callable
from dataclasses import dataclass
from random import random
from typing import TypeVar

from .errors import HypocaustError
from .stopper import Stopper

T = TypeVar("T")

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 30.0


@dataclass(frozen=True)
class Limits:
    """A longer `Retry-After` than the longest wait is an error at once."""

    retries: int = 4
    longest_wait_s: float = 60


def back_off_s(attempt: int, chance: float) -> float:
    """Twice as long each time, somewhere in the upper half, so that a thousand clients do not come back at one moment."""
    full_s = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2.0 ** min(attempt, 10))
    return full_s * (0.5 + chance / 2)


def wait_s_after(error: HypocaustError, attempt: int) -> float:
    """What the service asks for, or else the back-off."""
    asked = error.retry_after_s
    return back_off_s(attempt, random()) if asked is None else asked


def passes_in_time(error: HypocaustError, has_seen: bool) -> bool:
    """A failure inside the service, and a name that was known a moment ago, are worth another look: there is no hurry."""
    return error.is_transient or (error.status or 0) >= 500 or (error.code == "unknown_host" and has_seen)


def with_retries(work: Callable[[], T], limits: Limits, stopper: Stopper) -> T:
    """Only for work that may be done twice."""
    attempt = 0
    while True:
        try:
            return work()
        except HypocaustError as error:
            wait_s = wait_s_after(error, attempt)
            if not error.is_transient or attempt >= limits.retries or wait_s > limits.longest_wait_s:
                raise
            stopper.wait(wait_s)
            attempt += 1
