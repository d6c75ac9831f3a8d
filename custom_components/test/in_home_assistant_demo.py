"""The integration in a real Home Assistant before the demo, as `npm start` runs it: its clock, its house, its law."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from home import DOMAIN, Steps, Story, equal, tell
from homeassistant.config_entries import ConfigEntryState
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import device_registry as dr, issue_registry as ir

step = Steps()


async def eventually(holds: Callable[[], bool], what: str) -> None:
    for _ in range(1200):
        if holds():
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"never: {what}")


@step
async def the_key_that_the_demo_prints_adds_its_house(story: Story) -> None:
    flow = await story.begin()
    made = await story.answer(flow, url=story.stage.url, api_key=story.stage.read_key)
    equal((made["type"], made["title"]), ("create_entry", "Lakeside 12"))
    equal(story.entry.state, ConfigEntryState.LOADED)
    issues = ir.async_get(story.hass).issues
    equal([each for each in issues if each[0] == DOMAIN], [])


@step
async def every_room_is_there_and_measured(story: Story) -> None:
    building = story.stage.building_id
    equal(len(story.stage.room_ids), 6)
    for room in story.stage.room_ids:
        equal(story.state("climate", room).state, "heat")
        assert 5 < float(story.state("sensor", f"{room}_temperature").state) < 35
        equal(story.state("sensor", f"{room}_battery").state, "81")
    equal(story.state("binary_sensor", f"{building}_connectivity").state, "on")
    assert -40 < float(story.state("sensor", f"{building}_outdoor_temperature").state) < 40
    devices = dr.async_entries_for_config_entry(dr.async_get(story.hass), story.entry.entry_id)
    equal(len(devices), 7)


@step
async def the_read_key_changes_nothing(story: Story) -> None:
    before = story.stage.do("bathroom")["target_temperature"]
    try:
        await story.call("set_temperature", temperature=25)
    except ServiceValidationError as error:
        equal(error.translation_key, "read_only_key")
    else:
        raise AssertionError("the change went through")
    equal(story.stage.do("bathroom")["target_temperature"], before)


@step
async def the_write_key_sets_temperature_mode_and_preset(story: Story) -> None:
    flow = await story.reconfigure()
    await story.answer(flow, url=story.stage.url, api_key=story.stage.write_key)
    await story.hass.async_block_till_done()
    await story.call("set_temperature", temperature=24.5)
    await story.call("set_preset_mode", preset_mode="high")
    await story.call("set_hvac_mode", hvac_mode="off")
    room = story.stage.do("bathroom")
    shown = (room["target_temperature"], room["preset_mode"], room["hvac_mode"])
    equal(shown, (24.5, "high", "off"))
    state = story.climate()
    shown = (state.attributes["temperature"], state.attributes["preset_mode"], state.state)
    equal(shown, (24.5, "high", "off"))


@step
async def the_law_answers_a_wish_with_power_and_it_is_shown(story: Story) -> None:
    await story.call("set_temperature", temperature=35, hvac_mode="heat")
    await eventually(
        lambda: story.climate().attributes["hvac_action"] == "heating", "a wish of 35 °C is heated"
    )
    assert float(story.state("sensor", f"{story.bathroom}_power").state) > 0
    await story.call("turn_off")
    equal(story.climate().attributes["hvac_action"], "off")
    await story.call("set_temperature", temperature=22.5, hvac_mode="heat")


@step
async def a_key_revoked_by_the_command_leads_to_a_new_one(story: Story) -> None:
    first = story.stage.do("new-key", permission="write")
    flow = await story.reconfigure()
    await story.answer(flow, url=story.stage.url, api_key=first["key"])
    await story.hass.async_block_till_done()
    story.stage.do("revoke-key", id=first["id"])
    await story.refresh()
    equal(story.climate().state, "unavailable")
    [reauth] = story.hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    equal((reauth["context"]["source"], reauth["step_id"]), ("reauth", "reauth_confirm"))
    second = story.stage.do("new-key", permission="write")
    done = await story.answer(reauth, api_key=second["key"])
    equal((done["type"], done["reason"]), ("abort", "reauth_successful"))
    await story.hass.async_block_till_done()
    equal(story.climate().state, "heat")


@step
async def it_goes_as_it_came(story: Story) -> None:
    await story.hass.config_entries.async_remove(story.entry.entry_id)
    equal(story.hass.states.async_all("climate"), [])


if __name__ == "__main__":
    tell(step)
