"""The whole integration in a real Home Assistant, from its first form to its removal, before the real service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
import json
import os
from pathlib import Path
import sys
from tempfile import TemporaryDirectory
import traceback
from typing import Any

from homeassistant import bootstrap, core, loader
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    SOURCE_ZEROCONF,
    ConfigEntry,
    ConfigEntryState,
)
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
from stage import Stage

DOMAIN = "hypocaust"
Step = Callable[["Story"], Awaitable[None]]
STEPS: list[Step] = []


def step(work: Step) -> Step:
    """One thing that must hold; the steps build on each other."""
    STEPS.append(work)
    return work


class Story:
    """A Home Assistant and the service beside it."""

    def __init__(self, hass: core.HomeAssistant, stage: Stage) -> None:
        self.hass = hass
        self.stage = stage
        self.bathroom, self.living_room = stage.room_ids

    @property
    def entry(self) -> ConfigEntry[Any]:
        [entry] = self.hass.config_entries.async_entries(DOMAIN)
        return entry

    def entity_id(self, platform: str, unique_id: str) -> str:
        found = er.async_get(self.hass).async_get_entity_id(platform, DOMAIN, unique_id)
        assert found is not None, f"no {platform} {unique_id}"
        return found

    def state(self, platform: str, unique_id: str) -> core.State:
        found = self.hass.states.get(self.entity_id(platform, unique_id))
        assert found is not None, f"no state of {platform} {unique_id}"
        return found

    def climate(self) -> core.State:
        return self.state("climate", self.bathroom)

    async def refresh(self) -> None:
        await self.entry.runtime_data.async_refresh()
        await self.hass.async_block_till_done()

    async def call(self, service: str, **data: Any) -> None:
        target = {"entity_id": self.entity_id("climate", self.bathroom)}
        await self.hass.services.async_call("climate", service, {**target, **data}, blocking=True)

    async def begin(self, source: str = SOURCE_USER, data: Any = None) -> dict[str, Any]:
        return await self.hass.config_entries.flow.async_init(
            DOMAIN, context={"source": source}, data=data
        )

    async def reconfigure(self) -> dict[str, Any]:
        context = {"source": SOURCE_RECONFIGURE, "entry_id": self.entry.entry_id}
        return await self.hass.config_entries.flow.async_init(DOMAIN, context=context)

    async def answer(self, flow: dict[str, Any], **given: Any) -> dict[str, Any]:
        result = await self.hass.config_entries.flow.async_configure(flow["flow_id"], given)
        await self.hass.async_block_till_done()
        return result


def equal(seen: Any, expected: Any) -> None:
    assert seen == expected, f"{seen!r} is not {expected!r}"


@step
async def the_first_form_says_what_is_wrong(story: Story) -> None:
    stage = story.stage
    flow = await story.begin()
    equal((flow["type"], flow["step_id"]), ("form", "user"))
    nowhere = await story.answer(flow, url="http://127.0.0.1:9", api_key="k")
    equal(nowhere["errors"], {"base": "cannot_connect"})
    wrong_key = await story.answer(flow, url=stage.url, api_key="hyp_wrong")
    equal(wrong_key["errors"], {"api_key": "invalid_auth"})
    empty = stage.do("account-without-buildings")["value"]
    no_house = await story.answer(flow, url=stage.url, api_key=empty)
    equal(no_house["errors"], {"base": "no_buildings"})
    story.hass.config_entries.flow.async_abort(flow["flow_id"])


@step
async def a_good_key_adds_the_building(story: Story) -> None:
    stage = story.stage
    flow = await story.begin()
    made = await story.answer(flow, url=f"{stage.url}/v1/", api_key=stage.read_key)
    equal((made["type"], made["title"]), ("create_entry", "Lakeside 12"))
    equal(story.entry.unique_id, stage.building_id)
    equal(story.entry.state, ConfigEntryState.LOADED)


@step
async def a_building_without_a_gateway_is_told_as_such(story: Story) -> None:
    issue = ir.async_get(story.hass).async_get_issue(
        DOMAIN, f"no_gateway_{story.stage.building_id}"
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
async def the_weather_is_unknown_until_it_is_told(story: Story) -> None:
    building = story.stage.building_id
    equal(story.state("sensor", f"{building}_outdoor_temperature").state, "unknown")
    story.stage.do("weather", temperatureC=-3.4, cloudPct=75, windDeg=225, windMs=5)
    await story.refresh()
    for key, value, unit in (
        ("outdoor_temperature", "-3.4", "°C"),
        ("cloud_coverage", "75", "%"),
        ("wind_direction", "225", "°"),
        ("wind_speed", "18.0", "km/h"),
    ):
        state = story.state("sensor", f"{building}_{key}")
        equal((state.state, state.attributes["unit_of_measurement"]), (value, unit))


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
async def a_key_that_may_only_read_says_so_at_the_control(story: Story) -> None:
    try:
        await story.call("set_temperature", temperature=22.5)
    except ServiceValidationError as error:
        equal((error.translation_domain, error.translation_key), (DOMAIN, "read_only_key"))
        assert "may only read" in str(error), str(error)
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


@step
async def a_service_found_on_the_network_asks_for_a_key_only(story: Story) -> None:
    host, port = story.stage.url.removeprefix("http://").split(":")
    known = await story.begin(SOURCE_ZEROCONF, announcement(host, int(port)))
    equal((known["type"], known["reason"]), ("abort", "already_configured"))
    found = await story.begin(SOURCE_ZEROCONF, announcement("127.0.0.2", int(port)))
    equal((found["type"], found["step_id"]), ("form", "zeroconf_confirm"))
    equal(found["description_placeholders"]["url"], f"http://127.0.0.2:{port}")
    refused = await story.answer(found, api_key="hyp_wrong")
    equal(refused["type"], "form")
    story.hass.config_entries.flow.async_abort(found["flow_id"])


def announcement(host: str, port: int) -> ZeroconfServiceInfo:
    address = ip_address(host)
    kind = "_hypocaust._tcp.local."
    return ZeroconfServiceInfo(address, [address], port, "heat.local.", kind, f"Cellar.{kind}", {})


@step
async def how_often_to_look_can_be_chosen(story: Story) -> None:
    flow = await story.hass.config_entries.options.async_init(story.entry.entry_id)
    await story.hass.config_entries.options.async_configure(flow["flow_id"], {"scan_interval": 45})
    await story.hass.async_block_till_done()
    equal(story.entry.runtime_data.update_interval.total_seconds(), 45)


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
async def diagnostics_tell_everything_but_secrets(story: Story) -> None:
    from custom_components.hypocaust.diagnostics import async_get_config_entry_diagnostics

    text = json.dumps(await async_get_config_entry_diagnostics(story.hass, story.entry))
    for secret in (story.stage.write_key, story.stage.url, "Lakeside", "59.91"):
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
    for category in ("config", "entity", "exceptions", "issues", "options"):
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


async def start(config: Path) -> core.HomeAssistant:
    """Home Assistant's own start, with this integration where HACS would put it."""
    (config / "custom_components").symlink_to(Path(__file__).parent.parent)
    hass = core.HomeAssistant(str(config))
    hass.config.skip_pip = True
    loader.async_setup(hass)
    assert await bootstrap.async_from_config_dict({}, hass) is hass
    await hass.async_start()
    return hass


async def tell() -> int:
    """Run the steps; the first that does not hold ends the story."""
    with TemporaryDirectory() as folder:
        hass = await start(Path(folder))
        story = Story(hass, Stage())
        story.stage.do("reset")
        try:
            for work in STEPS:
                print(f"{work.__name__.replace('_', ' ')} …", end=" ", flush=True)
                await work(story)
                print("ok", flush=True)
        except Exception:
            traceback.print_exc()
            return 1
        finally:
            await hass.async_stop(force=True)
    print(f"all {len(STEPS)} steps passed")
    return 0


if __name__ == "__main__":
    code = asyncio.run(tell())
    sys.stdout.flush()
    os._exit(code)
