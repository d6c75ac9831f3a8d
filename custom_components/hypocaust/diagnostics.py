"""What helps to find a fault, without what is nobody's business."""

from __future__ import annotations

from typing import Any

from homeassistant.components.diagnostics import REDACTED, async_redact_data
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant

from .coordinator import HypocaustConfigEntry
from .models import Room

SECRETS = {CONF_API_KEY, CONF_URL, "location", "name", "sensor_id"}


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: HypocaustConfigEntry
) -> dict[str, Any]:
    """The entry and the latest look. Key, address, place, names and hardware addresses are left out."""
    coordinator = entry.runtime_data
    return {
        "entry": async_redact_data(dict(entry.data), SECRETS),
        "options": dict(entry.options),
        "permission": coordinator.permission,
        "last_update_success": coordinator.last_update_success,
        "building": async_redact_data(dict(coordinator.data.building), SECRETS),
        "rooms": [
            async_redact_data({**room, "sensor": _reading(room)}, SECRETS)
            for room in coordinator.data.rooms.values()
        ],
    }


def _reading(room: Room) -> dict[str, Any] | None:
    """A sensor's id is the address of its radio; what it said is what matters."""
    sensor = room["sensor"]
    return None if sensor is None else {**sensor, "id": REDACTED}
