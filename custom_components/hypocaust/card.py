"""The card for dashboards, served to every browser that opens Home Assistant."""

from pathlib import Path

from homeassistant.components.frontend import (
    DOMAIN as FRONTEND_DOMAIN,
    add_extra_js_url,
)
from homeassistant.components.http import StaticPathConfig
from homeassistant.core import HomeAssistant
from homeassistant.loader import async_get_integration

from .const import DOMAIN

_FOLDER = Path(__file__).parent / "card"


async def async_serve_card(hass: HomeAssistant) -> None:
    """Serve it where there is a frontend to show it."""
    if FRONTEND_DOMAIN not in hass.config.components:
        return
    integration = await async_get_integration(hass, DOMAIN)
    # Browsers keep the files for weeks, so each version has an address of its own.
    base = f"/{DOMAIN}_card/{integration.version}"
    await hass.http.async_register_static_paths([StaticPathConfig(base, str(_FOLDER))])
    add_extra_js_url(hass, f"{base}/card.js")
