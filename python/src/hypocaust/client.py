"""The client that returns when the service has answered."""

from collections.abc import Iterator
from ssl import SSLContext
from types import TracebackType
from typing import Self, TypeVar

from .following import Event, OnTrouble, events, watch
from .operations import Operations
from .types import State
from .requests import Request
from .retry import Limits
from .session import Session
from .stopper import Stopper

T = TypeVar("T")


class HypocaustClient(Operations):
    """The interfaces `/v1` and `/control/v1` as methods; may be used by several threads at a time."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_s: float = 10,
        retries: int = 4,
        longest_wait_s: float = 60,
        ssl_context: SSLContext | None = None,
    ) -> None:
        self._session = Session(base_url, api_key, timeout_s, Limits(retries, longest_wait_s), ssl_context)
        self._stopper = Stopper()

    def call(self, request: Request[T]) -> T:
        return self._session.call(request, self._stopper)

    def watch(self, building_id: str, *, on_trouble: OnTrouble | None = None) -> Iterator[State]:
        """The state of a building now, again as soon as something in it has changed, and when trouble is over."""
        return watch(self._session, building_id, on_trouble, self._stopper)

    def events(self, building_id: str | None = None, *, on_trouble: OnTrouble | None = None) -> Iterator[Event]:
        """The states of all buildings of the key, at most 50, each now and after each change, on one connection."""
        return events(self._session, building_id, on_trouble, self._stopper)

    def close(self) -> None:
        """End what other threads wait for, with the error `stopped`."""
        self._stopper.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
