"""Home Assistant's own web session as the way out of the client."""

from hashlib import sha256
import ssl
from urllib.parse import urlsplit

from aiohttp import (
    ClientConnectorCertificateError,
    ClientError,
    ClientSession,
    ClientSSLError,
    ClientTimeout,
)

from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from .api import (
    Answer,
    CannotConnect,
    HypocaustApi,
    Request,
    TlsFailed,
    UntrustedCertificate,
)
from .const import REQUEST_TIMEOUT_S

MAX_CERTIFICATE_BYTES = 64 * 1024

_NO_ANSWER = (ClientError, ValueError)
_NO_CERTIFICATE = (TimeoutError, *_NO_ANSWER)


def api_for(
    hass: HomeAssistant, base_url: str, api_key: str, authority: str | None = None
) -> HypocaustApi:
    """A client that sends through Home Assistant, and trusts the service's own authority where given."""
    session = async_get_clientsession(hass)
    trust = True if authority is None else _trust_only(authority)

    async def send(request: Request) -> Answer:
        return await _exchange(session, request, trust)

    return HypocaustApi(base_url, api_key, send)


async def fetch_authority(hass: HomeAssistant, base_url: str) -> str | None:
    """The authority that vouches for a service, which it gives to anybody; a person has to compare it."""
    session = async_get_clientsession(hass)
    try:
        async with session.get(
            f"http://{urlsplit(base_url).netloc}/authority.crt",
            timeout=ClientTimeout(total=REQUEST_TIMEOUT_S),
            allow_redirects=False,
        ) as answer:
            if answer.status != 200:
                return None
            text = (await answer.content.read(MAX_CERTIFICATE_BYTES)).decode()
            fingerprint_of(text)
            return text
    except _NO_CERTIFICATE:
        return None


def fingerprint_of(certificate: str) -> str:
    """The SHA-256 as `hypocaust tls show` prints it."""
    return sha256(ssl.PEM_cert_to_DER_cert(certificate)).digest().hex(":").upper()


def _trust_only(authority: str) -> ssl.SSLContext:
    """The authority vouches for one service alone, so the name by which it is reached does not matter."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(cadata=authority)
    return context


async def _exchange(
    session: ClientSession, request: Request, trust: ssl.SSLContext | bool
) -> Answer:
    try:
        async with session.request(
            request.method,
            request.url,
            headers=request.headers,
            data=request.body,
            timeout=ClientTimeout(total=REQUEST_TIMEOUT_S + request.waits_s),
            ssl=trust,
            # Followed, the key would go along to wherever the redirect points.
            allow_redirects=False,
        ) as answer:
            headers = {name.lower(): value for name, value in answer.headers.items()}
            return Answer(answer.status, headers, await answer.text())
    except TimeoutError as error:
        raise CannotConnect(f"No answer within {REQUEST_TIMEOUT_S} s") from error
    except ClientConnectorCertificateError as error:
        raise UntrustedCertificate(
            f"The TLS certificate is not trusted: {error.certificate_error}"
        ) from error
    except ClientSSLError as error:
        raise TlsFailed(f"TLS failed: {error}") from error
    except _NO_ANSWER as error:
        raise CannotConnect(str(error) or type(error).__name__) from error
