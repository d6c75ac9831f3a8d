"""What is set of a room as numbers: the base of its programme, a fixed power, and the least warmth of its floor."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from homeassistant.components.number import (
    DOMAIN,
    NumberDeviceClass,
    NumberEntity,
    NumberEntityDescription,
    NumberMode,
)
from homeassistant.const import PERCENTAGE, EntityCategory, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .entity import RoomEntity, SeldomEntity, add_as_they_appear
from .mapping import floor_minimum, power_patch, temperature_patch
from .models import Room, RoomComfort, RoomPatch

PARALLEL_UPDATES = 1


@dataclass(frozen=True, kw_only=True)
class RoomNumberDescription(NumberEntityDescription):
    """A setting of a room that is a number."""

    value: Callable[[Room], float | None]
    patch: Callable[[float], RoomPatch]


ROOM_NUMBERS = (
    RoomNumberDescription(
        key="target",
        translation_key="target",
        device_class=NumberDeviceClass.TEMPERATURE,
        native_unit_of_measurement=UnitOfTemperature.CELSIUS,
        native_min_value=7,
        native_max_value=35,
        native_step=0.5,
        mode=NumberMode.BOX,
        entity_category=EntityCategory.CONFIG,
        value=lambda room: room["target_temperature"],
        patch=lambda target_c: temperature_patch(target_c, None),
    ),
    RoomNumberDescription(
        key="manual_power",
        translation_key="manual_power",
        native_unit_of_measurement=PERCENTAGE,
        native_min_value=0,
        native_max_value=100,
        native_step=1,
        mode=NumberMode.BOX,
        entity_category=EntityCategory.CONFIG,
        entity_registry_enabled_default=False,
        value=lambda room: (
            room["manual_power"]["power"] * 100
            if room["manual_power"]["enabled"]
            else None
        ),
        patch=power_patch,
    ),
)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Those of each room."""
    coordinator = entry.runtime_data

    def wanted(room: Room) -> Iterator[tuple[str, Callable[[], Entity]]]:
        for each in ROOM_NUMBERS:
            yield f"{room['id']}_{each.key}", _maker(coordinator, room["id"], each)
        if floor_minimum(coordinator.settings_of_rooms.get(room["id"])) is not None:
            unique_id = f"{room['id']}_floor_minimum"
            yield unique_id, lambda: FloorMinimum(coordinator, room["id"])

    add_as_they_appear(entry, async_add_entities, wanted)


def _maker(
    coordinator: BuildingCoordinator, room_id: str, description: RoomNumberDescription
) -> Callable[[], Entity]:
    return lambda: RoomNumber(coordinator, room_id, description)


class RoomNumber(RoomEntity, NumberEntity):
    """One setting of a room."""

    entity_description: RoomNumberDescription

    def __init__(
        self,
        coordinator: BuildingCoordinator,
        room_id: str,
        description: RoomNumberDescription,
    ) -> None:
        """Be named after the setting."""
        super().__init__(coordinator, DOMAIN, room_id, description.key)
        self.entity_description = description

    @property
    def native_value(self) -> float | None:
        """The setting at the latest look; none while the heating control decides."""
        return self.entity_description.value(self.room)

    async def async_set_native_value(self, value: float) -> None:
        """Change the setting."""
        patch = self.entity_description.patch(value)
        await self.coordinator.async_change_room(self._room_id, patch)


class FloorMinimum(SeldomEntity, RoomEntity, NumberEntity):
    """What the floor of a room has at least at the times that are set for it; the times stay."""

    _attr_translation_key = "floor_minimum"
    _attr_device_class = NumberDeviceClass.TEMPERATURE
    _attr_native_unit_of_measurement = UnitOfTemperature.CELSIUS
    _attr_native_min_value = 15
    _attr_native_max_value = 35
    _attr_native_step = 0.5
    _attr_mode = NumberMode.BOX
    _attr_entity_category = EntityCategory.CONFIG

    def __init__(self, coordinator: BuildingCoordinator, room_id: str) -> None:
        """Belong to the room."""
        super().__init__(coordinator, DOMAIN, room_id, "floor_minimum")

    @property
    def _settings(self) -> RoomComfort | None:
        return self.coordinator.settings_of_rooms.get(self._room_id)

    @property
    def available(self) -> bool:
        """Whether the floor still has such times."""
        return super().available and floor_minimum(self._settings) is not None

    @property
    def native_value(self) -> float | None:
        """The warmest at the latest look."""
        return floor_minimum(self._settings)

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """The times, with the temperature of each."""
        settings = self._settings
        return {"times": settings and settings["minimum_floor_temperature"]}

    async def async_set_native_value(self, value: float) -> None:
        """Give all times this temperature."""
        await self.coordinator.async_set_floor_minimum(self._room_id, value)
