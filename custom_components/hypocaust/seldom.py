"""What changes seldom and is not part of the state: heat, cost, and the choice between comfort and saving."""

from dataclasses import dataclass

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed

from .api import HypocaustApi, HypocaustError, NotFound, NotPermitted
from .const import DOMAIN, LOGGER, SELDOM
from .models import Energy


@dataclass(frozen=True)
class Seldom:
    """As it was at one look."""

    energy: Energy
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

    async def _async_update_data(self) -> Seldom:
        try:
            energy = await self._api.energy(self._building_id)
            return Seldom(energy, await self._comfort())
        except HypocaustError as error:
            raise UpdateFailed(
                translation_domain=DOMAIN,
                translation_key="update_failed",
                translation_placeholders={"error": str(error)},
                retry_after=error.retry_after_s,
            ) from error

    async def _comfort(self) -> str | None:
        try:
            return await self._api.comfort(self._building_id)
        except (NotFound, NotPermitted):
            return None
