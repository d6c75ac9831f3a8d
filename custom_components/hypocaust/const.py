"""Names and figures of the integration."""

from datetime import timedelta
import logging
from typing import Final

DOMAIN: Final = "hypocaust"
LOGGER: Final = logging.getLogger(__package__)

CONF_INSTALLATION: Final = "installation"
"""Which service it is, under whatever address."""
CONF_AUTHORITY: Final = "authority"
"""The certificate of the service's own authority, PEM, where the holder trusts it."""

CONF_PAST_IMPORTED: Final = "past_imported"
"""Whether what was before is in the statistics."""

RETRY_S: Final = 30
"""After a failure, unless the service says otherwise."""

WAIT_FOR_CHANGES_S: Final = 50
BETWEEN_CHANGES_S: Final = 1
"""A busy house changes more often than anybody looks."""

SELDOM: Final = timedelta(minutes=30)
"""Heat is counted every two hours."""

REQUEST_TIMEOUT_S: Final = 10
