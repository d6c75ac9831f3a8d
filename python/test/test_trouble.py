"""What the client does when the service, or what answers in its place, is not well."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any
from unittest import IsolatedAsyncioTestCase, TestCase, main

from scripted import Scripted, Turn

from hypocaust import AsyncHypocaustClient, BuildingsEvent, HypocaustClient, HypocaustError, StateEvent
from hypocaust.retry import back_off_s

KEY = {"id": "1", "name": "test", "permission": "read", "expires_at": None}


def answer(status: int, value: Any, **headers: str) -> Turn:
    return status, {name.replace("_", "-"): each for name, each in headers.items()}, json.dumps(value).encode()


def refusal(status: int, code: str, retry_after: str = "0") -> Turn:
    return answer(status, {"error": {"code": code, "message": "Not now."}}, retry_after=retry_after)


class Trouble(TestCase):
    def code_of(self, *turns: Turn, **options: Any) -> tuple[str, int]:
        """What a call fails with, and after how many requests."""
        with Scripted(*turns) as server:
            with self.assertRaises(HypocaustError) as failed:
                HypocaustClient(server.url, "hyp_key", **options).get_key()
            return failed.exception.code, len(server.requests)

    def test_busy_and_away_are_tried_again(self) -> None:
        turns = (refusal(429, "rate_limited"), refusal(503, "unavailable"), (502, {"Retry-After": "0"}, b"<h1>"))
        with Scripted(*turns, answer(200, KEY)) as server:
            self.assertEqual(HypocaustClient(server.url, "hyp_key").get_key(), KEY)
            self.assertEqual(len(server.requests), 4)

    def test_not_without_end_and_not_after_a_long_time(self) -> None:
        self.assertEqual(self.code_of(refusal(503, "unavailable")), ("unavailable", 5))
        self.assertEqual(self.code_of(refusal(503, "unavailable"), retries=1), ("unavailable", 2))
        self.assertEqual(self.code_of(refusal(429, "rate_limited", "61")), ("rate_limited", 1))
        date = "Wed, 21 Oct 2065 07:28:00 GMT"
        self.assertEqual(self.code_of(refusal(429, "rate_limited", date)), ("rate_limited", 1))

    def test_a_failure_of_the_request_is_not_tried_again(self) -> None:
        self.assertEqual(self.code_of(refusal(401, "invalid_api_key")), ("invalid_api_key", 1))
        self.assertEqual(self.code_of(refusal(500, "internal_error")), ("internal_error", 1))

    def test_a_conditional_write_is_tried_once(self) -> None:
        room = {"etag": '"1"'}
        fields = ("id", "name", "current_temperature", "current_humidity", "target_temperature", "min_temp", "max_temp")
        more = ("hvac_mode", "hvac_modes", "hvac_action", "preset_mode", "preset_modes", "manual_power", "power")
        value = dict.fromkeys((*fields, *more, "sensor_id", "sensor"))
        with Scripted(answer(200, value, **room), refusal(503, "unavailable")) as server:
            client = HypocaustClient(server.url, "hyp_key")
            client.get_room("b", "r")
            with self.assertRaises(HypocaustError):
                client.patch_room("b", "r", {}, if_unchanged=True)
            self.assertEqual([each[0] for each in server.requests], ["GET", "PATCH"])
            self.assertEqual(server.requests[1][2]["if-match"], '"1"')

    def test_unchanged_data_is_what_was_read_before(self) -> None:
        with Scripted(answer(200, KEY, etag='"1"'), (304, {}, b"")) as server:
            client = HypocaustClient(server.url, "hyp_key")
            self.assertEqual((client.get_key(), client.get_key()), (KEY, KEY))
            self.assertEqual(server.requests[1][2]["if-none-match"], '"1"')

    def test_another_program_is_not_taken_for_the_service(self) -> None:
        others: tuple[Turn, ...] = (
            (200, {}, b"<h1>Router</h1>"),
            answer(200, {"hello": "world"}),
            (404, {}, b"no"),
            (302, {"Location": "http://127.0.0.1:9/"}, b""),
        )
        for turn in others:
            self.assertEqual(self.code_of(turn), ("unexpected_answer", 1))

    def test_a_building_that_has_moved_is_reported_with_its_new_address(self) -> None:
        said = {"error": {"code": "moved", "message": "The building 1 has moved to https://cell-2.example."}}
        turn = answer(307, said, location="https://cell-2.example/v1/buildings")
        self.assertEqual(self.code_of(turn), ("moved", 1))

    def test_an_address_without_a_service(self) -> None:
        for url, code in (
            ("ftp://127.0.0.1", "invalid_address"),
            ("127.0.0.1:8080", "invalid_address"),
            ("http://127.0.0.1:9", "no_connection"),
            ("http://nowhere.invalid", "unknown_host"),
        ):
            with self.subTest(url), self.assertRaises(HypocaustError) as failed:
                HypocaustClient(url, "hyp_key", retries=0).get_key()
            self.assertEqual(failed.exception.code, code)
        with self.assertRaises(HypocaustError):
            HypocaustClient("http://127.0.0.1", "")

    def test_a_silent_server_is_a_timeout(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            client = HypocaustClient(
                f"http://127.0.0.1:{server.getsockname()[1]}", "hyp_key", timeout_s=0.05, retries=0
            )
            with self.assertRaises(HypocaustError) as failed:
                client.get_key()
        self.assertEqual(failed.exception.code, "timeout")

    def test_the_back_off_doubles_up_to_half_a_minute(self) -> None:
        waits = [back_off_s(attempt, 1) for attempt in range(8)]
        self.assertEqual(waits, [0.5, 1, 2, 4, 8, 16, 30, 30])
        self.assertEqual(back_off_s(0, 0), 0.25)

    def test_a_lost_stream_goes_on_after_the_last_event_that_was_taken(self) -> None:
        stream = {"Content-Type": "text/event-stream"}
        state = {"building_id": "b", "building": {}, "rooms": [1], "revision": "1"}
        first = ("buildings", "1", {"building_ids": ["b"]}), ("state", "2", state)
        later = (("state", "3", {"building_id": "b", "rooms": [2], "revision": "2"}),)
        turns = [(200, stream, b": hello\n\n" + b"".join(map(sent, each))) for each in (first, later)]
        with Scripted(turns[0], refusal(503, "unavailable"), turns[1]) as server:
            troubles: list[str] = []
            client = HypocaustClient(server.url, "hyp_key")
            events = client.events(on_trouble=lambda error: troubles.append(error.code))
            seen = [next(events) for _ in range(3)]
            self.assertEqual(seen[0], BuildingsEvent(["b"]))
            assert isinstance(seen[2], StateEvent)
            self.assertEqual((seen[2].changed, seen[2].state["building"]), (["rooms"], {}))
            self.assertEqual(troubles, ["no_connection", "unavailable"])
            ids = [headers.get("last-event-id") for _, _, headers in server.requests]
            self.assertEqual(ids, [None, "2", "2"])


class Cancelled(IsolatedAsyncioTestCase):
    async def test_a_cancelled_call_keeps_no_thread(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            url = f"http://127.0.0.1:{server.getsockname()[1]}"
            client = AsyncHypocaustClient(url, "hyp_key", timeout_s=3600)
            call = asyncio.create_task(client.get_key())
            connection, _ = await asyncio.to_thread(server.accept)
            await asyncio.to_thread(connection.recv, 1)
            call.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await call
            # Returns when the thread has ended, which reads from a server that never answers.
            client._threads.shutdown(wait=True)
            connection.close()

    async def test_closing_the_client_ends_what_is_awaited(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            url = f"http://127.0.0.1:{server.getsockname()[1]}"
            client = AsyncHypocaustClient(url, "hyp_key", timeout_s=3600)
            call = asyncio.create_task(client.get_key())
            await asyncio.to_thread(server.accept)
            client.close()
            with self.assertRaises(HypocaustError) as failed:
                await call
        self.assertEqual(failed.exception.code, "stopped")


def sent(event: tuple[str, str, Any]) -> bytes:
    name, event_id, data = event
    return f"event: {name}\nid: {event_id}\ndata: {json.dumps(data)}\n\n".encode()


if __name__ == "__main__":
    main()
