"""Names and figures of the integration."""

import logging
from typing import Final

DOMAIN: Final = "hypocaust"
LOGGER: Final = logging.getLogger(__package__)

CONF_INSTALLATION: Final = "installation"
"""Which service it is, under whatever address."""
CONF_AUTHORITY: Final = "authority"
"""The certificate of the service's own authority, PEM, where the holder trusts it."""

POLL_S: Final = 30

OUTLOOKS_EVERY_S: Final = 300
"""A forecast moves slowly; that of a room which changes is asked for at once."""

WAIT_FOR_CHANGES_S: Final = 50
BETWEEN_CHANGES_S: Final = 1
"""A busy house changes more often than anybody looks."""

POWER_FOLLOWS_S: Final = 3
"""The service tells the new power within two seconds of a change."""

REQUEST_TIMEOUT_S: Final = 10
