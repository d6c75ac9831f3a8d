"""The choice between comfort and saving, where the key opens the settings of the heating control."""

from collections.abc import Callable, Iterator

from homeassistant.components.select import SelectEntity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import BuildingCoordinator, HypocaustConfigEntry
from .entity import BuildingEntity, SeldomEntity, add_when_known

PARALLEL_UPDATES = 1

COMFORTS = ("comfort_first", "balanced", "saving")
"""As the service names them."""


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HypocaustConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """One for the building."""
    coordinator = entry.runtime_data

    def wanted() -> Iterator[tuple[str, Callable[[], Entity]]]:
        seldom = coordinator.seldom.data
        if seldom is not None and seldom.comfort is not None:
            yield "comfort", lambda: ComfortSelect(coordinator)

    add_when_known(entry, async_add_entities, wanted)


class ComfortSelect(SeldomEntity, BuildingEntity, SelectEntity):
    """How firmly the rooms are held at their setpoints."""

    _attr_translation_key = "comfort"
    _attr_entity_category = EntityCategory.CONFIG
    _attr_options = list(COMFORTS)

    def __init__(self, coordinator: BuildingCoordinator) -> None:
        """Belong to the building."""
        super().__init__(coordinator, "comfort")

    @property
    def current_option(self) -> str | None:
        """The choice at the latest look."""
        return self.coordinator.seldom.data.comfort

    async def async_select_option(self, option: str) -> None:
        """Choose."""
        await self.coordinator.async_set_comfort(option)
