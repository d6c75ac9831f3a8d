"""Choices of the heating control, where the key opens the settings of the heating control."""

from collections.abc import Callable, Iterator

from homeassistant.components.select import DOMAIN, SelectEntity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .entity import (
    BuildingEntity,
    RoomEntity,
    SeldomEntity,
    add_as_they_appear,
    add_when_known,
)
from .models import Room

PARALLEL_UPDATES = 1

COMFORTS = ("comfort_first", "balanced", "saving")
TARGETS_OF = ("air", "floor")
"""Both as the service names them."""


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """One for the building, and one for each room."""
    coordinator = entry.runtime_data

    def wanted() -> Iterator[tuple[str, Callable[[], Entity]]]:
        seldom = coordinator.seldom.data
        if seldom is not None and seldom.comfort is not None:
            yield "comfort", lambda: ComfortSelect(coordinator)

    def wanted_of(room: Room) -> Iterator[tuple[str, Callable[[], Entity]]]:
        if room["id"] in coordinator.settings_of_rooms:
            yield room["id"], lambda: TargetOfSelect(coordinator, room["id"])

    add_when_known(entry, async_add_entities, wanted)
    add_as_they_appear(entry, async_add_entities, wanted_of)


class ComfortSelect(SeldomEntity, BuildingEntity, SelectEntity):
    """How firmly the rooms are held at their setpoints."""

    _attr_translation_key = "comfort"
    _attr_entity_category = EntityCategory.CONFIG
    _attr_options = list(COMFORTS)

    def __init__(self, coordinator: BuildingCoordinator) -> None:
        """Belong to the building."""
        super().__init__(coordinator, "comfort")

    @property
    def current_option(self) -> str | None:
        """The choice at the latest look."""
        return self.coordinator.seldom.data.comfort

    async def async_select_option(self, option: str) -> None:
        """Choose."""
        await self.coordinator.async_set_comfort(option)


class TargetOfSelect(SeldomEntity, RoomEntity, SelectEntity):
    """Whether the target of a room is the temperature of its air or of its floor."""

    _attr_translation_key = "target_of"
    _attr_entity_category = EntityCategory.CONFIG
    _attr_entity_registry_enabled_default = False
    _attr_options = list(TARGETS_OF)

    def __init__(self, coordinator: BuildingCoordinator, room_id: str) -> None:
        """Belong to the room."""
        super().__init__(coordinator, DOMAIN, room_id, "target_of")

    @property
    def current_option(self) -> str | None:
        """The choice at the latest look."""
        settings = self.coordinator.settings_of_rooms.get(self._room_id)
        return None if settings is None else settings["target_of"]

    async def async_select_option(self, option: str) -> None:
        """Choose."""
        await self.coordinator.async_change_settings(
            self._room_id, {"target_of": option}
        )
