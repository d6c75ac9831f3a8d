"""What entities and actions show and send before the real service, without Home Assistant."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from types import SimpleNamespace
from typing import Any
from unittest import IsolatedAsyncioTestCase, main

import stub_home_assistant

stub_home_assistant.install()

from stage import FOLDER, Stage, Wire, module  # noqa: E402

PLAN = {"monday": [{"at": "05:30", "setback": 0}, {"at": "22:00", "setback": 3}]}


class Entities(IsolatedAsyncioTestCase):
    """A bathroom as the house file made it, and what the integration makes of it."""

    def setUp(self) -> None:
        self.stage = Stage()
        self.stage.do("reset")

    async def coordinator(self, key: str) -> Any:
        made = module("api").HypocaustApi(self.stage.url, key, Wire().send)
        entry = SimpleNamespace(title="Lakeside 12", entry_id="1", data={})
        coordinators = module("coordinator")
        coordinator = coordinators.BuildingCoordinator(
            SimpleNamespace(), entry, made, self.stage.building_id
        )
        coordinator.permission = (await made.key())[0]["permission"]
        coordinator.device_name_of = lambda room: room["name"]
        coordinator.free_area = lambda name: name
        coordinator.async_refresh = self.refresh_of(coordinator)
        await coordinator.async_refresh()
        await coordinator.seldom.async_refresh()
        return coordinator

    def refresh_of(self, coordinator: Any) -> Any:
        async def refresh() -> None:
            coordinator.data = await coordinator.api.state(coordinator.building_id)
            await coordinator._follow_zone(coordinator.data.timezone)

        return refresh

    def control_key(self) -> str:
        key: str = self.stage.do("new-key", permission="write", control=True)["value"]
        return key

    async def test_every_module_loads(self) -> None:
        for file in FOLDER.glob("*.py"):
            if file.stem != "__init__":
                module(file.stem)

    async def test_heat_and_cost_are_sensors_once_they_are_counted(self) -> None:
        sensors = module("energy_sensors")
        before = await self.coordinator(self.stage.read_key)
        self.assertEqual(list(sensors.energy_sensors(before)), [])
        self.stage.do("heat", kwh=12.5, costM2=0.1)
        coordinator = await self.coordinator(self.stage.read_key)
        made = {key: make() for key, make in sensors.energy_sensors(coordinator)}
        self.assertEqual(list(made), ["heat", "monthly_cost"])
        self.assertEqual(made["heat"].native_value, 12.5)
        self.assertEqual(made["heat"]._attr_state_class, "total_increasing")
        cost = made["monthly_cost"]
        self.assertEqual((cost.native_value, cost._attr_native_unit_of_measurement), (1, "NOK"))
        now = datetime.fromisoformat(self.stage.do("now"))
        self.assertEqual(cost.last_reset, datetime(now.year, now.month, 1, tzinfo=UTC))
        bathroom = sensors.RoomHeat(coordinator, self.stage.room_ids[0])
        self.assertEqual(bathroom.native_value, 12.5)
        self.assertIsNone(sensors.RoomHeat(coordinator, self.stage.room_ids[1]).native_value)

    async def test_a_power_limit_is_a_sensor_while_it_is_in_force(self) -> None:
        coordinator = await self.coordinator(self.stage.read_key)
        self.assertTrue(coordinator.data.knows_limits)
        sensors = module("sensor")
        sensors.dt_util = SimpleNamespace(utcnow=lambda: datetime.now(UTC))
        sensor = sensors.PowerLimitSensor(coordinator)
        self.assertIsNone(sensor.native_value)
        shown = [("2000-01-01", "2100-01-01", 4200), ("2099-01-01", "2100-01-01", None)]
        for begins, ends, watts in shown:
            limit = {"limit_w": 4200, "from": begins + "T00:00:00+00:00", "until": ends + "T00:00:00+00:00"}
            coordinator.data = replace(coordinator.data, power_limit=limit)
            self.assertEqual(sensor.native_value, watts)
            self.assertEqual(sensor.extra_state_attributes, limit)

    async def test_the_weather_is_one_entity(self) -> None:
        weather = module("weather")
        empty = weather.BuildingWeather(await self.coordinator(self.stage.read_key))
        self.assertEqual((empty.available, empty.condition), (False, None))
        self.stage.do("weather", temperatureC=-3.4, cloudPct=75, windDeg=225, windMs=5)
        entity = weather.BuildingWeather(await self.coordinator(self.stage.read_key))
        entity.hass = None
        self.assertTrue(entity.available)
        shown = (entity.condition, entity.native_temperature, entity.cloud_coverage)
        self.assertEqual(shown, ("cloudy", -3.4, 75))
        self.assertEqual((entity.native_wind_speed, entity.wind_bearing), (5, 225))

    async def test_clouds_are_a_condition(self) -> None:
        condition = module("mapping").weather_condition
        skies = [(0, True), (0, False), (30, True), (70, False)]
        shown = [condition({"cloud_coverage": clouds}, is_day) for clouds, is_day in skies]
        self.assertEqual(shown, ["sunny", "clear-night", "partlycloudy", "cloudy"])

    async def test_comfort_is_chosen_where_the_key_opens_the_settings(self) -> None:
        closed = await self.coordinator(self.stage.write_key)
        self.assertIsNone(closed.seldom.data.comfort)
        coordinator = await self.coordinator(self.control_key())
        select = module("select").ComfortSelect(coordinator)
        self.assertIn(select.current_option, select._attr_options)
        for option in select._attr_options:
            await select.async_select_option(option)
            self.assertEqual(select.current_option, option)

    async def test_warm_floors_are_set_where_the_key_opens_the_settings(self) -> None:
        room_id = self.stage.room_ids[0]
        closed = await self.coordinator(self.stage.write_key)
        self.assertEqual(closed.settings_of_rooms, {})
        coordinator = await self.coordinator(self.control_key())
        select = module("select").TargetOfSelect(coordinator, room_id)
        self.assertEqual(select.current_option, "air")
        for option in ("floor", "air"):
            await select.async_select_option(option)
            self.assertEqual(select.current_option, option)
        number = module("number").FloorMinimum(coordinator, room_id)
        self.assertEqual((number.available, number.native_value), (False, None))
        times = [
            {"temperature": 24, "from": "06:00", "to": "08:00"},
            {"temperature": 22.5, "from": "20:00", "to": "22:00", "days": ["saturday"]},
        ]
        await coordinator.async_change_settings(room_id, {"minimum_floor_temperature": times})
        self.assertEqual((number.native_value, number.extra_state_attributes), (24, {"times": times}))
        await number.async_set_native_value(25.5)
        warmer = [{**each, "temperature": 25.5} for each in times]
        self.assertEqual((number.native_value, number.extra_state_attributes), (25.5, {"times": warmer}))
        elsewhere = {"minimum_floor_temperature": [{"temperature": 23, "from": "05:00", "to": "07:00"}]}
        await coordinator.api.patch_room_comfort(coordinator.building_id, room_id, elsewhere)
        await number.async_set_native_value(26)
        shown = {"times": [{"temperature": 26, "from": "05:00", "to": "07:00"}]}
        self.assertEqual((number.native_value, number.extra_state_attributes), (26, shown))
        await coordinator.api.patch_room_comfort(
            coordinator.building_id, room_id, {"minimum_floor_temperature": None}
        )
        with self.assertRaises(stub_home_assistant.ServiceValidationError):
            await number.async_set_native_value(25)

    async def test_a_room_is_cooled_while_its_building_cools(self) -> None:
        coordinator = await self.coordinator(self.control_key())
        room_id = self.stage.room_ids[0]
        room = module("climate").RoomClimate(coordinator, room_id)
        coordinator.data.outlooks[room_id]["activity"] = "cooling"
        coordinator.data.rooms[room_id]["power"] = 0.4
        shown = (room.hvac_mode, room.hvac_modes, room.hvac_action)
        self.assertEqual(shown, ("cool", ["off", "cool"], "cooling"))
        coordinator.data.rooms[room_id]["power"] = 0
        self.assertNotEqual(room.hvac_action, "cooling")
        await coordinator.async_set_cooling_target(room_id, 24.5)
        building_id = coordinator.building_id
        cooling = await coordinator.api._get(f"/control/v1/buildings/{building_id}/cooling")
        self.assertEqual(cooling["season"], "heating")
        targets = {each["room_id"]: each["target_temperature"] for each in cooling["rooms"]}
        self.assertEqual(targets[room_id], 24.5)
        await room.async_set_hvac_mode(module("climate").HVACMode.COOL)
        self.assertEqual(coordinator.data.rooms[room_id]["hvac_mode"], "heat")

    async def test_a_programme_is_set_read_copied_and_removed(self) -> None:
        coordinator = await self.coordinator(self.control_key())
        bathroom, living_room = (
            module("climate").RoomClimate(coordinator, each) for each in self.stage.room_ids
        )
        self.assertEqual(await bathroom.async_set_programme(PLAN), {"programme": PLAN})
        await coordinator.async_copy_programme(self.stage.room_ids[0], [self.stage.room_ids[1]])
        self.assertEqual(await living_room.async_get_programme(), {"programme": PLAN})
        for each in (bathroom, living_room):
            self.assertEqual(await each.async_set_programme(), {"programme": {}})

    async def test_a_programme_is_a_calendar_where_the_key_opens_the_settings(self) -> None:
        calendars = module("calendar")
        closed = await self.coordinator(self.stage.write_key)
        self.assertEqual(closed.seldom.data.programmes, {})
        coordinator = await self.coordinator(self.control_key())
        bathroom = self.stage.room_ids[0]
        entity = calendars.ProgrammeCalendar(coordinator, bathroom)
        entity.hass = SimpleNamespace(config=SimpleNamespace(units=SimpleNamespace(temperature_unit="°C")))
        self.assertIsNone(entity.event)
        plan = {**PLAN, "dates": [{"date": "2026-12-24", "follows": "monday"}]}
        await coordinator.async_set_programme(bathroom, plan)
        span = (datetime(2026, 12, 24, tzinfo=UTC), datetime(2026, 12, 28, tzinfo=UTC))
        events = await entity.async_get_events(None, *span)
        target = coordinator.data.rooms[bathroom]["target_temperature"]
        self.assertEqual(
            [(each.summary, each.start.isoformat(), each.end.isoformat()) for each in events],
            [
                (f"{target - 3:.1f} °C", "2026-12-21T22:00:00+01:00", "2026-12-24T05:30:00+01:00"),
                (f"{target:.1f} °C", "2026-12-24T05:30:00+01:00", "2026-12-24T22:00:00+01:00"),
                (f"{target - 3:.1f} °C", "2026-12-24T22:00:00+01:00", "2026-12-28T05:30:00+01:00"),
            ],
        )
        self.assertIn(entity.event.summary, {events[0].summary, events[1].summary})
        await coordinator.async_set_programme(bathroom, None)
        self.assertEqual(await entity.async_get_events(None, *span), [])

    def stop_clock(self) -> None:
        now = datetime.fromisoformat(self.stage.do("now"))

        def start_of_local_day(day: date | None = None) -> datetime:
            return datetime.combine(day or now.date(), time(), UTC)

        module("climate").dt_util = SimpleNamespace(
            utcnow=lambda: now, start_of_local_day=start_of_local_day
        )

    async def test_the_plan_of_today_follows_the_programme_and_what_acts_now(self) -> None:
        coordinator = await self.coordinator(self.control_key())
        bathroom, living_room = (
            module("climate").RoomClimate(coordinator, each) for each in self.stage.room_ids
        )
        units = SimpleNamespace(temperature_unit="°C")
        bathroom.hass = living_room.hass = SimpleNamespace(config=SimpleNamespace(units=units))
        self.stop_clock()
        target = living_room.room["target_temperature"]
        day = await living_room.async_get_plan()
        self.assertEqual(
            day["plan"], [{"start": day["start"], "end": day["end"], "temperature": target}]
        )
        weekdays = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
        await bathroom.async_set_programme({each: PLAN["monday"] for each in weekdays})
        lowered = await bathroom.async_get_plan()
        temperatures = {each["temperature"] for each in lowered["plan"]}
        self.assertEqual(temperatures, {target, target - 3})
        await bathroom.async_set_timer(timedelta(days=2), hvac_mode="off")
        held = (await bathroom.async_get_plan())["plan"]
        self.assertEqual((held[-1]["temperature"], held[-1]["end"]), (None, day["end"]))
        await bathroom.async_end_timer()
        await bathroom.async_set_programme()

    async def test_without_the_settings_a_plan_reaches_as_far_as_what_acts_now(self) -> None:
        coordinator = await self.coordinator(self.stage.write_key)
        room = module("climate").RoomClimate(coordinator, self.stage.room_ids[0])
        room.hass = SimpleNamespace(config=SimpleNamespace(units=SimpleNamespace(temperature_unit="°C")))
        self.stop_clock()
        await room.async_set_timer(timedelta(seconds=72), 26)
        day = await room.async_get_plan()
        await room.async_end_timer()
        self.assertEqual([each["temperature"] for each in day["plan"]], [26])
        self.assertLess(day["plan"][0]["end"], day["end"])

    async def test_the_card_is_served_where_there_is_a_frontend(self) -> None:
        card = module("card")
        paths: list[Any] = []
        urls: list[str] = []
        integration = SimpleNamespace(version="1.2.3")

        async def register(configs: list[Any]) -> None:
            paths.extend(configs)

        async def get_integration(*_: Any) -> Any:
            return integration

        card.FRONTEND_DOMAIN = "frontend"
        card.async_get_integration = get_integration
        card.add_extra_js_url = lambda _, url: urls.append(url)
        card.StaticPathConfig = lambda url, path: (url, path)
        for components in ({"http"}, {"http", "frontend"}):
            hass = SimpleNamespace(
                config=SimpleNamespace(components=components),
                http=SimpleNamespace(async_register_static_paths=register),
            )
            await card.async_serve_card(hass)
        self.assertEqual(paths, [("/hypocaust_card/1.2.3", str(FOLDER / "card"))])
        self.assertEqual(urls, ["/hypocaust_card/1.2.3/card.js"])
        self.assertTrue((FOLDER / "card" / "card.js").is_file())

    async def test_the_past_is_imported_once_and_the_counter_leads_to_what_it_is_now(self) -> None:
        past = module("past")
        coordinator = await self.coordinator(self.stage.read_key)
        now = datetime.fromisoformat(self.stage.do("now"))
        past.dt_util = SimpleNamespace(utcnow=lambda: now)
        self.stage.do("past", days=40, kwh=10)
        entry = SimpleNamespace(runtime_data=coordinator, title="Lakeside 12", data={"url": "u"})
        kept: list[Any] = []
        entries = SimpleNamespace(async_update_entry=lambda _, data: kept.append(data))
        hass = SimpleNamespace(
            config=SimpleNamespace(components={"domain"}), config_entries=entries
        )
        await past.async_import_past(hass, entry)
        self.assertEqual(kept, [{"url": "u", "past_imported": True}])
        bathroom = self.stage.room_ids[0]
        metadata, heat = stub_home_assistant.IMPORTED[past.statistic_id(bathroom, "heat")]
        self.assertEqual((metadata["has_sum"], metadata["unit_class"]), (True, "energy"))
        self.assertRegex(metadata["statistic_id"], r"^hypocaust:[0-9a-f]+(_[0-9a-f]+)+_heat$")
        starts = [each["start"] for each in heat]
        self.assertEqual(starts, sorted(set(starts)))
        self.assertEqual(len(heat), 39 * 24)
        self.assertTrue(all(start < now for start in starts))
        for before, after in zip(heat, heat[1:], strict=False):
            self.assertAlmostEqual(after["sum"] - before["sum"], after["state"], places=3)
        counter = coordinator.data and (await coordinator.api.energy(coordinator.building_id))["rooms"][0]["counter"]
        self.assertAlmostEqual(heat[-1]["sum"], counter - 10, delta=0.02)
        metadata, temperature = stub_home_assistant.IMPORTED[past.statistic_id(bathroom, "temperature")]
        self.assertEqual((metadata["has_sum"], metadata["unit_class"]), (False, "temperature"))
        self.assertEqual(len(temperature), 40 * 24)
        for each in temperature:
            self.assertTrue(each["min"] <= each["mean"] <= each["max"])
            self.assertEqual(each["start"].minute, 0)
        self.assertNotIn(past.statistic_id(self.stage.room_ids[1], "heat"), stub_home_assistant.IMPORTED)

    async def test_a_past_that_cannot_be_read_is_tried_again_at_the_next_start(self) -> None:
        past = module("past")
        coordinator = await self.coordinator(self.stage.read_key)
        coordinator.api = module("api").HypocaustApi(self.stage.url, "hyp_wrong", Wire().send)
        waits: list[float] = []

        async def wait(seconds: float) -> None:
            waits.append(seconds)

        past.sleep = wait
        past.LOGGER = SimpleNamespace(warning=lambda *_: None)
        entry = SimpleNamespace(runtime_data=coordinator, title="Lakeside 12", data={})
        hass = SimpleNamespace(config=SimpleNamespace(components={"domain"}))
        await past.async_import_past(hass, entry)
        self.assertEqual(waits, [])
        coordinator.api = module("api").HypocaustApi(self.stage.url, self.stage.read_key, Wire().send)
        self.stage.do("refuse", kind="429", retryAfterS=7)
        await past.async_import_past(hass, entry)
        self.stage.do("refuse")
        self.assertEqual(waits, [7] * (past.MOST_TRIES - 1))

    async def test_a_refusal_has_a_sentence_of_home_assistant(self) -> None:
        room_id = self.stage.room_ids[0]
        errors = module("coordinator").ServiceValidationError

        async def key_of(coordinator: Any, plan: Any) -> str | None:
            with self.assertRaises(errors) as refused:
                await coordinator.async_set_programme(room_id, plan)
            key: str | None = refused.exception.translation_key
            return key

        reader, writer, owner = [
            await self.coordinator(key)
            for key in (self.stage.read_key, self.stage.write_key, self.control_key())
        ]
        self.assertEqual(await key_of(reader, PLAN), "read_only_key")
        self.assertEqual(await key_of(writer, PLAN), "not_permitted")
        self.assertEqual(await key_of(owner, {"monday": [{"at": "25:00", "setback": 0}]}), "refused")
        with self.assertRaises(errors) as refused:
            await reader.async_programme(room_id)
        self.assertEqual(refused.exception.translation_key, "not_permitted")

    async def test_the_floor_is_a_sensor_where_its_temperature_is_known(self) -> None:
        sensors = module("sensor")
        [floor] = [each for each in sensors.OUTLOOK_SENSORS if each.key == "floor_temperature"]
        coordinator = await self.coordinator(self.stage.read_key)
        room_id = self.stage.room_ids[0]
        outlook = coordinator.data.outlooks[room_id]
        known = {**outlook, "floor_temperature": 24.6, "floor_measured": True}
        self.assertIn("floor_temperature", outlook)
        coordinator.data.outlooks[room_id] = known
        sensor = sensors.OutlookSensor(coordinator, room_id, floor)
        self.assertEqual(sensor.native_value, 24.6)
        shown = {"measured": True, "error": None, "target_of": "air"}
        self.assertEqual(sensor.extra_state_attributes, shown)


if __name__ == "__main__":
    main()
