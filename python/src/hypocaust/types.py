"""What the interface answers with, and what it takes.

Made from the OpenAPI documents by scripts/python-client.ts. Do not edit.
"""

from typing import Literal, NotRequired, TypedDict


class BuildingLocation(TypedDict):
    """See the fields."""

    lat: float
    """Degrees north."""
    lng: float
    """Degrees east."""


class BuildingWeatherWind(TypedDict):
    """See the fields."""

    direction: float
    """Degrees the wind blows from, 0 is north."""
    speed: float
    """Metres a second."""


class BuildingWeather(TypedDict):
    """The weather there. Null until it has been fetched."""

    updated: str
    """When the source made these values."""
    temperature: float
    """Celsius."""
    cloud_coverage: float
    """Percent, 0 to 100."""
    wind: BuildingWeatherWind


class Building(TypedDict):
    """A building of the key’s holder."""

    id: str
    """`{buildingId}` in paths."""
    name: str
    """The holder’s name for it."""
    location: BuildingLocation
    available: bool | None
    """True: a gateway has reported within the last 5 minutes. False: silent for longer. Null: no gateway has ever reported, there is nothing to connect to. The operator may choose another time."""
    last_seen: str | None
    """The latest heartbeat of any gateway of the building. Null when none ever reported."""
    weather: BuildingWeather | None
    """The weather there. Null until it has been fetched."""


class RoomManualPower(TypedDict):
    """A fixed power in place of the heating control."""

    enabled: bool
    """Whether `power` overrides the heating control."""
    power: float
    """A fraction from 0 to 1, used only while `enabled` is true."""


class RoomSensor(TypedDict):
    """The latest raw reading of the room’s sensor, however old it is."""

    id: str
    """Same form as `sensor_id`."""
    temperature: float
    """Celsius."""
    humidity: float | None
    """Percent. Null if this kind of sensor does not report it."""
    batt: float | None
    """Battery in percent. Null if this kind of sensor does not report it."""
    rssi: float | None
    """Signal strength in dBm. Null if this kind of sensor does not report it."""
    timestamp: str
    """Time of the latest measurement."""


class Room(TypedDict):
    """A room with the latest reading of its sensor."""

    id: str
    """`{roomId}` in paths."""
    name: str
    """1 to 100 characters after trimming, without control or invisible characters."""
    current_temperature: float | None
    """Celsius, from the room’s sensor; of several the mean or the coldest. Null when none has ever reported, or not for 60 minutes."""
    current_humidity: float | None
    """Percent, from the room’s sensor or sensors. Null as `current_temperature`, and when this kind of sensor does not tell."""
    target_temperature: float
    """What the holder set, in Celsius; night mode and absence do not change it."""
    min_temp: float
    """Constant 7."""
    max_temp: float
    """Constant 35."""
    hvac_mode: Literal["heat", "off"]
    """`off` holds the room at zero power; `heat` leaves it to the heating control."""
    hvac_modes: list[Literal["heat", "off"]]
    """All values of `hvac_mode`."""
    hvac_action: Literal["heating", "idle", "off"]
    """`idle` is on, but not heating at the moment. While frost protection acts, a room that is off shows `heating`."""
    preset_mode: Literal["none", "low", "medium", "high"]
    """Base warmth of the floor, independent of the target: while the room itself needs less, `power` is 0.05 (`low`), 0.1 (`medium`) or 0.15 (`high`), so that the floor stays warm underfoot. Where the room needs more on average, it gets that in longer openings, and `power` may be lower between them. It rests while the room is above its comfort band, off, under manual power or has an open window, and never heats the floor beyond its limit."""
    preset_modes: list[Literal["none", "low", "medium", "high"]]
    """All values of `preset_mode`."""
    manual_power: RoomManualPower
    """A fixed power in place of the heating control."""
    power: float
    """Share of a time window in which the valve is open. Not watts, not a percentage; the window depends on the floor."""
    sensor_id: str
    """Colon-separated hexadecimal byte pairs. Upper case is accepted and becomes lower case."""
    sensor: RoomSensor | None
    """The latest raw reading of the room’s sensor, however old it is."""


class RoomPatchManualPower(TypedDict):
    """A member left out keeps its stored value. Ignored when `hvac_mode` is sent beside it."""

    enabled: NotRequired[bool]
    """Whether `power` overrides the heating control."""
    power: NotRequired[float]
    """A fraction from 0 to 1, used only while `enabled` is true."""


class RoomPatch(TypedDict):
    """Any subset of the writable fields; the rest stay as they were."""

    name: NotRequired[str]
    """1 to 100 characters after trimming, without control or invisible characters."""
    target_temperature: NotRequired[float]
    """What the holder set, in Celsius; night mode and absence do not change it."""
    preset_mode: NotRequired[Literal["none", "low", "medium", "high"]]
    """Base warmth of the floor, independent of the target: while the room itself needs less, `power` is 0.05 (`low`), 0.1 (`medium`) or 0.15 (`high`), so that the floor stays warm underfoot. Where the room needs more on average, it gets that in longer openings, and `power` may be lower between them. It rests while the room is above its comfort band, off, under manual power or has an open window, and never heats the floor beyond its limit."""
    hvac_mode: NotRequired[Literal["heat", "off"]]
    """`off` holds the room at zero power; `heat` leaves it to the heating control."""
    manual_power: NotRequired[RoomPatchManualPower]
    """A member left out keeps its stored value. Ignored when `hvac_mode` is sent beside it."""
    sensor_id: NotRequired[str]
    """Colon-separated hexadecimal byte pairs. Upper case is accepted and becomes lower case."""


class RoomPatchesRoomManualPower(TypedDict):
    """A member left out keeps its stored value. Ignored when `hvac_mode` is sent beside it."""

    enabled: NotRequired[bool]
    """Whether `power` overrides the heating control."""
    power: NotRequired[float]
    """A fraction from 0 to 1, used only while `enabled` is true."""


class RoomPatchesRoom(TypedDict):
    """See the fields."""

    id: str
    """The `id` of the room, in upper or lower case."""
    name: NotRequired[str]
    """1 to 100 characters after trimming, without control or invisible characters."""
    target_temperature: NotRequired[float]
    """What the holder set, in Celsius; night mode and absence do not change it."""
    preset_mode: NotRequired[Literal["none", "low", "medium", "high"]]
    """Base warmth of the floor, independent of the target: while the room itself needs less, `power` is 0.05 (`low`), 0.1 (`medium`) or 0.15 (`high`), so that the floor stays warm underfoot. Where the room needs more on average, it gets that in longer openings, and `power` may be lower between them. It rests while the room is above its comfort band, off, under manual power or has an open window, and never heats the floor beyond its limit."""
    hvac_mode: NotRequired[Literal["heat", "off"]]
    """`off` holds the room at zero power; `heat` leaves it to the heating control."""
    manual_power: NotRequired[RoomPatchesRoomManualPower]
    """A member left out keeps its stored value. Ignored when `hvac_mode` is sent beside it."""
    sensor_id: NotRequired[str]
    """Colon-separated hexadecimal byte pairs. Upper case is accepted and becomes lower case."""


class RoomPatches(TypedDict):
    """Changes of several rooms."""

    rooms: list[RoomPatchesRoom]
    """Each room once, with the fields to change."""


class HistoryPoint(TypedDict):
    """See the fields."""

    at: str
    """When the step begins."""
    time: NotRequired[str]
    """Deprecated. Use `at`. This one is sent until 2027-12-01 at least."""
    temperature: float | None
    """Celsius, the mean of the readings in this step."""
    humidity: float | None
    """Percent, the mean of the readings in this step."""
    dew_point: float | None
    """Celsius, of the mean temperature and humidity in this step."""
    surface_humidity: float | None
    """Percent, of the air against the coldest surface of the room."""
    power: float | None
    """Share of the time for which the valve was to be open."""
    setpoint: float | None
    """Celsius, what the heating control aimed at: the target, or less at night and while away."""
    outdoor_temperature: float | None
    """Celsius."""


class History(TypedDict):
    """A room’s past in even steps. What is not known is null."""

    step_s: int
    """Seconds between two points: 300 up to two days, more for longer spans."""
    points: list[HistoryPoint]


class ExplanationMeasured(TypedDict):
    """See the fields."""

    temperature: float
    age_s: float


class ExplanationEstimate(TypedDict):
    """See the fields."""

    temperature: float
    floor: float
    floor_measured: bool
    floor_error: float | None
    """Kelvin: how far an estimated floor may be from that, two times out of three. Null where a probe measures, or where neither the target nor a minimum is one of the floor."""


class ExplanationAim(TypedDict):
    """See the fields."""

    setpoint: float
    """Celsius."""
    target: NotRequired[float]
    """Deprecated. Use `setpoint`. This one is sent until 2027-12-01 at least."""
    low: float
    high: float
    reason: Literal["target", "programme", "away", "calendar", "presence", "override", "manual", "off", "frost"]
    """What the setpoint comes from."""


class ExplanationWithoutHeat(TypedDict):
    """See the fields."""

    at: str
    """The hour that decided."""
    temperature: float
    low: float
    floor_needs_s: float


class ExplanationPrice(TypedDict):
    """Where the price of heat changed the plan; null where it did not."""

    kind: Literal["cheap", "waits"]
    """cheap: heated now because heat is cheap. waits: for cheaper heat."""
    until: str
    """Until then heat is cheap, or not cheap yet."""


ExplanationWarmFloor = TypedDict(
    "ExplanationWarmFloor",
    {
        # Celsius at the surface.
        "temperature": float,
        # From when the floor has it.
        "from": str,
        # Until when.
        "until": str,
    },
)
"""The minimum of the floor, now or to come, for which it is heated more than the room would need. Null where there is none."""


class ExplanationCooling(TypedDict):
    """While the building cools; null while it heats. What is not known is null."""

    dew_point: float | None
    """Celsius."""
    supply_temperature: float | None
    """Celsius of the water."""


ExplanationHoursWithoutHeat = TypedDict(
    "ExplanationHoursWithoutHeat",
    {
        "from": str,
        "to": str,
    },
)
"""Hours of every day in which no heat arrives, as learned, by the clock of the building; null where there are none."""


ExplanationNoHeat = TypedDict(
    "ExplanationNoHeat",
    {
        "from": str,
        "to": str,
    },
)
"""Use `hours_without_heat`. This one is sent until 2027-12-01 at least."""


class Explanation(TypedDict):
    """What stood behind the latest decision for a room."""

    decided_at: str
    """When it was decided."""
    activity: Literal["off", "frost", "manual", "loop_test", "loop_search", "screed_heating", "no_valve", "no_gateway", "gateway_lost", "watched", "watched_unseen", "learned_power", "open_window", "grid_lock", "left_out", "dew_unknown", "dew_point", "cooling", "cool_enough", "no_reading", "floor_limit", "base_warmth", "between_openings", "warming_ahead", "heating", "can_wait", "too_warm", "warm_enough"]
    """What the floor is doing and why, in one word: the sentence is made from it."""
    doing: NotRequired[Literal["off", "frost", "manual", "loop-test", "loop-search", "screed-heating", "no-valve", "no-gateway", "gateway-lost", "watched", "watched-unseen", "learned-power", "open-window", "grid-lock", "left-out", "dew-unknown", "dew-point", "cooling", "cool-enough", "no-reading", "floor-limit", "base-warmth", "between-openings", "warming-ahead", "heating", "can-wait", "too-warm", "warm-enough"]]
    """Deprecated. Use `activity`. This one is sent until 2027-12-01 at least."""
    sentence: str
    """Why, in English."""
    details: list[str]
    mode: Literal["off", "manual", "frost", "heat", "cool"]
    power: float
    share: float
    """Power on average over the block: between two openings power is 0."""
    basis: Literal["measured", "predicted", "model_only", "learned_power", "pi"]
    """What the control could go by."""
    rung: NotRequired[Literal["measured", "predicted", "model-only", "learned-power", "pi"]]
    """Deprecated. Use `basis`. This one is sent until 2027-12-01 at least."""
    conditions: list[Literal["window_open", "boiler_off", "model_broken", "no_weather", "sensor_lost"]]
    """What the control has noticed."""
    notices: NotRequired[list[Literal["window-open", "boiler-off", "model-broken", "no-weather", "sensor-lost"]]]
    """Deprecated. Use `conditions`. This one is sent until 2027-12-01 at least."""
    adjustments: list[Literal["floor_limit", "preset", "minimum_pulse", "above_band", "open_window", "grid_lock", "grid_limit", "left_out", "dew_unknown", "dew_point", "no_valve", "no_gateway", "gateway_lost", "watched", "watched_unseen"]]
    """What has changed the planned power."""
    caps: NotRequired[list[Literal["floor-limit", "preset", "minimum-pulse", "above-band", "open-window", "grid-lock", "grid-limit", "left-out", "dew-unknown", "dew-point", "no-valve", "no-gateway", "gateway-lost", "watched", "watched-unseen"]]]
    """Deprecated. Use `adjustments`. This one is sent until 2027-12-01 at least."""
    measured: ExplanationMeasured | None
    estimate: ExplanationEstimate | None
    outdoor_temperature: float | None
    """Celsius."""
    outdoor: NotRequired[float | None]
    """Deprecated. Use `outdoor_temperature`. This one is sent until 2027-12-01 at least."""
    aim: ExplanationAim
    without_heat: ExplanationWithoutHeat | None
    price: ExplanationPrice | None
    """Where the price of heat changed the plan; null where it did not."""
    warm_floor: ExplanationWarmFloor | None
    """The minimum of the floor, now or to come, for which it is heated more than the room would need. Null where there is none."""
    target_of: Literal["air", "floor"]
    """What the target and all other setpoints of the room are the temperature of."""
    cooling: ExplanationCooling | None
    """While the building cools; null while it heats. What is not known is null."""
    hours_without_heat: ExplanationHoursWithoutHeat | None
    """Hours of every day in which no heat arrives, as learned, by the clock of the building; null where there are none."""
    no_heat: NotRequired[ExplanationNoHeat]
    """Deprecated. Use `hours_without_heat`. This one is sent until 2027-12-01 at least."""
    confidence: float
    """0 knows only the floor type, 1 has learned this room."""


class DiagnosisCause(TypedDict):
    """See the fields."""

    cause: Literal["little_flow", "actuator_stuck_closed", "actuator_stuck_open", "sensor_in_sun", "sensor_on_cold_wall", "sensors_swapped", "supply_too_cold", "source_without_heat", "heat_off_at_night", "window_often_open", "sensor_frozen", "other_floor"]
    """What is probably wrong."""
    probability: float
    """How probable it is, in houses like the simulated ones that the diagnosis was tried on."""
    began_at: str
    """About since when, by the day; never longer ago than the days that are looked at."""
    other_room_id: str | None
    """Of swapped sensors, the other room; null for any other cause."""
    checks: list[Literal["vent_loop", "compare_flow", "try_actuator", "move_pin", "check_channel", "move_sensor", "compare_thermometer", "breathe_on_sensor", "read_supply", "raise_curve", "check_mixer", "check_source", "check_pump", "check_timer", "close_window", "restart_sensor", "check_floor_type"]]
    """What to check, the first thing first."""


DiagnosisEvidence = TypedDict(
    "DiagnosisEvidence",
    {
        # Of the first value.
        "from": str,
        # Seconds from one value to the next.
        "step_s": int,
        # What the sensor showed; null where nothing was heard.
        "measured": list[float | None],
        # What it would have shown in a room without a fault.
        "healthy": list[float | None],
        # What it would have shown with the first cause; empty where that is not computed.
        "with_cause": list[float | None],
    },
)
"""Celsius, columns of equal length; empty when nothing is probably wrong."""


class Diagnosis(TypedDict):
    """What is probably wrong with the heating of a room, what shows it, and what to check first."""

    examined_at: str
    """When the last days of the room were looked at; about once a day."""
    causes: list[DiagnosisCause]
    """The most probable first; empty when nothing is probably wrong."""
    evidence: DiagnosisEvidence
    """Celsius, columns of equal length; empty when nothing is probably wrong."""


class OutlookNext(TypedDict):
    """See the fields."""

    at: str
    """From then on."""
    setpoint: float
    """Celsius."""


OutlookWarmFloor = TypedDict(
    "OutlookWarmFloor",
    {
        # Celsius at the surface.
        "temperature": float,
        # From when the floor has it.
        "from": str,
        # Until when.
        "until": str,
    },
)
"""The minimum of the floor, now or to come, for which it is heated more than the room would need. Null where there is none."""


class OutlookBlinds(TypedDict):
    """When to close blinds against the sun."""

    sides: list[Literal["east", "south", "west"]]
    """The blinds to close."""
    close_at: str
    """Close them by then."""
    open_at: str
    """From then on the sun no longer matters."""
    expected: float
    """Celsius: how warm the room becomes with them open."""
    expected_closed: float
    """Celsius: how warm it becomes with them closed."""


class Outlook(TypedDict):
    """What a room is heated towards, why, and what comes next."""

    setpoint: float
    """Celsius: what the heating control works towards now."""
    reason: Literal["target", "programme", "away", "calendar", "presence", "override", "manual", "off", "frost"]
    """What the setpoint comes from. Under `manual` and `off` the setpoint is the one the room returns to."""
    until: str | None
    """Until when it holds. Null when nothing changes it."""
    next: OutlookNext | None
    reached_at: str | None
    """About when the setpoint will be reached. Null when it is reached already, or will not be while it holds."""
    heating: bool
    """Whether the floor is being heated."""
    activity: Literal["off", "frost", "manual", "loop_test", "loop_search", "screed_heating", "no_valve", "no_gateway", "gateway_lost", "watched", "watched_unseen", "learned_power", "open_window", "grid_lock", "left_out", "dew_unknown", "dew_point", "cooling", "cool_enough", "no_reading", "floor_limit", "base_warmth", "between_openings", "warming_ahead", "heating", "can_wait", "too_warm", "warm_enough"]
    """What the floor is doing and why, in one word, as in the explanation."""
    doing: NotRequired[Literal["off", "frost", "manual", "loop-test", "loop-search", "screed-heating", "no-valve", "no-gateway", "gateway-lost", "watched", "watched-unseen", "learned-power", "open-window", "grid-lock", "left-out", "dew-unknown", "dew-point", "cooling", "cool-enough", "no-reading", "floor-limit", "base-warmth", "between-openings", "warming-ahead", "heating", "can-wait", "too-warm", "warm-enough"]]
    """Deprecated. Use `activity`. This one is sent until 2027-12-01 at least."""
    next_expected: float | None
    """Celsius: how warm the plan expects the room to be when `next` begins. Null unless `next` is higher than the setpoint and within the plan."""
    next_reached_at: str | None
    """About when the plan reaches the setpoint of `next`. Null where it does not, or nothing is expected."""
    floor_temperature: float | None
    """Celsius at the surface of the floor; null while nothing is known of the room."""
    floor_measured: bool
    """Whether `floor_temperature` comes from a probe in the floor; else the model estimates it."""
    floor_error: float | None
    """Kelvin: how far an estimated floor may be from that, two times out of three. Null where a probe measures, or where neither the target nor a minimum is one of the floor."""
    target_of: Literal["air", "floor"]
    """What the target and all other setpoints of the room are the temperature of."""
    warm_floor: OutlookWarmFloor | None
    """The minimum of the floor, now or to come, for which it is heated more than the room would need. Null where there is none."""
    blinds: OutlookBlinds | None
    """When to close blinds against the sun."""


AirAiring = TypedDict(
    "AirAiring",
    {
        # Whether opening the windows wide dries the room: now, later, or not within two days.
        "advice": Literal["now", "later", "no"],
        # For how long, where it helps now.
        "minutes": int | None,
        # From when on it helps, where that is later.
        "from": str | None,
    },
)
"""Null where the humidity outdoors or in the room is not known, or does not matter."""


class Air(TypedDict):
    """The air of a room. What is not known is null."""

    temperature: float | None
    """Celsius, as measured in the last hour."""
    humidity: float | None
    """Percent, as measured in the last hour."""
    dew_point: float | None
    """Celsius: below this, water condenses."""
    absolute_humidity: float | None
    """Grams of water in a cubic metre."""
    surface_factor: float
    """f_Rsi of the coldest surface, as entered."""
    surface_temperature: float | None
    """Celsius, of the coldest surface, by the factor and the last hours outdoors."""
    surface_humidity: float | None
    """Percent, of the air against the coldest surface."""
    damp_hours: float | None
    """Hours a day with more than 80 % at that surface, as a running mean over days."""
    mould_risk: Literal["low", "raised", "high"] | None
    """High from 12 damp hours a day on, raised from 6. Null before two days are known."""
    airing: AirAiring | None
    """Null where the humidity outdoors or in the room is not known, or does not matter."""
    warmed_by: float
    """Kelvin by which the room is kept warmer against mould now."""


class Override(TypedDict):
    """An override of a room: another target, off, or a fixed power, until a time."""

    target_temperature: NotRequired[float]
    """Celsius, instead of the target."""
    hvac_mode: NotRequired[Literal["off"]]
    """The room is off meanwhile."""
    power: NotRequired[float]
    """A fixed power meanwhile; set on the website."""
    until: str
    """When it ends by itself."""


class OverridePut(TypedDict):
    """Another target, or off, until a time or for hours."""

    target_temperature: NotRequired[float]
    """Celsius, instead of the target."""
    hvac_mode: NotRequired[Literal["off"]]
    """The room is off meanwhile."""
    until: NotRequired[str]
    """When it ends by itself, at most a year ahead."""
    hours: NotRequired[float]
    """Hours from now, by the clock of the service; instead of `until`. At most a year."""


class FeedbackPost(TypedDict):
    """How a person finds the room."""

    feeling: Literal["too_cold", "too_warm"]
    """What a person in the room finds."""


ProposalWindow = TypedDict(
    "ProposalWindow",
    {
        "weekdays": list[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]],
        # Local time of the building as HH:MM.
        "from": str,
        # Local time as HH:MM; 00:00 is the end of the day.
        "to": str,
    },
)
"""When the setpoint would be another. Null: the target of the whole week would be."""


class Proposal(TypedDict):
    """Another target or programme, by what people pressed. A person accepts or dismisses it on the website."""

    feeling: Literal["too_cold", "too_warm"]
    """What a person in the room finds."""
    days: int
    """On how many of the last 28 days it was pressed."""
    window: ProposalWindow | None
    """When the setpoint would be another. Null: the target of the whole week would be."""
    setpoint: float
    """Celsius, as it is planned."""
    proposed_setpoint: float
    """Celsius, as it is proposed."""


Away = TypedDict(
    "Away",
    {
        # When it begins, or began.
        "from": str,
        # The return: the rooms are warm again by then. Null: until the absence is ended.
        "until": str | None,
        # Celsius to which the rooms may cool meanwhile.
        "target_temperature": float,
    },
)
"""An absence, now or to come."""


AwayPut = TypedDict(
    "AwayPut",
    {
        # When it begins; now unless given.
        "from": NotRequired[str],
        # The return: the rooms are warm again by then. At most a year ahead. Null: until the absence is ended.
        "until": str | None,
        # Celsius to which the rooms may cool meanwhile.
        "target_temperature": float,
    },
)
"""Nobody is in the building for a while."""


PowerLimit = TypedDict(
    "PowerLimit",
    {
        # What the heat source of the building may take from the grid, in watts.
        "limit_w": int,
        # When it begins, or began.
        "from": str,
        # When it ends. Of a contact, until when it counts unless it is reported again.
        "until": str,
        # enwg_14a: § 14a of the German energy act, never below 4200 W. agreed: a contract that allows any limit.
        "basis": Literal["enwg_14a", "agreed"],
        # How the service knows of it.
        "reported_by": Literal["interface", "gateway"],
    },
)
"""A limit on the power of the heat source, now or to come."""


PowerLimitPut = TypedDict(
    "PowerLimitPut",
    {
        # What the heat source of the building may take from the grid, in watts.
        "limit_w": int,
        # When it begins; now unless given.
        "from": NotRequired[str],
        # When it ends: at most two days after it begins.
        "until": str,
        # enwg_14a: § 14a of the German energy act, never below 4200 W. agreed: a contract that allows any limit.
        "basis": NotRequired[Literal["enwg_14a", "agreed"]],
    },
)
"""The grid limits the power of the heat source for a while."""


class PresencePeople(TypedDict):
    """See the fields."""

    name: str
    """A person, or a device that stands for one."""
    home: bool | None
    """Null when it has not been reported for a day; it then counts as home."""
    changed_at: str
    """Since when that has been so, as far as reported."""
    reported_at: str
    """The latest report."""


class PresenceRule(TypedDict):
    """What follows when nobody is home."""

    after_minutes: int
    """For so long nobody has to be home before rooms may cool."""
    target_temperature: float
    """Celsius: the setpoint until somebody comes, unless the room could not be warm again in time."""
    warm_again_hours: float
    """A room cools only as far as it can be warmed again within so many hours."""


class Presence(TypedDict):
    """Who is home now, as last reported. What was before is not stored."""

    people: list[PresencePeople]
    rule: PresenceRule | None
    """What follows when nobody is home."""


class PresencePutPeople(TypedDict):
    """See the fields."""

    name: str
    """A person, or a device that stands for one."""
    home: bool | None
    """Null forgets the person."""


class PresencePut(TypedDict):
    """Who is home and who is not. People who are not named stay as they are."""

    people: list[PresencePutPeople]


AlertAiring = TypedDict(
    "AlertAiring",
    {
        # Whether opening the windows wide dries the room: now, later, or not within two days.
        "advice": Literal["now", "later", "no"],
        # For how long, where it helps now.
        "minutes": int | None,
        # From when on it helps, where that is later.
        "from": str | None,
    },
)
"""Null where the humidity outdoors or in the room is not known, or does not matter."""


class AlertDiagnosis(TypedDict):
    """What is probably behind an alert that leaves it open; null where that is not known."""

    cause: Literal["little_flow", "actuator_stuck_closed", "actuator_stuck_open", "sensor_in_sun", "sensor_on_cold_wall", "sensors_swapped", "supply_too_cold", "source_without_heat", "heat_off_at_night", "window_often_open", "sensor_frozen", "other_floor"]
    """What is probably wrong."""
    probability: float
    """How probable it is, in houses like the simulated ones that the diagnosis was tried on."""


class Alert(TypedDict):
    """Something that needs a person."""

    kind: Literal["building_silent", "sensor_silent", "battery_low", "target_unreachable", "valve_without_effect", "model_broken", "valve_silent", "valve_stays_on", "floor_probe_silent", "auto_off_unproven", "heat_source_failed", "supply_too_cold", "loop_low_flow", "sensors_swapped", "mould_risk", "gateway_not_following", "two_agents", "disinfection_overdue", "cooling_left_on", "close_blinds", "sensor_never_heard", "window_open", "floor_limit"]
    """What needs a person."""
    building_id: str
    building: str
    room_id: str | None
    room: str | None
    room_names: list[str] | None
    """The names of both rooms, of an alert about two; else null."""
    rooms: NotRequired[list[str]]
    """Deprecated. Use `room_names`. This one is sent until 2027-12-01 at least."""
    began_at: str | None
    """Since when it holds, where that is known."""
    since: NotRequired[str | None]
    """Deprecated. Use `began_at`. This one is sent until 2027-12-01 at least."""
    value: float | None
    """Battery in percent, the room in Celsius, by how many kelvins rooms are too cold, or damp hours a day."""
    airing: AlertAiring | None
    """Null where the humidity outdoors or in the room is not known, or does not matter."""
    diagnosis: AlertDiagnosis | None
    """What is probably behind an alert that leaves it open; null where that is not known."""


class EnergyEfficiency(TypedDict):
    """Of the heat source; null where none is set."""

    basis: Literal["assumed", "learned"]
    """learned: from days on which an electricity meter and a heat meter reported."""
    days: int
    """Days it was learned from."""
    value: float
    """Heat for each kWh paid for; of a heat pump at 2 °C outdoors and water of 35 °C."""


class EnergyRoomDay(TypedDict):
    """See the fields."""

    day: str
    """Of the building."""
    heat: float | None
    """kWh; null where the area of the room is not known."""
    heat_per_m2: float
    """kWh for each square metre of floor."""
    cost: float | None
    """In `currency`; null where no price was known."""
    hours: NotRequired[list[float] | None]
    """With `step=hour`: kWh of each of the 24 hours of the day, by the clock of the building; null where the area of the room is not known. An hour that the clocks repeat counts once, with both."""


class EnergyRoomSavingsHalfDegreeLess(TypedDict):
    """With a target half a degree lower."""

    percent: float
    """Of the heat of the room; below zero it would have taken more."""
    plus_minus: float
    """The truth is within this of `percent` in about 19 of 20 cases; a saving within it is none."""


class EnergyRoomSavingsSetbackHourEarlier(TypedDict):
    """With each setback an hour earlier; null where the room has none."""

    percent: float
    """Of the heat of the room; below zero it would have taken more."""
    plus_minus: float
    """The truth is within this of `percent` in about 19 of 20 cases; a saving within it is none."""


class EnergyRoomSavings(TypedDict):
    """What two changes would have saved in the last weeks, computed once a week and within a day after the settings of the room have changed. Null where it is not known: less than a week recorded, not learned yet, or not controlled automatically."""

    days: float
    """Recorded days that were replayed on the model of the room: 7 to 28."""
    target_temperature: float
    """Of the room in the replay, in Celsius."""
    half_degree_less: EnergyRoomSavingsHalfDegreeLess
    """With a target half a degree lower."""
    setback_hour_earlier: EnergyRoomSavingsSetbackHourEarlier | None
    """With each setback an hour earlier; null where the room has none."""


class EnergyRoom(TypedDict):
    """The heat of a room, estimated by its model and scaled by a heat meter where one reports. Not a bill."""

    id: str
    """Of the room."""
    name: str
    area_m2: float | None
    heat: float | None
    """kWh that the floor took; null where the area of the room is not known, or no day was counted."""
    heat_error: float | None
    """kWh by which `heat` may be wrong: two times out of three it is within."""
    heat_low: float | None
    """kWh: nine times out of ten the truth is between this and `heat_high`."""
    heat_high: float | None
    """kWh: nine times out of ten the truth is between `heat_low` and this."""
    heat_per_m2: float | None
    """kWh for each square metre of floor; null where no day was counted."""
    share: float | None
    """Of the heat of the building, from 0 to 1."""
    cost: float | None
    """In `currency`; null where no price was known."""
    currency: str | None
    """Of the costs, as EUR (ISO 4217): what people pay with at the place, or the currency of the price source. Null where it is not known."""
    counter: float | None
    """kWh of the room since it began to be counted, whatever days are asked for. It never falls: where a day turns out to be less, it stands still until it is right. Null where the area was never known."""
    days: list[EnergyRoomDay]
    savings: EnergyRoomSavings | None
    """What two changes would have saved in the last weeks, computed once a week and within a day after the settings of the room have changed. Null where it is not known: less than a week recorded, not learned yet, or not controlled automatically."""


Energy = TypedDict(
    "Energy",
    {
        # First day.
        "from": str,
        # Last day.
        "to": str,
        # The first of these days that counts; null where none does.
        "counted_from": str | None,
        # Until when heat of these days is counted; null where none is.
        "counted_until": str | None,
        # kWh of all rooms of which the area is known; null where there is none, or no day was counted.
        "heat": float | None,
        # kWh by which `heat` may be wrong: two times out of three it is within.
        "heat_error": float | None,
        # kWh: nine times out of ten the truth is between this and `heat_high`.
        "heat_low": float | None,
        # kWh: nine times out of ten the truth is between `heat_low` and this.
        "heat_high": float | None,
        # In `currency`; null where no price was known.
        "cost": float | None,
        # Of the costs, as EUR (ISO 4217): what people pay with at the place, or the currency of the price source. Null where it is not known.
        "currency": str | None,
        # kWh of all rooms since they began to be counted, whatever days are asked for. It never falls, also when a room is removed.
        "counter": float | None,
        # Days on which a heat meter reported.
        "metered_days": int,
        # Of the heat source; null where none is set.
        "efficiency": EnergyEfficiency | None,
        "rooms": list[EnergyRoom],
    },
)
"""The heat of each room, estimated by its model and scaled by a heat meter where one reports. Not a bill."""


class RoomEnergyDay(TypedDict):
    """See the fields."""

    day: str
    """Of the building."""
    heat: float | None
    """kWh; null where the area of the room is not known."""
    heat_per_m2: float
    """kWh for each square metre of floor."""
    cost: float | None
    """In `currency`; null where no price was known."""
    hours: NotRequired[list[float] | None]
    """With `step=hour`: kWh of each of the 24 hours of the day, by the clock of the building; null where the area of the room is not known. An hour that the clocks repeat counts once, with both."""


class RoomEnergySavingsHalfDegreeLess(TypedDict):
    """With a target half a degree lower."""

    percent: float
    """Of the heat of the room; below zero it would have taken more."""
    plus_minus: float
    """The truth is within this of `percent` in about 19 of 20 cases; a saving within it is none."""


class RoomEnergySavingsSetbackHourEarlier(TypedDict):
    """With each setback an hour earlier; null where the room has none."""

    percent: float
    """Of the heat of the room; below zero it would have taken more."""
    plus_minus: float
    """The truth is within this of `percent` in about 19 of 20 cases; a saving within it is none."""


class RoomEnergySavings(TypedDict):
    """What two changes would have saved in the last weeks, computed once a week and within a day after the settings of the room have changed. Null where it is not known: less than a week recorded, not learned yet, or not controlled automatically."""

    days: float
    """Recorded days that were replayed on the model of the room: 7 to 28."""
    target_temperature: float
    """Of the room in the replay, in Celsius."""
    half_degree_less: RoomEnergySavingsHalfDegreeLess
    """With a target half a degree lower."""
    setback_hour_earlier: RoomEnergySavingsSetbackHourEarlier | None
    """With each setback an hour earlier; null where the room has none."""


class RoomEnergy(TypedDict):
    """The heat of a room, estimated by its model and scaled by a heat meter where one reports. Not a bill."""

    id: str
    """Of the room."""
    name: str
    area_m2: float | None
    heat: float | None
    """kWh that the floor took; null where the area of the room is not known, or no day was counted."""
    heat_error: float | None
    """kWh by which `heat` may be wrong: two times out of three it is within."""
    heat_low: float | None
    """kWh: nine times out of ten the truth is between this and `heat_high`."""
    heat_high: float | None
    """kWh: nine times out of ten the truth is between `heat_low` and this."""
    heat_per_m2: float | None
    """kWh for each square metre of floor; null where no day was counted."""
    share: float | None
    """Of the heat of the building, from 0 to 1."""
    cost: float | None
    """In `currency`; null where no price was known."""
    currency: str | None
    """Of the costs, as EUR (ISO 4217): what people pay with at the place, or the currency of the price source. Null where it is not known."""
    counter: float | None
    """kWh of the room since it began to be counted, whatever days are asked for. It never falls: where a day turns out to be less, it stands still until it is right. Null where the area was never known."""
    days: list[RoomEnergyDay]
    savings: RoomEnergySavings | None
    """What two changes would have saved in the last weeks, computed once a week and within a day after the settings of the room have changed. Null where it is not known: less than a week recorded, not learned yet, or not controlled automatically."""


class HouseReportHeatLoad(TypedDict):
    """Kilowatts of all rooms with water at design weather; null without a heat meter."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class HouseReportLossPerKelvin(TypedDict):
    """Watts for each kelvin of outdoor temperature; null without a heat meter."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class HouseReportSupplyTemperature(TypedDict):
    """Coldest water of the house in °C at design weather."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class HouseReportSupplyRelief(TypedDict):
    """Each of these alone brings the limiting room down to the others."""

    supply: float
    """Coldest water in °C that is enough for all other rooms."""
    flow: float | None
    """Times as much water in its loops; null where no flow is enough."""
    less_loss: float
    """Less loss of heat, as a share from 0 to 1."""
    cooler: float
    """Kelvin by which it would have to be cooler."""


class HouseReportSupplySeasonalCop(TypedDict):
    """Heat over electricity of a heat pump in a season with this water."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class HouseReportSupplyToday(TypedDict):
    """With the heating curve of today; null where the water is not measured."""

    temperature: float
    seasonal_cop: float


class HouseReportSupply(TypedDict):
    """See the fields."""

    temperature: HouseReportSupplyTemperature
    """Coldest water of the house in °C at design weather."""
    is_measured: bool
    """Whether gateways measured the supply temperature; without that the ranges are wider."""
    limiting_room: str
    """The room that needs it."""
    relief: HouseReportSupplyRelief | None
    """Each of these alone brings the limiting room down to the others."""
    seasonal_cop: HouseReportSupplySeasonalCop
    """Heat over electricity of a heat pump in a season with this water."""
    cop_basis: Literal["assumed", "entered", "learned"]
    """Where the efficiency of the heat pump comes from: usual for air to water, entered, or learned from its meters."""
    today: HouseReportSupplyToday | None
    """With the heating curve of today; null where the water is not measured."""


class HouseReportRenovationChange(TypedDict):
    """Heat for each kelvin between indoors and outdoors: −0.2 is 20 % less. Null with fewer than three pairs."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class HouseReportRenovation(TypedDict):
    """Before and after a renovation; null unless `renovated` is asked for."""

    day: str
    """Of the renovation."""
    pairs: int
    """Weeks before and after it with about the same outdoor temperature."""
    change: HouseReportRenovationChange | None
    """Heat for each kelvin between indoors and outdoors: −0.2 is 20 % less. Null with fewer than three pairs."""
    is_metered: bool
    """Whether a heat meter counted all of these weeks."""


class HouseReportRoomShare(TypedDict):
    """Of the heat load of all rooms, from 0 to 1."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class HouseReportRoomHeatLoad(TypedDict):
    """Kilowatts at design weather; null without a heat meter, and for an electric mat."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class HouseReportRoomLossPerKelvin(TypedDict):
    """Watts for each kelvin of outdoor temperature; null as `heat_load` is."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class HouseReportRoomSupply(TypedDict):
    """Coldest water in °C that is enough at design weather with the loop open; null for an electric mat."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class HouseReportRoom(TypedDict):
    """See the fields."""

    id: str
    """Of the room."""
    name: str
    area_m2: float
    temperature: float
    """At which it is held: its target, in °C."""
    share: HouseReportRoomShare
    """Of the heat load of all rooms, from 0 to 1."""
    heat_load: HouseReportRoomHeatLoad | None
    """Kilowatts at design weather; null without a heat meter, and for an electric mat."""
    loss_per_kelvin: HouseReportRoomLossPerKelvin | None
    """Watts for each kelvin of outdoor temperature; null as `heat_load` is."""
    time_constant: float
    """Hours in which it loses 63 % of its warmth without heat."""
    sun_share: float
    """Of heat and sun together, the part of the sun, from 0 to 1."""
    supply: HouseReportRoomSupply | None
    """Coldest water in °C that is enough at design weather with the loop open; null for an electric mat."""
    floor: float
    """Surface of the floor at design weather, in °C."""
    floor_limit: float
    """The highest that is allowed, in °C."""


class HouseReportLeftOut(TypedDict):
    """See the fields."""

    id: str
    """Of the room."""
    name: str
    why: Literal["no_area", "not_learned", "too_short", "not_heated"]
    """no_area: its area has not been entered. not_learned: the model has not been learned. too_short: less than a week of readings. not_heated: it took no heat."""


class HouseReport(TypedDict):
    """What a house loses, and what it needs at design weather: on a cloudy day, with people and appliances as they are, each room at its target."""

    outdoor_temperature: float
    """Outdoor temperature of the design weather, in °C."""
    until: str | None
    """End of the readings that it was worked out from; null where there are none."""
    days: float
    """Days of readings that it was worked out from, at most 14."""
    is_metered: bool
    """Whether a heat meter counted all of it. Without one there are shares only, and no kilowatts."""
    heat_load: HouseReportHeatLoad | None
    """Kilowatts of all rooms with water at design weather; null without a heat meter."""
    loss_per_kelvin: HouseReportLossPerKelvin | None
    """Watts for each kelvin of outdoor temperature; null without a heat meter."""
    time_constant: float | None
    """Hours in which the house loses 63 % of its warmth without heat."""
    sun_share: float | None
    """Of heat and sun together, the part of the sun, from 0 to 1."""
    degree: float | None
    """More heat for one degree more in all rooms: 0.06 is 6 %."""
    supply: HouseReportSupply | None
    renovation: HouseReportRenovation | None
    """Before and after a renovation; null unless `renovated` is asked for."""
    rooms: list[HouseReportRoom]
    left_out: list[HouseReportLeftOut]


class BalancingSupply(TypedDict):
    """Coldest water of the house in °C at design weather, as it is now."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class BalancingLowering(TypedDict):
    """Kelvin by which the supply temperature can fall."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class BalancingRoomFlow(TypedDict):
    """Times as much water as now in each of its loops."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class BalancingRoomShare(TypedDict):
    """Of the heat load of all rooms, from 0 to 1."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class BalancingRoomHeatLoad(TypedDict):
    """Kilowatts at design weather, estimated; null without a heat meter."""

    value: float
    low: float
    """Nine times out of ten the truth is between this and `high`."""
    high: float


class BalancingRoomLoop(TypedDict):
    """See the fields."""

    gateway_id: str
    """Of the gateway."""
    channel: int
    design_flow_l_min: float | None
    """As entered, in litres a minute."""
    advised_flow_l_min: float | None
    """Where the loop stands at its design flow now; null where that has not been entered."""


class BalancingRoom(TypedDict):
    """See the fields."""

    id: str
    """Of the room."""
    name: str
    advice: Literal["open", "throttle", "leave"]
    """leave: the range of `flow` contains 1, so nobody can say whether it should be more or less."""
    flow: BalancingRoomFlow
    """Times as much water as now in each of its loops."""
    supply: float
    """Coldest water in °C that is enough at design weather, as it is now."""
    supply_after: float
    """The same after the change."""
    share: BalancingRoomShare
    """Of the heat load of all rooms, from 0 to 1."""
    heat_load: BalancingRoomHeatLoad | None
    """Kilowatts at design weather, estimated; null without a heat meter."""
    loops: list[BalancingRoomLoop]


class BalancingLeftOut(TypedDict):
    """See the fields."""

    id: str
    """Of the room."""
    name: str
    why: Literal["no_area", "not_learned", "too_short", "not_heated"]
    """no_area: its area has not been entered. not_learned: the model has not been learned. too_short: less than a week of readings. not_heated: it took no heat."""


class Balancing(TypedDict):
    """By how much the water of each loop should change so that all rooms need the same supply temperature. Fewer than two rooms with water: no advice."""

    outdoor_temperature: float
    """Outdoor temperature of the design weather, in °C."""
    until: str | None
    """End of the readings that it was worked out from; null where there are none."""
    days: float
    """Days of readings that it was worked out from, at most 14."""
    is_measured: bool
    """Whether gateways measured the supply temperature; without that the ranges are wider."""
    limiting_room: str | None
    """The room that needs the warmest water; null without advice."""
    supply: BalancingSupply | None
    """Coldest water of the house in °C at design weather, as it is now."""
    supply_after: float | None
    """The same after the change."""
    lowering: BalancingLowering | None
    """Kelvin by which the supply temperature can fall."""
    rooms: list[BalancingRoom]
    left_out: list[BalancingLeftOut]


class ChangesBuilding(TypedDict):
    """See the fields."""

    id: str
    """`{buildingId}` in paths."""
    rooms: list[str]
    """Empty where only the building itself has changed."""


class Changes(TypedDict):
    """What has changed."""

    cursor: str
    """For the next request."""
    buildings: list[ChangesBuilding]
    """Empty when nothing has changed."""


class LogEntryBy(TypedDict):
    """See the fields."""

    kind: Literal["person", "key", "command", "gateway", "home_assistant", "matter", "rule", "control", "operator"]
    """Who or what made the change."""
    name: str | None
    """Of a key, a gateway or a rule; null for a person."""
    role: str | None
    """Of the person, or of the holder of the key, at that time."""


class LogEntry(TypedDict):
    """See the fields."""

    building_id: str
    """`{buildingId}` in paths."""
    sequence: int
    """Rises within a building."""
    at: str
    """When."""
    by: LogEntryBy
    room_id: str | None
    """Null for a setting of the building."""
    subject: str
    """Name of the room or the building, at that time."""
    field: str
    """The setting; `room` where a room was added or removed."""
    before: str | float | dict[str, str | float | bool | None] | None
    """The value before, as its own path shows it; null where there was none."""
    after: str | float | dict[str, str | float | bool | None] | None
    """The value afterwards; null where there is none."""


class Log(TypedDict):
    """Who changed what and when."""

    entries: list[LogEntry]
    """The latest first, at most 100."""
    next: str | None
    """`before` of the next page; null on the last."""


class Key(TypedDict):
    """The key in use; never its value."""

    id: str
    """Names the key, for instance to revoke it."""
    name: str
    """What the holder called it."""
    permission: Literal["read", "write"]
    """`write` includes reading, and can switch the heating off."""
    expires_at: str | None
    """Null: it does not expire."""


class ErrorBodyError(TypedDict):
    """See the fields."""

    code: Literal["moved", "invalid_json", "invalid_body", "unknown_field", "invalid_value", "unknown_sensor", "missing_api_key", "invalid_api_key", "read_only_key", "not_permitted", "not_found", "method_not_allowed", "not_acceptable", "request_timeout", "precondition_failed", "body_too_large", "uri_too_long", "unsupported_media_type", "rate_limited", "headers_too_large", "internal_error", "unavailable"]
    """Machine-readable. Later versions may add codes."""
    message: str
    """For a person; names the field or id it is about."""


class ErrorBody(TypedDict):
    """The form of every error."""

    error: ErrorBodyError


class State(TypedDict):
    """The state of a building: each part as its own path answers it."""

    building: Building
    rooms: list[Room]
    alerts: list[Alert]
    away: Away | None
    power_limit: PowerLimit | None
    overrides: dict[str, Override | None]
    """By the id of the room; null: none."""
    outlooks: dict[str, Outlook]
    """By the id of the room."""
    air: dict[str, Air]
    """By the id of the room."""
    proposals: dict[str, Proposal | None]
    """What is proposed for a room after `feedback`, by the id of the room; null: none."""
    timezone: str
    """Of the building, as in the IANA database."""
    revision: str
    """Another one whenever anything else in it is: the `ETag` without quotes."""


class ProgrammeStep(TypedDict):
    """See the fields."""

    at: str
    """Local time as HH:MM."""
    setback: float
    """Kelvin below the target."""


class ProgrammeDate(TypedDict):
    """See the fields."""

    date: str
    """YYYY-MM-DD."""
    follows: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    """The weekday whose plan counts on this date."""


class Programme(TypedDict):
    """The week plan of a room: steps for each weekday, and single dates that follow the plan of another weekday. The last step holds until the next one, also over days without steps."""

    monday: NotRequired[list[ProgrammeStep]]
    """In the order of the day. The last step of the day before holds until the first."""
    tuesday: NotRequired[list[ProgrammeStep]]
    """In the order of the day. The last step of the day before holds until the first."""
    wednesday: NotRequired[list[ProgrammeStep]]
    """In the order of the day. The last step of the day before holds until the first."""
    thursday: NotRequired[list[ProgrammeStep]]
    """In the order of the day. The last step of the day before holds until the first."""
    friday: NotRequired[list[ProgrammeStep]]
    """In the order of the day. The last step of the day before holds until the first."""
    saturday: NotRequired[list[ProgrammeStep]]
    """In the order of the day. The last step of the day before holds until the first."""
    sunday: NotRequired[list[ProgrammeStep]]
    """In the order of the day. The last step of the day before holds until the first."""
    dates: NotRequired[list[ProgrammeDate]]


class ProgrammeCopies(TypedDict):
    """The rooms that get the programme."""

    room_ids: list[str]


class ProgrammeCalendar(TypedDict):
    """What a room is planned to be for four weeks."""

    content: str
    """In the iCalendar format."""


RoomComfortMinimumFloorTemperature = TypedDict(
    "RoomComfortMinimumFloorTemperature",
    {
        # Celsius at the surface.
        "temperature": float,
        # Local time as HH:MM; the floor is warm by then.
        "from": str,
        # Local time as HH:MM; one that is not later than `from` is of the next day.
        "to": str,
        # On which days it begins; every day unless given.
        "days": NotRequired[list[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]]],
    },
)


class RoomComfortBlinds(TypedDict):
    """Blinds outside the windows of a room."""

    sides: list[Literal["east", "south", "west"]]
    """The sides on which windows have blinds outside."""
    above: float
    """Celsius: the blinds are to be closed where the sun would make the room warmer than this."""
    covers: NotRequired[list[str]]
    """Covers that the gateway moves then, by their names in its file. Without any, nothing is moved."""
    position: NotRequired[float]
    """Percent to which they are moved, 100 is open; 10 unless given."""


class RoomComfort(TypedDict):
    """How closely a room is held at its setpoint, how warm its floor is at least and at most, what is known and done against mould, and its blinds."""

    comfort_band: float
    """Kelvin either side of the target."""
    max_floor_temperature: float
    """Celsius at the surface."""
    floor_type: Literal["screed", "dry", "timber", "slab", "electric"]
    """How the floor is built: it decides how long a room takes to answer."""
    surface_factor: float
    """f_Rsi of the coldest surface: its share of the way from outdoors to the air of the room."""
    mould_warming: float
    """Kelvin by which the room may be warmed against mould; 0: not at all."""
    minimum_floor_temperature: list[RoomComfortMinimumFloorTemperature] | None
    """When the floor has at least this temperature. Where several overlap, the highest counts; the highest temperature allowed for the floor always does."""
    target_of: Literal["air", "floor"]
    """What the target and all other setpoints of the room are the temperature of."""
    blinds: RoomComfortBlinds | None
    """Blinds outside the windows of a room."""


RoomComfortPatchMinimumFloorTemperature = TypedDict(
    "RoomComfortPatchMinimumFloorTemperature",
    {
        # Celsius at the surface.
        "temperature": float,
        # Local time as HH:MM; the floor is warm by then.
        "from": str,
        # Local time as HH:MM; one that is not later than `from` is of the next day.
        "to": str,
        # On which days it begins; every day unless given.
        "days": NotRequired[list[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]]],
    },
)


class RoomComfortPatchBlinds(TypedDict):
    """Blinds outside the windows of a room."""

    sides: list[Literal["east", "south", "west"]]
    """The sides on which windows have blinds outside."""
    above: float
    """Celsius: the blinds are to be closed where the sun would make the room warmer than this."""
    covers: NotRequired[list[str]]
    """Covers that the gateway moves then, by their names in its file. Without any, nothing is moved."""
    position: NotRequired[float]
    """Percent to which they are moved, 100 is open; 10 unless given."""


class RoomComfortPatch(TypedDict):
    """Only the fields sent change. The type of floor is read only."""

    comfort_band: NotRequired[float]
    """Kelvin either side of the target."""
    max_floor_temperature: NotRequired[float]
    """Celsius at the surface."""
    surface_factor: NotRequired[float]
    """f_Rsi of the coldest surface: its share of the way from outdoors to the air of the room."""
    mould_warming: NotRequired[float]
    """Kelvin by which the room may be warmed against mould; 0: not at all."""
    minimum_floor_temperature: NotRequired[list[RoomComfortPatchMinimumFloorTemperature] | None]
    """When the floor has at least this temperature. Where several overlap, the highest counts; the highest temperature allowed for the floor always does."""
    target_of: NotRequired[Literal["air", "floor"]]
    """What the target and all other setpoints of the room are the temperature of."""
    blinds: NotRequired[RoomComfortPatchBlinds | None]
    """Blinds outside the windows of a room."""


class BuildingComfort(TypedDict):
    """How firmly the rooms of a building are held at their setpoints."""

    comfort: Literal["comfort_first", "balanced", "saving"]
    """comfort_first: held at the setpoint in expensive hours too. balanced: a little below it in expensive hours. saving: the whole comfort band is used at all times. Without prices comfort_first and balanced are the same."""


class CoolingChangeover(TypedDict):
    """How the season automatic changes. The temperatures count for outdoor only."""

    by: Literal["outdoor", "reported"]
    """outdoor: by the mean temperature of a day. reported: as a contact or the source reports to a gateway."""
    cooling_above: float
    """Celsius outdoors: above this the building cools."""
    heating_below: float
    """Celsius outdoors: below this it heats."""


class CoolingRoom(TypedDict):
    """See the fields."""

    room_id: str
    """A room of the building."""
    target_temperature: float | None
    """Celsius to which the room is cooled. Null: its loops stay shut while the building cools."""


class CoolingStateRoom(TypedDict):
    """See the fields."""

    room_id: str
    """A room."""
    dew_point: float | None
    """Celsius; null where the humidity is not known."""
    cooling: bool
    """Whether its loops are open."""


class CoolingState(TypedDict):
    """What the building does now."""

    season: Literal["heating", "cooling"]
    """What the building does now."""
    since: str | None
    """Since when; null where it has always heated."""
    blocked: Literal["no_gateway", "frost", "screed"] | None
    """Why it heats in the season of cooling: no gateway that is online can cool, a pipe may freeze, or a new screed is heated up."""
    supply_temperature: float | None
    """Celsius of the water that is asked for; null while it heats."""
    outdoor_mean: float | None
    """Celsius, as the mean of a day."""
    rooms: list[CoolingStateRoom]


class Cooling(TypedDict):
    """Cooling of a building."""

    season: Literal["heating", "cooling", "automatic"]
    """Whether the source heats or cools."""
    changeover: CoolingChangeover
    """How the season automatic changes. The temperatures count for outdoor only."""
    rooms: list[CoolingRoom]
    state: CoolingState
    """What the building does now."""


class CoolingPutChangeover(TypedDict):
    """How the season automatic changes. The temperatures count for outdoor only."""

    by: Literal["outdoor", "reported"]
    """outdoor: by the mean temperature of a day. reported: as a contact or the source reports to a gateway."""
    cooling_above: float
    """Celsius outdoors: above this the building cools."""
    heating_below: float
    """Celsius outdoors: below this it heats."""


class CoolingPutRoom(TypedDict):
    """See the fields."""

    room_id: str
    """A room of the building."""
    target_temperature: float | None
    """Celsius to which the room is cooled. Null: its loops stay shut while the building cools."""


class CoolingPut(TypedDict):
    """Without changeover the one before stays, and so do the rooms that are not named."""

    season: Literal["heating", "cooling", "automatic"]
    """Whether the source heats or cools."""
    changeover: NotRequired[CoolingPutChangeover]
    """How the season automatic changes. The temperatures count for outdoor only."""
    rooms: NotRequired[list[CoolingPutRoom]]


HotWaterSettingsTime = TypedDict(
    "HotWaterSettingsTime",
    {
        "days": list[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]],
        # Local time as HH:MM.
        "from": str,
        # Local time as HH:MM.
        "to": str,
    },
)
"""From a time to another; over midnight where the second is earlier."""


class HotWaterSettings(TypedDict):
    """A tank of hot water that the heat source of the building heats."""

    volume_l: float
    """Litres in the tank."""
    temperature: float
    """Celsius to which the source heats the tank. Below 50 only with disinfection."""
    tap_temperature: float
    """The least, in Celsius, that the tank has at the times at which water is to be hot."""
    people: int
    """How many people use it, for the first days."""
    times: list[HotWaterSettingsTime]
    """When water is to be hot; none: always."""
    disinfection: float | None
    """Celsius to which the tank is heated once a week against legionella; null: never."""


HotWaterStateNext = TypedDict(
    "HotWaterStateNext",
    {
        # What the source is asked for.
        "kind": Literal["charge", "disinfect"],
        # When it begins, or began.
        "from": str,
        # When it is expected to end.
        "until": str,
        # Celsius to which the tank is heated.
        "temperature": float,
    },
)
"""The next charge, or the one that runs."""


class HotWaterState(TypedDict):
    """What is known of the tank, and what it is to do; null until the control has looked at it."""

    temperature: float
    """Celsius of the tank."""
    measured_at: str | None
    """When it was measured; null where it is only expected."""
    heating: bool
    """Whether the source makes hot water."""
    asked: bool
    """Whether it does so by an order of the service."""
    next: HotWaterStateNext | None
    """The next charge, or the one that runs."""
    disinfected_at: str | None
    """When the tank was last disinfected, without a sensor as expected; null: not yet."""
    problems: list[Literal["too_cold", "disinfection_overdue"]]


class HotWater(TypedDict):
    """Hot water of a building. Notices: legionella: below 60 °C without disinfection. disinfection_unproven: no sensor shows whether the tank is disinfected. scalding: water above 60 °C needs a mixing valve. not_asked: no gateway can ask the source. no_sensor: no gateway measures the tank."""

    settings: HotWaterSettings | None
    """A tank of hot water that the heat source of the building heats."""
    state: HotWaterState | None
    """What is known of the tank, and what it is to do; null until the control has looked at it."""
    notices: list[Literal["legionella", "disinfection_unproven", "scalding", "not_asked", "no_sensor"]]


HotWaterPutSettingsTime = TypedDict(
    "HotWaterPutSettingsTime",
    {
        "days": list[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]],
        # Local time as HH:MM.
        "from": str,
        # Local time as HH:MM.
        "to": str,
    },
)
"""From a time to another; over midnight where the second is earlier."""


class HotWaterPutSettings(TypedDict):
    """A tank of hot water that the heat source of the building heats."""

    volume_l: float
    """Litres in the tank."""
    temperature: float
    """Celsius to which the source heats the tank. Below 50 only with disinfection."""
    tap_temperature: float
    """The least, in Celsius, that the tank has at the times at which water is to be hot."""
    people: int
    """How many people use it, for the first days."""
    times: list[HotWaterPutSettingsTime]
    """When water is to be hot; none: always."""
    disinfection: float | None
    """Celsius to which the tank is heated once a week against legionella; null: never."""


class HotWaterPut(TypedDict):
    """Null: the control leaves hot water alone."""

    settings: HotWaterPutSettings | None
    """A tank of hot water that the heat source of the building heats."""


class FlexibilityOffer(TypedDict):
    """What a building can do for the grid, beside what it plans anyway."""

    direction: Literal["less", "more"]
    """less: no electricity for the floors. more: as much as they can store."""
    minutes: int
    """For how long, from `calculated_at` on."""
    power_w: int | None
    """By how many watts the heat source would take less, or more, on the mean of that time."""
    energy_kwh: float | None
    """The same as energy."""
    planned_kwh: float | None
    """What the heat source is planned to take in that time."""
    later_kwh: float | None
    """What is taken later instead, within two days; below 0 it is less."""
    kelvin_hours: float
    """By how much longer or further rooms are outside their comfort bands, all together."""
    temperature_change: float
    """Kelvin by which a room becomes colder, or warmer, at most."""
    rooms: int
    """How many rooms take part."""


FlexibilityRecord = TypedDict(
    "FlexibilityRecord",
    {
        # When the limit began.
        "from": str,
        # When it ended.
        "until": str,
        # The limit, in watts.
        "limit_w": int,
        # When it was set, and the rest was worked out.
        "promised_at": str,
        # It was withdrawn or replaced before it ended: nothing was counted.
        "withdrawn": bool,
        # What the rooms would have taken in that time.
        "planned_kwh": float | None,
        # What they were expected to leave untaken.
        "promised_kwh": float | None,
        # What they took, by their loops; null until it has been counted.
        "taken_kwh": float | None,
        # What they left untaken: planned less taken.
        "delivered_kwh": float | None,
        # What of the promise was not delivered.
        "missed_kwh": float | None,
        # What the electricity meters of the heat source counted in that time.
        "metered_kwh": float | None,
    },
)
"""What a power limit was expected to bring, and what it brought."""


class Flexibility(TypedDict):
    """What a building can do for the grid, and what it has done."""

    calculated_at: str
    """When the offers were worked out: at most five minutes ago."""
    power_unknown: Literal["no_heat_source", "not_electric", "no_area", "no_meter"] | None
    """Why power and energy are null. no_heat_source: none is set. not_electric: it does not take electricity. no_area: the area of a room is not known. no_meter: no meter has counted the heat source for the last week."""
    offers: list[FlexibilityOffer]
    """One a direction and duration; empty where the heat is not known to be made from electricity."""
    record: list[FlexibilityRecord]
    """The latest power limits that were set through the interface, the newest first."""


class FleetFlexibilityOffer(TypedDict):
    """See the fields."""

    direction: Literal["less", "more"]
    """less: no electricity for the floors. more: as much as they can store."""
    minutes: int
    """For how long, from `calculated_at` on."""
    power_w: int | None
    """By how many watts the heat source would take less, or more, on the mean of that time."""
    energy_kwh: float | None
    """The same as energy."""
    planned_kwh: float | None
    """What the heat source is planned to take in that time."""
    later_kwh: float | None
    """What is taken later instead, within two days; below 0 it is less."""
    kelvin_hours: float
    """By how much longer or further rooms are outside their comfort bands, all together."""


class FleetFlexibility(TypedDict):
    """What all buildings of a key can do for the grid together."""

    buildings: int
    """How many buildings this answer is about: 10 at most."""
    building_ids: list[str]
    """Those whose power is known; the sums are theirs."""
    next: str | None
    """Send it as `after` for the buildings that follow; null: these were the last."""
    offers: list[FleetFlexibilityOffer]
    """The offers of these buildings, added up; empty where the power of none is known."""


CalendarRule = TypedDict(
    "CalendarRule",
    {
        # The rule applies to events whose title contains this, in any case. Empty: to every event.
        "title": str,
        # Null: the whole house.
        "room_ids": list[str] | None,
        # `away`: at most `target_temperature` during the event. `comfort`: the target of each room during the event, or from `from` to `to` on its days. `day`: the days of the event follow the programme of the weekday `follows`.
        "effect": Literal["away", "comfort", "day"],
        # Celsius; with `away` only.
        "target_temperature": NotRequired[float],
        # Local time; with `comfort` only, and only together with `to`.
        "from": NotRequired[str],
        # Local time, later than `from`.
        "to": NotRequired[str],
        # With `day` only.
        "follows": NotRequired[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]],
    },
)
"""What follows from some events of a calendar."""


class CalendarEvent(TypedDict):
    """See the fields."""

    title: str
    starts_at: str
    """When it begins."""
    ends_at: str
    """When it ends."""
    all_day: bool
    """Whether it has days instead of times."""
    rule: int | None
    """The first rule that applies to it, counted from 0; null: none."""


class Calendar(TypedDict):
    """A calendar of a building, what follows from its events, and the next of them."""

    id: str
    name: str
    source: Literal["address", "file"]
    """Where it comes from."""
    host: str | None
    """Of the address; the rest is a secret."""
    rules: list[CalendarRule]
    """Where several apply to a room at the same time, the first counts."""
    checked_at: str | None
    """The last attempt to read it; null before the first."""
    problem: Literal["address_not_allowed", "unreachable", "timeout", "not_found", "not_permitted", "refused", "too_many_redirects", "too_large", "not_a_calendar", "too_slow"] | None
    """Why the last attempt failed. What was read before goes on counting. Null: it did not fail."""
    unreadable: int
    """How many of its events could not be read."""
    events: list[CalendarEvent]
    """Of the next sixty days, at most a hundred."""


CalendarsCalendarRule = TypedDict(
    "CalendarsCalendarRule",
    {
        # The rule applies to events whose title contains this, in any case. Empty: to every event.
        "title": str,
        # Null: the whole house.
        "room_ids": list[str] | None,
        # `away`: at most `target_temperature` during the event. `comfort`: the target of each room during the event, or from `from` to `to` on its days. `day`: the days of the event follow the programme of the weekday `follows`.
        "effect": Literal["away", "comfort", "day"],
        # Celsius; with `away` only.
        "target_temperature": NotRequired[float],
        # Local time; with `comfort` only, and only together with `to`.
        "from": NotRequired[str],
        # Local time, later than `from`.
        "to": NotRequired[str],
        # With `day` only.
        "follows": NotRequired[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]],
    },
)
"""What follows from some events of a calendar."""


class CalendarsCalendarEvent(TypedDict):
    """See the fields."""

    title: str
    starts_at: str
    """When it begins."""
    ends_at: str
    """When it ends."""
    all_day: bool
    """Whether it has days instead of times."""
    rule: int | None
    """The first rule that applies to it, counted from 0; null: none."""


class CalendarsCalendar(TypedDict):
    """A calendar of a building, what follows from its events, and the next of them."""

    id: str
    name: str
    source: Literal["address", "file"]
    """Where it comes from."""
    host: str | None
    """Of the address; the rest is a secret."""
    rules: list[CalendarsCalendarRule]
    """Where several apply to a room at the same time, the first counts."""
    checked_at: str | None
    """The last attempt to read it; null before the first."""
    problem: Literal["address_not_allowed", "unreachable", "timeout", "not_found", "not_permitted", "refused", "too_many_redirects", "too_large", "not_a_calendar", "too_slow"] | None
    """Why the last attempt failed. What was read before goes on counting. Null: it did not fail."""
    unreadable: int
    """How many of its events could not be read."""
    events: list[CalendarsCalendarEvent]
    """Of the next sixty days, at most a hundred."""


class Calendars(TypedDict):
    """The calendars of a building. Where several apply, the first counts."""

    calendars: list[CalendarsCalendar]


CalendarPutRule = TypedDict(
    "CalendarPutRule",
    {
        # The rule applies to events whose title contains this, in any case. Empty: to every event.
        "title": str,
        # Null: the whole house.
        "room_ids": list[str] | None,
        # `away`: at most `target_temperature` during the event. `comfort`: the target of each room during the event, or from `from` to `to` on its days. `day`: the days of the event follow the programme of the weekday `follows`.
        "effect": Literal["away", "comfort", "day"],
        # Celsius; with `away` only.
        "target_temperature": NotRequired[float],
        # Local time; with `comfort` only, and only together with `to`.
        "from": NotRequired[str],
        # Local time, later than `from`.
        "to": NotRequired[str],
        # With `day` only.
        "follows": NotRequired[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]],
    },
)
"""What follows from some events of a calendar."""


class CalendarPut(TypedDict):
    """A calendar and what follows from its events. A new one has an `address` or `content`."""

    name: str
    address: NotRequired[str]
    """Where the calendar is published, in the iCalendar format. It is treated as a secret and never shown again."""
    content: NotRequired[str]
    """An iCalendar file, instead of an address."""
    rules: list[CalendarPutRule]
    """Where several apply to a room at the same time, the first counts."""
