"""The programme of each room as a calendar, where the key opens the settings of the heating control."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from homeassistant.components.calendar import DOMAIN, CalendarEntity, CalendarEvent
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .actions import local_degrees
from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .entity import RoomEntity, SeldomEntity, add_as_they_appear
from .models import Programme, Room
from .programme_steps import ProgrammeStep, planned_c, steps_between

PARALLEL_UPDATES = 0

_LOOKED_AHEAD = timedelta(days=15)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """One for each room whose programme the key may read."""
    coordinator = entry.runtime_data

    def wanted(room: Room) -> Iterator[tuple[str, Callable[[], Entity]]]:
        if coordinator.zone is not None and room["id"] in _programmes(coordinator):
            yield room["id"], lambda: ProgrammeCalendar(coordinator, room["id"])

    add_as_they_appear(entry, async_add_entities, wanted)


def _programmes(coordinator: BuildingCoordinator) -> dict[str, Programme | None]:
    seldom = coordinator.seldom.data
    return {} if seldom is None else seldom.programmes


class ProgrammeCalendar(SeldomEntity, RoomEntity, CalendarEntity):
    """Each step is an event; it is called after the temperature for which the room is planned."""

    _attr_translation_key = "programme"

    def __init__(self, coordinator: BuildingCoordinator, room_id: str) -> None:
        """Belong to the room."""
        super().__init__(coordinator, DOMAIN, room_id, "programme")

    @property
    def available(self) -> bool:
        """A plan is known also while the building's hardware is silent."""
        state = self.coordinator.data
        return self.coordinator.last_update_success and self._room_id in state.rooms

    @property
    def event(self) -> CalendarEvent | None:
        """The step that counts now; none without a programme."""
        now = dt_util.utcnow()
        return next(iter(self._events(now, now + _LOOKED_AHEAD)), None)

    async def async_get_events(
        self, hass: HomeAssistant, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        """The steps of a span."""
        return self._events(start_date, end_date)

    def _events(self, start: datetime, end: datetime) -> list[CalendarEvent]:
        programme = _programmes(self.coordinator).get(self._room_id)
        zone = self.coordinator.zone
        if programme is None or zone is None:
            return []
        steps = steps_between(programme, zone, start, end)
        return [self._event_of(step, zone) for step in steps]

    def _event_of(self, step: ProgrammeStep, zone: ZoneInfo) -> CalendarEvent:
        target_c = self.room["target_temperature"]
        planned = local_degrees(self.hass, planned_c(target_c, step))
        start = step.start.astimezone(zone)
        return CalendarEvent(
            start=start,
            end=step.end.astimezone(zone),
            summary=f"{planned:.1f} {self.hass.config.units.temperature_unit}",
            uid=f"{self._room_id}-{step.start.isoformat()}",
        )
