"""One coordinator for a building: it polls, keeps the last answer, and sends changes."""

from __future__ import annotations

from asyncio import gather
from datetime import datetime, timedelta
from typing import TypeAlias

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_SCAN_INTERVAL
from homeassistant.core import CALLBACK_TYPE, HassJob, HomeAssistant, callback
from homeassistant.exceptions import (
    ConfigEntryAuthFailed,
    HomeAssistantError,
    ServiceValidationError,
)
from homeassistant.helpers import device_registry as dr, issue_registry as ir
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed

from .api import HypocaustApi, HypocaustError, InvalidKey, ReadOnlyKey, Refused
from .const import DOMAIN, LOGGER, POLL_S, POWER_FOLLOWS_S
from .mapping import lacks_gateway
from .models import BuildingState, Permission, RoomPatch

HypocaustConfigEntry: TypeAlias = "ConfigEntry[BuildingCoordinator]"


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
            update_interval=timedelta(seconds=entry.options.get(CONF_SCAN_INTERVAL, POLL_S)),
        )
        self.api = api
        self.building_id = building_id
        self.permission: Permission = "read"
        self.building_device_id = ""
        self._cancel_follow_up: CALLBACK_TYPE | None = None

    async def _async_setup(self) -> None:
        """A key's permission never changes, so it is asked for once."""
        try:
            self.permission = (await self.api.key())["permission"]
        except HypocaustError as error:
            raise _why_not_read(error) from error

    async def _async_update_data(self) -> BuildingState:
        try:
            building, rooms = await gather(
                self.api.building(self.building_id), self.api.rooms(self.building_id)
            )
        except HypocaustError as error:
            raise _why_not_read(error) from error
        state = BuildingState(building, {room["id"]: room for room in rooms})
        self._tell_whether_set_up(state)
        self._keep_devices_current(state)
        return state

    async def async_change_room(self, room_id: str, patch: RoomPatch) -> None:
        """Send a change, show the answer at once, and look again when the power has followed."""
        if self.permission == "read":
            raise ServiceValidationError(translation_domain=DOMAIN, translation_key="read_only_key")
        try:
            room = await self.api.patch_room(self.building_id, room_id, patch)
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
        self.async_set_updated_data(self.data.with_room(room))
        self._look_again_soon()

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
    def _tell_whether_set_up(self, state: BuildingState) -> None:
        issue_id = f"no_gateway_{self.building_id}"
        if not lacks_gateway(state.building):
            ir.async_delete_issue(self.hass, DOMAIN, issue_id)
            return
        ir.async_create_issue(
            self.hass,
            DOMAIN,
            issue_id,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key="no_gateway",
            translation_placeholders={"building": state.building["name"]},
        )

    @callback
    def _keep_devices_current(self, state: BuildingState) -> None:
        """Forget rooms that are gone, and follow names."""
        registry = dr.async_get(self.hass)
        names = {room_id: room["name"] for room_id, room in state.rooms.items()}
        names[self.building_id] = state.building["name"]
        for device in dr.async_entries_for_config_entry(registry, self.config_entry.entry_id):
            name = next(
                (names.get(id_) for domain, id_ in device.identifiers if domain == DOMAIN), None
            )
            if name is None:
                registry.async_update_device(
                    device.id, remove_config_entry_id=self.config_entry.entry_id
                )
            elif name != device.name:
                registry.async_update_device(device.id, name=name)


def _why_not_read(error: HypocaustError) -> ConfigEntryAuthFailed | UpdateFailed:
    """What Home Assistant is to do about it: ask for another key, or try again later."""
    if isinstance(error, InvalidKey):
        return ConfigEntryAuthFailed(translation_domain=DOMAIN, translation_key="invalid_key")
    return UpdateFailed(
        translation_domain=DOMAIN,
        translation_key="update_failed",
        translation_placeholders={"error": str(error)},
        retry_after=error.retry_after_s,
    )
