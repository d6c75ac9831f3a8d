"""Names and figures of the integration."""

from __future__ import annotations

import logging
from typing import Final

DOMAIN: Final = "hypocaust"
LOGGER: Final = logging.getLogger(__package__)

POLL_S: Final = 30
"""How often a building is asked unless the holder chooses otherwise."""
MIN_POLL_S: Final = 30
MAX_POLL_S: Final = 60

POWER_FOLLOWS_S: Final = 3
"""The service tells the new power within two seconds of a change."""

REQUEST_TIMEOUT_S: Final = 10
