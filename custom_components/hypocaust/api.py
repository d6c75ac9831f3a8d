"""A client of /v1. It knows HTTP by a function that is handed in, and nothing of Home Assistant."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from json import dumps, loads
from typing import Any, Literal, cast
from urllib.parse import quote, urlencode

from .mapping import cooling_put
from .models import (
    AwayPut,
    Building,
    BuildingState,
    Energy,
    Feeling,
    HistoryPoint,
    Key,
    OverridePut,
    Programme,
    Room,
    RoomComfort,
    RoomComfortPatch,
    RoomPatch,
    Service,
    state_of,
)

Method = Literal["DELETE", "GET", "PATCH", "POST", "PUT"]


@dataclass(frozen=True)
class Request:
    """What goes out."""

    method: Method
    url: str
    headers: dict[str, str]
    body: str | None = None
    waits_s: float = 0
    """How long the service may wait before it answers."""


@dataclass(frozen=True)
class Answer:
    """What comes back; names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str


Send = Callable[[Request], Awaitable[Answer]]


class HypocaustError(Exception):
    """Every failure of a call, by the service's `error.code`."""

    def __init__(
        self, code: str, message: str, retry_after_s: float | None = None
    ) -> None:
        """Keep what the service said."""
        super().__init__(message)
        self.code = code
        self.retry_after_s = retry_after_s


class CannotConnect(HypocaustError):
    """No answer, or one that is not from Hypocaust."""

    def __init__(self, message: str) -> None:
        """Keep why."""
        super().__init__("cannot_connect", message)


class UntrustedCertificate(CannotConnect):
    """Nothing that is trusted vouches for the certificate of the address."""


class TlsFailed(CannotConnect):
    """The address speaks no TLS, or none that fits."""


class NeedsHttps(HypocaustError):
    """The service is there, and answers over HTTPS only."""


class InvalidKey(HypocaustError):
    """The key is unknown, expired or revoked."""


class ReadOnlyKey(HypocaustError):
    """The key may read, and this was a change."""


class NotPermitted(HypocaustError):
    """The key does not open this: the settings of the heating control, or what the holder's role forbids."""


class NotFound(HypocaustError):
    """The building or room does not exist, or not for this key."""


class Refused(HypocaustError):
    """The service does not accept the value."""


_NOT_OURS = (ValueError, KeyError, TypeError)

_BY_CODE: dict[str, type[HypocaustError]] = {
    "https_needed": NeedsHttps,
    "not_permitted": NotPermitted,
}

_BY_STATUS: dict[int, type[HypocaustError]] = {
    400: Refused,
    401: InvalidKey,
    403: ReadOnlyKey,
    404: NotFound,
}


def base_url_of(typed: str) -> str:
    """`192.168.1.5:8080/v1/` and the like as the address that the paths are put behind."""
    url = typed.strip()
    if "://" not in url:
        url = f"http://{url}"
    return url.rstrip("/").removesuffix("/v1").rstrip("/")


def _room(building_id: str, room_id: str) -> str:
    return f"/v1/buildings/{quote(building_id)}/rooms/{quote(room_id)}"


def _programme(building_id: str, room_id: str) -> str:
    return f"/control{_room(building_id, room_id)}/programme"


def _room_comfort(building_id: str, room_id: str) -> str:
    return f"/control{_room(building_id, room_id)}/comfort"


def _comfort(building_id: str) -> str:
    return f"/control/v1/buildings/{quote(building_id)}/comfort"


def _cooling(building_id: str) -> str:
    return f"/control/v1/buildings/{quote(building_id)}/cooling"


def _away(building_id: str) -> str:
    return f"/v1/buildings/{quote(building_id)}/away"


class HypocaustApi:
    """The interface as methods. What was read before is asked for with its tag, so that no change costs a 304."""

    def __init__(self, base_url: str, api_key: str, send: Send) -> None:
        """Only remember; nothing is sent before the first call."""
        self._base_url = base_url
        self._api_key = api_key
        self._send = send
        self._cache: dict[str, tuple[str, str]] = {}

    async def key(self) -> tuple[Key, Service]:
        """The key in use, and which service it opens."""
        answer = await self._exchange("GET", "/v1/key", {})
        headers = answer.headers
        service = Service(
            headers.get("hypocaust-installation"), headers.get("hypocaust-version")
        )
        return cast(Key, _json_of(answer)), service

    async def buildings(self) -> list[Building]:
        """All buildings the key can reach."""
        return cast("list[Building]", await self._get("/v1/buildings"))

    async def state(self, building_id: str, wait_s: int = 0) -> BuildingState:
        """Everything about a building; with a wait, as soon as it is not what was read last, or when the time is over."""
        path = f"/v1/buildings/{quote(building_id)}/state"
        try:
            return state_of(await self._get(path, wait_s))
        except NotFound as error:
            if str(error).startswith("No such path"):
                raise HypocaustError(
                    "too_old", "Hypocaust is older than this integration: update it"
                ) from error
            raise

    async def energy(self, building_id: str) -> Energy:
        """Heat and cost of this month, and the counters."""
        return cast(
            Energy, await self._get(f"/v1/buildings/{quote(building_id)}/energy")
        )

    async def energy_by_hour(
        self, building_id: str, first: date, last: date
    ) -> Energy:
        """Heat of each hour of a month at most. Nothing of it is kept: it is read once."""
        span = {"from": first.isoformat(), "to": last.isoformat(), "step": "hour"}
        path = f"/v1/buildings/{quote(building_id)}/energy?{urlencode(span)}"
        return cast(Energy, _json_of(await self._exchange("GET", path, {})))

    async def history(
        self, building_id: str, room_id: str, begin: datetime, end: datetime
    ) -> list[HistoryPoint]:
        """The past of a room. Nothing of it is kept."""
        span = {
            "from": begin.astimezone(UTC).isoformat(),
            "to": end.astimezone(UTC).isoformat(),
        }
        path = f"{_room(building_id, room_id)}/history?{urlencode(span)}"
        answer = _json_of(await self._exchange("GET", path, {}))
        return cast("list[HistoryPoint]", answer["points"])

    async def comfort(self, building_id: str) -> str:
        """How firmly the rooms are held at their setpoints."""
        answer = await self._get(_comfort(building_id))
        return cast(str, answer["comfort"])

    async def put_comfort(self, building_id: str, comfort: str) -> None:
        """Choose between comfort and saving."""
        await self._send_json("PUT", _comfort(building_id), {"comfort": comfort})

    async def room_comfort(self, building_id: str, room_id: str) -> RoomComfort:
        """The settings of the heating control for a room."""
        return cast(
            RoomComfort, await self._get(_room_comfort(building_id, room_id))
        )

    async def patch_room_comfort(
        self, building_id: str, room_id: str, patch: RoomComfortPatch
    ) -> None:
        """Change some of them."""
        await self._send_json("PATCH", _room_comfort(building_id, room_id), patch)

    async def put_cooling_target(
        self, building_id: str, room_id: str, target_c: float
    ) -> None:
        """Cool a room to another temperature; the season stays."""
        season = (await self._get(_cooling(building_id)))["season"]
        put = cooling_put(season, room_id, target_c)
        await self._send_json("PUT", _cooling(building_id), put)

    async def programme(self, building_id: str, room_id: str) -> Programme | None:
        """The week plan of a room, where it has one."""
        return cast(
            "Programme | None", await self._get(_programme(building_id, room_id))
        )

    async def put_programme(
        self, building_id: str, room_id: str, programme: Programme
    ) -> None:
        """Set the week plan of a room."""
        await self._send_json("PUT", _programme(building_id, room_id), programme)

    async def delete_programme(self, building_id: str, room_id: str) -> None:
        """Remove the week plan of a room."""
        await self._exchange("DELETE", _programme(building_id, room_id), {})

    async def copy_programme(
        self, building_id: str, room_id: str, room_ids: list[str]
    ) -> None:
        """Give other rooms the week plan of a room."""
        await self._send_json(
            "POST",
            f"{_programme(building_id, room_id)}/copies",
            {"room_ids": room_ids},
        )

    async def put_presence(self, building_id: str, person: str, home: bool) -> None:
        """Report whether a person is home."""
        people = {"people": [{"name": person, "home": home}]}
        await self._send_json(
            "PUT", f"/v1/buildings/{quote(building_id)}/presence", people
        )

    async def put_away(self, building_id: str, away: AwayPut) -> None:
        """Set an absence, in place of one that was set before."""
        await self._send_json("PUT", _away(building_id), away)

    async def delete_away(self, building_id: str) -> None:
        """End an absence, or cancel one to come."""
        await self._exchange("DELETE", _away(building_id), {})

    async def put_override(
        self, building_id: str, room_id: str, override: OverridePut
    ) -> None:
        """Give a room another target, or switch it off, until a time."""
        await self._send_json(
            "PUT", f"{_room(building_id, room_id)}/override", override
        )

    async def delete_override(self, building_id: str, room_id: str) -> None:
        """End the override of a room."""
        await self._exchange("DELETE", f"{_room(building_id, room_id)}/override", {})

    async def post_feedback(
        self, building_id: str, room_id: str, feeling: Feeling
    ) -> None:
        """Say that a person finds a room too cold or too warm."""
        await self._send_json(
            "POST", f"{_room(building_id, room_id)}/feedback", {"feeling": feeling}
        )

    async def patch_room(
        self, building_id: str, room_id: str, patch: RoomPatch
    ) -> Room:
        """Change settings of a room; the answer is the changed room."""
        return cast(
            Room, await self._send_json("PATCH", _room(building_id, room_id), patch)
        )

    async def _send_json(self, method: Method, path: str, value: object) -> Any:
        headers = {"content-type": "application/json"}
        return _json_of(await self._exchange(method, path, headers, dumps(value)))

    async def _get(self, path: str, wait_s: int = 0) -> Any:
        tag, text = self._cache.get(path, (None, ""))
        headers = {} if tag is None else {"if-none-match": tag}
        query = f"?{urlencode({'wait': wait_s})}" if wait_s > 0 else ""
        answer = await self._exchange("GET", path + query, headers, waits_s=wait_s)
        if answer.status == 304:
            return loads(text)
        value = _json_of(answer)
        new_tag = answer.headers.get("etag")
        if new_tag is not None:
            self._cache[path] = (new_tag, answer.text)
        return value

    async def _exchange(
        self,
        method: Method,
        path: str,
        headers: dict[str, str],
        body: str | None = None,
        waits_s: float = 0,
    ) -> Answer:
        sent = {"x-api-key": self._api_key, **headers}
        answer = await self._send(
            Request(method, self._base_url + path, sent, body, waits_s)
        )
        if 200 <= answer.status < 300 or answer.status == 304:
            return answer
        raise _error_of(answer)


def _json_of(answer: Answer) -> Any:
    try:
        return loads(answer.text)
    except ValueError as error:
        raise CannotConnect("The address does not answer as Hypocaust does") from error


def _error_of(answer: Answer) -> HypocaustError:
    try:
        error = loads(answer.text)["error"]
        code, message = str(error["code"]), str(error["message"])
    except _NOT_OURS:
        return CannotConnect(f"Status {answer.status}, and not as Hypocaust answers")
    kind = _BY_CODE.get(code) or _BY_STATUS.get(answer.status, HypocaustError)
    return kind(code, message, _seconds_of(answer.headers.get("retry-after")))


def _seconds_of(header: str | None) -> float | None:
    return float(header) if header is not None and header.isdecimal() else None
