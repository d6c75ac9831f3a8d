"""The client before the real service."""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Thread
from typing import Any
from unittest import IsolatedAsyncioTestCase, TestCase, main

from described import wrong_with
from stage import Stage

from hypocaust import AsyncHypocaustClient, BuildingsEvent, HypocaustClient, HypocaustError, StateEvent
from hypocaust.types import Building, Energy, History, Key, Room, RoomPatches, State


class Sync(TestCase):
    """Every test begins with a bathroom as the house file made it."""

    def setUp(self) -> None:
        self.stage = Stage()
        self.stage.do("reset")
        self.reader = HypocaustClient(self.stage.url, self.stage.read_key)
        self.writer = HypocaustClient(self.stage.url, self.stage.write_key)
        self.building = self.stage.building_id
        self.bathroom = self.stage.room_ids[0]
        self.addCleanup(self.reader.close)
        self.addCleanup(self.writer.close)

    def assert_fails(self, code: str, call: Any, *args: Any, **given: Any) -> HypocaustError:
        with self.assertRaises(HypocaustError) as failed:
            call(*args, **given)
        self.assertEqual(failed.exception.code, code)
        return failed.exception

    def test_reads_what_its_types_describe(self) -> None:
        self.stage.do("report", temperatureC=21.4)
        now = datetime.fromisoformat(self.stage.do("now"))
        history = self.reader.get_history(
            self.building, self.bathroom, from_=now - timedelta(days=1), to=now + timedelta(hours=1)
        )
        for value, kind in (
            (self.reader.get_key(), Key),
            (self.reader.list_buildings(), list[Building]),
            (self.reader.list_rooms(self.building), list[Room]),
            (self.reader.get_state(self.building), State),
            (self.reader.get_energy(self.building, step="hour"), Energy),
            (history, History),
        ):
            self.assertIsNone(wrong_with(value, kind))

    def test_a_time_without_a_zone_is_refused_before_it_is_sent(self) -> None:
        times = {"from_": datetime(2026, 1, 1), "to": datetime(2026, 1, 2)}
        with self.assertRaisesRegex(ValueError, "needs a time zone"):
            self.reader.get_history(self.building, self.bathroom, **times)

    def test_changes_a_room_and_returns_it(self) -> None:
        room = self.writer.patch_room(self.building, self.bathroom, {"target_temperature": 22.5})
        self.assertEqual((room["target_temperature"], room), (22.5, self.stage.do("bathroom")))
        targets = dict(zip(self.stage.room_ids, (19, 20)))
        body: RoomPatches = {"rooms": [{"id": each, "target_temperature": c} for each, c in targets.items()]}
        changed = self.writer.patch_rooms(self.building, body)
        self.assertEqual([each["target_temperature"] for each in changed], [19, 20])

    def test_sets_and_ends_what_holds_for_a_while(self) -> None:
        self.writer.put_override(self.building, self.bathroom, {"target_temperature": 24, "hours": 2})
        override = self.reader.get_override(self.building, self.bathroom)
        assert override is not None
        self.assertEqual(override["target_temperature"], 24)
        self.writer.delete_override(self.building, self.bathroom)
        self.assertIsNone(self.reader.get_override(self.building, self.bathroom))
        self.writer.put_away(self.building, {"until": None, "target_temperature": 15})
        away = self.reader.get_away(self.building)
        assert away is not None
        self.assertEqual((away["until"], away["target_temperature"]), (None, 15))
        self.writer.delete_away(self.building)

    def test_writes_only_what_is_still_as_it_was_read(self) -> None:
        patch_room = self.writer.patch_room
        ids = (self.building, self.bathroom)
        self.assert_fails("not_read", patch_room, *ids, {"target_temperature": 21}, if_unchanged=True)
        self.writer.get_room(*ids)
        patch_room(*ids, {"target_temperature": 21}, if_unchanged=True)
        self.writer.get_room(*ids)
        self.stage.do("patch", target_temperature=18)
        self.assert_fails(
            "precondition_failed", patch_room, *ids, {"target_temperature": 22}, if_unchanged=True
        )
        self.assertEqual(self.reader.get_room(*ids)["target_temperature"], 18)

    def test_waits_until_the_state_is_another(self) -> None:
        self.reader.get_state(self.building)
        seen: list[State] = []
        waiting = Thread(target=lambda: seen.append(self.reader.get_state(self.building, wait=50)))
        waiting.start()
        self.stage.do("patch", target_temperature=23.5)
        waiting.join()
        self.assertEqual(seen[0]["rooms"][0]["target_temperature"], 23.5)

    def test_watches_a_building(self) -> None:
        states = self.reader.watch(self.building)
        self.assertEqual(next(states)["rooms"][0]["target_temperature"], 20)
        for target in (21, 22, 23):
            self.stage.do("patch", target_temperature=target)
            self.assertEqual(next(states)["rooms"][0]["target_temperature"], target)

    def test_is_sent_what_changes(self) -> None:
        events = self.reader.events()
        self.assertEqual(next(events), BuildingsEvent([self.building]))
        first = next(events)
        assert isinstance(first, StateEvent)
        self.assertIsNone(wrong_with(first.state, State))
        self.stage.do("patch", target_temperature=23.5)
        event = next(events)
        assert isinstance(event, StateEvent)
        self.assertIn("rooms", event.changed)
        self.assertNotIn("timezone", event.changed)
        self.assertEqual(event.state["rooms"][0]["target_temperature"], 23.5)
        self.assertEqual(event.state["timezone"], first.state["timezone"])

    def test_tells_failures_apart(self) -> None:
        stranger = HypocaustClient(self.stage.url, "hyp_wrong")
        self.assertEqual(self.assert_fails("invalid_api_key", stranger.list_buildings).status, 401)
        self.assert_fails("not_found", self.reader.get_building, self.stage.room_ids[0])
        error = self.assert_fails(
            "invalid_value", self.writer.patch_room, self.building, self.bathroom, {"preset_mode": "eco"}
        )
        self.assertIn("preset_mode", str(error))
        self.assertIsNotNone(error.request_id)
        self.assert_fails("read_only_key", self.reader.patch_room, self.building, self.bathroom, {})
        self.assert_fails("invalid_api_key", lambda: next(stranger.watch(self.building)))
        self.assert_fails("invalid_api_key", lambda: next(stranger.events()))

    def test_a_watch_ends_when_the_client_is_closed(self) -> None:
        states = self.reader.watch(self.building)
        next(states)
        failures: list[HypocaustError] = []
        waiting = Thread(
            target=lambda: failures.append(self.assert_fails("stopped", lambda: next(states)))
        )
        waiting.start()
        self.reader.close()
        waiting.join()
        self.assertEqual(len(failures), 1)


class Async(IsolatedAsyncioTestCase):
    """The same, awaited."""

    def setUp(self) -> None:
        self.stage = Stage()
        self.stage.do("reset")
        self.building = self.stage.building_id

    def client(self) -> AsyncHypocaustClient:
        return AsyncHypocaustClient(self.stage.url, self.stage.write_key)

    async def test_reads_changes_and_watches(self) -> None:
        async with self.client() as client:
            [building] = await client.list_buildings()
            bathroom = self.stage.room_ids[0]
            states = client.watch(building["id"])
            self.assertEqual((await anext(states))["rooms"][0]["target_temperature"], 20)
            await client.patch_room(building["id"], bathroom, {"target_temperature": 21.5})
            self.assertEqual((await anext(states))["rooms"][0]["target_temperature"], 21.5)

    async def test_is_sent_what_changes(self) -> None:
        async with self.client() as client:
            kinds = []
            async for event in client.events(self.building):
                kinds.append(type(event))
                if len(kinds) == 2:
                    break
            self.assertEqual(kinds, [BuildingsEvent, StateEvent])

    async def test_a_call_fails_as_it_does_without_await(self) -> None:
        async with AsyncHypocaustClient(self.stage.url, "hyp_wrong") as client:
            with self.assertRaises(HypocaustError) as failed:
                await client.get_key()
        self.assertEqual(failed.exception.code, "invalid_api_key")


if __name__ == "__main__":
    main()
