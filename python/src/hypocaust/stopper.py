"""Ends from one thread what another waits for."""

from collections.abc import Iterator
from contextlib import contextmanager
from socket import SHUT_RDWR, socket
from threading import Event, Lock

from .errors import HypocaustError


class Stopper:
    """Once stopped, every wait and every read that it guards ends with the error `stopped`."""

    def __init__(self) -> None:
        self._stopped = Event()
        self._lock = Lock()
        self._sockets: set[socket] = set()

    def stop(self) -> None:
        with self._lock:
            self._stopped.set()
            for each in self._sockets:
                _shut(each)

    def wait(self, seconds: float) -> None:
        if self._stopped.wait(seconds):
            raise self.error()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    @contextmanager
    def guard(self, connected: socket) -> Iterator[None]:
        """What reads from this connection meanwhile is ended by a stop."""
        with self._lock:
            self._sockets.add(connected)
            if self._stopped.is_set():
                _shut(connected)
        try:
            yield
        finally:
            with self._lock:
                self._sockets.discard(connected)

    @staticmethod
    def error() -> HypocaustError:
        return HypocaustError("stopped", "The client was closed, or the call cancelled")


def _shut(connected: socket) -> None:
    """Past TLS, whose own state belongs to the thread that reads."""
    try:
        socket.shutdown(connected, SHUT_RDWR)
    except OSError:
        pass  # The other side was quicker.
