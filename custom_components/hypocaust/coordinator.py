"""One coordinator for a building: it polls, keeps the last answer, and sends changes."""

from asyncio import gather, sleep
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, TypeAlias

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, HassJob, HomeAssistant, callback
from homeassistant.exceptions import (
    ConfigEntryAuthFailed,
    HomeAssistantError,
    ServiceValidationError,
)
from homeassistant.helpers import area_registry as ar, device_registry as dr
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed

from .api import (
    HypocaustApi,
    HypocaustError,
    InvalidKey,
    NotFound,
    ReadOnlyKey,
    Refused,
)
from .const import (
    BETWEEN_CHANGES_S,
    CONF_INSTALLATION,
    DOMAIN,
    LOGGER,
    OUTLOOKS_EVERY_S,
    POLL_S,
    POWER_FOLLOWS_S,
    WAIT_FOR_CHANGES_S,
)
from .issues import issues_of, show_issues, show_that_building_is_gone
from .mapping import device_name
from .models import (
    AwayPut,
    Building,
    BuildingState,
    Outlook,
    OverridePut,
    Permission,
    Room,
    RoomPatch,
    Service,
)

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
            update_interval=timedelta(seconds=POLL_S),
        )
        self.api = api
        self.building_id = building_id
        self.permission: Permission = "read"
        self.service = Service(None, None)
        self.building_device_id = ""
        self._all_outlooks_due = 0.0
        self._cancel_follow_up: CALLBACK_TYPE | None = None

    async def _async_setup(self) -> None:
        """A key's permission and the service never change, so they are asked for once."""
        try:
            key, self.service = await self.api.key()
        except HypocaustError as error:
            raise _why_not_read(error) from error
        self.permission = key["permission"]
        self._remember_installation()

    async def _async_update_data(self) -> BuildingState:
        try:
            building, rooms, alerts, away = await gather(
                self.api.building(self.building_id),
                self.api.rooms(self.building_id),
                self.api.alerts(self.building_id),
                self.api.away(self.building_id),
            )
            by_id = {room["id"]: room for room in rooms}
            outlooks = await self._outlooks(by_id)
        except NotFound as error:
            entry = self.config_entry
            show_issues(self.hass, self.building_id, {})
            show_that_building_is_gone(
                self.hass, self.building_id, entry.title, entry.entry_id
            )
            raise _why_not_read(error) from error
        except HypocaustError as error:
            raise _why_not_read(error) from error
        state = BuildingState(building, by_id, alerts, away, outlooks)
        show_issues(self.hass, self.building_id, issues_of(state))
        self._keep_names_current(state)
        return state

    async def async_watch(self) -> None:
        """Look as soon as something has changed elsewhere. An older service cannot tell; then polling is all."""
        cursor: str | None = None
        while True:
            try:
                cursor, changed = await self.api.changes(cursor, WAIT_FOR_CHANGES_S)
            except NotFound:
                return
            except HypocaustError as error:
                await sleep(error.retry_after_s or POLL_S)
                continue
            if self.building_id in changed:
                await self.async_refresh()
                await sleep(BETWEEN_CHANGES_S)

    async def async_change_room(self, room_id: str, patch: RoomPatch) -> None:
        """Send a change, show the answer at once, and look again when the power has followed."""
        room = await self._change(
            lambda: self.api.patch_room(self.building_id, room_id, patch)
        )
        outlook = await self._outlook_after_change(room_id)
        self.async_set_updated_data(
            self.data.with_room(room).with_outlook(room_id, outlook)
        )
        self._look_again_soon()

    async def _outlook_after_change(self, room_id: str) -> Outlook | None:
        """The change has been carried out; when this fails, the next look shows what follows from it."""
        try:
            return await self.api.outlook(self.building_id, room_id)
        except HypocaustError:
            return None

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
        await self._look_at_all()

    async def async_end_timer(self, room_id: str) -> None:
        """Return a room to its target."""
        await self._change(lambda: self.api.delete_override(self.building_id, room_id))
        await self._look_at_all()

    async def async_set_away(self, away: AwayPut) -> None:
        """Let the rooms cool until a return."""
        await self._change(lambda: self.api.put_away(self.building_id, away))
        await self._look_at_all()

    async def async_end_away(self) -> None:
        """End an absence, or cancel one to come."""
        await self._change(lambda: self.api.delete_away(self.building_id))
        await self._look_at_all()

    async def _change(self, send: Callable[[], Awaitable[Any]]) -> Any:
        if self.permission == "read":
            raise ServiceValidationError(
                translation_domain=DOMAIN, translation_key="read_only_key"
            )
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

    async def _look_at_all(self) -> None:
        self._all_outlooks_due = 0.0
        await self.async_refresh()
        self._look_again_soon()

    async def _outlooks(self, rooms: dict[str, Room]) -> dict[str, Outlook]:
        """Of rooms that have changed since the last look, and every few minutes of all."""
        before = self.data.outlooks if self.data else {}
        known = self.data.rooms if self.data else {}
        due = set(rooms)
        if monotonic() < self._all_outlooks_due:
            due = {id_ for id_ in rooms if rooms[id_] != known.get(id_)}
        else:
            self._all_outlooks_due = monotonic() + OUTLOOKS_EVERY_S
        found = {id_: before[id_] for id_ in rooms if id_ in before}
        for id_ in due:
            outlook = await self.api.outlook(self.building_id, id_)
            if outlook is not None:
                found[id_] = outlook
        return found

    async def async_shutdown(self) -> None:
        """Plan nothing more."""
        self._cancel_planned_look()
        await super().async_shutdown()

    @callback
    def _look_again_soon(self) -> None:
        self._cancel_planned_look()
        job = HassJob(self._async_look_again, cancel_on_shutdown=True)
        self._cancel_follow_up = async_call_later(self.hass, POWER_FOLLOWS_S, job)

    async def _async_look_again(self, _now: datetime) -> None:
        self._cancel_follow_up = None
        await self.async_refresh()

    @callback
    def _cancel_planned_look(self) -> None:
        if self._cancel_follow_up is not None:
            self._cancel_follow_up()
            self._cancel_follow_up = None

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
