"""What the other parts of Home Assistant make of a house: statistics, energy, calendars, Assist, areas."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from home import DOMAIN, Steps, Story, equal, tell
from homeassistant.components.recorder import get_instance
from homeassistant.components.recorder.statistics import statistics_during_period
from homeassistant.components.recorder.tasks import StatisticsTask
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
from homeassistant.helpers.recorder import async_initialize_recorder
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util

step = Steps()
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


async def eventually(holds: Callable[[], Any], what: str) -> None:
    for _ in range(600):
        if holds():
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"never: {what}")


async def act(story: Story, name: str, **data: Any) -> Any:
    """One of the integration's own actions on the bathroom, with its answer."""
    data["entity_id"] = story.entity_id("climate", story.bathroom)
    return await story.hass.services.async_call(DOMAIN, name, data, blocking=True, return_response=True)


async def press(story: Story, domain: str, name: str, unique_id: str, **data: Any) -> None:
    data["entity_id"] = story.entity_id(domain, unique_id)
    await story.hass.services.async_call(domain, name, data, blocking=True)


@step
async def the_year_before_is_in_the_statistics(story: Story) -> None:
    from custom_components.hypocaust import past

    hass, stage = story.hass, story.stage
    async_initialize_recorder(hass)
    assert await async_setup_component(hass, "recorder", {})
    stage.do("reset")
    stage.do("heartbeat")
    stage.do("past", days=40, kwh=10)
    now = datetime.fromisoformat(stage.do("now"))
    past.dt_util = SimpleNamespace(utcnow=lambda: now)
    key = stage.do("new-key", permission="write", control=True)["value"]
    await story.answer(await story.begin(), url=stage.url, api_key=key)
    await eventually(lambda: story.entry.data.get("past_imported"), "imported")
    recorder = get_instance(hass)
    await recorder.async_block_till_done()
    heat, warmth = (past.statistic_id(story.bathroom, each) for each in ("heat", "temperature"))
    found = await recorder.async_add_executor_job(
        statistics_during_period,
        *(hass, now - timedelta(days=366), None, {heat, warmth}, "hour", None, {"sum", "mean"}),
    )
    sums = [each["sum"] for each in found[heat]]
    equal((len(sums), sums), (39 * 24, sorted(sums)))
    assert {round(each["mean"]) for each in found[warmth]} <= {20, 21, 22, 23, 24}, found[warmth][:5]


@step
async def the_energy_dashboard_takes_the_heat(story: Story) -> None:
    from custom_components.hypocaust import past
    from homeassistant.components.energy import data, validate

    hass = story.hass
    assert await async_setup_component(hass, "energy", {})
    recorder = get_instance(hass)
    began = dt_util.utcnow()
    period = began.replace(minute=began.minute - began.minute % 5, second=0, microsecond=0)
    recorder.queue_task(StatisticsTask(period, False))
    await recorder.async_block_till_done()
    counted = [
        story.entity_id("sensor", f"{story.bathroom}_heat"),
        past.statistic_id(story.bathroom, "heat"),
    ]
    manager = await data.async_get_manager(hass)
    await manager.async_update({"device_consumption": [{"stat_consumption": each} for each in counted]})
    checked = (await validate.async_validate(hass)).as_dict()
    equal(checked["device_consumption"], [[], []])


@step
async def a_programme_is_set_by_an_action_and_is_a_calendar(story: Story) -> None:
    day = [{"at": "06:00", "setback": 0}, {"at": "22:00", "setback": 3}]
    plan = {each: day for each in WEEKDAYS}
    equal((await act(story, "get_programme"))[story.climate().entity_id], {"programme": {}})
    equal((await act(story, "set_programme", programme=plan))[story.climate().entity_id], {"programme": plan})
    calendar = story.entity_id("calendar", f"{story.bathroom}_programme")
    span = {"start_date_time": "2026-01-12T12:00:00+00:00", "end_date_time": "2026-01-13T12:00:00+00:00"}
    answer = await story.hass.services.async_call(
        "calendar", "get_events", {"entity_id": calendar, **span}, blocking=True, return_response=True
    )
    shown = [(each["start"], each["end"], each["summary"]) for each in answer[calendar]["events"]]
    equal(
        shown,
        [
            ("2026-01-12T06:00:00+01:00", "2026-01-12T22:00:00+01:00", "20.0 °C"),
            ("2026-01-12T22:00:00+01:00", "2026-01-13T06:00:00+01:00", "17.0 °C"),
            ("2026-01-13T06:00:00+01:00", "2026-01-13T22:00:00+01:00", "20.0 °C"),
        ],
    )
    equal((await act(story, "set_programme"))[story.climate().entity_id], {"programme": {}})


@step
async def a_warm_floor_is_a_number_while_it_has_times(story: Story) -> None:
    coordinator = story.entry.runtime_data
    equal(er.async_get(story.hass).async_get_entity_id("number", DOMAIN, f"{story.bathroom}_floor_minimum"), None)
    times = [{"temperature": 24, "from": "06:00", "to": "08:00"}]
    await coordinator.async_change_settings(story.bathroom, {"minimum_floor_temperature": times})
    await story.hass.async_block_till_done()
    number = f"{story.bathroom}_floor_minimum"
    equal((story.state("number", number).state, story.state("number", number).attributes["times"]), ("24", times))
    await press(story, "number", "set_value", number, value=25.5)
    settings = await coordinator.api.room_comfort(story.stage.building_id, story.bathroom)
    equal(settings["minimum_floor_temperature"], [{**times[0], "temperature": 25.5}])
    equal(story.state("number", number).state, "25.5")
    await coordinator.async_change_settings(story.bathroom, {"minimum_floor_temperature": None})
    await story.hass.async_block_till_done()
    equal(story.state("number", number).state, "unavailable")


@step
async def what_is_dialled_in_an_absence_is_what_is_heated(story: Story) -> None:
    entry = {"config_entry_id": story.entry.entry_id}
    back = datetime.fromisoformat(story.stage.do("now")) + timedelta(days=3)
    away = {**entry, "until": back.astimezone(UTC).isoformat(), "temperature": 15}
    await story.hass.services.async_call(DOMAIN, "set_away", away, blocking=True)
    equal(story.climate().attributes["temperature"], 15)
    await story.call("set_temperature", temperature=22)
    equal(story.climate().attributes["temperature"], 22)
    equal(story.stage.do("bathroom")["target_temperature"], 20)
    await story.hass.services.async_call(DOMAIN, "end_away", entry, blocking=True)
    await press(story, "button", "press", f"{story.bathroom}_end_override")
    equal(story.climate().attributes["temperature"], 20)


@step
async def assist_heats_to_what_it_is_asked_for_at_night(story: Story) -> None:
    story.stage.do("lower-bathroom", setback=3)
    await story.refresh()
    equal(story.climate().attributes["temperature"], 17)
    said = {"text": "set the bathroom temperature to 23 degrees", "language": "en"}
    answer = await story.hass.services.async_call(
        "conversation", "process", said, blocking=True, return_response=True
    )
    equal(answer["response"]["response_type"], "action_done")
    equal(story.climate().attributes["temperature"], 23)
    equal(story.stage.do("bathroom")["target_temperature"], 20)
    await press(story, "button", "press", f"{story.bathroom}_end_override")
    story.stage.do("lower-bathroom", setback=0)
    await story.refresh()


@step
async def an_area_that_is_turned_off_is_of_one_house(story: Story) -> None:
    first = story.entry
    made = await story.answer(await story.begin(), url=story.stage.url, api_key=story.stage.strangers_key)
    equal(made["type"], "create_entry")
    devices = dr.async_get(story.hass)
    areas = {
        entry.entry_id: {
            each.area_id for each in dr.async_entries_for_config_entry(devices, entry.entry_id) if each.area_id
        }
        for entry in story.hass.config_entries.async_entries(DOMAIN)
    }
    shared = set.intersection(*areas.values())
    equal(shared, set())
    area = ar.async_get(story.hass).async_get_area_by_name("Bathroom")
    assert area is not None
    await story.hass.services.async_call("climate", "turn_off", {"area_id": area.id}, blocking=True)
    equal(story.stage.do("bathroom")["hvac_mode"], "off")
    [other] = [each for each in story.hass.config_entries.async_entries(DOMAIN) if each is not first]
    modes = {each["hvac_mode"] for each in other.runtime_data.data.rooms.values()}
    await other.runtime_data.async_refresh()
    equal((modes, {each["hvac_mode"] for each in other.runtime_data.data.rooms.values()}), ({"heat"}, {"heat"}))


if __name__ == "__main__":
    tell(step)
