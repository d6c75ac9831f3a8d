"""A house that changes under a real Home Assistant, and what in it needs a person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from ipaddress import ip_address
import json
from time import monotonic
from typing import Any

from home import DOMAIN, Steps, Story, equal, tell
from homeassistant.config_entries import SOURCE_HASSIO, SOURCE_ZEROCONF, ConfigEntry, ConfigEntryState
from homeassistant.core import State
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import device_registry as dr, issue_registry as ir, translation
from homeassistant.helpers.service_info.hassio import HassioServiceInfo
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo
from homeassistant.util import dt as dt_util

step = Steps()
NOWHERE = "http://127.0.0.1:9"


async def eventually(holds: Callable[[], Any], what: str) -> None:
    for _ in range(300):
        if holds():
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"never: {what}")


def announcement(story: Story, installation: str, name: str = "Cellar") -> ZeroconfServiceInfo:
    host, port = story.stage.url.removeprefix("http://").split(":")
    kind = "_hypocaust._tcp.local."
    address = ip_address(host)
    properties = {"id": installation, "tls": "0"}
    return ZeroconfServiceInfo(
        address, [address], int(port), "heat.local.", kind, f"{name}.{kind}", properties
    )


def entries(story: Story) -> list[ConfigEntry[Any]]:
    return story.hass.config_entries.async_entries(DOMAIN)


async def add_all(story: Story, key: str) -> None:
    while True:
        result = await story.answer(await story.begin(), url=story.stage.url, api_key=key)
        if result["type"] == "abort":
            return
        if result["type"] == "form":
            [selector] = result["data_schema"].schema.values()
            await story.answer(result, building=selector.config["options"][0]["value"])


def issue(story: Story, name: str) -> ir.IssueEntry | None:
    return ir.async_get(story.hass).async_get_issue(DOMAIN, name)


def alert(story: Story, key: str) -> State:
    return story.state("binary_sensor", f"{story.bathroom}_{key}")


@step
async def a_building_is_added_with_the_installation_and_version_of_its_service(
    story: Story,
) -> None:
    stage = story.stage
    stage.do("reset")
    await story.answer(await story.begin(), url=stage.url, api_key=stage.write_key)
    equal(story.entry.data["installation"], stage.do("installation"))
    registry = dr.async_get(story.hass)
    device = registry.async_get_device(identifiers={(DOMAIN, stage.building_id)})
    assert device is not None and device.sw_version, device
    stage.do("heartbeat")
    await story.refresh()


@step
async def its_announcement_under_another_name_is_not_a_discovery(story: Story) -> None:
    installation = story.stage.do("installation")
    found = await story.begin(SOURCE_ZEROCONF, announcement(story, installation, "Attic"))
    equal((found["type"], found["reason"]), ("abort", "already_configured"))


@step
async def a_service_in_an_add_on_is_offered_unless_it_is_known(story: Story) -> None:
    def found(installation: str) -> HassioServiceInfo:
        config = {"host": "local-hypocaust", "port": 8080, "installation": installation}
        return HassioServiceInfo(config, "Hypocaust", "local_hypocaust", "uuid")

    known = await story.begin(SOURCE_HASSIO, found(story.stage.do("installation")))
    equal((known["type"], known["reason"]), ("abort", "already_configured"))
    new = await story.begin(SOURCE_HASSIO, found("another-installation"))
    equal((new["type"], new["step_id"]), ("form", "discovery_confirm"))
    equal(new["description_placeholders"]["url"], "http://local-hypocaust:8080")
    story.hass.config_entries.flow.async_abort(new["flow_id"])


@step
async def a_service_that_has_moved_is_followed(story: Story) -> None:
    stage = story.stage
    installation = stage.do("installation")
    story.hass.config_entries.async_update_entry(
        story.entry, data={**story.entry.data, "url": NOWHERE}
    )
    await story.hass.config_entries.async_reload(story.entry.entry_id)
    equal(story.entry.state, ConfigEntryState.SETUP_RETRY)
    other = await story.begin(SOURCE_ZEROCONF, announcement(story, "another-installation"))
    equal((other["type"], story.entry.data["url"]), ("form", NOWHERE))
    story.hass.config_entries.flow.async_abort(other["flow_id"])
    found = await story.begin(SOURCE_ZEROCONF, announcement(story, installation))
    equal((found["type"], found["reason"]), ("abort", "already_configured"))
    equal(story.entry.data["url"], stage.url)
    await eventually(lambda: story.entry.state is ConfigEntryState.LOADED, "loaded again")


@step
async def an_address_that_still_answers_is_kept(story: Story) -> None:
    typed = story.stage.url.replace("127.0.0.1", "localhost")
    story.hass.config_entries.async_update_entry(
        story.entry, data={**story.entry.data, "url": typed}
    )
    await story.begin(SOURCE_ZEROCONF, announcement(story, story.stage.do("installation")))
    equal(story.entry.data["url"], typed)


@step
async def reconfiguring_the_address_keeps_the_key(story: Story) -> None:
    key = story.entry.data["api_key"]
    flow = await story.reconfigure()
    done = await story.answer(flow, url=story.stage.url)
    equal((done["type"], done["reason"]), ("abort", "reconfigure_successful"))
    equal((story.entry.data["url"], story.entry.data["api_key"]), (story.stage.url, key))
    await eventually(lambda: story.entry.state is ConfigEntryState.LOADED, "loaded")


@step
async def the_entry_follows_the_name_of_its_building_until_it_has_one_of_its_own(
    story: Story,
) -> None:
    building = story.stage.building_id
    story.stage.do("rename-building", id=building, name="Lakeside 14")
    await story.refresh()
    equal(story.entry.title, "Lakeside 14")
    story.hass.config_entries.async_update_entry(story.entry, title="Home")
    story.stage.do("rename-building", id=building, name="Lakeside 12")
    await story.refresh()
    equal(story.entry.title, "Home")


@step
async def a_change_made_elsewhere_is_shown_at_once(story: Story) -> None:
    await story.refresh()
    for target in (18.5, 23.0):
        story.stage.do("patch", target_temperature=target)
        began = monotonic()
        await eventually(
            lambda wanted=target: story.climate().attributes["temperature"] == wanted, f"{target}"
        )
        print(f"({monotonic() - began:.2f} s)", end=" ", flush=True)
    story.stage.do("lower-bathroom", setback=3)
    await eventually(lambda: float(setpoint(story).state) == 20, "the setpoint of the night")
    story.stage.do("lower-bathroom", setback=0)
    await eventually(lambda: float(setpoint(story).state) == 23, "the target")


@step
async def an_alert_is_a_sensor_and_a_repair_in_the_users_language(story: Story) -> None:
    name = f"{story.stage.building_id}_{story.bathroom}_battery_low"
    story.stage.do("report", temperatureC=21, batteryPct=80)
    await story.refresh()
    equal((alert(story, "battery_low").state, issue(story, name)), ("off", None))
    story.stage.do("report", temperatureC=21, batteryPct=5)
    await story.refresh()
    equal(alert(story, "battery_low").state, "on")
    equal(alert(story, "valve_problem").state, "off")
    shown = issue(story, name)
    assert shown is not None
    equal(
        (shown.translation_key, shown.translation_placeholders),
        ("battery_low", {"building": "Lakeside 12", "room": "Bathroom", "rooms": ""}),
    )
    for language, word in (("en", "battery"), ("de", "Batterie")):
        texts = await translation.async_get_translations(story.hass, language, "issues", [DOMAIN])
        assert word in texts[f"component.{DOMAIN}.issues.battery_low.title"], texts
    story.stage.do("report", temperatureC=21, batteryPct=80)
    await story.refresh()
    equal((alert(story, "battery_low").state, issue(story, name)), ("off", None))


def setpoint(story: Story) -> State:
    return story.state("sensor", f"{story.bathroom}_setpoint")


@step
async def a_timer_changes_the_setpoint_and_not_the_target(story: Story) -> None:
    target = story.stage.do("bathroom")["target_temperature"]
    target_entity = {"entity_id": story.climate().entity_id}
    actions = story.hass.services

    async def set_timer(**data: Any) -> None:
        data = {**target_entity, "duration": {"hours": 2}, **data}
        await actions.async_call(DOMAIN, "set_timer", data, blocking=True)

    await set_timer(temperature=25)
    equal((float(setpoint(story).state), setpoint(story).attributes["reason"]), (25, "override"))
    equal(story.climate().attributes["temperature"], 25)
    equal(float(story.state("number", f"{story.bathroom}_target").state), target)
    await set_timer(hvac_mode="off")
    equal((setpoint(story).attributes["reason"], story.climate().state), ("off", "off"))
    for both_or_neither in ({}, {"temperature": 20, "hvac_mode": "off"}):
        try:
            await set_timer(**both_or_neither)
        except ServiceValidationError as error:
            equal(error.translation_key, "timer_needs_one")
        else:
            raise AssertionError("the timer was set")
    await actions.async_call(DOMAIN, "end_timer", target_entity, blocking=True)
    equal(setpoint(story).attributes["reason"], "target")


@step
async def at_night_the_setpoint_is_shown_and_a_dial_holds_until_the_next_step(
    story: Story,
) -> None:
    target = story.stage.do("bathroom")["target_temperature"]
    story.stage.do("lower-bathroom", setback=3)
    await story.refresh()
    equal(story.climate().attributes["temperature"], target - 3)
    await story.call("set_temperature", temperature=target + 1)
    equal(story.climate().attributes["temperature"], target + 1)
    equal(story.stage.do("bathroom")["target_temperature"], target)
    equal(setpoint(story).attributes["reason"], "override")
    button = {"entity_id": story.entity_id("button", f"{story.bathroom}_end_override")}
    await story.hass.services.async_call("button", "press", button, blocking=True)
    equal(story.climate().attributes["temperature"], target - 3)
    story.stage.do("lower-bathroom", setback=0)
    await story.refresh()
    equal(story.climate().attributes["temperature"], target)


@step
async def the_switch_is_an_absence_without_an_end(story: Story) -> None:
    switch = {"entity_id": story.entity_id("switch", f"{story.stage.building_id}_away_switch")}
    await story.hass.services.async_call("switch", "turn_on", switch, blocking=True)
    away = story.state("binary_sensor", f"{story.stage.building_id}_away")
    equal((away.state, away.attributes["until"]), ("on", None))
    await story.hass.services.async_call("switch", "turn_off", switch, blocking=True)
    equal(story.state("binary_sensor", f"{story.stage.building_id}_away").state, "off")


@step
async def an_absence_is_set_and_ended(story: Story) -> None:
    def away() -> State:
        return story.state("binary_sensor", f"{story.stage.building_id}_away")

    equal((away().state, away().attributes.get("until")), ("off", None))
    entry = {"config_entry_id": story.entry.entry_id}
    until = dt_util.utcnow() + timedelta(days=3)
    data = {**entry, "until": until.isoformat(), "temperature": 15}
    await story.hass.services.async_call(DOMAIN, "set_away", data, blocking=True)
    equal((away().state, away().attributes["target_temperature"]), ("on", 15))
    equal(setpoint(story).attributes["reason"], "away")
    await story.hass.services.async_call(DOMAIN, "end_away", entry, blocking=True)
    equal((away().state, away().attributes.get("until")), ("off", None))
    equal(setpoint(story).attributes["reason"], "target")


@step
async def diagnostics_and_deleting_a_device_work_while_setup_is_retried(story: Story) -> None:
    from custom_components.hypocaust import async_remove_config_entry_device
    from custom_components.hypocaust.diagnostics import async_get_config_entry_diagnostics

    story.stage.do("refuse", kind="503")
    await story.hass.config_entries.async_reload(story.entry.entry_id)
    equal(story.entry.state, ConfigEntryState.SETUP_RETRY)
    diagnostics = await async_get_config_entry_diagnostics(story.hass, story.entry)
    equal(diagnostics["state"], "setup_retry")
    assert story.stage.write_key not in json.dumps(diagnostics)
    room = dr.async_get(story.hass).async_get_device(identifiers={(DOMAIN, story.bathroom)})
    assert room is not None
    equal(await async_remove_config_entry_device(story.hass, story.entry, room), True)
    story.stage.do("refuse")
    await story.hass.config_entries.async_reload(story.entry.entry_id)
    equal(story.entry.state, ConfigEntryState.LOADED)


@step
async def buildings_that_share_a_key_ask_for_a_new_one_once(story: Story) -> None:
    made = story.stage.do("account-with-three-buildings")
    await add_all(story, made["value"])
    huts = [entry for entry in entries(story) if entry.title.startswith("Hut")]
    equal(len(huts), 3)
    story.stage.do("revoke-key", id=made["id"])
    for hut in huts:
        await hut.runtime_data.async_refresh()
    await story.hass.async_block_till_done()
    [reauth] = story.hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    fresh = story.stage.do("new-key-of", id=made["accountId"])
    done = await story.answer(reauth, api_key=fresh["value"])
    equal((done["type"], done["reason"]), ("abort", "reauth_successful"))
    for hut in huts:
        equal(hut.data["api_key"], fresh["value"])
        await eventually(lambda each=hut: each.state is ConfigEntryState.LOADED, "loaded")
    equal(story.hass.config_entries.flow.async_progress_by_handler(DOMAIN), [])


@step
async def a_building_that_was_deleted_is_a_repair_that_deletes_it_here_too(story: Story) -> None:
    from custom_components.hypocaust.repairs import async_create_fix_flow

    hut = next(entry for entry in entries(story) if entry.title == "Hut 2")
    story.stage.do("delete-building", id=hut.unique_id)
    await hut.runtime_data.async_refresh()
    name = f"{hut.unique_id}_building_gone"
    shown = issue(story, name)
    assert shown is not None and shown.is_fixable
    equal(shown.translation_placeholders, {"building": "Hut 2"})
    flow = await async_create_fix_flow(story.hass, name, shown.data)
    flow.hass, flow.handler, flow.flow_id, flow.context = story.hass, DOMAIN, "fix", {}
    form = await flow.async_step_init()
    equal((form["type"], form["step_id"]), ("form", "confirm"))
    done = await flow.async_step_confirm({})
    equal(done["type"], "create_entry")
    assert hut.entry_id not in {entry.entry_id for entry in entries(story)}
    equal(issue(story, name), None)


if __name__ == "__main__":
    tell(step)
