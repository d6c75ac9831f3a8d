"""One coordinator for a building: it waits for what changes, keeps the last answer, and sends changes."""

from asyncio import sleep
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import (
    ConfigEntryAuthFailed,
    HomeAssistantError,
    ServiceValidationError,
)
from homeassistant.helpers import area_registry as ar, device_registry as dr
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed
from homeassistant.util.dt import async_get_time_zone

from .api import (
    HypocaustApi,
    HypocaustError,
    InvalidKey,
    NotFound,
    NotPermitted,
    ReadOnlyKey,
    Refused,
)
from .const import (
    BETWEEN_CHANGES_S,
    CONF_INSTALLATION,
    DOMAIN,
    LOGGER,
    RETRY_S,
    WAIT_FOR_CHANGES_S,
)
from .issues import issues_of, show_issues, show_that_building_is_gone
from .mapping import device_name, floor_minimum_patch
from .models import (
    AwayPut,
    Building,
    BuildingState,
    Feeling,
    OverridePut,
    Permission,
    Programme,
    Room,
    RoomComfort,
    RoomComfortPatch,
    RoomPatch,
    Service,
)
from .seldom import SeldomCoordinator

# Not a `type` statement: tests compile every module with the Python of the machine, which may be older.
HypocaustConfigEntry: TypeAlias = "ConfigEntry[BuildingCoordinator]"  # noqa: UP040


class BuildingCoordinator(DataUpdateCoordinator[BuildingState]):
    """The state of one building."""

    config_entry: HypocaustConfigEntry

    def __init__(
        self,
        hass: HomeAssistant,
        entry: HypocaustConfigEntry,
        api: HypocaustApi,
        building_id: str,
    ) -> None:
        """Take the parts."""
        super().__init__(
            hass,
            LOGGER,
            config_entry=entry,
            name=entry.title,
        )
        self.api = api
        self.building_id = building_id
        self.permission: Permission = "read"
        self.service = Service(None, None)
        self.building_device_id = ""
        self.zone: ZoneInfo | None = None
        """Of the building's clocks, where this machine knows it."""
        self._zone_name: str | None = None
        self.seldom = SeldomCoordinator(
            hass, entry, api, building_id, lambda: list(self.data.rooms)
        )

    async def _async_setup(self) -> None:
        """A key's permission and the service never change, so they are asked for once."""
        try:
            key, self.service = await self.api.key()
        except HypocaustError as error:
            raise _why_not_read(error) from error
        self.permission = key["permission"]
        self._remember_installation()

    async def _async_update_data(self) -> BuildingState:
        return await self._read(wait_s=0)

    async def _read(self, wait_s: int) -> BuildingState:
        try:
            state = await self.api.state(self.building_id, wait_s)
        except NotFound as error:
            entry = self.config_entry
            show_issues(self.hass, self.building_id, {})
            show_that_building_is_gone(
                self.hass, self.building_id, entry.title, entry.entry_id
            )
            raise _why_not_read(error) from error
        except HypocaustError as error:
            raise _why_not_read(error) from error
        show_issues(self.hass, self.building_id, issues_of(state))
        await self._follow_zone(state.timezone)
        self._keep_names_current(state)
        return state

    async def _follow_zone(self, name: str | None) -> None:
        if name != self._zone_name:
            self.zone = None if name is None else await async_get_time_zone(name)
            self._zone_name = name

    async def async_watch(self) -> None:
        """Hold one request open, which is answered as soon as something has changed."""
        while True:
            try:
                state = await self._read(WAIT_FOR_CHANGES_S)
            except ConfigEntryAuthFailed as error:
                self.async_set_update_error(error)
                self.config_entry.async_start_reauth(self.hass)
                return
            except UpdateFailed as error:
                self.async_set_update_error(error)
                await sleep(error.retry_after or RETRY_S)
                continue
            if state != self.data or not self.last_update_success:
                self.async_set_updated_data(state)
                await sleep(BETWEEN_CHANGES_S)

    async def async_change_room(self, room_id: str, patch: RoomPatch) -> None:
        """Send a change, and show what came of it at once."""
        await self._change(
            lambda: self.api.patch_room(self.building_id, room_id, patch)
        )
        await self.async_refresh()

    async def async_dial(
        self, room_id: str, override: OverridePut, patch: RoomPatch
    ) -> None:
        """Override a room until its setpoint would change; when that moment has passed, change its target."""
        try:
            await self.async_set_timer(room_id, override)
        except ServiceValidationError as error:
            if error.translation_key != "refused":
                raise
            await self.async_change_room(room_id, patch)

    async def async_set_timer(self, room_id: str, override: OverridePut) -> None:
        """Give a room another target, or switch it off, until a time."""
        await self._change(
            lambda: self.api.put_override(self.building_id, room_id, override)
        )
        await self.async_refresh()

    async def async_end_timer(self, room_id: str) -> None:
        """Return a room to its target."""
        await self._change(lambda: self.api.delete_override(self.building_id, room_id))
        await self.async_refresh()

    async def async_feedback(self, room_id: str, feeling: Feeling) -> None:
        """Help a person who finds a room too cold or too warm."""
        await self._change(
            lambda: self.api.post_feedback(self.building_id, room_id, feeling)
        )
        await self.async_refresh()

    async def async_set_comfort(self, comfort: str) -> None:
        """Choose between comfort and saving."""
        await self._change(lambda: self.api.put_comfort(self.building_id, comfort))
        await self.seldom.async_refresh()

    @property
    def settings_of_rooms(self) -> dict[str, RoomComfort]:
        """By room, as far as the key opens the settings of the heating control."""
        return {} if self.seldom.data is None else self.seldom.data.rooms

    async def async_change_settings(
        self, room_id: str, patch: RoomComfortPatch
    ) -> None:
        """Change settings of the heating control for a room."""
        await self._change(
            lambda: self.api.patch_room_comfort(self.building_id, room_id, patch)
        )
        await self.seldom.async_refresh()

    async def async_set_floor_minimum(self, room_id: str, minimum_c: float) -> None:
        """Give all times of a floor this temperature; they may have been changed elsewhere since the latest look."""
        settings: RoomComfort = await self._ask(
            lambda: self.api.room_comfort(self.building_id, room_id)
        )
        await self.async_change_settings(
            room_id, floor_minimum_patch(settings, minimum_c)
        )

    async def async_set_cooling_target(self, room_id: str, target_c: float) -> None:
        """Cool a room to another temperature."""
        await self._change(
            lambda: self.api.put_cooling_target(self.building_id, room_id, target_c)
        )
        await self.async_refresh()

    async def async_programme(self, room_id: str) -> Programme | None:
        """The week plan of a room."""
        programme: Programme | None = await self._ask(
            lambda: self.api.programme(self.building_id, room_id)
        )
        return programme

    async def async_set_programme(
        self, room_id: str, programme: Programme | None
    ) -> None:
        """Set the week plan of a room, or remove it."""
        if programme is None:
            await self._change(
                lambda: self.api.delete_programme(self.building_id, room_id)
            )
        else:
            await self._change(
                lambda: self.api.put_programme(self.building_id, room_id, programme)
            )
        await self.seldom.async_refresh()

    async def async_copy_programme(self, room_id: str, room_ids: list[str]) -> None:
        """Give other rooms the week plan of a room."""
        await self._change(
            lambda: self.api.copy_programme(self.building_id, room_id, room_ids)
        )
        await self.seldom.async_refresh()

    async def async_set_away(self, away: AwayPut) -> None:
        """Let the rooms cool until a return."""
        await self._change(lambda: self.api.put_away(self.building_id, away))
        await self.async_refresh()

    async def async_end_away(self) -> None:
        """End an absence, or cancel one to come."""
        await self._change(lambda: self.api.delete_away(self.building_id))
        await self.async_refresh()

    async def async_report_presence(self, person: str, home: bool) -> None:
        """Report whether a person is home."""
        await self._change(
            lambda: self.api.put_presence(self.building_id, person, home)
        )

    async def _change(self, send: Callable[[], Awaitable[Any]]) -> Any:
        if self.permission == "read":
            raise ServiceValidationError(
                translation_domain=DOMAIN, translation_key="read_only_key"
            )
        return await self._ask(send)

    async def _ask(self, send: Callable[[], Awaitable[Any]]) -> Any:
        """Send for a person, and explain a failure in the language of Home Assistant."""
        try:
            return await send()
        except InvalidKey as error:
            self.config_entry.async_start_reauth(self.hass)
            raise HomeAssistantError(
                translation_domain=DOMAIN, translation_key="invalid_key"
            ) from error
        except ReadOnlyKey as error:
            raise ServiceValidationError(
                translation_domain=DOMAIN, translation_key="read_only_key"
            ) from error
        except NotPermitted as error:
            raise ServiceValidationError(
                translation_domain=DOMAIN, translation_key="not_permitted"
            ) from error
        except Refused as error:
            raise ServiceValidationError(
                translation_domain=DOMAIN,
                translation_key="refused",
                translation_placeholders={"error": str(error)},
            ) from error
        except HypocaustError as error:
            raise HomeAssistantError(
                translation_domain=DOMAIN,
                translation_key="change_failed",
                translation_placeholders={"error": str(error)},
            ) from error

    @callback
    def _remember_installation(self) -> None:
        """Store the installation id, so that entries made before ids existed follow a moved service too."""
        entry = self.config_entry
        installation = self.service.installation
        if (
            installation is not None
            and entry.data.get(CONF_INSTALLATION) != installation
        ):
            self.hass.config_entries.async_update_entry(
                entry, data={**entry.data, CONF_INSTALLATION: installation}
            )

    @callback
    def device_name_of(self, room: Room, building: Building | None = None) -> str:
        """What the device of a room is called, beside those of other houses."""
        entries = self.hass.config_entries.async_entries(DOMAIN)
        return device_name(building or self.data.building, room, len(entries) > 1)

    @callback
    def free_area(self, name: str) -> str | None:
        """The name of an area, unless a room of another house is in it: to turn it off would turn off both."""
        area = ar.async_get(self.hass).async_get_area_by_name(name)
        if area is None:
            return name
        devices = dr.async_entries_for_area(dr.async_get(self.hass), area.id)
        others = {
            entry.entry_id
            for entry in self.hass.config_entries.async_entries(DOMAIN)
            if entry.entry_id != self.config_entry.entry_id
        }
        return None if any(each.config_entries & others for each in devices) else name

    @callback
    def _keep_names_current(self, state: BuildingState) -> None:
        """Forget rooms that are gone, and follow names."""
        registry = dr.async_get(self.hass)
        names = {
            room_id: self.device_name_of(room, state.building)
            for room_id, room in state.rooms.items()
        }
        names[self.building_id] = state.building["name"]
        for device in dr.async_entries_for_config_entry(
            registry, self.config_entry.entry_id
        ):
            name = next(
                (
                    names.get(id_)
                    for domain, id_ in device.identifiers
                    if domain == DOMAIN
                ),
                None,
            )
            if name is None:
                registry.async_update_device(
                    device.id, remove_config_entry_id=self.config_entry.entry_id
                )
            elif name != device.name:
                if (DOMAIN, self.building_id) in device.identifiers:
                    self._rename_entry(device.name, name)
                registry.async_update_device(device.id, name=name)

    @callback
    def _rename_entry(self, old: str | None, new: str) -> None:
        """The entry has the building's name until its holder gives it another."""
        if self.config_entry.title == old:
            self.hass.config_entries.async_update_entry(self.config_entry, title=new)


def _why_not_read(error: HypocaustError) -> ConfigEntryAuthFailed | UpdateFailed:
    """What Home Assistant is to do about it: ask for another key, or try again later."""
    if isinstance(error, InvalidKey):
        return ConfigEntryAuthFailed(
            translation_domain=DOMAIN, translation_key="invalid_key"
        )
    return UpdateFailed(
        translation_domain=DOMAIN,
        translation_key="update_failed",
        translation_placeholders={"error": str(error)},
        retry_after=error.retry_after_s,
    )
