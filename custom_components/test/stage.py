"""The real service that runs beside the tests, and the modules that need no Home Assistant."""

from __future__ import annotations

import asyncio
from importlib import import_module
import json
import os
from pathlib import Path
import sys
from types import ModuleType
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request as UrlRequest, build_opener

FOLDER = Path(__file__).parent.parent / "hypocaust"


def module(name: str) -> ModuleType:
    """A module of the integration without its __init__, which needs Home Assistant."""
    if "hypocaust" not in sys.modules:
        package = ModuleType("hypocaust")
        package.__path__ = [str(FOLDER)]
        sys.modules["hypocaust"] = package
    return import_module(f"hypocaust.{name}")


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoRedirect)


class Stage:
    """Where the service is, what opens it, and who moves the scenery."""

    def __init__(self) -> None:
        given = json.loads(os.environ["HYPOCAUST_STAGE"])
        self.url: str = given["url"]
        self.building_id: str = given["buildingId"]
        self.room_ids: list[str] = given["roomIds"]
        self.read_key: str = given["readKey"]
        self.write_key: str = given["writeKey"]
        self.strangers_key: str = given["strangersKey"]
        self.broker_port: int = given.get("brokerPort", 0)
        self.neighbours_room_ids: list[str] = given.get("neighboursRoomIds", [])
        self._hands: str = given["hands"]

    def do(self, name: str, /, **given: Any) -> Any:
        """Ask a stage hand."""
        request = UrlRequest(f"{self._hands}/{name}", data=json.dumps(given).encode())
        with _opener.open(request, timeout=60) as answer:
            return json.load(answer)


class Wire:
    """Sends for the client by the standard library, and notes what came back."""

    def __init__(self) -> None:
        self.api = module("api")
        self.seen: list[str] = []

    async def send(self, request: Any) -> Any:
        """One request, one answer."""
        answer = await asyncio.to_thread(self._exchange, request)
        self.seen.append(f"{request.method} {answer.status}")
        return answer

    def _exchange(self, request: Any) -> Any:
        data = None if request.body is None else request.body.encode()
        out = UrlRequest(request.url, data=data, headers=request.headers, method=request.method)
        try:
            with _opener.open(out, timeout=10 + request.waits_s) as answer:
                return self._answer(answer.status, answer.headers, answer.read())
        except HTTPError as error:
            return self._answer(error.code, error.headers, error.read())
        except (URLError, OSError) as error:
            raise self.api.CannotConnect(str(error)) from error

    def _answer(self, status: int, headers: Any, body: bytes) -> Any:
        lower = {name.lower(): value for name, value in headers.items()}
        return self.api.Answer(status, lower, body.decode())
