"""Adding a building, renewing its key, moving its address."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import voluptuous as vol

from homeassistant.config_entries import SOURCE_REAUTH, ConfigFlow, ConfigFlowResult
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.helpers.selector import (
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
from homeassistant.helpers.service_info.hassio import HassioServiceInfo
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo

from .api import (
    CannotConnect,
    HypocaustError,
    InvalidKey,
    NeedsHttps,
    TlsFailed,
    UntrustedCertificate,
    base_url_of,
)
from .const import CONF_AUTHORITY, CONF_INSTALLATION, DOMAIN, LOGGER
from .coordinator import HypocaustConfigEntry
from .models import Building, Service
from .transport import api_for, fetch_authority, fingerprint_of

CONF_BUILDING = "building"

URL_FIELD = TextSelector(
    TextSelectorConfig(type=TextSelectorType.URL, autocomplete="url")
)
KEY_FIELD = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))

KEY_SCHEMA = vol.Schema({vol.Required(CONF_API_KEY): KEY_FIELD})
USER_SCHEMA = vol.Schema(
    {vol.Required(CONF_URL): URL_FIELD, vol.Required(CONF_API_KEY): KEY_FIELD}
)
RECONFIGURE_SCHEMA = vol.Schema(
    {vol.Required(CONF_URL): URL_FIELD, vol.Optional(CONF_API_KEY): KEY_FIELD}
)

Errors = dict[str, str]


class HypocaustConfigFlow(ConfigFlow, domain=DOMAIN):
    """One entry for each building, known by the building's own id."""

    VERSION = 1

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._url = ""
        self._api_key = ""
        self._authority: str | None = None
        self._service = Service(None, None)
        self._buildings: list[Building] = []
        self._after_trust: Callable[[], Awaitable[ConfigFlowResult]] | None = None

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the address and a key."""
        errors: Errors = {}
        if user_input is not None:
            self._point_to(user_input[CONF_URL], user_input[CONF_API_KEY])
            errors = await self._look()
            if not errors:
                return await self._choose_building()
            if self._authority is not None:
                return await self._ask_for_trust(self._choose_building)
        schema = self.add_suggested_values_to_schema(USER_SCHEMA, user_input)
        return self.async_show_form(step_id="user", data_schema=schema, errors=errors)

    async def async_step_zeroconf(
        self, discovery_info: ZeroconfServiceInfo
    ) -> ConfigFlowResult:
        """A service has announced itself: a new one needs a key, a known one may have moved."""
        properties = discovery_info.properties
        scheme = "https" if properties.get("tls") == "1" else "http"
        host = discovery_info.host
        shown_host = f"[{host}]" if ":" in host else host
        name = discovery_info.name.split(".", 1)[0]
        url = f"{scheme}://{shown_host}:{discovery_info.port}"
        return await self._found(name, url, properties.get("id"))

    async def async_step_hassio(
        self, discovery_info: HassioServiceInfo
    ) -> ConfigFlowResult:
        """The app on this machine runs a service."""
        config = discovery_info.config
        url = f"http://{config['host']}:{config['port']}"
        return await self._found(
            discovery_info.name, url, config.get(CONF_INSTALLATION)
        )

    async def _found(
        self, name: str, url: str, installation: str | None
    ) -> ConfigFlowResult:
        self._url = url
        await self.async_set_unique_id(installation or url)
        self._abort_if_unique_id_configured()
        self._async_abort_entries_match({CONF_URL: url})
        if installation is not None:
            known = [
                entry
                for entry in self._async_current_entries()
                if entry.data.get(CONF_INSTALLATION) == installation
            ]
            for entry in known:
                await self._follow(entry, url, installation)
            if known:
                return self.async_abort(reason="already_configured")
        self.context["title_placeholders"] = {"name": name}
        return await self.async_step_discovery_confirm()

    async def async_step_discovery_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a key of the service that was found."""
        errors: Errors = {}
        if user_input is not None:
            self._point_to(self._url, user_input[CONF_API_KEY])
            errors = await self._look()
            if not errors:
                return await self._choose_building()
            if self._authority is not None:
                return await self._ask_for_trust(self._choose_building)
        return self.async_show_form(
            step_id="discovery_confirm",
            data_schema=KEY_SCHEMA,
            errors=errors,
            description_placeholders={"url": self._url},
        )

    async def async_step_trust(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show what vouches for the service, for a person to compare, before the key is sent."""
        errors: Errors = {}
        assert self._authority is not None and self._after_trust is not None
        if user_input is not None:
            errors = await self._look()
            if not errors:
                return await self._after_trust()
        return self.async_show_form(
            step_id="trust",
            errors=errors,
            description_placeholders={
                "url": self._url,
                "fingerprint": fingerprint_of(self._authority),
            },
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
            SelectOptionDict(value=each["id"], label=each["name"])
            for each in self._not_added()
        ]
        selector = SelectSelector(SelectSelectorConfig(options=options))
        return self.async_show_form(
            step_id="building",
            data_schema=vol.Schema({vol.Required(CONF_BUILDING): selector}),
        )

    async def async_step_reauth(
        self, entry_data: Mapping[str, Any]
    ) -> ConfigFlowResult:
        """The key is not valid any more. Buildings that share it share the question."""
        if self._is_asked_for(entry_data[CONF_API_KEY]):
            return self.async_abort(reason="already_in_progress")
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a new key of the same building."""
        entry = self._get_reauth_entry()
        errors: Errors = {}
        if user_input is not None:
            self._point_to(entry.data[CONF_URL], user_input[CONF_API_KEY])
            self._authority = entry.data.get(CONF_AUTHORITY)
            errors = await self._look()
            if not errors and not self._opens(entry.unique_id):
                errors = {CONF_API_KEY: "other_building"}
            if not errors:
                return self._renew_key(entry)
        return self.async_show_form(
            step_id="reauth_confirm", data_schema=KEY_SCHEMA, errors=errors
        )

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """The same building at another address, or with another key."""
        entry = self._get_reconfigure_entry()
        errors: Errors = {}
        if user_input is not None:
            key = user_input.get(CONF_API_KEY) or entry.data[CONF_API_KEY]
            self._point_to(user_input[CONF_URL], key)
            errors = await self._look()
            if not errors:
                errors = self._reconfigure_errors()
            elif self._authority is not None:
                return await self._ask_for_trust(self._reconfigured)
            if not errors:
                return await self._reconfigured()
        suggested = user_input or {CONF_URL: entry.data[CONF_URL]}
        schema = self.add_suggested_values_to_schema(RECONFIGURE_SCHEMA, suggested)
        return self.async_show_form(
            step_id="reconfigure", data_schema=schema, errors=errors
        )

    async def _reconfigured(self) -> ConfigFlowResult:
        if self._reconfigure_errors():
            return self.async_abort(reason="other_building")
        return self.async_update_reload_and_abort(
            self._get_reconfigure_entry(), data=self._entry_data()
        )

    def _reconfigure_errors(self) -> Errors:
        opens = self._opens(self._get_reconfigure_entry().unique_id)
        return {} if opens else {"base": "other_building"}

    async def _ask_for_trust(
        self, then: Callable[[], Awaitable[ConfigFlowResult]]
    ) -> ConfigFlowResult:
        self._after_trust = then
        return await self.async_step_trust()

    def _point_to(self, url: str, api_key: str) -> None:
        self._url = base_url_of(url)
        self._api_key = api_key.strip()
        self._authority = None

    async def _look(self) -> Errors:
        """Try the address and the key; an error is shown at the field it belongs to.

        Where the certificate is not trusted and the service has an authority of its own, that is kept to be shown.
        """
        trusted = self._authority
        api = api_for(self.hass, self._url, self._api_key, trusted)
        try:
            _, self._service = await api.key()
            self._buildings = await api.buildings()
        except InvalidKey:
            return {CONF_API_KEY: "invalid_auth"}
        except UntrustedCertificate:
            if trusted is None:
                self._authority = await fetch_authority(self.hass, self._url)
            return {"base": "tls_untrusted"}
        except TlsFailed:
            return {"base": "tls_failed"}
        except NeedsHttps:
            return {"base": "https_needed"}
        except CannotConnect:
            return {"base": "cannot_connect"}
        except HypocaustError as error:
            LOGGER.warning("%s answered: %s", self._url, error)
            return {"base": "cannot_connect"}
        return {} if self._buildings else {"base": "no_buildings"}

    async def _follow(
        self, entry: HypocaustConfigEntry, url: str, installation: str
    ) -> None:
        """Take over the new address of a service that has moved, and never give up HTTPS for it."""
        old = entry.data[CONF_URL]
        if old.startswith("https:") and not url.startswith("https:"):
            return
        if await self._is_at(old, entry, installation):
            return
        if await self._is_at(url, entry, installation):
            self.hass.config_entries.async_update_entry(
                entry, data={**entry.data, CONF_URL: url}
            )
            self.hass.config_entries.async_schedule_reload(entry.entry_id)

    async def _is_at(
        self, url: str, entry: HypocaustConfigEntry, installation: str
    ) -> bool:
        api = api_for(
            self.hass, url, entry.data[CONF_API_KEY], entry.data.get(CONF_AUTHORITY)
        )
        try:
            _, service = await api.key()
        except HypocaustError:
            return False
        return service.installation == installation

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
        self._end_discoveries()
        return self.async_create_entry(title=building["name"], data=self._entry_data())

    def _end_discoveries(self) -> None:
        """The service need not be offered as discovered any more."""
        for flow in self._async_in_progress(include_uninitialized=True):
            if flow["context"].get("unique_id") in (
                self._service.installation,
                self._url,
            ):
                self.hass.config_entries.flow.async_abort(flow["flow_id"])

    def _entry_data(self) -> dict[str, Any]:
        return {
            CONF_URL: self._url,
            CONF_API_KEY: self._api_key,
            CONF_INSTALLATION: self._service.installation,
            CONF_AUTHORITY: self._authority,
        }

    def _is_asked_for(self, api_key: str) -> bool:
        entries = self.hass.config_entries
        others = (
            entries.async_get_entry(flow["context"].get("entry_id", ""))
            for flow in self._async_in_progress(include_uninitialized=True)
            if flow["context"]["source"] == SOURCE_REAUTH
            and flow["flow_id"] != self.flow_id
        )
        return any(
            entry is not None and entry.data[CONF_API_KEY] == api_key
            for entry in others
        )

    def _renew_key(self, asked_for: HypocaustConfigEntry) -> ConfigFlowResult:
        """The new key is for every building that had the old one, as far as it opens it."""
        old = asked_for.data[CONF_API_KEY]
        for entry in self._async_current_entries():
            shares = entry.data.get(CONF_API_KEY) == old and self._opens(
                entry.unique_id
            )
            if entry is not asked_for and shares:
                self.hass.config_entries.async_update_entry(
                    entry, data={**entry.data, CONF_API_KEY: self._api_key}
                )
                self.hass.config_entries.async_schedule_reload(entry.entry_id)
        return self.async_update_reload_and_abort(
            asked_for, data_updates={CONF_API_KEY: self._api_key}
        )

    def _not_added(self) -> list[Building]:
        added = self._async_current_ids(include_ignore=False)
        return [each for each in self._buildings if each["id"] not in added]

    def _opens(self, building_id: str | None) -> bool:
        return any(each["id"] == building_id for each in self._buildings)
