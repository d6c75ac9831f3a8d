"""What was read before is asked for with its tag, so that no change costs a `304`."""

from collections.abc import Iterator
from json import dumps, loads
from ssl import SSLContext
from threading import Lock
from typing import TypeVar, cast

from .errors import HypocaustError, error_of_answer
from .requests import Request
from .retry import Limits, with_retries
from .stopper import Stopper
from .transport import Answer, Transport

T = TypeVar("T")

_KEPT_ANSWERS = 500


class Session:
    """Sends requests for both clients, in the thread that calls."""

    def __init__(
        self, base_url: str, api_key: str, timeout_s: float, limits: Limits, ssl_context: SSLContext | None
    ) -> None:
        self._transport = Transport(base_url, api_key, timeout_s, ssl_context)
        self._limits = limits
        self._lock = Lock()
        self._kept: dict[str, tuple[str, str]] = {}

    def call(self, request: Request[T], stopper: Stopper) -> T:
        """After a lost answer a second try could not tell its own change from another's, so a condition is sent once."""
        if request.if_unchanged:
            return self._send(request, stopper)
        return with_retries(lambda: self._send(request, stopper), self._limits, stopper)

    def if_changed(self, request: Request[T], tag: str | None, stopper: Stopper) -> T | None:
        """The answer, or nothing where it still has this tag; tried once."""
        answer = self._exchange(request, {} if tag is None else {"if-none-match": tag}, stopper)
        return None if answer.status == 304 else self._value_of(answer, request)

    def lines(self, target: str, last_event_id: str | None, stopper: Stopper) -> Iterator[str]:
        """The lines of a stream of events, after the one with this id."""
        headers = {} if last_event_id is None else {"last-event-id": last_event_id}
        return self._transport.lines(target, headers, stopper)

    def _send(self, request: Request[T], stopper: Stopper) -> T:
        with self._lock:
            kept = self._kept.get(request.kept_as)
        answer = self._exchange(request, _condition_of(request, kept and kept[0]), stopper)
        if answer.status == 304 and kept:
            return cast(T, loads(kept[1]))
        value = self._value_of(answer, request)
        self._keep(request.kept_as, answer)
        return value

    def _exchange(self, request: Request[T], condition: dict[str, str], stopper: Stopper) -> Answer:
        body = None if request.body is None else dumps(request.body).encode()
        headers = condition if body is None else {"content-type": "application/json", **condition}
        return self._transport.exchange(
            request.method, request.target, headers, stopper, body=body, extra_s=request.wait_s
        )

    def _value_of(self, answer: Answer, request: Request[T]) -> T:
        url = self._transport.base_url + request.target
        if answer.status != 200:
            raise error_of_answer(answer.status, answer.headers, answer.text, url)
        try:
            value = loads(answer.text)
        except ValueError:
            raise error_of_answer(answer.status, answer.headers, answer.text, url) from None
        if request.shape:
            request.shape.check(value, url)
        return cast(T, value)

    def _keep(self, path: str, answer: Answer) -> None:
        tag = answer.headers.get("etag")
        with self._lock:
            self._kept.pop(path, None)
            if tag is None:
                return
            self._kept[path] = (tag, answer.text)
            if len(self._kept) > _KEPT_ANSWERS:
                del self._kept[next(iter(self._kept))]


def _condition_of(request: Request[T], tag: str | None) -> dict[str, str]:
    if request.method == "GET":
        return {} if tag is None else {"if-none-match": tag}
    if not request.if_unchanged:
        return {}
    if tag is None:
        raise HypocaustError(
            "not_read", f"{request.path} cannot be written if unchanged: this client has not read it yet"
        )
    return {"if-match": tag}
