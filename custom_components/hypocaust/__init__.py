"""Hypocaust floor heating: a building's rooms as climate entities."""

from __future__ import annotations

from homeassistant.const import CONF_API_KEY, CONF_URL, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, issue_registry as ir

from .const import DOMAIN
from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .transport import api_for

PLATFORMS = [Platform.BINARY_SENSOR, Platform.CLIMATE, Platform.SENSOR]


async def async_setup_entry(hass: HomeAssistant, entry: HypocaustConfigEntry) -> bool:
    """Look at the building once, then set up what is in it."""
    assert entry.unique_id is not None
    api = api_for(hass, entry.data[CONF_URL], entry.data[CONF_API_KEY])
    coordinator = BuildingCoordinator(hass, entry, api, entry.unique_id)
    await coordinator.async_config_entry_first_refresh()
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id,
        identifiers={(DOMAIN, entry.unique_id)},
        name=coordinator.data.building["name"],
        manufacturer="Hypocaust",
        model="Building",
        entry_type=dr.DeviceEntryType.SERVICE,
        configuration_url=entry.data[CONF_URL],
    )
    coordinator.building_device_id = device.id
    entry.runtime_data = coordinator
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: HypocaustConfigEntry) -> bool:
    """Take the entities away again."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


async def async_remove_entry(hass: HomeAssistant, entry: HypocaustConfigEntry) -> None:
    """Leave no message about a building that is not watched any more."""
    ir.async_delete_issue(hass, DOMAIN, f"no_gateway_{entry.unique_id}")


async def async_remove_config_entry_device(
    hass: HomeAssistant, entry: HypocaustConfigEntry, device: dr.DeviceEntry
) -> bool:
    """Let a device be deleted by hand when its room does not exist any more."""
    known = {entry.unique_id, *entry.runtime_data.data.rooms}
    return not any(
        domain == DOMAIN and identifier in known for domain, identifier in device.identifiers
    )
