"""The whole integration in a real Home Assistant, from its first form to its removal, before the real service."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
import json
from typing import Any

from home import DOMAIN, Steps, Story, equal, tell
from homeassistant.config_entries import SOURCE_ZEROCONF, ConfigEntryState
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    issue_registry as ir,
    translation,
)
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo
from homeassistant.util.unit_system import METRIC_SYSTEM, US_CUSTOMARY_SYSTEM

step = Steps()


@step
async def the_first_form_says_what_is_wrong(story: Story) -> None:
    stage = story.stage
    stage.do("reset")
    flow = await story.begin()
    equal((flow["type"], flow["step_id"]), ("form", "user"))
    nowhere = await story.answer(flow, url="http://127.0.0.1:9", api_key="k")
    equal(nowhere["errors"], {"base": "cannot_connect"})
    wrong_key = await story.answer(flow, url=stage.url, api_key="hyp_wrong")
    equal(wrong_key["errors"], {"api_key": "invalid_auth"})
    empty = stage.do("account-without-buildings")["value"]
    no_house = await story.answer(flow, url=stage.url, api_key=empty)
    equal(no_house["errors"], {"base": "no_buildings"})
    stage.do("refuse", kind="503")
    busy = await story.answer(flow, url=stage.url, api_key=stage.read_key)
    equal(busy["errors"], {"base": "cannot_connect"})
    stage.do("refuse")
    story.hass.config_entries.flow.async_abort(flow["flow_id"])


@step
async def a_good_key_adds_the_building(story: Story) -> None:
    stage = story.stage
    flow = await story.begin()
    typed = f"{stage.url.removeprefix('http://')}/v1/"
    made = await story.answer(flow, url=typed, api_key=stage.read_key)
    equal((made["type"], made["title"]), ("create_entry", "Lakeside 12"))
    equal(story.entry.unique_id, stage.building_id)
    equal(story.entry.state, ConfigEntryState.LOADED)


@step
async def a_building_without_a_gateway_is_shown_as_such(story: Story) -> None:
    issue = ir.async_get(story.hass).async_get_issue(
        DOMAIN, f"{story.stage.building_id}_no_gateway"
    )
    assert issue is not None
    equal(issue.translation_placeholders, {"building": "Lakeside 12"})
    equal(story.climate().state, "unavailable")
    equal(story.state("binary_sensor", f"{story.stage.building_id}_connectivity").state, "unknown")
    story.stage.do("heartbeat")
    await story.refresh()
    equal(ir.async_get(story.hass).async_get_issue(DOMAIN, issue.issue_id), None)
    equal(story.state("binary_sensor", f"{story.stage.building_id}_connectivity").state, "on")


@step
async def a_room_is_a_climate_entity_by_the_mapping(story: Story) -> None:
    story.stage.do("report", temperatureC=21.44, humidityPct=47, batteryPct=81, rssiDbm=-71)
    await story.refresh()
    state = story.climate()
    equal(state.state, "heat")
    shown = {
        "current_temperature": 21.4,
        "current_humidity": 47,
        "temperature": 20,
        "min_temp": 7,
        "max_temp": 35,
        "target_temp_step": 0.5,
        "hvac_modes": ["heat", "off"],
        "hvac_action": "idle",
        "preset_mode": "none",
        "preset_modes": ["none", "low", "medium", "high"],
        "friendly_name": "Bathroom",
    }
    equal({name: state.attributes[name] for name in shown}, shown)


@step
async def the_sensors_carry_units_and_come_when_they_have_something_to_tell(story: Story) -> None:
    room = story.bathroom
    for key, value, unit in (
        ("temperature", "21.44", "°C"),
        ("humidity", "47", "%"),
        ("dew_point", "9.7", "°C"),
        ("power", "0.0", "%"),
        ("battery", "81", "%"),
    ):
        state = story.state("sensor", f"{room}_{key}")
        equal((state.state, state.attributes["unit_of_measurement"]), (value, unit))
    registry = er.async_get(story.hass)
    for key in ("signal_strength", "last_update"):
        quiet = registry.async_get(story.entity_id("sensor", f"{room}_{key}"))
        assert quiet is not None
        equal(quiet.disabled_by, er.RegistryEntryDisabler.INTEGRATION)
    silent = registry.async_get_entity_id("sensor", DOMAIN, f"{story.living_room}_battery")
    equal(silent, None)


@step
async def the_weather_is_unknown_until_it_is_reported(story: Story) -> None:
    building = story.stage.building_id
    equal(story.state("sensor", f"{building}_outdoor_temperature").state, "unknown")
    equal(story.state("weather", f"{building}_weather").state, "unavailable")
    story.stage.do("weather", temperatureC=-3.4, cloudPct=75, windDeg=225, windMs=5)
    await story.refresh()
    state = story.state("sensor", f"{building}_outdoor_temperature")
    equal((state.state, state.attributes["unit_of_measurement"]), ("-3.4", "°C"))
    weather = story.state("weather", f"{building}_weather")
    shown = {"temperature": -3.4, "cloud_coverage": 75, "wind_bearing": 225, "wind_speed": 18.0}
    equal(weather.state, "cloudy")
    equal({name: weather.attributes[name] for name in shown}, shown)
    registry = er.async_get(story.hass)
    for key in ("cloud_coverage", "wind_direction", "wind_speed"):
        quiet = registry.async_get(story.entity_id("sensor", f"{building}_{key}"))
        assert quiet is not None
        equal(quiet.disabled_by, er.RegistryEntryDisabler.INTEGRATION)


@step
async def heat_is_for_the_energy_dashboard(story: Story) -> None:
    building, room = story.stage.building_id, story.bathroom
    equal(er.async_get(story.hass).async_get_entity_id("sensor", DOMAIN, f"{room}_heat"), None)
    story.stage.do("heat", kwh=12.5, costM2=0.1)
    await story.entry.runtime_data.seldom.async_refresh()
    await story.hass.async_block_till_done()
    for unique_id in (f"{building}_heat", f"{room}_heat"):
        state = story.state("sensor", unique_id)
        shown = {"device_class": "energy", "state_class": "total_increasing", "unit_of_measurement": "kWh"}
        equal(state.state, "12.5")
        equal({name: state.attributes[name] for name in shown}, shown)
    cost = story.state("sensor", f"{building}_monthly_cost")
    equal((float(cost.state), cost.attributes["device_class"]), (1, "monetary"))


@step
async def rooms_are_devices_in_areas_and_hang_on_the_building(story: Story) -> None:
    devices = dr.async_entries_for_config_entry(dr.async_get(story.hass), story.entry.entry_id)
    by_name = {device.name: device for device in devices}
    equal(set(by_name), {"Lakeside 12", "Bathroom", "Living room"})
    for name in ("Bathroom", "Living room"):
        equal(by_name[name].via_device_id, by_name["Lakeside 12"].id)
        area = ar.async_get(story.hass).async_get_area(by_name[name].area_id or "")
        equal(area and area.name, name)


@step
async def no_entity_has_the_name_of_its_room_twice(story: Story) -> None:
    equal(story.climate().entity_id, "climate.bathroom")
    equal(
        story.state("sensor", f"{story.bathroom}_temperature").entity_id,
        "sensor.bathroom_temperature",
    )


@step
async def a_key_that_may_only_read_says_so_at_the_control(story: Story) -> None:
    try:
        await story.call("set_temperature", temperature=22.5)
    except ServiceValidationError as error:
        equal((error.translation_domain, error.translation_key), (DOMAIN, "read_only_key"))
        assert "read-only" in str(error), str(error)
    else:
        raise AssertionError("the change went through")
    equal(story.stage.do("bathroom")["target_temperature"], 20)


@step
async def reconfiguring_brings_a_key_that_may_write(story: Story) -> None:
    stage = story.stage
    flow = await story.reconfigure()
    other = await story.answer(flow, url=stage.url, api_key=stage.strangers_key)
    equal(other["errors"], {"base": "other_building"})
    done = await story.answer(flow, url=stage.url, api_key=stage.write_key)
    equal((done["type"], done["reason"]), ("abort", "reconfigure_successful"))
    await story.hass.async_block_till_done()
    equal(story.entry.state, ConfigEntryState.LOADED)


@step
async def temperature_mode_and_preset_are_set_and_shown_at_once(story: Story) -> None:
    await story.call("set_temperature", temperature=22.5)
    equal(
        (
            story.stage.do("bathroom")["target_temperature"],
            story.climate().attributes["temperature"],
        ),
        (22.5, 22.5),
    )
    await story.call("set_temperature", temperature=21.37, hvac_mode="off")
    room = story.stage.do("bathroom")
    equal(
        (room["target_temperature"], room["hvac_mode"], story.climate().state), (21.4, "off", "off")
    )
    equal(story.climate().attributes["hvac_action"], "off")
    await story.call("turn_on")
    equal((story.stage.do("bathroom")["hvac_mode"], story.climate().state), ("heat", "heat"))
    await story.call("toggle")
    equal((story.stage.do("bathroom")["hvac_mode"], story.climate().state), ("off", "off"))
    await story.call("set_hvac_mode", hvac_mode="heat")
    await story.call("set_preset_mode", preset_mode="medium")
    equal(story.stage.do("bathroom")["preset_mode"], "medium")
    equal(story.climate().attributes["preset_mode"], "medium")


@step
async def degrees_fahrenheit_arrive_as_tenths_of_celsius(story: Story) -> None:
    story.hass.config.units = US_CUSTOMARY_SYSTEM
    await story.call("set_temperature", temperature=72)
    equal(story.stage.do("bathroom")["target_temperature"], 22.2)
    story.hass.config.units = METRIC_SYSTEM


@step
async def what_home_assistant_lets_through_the_service_refuses_in_words(story: Story) -> None:
    for service, data in (
        ("set_preset_mode", {"preset_mode": "eco"}),
        ("set_temperature", {"temperature": 50}),
    ):
        try:
            await story.call(service, **data)
        except HomeAssistantError as error:
            assert str(error), service
        else:
            raise AssertionError(f"{service} {data} went through")
    try:
        await story.entry.runtime_data.async_change_room(story.bathroom, {"preset_mode": "eco"})
    except ServiceValidationError as error:
        equal(error.translation_key, "refused")
        assert "preset_mode" in str(error), str(error)
    else:
        raise AssertionError("the change went through")


@step
async def the_power_that_follows_a_change_is_shown_without_waiting_for_the_next_look(
    story: Story,
) -> None:
    await story.call("set_temperature", temperature=23)
    story.stage.do("patch", manual_power={"enabled": True, "power": 0.5})
    for _ in range(60):
        if story.state("sensor", f"{story.bathroom}_power").state == "50.0":
            break
        await asyncio.sleep(0.1)
    equal(story.state("sensor", f"{story.bathroom}_power").state, "50.0")
    equal(story.climate().attributes["hvac_action"], "heating")


@step
async def the_same_building_is_not_added_twice(story: Story) -> None:
    flow = await story.begin()
    again = await story.answer(flow, url=story.stage.url, api_key=story.stage.write_key)
    equal((again["type"], again["reason"]), ("abort", "already_configured"))
    flow = await story.begin()
    other_name = story.stage.url.replace("127.0.0.1", "localhost")
    by_name = await story.answer(flow, url=other_name, api_key=story.stage.write_key)
    equal((by_name["type"], by_name["reason"]), ("abort", "already_configured"))


@step
async def among_several_buildings_one_is_chosen_and_the_others_are_left_to_choose(
    story: Story,
) -> None:
    key = story.stage.do("account-with-three-buildings")["value"]

    async def offered() -> dict[str, Any]:
        return await story.answer(await story.begin(), url=story.stage.url, api_key=key)

    form = await offered()
    equal((form["type"], form["step_id"]), ("form", "building"))
    names = {each["label"]: each["value"] for each in options_of(form)}
    equal(set(names), {"Hut 1", "Hut 2", "Hut 3"})
    made = await story.answer(form, building=names["Hut 2"])
    equal((made["type"], made["title"]), ("create_entry", "Hut 2"))
    form = await offered()
    equal([each["label"] for each in options_of(form)], ["Hut 1", "Hut 3"])
    at_once = await offered()
    await story.answer(form, building=names["Hut 1"])
    twice = await story.answer(at_once, building=names["Hut 1"])
    equal((twice["type"], twice["reason"]), ("abort", "already_configured"))
    last = await offered()
    equal((last["type"], last["title"]), ("create_entry", "Hut 3"))
    nothing_left = await offered()
    equal((nothing_left["type"], nothing_left["reason"]), ("abort", "already_configured"))
    for entry in story.hass.config_entries.async_entries(DOMAIN):
        if entry.title.startswith("Hut"):
            equal(entry.state, ConfigEntryState.LOADED)
            await story.hass.config_entries.async_remove(entry.entry_id)


def options_of(form: dict[str, Any]) -> list[dict[str, str]]:
    [selector] = form["data_schema"].schema.values()
    return list(selector.config["options"])


@step
async def a_service_found_on_the_network_asks_for_a_key_only(story: Story) -> None:
    host, port = story.stage.url.removeprefix("http://").split(":")
    known = await story.begin(SOURCE_ZEROCONF, announcement(host, int(port)))
    equal((known["type"], known["reason"]), ("abort", "already_configured"))
    found = await story.begin(SOURCE_ZEROCONF, announcement("127.0.0.2", int(port)))
    equal((found["type"], found["step_id"]), ("form", "discovery_confirm"))
    equal(found["description_placeholders"]["url"], f"http://127.0.0.2:{port}")
    refused = await story.answer(found, api_key="hyp_wrong")
    equal(refused["type"], "form")
    story.hass.config_entries.flow.async_abort(found["flow_id"])


def announcement(host: str, port: int) -> ZeroconfServiceInfo:
    address = ip_address(host)
    kind = "_hypocaust._tcp.local."
    return ZeroconfServiceInfo(address, [address], port, "heat.local.", kind, f"Cellar.{kind}", {})


@step
async def a_silent_building_is_unavailable(story: Story) -> None:
    story.stage.do("silence")
    await story.refresh()
    equal(story.climate().state, "unavailable")
    equal(story.state("sensor", f"{story.bathroom}_power").state, "unavailable")
    equal(story.state("binary_sensor", f"{story.stage.building_id}_connectivity").state, "off")
    equal(story.state("sensor", f"{story.stage.building_id}_outdoor_temperature").state, "-3.4")
    story.stage.do("heartbeat")
    await story.refresh()
    equal(story.climate().state, "heat")


@step
async def a_room_that_is_renamed_is_renamed_here(story: Story) -> None:
    story.stage.do("patch", name="Spa")
    await story.refresh()
    devices = dr.async_get(story.hass)
    device = devices.async_get_device(identifiers={(DOMAIN, story.bathroom)})
    equal((device and device.name, story.climate().name), ("Spa", "Spa"))
    story.stage.do("patch", name="Bathroom")
    await story.refresh()


@step
async def rooms_come_and_go(story: Story) -> None:
    story.stage.do("remove-living-room")
    await story.refresh()
    devices = dr.async_entries_for_config_entry(dr.async_get(story.hass), story.entry.entry_id)
    equal({device.name for device in devices}, {"Lakeside 12", "Bathroom"})
    [_, back] = story.stage.do("bring-living-room-back")
    await story.refresh()
    equal(story.state("climate", back).state, "heat")


@step
async def only_a_device_without_a_room_can_be_deleted_by_hand(story: Story) -> None:
    from custom_components.hypocaust import async_remove_config_entry_device

    devices = dr.async_get(story.hass)
    room = devices.async_get_device(identifiers={(DOMAIN, story.bathroom)})
    assert room is not None
    equal(await async_remove_config_entry_device(story.hass, story.entry, room), False)
    left_over = devices.async_get_or_create(
        config_entry_id=story.entry.entry_id, identifiers={(DOMAIN, "left over")}
    )
    equal(await async_remove_config_entry_device(story.hass, story.entry, left_over), True)
    await story.refresh()
    equal(devices.async_get(left_over.id), None)


@step
async def a_service_that_is_away_at_the_start_is_tried_again(story: Story) -> None:
    story.stage.do("refuse", kind="503")
    await story.hass.config_entries.async_reload(story.entry.entry_id)
    equal(story.entry.state, ConfigEntryState.SETUP_RETRY)
    story.stage.do("refuse")
    await story.hass.config_entries.async_reload(story.entry.entry_id)
    await story.hass.async_block_till_done()
    equal(story.entry.state, ConfigEntryState.LOADED)


@step
async def diagnostics_tell_everything_but_secrets(story: Story) -> None:
    from custom_components.hypocaust.diagnostics import async_get_config_entry_diagnostics

    text = json.dumps(await async_get_config_entry_diagnostics(story.hass, story.entry))
    sensor_id = story.stage.do("bathroom")["sensor_id"]
    for secret in (story.stage.write_key, story.stage.url, "Lakeside", "59.91", sensor_id):
        assert secret not in text, f"{secret} is in the diagnostics"
    assert '"hvac_mode"' in text and '"permission": "write"' in text, text


@step
async def a_service_that_is_away_makes_the_entities_unavailable(story: Story) -> None:
    api = story.entry.runtime_data.api
    url, api._base_url = api._base_url, "http://127.0.0.1:9"
    await story.refresh()
    equal(story.climate().state, "unavailable")
    api._base_url = url
    await story.refresh()
    equal(story.climate().state, "heat")


@step
async def a_service_that_is_busy_is_asked_again_when_it_says_so(story: Story) -> None:
    coordinator = story.entry.runtime_data
    for kind in ({"kind": "429", "retryAfterS": 17}, {"kind": "503"}):
        story.stage.do("refuse", **kind)
        await story.refresh()
        equal(story.climate().state, "unavailable")
        equal(coordinator.last_exception.retry_after, kind.get("retryAfterS", 2))
        equal(coordinator.last_exception.translation_key, "update_failed")
        try:
            await coordinator.async_change_room(story.bathroom, {"hvac_mode": "off"})
        except HomeAssistantError as error:
            equal(error.translation_key, "change_failed")
        else:
            raise AssertionError("the change went through")
        story.stage.do("refuse")
        await story.refresh()
        equal(story.climate().state, "heat")


@step
async def a_key_refused_at_a_change_is_asked_for_at_once(story: Story) -> None:
    story.stage.do("refuse", kind="401")
    try:
        await story.call("turn_off")
    except HomeAssistantError as error:
        equal(error.translation_key, "invalid_key")
    else:
        raise AssertionError("the change went through")
    story.stage.do("refuse")
    await story.hass.async_block_till_done()
    [reauth] = story.hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    done = await story.answer(reauth, api_key=story.stage.write_key)
    equal((done["type"], done["reason"]), ("abort", "reauth_successful"))
    await story.hass.async_block_till_done()
    equal(story.climate().state, "heat")


@step
async def a_revoked_key_leads_to_a_new_one(story: Story) -> None:
    made = story.stage.do("new-key", permission="write")
    flow = await story.reconfigure()
    await story.answer(flow, url=story.stage.url, api_key=made["value"])
    await story.hass.async_block_till_done()
    story.stage.do("revoke-key", id=made["id"])
    await story.refresh()
    [reauth] = story.hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    equal((reauth["context"]["source"], reauth["step_id"]), ("reauth", "reauth_confirm"))
    other = await story.answer(reauth, api_key=story.stage.strangers_key)
    equal(other["errors"], {"api_key": "other_building"})
    done = await story.answer(reauth, api_key=story.stage.write_key)
    equal((done["type"], done["reason"]), ("abort", "reauth_successful"))
    await story.hass.async_block_till_done()
    equal(story.climate().state, "heat")


@step
async def every_text_is_there_in_german(story: Story) -> None:
    for category in ("config", "entity", "exceptions", "issues"):
        texts = await translation.async_get_translations(story.hass, "de", category, [DOMAIN])
        assert texts, category


@step
async def it_can_be_unloaded_and_removed(story: Story) -> None:
    assert await story.hass.config_entries.async_unload(story.entry.entry_id)
    equal(story.entry.state, ConfigEntryState.NOT_LOADED)
    entry_id = story.entry.entry_id
    await story.hass.config_entries.async_remove(entry_id)
    equal(story.hass.config_entries.async_entries(DOMAIN), [])
    equal(dr.async_entries_for_config_entry(dr.async_get(story.hass), entry_id), [])
    equal(story.hass.states.async_all("climate"), [])


@step
async def a_service_found_on_the_network_is_added_with_a_key_alone(story: Story) -> None:
    host, port = story.stage.url.removeprefix("http://").split(":")
    found = await story.begin(SOURCE_ZEROCONF, announcement(host, int(port)))
    again = await story.begin(SOURCE_ZEROCONF, announcement(host, int(port)))
    equal((again["type"], again["reason"]), ("abort", "already_in_progress"))
    refused = await story.answer(found, api_key="hyp_wrong")
    equal(refused["errors"], {"api_key": "invalid_auth"})
    made = await story.answer(found, api_key=story.stage.read_key)
    equal((made["type"], made["title"]), ("create_entry", "Lakeside 12"))
    equal(story.entry.data["url"], story.stage.url)
    await story.hass.config_entries.async_remove(story.entry.entry_id)


if __name__ == "__main__":
    tell(step)
