"""What /v1 answers with. Nothing here needs Home Assistant."""

from dataclasses import dataclass, field
from typing import Any, Literal, NotRequired, TypedDict

Permission = Literal["read", "write"]
Feeling = Literal["too_cold", "too_warm"]


class Wind(TypedDict):
    """Direction in degrees the wind blows from, speed in metres a second."""

    direction: float
    speed: float


class Weather(TypedDict):
    """Outdoors, in degrees Celsius and percent."""

    updated: str
    temperature: float
    cloud_coverage: float
    wind: Wind


class Building(TypedDict):
    """A building; `available` has three states."""

    id: str
    name: str
    available: bool | None
    last_seen: str | None
    weather: Weather | None


class Sensor(TypedDict):
    """The latest raw reading, however old it is."""

    id: str
    temperature: float
    humidity: float | None
    batt: float | None
    rssi: float | None
    timestamp: str


class ManualPower(TypedDict):
    """A fixed power in place of the heating control."""

    enabled: bool
    power: float


class Room(TypedDict):
    """A room with the latest reading of its sensor."""

    id: str
    name: str
    current_temperature: float | None
    current_humidity: float | None
    target_temperature: float
    min_temp: float
    max_temp: float
    hvac_mode: str
    hvac_modes: list[str]
    hvac_action: str
    preset_mode: str
    preset_modes: list[str]
    manual_power: ManualPower
    power: float
    sensor_id: str
    sensor: Sensor | None


class Alert(TypedDict):
    """Something that needs a person, in a room or in the building as a whole."""

    kind: str
    room_id: str | None
    room: str | None
    room_names: NotRequired[list[str] | None]
    rooms: NotRequired[list[str]]
    since: str | None
    value: float | None


Away = TypedDict(
    "Away", {"from": str, "until": str | None, "target_temperature": float}
)
"""An absence, now or to come; without an end it lasts until it is ended."""

PowerLimit = TypedDict(
    "PowerLimit", {"from": str, "until": str, "limit_w": int, "basis": str}
)
"""What the grid leaves the heat source, now or soon."""


AwayPut = TypedDict(
    "AwayPut",
    {"from": NotRequired[str], "until": str | None, "target_temperature": float},
)
"""An absence to be; it begins now unless it says when."""


class OverridePut(TypedDict, total=False):
    """Another target, or off, until a time or for hours."""

    target_temperature: float
    hvac_mode: str
    until: str
    hours: float


class Step(TypedDict):
    """What comes next."""

    at: str
    setpoint: float


class Outlook(TypedDict):
    """What a room is heated towards, why, and what comes next."""

    setpoint: float
    reason: str
    until: str | None
    next: Step | None
    reached_at: str | None
    heating: bool
    activity: NotRequired[str]
    doing: NotRequired[str]
    floor_temperature: NotRequired[float | None]
    floor_measured: NotRequired[bool]
    floor_error: NotRequired[float | None]
    target_of: NotRequired[str]


class DayOfEnergy(TypedDict):
    """Heat of a room on a day, by the clock of the building."""

    day: str
    hours: NotRequired[list[float] | None]


class HistoryPoint(TypedDict):
    """What a room was like in a step of its past."""

    at: str
    temperature: float | None


class RoomEnergy(TypedDict):
    """Heat of a room; the counter in kWh never falls."""

    id: str
    heat: float | None
    cost: float | None
    counter: NotRequired[float | None]
    days: NotRequired[list[DayOfEnergy]]


Energy = TypedDict(
    "Energy",
    {
        "from": str,
        "heat": float | None,
        "cost": float | None,
        "currency": NotRequired[str | None],
        "counter": NotRequired[float | None],
        "rooms": list[RoomEnergy],
    },
)
"""Heat and cost of a building in a span of days."""

class RoomComfort(TypedDict):
    """Settings of the heating control for a room; those that are shown here."""

    minimum_floor_temperature: list[dict[str, Any]] | None
    target_of: str


class RoomComfortPatch(TypedDict, total=False):
    """What of them changes."""

    minimum_floor_temperature: list[dict[str, Any]]
    target_of: str


Programme = dict[str, list[dict[str, Any]]]
"""The steps of each weekday, and dates that follow another day."""


class Airing(TypedDict):
    """Whether opening the windows wide dries a room."""

    advice: str
    minutes: int | None


class Air(TypedDict):
    """How humid a room is, and what that means for its coldest surface."""

    dew_point: float | None
    absolute_humidity: float | None
    surface_humidity: float | None
    damp_hours: float | None
    mould_risk: str | None
    airing: Airing | None


class Key(TypedDict):
    """The key in use; never its value."""

    id: str
    name: str
    permission: Permission
    expires_at: str | None


@dataclass(frozen=True)
class Service:
    """Which service answers; an old one does not tell."""

    installation: str | None
    version: str | None


class RoomPatch(TypedDict, total=False):
    """The settings that entities change."""

    target_temperature: float
    hvac_mode: str
    preset_mode: str
    manual_power: ManualPower


class CoolingTarget(TypedDict):
    """What a room is cooled to."""

    room_id: str
    target_temperature: float


class CoolingPut(TypedDict):
    """The season of a building, and targets of rooms."""

    season: str
    rooms: list[CoolingTarget]


@dataclass(frozen=True)
class BuildingState:
    """A building, its rooms by id, and what needs a person, as they were at one look."""

    building: Building
    rooms: dict[str, Room]
    alerts: list[Alert]
    away: Away | None = None
    outlooks: dict[str, Outlook] = field(default_factory=dict)
    air: dict[str, Air] = field(default_factory=dict)
    power_limit: PowerLimit | None = None
    knows_limits: bool = False
    """An older service says nothing of limits."""
    timezone: str | None = None
    """Of the building's clocks; an older service does not name it."""


def state_of(answer: Any) -> BuildingState:
    """The state as the service answers it, with the rooms by their ids."""
    return BuildingState(
        building=answer["building"],
        rooms={room["id"]: room for room in answer["rooms"]},
        alerts=answer["alerts"],
        away=answer["away"],
        outlooks=answer["outlooks"],
        air=answer.get("air", {}),
        power_limit=answer.get("power_limit"),
        knows_limits="power_limit" in answer,
        timezone=answer.get("timezone"),
    )
