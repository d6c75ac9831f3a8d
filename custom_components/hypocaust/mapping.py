"""From what /v1 says to what an entity shows, and back. Pure, and without Home Assistant."""

from datetime import datetime, timedelta

from .models import (
    Away,
    AwayPut,
    Building,
    BuildingState,
    CoolingPut,
    Energy,
    Outlook,
    OverridePut,
    PowerLimit,
    Room,
    RoomComfort,
    RoomComfortPatch,
    RoomPatch,
    Weather,
)

BOOST_K = 2.0
BOOST_FOR = timedelta(hours=1)
USUAL_AWAY_C = 15.0


def is_reachable(building: Building) -> bool:
    """Tell whether what the building reports is of now: false is silent, null never set up."""
    return building["available"] is True


def lacks_gateway(building: Building) -> bool:
    """Tell whether there is nothing to connect to, which is not the same as being down."""
    return building["available"] is None


def has_alert(state: BuildingState, room_id: str | None, kinds: frozenset[str]) -> bool:
    """Tell whether one of these needs a person, in a room or in the building as a whole."""
    return any(
        each["room_id"] == room_id and each["kind"] in kinds for each in state.alerts
    )


def power_percent(room: Room) -> float:
    """The share of the time for which the valve is open, in percent."""
    return round(room["power"] * 100.0, 1)


def battery_percent(room: Room) -> float | None:
    """The battery of the room's sensor, where it tells."""
    sensor = room["sensor"]
    return None if sensor is None else sensor["batt"]


def signal_dbm(room: Room) -> float | None:
    """The signal strength of the room's sensor, where it tells."""
    sensor = room["sensor"]
    return None if sensor is None else sensor["rssi"]


def measured_at(room: Room) -> datetime | None:
    """When the room's sensor last measured."""
    sensor = room["sensor"]
    return None if sensor is None else datetime.fromisoformat(sensor["timestamp"])


def away_put(
    begins: datetime | None, ends: datetime | None, target_c: float
) -> AwayPut:
    """An absence as the service takes it, from times in UTC; without an end until it is ended."""
    away: AwayPut = {
        "until": None if ends is None else _timestamp(ends),
        "target_temperature": round(target_c, 1),
    }
    return away if begins is None else {"from": _timestamp(begins), **away}


def override_put(duration: timedelta, target_c: float | None) -> OverridePut:
    """Another target, or off, for a while; the clock of the service counts it, not this one."""
    hours = round(duration.total_seconds() / 3600, 4)
    if target_c is None:
        return {"hvac_mode": "off", "hours": hours}
    return {"target_temperature": round(target_c, 1), "hours": hours}


def boost_put(room: Room) -> OverridePut:
    """A little warmer for an hour."""
    return override_put(
        BOOST_FOR, min(room["max_temp"], room["target_temperature"] + BOOST_K)
    )


def shown_target(room: Room, outlook: Outlook | None) -> float:
    """What the room is heated towards now; at night that is not what the programme is based on."""
    return room["target_temperature"] if outlook is None else outlook["setpoint"]


def is_timed_off(room: Room, outlook: Outlook | None) -> bool:
    """Tell whether a timer holds the room off that is on otherwise."""
    return (
        outlook is not None and outlook["reason"] == "off" and room["hvac_mode"] != "off"
    )


def shown_mode(room: Room, outlook: Outlook | None) -> str:
    """On or off, as it is now."""
    return "off" if is_timed_off(room, outlook) else room["hvac_mode"]


def shown_action(room: Room, outlook: Outlook | None) -> str:
    """What the floor is doing; frost protection heats also while the room is off."""
    if is_timed_off(room, outlook) and room["power"] == 0:
        return "off"
    return room["hvac_action"]


COOLING_SEASON = frozenset(
    ("cooling", "cool_enough", "dew_point", "dew_unknown", "left_out")
)
"""What a floor does while its building cools."""


def is_cooled(outlook: Outlook | None) -> bool:
    """Tell whether what flows through the floor of an automatic room is cold."""
    return outlook is not None and outlook.get("activity") in COOLING_SEASON


def floor_minimum(settings: RoomComfort | None) -> float | None:
    """The warmest of the temperatures that a floor shall have at set times; none where it has no such times."""
    times = (settings and settings["minimum_floor_temperature"]) or []
    return max((each["temperature"] for each in times), default=None)


def floor_minimum_patch(settings: RoomComfort, minimum_c: float) -> RoomComfortPatch:
    """The same times, all with another temperature."""
    times = settings["minimum_floor_temperature"] or []
    return {
        "minimum_floor_temperature": [
            {**each, "temperature": minimum_c} for each in times
        ]
    }


def cooling_put(season: str, room_id: str, target_c: float) -> CoolingPut:
    """Another temperature to which a room is cooled, in the season that it is."""
    target = round(min(30.0, max(18.0, target_c)), 1)
    return {
        "season": season,
        "rooms": [{"room_id": room_id, "target_temperature": target}],
    }


def dialled(
    room: Room, outlook: Outlook | None, target_c: float
) -> OverridePut | None:
    """The override that a dialled temperature is; none where it is the target.

    Where a programme, an absence or an override has the room elsewhere, the dialled temperature counts until that
    changes, and the target stays.
    """
    if outlook is None or outlook["until"] is None:
        return None
    reason = outlook["reason"]
    is_lowered = (
        reason in ("programme", "away", "calendar", "presence")
        and outlook["setpoint"] != room["target_temperature"]
    )
    if reason != "override" and not is_lowered:
        return None
    return {"target_temperature": round(target_c, 1), "until": outlook["until"]}


def override_until(outlook: Outlook) -> datetime | None:
    """When the override ends, where there is one."""
    is_override = outlook["reason"] in ("override", "off", "manual")
    return time_of(outlook["until"]) if is_override else None


def activity(outlook: Outlook) -> str | None:
    """What the floor is doing and why, in one word; a service of before names it with hyphens."""
    return outlook.get("activity") or outlook.get("doing", "").replace("-", "_") or None


def heat_counter(energy: Energy | None, room_id: str | None) -> float | None:
    """The kWh that a room, or the building, took since the service counts them."""
    if energy is None:
        return None
    if room_id is None:
        return energy.get("counter")
    rooms = (each for each in energy["rooms"] if each["id"] == room_id)
    return next((each.get("counter") for each in rooms), None)


def weather_condition(weather: Weather, is_day: bool) -> str:
    """What the sky is like, by its clouds; whether it rains is not known."""
    clouds = weather["cloud_coverage"]
    if clouds >= 70:
        return "cloudy"
    if clouds >= 30:
        return "partlycloudy"
    return "sunny" if is_day else "clear-night"


def device_name(building: Building, room: Room, is_one_of_several: bool) -> str:
    """Rooms of two houses often have the same name: then they carry that of the building."""
    return f"{building['name']} {room['name']}" if is_one_of_several else room["name"]


def _timestamp(utc: datetime) -> str:
    return utc.strftime("%Y-%m-%dT%H:%M:%SZ")


def is_in_force(span: Away | PowerLimit | None, now: datetime) -> bool:
    """Tell whether an absence or a limit has begun and is not over."""
    if span is None:
        return False
    until = time_of(span["until"])
    return datetime.fromisoformat(span["from"]) <= now and (
        until is None or now < until
    )


def time_of(text: str | None) -> datetime | None:
    """A time as the service writes it."""
    return None if text is None else datetime.fromisoformat(text)


def temperature_patch(target_c: float | None, hvac_mode: str | None) -> RoomPatch:
    """One change for both; 72 °F arrives as 22.2222, and nobody means more than a tenth."""
    patch: RoomPatch = {}
    if target_c is not None:
        patch["target_temperature"] = round(target_c, 1)
    if hvac_mode is not None:
        patch["hvac_mode"] = hvac_mode
    return patch


def power_patch(percent: float) -> RoomPatch:
    """A fixed power in place of the heating control; 0 is off."""
    return {"manual_power": {"enabled": True, "power": round(percent / 100, 3)}}
