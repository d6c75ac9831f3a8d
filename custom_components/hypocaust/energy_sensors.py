"""Heat and cost, for the Energy dashboard."""

from collections.abc import Callable, Iterator
from datetime import date, datetime

from homeassistant.components.sensor import (
    DOMAIN,
    SensorDeviceClass,
    SensorEntity,
    SensorStateClass,
)
from homeassistant.const import UnitOfEnergy
from homeassistant.helpers.entity import Entity
from homeassistant.util import dt as dt_util

from .coordinator import BuildingCoordinator
from .entity import BuildingEntity, RoomEntity, SeldomEntity
from .mapping import heat_counter
from .models import Energy


def energy_of(coordinator: BuildingCoordinator) -> Energy | None:
    """Heat and cost at the latest look; none where they were never read."""
    seldom = coordinator.seldom.data
    return None if seldom is None else seldom.energy


def energy_sensors(
    coordinator: BuildingCoordinator,
) -> Iterator[tuple[str, Callable[[], Entity]]]:
    """Those of a building of which something is known."""
    energy = energy_of(coordinator)
    if energy is None:
        return
    if heat_counter(energy, None) is not None:
        yield "heat", lambda: BuildingHeat(coordinator)
    currency = energy.get("currency")
    if currency is not None and energy["cost"] is not None:
        yield "monthly_cost", lambda: MonthlyCost(coordinator, currency)


class HeatCounter(SensorEntity):
    """The kWh that the floor took, by the service's own counter, which never falls."""

    _attr_translation_key = "heat"
    _attr_device_class = SensorDeviceClass.ENERGY
    _attr_state_class = SensorStateClass.TOTAL_INCREASING
    _attr_native_unit_of_measurement = UnitOfEnergy.KILO_WATT_HOUR
    _attr_suggested_display_precision = 1


class RoomHeat(SeldomEntity, RoomEntity, HeatCounter):
    """Of a room."""

    def __init__(self, coordinator: BuildingCoordinator, room_id: str) -> None:
        """Belong to the room."""
        super().__init__(coordinator, DOMAIN, room_id, "heat")

    @property
    def native_value(self) -> float | None:
        """The counter at the latest look."""
        return heat_counter(energy_of(self.coordinator), self._room_id)


class BuildingHeat(SeldomEntity, BuildingEntity, HeatCounter):
    """Of all rooms of the building."""

    def __init__(self, coordinator: BuildingCoordinator) -> None:
        """Belong to the building."""
        super().__init__(coordinator, "heat")

    @property
    def native_value(self) -> float | None:
        """The counter at the latest look."""
        return heat_counter(energy_of(self.coordinator), None)


class MonthlyCost(SeldomEntity, BuildingEntity, SensorEntity):
    """What the heat of this month has cost, by the prices that the service knows."""

    _attr_translation_key = "monthly_cost"
    _attr_device_class = SensorDeviceClass.MONETARY
    _attr_state_class = SensorStateClass.TOTAL
    _attr_suggested_display_precision = 2

    def __init__(self, coordinator: BuildingCoordinator, currency: str) -> None:
        """Belong to the building."""
        super().__init__(coordinator, "monthly_cost")
        self._attr_native_unit_of_measurement = currency

    @property
    def native_value(self) -> float | None:
        """The cost at the latest look."""
        energy = energy_of(self.coordinator)
        return None if energy is None else energy["cost"]

    @property
    def last_reset(self) -> datetime | None:
        """The beginning of the month."""
        energy = energy_of(self.coordinator)
        if energy is None:
            return None
        return dt_util.start_of_local_day(date.fromisoformat(energy["from"]))
