"""What all entities have in common."""

from collections.abc import Callable, Iterable

from homeassistant.core import callback
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.update_coordinator import CoordinatorEntity
from homeassistant.util import slugify

from .const import DOMAIN
from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .mapping import is_reachable
from .models import Building, Room


class BuildingEntity(CoordinatorEntity[BuildingCoordinator]):
    """Something about the building as a whole, known also while its hardware is silent."""

    _attr_has_entity_name = True

    def __init__(self, coordinator: BuildingCoordinator, key: str) -> None:
        """Belong to the building's device."""
        super().__init__(coordinator)
        self._attr_unique_id = f"{coordinator.building_id}_{key}"
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, coordinator.building_id)}
        )

    @property
    def building(self) -> Building:
        """The building at the latest look."""
        return self.coordinator.data.building


class RoomEntity(CoordinatorEntity[BuildingCoordinator]):
    """Something about a room, known only while the building's hardware reports."""

    _attr_has_entity_name = True

    def __init__(
        self,
        coordinator: BuildingCoordinator,
        domain: str,
        room_id: str,
        key: str | None,
    ) -> None:
        """Belong to the room's device, which hangs on the building's."""
        super().__init__(coordinator)
        self._room_id = room_id
        self._last_room = coordinator.data.rooms[room_id]
        self._attr_unique_id = room_id if key is None else f"{room_id}_{key}"
        name = coordinator.device_name_of(self._last_room)
        # Left to itself, Home Assistant puts the area before the device, and both have the room's name.
        self.entity_id = f"{domain}.{slugify(name if key is None else f'{name} {key}')}"
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, room_id)},
            name=name,
            manufacturer="Hypocaust",
            model="Room",
            suggested_area=coordinator.free_area(name),
            via_device_id=coordinator.building_device_id,
        )

    @property
    def room(self) -> Room:
        """The room at the latest look. Home Assistant asks for limits even when a room is gone."""
        self._last_room = self.coordinator.data.rooms.get(
            self._room_id, self._last_room
        )
        return self._last_room

    @property
    def available(self) -> bool:
        """Whether what is shown is of now."""
        state = self.coordinator.data
        return (
            super().available
            and self._room_id in state.rooms
            and is_reachable(state.building)
        )


class SeldomEntity(CoordinatorEntity[BuildingCoordinator]):
    """Something that is also shown anew when what changes seldom was read."""

    async def async_added_to_hass(self) -> None:
        """Follow both coordinators."""
        await super().async_added_to_hass()
        seldom = self.coordinator.seldom
        self.async_on_remove(seldom.async_add_listener(self.async_write_ha_state))


@callback
def add_as_they_appear(
    entry: HypocaustConfigEntry,
    add_entities: AddConfigEntryEntitiesCallback,
    wanted: Callable[[Room], Iterable[tuple[str, Callable[[], Entity]]]],
) -> None:
    """Add the entities of every room, including rooms added later and values first reported later."""
    coordinator = entry.runtime_data

    def of_all_rooms() -> Iterable[tuple[str, Callable[[], Entity]]]:
        for room in coordinator.data.rooms.values():
            yield from wanted(room)

    add_when_known(entry, add_entities, of_all_rooms)


@callback
def add_when_known(
    entry: HypocaustConfigEntry,
    add_entities: AddConfigEntryEntitiesCallback,
    wanted: Callable[[], Iterable[tuple[str, Callable[[], Entity]]]],
) -> None:
    """Add each entity once, as soon as either coordinator knows of it."""
    coordinator = entry.runtime_data
    added: set[str] = set()

    @callback
    def add_new() -> None:
        missing = {
            unique_id: create
            for unique_id, create in wanted()
            if unique_id not in added
        }
        added.update(missing)
        if missing:
            add_entities(create() for create in missing.values())

    add_new()
    for each in (coordinator, coordinator.seldom):
        entry.async_on_unload(each.async_add_listener(add_new))
