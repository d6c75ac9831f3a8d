"""Hypocaust floor heating: a building's rooms as climate entities."""

from homeassistant.const import CONF_API_KEY, CONF_URL, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv, device_registry as dr
from homeassistant.helpers.typing import ConfigType

from .actions import async_setup_actions
from .card import async_serve_card
from .const import CONF_AUTHORITY, CONF_PAST_IMPORTED, DOMAIN
from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .issues import show_issues
from .past import async_import_past
from .transport import api_for

PLATFORMS = [
    Platform.BINARY_SENSOR,
    Platform.BUTTON,
    Platform.CALENDAR,
    Platform.CLIMATE,
    Platform.NUMBER,
    Platform.SELECT,
    Platform.SENSOR,
    Platform.SWITCH,
    Platform.WEATHER,
]


CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Offer the actions and the card."""
    async_setup_actions(hass)
    await async_serve_card(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: HypocaustConfigEntry) -> bool:
    """Look at the building once, then set up what is in it."""
    assert entry.unique_id is not None
    data = entry.data
    api = api_for(hass, data[CONF_URL], data[CONF_API_KEY], data.get(CONF_AUTHORITY))
    coordinator = BuildingCoordinator(hass, entry, api, entry.unique_id)
    await coordinator.async_config_entry_first_refresh()
    await coordinator.seldom.async_refresh()
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id,
        identifiers={(DOMAIN, entry.unique_id)},
        name=coordinator.data.building["name"],
        manufacturer="Hypocaust",
        model="Building",
        entry_type=dr.DeviceEntryType.SERVICE,
        sw_version=coordinator.service.version,
        configuration_url=data[CONF_URL],
    )
    coordinator.building_device_id = device.id
    entry.runtime_data = coordinator
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    entry.async_create_background_task(
        hass, coordinator.async_watch(), f"{DOMAIN} {entry.title}"
    )
    if not data.get(CONF_PAST_IMPORTED):
        entry.async_create_background_task(
            hass, async_import_past(hass, entry), f"{DOMAIN} past of {entry.title}"
        )
    return True


async def async_unload_entry(hass: HomeAssistant, entry: HypocaustConfigEntry) -> bool:
    """Take the entities away again."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


async def async_remove_entry(hass: HomeAssistant, entry: HypocaustConfigEntry) -> None:
    """Leave no message about a building that is not watched any more."""
    assert entry.unique_id is not None
    show_issues(hass, entry.unique_id, {})


async def async_remove_config_entry_device(
    hass: HomeAssistant, entry: HypocaustConfigEntry, device: dr.DeviceEntry
) -> bool:
    """Let a device be deleted by hand when its room does not exist, as far as is known."""
    coordinator = getattr(entry, "runtime_data", None)
    known = set() if coordinator is None else {entry.unique_id, *coordinator.data.rooms}
    return not any(
        domain == DOMAIN and identifier in known
        for domain, identifier in device.identifiers
    )
