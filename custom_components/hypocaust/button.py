"""Buttons of a room: warmer for an hour, back to what holds without an override, and how a person finds it."""

from collections.abc import Callable, Iterator

from homeassistant.components.button import DOMAIN, ButtonEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .entity import RoomEntity, add_as_they_appear
from .mapping import boost_put
from .models import Feeling, Room

PARALLEL_UPDATES = 1


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Those of each room."""
    coordinator = entry.runtime_data

    def wanted(room: Room) -> Iterator[tuple[str, Callable[[], Entity]]]:
        room_id = room["id"]
        yield f"{room_id}_boost", lambda: Boost(coordinator, room_id)
        yield f"{room_id}_end_override", lambda: EndOverride(coordinator, room_id)
        yield f"{room_id}_too_cold", lambda: Feedback(coordinator, room_id, "too_cold")
        yield f"{room_id}_too_warm", lambda: Feedback(coordinator, room_id, "too_warm")

    add_as_they_appear(entry, async_add_entities, wanted)


class Boost(RoomEntity, ButtonEntity):
    """A little warmer for an hour."""

    _attr_translation_key = "boost"

    def __init__(self, coordinator: BuildingCoordinator, room_id: str) -> None:
        """Belong to the room."""
        super().__init__(coordinator, DOMAIN, room_id, "boost")

    async def async_press(self) -> None:
        """Begin now."""
        await self.coordinator.async_set_timer(self._room_id, boost_put(self.room))


class EndOverride(RoomEntity, ButtonEntity):
    """Back to what holds without an override."""

    _attr_translation_key = "end_override"

    def __init__(self, coordinator: BuildingCoordinator, room_id: str) -> None:
        """Belong to the room."""
        super().__init__(coordinator, DOMAIN, room_id, "end_override")

    async def async_press(self) -> None:
        """End it, where there is one."""
        await self.coordinator.async_end_timer(self._room_id)


class Feedback(RoomEntity, ButtonEntity):
    """A person finds the room too cold or too warm: a small change for a few hours."""

    def __init__(
        self, coordinator: BuildingCoordinator, room_id: str, feeling: Feeling
    ) -> None:
        """Belong to the room."""
        super().__init__(coordinator, DOMAIN, room_id, feeling)
        self._attr_translation_key = feeling
        self._feeling: Feeling = feeling

    async def async_press(self) -> None:
        """Help now; the service remembers it."""
        await self.coordinator.async_feedback(self._room_id, self._feeling)
