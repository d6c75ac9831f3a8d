"""Rooms as climate entities."""

from collections.abc import Callable, Iterator
from datetime import UTC, timedelta
from typing import Any

from homeassistant.components.climate import (
    ATTR_HVAC_MODE,
    DOMAIN as CLIMATE_DOMAIN,
    ClimateEntity,
    ClimateEntityFeature,
    HVACAction,
    HVACMode,
)
from homeassistant.const import ATTR_TEMPERATURE, PRECISION_TENTHS, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .actions import celsius, local_degrees
from .const import DOMAIN
from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .day_plan import Wishes, plan_of
from .entity import RoomEntity, add_as_they_appear
from .mapping import (
    dialled,
    is_cooled,
    override_put,
    shown_action,
    shown_mode,
    shown_target,
    temperature_patch,
)
from .models import Outlook, Programme, Room

PARALLEL_UPDATES = 1


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """A climate entity for each room."""

    def wanted(room: Room) -> Iterator[tuple[str, Callable[[], Entity]]]:
        yield room["id"], lambda: RoomClimate(entry.runtime_data, room["id"])

    add_as_they_appear(entry, async_add_entities, wanted)


class RoomClimate(RoomEntity, ClimateEntity):
    """A room that is heated by its floor."""

    _attr_name = None
    _attr_translation_key = "room"
    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_precision = PRECISION_TENTHS
    _attr_target_temperature_step = 0.5
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE
        | ClimateEntityFeature.PRESET_MODE
        | ClimateEntityFeature.TURN_ON
        | ClimateEntityFeature.TURN_OFF
    )

    def __init__(self, coordinator: BuildingCoordinator, room_id: str) -> None:
        """Be the room itself, not something about it."""
        super().__init__(coordinator, CLIMATE_DOMAIN, room_id, None)

    @property
    def current_temperature(self) -> float | None:
        """What the sensor says, if it has said something lately."""
        return self.room["current_temperature"]

    @property
    def current_humidity(self) -> float | None:
        """What the sensor says, if it tells."""
        return self.room["current_humidity"]

    @property
    def target_temperature(self) -> float:
        """What the room is heated towards now."""
        return shown_target(self.room, self._outlook)

    @property
    def min_temp(self) -> float:
        """The lowest target."""
        return self.room["min_temp"]

    @property
    def max_temp(self) -> float:
        """The highest target."""
        return self.room["max_temp"]

    @property
    def hvac_mode(self) -> HVACMode:
        """On or off; off also while a timer holds it off. On is cool while the building cools."""
        mode = shown_mode(self.room, self._outlook)
        is_on = mode != "off"
        return HVACMode.COOL if is_on and self._is_cooled else HVACMode(mode)

    @property
    def hvac_modes(self) -> list[HVACMode]:
        """On and off."""
        if self._is_cooled:
            return [HVACMode.OFF, HVACMode.COOL]
        return [HVACMode(mode) for mode in self.room["hvac_modes"]]

    @property
    def hvac_action(self) -> HVACAction:
        """What the floor is doing."""
        if self._is_cooled and self.room["power"] > 0:
            return HVACAction.COOLING
        return HVACAction(shown_action(self.room, self._outlook))

    @property
    def preset_mode(self) -> str:
        """The base warmth of the floor."""
        return self.room["preset_mode"]

    @property
    def preset_modes(self) -> list[str]:
        """All base warmths."""
        return self.room["preset_modes"]

    @property
    def _is_cooled(self) -> bool:
        return is_cooled(self._outlook)

    @property
    def _outlook(self) -> Outlook | None:
        return self.coordinator.data.outlooks.get(self._room_id)

    async def async_set_temperature(self, **kwargs: Any) -> None:
        """Dial a temperature, and switch on or off in the same change."""
        target_c, hvac_mode = kwargs.get(ATTR_TEMPERATURE), kwargs.get(ATTR_HVAC_MODE)
        if self._is_cooled and hvac_mode != HVACMode.OFF:
            if target_c is not None:
                await self.coordinator.async_set_cooling_target(self._room_id, target_c)
            if hvac_mode is not None:
                await self.async_set_hvac_mode(hvac_mode)
            return
        override = (
            dialled(self.room, self._outlook, target_c)
            if target_c is not None and hvac_mode is None
            else None
        )
        patch = temperature_patch(target_c, hvac_mode)
        if override is None:
            await self.coordinator.async_change_room(self._room_id, patch)
        else:
            await self.coordinator.async_dial(self._room_id, override, patch)

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        """Switch on or off; whether on is warm or cool is the season of the building."""
        mode = "heat" if hvac_mode == HVACMode.COOL else hvac_mode.value
        await self.coordinator.async_change_room(self._room_id, {"hvac_mode": mode})

    async def async_set_preset_mode(self, preset_mode: str) -> None:
        """Choose the base warmth of the floor."""
        await self.coordinator.async_change_room(
            self._room_id, {"preset_mode": preset_mode}
        )

    async def async_set_timer(
        self,
        duration: timedelta,
        temperature: float | None = None,
        hvac_mode: str | None = None,
    ) -> None:
        """Override the target, or switch off, for a while."""
        if (temperature is None) == (hvac_mode is None):
            raise ServiceValidationError(
                translation_domain=DOMAIN, translation_key="timer_needs_one"
            )
        target_c = None if temperature is None else celsius(self.hass, temperature)
        override = override_put(duration, target_c)
        await self.coordinator.async_set_timer(self._room_id, override)

    async def async_end_timer(self) -> None:
        """End the override."""
        await self.coordinator.async_end_timer(self._room_id)

    async def async_get_programme(self) -> dict[str, Any]:
        """The week plan of the room; empty where it has none."""
        return {
            "programme": await self.coordinator.async_programme(self._room_id) or {}
        }

    async def async_set_programme(
        self, programme: Programme | None = None
    ) -> dict[str, Any]:
        """Set the week plan of the room, or remove it where none is given."""
        await self.coordinator.async_set_programme(self._room_id, programme)
        return await self.async_get_programme()

    async def async_copy_programme(self, to: list[str]) -> None:
        """Give other rooms of the building the week plan of this one."""
        registry = er.async_get(self.hass)
        found = {entity_id: registry.async_get(entity_id) for entity_id in to}
        room_ids = [
            each.unique_id
            for each in found.values()
            if each is not None and each.unique_id in self.coordinator.data.rooms
        ]
        if len(room_ids) < len(to):
            raise ServiceValidationError(
                translation_domain=DOMAIN, translation_key="rooms_of_the_building"
            )
        await self.coordinator.async_copy_programme(self._room_id, room_ids)

    async def async_get_plan(self) -> dict[str, Any]:
        """What the room is planned for today, by the clock of Home Assistant."""
        coordinator, seldom = self.coordinator, self.coordinator.seldom.data
        wishes = Wishes(
            room=self.room,
            outlook=self._outlook,
            away=coordinator.data.away,
            programmes={} if seldom is None else seldom.programmes,
            zone=coordinator.zone,
        )
        today = dt_util.start_of_local_day()
        tomorrow = dt_util.start_of_local_day(today.date() + timedelta(days=1))
        start, end = today.astimezone(UTC), tomorrow.astimezone(UTC)
        spans = plan_of(wishes, dt_util.utcnow(), start, end)
        return {
            "start": start.isoformat(),
            "end": end.isoformat(),
            "plan": [
                {
                    "start": each.start.isoformat(),
                    "end": each.end.isoformat(),
                    "temperature": None
                    if each.temperature is None
                    else local_degrees(self.hass, each.temperature),
                }
                for each in spans
            ],
        }

    async def async_turn_on(self) -> None:
        """Leave the room to the heating control."""
        await self.async_set_hvac_mode(HVACMode.HEAT)

    async def async_turn_off(self) -> None:
        """Hold the room at zero power."""
        await self.async_set_hvac_mode(HVACMode.OFF)
