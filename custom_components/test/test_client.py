"""The client and the mapping before the real service."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any
from unittest import IsolatedAsyncioTestCase, TestCase, main

from stage import Stage, Wire, module

api = module("api")
mapping = module("mapping")
models = module("models")


class Client(IsolatedAsyncioTestCase):
    """Every test begins with a bathroom as the house file made it."""

    def setUp(self) -> None:
        self.stage = Stage()
        self.stage.do("reset")
        self.wire = Wire()
        self.reader = self.client(self.stage.read_key)
        self.writer = self.client(self.stage.write_key)
        self.building = self.stage.building_id
        self.bathroom = self.stage.room_ids[0]

    def client(self, key: str, url: str | None = None) -> Any:
        return api.HypocaustApi(url or self.stage.url, key, self.wire.send)

    async def test_reads_the_key_the_buildings_and_the_rooms(self) -> None:
        key, service = await self.reader.key()
        self.assertEqual(key["permission"], "read")
        self.assertRegex(service.installation, r"^[0-9a-f-]{36}$")
        buildings = await self.reader.buildings()
        self.assertEqual([each["name"] for each in buildings], ["Lakeside 12"])
        state = await self.reader.state(self.building)
        self.assertEqual(state.building, buildings[0])
        rooms = list(state.rooms.values())
        self.assertEqual([each["name"] for each in rooms], ["Bathroom", "Living room"])
        self.assertEqual(set(rooms[0]), set(models.Room.__annotations__))
        self.assertLessEqual(set(models.Building.__annotations__), set(buildings[0]))
        outlook = state.outlooks[self.bathroom]
        self.assertLessEqual(set(models.Outlook.__annotations__), set(outlook))
        self.stage.do("report", temperatureC=21, batteryPct=5)
        [alert] = (await self.reader.state(self.building)).alerts
        self.assertLessEqual(set(models.Alert.__required_keys__), set(alert))
        self.assertEqual((alert["kind"], alert["room"]), ("battery_low", "Bathroom"))

    async def test_asks_with_the_tag_so_that_no_change_costs_a_304(self) -> None:
        first = await self.reader.state(self.building)
        self.assertEqual(await self.reader.state(self.building), first)
        self.stage.do("report", temperatureC=21.4)
        self.assertEqual((await self.room())["current_temperature"], 21.4)
        self.assertEqual(self.wire.seen, ["GET 200", "GET 304", "GET 200"])

    async def room(self, index: int = 0) -> Any:
        state = await self.reader.state(self.building)
        return state.rooms[self.stage.room_ids[index]]

    async def test_waits_until_something_has_changed_elsewhere(self) -> None:
        """A quiet minute costs one request; an absence, a target and a programme are seen while it waits."""
        await self.reader.state(self.building)
        deeds = (
            lambda: self.stage.do("patch", target_temperature=23.5),
            lambda: self.stage.do("lower-bathroom", setback=2),
        )
        for deed in deeds:
            self.wire.seen.clear()
            waiting = asyncio.create_task(self.reader.state(self.building, 50))
            await asyncio.sleep(0.5)
            self.assertFalse(waiting.done())
            await asyncio.to_thread(deed)
            state = await waiting
            self.assertEqual(self.wire.seen, ["GET 200"])
        self.assertEqual(state.outlooks[self.bathroom]["setpoint"], 21.5)
        self.stage.do("lower-bathroom", setback=0)

    async def test_changes_a_room_and_returns_it(self) -> None:
        patch = mapping.temperature_patch(22.22222222222222, "off")
        room = await self.writer.patch_room(self.building, self.bathroom, patch)
        self.assertEqual((room["target_temperature"], room["hvac_mode"]), (22.2, "off"))
        self.assertEqual(self.stage.do("bathroom"), room)
        self.assertEqual(self.wire.seen, ["PATCH 200"])

    async def test_tells_failures_apart(self) -> None:
        with self.assertRaises(api.InvalidKey):
            await self.client("hyp_wrong").buildings()
        with self.assertRaises(api.NotFound):
            await self.client(self.stage.strangers_key).state(self.building)
        with self.assertRaises(api.ReadOnlyKey):
            await self.reader.patch_room(self.building, self.bathroom, {"hvac_mode": "off"})
        with self.assertRaises(api.Refused) as refused:
            await self.writer.patch_room(self.building, self.bathroom, {"preset_mode": "eco"})
        self.assertIn("preset_mode", str(refused.exception))

    async def test_a_revoked_key_is_an_invalid_key(self) -> None:
        made = self.stage.do("new-key", permission="read")
        client = self.client(made["value"])
        await client.buildings()
        self.stage.do("revoke-key", id=made["id"])
        with self.assertRaises(api.InvalidKey):
            await client.buildings()

    async def test_nobody_there_and_somebody_else_there_cannot_be_connected(self) -> None:
        with self.assertRaises(api.CannotConnect):
            await self.client("k", "http://127.0.0.1:9").buildings()
        for status, body in ((200, b"<h1>Router</h1>"), (302, b""), (502, b"bad gateway")):
            with somebody_else(status, body) as url, self.assertRaises(api.CannotConnect):
                await self.client("k", url).buildings()

    async def test_says_for_how_long_to_wait(self) -> None:
        body = b'{"error":{"code":"rate_limited","message":"Too much."}}'
        with somebody_else(429, body, {"Retry-After": "17"}) as url:
            with self.assertRaises(api.HypocaustError) as limited:
                await self.client("k", url).buildings()
        self.assertEqual(
            (limited.exception.code, limited.exception.retry_after_s), ("rate_limited", 17)
        )

    async def test_the_values_of_a_room(self) -> None:
        self.stage.do("patch", manual_power={"enabled": True, "power": 0.35})
        at = datetime(2026, 1, 10, 8, 15, 3, tzinfo=UTC)
        reading = {"temperatureC": 21.4, "batteryPct": 81, "rssiDbm": -71}
        self.stage.do("report", **reading, measuredAt=int(at.timestamp() * 1000))
        room = await self.room()
        self.assertEqual(mapping.power_percent(room), 35)
        self.assertEqual(mapping.battery_percent(room), 81)
        self.assertEqual(mapping.signal_dbm(room), -71)
        self.assertEqual(mapping.measured_at(room), at)

    async def test_a_sensor_that_never_reported_has_no_values(self) -> None:
        room = await self.room(1)
        values = (mapping.battery_percent, mapping.signal_dbm, mapping.measured_at)
        self.assertEqual([value(room) for value in values], [None, None, None])

    async def test_the_three_states_of_a_building(self) -> None:
        async def seen() -> tuple[bool, bool]:
            building = (await self.reader.state(self.building)).building
            return mapping.is_reachable(building), mapping.lacks_gateway(building)

        self.assertEqual(await seen(), (False, True))
        self.stage.do("heartbeat")
        self.assertEqual(await seen(), (True, False))
        self.stage.do("silence")
        self.assertEqual(await seen(), (False, False))


class Thermostat(IsolatedAsyncioTestCase):
    """What a climate entity shows and sends, before the real service. It is morning, and the bathroom is lowered."""

    def setUp(self) -> None:
        self.stage = Stage()
        self.stage.do("reset")
        self.stage.do("lower-bathroom", setback=3)
        self.api = api.HypocaustApi(self.stage.url, self.stage.write_key, Wire().send)
        self.ids = (self.stage.building_id, self.stage.room_ids[0])

    def tearDown(self) -> None:
        self.stage.do("lower-bathroom", setback=0)
        self.stage.do("patch", hvac_mode="heat", target_temperature=20)

    async def look(self) -> tuple[Any, Any]:
        state = await self.api.state(self.ids[0])
        return state.rooms[self.ids[1]], state.outlooks[self.ids[1]]

    async def dial(self, target_c: float) -> None:
        override = mapping.dialled(*await self.look(), target_c)
        if override is None:
            await self.api.patch_room(*self.ids, mapping.temperature_patch(target_c, None))
        else:
            await self.api.put_override(*self.ids, override)

    async def shown(self) -> tuple[float, float, str]:
        room, outlook = await self.look()
        return (
            mapping.shown_target(room, outlook),
            room["target_temperature"],
            mapping.shown_mode(room, outlook),
        )

    async def test_shows_the_setpoint_and_a_dial_holds_until_the_next_step(self) -> None:
        self.assertEqual(await self.shown(), (17, 20, "heat"))
        _, before = await self.look()
        for target in (22.5, 20, 19):
            await self.dial(target)
            self.assertEqual(await self.shown(), (target, 20, "heat"))
        _, outlook = await self.look()
        self.assertEqual((outlook["reason"], outlook["until"]), ("override", before["until"]))
        self.assertEqual(
            mapping.override_until(outlook), datetime.fromisoformat(before["until"])
        )
        await self.api.delete_override(*self.ids)
        self.assertEqual(await self.shown(), (17, 20, "heat"))

    async def test_a_dial_by_day_is_the_target(self) -> None:
        self.stage.do("lower-bathroom", setback=0)
        await self.dial(21.5)
        self.assertEqual(await self.shown(), (21.5, 21.5, "heat"))

    async def test_a_dial_in_an_absence_holds_until_its_end(self) -> None:
        for until in (self.until(50), None):
            await self.api.put_away(self.ids[0], mapping.away_put(None, until, 15))
            self.assertEqual((await self.shown())[0], 15)
            await self.dial(21)
            self.assertEqual((await self.shown())[0], 21)
            _, outlook = await self.look()
            self.assertEqual(mapping.time_of(outlook["until"]), until)
            await self.api.delete_away(self.ids[0])
            await self.api.delete_override(*self.ids)

    def until(self, hours: float) -> datetime:
        return datetime.fromisoformat(self.stage.do("now")) + timedelta(hours=hours)

    async def test_a_timer_is_counted_by_the_clock_of_the_service(self) -> None:
        await self.api.put_override(*self.ids, mapping.override_put(timedelta(minutes=90), None))
        room, outlook = await self.look()
        self.assertEqual(mapping.time_of(outlook["until"]), self.until(1.5))
        shown = (mapping.shown_mode(room, outlook), mapping.shown_action(room, outlook))
        self.assertEqual((room["hvac_mode"], *shown), ("heat", "off", "off"))
        await self.api.put_override(*self.ids, mapping.boost_put(room))
        self.assertEqual(await self.shown(), (22, 20, "heat"))

    async def test_a_room_that_is_too_cold_is_helped_for_a_while(self) -> None:
        self.stage.do("lower-bathroom", setback=0)
        await self.api.post_feedback(*self.ids, "too_cold")
        _, outlook = await self.look()
        self.assertEqual((outlook["setpoint"], outlook["reason"]), (20.5, "override"))
        self.assertEqual(mapping.time_of(outlook["until"]), self.until(3))
        await self.api.patch_room(*self.ids, {"hvac_mode": "off"})
        with self.assertRaises(api.Refused):
            await self.api.post_feedback(*self.ids, "too_warm")

    async def test_a_power_in_percent_is_set(self) -> None:
        room = await self.api.patch_room(*self.ids, mapping.power_patch(35))
        self.assertEqual(room["manual_power"], {"enabled": True, "power": 0.35})


class Pure(TestCase):
    """What needs no service."""

    def test_an_address_as_people_write_it(self) -> None:
        for typed, url in (
            ("192.168.1.5:8080", "http://192.168.1.5:8080"),
            (" http://heat.local/ ", "http://heat.local"),
            ("https://heat.example.org/v1/", "https://heat.example.org"),
            ("https://example.org/heat/v1", "https://example.org/heat"),
        ):
            self.assertEqual(api.base_url_of(typed), url)

    def test_a_change_carries_only_what_is_asked_for(self) -> None:
        self.assertEqual(mapping.temperature_patch(21, None), {"target_temperature": 21})
        self.assertEqual(mapping.temperature_patch(None, "heat"), {"hvac_mode": "heat"})
        both = {"target_temperature": 21.4, "hvac_mode": "heat"}
        self.assertEqual(mapping.temperature_patch(21.37, "heat"), both)

    def test_rooms_of_two_houses_carry_the_name_of_theirs(self) -> None:
        building, room = {"name": "Lakeside 12"}, {"name": "Bathroom"}
        self.assertEqual(mapping.device_name(building, room, False), "Bathroom")
        self.assertEqual(mapping.device_name(building, room, True), "Lakeside 12 Bathroom")

    def test_an_absence_without_an_end_lasts(self) -> None:
        begins = datetime(2026, 1, 10, tzinfo=UTC)
        away = {"from": begins.isoformat(), "until": None, "target_temperature": 15}
        days = [begins + timedelta(days=each) for each in (-1, 0, 500)]
        self.assertEqual([mapping.is_in_force(away, day) for day in days], [False, True, True])


class somebody_else:
    """A real server that is not Hypocaust, or not well."""

    def __init__(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status)
                for name, value in {"Location": "http://127.0.0.1:9/", **(headers or {})}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                return None

        self._server = HTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self) -> str:
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()


if __name__ == "__main__":
    main()
