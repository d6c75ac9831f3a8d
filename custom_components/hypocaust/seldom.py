"""What changes seldom and is not part of the state: heat, cost, and the settings of the heating control."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed

from .api import HypocaustApi, HypocaustError, NotFound, NotPermitted
from .const import DOMAIN, LOGGER, SELDOM
from .models import Energy, Programme, RoomComfort

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Seldom:
    """As it was at one look."""

    energy: Energy
    programmes: dict[str, Programme | None]
    """By room; empty where the key does not open the settings of the heating control."""
    rooms: dict[str, RoomComfort]
    """Settings by room; empty where the key does not open the settings of the heating control."""
    comfort: str | None
    """None where the key does not open the settings of the heating control."""


class SeldomCoordinator(DataUpdateCoordinator[Seldom]):
    """Asks every half hour. That the key is no longer valid is found by the state."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry,
        api: HypocaustApi,
        building_id: str,
        room_ids: Callable[[], Iterable[str]],
    ) -> None:
        """Take the parts."""
        super().__init__(
            hass,
            LOGGER,
            config_entry=entry,
            name=f"{entry.title}: heat and cost",
            update_interval=SELDOM,
        )
        self._api = api
        self._building_id = building_id
        self._room_ids = room_ids

    async def _async_update_data(self) -> Seldom:
        try:
            energy = await self._api.energy(self._building_id)
            comfort = await self._comfort()
            if comfort is None:
                return Seldom(energy, {}, {}, None)
            programmes = await self._of_rooms(self._api.programme)
            rooms = await self._of_rooms(self._api.room_comfort)
            return Seldom(energy, programmes, rooms, comfort)
        except HypocaustError as error:
            raise UpdateFailed(
                translation_domain=DOMAIN,
                translation_key="update_failed",
                translation_placeholders={"error": str(error)},
                retry_after=error.retry_after_s,
            ) from error

    async def _of_rooms(
        self, ask: Callable[[str, str], Awaitable[_Found]]
    ) -> dict[str, _Found]:
        found: dict[str, _Found] = {}
        for room_id in self._room_ids():
            # A room may be gone, or not among those of a guest, since the last look at the state.
            with suppress(NotFound):
                found[room_id] = await ask(self._building_id, room_id)
        return found

    async def _comfort(self) -> str | None:
        try:
            return await self._api.comfort(self._building_id)
        except (NotFound, NotPermitted):
            return None
