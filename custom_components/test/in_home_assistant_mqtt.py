"""MQTT discovery as Home Assistant's own MQTT integration takes it, over a real broker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
import json
import logging
from pathlib import Path
from typing import Any

from home import Steps, Story, equal, tell
from homeassistant.core import State
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er

step = Steps()
complaints: list[str] = []


class Complaints(logging.Handler):
    """What Home Assistant says about messages it does not like."""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        complaints.append(record.getMessage())


async def eventually(holds: Callable[[], Any], what: str) -> None:
    for _ in range(600):
        if holds():
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"never: {what}; complaints: {complaints}")


def found(story: Story, platform: str, unique_id: str) -> State | None:
    entity_id = er.async_get(story.hass).async_get_entity_id(platform, "mqtt", unique_id)
    return story.hass.states.get(entity_id) if entity_id else None


def state(story: Story, platform: str, unique_id: str) -> State:
    seen = found(story, platform, unique_id)
    assert seen is not None, f"no {platform} {unique_id}"
    return seen


def bathroom(story: Story) -> State:
    return state(story, "climate", f"hypocaust_{story.bathroom}")


async def call(story: Story, service: str, **data: Any) -> None:
    data["entity_id"] = bathroom(story).entity_id
    await story.hass.services.async_call("climate", service, data, blocking=True)


@step
async def home_assistant_joins_the_broker_and_finds_the_room_of_an_older_version(story: Story) -> None:
    handler = Complaints(logging.WARNING)
    logging.getLogger("homeassistant.components.mqtt").addHandler(handler)
    story.stage.do("heartbeat")
    flows = story.hass.config_entries.flow
    flow = await flows.async_init("mqtt", context={"source": "user"})
    broker = {"broker": "127.0.0.1", "port": story.stage.broker_port}
    plain = {"set_client_cert": False, "set_ca_cert": "off"}
    made = await flows.async_configure(flow["flow_id"], {**broker, "other_settings": plain})
    equal(made["type"], "create_entry")
    climate = f"hypocaust_{story.bathroom}"
    await eventually(lambda: found(story, "climate", climate), f"climate {climate}")
    er.async_get(story.hass).async_update_entity(
        bathroom(story).entity_id, new_entity_id="climate.spa", name="Spa"
    )
    await story.hass.async_block_till_done()


@step
async def after_the_upgrade_every_room_is_found_and_the_old_one_keeps_its_names(
    story: Story,
) -> None:
    story.stage.do("upgrade")
    for room in story.stage.room_ids:
        climate = f"hypocaust_{room}"
        await eventually(lambda each=climate: found(story, "climate", each), f"climate {climate}")
    await eventually(lambda: bathroom(story).state == "heat", "the bathroom on its new topics")
    equal((bathroom(story).entity_id, bathroom(story).name), ("climate.spa", "Spa"))
    # Once a room: Home Assistant says of the emptied old topic that nothing hangs on it any more.
    await eventually(lambda: complaints, "the old topic emptied")
    assert all("No device components to cleanup" in each for each in complaints), complaints
    complaints.clear()


@step
async def a_second_service_on_the_broker_adds_its_rooms_and_removes_none(story: Story) -> None:
    story.stage.do("start-neighbour")
    for room in (*story.stage.neighbours_room_ids, *story.stage.room_ids):
        climate = f"hypocaust_{room}"
        await eventually(lambda each=climate: found(story, "climate", each), f"climate {climate}")


@step
async def a_room_is_what_the_service_says(story: Story) -> None:
    story.stage.do("report", temperatureC=21.4, humidityPct=47, batteryPct=81, rssiDbm=-71)
    await eventually(
        lambda: bathroom(story).attributes.get("current_temperature") == 21.4, "21.4 °C"
    )
    seen = bathroom(story)
    equal(seen.state, "heat")
    shown = {
        "current_humidity": 47,
        "temperature": 20,
        "min_temp": 7,
        "max_temp": 35,
        "target_temp_step": 0.5,
        "hvac_action": "idle",
        "preset_mode": "none",
        "preset_modes": ["none", "low", "medium", "high"],
        "friendly_name": "Spa",
    }
    equal({name: seen.attributes.get(name) for name in shown}, shown)
    equal(set(seen.attributes["hvac_modes"]), {"off", "heat"})


@step
async def its_sensors_have_units_and_say_unknown_where_nothing_is_known(story: Story) -> None:
    for key, value, unit in (
        ("temperature", "21.4", "°C"),
        ("humidity", "47", "%"),
        ("power", "0", "%"),
        ("battery", "81", "%"),
    ):
        seen = state(story, "sensor", f"hypocaust_{story.bathroom}_{key}")
        shown = (float(seen.state), seen.attributes["unit_of_measurement"])
        equal(shown, (float(value), unit))
        silent = state(story, "sensor", f"hypocaust_{story.living_room}_{key}")
        equal(silent.state, "0" if key == "power" else "unknown")
    equal(state(story, "sensor", outdoor(story)).state, "unknown")
    story.stage.do("weather", temperatureC=-3.4, cloudPct=75, windDeg=225, windMs=5)
    await eventually(lambda: state(story, "sensor", outdoor(story)).state == "-3.4", "weather")
    equal(state(story, "binary_sensor", connectivity(story)).state, "on")


def outdoor(story: Story) -> str:
    return f"hypocaust_{story.stage.building_id}_outdoor_temperature"


def connectivity(story: Story) -> str:
    return f"hypocaust_{story.stage.building_id}_connectivity"


@step
async def rooms_are_devices_in_areas_and_hang_on_the_building(story: Story) -> None:
    devices = dr.async_get(story.hass)
    house = devices.async_get_device(identifiers={("mqtt", f"hypocaust_{story.stage.building_id}")})
    room = devices.async_get_device(identifiers={("mqtt", f"hypocaust_{story.bathroom}")})
    assert house is not None and room is not None
    equal(room.via_device_id, house.id)
    area = ar.async_get(story.hass).async_get_area(room.area_id or "")
    equal(area and area.name, "Bathroom")


@step
async def temperature_mode_and_preset_reach_the_room(story: Story) -> None:
    def room_has(**wanted: Any) -> bool:
        room = story.stage.do("bathroom")
        return all(room[name] == value for name, value in wanted.items())

    await call(story, "set_temperature", temperature=22.5)
    await eventually(lambda: room_has(target_temperature=22.5), "22.5 °C")
    await call(story, "set_preset_mode", preset_mode="medium")
    await eventually(lambda: room_has(preset_mode="medium"), "medium")
    await call(story, "set_preset_mode", preset_mode="none")
    await eventually(lambda: room_has(preset_mode="none"), "none")
    await call(story, "set_hvac_mode", hvac_mode="off")
    await eventually(lambda: room_has(hvac_mode="off"), "off")
    await eventually(lambda: bathroom(story).state == "off", "shown as off")
    await call(story, "turn_on")
    await eventually(lambda: room_has(hvac_mode="heat"), "heat")
    await eventually(lambda: bathroom(story).attributes["temperature"] == 22.5, "22.5 °C shown")


@step
async def a_silent_building_is_unavailable_and_comes_back(story: Story) -> None:
    story.stage.do("silence")
    await eventually(lambda: bathroom(story).state == "unavailable", "unavailable")
    await eventually(
        lambda: state(story, "binary_sensor", connectivity(story)).state == "off", "off"
    )
    story.stage.do("heartbeat")
    await eventually(lambda: bathroom(story).state == "heat", "heat again")


@step
async def a_sensor_that_is_lost_makes_the_temperature_unknown_again(story: Story) -> None:
    for _ in range(7):
        story.stage.do("silence")
    story.stage.do("heartbeat")

    def is_unknown() -> bool:
        seen = state(story, "sensor", f"hypocaust_{story.bathroom}_temperature").state
        return seen == "unknown" and bathroom(story).attributes["current_temperature"] is None

    await eventually(is_unknown, "unknown")


BLUEPRINT = Path(__file__).parents[2] / "deploy/home-assistant-blueprint/loop.yaml"


@step
async def any_entity_is_a_loop_by_the_blueprint_and_closes_without_commands(story: Story) -> None:
    hass = story.hass
    folder = Path(hass.config.path("blueprints/automation/hypocaust"))
    folder.mkdir(parents=True)
    (folder / "loop.yaml").write_text(BLUEPRINT.read_text())
    automations = [
        {
            "alias": entity,
            "use_blueprint": {
                "path": "hypocaust/loop.yaml",
                "input": {"entity": entity, "auto_off_s": 3},
            },
        }
        for entity in ("input_boolean.bath", "input_number.hall")
    ]
    config = {
        "input_boolean": {"bath": {}},
        "input_number": {"hall": {"min": 0, "max": 100}},
        "automation": automations,
    }
    Path(hass.config.path("configuration.yaml")).write_text(json.dumps(config))
    for domain in config:
        await hass.services.async_call(domain, "reload", blocking=True)
    await hass.async_block_till_done()

    async def say(topic: str, payload: str) -> None:
        data = {"topic": topic, "payload": payload}
        await hass.services.async_call("mqtt", "publish", data, blocking=True)

    def shown(entity: str) -> str:
        seen = hass.states.get(entity)
        assert seen is not None, entity
        return seen.state

    # Home Assistant subscribes a moment after it has loaded an automation; the agent repeats its commands too.
    for _ in range(60):
        await say("hypocaust/switch/bath/set", "ON")
        await say("hypocaust/number/hall/set", "35")
        await asyncio.sleep(0.5)
        if (shown("input_boolean.bath"), shown("input_number.hall")) == ("on", "35.0"):
            break
    equal((shown("input_boolean.bath"), shown("input_number.hall")), ("on", "35.0"))
    await eventually(lambda: shown("input_boolean.bath") == "off", "the switch off by itself")
    await eventually(lambda: shown("input_number.hall") == "0.0", "the number 0 by itself")
    await say("hypocaust/switch/bath/set", "ON")
    await eventually(lambda: shown("input_boolean.bath") == "on", "the switch on again")
    await say("hypocaust/switch/bath/set", "OFF")
    await eventually(lambda: shown("input_boolean.bath") == "off", "the switch off")


@step
async def home_assistant_had_nothing_to_complain_about(story: Story) -> None:
    equal(complaints, [])


@step
async def a_room_that_is_removed_is_gone(story: Story) -> None:
    story.stage.do("remove-living-room")
    gone = f"hypocaust_{story.living_room}"
    await eventually(lambda: found(story, "climate", gone) is None, "the living room is gone")
    for room in story.stage.neighbours_room_ids:
        assert found(story, "climate", f"hypocaust_{room}"), "a room of the other service is gone"


if __name__ == "__main__":
    tell(step)
