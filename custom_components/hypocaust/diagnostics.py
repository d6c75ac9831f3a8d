"""What helps to find a fault, without what is nobody's business."""

from typing import Any

from homeassistant.components.diagnostics import REDACTED, async_redact_data
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.device_registry import DeviceEntry

from .const import CONF_AUTHORITY, CONF_INSTALLATION
from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .models import Room

SECRETS = {
    CONF_API_KEY,
    CONF_AUTHORITY,
    CONF_INSTALLATION,
    CONF_URL,
    "location",
    "name",
    "room",
    "sensor_id",
}


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: HypocaustConfigEntry
) -> dict[str, Any]:
    """The entry and the latest look. Key, address, place, names and hardware addresses are left out."""
    coordinator: BuildingCoordinator | None = getattr(entry, "runtime_data", None)
    shown = {
        "entry": async_redact_data(dict(entry.data), SECRETS),
        "state": entry.state.value,
    }
    if coordinator is None:
        return {**shown, "reason": entry.reason}
    return {
        **shown,
        "permission": coordinator.permission,
        "version": coordinator.service.version,
        "last_update_success": coordinator.last_update_success,
        "building": async_redact_data(dict(coordinator.data.building), SECRETS),
        "rooms": [
            async_redact_data({**room, "sensor": _reading(room)}, SECRETS)
            for room in coordinator.data.rooms.values()
        ],
        "alerts": [
            {"kind": each["kind"], "since": each["since"], "value": each["value"]}
            for each in coordinator.data.alerts
        ],
    }


async def async_get_device_diagnostics(
    hass: HomeAssistant, entry: HypocaustConfigEntry, device: DeviceEntry
) -> dict[str, Any]:
    """The latest look at a room, with what it is heated towards; of the building, that of its entry."""
    coordinator: BuildingCoordinator | None = getattr(entry, "runtime_data", None)
    rooms = {} if coordinator is None else coordinator.data.rooms
    room_id = next((id_ for _, id_ in device.identifiers if id_ in rooms), None)
    if coordinator is None or room_id is None:
        return await async_get_config_entry_diagnostics(hass, entry)
    room, state = rooms[room_id], coordinator.data
    return {
        "version": coordinator.service.version,
        "room": async_redact_data({**room, "sensor": _reading(room)}, SECRETS),
        "outlook": state.outlooks.get(room_id),
        "air": state.air.get(room_id),
        "alerts": [each["kind"] for each in state.alerts if each["room_id"] == room_id],
    }


def _reading(room: Room) -> dict[str, Any] | None:
    """A sensor's id is the address of its radio; what it said is what matters."""
    sensor = room["sensor"]
    return None if sensor is None else {**sensor, "id": REDACTED}
