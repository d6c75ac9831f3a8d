"""What is measured, as sensors."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from homeassistant.components.sensor import (
    DOMAIN,
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import (
    DEGREE,
    PERCENTAGE,
    SIGNAL_STRENGTH_DECIBELS_MILLIWATT,
    EntityCategory,
    UnitOfSpeed,
    UnitOfTemperature,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .energy_sensors import RoomHeat, energy_of, energy_sensors
from .entity import BuildingEntity, RoomEntity, add_as_they_appear, add_when_known
from .mapping import (
    activity,
    battery_percent,
    heat_counter,
    measured_at,
    override_until,
    power_percent,
    signal_dbm,
    time_of,
)
from .models import Air, Outlook, Room, Weather

PARALLEL_UPDATES = 0

Value = float | str | datetime | None

ACTIVITIES = (
    "off",
    "frost",
    "manual",
    "loop_test",
    "loop_search",
    "no_valve",
    "no_gateway",
    "gateway_lost",
    "watched",
    "watched_unseen",
    "learned_power",
    "open_window",
    "grid_lock",
    "no_reading",
    "floor_limit",
    "base_warmth",
    "between_openings",
    "warming_ahead",
    "heating",
    "can_wait",
    "too_warm",
    "warm_enough",
)
"""What a floor is doing and why, as the service names it."""


@dataclass(frozen=True, kw_only=True)
class RoomSensorDescription(SensorEntityDescription):
    """A value of a room."""

    value: Callable[[Room], Value]
    is_optional: bool = False
    """Some kinds of sensor never tell it; then there is no entity."""


@dataclass(frozen=True, kw_only=True)
class WeatherSensorDescription(SensorEntityDescription):
    """A value of the weather at the building."""

    value: Callable[[Weather], float]


@dataclass(frozen=True, kw_only=True)
class OutlookSensorDescription(SensorEntityDescription):
    """A value of a room's outlook."""

    value: Callable[[Outlook], Value]
    is_optional: bool = False
    """An older service does not have it; then there is no entity."""
    attributes: Callable[[Outlook], dict[str, Any]] = lambda _: {}


@dataclass(frozen=True, kw_only=True)
class AirSensorDescription(SensorEntityDescription):
    """A value of the air of a room."""

    value: Callable[[Air], Value]
    attributes: Callable[[Air], dict[str, Any]] = lambda _: {}


ROOM_SENSORS = (
    RoomSensorDescription(
        key="temperature",
        device_class=SensorDeviceClass.TEMPERATURE,
        native_unit_of_measurement=UnitOfTemperature.CELSIUS,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=1,
        value=lambda room: room["current_temperature"],
    ),
    RoomSensorDescription(
        key="humidity",
        device_class=SensorDeviceClass.HUMIDITY,
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        value=lambda room: room["current_humidity"],
        is_optional=True,
    ),
    RoomSensorDescription(
        key="power",
        translation_key="power",
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        value=power_percent,
    ),
    RoomSensorDescription(
        key="battery",
        device_class=SensorDeviceClass.BATTERY,
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=battery_percent,
        is_optional=True,
    ),
    RoomSensorDescription(
        key="signal_strength",
        device_class=SensorDeviceClass.SIGNAL_STRENGTH,
        native_unit_of_measurement=SIGNAL_STRENGTH_DECIBELS_MILLIWATT,
        state_class=SensorStateClass.MEASUREMENT,
        entity_category=EntityCategory.DIAGNOSTIC,
        entity_registry_enabled_default=False,
        value=signal_dbm,
        is_optional=True,
    ),
    RoomSensorDescription(
        key="last_update",
        translation_key="last_update",
        device_class=SensorDeviceClass.TIMESTAMP,
        entity_category=EntityCategory.DIAGNOSTIC,
        entity_registry_enabled_default=False,
        value=measured_at,
    ),
)

WEATHER_SENSORS = (
    WeatherSensorDescription(
        key="outdoor_temperature",
        translation_key="outdoor_temperature",
        device_class=SensorDeviceClass.TEMPERATURE,
        native_unit_of_measurement=UnitOfTemperature.CELSIUS,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=1,
        value=lambda weather: weather["temperature"],
    ),
    WeatherSensorDescription(
        key="cloud_coverage",
        entity_registry_enabled_default=False,
        translation_key="cloud_coverage",
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        value=lambda weather: weather["cloud_coverage"],
    ),
    WeatherSensorDescription(
        key="wind_speed",
        entity_registry_enabled_default=False,
        device_class=SensorDeviceClass.WIND_SPEED,
        native_unit_of_measurement=UnitOfSpeed.METERS_PER_SECOND,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=1,
        value=lambda weather: weather["wind"]["speed"],
    ),
    WeatherSensorDescription(
        key="wind_direction",
        entity_registry_enabled_default=False,
        device_class=SensorDeviceClass.WIND_DIRECTION,
        native_unit_of_measurement=DEGREE,
        state_class=SensorStateClass.MEASUREMENT_ANGLE,
        suggested_display_precision=0,
        value=lambda weather: weather["wind"]["direction"],
    ),
)


OUTLOOK_SENSORS = (
    OutlookSensorDescription(
        key="setpoint",
        translation_key="setpoint",
        device_class=SensorDeviceClass.TEMPERATURE,
        native_unit_of_measurement=UnitOfTemperature.CELSIUS,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=1,
        value=lambda outlook: outlook["setpoint"],
        attributes=lambda outlook: {
            "reason": outlook["reason"],
            "until": outlook["until"],
            "next_setpoint": outlook["next"] and outlook["next"]["setpoint"],
            "next_at": outlook["next"] and outlook["next"]["at"],
        },
    ),
    OutlookSensorDescription(
        key="reached_at",
        translation_key="reached_at",
        device_class=SensorDeviceClass.TIMESTAMP,
        value=lambda outlook: time_of(outlook["reached_at"]),
    ),
    OutlookSensorDescription(
        key="override_until",
        translation_key="override_until",
        device_class=SensorDeviceClass.TIMESTAMP,
        value=override_until,
    ),
    OutlookSensorDescription(
        key="doing",
        translation_key="doing",
        device_class=SensorDeviceClass.ENUM,
        options=list(ACTIVITIES),
        value=activity,
    ),
    OutlookSensorDescription(
        key="floor_temperature",
        translation_key="floor_temperature",
        device_class=SensorDeviceClass.TEMPERATURE,
        native_unit_of_measurement=UnitOfTemperature.CELSIUS,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=1,
        value=lambda outlook: outlook.get("floor_temperature"),
        attributes=lambda outlook: {"measured": outlook.get("floor_measured")},
        is_optional=True,
    ),
)

MOULD_RISKS = ("low", "raised", "high")

AIR_SENSORS = (
    AirSensorDescription(
        key="dew_point",
        translation_key="dew_point",
        device_class=SensorDeviceClass.TEMPERATURE,
        native_unit_of_measurement=UnitOfTemperature.CELSIUS,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=1,
        value=lambda air: air["dew_point"],
    ),
    AirSensorDescription(
        key="absolute_humidity",
        translation_key="absolute_humidity",
        native_unit_of_measurement="g/m³",
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=1,
        value=lambda air: air["absolute_humidity"],
    ),
    AirSensorDescription(
        key="surface_humidity",
        translation_key="surface_humidity",
        device_class=SensorDeviceClass.HUMIDITY,
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        value=lambda air: air["surface_humidity"],
    ),
    AirSensorDescription(
        key="mould_risk",
        translation_key="mould_risk",
        device_class=SensorDeviceClass.ENUM,
        options=list(MOULD_RISKS),
        value=lambda air: air["mould_risk"],
        attributes=lambda air: {
            "damp_hours": air["damp_hours"],
            "airing": air["airing"] and air["airing"]["advice"],
            "airing_minutes": air["airing"] and air["airing"]["minutes"],
        },
    ),
)


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
                if outlook.is_optional and not outlook.value(
                    coordinator.data.outlooks[room["id"]]
                ):
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
