"""One request and one answer over HTTP, by the standard library."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, RemoteDisconnected
from re import fullmatch
from socket import gaierror
from ssl import SSLCertVerificationError, SSLContext, create_default_context
from urllib.parse import urlsplit

from .errors import HypocaustError, error_of_answer
from .stopper import Stopper

_STREAM_SILENT_S = 45.0
"""Three times as long as the service is ever silent on a stream."""


@dataclass(frozen=True)
class Answer:
    """What came back; names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str


class Transport:
    """Where the service is, and what opens it."""

    def __init__(self, base_url: str, api_key: str, timeout_s: float, ssl_context: SSLContext | None) -> None:
        """Raise `invalid_address` or `invalid_api_key` where they cannot be right."""
        self.base_url = base_url.rstrip("/").removesuffix("/v1").rstrip("/")
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise HypocaustError(
                "invalid_address",
                f'"{base_url}" is not the address of a service; one looks like http://192.168.1.20:8080',
            )
        # What no header can carry never was a key.
        if not fullmatch("[!-~]+", api_key):
            raise HypocaustError("invalid_api_key", "The API key is empty, or has characters that no key has.")
        self._host, self._port, self._prefix = parts.hostname, parts.port, parts.path
        self._trust = (ssl_context or create_default_context()) if parts.scheme == "https" else None
        self._api_key = api_key
        self._timeout_s = timeout_s

    def exchange(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        stopper: Stopper,
        *,
        body: bytes | None = None,
        extra_s: float = 0,
    ) -> Answer:
        """Whatever the status is."""
        with self._answer(method, target, headers, body, self._timeout_s + extra_s, stopper) as answer:
            return Answer(answer.status, _lower(answer), answer.read().decode(errors="replace"))

    def lines(self, target: str, headers: Mapping[str, str], stopper: Stopper) -> Iterator[str]:
        """The lines of a stream of events until the connection ends."""
        sent = {"accept": "text/event-stream", **headers}
        with self._answer("GET", target, sent, None, self._timeout_s, stopper) as answer:
            found = _lower(answer)
            if answer.status != 200 or not found.get("content-type", "").startswith("text/event-stream"):
                text = answer.read().decode(errors="replace")
                raise error_of_answer(answer.status, found, text, self.base_url + target)
            while line := answer.readline():
                yield line.decode(errors="replace").rstrip("\n")

    @contextmanager
    def _answer(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout_s: float,
        stopper: Stopper,
    ) -> Iterator[HTTPResponse]:
        """Reading the body is part of it: the connection can break until the last byte."""
        connection = self._connection()
        try:
            connection.connect()
            with stopper.guard(connection.sock):
                connection.sock.settimeout(timeout_s)
                sent = {"x-api-key": self._api_key, "connection": "close", **headers}
                connection.request(method, self._prefix + target, body, sent)
                sock = connection.sock
                answer = connection.getresponse()
                if answer.getheader("content-type", "").startswith("text/event-stream"):
                    sock.settimeout(_STREAM_SILENT_S)
                yield answer
        except (OSError, HTTPException, UnicodeError) as cause:
            raise stopper.error() if stopper.is_stopped else self._why_no_answer(cause) from cause
        finally:
            connection.close()

    def _connection(self) -> HTTPConnection:
        if self._trust is None:
            return HTTPConnection(self._host, self._port, timeout=self._timeout_s)
        return HTTPSConnection(self._host, self._port, timeout=self._timeout_s, context=self._trust)

    def _why_no_answer(self, cause: Exception) -> HypocaustError:
        where = self.base_url
        if isinstance(cause, TimeoutError):
            return HypocaustError("timeout", f"{where} did not answer in time")
        if isinstance(cause, (gaierror, UnicodeError)):
            return HypocaustError("unknown_host", f"The host of {where} is unknown. Is the address right?")
        if isinstance(cause, SSLCertVerificationError):
            return HypocaustError(
                "untrusted_certificate", f"The certificate of {where} is not trusted: {cause.verify_message}"
            )
        if isinstance(cause, HTTPException) and not isinstance(cause, RemoteDisconnected):
            return HypocaustError("unexpected_answer", f"{where} does not speak HTTP. Is the address right?")
        return HypocaustError("no_connection", f"There is no connection to {where} ({cause})")


def _lower(answer: HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.getheaders()}
