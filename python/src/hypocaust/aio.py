"""The client that is awaited. Each call runs in a thread of its own, and ends when it is cancelled."""

from asyncio import CancelledError, get_running_loop
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from ssl import SSLContext
from types import TracebackType
from typing import Self, TypeVar

from .following import Event, OnTrouble, events, watch
from .operations import AsyncOperations
from .types import State
from .requests import Request
from .retry import Limits
from .session import Session
from .stopper import Stopper

T = TypeVar("T")

_THREADS = 64
"""More than the 50 requests of a key that the service lets wait."""


class AsyncHypocaustClient(AsyncOperations):
    """The interfaces `/v1` and `/control/v1` as methods."""

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
        self._threads = ThreadPoolExecutor(_THREADS, "hypocaust")
        self._stoppers: set[Stopper] = set()

    async def call(self, request: Request[T]) -> T:
        stopper = Stopper()
        return await self._in_thread(lambda: self._session.call(request, stopper), stopper)

    def watch(self, building_id: str, *, on_trouble: OnTrouble | None = None) -> AsyncIterator[State]:
        """The state of a building now, again as soon as something in it has changed, and when trouble is over.

        `on_trouble` is called in another thread.
        """
        return self._each(lambda stopper: watch(self._session, building_id, on_trouble, stopper))

    def events(self, building_id: str | None = None, *, on_trouble: OnTrouble | None = None) -> AsyncIterator[Event]:
        """The states of all buildings of the key, at most 50, each now and after each change, on one connection.

        `on_trouble` is called in another thread.
        """
        return self._each(lambda stopper: events(self._session, building_id, on_trouble, stopper))

    def close(self) -> None:
        """End what is waited for, with the error `stopped`."""
        for each in list(self._stoppers):
            each.stop()
        self._threads.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _each(self, begin: Callable[[Stopper], Iterator[T]]) -> AsyncIterator[T]:
        stopper = Stopper()
        steps = begin(stopper)
        try:
            while True:
                yield await self._in_thread(lambda: next(steps), stopper)
        finally:
            stopper.stop()

    async def _in_thread(self, work: Callable[[], T], stopper: Stopper) -> T:
        self._stoppers.add(stopper)
        try:
            return await get_running_loop().run_in_executor(self._threads, work)
        except CancelledError:
            stopper.stop()
            raise
        finally:
            self._stoppers.discard(stopper)
