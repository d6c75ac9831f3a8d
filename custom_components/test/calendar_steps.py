"""Prints the steps of programmes in a week, for a test that knows when the service has them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
import json
import sys
from zoneinfo import ZoneInfo

from stage import module

steps_between = module("programme_steps").steps_between


def milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


answers = []
for case in json.loads(sys.argv[1]):
    start = datetime.fromtimestamp(case["start"] / 1000, UTC)
    steps = steps_between(case["programme"], ZoneInfo(case["timezone"]), start, start + timedelta(days=7))
    answers.append(
        [
            {"start": milliseconds(each.start), "end": milliseconds(each.end), "setback": each.setback}
            for each in steps
        ]
    )
print(json.dumps(answers))
