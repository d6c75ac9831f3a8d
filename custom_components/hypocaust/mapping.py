"""From what /v1 says to what an entity shows, and back. Pure, and without Home Assistant."""

from datetime import datetime

from .models import Away, AwayPut, Building, BuildingState, OverridePut, Room, RoomPatch


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


def away_put(begins: datetime | None, ends: datetime, target_c: float) -> AwayPut:
    """An absence as the service takes it, from times in UTC."""
    away: AwayPut = {
        "until": _timestamp(ends),
        "target_temperature": round(target_c, 1),
    }
    return away if begins is None else {"from": _timestamp(begins), **away}


def override_put(ends: datetime, target_c: float | None) -> OverridePut:
    """Another target until a time in UTC, or off."""
    until = _timestamp(ends)
    if target_c is None:
        return {"hvac_mode": "off", "until": until}
    return {"target_temperature": round(target_c, 1), "until": until}


def _timestamp(utc: datetime) -> str:
    return utc.strftime("%Y-%m-%dT%H:%M:%SZ")


def is_away(away: Away | None, now: datetime) -> bool:
    """Tell whether an absence has begun and is not over."""
    if away is None:
        return False
    return (
        datetime.fromisoformat(away["from"])
        <= now
        < datetime.fromisoformat(away["until"])
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
