"""Whether the building's hardware reports, and what needs a person."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from homeassistant.components.binary_sensor import (
    DOMAIN,
    BinarySensorDeviceClass,
    BinarySensorEntity,
    BinarySensorEntityDescription,
)
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .entity import BuildingEntity, RoomEntity, add_as_they_appear
from .mapping import battery_percent, has_alert, is_in_force
from .models import Room

PARALLEL_UPDATES = 0


@dataclass(frozen=True, kw_only=True)
class AlertDescription(BinarySensorEntityDescription):
    """A sensor that is on while one of these alerts is."""

    kinds: frozenset[str]


def _alert(
    key: str,
    device_class: BinarySensorDeviceClass | None,
    *kinds: str,
    is_diagnostic: bool = True,
) -> AlertDescription:
    return AlertDescription(
        key=key,
        translation_key=key,
        device_class=device_class,
        entity_category=EntityCategory.DIAGNOSTIC if is_diagnostic else None,
        kinds=frozenset(kinds),
    )


PROBLEM = BinarySensorDeviceClass.PROBLEM
BATTERY_LOW = "battery_low"

ROOM_ALERTS = (
    _alert(BATTERY_LOW, BinarySensorDeviceClass.BATTERY, BATTERY_LOW),
    _alert("sensor_problem", PROBLEM, "sensor_silent", "sensor_never_heard"),
    _alert(
        "valve_problem",
        PROBLEM,
        "auto_off_unproven",
        "floor_probe_silent",
        "loop_low_flow",
        "valve_silent",
        "valve_stays_on",
        "valve_without_effect",
    ),
    _alert("target_unreachable", PROBLEM, "target_unreachable"),
    _alert("floor_limit", PROBLEM, "floor_limit"),
    _alert("control_problem", PROBLEM, "model_broken"),
    _alert("mould_risk", PROBLEM, "mould_risk", is_diagnostic=False),
    _alert("close_blinds", None, "close_blinds", is_diagnostic=False),
    _alert(
        "window", BinarySensorDeviceClass.WINDOW, "window_open", is_diagnostic=False
    ),
)

BUILDING_ALERTS = (
    _alert(
        "gateway_problem",
        PROBLEM,
        "building_silent",
        "gateway_not_following",
        "two_agents",
    ),
    _alert("rooms_swapped", PROBLEM, "sensors_swapped"),
    _alert(
        "heat_source_problem",
        PROBLEM,
        "cooling_left_on",
        "disinfection_overdue",
        "heat_source_failed",
        "supply_too_cold",
    ),
)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Those of the building, and of each room."""
    coordinator = entry.runtime_data

    def wanted(room: Room) -> Iterator[tuple[str, Callable[[], Entity]]]:
        for each in ROOM_ALERTS:
            if each.key == BATTERY_LOW and battery_percent(room) is None:
                continue
            yield f"{room['id']}_{each.key}", _maker(coordinator, room["id"], each)

    async_add_entities([Connectivity(coordinator), Absence(coordinator)])
    async_add_entities(BuildingAlert(coordinator, each) for each in BUILDING_ALERTS)
    add_as_they_appear(entry, async_add_entities, wanted)


def _maker(
    coordinator: BuildingCoordinator, room_id: str, description: AlertDescription
) -> Callable[[], Entity]:
    return lambda: RoomAlert(coordinator, room_id, description)


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


class Absence(BuildingEntity, BinarySensorEntity):
    """On from the beginning of an absence to the return."""

    _attr_translation_key = "away"

    def __init__(self, coordinator: BuildingCoordinator) -> None:
        """Belong to the building."""
        super().__init__(coordinator, "away")

    @property
    def is_on(self) -> bool:
        """Whether the holders are away now."""
        return is_in_force(self.coordinator.data.away, dt_util.utcnow())

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """An absence that is, or is to come."""
        return dict(self.coordinator.data.away or {})


class BuildingAlert(BuildingEntity, BinarySensorEntity):
    """Something about the building that needs a person."""

    entity_description: AlertDescription

    def __init__(
        self, coordinator: BuildingCoordinator, description: AlertDescription
    ) -> None:
        """Be named after the alert."""
        super().__init__(coordinator, description.key)
        self.entity_description = description

    @property
    def is_on(self) -> bool:
        """Whether it does now."""
        return has_alert(self.coordinator.data, None, self.entity_description.kinds)


class RoomAlert(RoomEntity, BinarySensorEntity):
    """Something about a room that needs a person."""

    entity_description: AlertDescription

    def __init__(
        self,
        coordinator: BuildingCoordinator,
        room_id: str,
        description: AlertDescription,
    ) -> None:
        """Be named after the alert."""
        super().__init__(coordinator, DOMAIN, room_id, description.key)
        self.entity_description = description

    @property
    def is_on(self) -> bool:
        """Whether it does now."""
        return has_alert(
            self.coordinator.data, self._room_id, self.entity_description.kinds
        )
