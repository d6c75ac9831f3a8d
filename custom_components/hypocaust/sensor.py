"""What is measured, as sensors."""

from collections.abc import Callable, Iterator
from typing import Any

from homeassistant.components.sensor import DOMAIN, SensorDeviceClass, SensorEntity
from homeassistant.const import UnitOfPower
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .energy_sensors import RoomHeat, energy_of, energy_sensors
from .entity import BuildingEntity, RoomEntity, add_as_they_appear, add_when_known
from .mapping import heat_counter, is_in_force
from .models import Air, Outlook, Room
from .sensor_descriptions import (
    AIR_SENSORS,
    OUTLOOK_SENSORS,
    ROOM_SENSORS,
    WEATHER_SENSORS,
    AirSensorDescription,
    OutlookSensorDescription,
    RoomSensorDescription,
    Value,
    WeatherSensorDescription,
)

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Sensors of each room, and of the weather at the building."""
    coordinator = entry.runtime_data

    def wanted(room: Room) -> Iterator[tuple[str, Callable[[], Entity]]]:
        for each in ROOM_SENSORS:
            if not each.is_optional or each.value(room) is not None:
                yield f"{room['id']}_{each.key}", _maker(coordinator, room["id"], each)

        if room["id"] in coordinator.data.outlooks:
            for outlook in OUTLOOK_SENSORS:
                now = outlook.value(coordinator.data.outlooks[room["id"]])
                if outlook.is_optional and now is None:
                    continue
                yield (
                    f"{room['id']}_{outlook.key}",
                    _outlook_maker(coordinator, room["id"], outlook),
                )

        air = coordinator.data.air.get(room["id"])
        if air is not None and air["dew_point"] is not None:
            for each_air in AIR_SENSORS:
                yield (
                    f"{room['id']}_{each_air.key}",
                    _air_maker(coordinator, room["id"], each_air),
                )

        if heat_counter(energy_of(coordinator), room["id"]) is not None:
            yield f"{room['id']}_heat", _heat_maker(coordinator, room["id"])

    add_as_they_appear(entry, async_add_entities, wanted)
    add_when_known(entry, async_add_entities, lambda: energy_sensors(coordinator))
    async_add_entities(WeatherSensor(coordinator, each) for each in WEATHER_SENSORS)
    if coordinator.data.knows_limits:
        async_add_entities([PowerLimitSensor(coordinator)])


def _maker(
    coordinator: BuildingCoordinator, room_id: str, description: RoomSensorDescription
) -> Callable[[], Entity]:
    return lambda: RoomSensor(coordinator, room_id, description)


def _heat_maker(
    coordinator: BuildingCoordinator, room_id: str
) -> Callable[[], Entity]:
    return lambda: RoomHeat(coordinator, room_id)


def _outlook_maker(
    coordinator: BuildingCoordinator,
    room_id: str,
    description: OutlookSensorDescription,
) -> Callable[[], Entity]:
    return lambda: OutlookSensor(coordinator, room_id, description)


def _air_maker(
    coordinator: BuildingCoordinator,
    room_id: str,
    description: AirSensorDescription,
) -> Callable[[], Entity]:
    return lambda: AirSensor(coordinator, room_id, description)


class RoomSensor(RoomEntity, SensorEntity):
    """One value of a room."""

    entity_description: RoomSensorDescription

    def __init__(
        self,
        coordinator: BuildingCoordinator,
        room_id: str,
        description: RoomSensorDescription,
    ) -> None:
        """Be named after the value."""
        super().__init__(coordinator, DOMAIN, room_id, description.key)
        self.entity_description = description

    @property
    def native_value(self) -> Value:
        """The value at the latest look; none is unknown."""
        return self.entity_description.value(self.room)


class OutlookSensor(RoomEntity, SensorEntity):
    """What a room is heated towards, and when it will be there."""

    entity_description: OutlookSensorDescription

    def __init__(
        self,
        coordinator: BuildingCoordinator,
        room_id: str,
        description: OutlookSensorDescription,
    ) -> None:
        """Be named after the value."""
        super().__init__(coordinator, DOMAIN, room_id, description.key)
        self.entity_description = description

    @property
    def native_value(self) -> Value:
        """The value at the latest look; none is unknown."""
        outlook = self._outlook
        return None if outlook is None else self.entity_description.value(outlook)

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """Why, until when, and what comes next."""
        outlook = self._outlook
        return {} if outlook is None else self.entity_description.attributes(outlook)

    @property
    def _outlook(self) -> Outlook | None:
        return self.coordinator.data.outlooks.get(self._room_id)


class AirSensor(RoomEntity, SensorEntity):
    """How humid a room is; only of rooms whose sensor measures it."""

    entity_description: AirSensorDescription

    def __init__(
        self,
        coordinator: BuildingCoordinator,
        room_id: str,
        description: AirSensorDescription,
    ) -> None:
        """Be named after the value."""
        super().__init__(coordinator, DOMAIN, room_id, description.key)
        self.entity_description = description

    @property
    def native_value(self) -> Value:
        """The value at the latest look; none is unknown."""
        air = self._air
        return None if air is None else self.entity_description.value(air)

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """For how long it has been damp, and whether airing helps."""
        air = self._air
        return {} if air is None else self.entity_description.attributes(air)

    @property
    def _air(self) -> Air | None:
        return self.coordinator.data.air.get(self._room_id)


class PowerLimitSensor(BuildingEntity, SensorEntity):
    """What the grid leaves the heat source; unknown while nothing limits it."""

    _attr_translation_key = "power_limit"
    _attr_device_class = SensorDeviceClass.POWER
    _attr_native_unit_of_measurement = UnitOfPower.WATT

    def __init__(self, coordinator: BuildingCoordinator) -> None:
        """Be one of the building."""
        super().__init__(coordinator, "power_limit")

    @property
    def native_value(self) -> int | None:
        """The limit while it is in force."""
        limit = self.coordinator.data.power_limit
        return limit["limit_w"] if limit and is_in_force(limit, dt_util.utcnow()) else None

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """When it begins and ends, also of one to come."""
        return dict(self.coordinator.data.power_limit or {})


class WeatherSensor(BuildingEntity, SensorEntity):
    """One value of the weather, which comes from a service and not from the building."""

    entity_description: WeatherSensorDescription

    def __init__(
        self, coordinator: BuildingCoordinator, description: WeatherSensorDescription
    ) -> None:
        """Be named after the value."""
        super().__init__(coordinator, description.key)
        self.entity_description = description

    @property
    def native_value(self) -> float | None:
        """The value at the latest look; none before weather was fetched for the first time."""
        weather = self.building["weather"]
        return None if weather is None else self.entity_description.value(weather)
