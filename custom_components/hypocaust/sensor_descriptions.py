"""What the sensors show, one description each."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from homeassistant.components.sensor import (
    SensorDeviceClass,
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

from .mapping import (
    activity,
    battery_percent,
    measured_at,
    override_until,
    power_percent,
    signal_dbm,
    time_of,
)
from .models import Air, Outlook, Room, Weather

Value = float | str | datetime | None

ACTIVITIES = (
    "off",
    "frost",
    "manual",
    "loop_test",
    "loop_search",
    "screed_heating",
    "no_valve",
    "no_gateway",
    "gateway_lost",
    "watched",
    "watched_unseen",
    "learned_power",
    "open_window",
    "grid_lock",
    "left_out",
    "dew_unknown",
    "dew_point",
    "cooling",
    "cool_enough",
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
        attributes=lambda outlook: {
            "measured": outlook.get("floor_measured"),
            "error": outlook.get("floor_error"),
            "target_of": outlook.get("target_of"),
        },
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
