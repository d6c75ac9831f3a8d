"""Whether the building's hardware reports."""

from __future__ import annotations

from homeassistant.components.binary_sensor import BinarySensorDeviceClass, BinarySensorEntity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .entity import BuildingEntity

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """One for the building."""
    async_add_entities([Connectivity(entry.runtime_data)])


class Connectivity(BuildingEntity, BinarySensorEntity):
    """On while a gateway reports, off when all have fallen silent, unknown before the first."""

    _attr_device_class = BinarySensorDeviceClass.CONNECTIVITY
    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(self, coordinator: BuildingCoordinator) -> None:
        """Belong to the building."""
        super().__init__(coordinator, "connectivity")

    @property
    def is_on(self) -> bool | None:
        """The building's three states as they are."""
        return self.building["available"]
