"""What Hypocaust can do that Home Assistant has no action for: timers, programmes and plans of rooms, absences of buildings."""

from datetime import datetime
from typing import Any

import voluptuous as vol

from homeassistant.components.climate import DOMAIN as CLIMATE_DOMAIN
from homeassistant.const import (
    ATTR_CONFIG_ENTRY_ID,
    ATTR_TEMPERATURE,
    UnitOfTemperature,
)
from homeassistant.core import HomeAssistant, ServiceCall, SupportsResponse, callback
from homeassistant.helpers import config_validation as cv, service
from homeassistant.util import dt as dt_util
from homeassistant.util.unit_conversion import TemperatureConverter

from .const import DOMAIN
from .coordinator import HypocaustConfigEntry
from .mapping import away_put

ATTR_DURATION = "duration"
ATTR_HVAC_MODE = "hvac_mode"
ATTR_FROM = "from"
ATTR_UNTIL = "until"
ATTR_PROGRAMME = "programme"
ATTR_TO = "to"
ATTR_PERSON = "person"
ATTR_HOME = "home"

SET_AWAY_SCHEMA = vol.Schema(
    {
        vol.Required(ATTR_CONFIG_ENTRY_ID): str,
        vol.Optional(ATTR_UNTIL): cv.datetime,
        vol.Required(ATTR_TEMPERATURE): vol.Coerce(float),
        vol.Optional(ATTR_FROM): cv.datetime,
    }
)
END_AWAY_SCHEMA = vol.Schema({vol.Required(ATTR_CONFIG_ENTRY_ID): str})
REPORT_PRESENCE_SCHEMA = vol.Schema(
    {
        vol.Required(ATTR_CONFIG_ENTRY_ID): str,
        vol.Required(ATTR_PERSON): vol.All(str, vol.Strip, vol.Length(1, 100)),
        vol.Required(ATTR_HOME): bool,
    }
)


@callback
def async_setup_actions(hass: HomeAssistant) -> None:
    """Register them, whether or not a building is set up."""
    service.async_register_platform_entity_service(
        hass,
        DOMAIN,
        "set_timer",
        entity_domain=CLIMATE_DOMAIN,
        schema={
            vol.Required(ATTR_DURATION): cv.positive_time_period,
            vol.Optional(ATTR_TEMPERATURE): vol.Coerce(float),
            vol.Optional(ATTR_HVAC_MODE): vol.In(["off"]),
        },
        func="async_set_timer",
    )
    service.async_register_platform_entity_service(
        hass,
        DOMAIN,
        "end_timer",
        entity_domain=CLIMATE_DOMAIN,
        schema=None,
        func="async_end_timer",
    )
    service.async_register_platform_entity_service(
        hass,
        DOMAIN,
        "get_programme",
        entity_domain=CLIMATE_DOMAIN,
        schema=None,
        func="async_get_programme",
        supports_response=SupportsResponse.ONLY,
    )
    service.async_register_platform_entity_service(
        hass,
        DOMAIN,
        "set_programme",
        entity_domain=CLIMATE_DOMAIN,
        schema={vol.Optional(ATTR_PROGRAMME): dict},
        func="async_set_programme",
        supports_response=SupportsResponse.OPTIONAL,
    )
    service.async_register_platform_entity_service(
        hass,
        DOMAIN,
        "copy_programme",
        entity_domain=CLIMATE_DOMAIN,
        schema={vol.Required(ATTR_TO): cv.entity_ids},
        func="async_copy_programme",
    )
    service.async_register_platform_entity_service(
        hass,
        DOMAIN,
        "get_plan",
        entity_domain=CLIMATE_DOMAIN,
        schema=None,
        func="async_get_plan",
        supports_response=SupportsResponse.ONLY,
    )
    hass.services.async_register(DOMAIN, "set_away", _set_away, schema=SET_AWAY_SCHEMA)
    hass.services.async_register(DOMAIN, "end_away", _end_away, schema=END_AWAY_SCHEMA)
    hass.services.async_register(
        DOMAIN, "report_presence", _report_presence, schema=REPORT_PRESENCE_SCHEMA
    )


async def _set_away(call: ServiceCall) -> None:
    data: dict[str, Any] = call.data
    away = away_put(
        _utc(data.get(ATTR_FROM)),
        _utc(data.get(ATTR_UNTIL)),
        celsius(call.hass, data[ATTR_TEMPERATURE]),
    )
    await _entry_of(call).runtime_data.async_set_away(away)


def _utc(local: datetime | None) -> datetime | None:
    return None if local is None else dt_util.as_utc(local)


async def _end_away(call: ServiceCall) -> None:
    await _entry_of(call).runtime_data.async_end_away()


async def _report_presence(call: ServiceCall) -> None:
    await _entry_of(call).runtime_data.async_report_presence(
        call.data[ATTR_PERSON], call.data[ATTR_HOME]
    )


def _entry_of(call: ServiceCall) -> HypocaustConfigEntry:
    return service.async_get_config_entry(
        call.hass, DOMAIN, call.data[ATTR_CONFIG_ENTRY_ID]
    )


def celsius(hass: HomeAssistant, temperature: float) -> float:
    """What was entered in the unit of this Home Assistant."""
    unit = hass.config.units.temperature_unit
    return TemperatureConverter.convert(temperature, unit, UnitOfTemperature.CELSIUS)


def local_degrees(hass: HomeAssistant, target_c: float) -> float:
    """A temperature in the unit of this Home Assistant, to a tenth."""
    unit = hass.config.units.temperature_unit
    return round(
        TemperatureConverter.convert(target_c, UnitOfTemperature.CELSIUS, unit), 1
    )
