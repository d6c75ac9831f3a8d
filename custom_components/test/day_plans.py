"""Prints the plans of days, for a test that knows what the service will heat towards."""

from __future__ import annotations

from datetime import UTC, datetime
import json
import sys
from zoneinfo import ZoneInfo

from stage import module

plans = module("day_plan")


def moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


answers = []
for case in json.loads(sys.argv[1]):
    wishes = plans.Wishes(
        room={
            "id": "room",
            "target_temperature": case["targetC"],
            "hvac_mode": "off" if case["steering"] == "off" else "heat",
            "manual_power": {"enabled": case["steering"] == "manual", "power": 0.3},
        },
        outlook=case["outlook"],
        away=case["away"],
        programmes={"room": case["programme"]},
        zone=ZoneInfo(case["timezone"]),
    )
    spans = plans.plan_of(wishes, moment(case["now"]), moment(case["start"]), moment(case["end"]))
    answers.append(
        [
            [each.start.timestamp() * 1000, each.end.timestamp() * 1000, each.temperature]
            for each in spans
        ]
    )
print(json.dumps(answers))
