"""What can go wrong."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from json import loads
from math import ceil
from typing import Any

_TRANSIENT_CODES = {"no_connection", "timeout", "rate_limited", "unavailable", "request_timeout"}
_TRANSIENT_STATUSES = {429, 502, 503, 504}
"""A proxy before the service answers these in a form of its own."""


class HypocaustError(Exception):
    """Every failure of a call.

    `code` is the service's `error.code`, or one of `invalid_address`, `unknown_host`, `no_connection`, `timeout`,
    `untrusted_certificate`, `unexpected_answer`, `not_read` and `stopped` where the service itself did not answer.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        """The HTTP status, where there was an answer."""
        self.retry_after_s = retry_after_s
        """When the service asks to try again."""
        self.request_id = request_id
        """Names the request in the service's log."""

    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed a little later."""
        return self.code in _TRANSIENT_CODES or self.status in _TRANSIENT_STATUSES

    def __str__(self) -> str:
        return f"{self.args[0]} ({self.code})"


def error_of_answer(status: int, headers: Mapping[str, str], text: str, url: str) -> HypocaustError:
    """The error that an answer is; names of headers in lower case.

    What the service itself says of a building that has moved is an error like any other.
    """
    said = _said(text)
    if said is None and 300 <= status < 400:
        target = headers.get("location")
        where = f" to {target}" if target else ""
        return HypocaustError(
            "unexpected_answer", f"{url} redirects{where}. Give the final address.", status=status
        )
    code, message = said or (
        "unexpected_answer",
        f"{url} answered with status {status}, and not as Hypocaust does. Is the address right?",
    )
    return HypocaustError(
        code,
        message,
        status=status,
        retry_after_s=_seconds_of(headers.get("retry-after")),
        request_id=headers.get("x-request-id"),
    )


def _said(text: str) -> tuple[str, str] | None:
    try:
        error: Any = loads(text)["error"]
        code, message = error["code"], error["message"]
    except (ValueError, KeyError, TypeError):
        return None
    return (code, message) if isinstance(code, str) and isinstance(message, str) else None


def _seconds_of(header: str | None) -> float | None:
    """`Retry-After` is a number of seconds or a date."""
    if header is None:
        return None
    if header.isdecimal():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, float(ceil((at - datetime.now(UTC)).total_seconds())))
