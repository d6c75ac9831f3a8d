"""Brings what was before the integration was added into the statistics of Home Assistant, once."""

from asyncio import sleep
from collections.abc import Awaitable, Callable
from datetime import datetime, time, timedelta
from functools import partial
from typing import TypeVar
from zoneinfo import ZoneInfo

from homeassistant.components.recorder import DOMAIN as RECORDER
from homeassistant.components.recorder.models import (
    StatisticData,
    StatisticMeanType,
    StatisticMetaData,
)
from homeassistant.components.recorder.statistics import async_add_external_statistics
from homeassistant.const import UnitOfEnergy, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from .api import CannotConnect, HypocaustError
from .const import CONF_PAST_IMPORTED, DOMAIN, LOGGER, RETRY_S
from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .models import HistoryPoint, Room, RoomEnergy
from .past_values import heat_hours, spans_before, temperature_hours

Value = TypeVar("Value")

PAST_DAYS = 365
ENERGY_DAYS_A_REQUEST = 31
"""As many as the service gives hours for."""
HISTORY_DAYS_A_REQUEST = 45
"""As many as the service gives in steps of an hour."""
MOST_TRIES = 5


async def async_import_past(hass: HomeAssistant, entry: HypocaustConfigEntry) -> None:
    """Heat and temperature of each room, for a year at most; what fails is tried again at the next start."""
    coordinator = entry.runtime_data
    zone = coordinator.zone
    if RECORDER not in hass.config.components or zone is None:
        return
    try:
        await _import_heat(hass, coordinator, zone)
        for room in list(coordinator.data.rooms.values()):
            await _import_temperature(hass, coordinator, room, zone)
    except HypocaustError as error:
        LOGGER.warning("The past of %s was not imported: %s", entry.title, error)
        return
    hass.config_entries.async_update_entry(
        entry, data={**entry.data, CONF_PAST_IMPORTED: True}
    )


async def _import_heat(
    hass: HomeAssistant, coordinator: BuildingCoordinator, zone: ZoneInfo
) -> None:
    today = dt_util.utcnow().astimezone(zone).date()
    of_rooms: dict[str, list[RoomEnergy]] = {}
    for first, last in spans_before(today, PAST_DAYS, ENERGY_DAYS_A_REQUEST):
        energy = await _patiently(
            partial(
                coordinator.api.energy_by_hour, coordinator.building_id, first, last
            )
        )
        for room in energy["rooms"]:
            of_rooms.setdefault(room["id"], []).append(room)
    until = datetime.combine(today, time(), zone)
    for room_id, answers in of_rooms.items():
        hours = heat_hours(answers, zone, until)
        name = _name_of(coordinator, room_id)
        if not hours or name is None:
            continue
        metadata = StatisticMetaData(
            mean_type=StatisticMeanType.NONE,
            has_sum=True,
            name=f"{name} kWh",
            source=DOMAIN,
            statistic_id=statistic_id(room_id, "heat"),
            unit_class="energy",
            unit_of_measurement=UnitOfEnergy.KILO_WATT_HOUR,
        )
        async_add_external_statistics(
            hass,
            metadata,
            [
                StatisticData(start=each.start, state=each.kwh, sum=each.counter)
                for each in hours
                # Where the clocks move by half an hour, one start of an hour a year is none.
                if each.start.minute == 0
            ],
        )


async def _import_temperature(
    hass: HomeAssistant, coordinator: BuildingCoordinator, room: Room, zone: ZoneInfo
) -> None:
    now = dt_util.utcnow()
    points: list[HistoryPoint] = []
    for first, last in spans_before(
        now.astimezone(zone).date(), PAST_DAYS, HISTORY_DAYS_A_REQUEST
    ):
        begin = datetime.combine(first, time(), zone)
        end = datetime.combine(last + timedelta(days=1), time(), zone)
        points += await _patiently(
            partial(
                coordinator.api.history,
                coordinator.building_id,
                room["id"],
                begin,
                end,
            )
        )
    hours = temperature_hours(points, now)
    name = _name_of(coordinator, room["id"])
    if not hours or name is None:
        return
    metadata = StatisticMetaData(
        mean_type=StatisticMeanType.ARITHMETIC,
        has_sum=False,
        name=f"{name} °C",
        source=DOMAIN,
        statistic_id=statistic_id(room["id"], "temperature"),
        unit_class="temperature",
        unit_of_measurement=UnitOfTemperature.CELSIUS,
    )
    async_add_external_statistics(
        hass,
        metadata,
        [
            StatisticData(
                start=each.start, mean=each.mean, min=each.lowest, max=each.highest
            )
            for each in hours
        ],
    )


def statistic_id(room_id: str, what: str) -> str:
    """Small letters, digits and single underscores are allowed."""
    return f"{DOMAIN}:{room_id.replace('-', '_')}_{what}"


def _name_of(coordinator: BuildingCoordinator, room_id: str) -> str | None:
    room = coordinator.data.rooms.get(room_id)
    return None if room is None else coordinator.device_name_of(room)


async def _patiently(send: Callable[[], Awaitable[Value]]) -> Value:
    """A year of many rooms is more than the service answers in a minute: wait as long as it says."""
    for _ in range(MOST_TRIES - 1):
        try:
            return await send()
        except CannotConnect:
            await sleep(RETRY_S)
        except HypocaustError as error:
            if error.retry_after_s is None:
                raise
            await sleep(error.retry_after_s)
    return await send()
