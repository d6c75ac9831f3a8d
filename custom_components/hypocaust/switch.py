"""The building's people are away until they are back."""

from typing import Any

from homeassistant.components.switch import SwitchEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .entity import BuildingEntity
from .mapping import USUAL_AWAY_C, away_put, is_in_force

PARALLEL_UPDATES = 1


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """One for the building."""
    async_add_entities([AwaySwitch(entry.runtime_data)])


class AwaySwitch(BuildingEntity, SwitchEntity):
    """An absence without an end; on also during one that was set elsewhere."""

    _attr_translation_key = "away"

    def __init__(self, coordinator: BuildingCoordinator) -> None:
        """Belong to the building."""
        super().__init__(coordinator, "away_switch")

    @property
    def is_on(self) -> bool:
        """Whether the holders are away now."""
        return is_in_force(self.coordinator.data.away, dt_util.utcnow())

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Leave, until this is turned off."""
        await self.coordinator.async_set_away(away_put(None, None, USUAL_AWAY_C))

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Be back."""
        await self.coordinator.async_end_away()
