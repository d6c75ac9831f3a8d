"""What a call sends, and what it expects to come back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

from .errors import HypocaustError

T = TypeVar("T")

Instant = datetime | str
"""A time with its zone, or text such as `2026-01-10T06:00:00+01:00`."""


@dataclass(frozen=True)
class Shape:
    """What an answer must be, seen from afar: one thing, a list of them, or one thing or nothing."""

    of: type[Any]
    form: Literal["one", "list", "optional"] = "one"

    def check(self, value: object, url: str) -> None:
        """Another program, or an older service, may answer with JSON too."""
        problem = self._problem(value)
        if problem:
            raise HypocaustError("unexpected_answer", f"The answer of {url} is not as described: {problem}.")

    def _problem(self, value: object) -> str | None:
        if self.form == "optional" and value is None:
            return None
        if self.form != "list":
            return self._problem_of_one(value)
        if not isinstance(value, list):
            return "it is not a list"
        return next(filter(None, map(self._problem_of_one, value)), None)

    def _problem_of_one(self, value: object) -> str | None:
        if not isinstance(value, dict):
            return f"{self.of.__name__} is not an object"
        missing = sorted(self.of.__required_keys__ - value.keys())
        return f"{self.of.__name__} has no {missing[0]}" if missing else None


@dataclass(frozen=True)
class Request(Generic[T]):
    """One request. All may be sent twice: reading changes nothing, and the others carry absolute values or end something."""

    method: str
    path: str
    shape: Shape | None = None
    query: Mapping[str, Instant | int | None] = field(default_factory=dict)
    body: object = None
    if_unchanged: bool = False

    @property
    def wait_s(self) -> int:
        """How much longer than usual the answer may take."""
        wait = self.query.get("wait")
        return wait if isinstance(wait, int) else 0

    @property
    def target(self) -> str:
        """Path and query as they are sent."""
        return self._with(self.query)

    @property
    def kept_as(self) -> str:
        """How long it may wait makes no other answer of it."""
        return self._with({name: value for name, value in self.query.items() if name != "wait"})

    def _with(self, query: Mapping[str, Instant | int | None]) -> str:
        given = {name: _text_of(value) for name, value in query.items() if value is not None}
        return f"{self.path}?{urlencode(given)}" if given else self.path


def path_of(template: str, *ids: str) -> str:
    """A path with ids in the places of `{}`."""
    return template.format(*(quote(each, safe="") for each in ids))


def _text_of(value: Instant | int) -> str:
    if not isinstance(value, datetime):
        return str(value)
    if value.tzinfo is None:
        raise ValueError(f"{value} needs a time zone, for instance datetime.now(UTC)")
    return value.isoformat()
