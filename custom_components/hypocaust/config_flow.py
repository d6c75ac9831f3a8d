"""Adding a building, renewing its key, moving its address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import (
    ConfigFlow,
    ConfigFlowResult,
    OptionsFlow,
    OptionsFlowWithReload,
)
from homeassistant.const import CONF_API_KEY, CONF_SCAN_INTERVAL, CONF_URL
from homeassistant.core import callback
from homeassistant.helpers.selector import (
    NumberSelector,
    NumberSelectorConfig,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo
import voluptuous as vol

from .api import CannotConnect, HypocaustError, InvalidKey, base_url_of
from .const import DOMAIN, LOGGER, MAX_POLL_S, MIN_POLL_S, POLL_S
from .coordinator import HypocaustConfigEntry
from .models import Building
from .transport import api_for

CONF_BUILDING = "building"

URL_FIELD = TextSelector(TextSelectorConfig(type=TextSelectorType.URL, autocomplete="url"))
KEY_FIELD = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))

KEY_SCHEMA = vol.Schema({vol.Required(CONF_API_KEY): KEY_FIELD})
USER_SCHEMA = vol.Schema({vol.Required(CONF_URL): URL_FIELD, vol.Required(CONF_API_KEY): KEY_FIELD})


class HypocaustConfigFlow(ConfigFlow, domain=DOMAIN):
    """One entry for each building, known by the building's own id."""

    VERSION = 1

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._url = ""
        self._api_key = ""
        self._buildings: list[Building] = []

    @staticmethod
    @callback
    def async_get_options_flow(config_entry: HypocaustConfigEntry) -> OptionsFlow:
        """How often to look."""
        return HypocaustOptionsFlow()

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the address and a key."""
        errors: dict[str, str] = {}
        if user_input is not None:
            errors = await self._look(user_input[CONF_URL], user_input[CONF_API_KEY])
            if not errors:
                return await self._choose_building()
        schema = self.add_suggested_values_to_schema(USER_SCHEMA, user_input)
        return self.async_show_form(step_id="user", data_schema=schema, errors=errors)

    async def async_step_zeroconf(self, discovery_info: ZeroconfServiceInfo) -> ConfigFlowResult:
        """A service has announced itself; a key is all that is missing."""
        scheme = "https" if discovery_info.properties.get("tls") == "1" else "http"
        host = discovery_info.host
        shown_host = f"[{host}]" if ":" in host else host
        self._url = f"{scheme}://{shown_host}:{discovery_info.port}"
        self._async_abort_entries_match({CONF_URL: self._url})
        await self.async_set_unique_id(self._url)
        self._abort_if_unique_id_configured()
        self.context["title_placeholders"] = {"name": discovery_info.name.split(".", 1)[0]}
        return await self.async_step_zeroconf_confirm()

    async def async_step_zeroconf_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a key of the service that was found."""
        errors: dict[str, str] = {}
        if user_input is not None:
            errors = await self._look(self._url, user_input[CONF_API_KEY])
            if not errors:
                return await self._choose_building()
        return self.async_show_form(
            step_id="zeroconf_confirm",
            data_schema=KEY_SCHEMA,
            errors=errors,
            description_placeholders={"url": self._url},
        )

    async def async_step_building(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which building, where the key opens more than one that is not added yet."""
        if user_input is not None:
            chosen = user_input[CONF_BUILDING]
            return await self._create(
                next(each for each in self._buildings if each["id"] == chosen)
            )
        options = [
            SelectOptionDict(value=each["id"], label=each["name"]) for each in self._not_added()
        ]
        selector = SelectSelector(SelectSelectorConfig(options=options))
        return self.async_show_form(
            step_id="building",
            data_schema=vol.Schema({vol.Required(CONF_BUILDING): selector}),
        )

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """The key is not valid any more."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a new key of the same building."""
        entry = self._get_reauth_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            errors = await self._look(entry.data[CONF_URL], user_input[CONF_API_KEY])
            if not errors and not self._opens(entry.unique_id):
                errors = {CONF_API_KEY: "other_building"}
            if not errors:
                return self.async_update_reload_and_abort(
                    entry, data_updates={CONF_API_KEY: self._api_key}
                )
        return self.async_show_form(step_id="reauth_confirm", data_schema=KEY_SCHEMA, errors=errors)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """The same building at another address, or with another key."""
        entry = self._get_reconfigure_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            errors = await self._look(user_input[CONF_URL], user_input[CONF_API_KEY])
            if not errors and not self._opens(entry.unique_id):
                errors = {"base": "other_building"}
            if not errors:
                return self.async_update_reload_and_abort(
                    entry, data_updates={CONF_URL: self._url, CONF_API_KEY: self._api_key}
                )
        suggested = user_input or {CONF_URL: entry.data[CONF_URL]}
        schema = self.add_suggested_values_to_schema(USER_SCHEMA, suggested)
        return self.async_show_form(step_id="reconfigure", data_schema=schema, errors=errors)

    async def _look(self, url: str, api_key: str) -> dict[str, str]:
        """Try the address and the key; an error is shown at the field it belongs to."""
        self._url = base_url_of(url)
        self._api_key = api_key.strip()
        try:
            self._buildings = await api_for(self.hass, self._url, self._api_key).buildings()
        except InvalidKey:
            return {CONF_API_KEY: "invalid_auth"}
        except CannotConnect:
            return {"base": "cannot_connect"}
        except HypocaustError as error:
            LOGGER.warning("%s answered: %s", self._url, error)
            return {"base": "cannot_connect"}
        return {} if self._buildings else {"base": "no_buildings"}

    async def _choose_building(self) -> ConfigFlowResult:
        not_added = self._not_added()
        if not not_added:
            return self.async_abort(reason="already_configured")
        if len(not_added) == 1:
            return await self._create(not_added[0])
        return await self.async_step_building()

    async def _create(self, building: Building) -> ConfigFlowResult:
        await self.async_set_unique_id(building["id"], raise_on_progress=False)
        self._abort_if_unique_id_configured()
        data = {CONF_URL: self._url, CONF_API_KEY: self._api_key}
        return self.async_create_entry(title=building["name"], data=data)

    def _not_added(self) -> list[Building]:
        added = self._async_current_ids(include_ignore=False)
        return [each for each in self._buildings if each["id"] not in added]

    def _opens(self, building_id: str | None) -> bool:
        return any(each["id"] == building_id for each in self._buildings)


class HypocaustOptionsFlow(OptionsFlowWithReload):
    """How often to look."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the seconds between two looks."""
        if user_input is not None:
            return self.async_create_entry(
                data={CONF_SCAN_INTERVAL: int(user_input[CONF_SCAN_INTERVAL])}
            )
        limits = NumberSelectorConfig(
            min=MIN_POLL_S, max=MAX_POLL_S, step=5, unit_of_measurement="s"
        )
        current = self.config_entry.options.get(CONF_SCAN_INTERVAL, POLL_S)
        field = vol.Required(CONF_SCAN_INTERVAL, default=current)
        return self.async_show_form(
            step_id="init", data_schema=vol.Schema({field: NumberSelector(limits)})
        )
