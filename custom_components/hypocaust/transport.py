"""Home Assistant's own web session as the way out of the client."""

from __future__ import annotations

from aiohttp import ClientError, ClientSession, ClientTimeout
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from .api import Answer, CannotConnect, HypocaustApi, Request
from .const import REQUEST_TIMEOUT_S


def api_for(hass: HomeAssistant, base_url: str, api_key: str) -> HypocaustApi:
    """A client that sends through Home Assistant."""
    session = async_get_clientsession(hass)

    async def send(request: Request) -> Answer:
        return await _exchange(session, request)

    return HypocaustApi(base_url, api_key, send)


async def _exchange(session: ClientSession, request: Request) -> Answer:
    try:
        async with session.request(
            request.method,
            request.url,
            headers=request.headers,
            data=request.body,
            timeout=ClientTimeout(total=REQUEST_TIMEOUT_S),
            # Followed, the key would go along to wherever the redirect points.
            allow_redirects=False,
        ) as answer:
            headers = {name.lower(): value for name, value in answer.headers.items()}
            return Answer(answer.status, headers, await answer.text())
    except TimeoutError as error:
        raise CannotConnect(f"No answer within {REQUEST_TIMEOUT_S} s") from error
    except (ClientError, ValueError) as error:
        raise CannotConnect(str(error) or type(error).__name__) from error
