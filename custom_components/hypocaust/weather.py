"""The weather at the building, from the provider of the service."""

from homeassistant.components.weather import WeatherEntity
from homeassistant.const import UnitOfSpeed, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.helpers import sun
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .entity import BuildingEntity
from .mapping import weather_condition
from .models import Weather

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """One for the building."""
    async_add_entities([BuildingWeather(entry.runtime_data)])


class BuildingWeather(BuildingEntity, WeatherEntity):
    """The weather now. Hypocaust forecasts for itself only."""

    _attr_translation_key = "outdoors"
    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_native_wind_speed_unit = UnitOfSpeed.METERS_PER_SECOND

    def __init__(self, coordinator: BuildingCoordinator) -> None:
        """Belong to the building."""
        super().__init__(coordinator, "weather")

    @property
    def available(self) -> bool:
        """Whether weather was fetched."""
        return super().available and self._weather is not None

    @property
    def condition(self) -> str | None:
        """What the sky is like."""
        weather = self._weather
        if weather is None:
            return None
        return weather_condition(weather, sun.is_up(self.hass))

    @property
    def native_temperature(self) -> float | None:
        """In degrees Celsius."""
        weather = self._weather
        return None if weather is None else weather["temperature"]

    @property
    def cloud_coverage(self) -> int | None:
        """In percent."""
        weather = self._weather
        return None if weather is None else round(weather["cloud_coverage"])

    @property
    def native_wind_speed(self) -> float | None:
        """In metres a second."""
        weather = self._weather
        return None if weather is None else weather["wind"]["speed"]

    @property
    def wind_bearing(self) -> float | None:
        """Degrees the wind blows from."""
        weather = self._weather
        return None if weather is None else weather["wind"]["direction"]

    @property
    def _weather(self) -> Weather | None:
        return self.building["weather"]
