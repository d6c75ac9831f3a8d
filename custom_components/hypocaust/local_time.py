"""Moments by the clock of a building. Nothing here needs Home Assistant."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


def moment_of(zone: ZoneInfo, local: datetime) -> datetime:
    """The first moment at which the clock shows this minute or, where it is skipped, a later one."""
    latest = local.replace(tzinfo=zone).astimezone(UTC)
    if latest.astimezone(zone).replace(tzinfo=None) == local:
        return latest
    moment = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    while moment.astimezone(zone).replace(tzinfo=None) < local:
        moment += timedelta(minutes=1)
    return moment
