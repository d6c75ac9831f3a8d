"""The operations of the interface as methods.

Made from the OpenAPI documents by scripts/python-client.ts. Do not edit.
"""

from abc import ABC, abstractmethod
from typing import Literal, TypeVar

from .requests import Instant, Request, Shape, path_of
from .types import (
    Air,
    Alert,
    Away,
    AwayPut,
    Balancing,
    Building,
    BuildingComfort,
    Calendar,
    CalendarPut,
    Calendars,
    Changes,
    Cooling,
    CoolingPut,
    Diagnosis,
    Energy,
    Explanation,
    FeedbackPost,
    FleetFlexibility,
    Flexibility,
    History,
    HotWater,
    HotWaterPut,
    HouseReport,
    Key,
    Log,
    Outlook,
    Override,
    OverridePut,
    PowerLimit,
    PowerLimitPut,
    Presence,
    PresencePut,
    Programme,
    ProgrammeCalendar,
    ProgrammeCopies,
    Room,
    RoomComfort,
    RoomComfortPatch,
    RoomEnergy,
    RoomPatch,
    RoomPatches,
    State,
)

T = TypeVar("T")


class Operations(ABC):
    """Each method returns when the service has answered."""

    @abstractmethod
    def call(self, request: Request[T]) -> T:
        """Send a request, retry while the service is busy or away, and return what it answers."""

    def list_buildings(self) -> list[Building]:
        """All buildings the key can reach. Also the way to validate a key."""
        return self.call(Request[list[Building]]("GET", "/v1/buildings", Shape(Building, "list")))

    def get_building(self, building_id: str) -> Building:
        """One building."""
        return self.call(Request[Building]("GET", path_of("/v1/buildings/{}", building_id), Shape(Building, "one")))

    def list_rooms(self, building_id: str) -> list[Room]:
        """All rooms of a building. Each with the latest reading of its sensor. Poll every 30 to 60 seconds; send `If-None-Match`."""
        return self.call(Request[list[Room]]("GET", path_of("/v1/buildings/{}/rooms", building_id), Shape(Room, "list")))

    def patch_rooms(self, building_id: str, body: RoomPatches) -> list[Room]:
        """Change settings of several rooms. As `PATCH` of each room, but all in one transaction: one bad field, or one room that is not there, and nothing changes. Costs 5 writes, however many rooms. It cannot be made conditional."""
        return self.call(Request[list[Room]]("PATCH", path_of("/v1/buildings/{}/rooms", building_id), Shape(Room, "list"), body=body))

    def get_room(self, building_id: str, room_id: str) -> Room:
        """One room."""
        return self.call(Request[Room]("GET", path_of("/v1/buildings/{}/rooms/{}", building_id, room_id), Shape(Room, "one")))

    def patch_room(self, building_id: str, room_id: str, body: RoomPatch, *, if_unchanged: bool = False) -> Room:
        """Change settings of a room. Only the fields sent change; one bad field, and nothing changes. The change is on disk before the answer is sent. `power` and `hvac_action` may follow shortly after. A `target_temperature` is a wish for now: it holds until the next step of the programme, in an absence until it ends, and is the base of the programme from then on."""
        return self.call(Request[Room]("PATCH", path_of("/v1/buildings/{}/rooms/{}", building_id, room_id), Shape(Room, "one"), body=body, if_unchanged=if_unchanged))

    def get_history(self, building_id: str, room_id: str, *, from_: Instant, to: Instant) -> History:
        """A room’s past. Temperature, humidity, dew point, humidity at the coldest surface, power, setpoint and outdoor temperature between two times."""
        return self.call(Request[History]("GET", path_of("/v1/buildings/{}/rooms/{}/history", building_id, room_id), Shape(History, "one"), query={"from": from_, "to": to}))

    def get_explanation(self, building_id: str, room_id: str) -> Explanation | None:
        """Why the floor of a room does what it does. The heating control’s latest decision for the room, as data and as a sentence."""
        return self.call(Request[Explanation | None]("GET", path_of("/v1/buildings/{}/rooms/{}/explanation", building_id, room_id), Shape(Explanation, "optional")))

    def get_diagnosis(self, building_id: str, room_id: str) -> Diagnosis | None:
        """What is probably wrong with the heating of a room. Causes with their probabilities, what shows them, and what to check first. `causes` is empty when nothing is probably wrong. Worked out about once a day from the last ten days of all rooms of the building."""
        return self.call(Request[Diagnosis | None]("GET", path_of("/v1/buildings/{}/rooms/{}/diagnosis", building_id, room_id), Shape(Diagnosis, "optional")))

    def get_away(self, building_id: str) -> Away | None:
        """The absence of a building. Now or to come; null when there is none."""
        return self.call(Request[Away | None]("GET", path_of("/v1/buildings/{}/away", building_id), Shape(Away, "optional")))

    def put_away(self, building_id: str, body: AwayPut, *, if_unchanged: bool = False) -> Away | None:
        """Set the absence of a building. The rooms may cool, and are warm again by the return. Targets stay as they are. Replaces an absence that was set before."""
        return self.call(Request[Away | None]("PUT", path_of("/v1/buildings/{}/away", building_id), Shape(Away, "optional"), body=body, if_unchanged=if_unchanged))

    def delete_away(self, building_id: str, *, if_unchanged: bool = False) -> None:
        """End the absence of a building. Also cancels one to come. The answer is null, also when there was none."""
        return self.call(Request[None]("DELETE", path_of("/v1/buildings/{}/away", building_id), if_unchanged=if_unchanged))

    def get_power_limit(self, building_id: str) -> PowerLimit | None:
        """The limit of the grid on the power of the heat source. In force or to come, set through the interface or reported by a gateway; of several in force the strictest. Null when there is none."""
        return self.call(Request[PowerLimit | None]("GET", path_of("/v1/buildings/{}/power-limit", building_id), Shape(PowerLimit, "optional")))

    def put_power_limit(self, building_id: str, body: PowerLimitPut, *, if_unchanged: bool = False) -> PowerLimit | None:
        """Limit the power of the heat source for a while. The rooms are preheated until it begins, and share what is left by need while it lasts. Frost protection and manual power go before. Replaces a limit that was set before."""
        return self.call(Request[PowerLimit | None]("PUT", path_of("/v1/buildings/{}/power-limit", building_id), Shape(PowerLimit, "optional"), body=body, if_unchanged=if_unchanged))

    def delete_power_limit(self, building_id: str, *, if_unchanged: bool = False) -> None:
        """Withdraw the power limit that was set. Also cancels one to come. The answer is null, also when there was none. A limit that a gateway reports stays."""
        return self.call(Request[None]("DELETE", path_of("/v1/buildings/{}/power-limit", building_id), if_unchanged=if_unchanged))

    def get_presence(self, building_id: str) -> Presence:
        """Who is home, and what follows when nobody is. The people and devices that were reported, each as it was last. Not shown to guests. The rule is chosen on the website."""
        return self.call(Request[Presence]("GET", path_of("/v1/buildings/{}/presence", building_id), Shape(Presence, "one")))

    def put_presence(self, building_id: str, body: PresencePut, *, if_unchanged: bool = False) -> Presence:
        """Report who is home. A name that is not known yet is added, at most thirty of a building; people who are not named stay as they are, so that several sources can report. Report again at least every few hours, also without a change: a person who was not reported for a day counts as home. Nothing follows until a rule is chosen on the website."""
        return self.call(Request[Presence]("PUT", path_of("/v1/buildings/{}/presence", building_id), Shape(Presence, "one"), body=body, if_unchanged=if_unchanged))

    def get_override(self, building_id: str, room_id: str) -> Override | None:
        """The override of a room. Null when there is none."""
        return self.call(Request[Override | None]("GET", path_of("/v1/buildings/{}/rooms/{}/override", building_id, room_id), Shape(Override, "optional")))

    def put_override(self, building_id: str, room_id: str, body: OverridePut, *, if_unchanged: bool = False) -> Override | None:
        """Another target, or off, until a time. Ends by itself, or by a later PATCH of the target, the mode or manual power. The fields of the room stay what they are; `power` and `hvac_action` follow shortly after."""
        return self.call(Request[Override | None]("PUT", path_of("/v1/buildings/{}/rooms/{}/override", building_id, room_id), Shape(Override, "optional"), body=body, if_unchanged=if_unchanged))

    def delete_override(self, building_id: str, room_id: str, *, if_unchanged: bool = False) -> None:
        """End the override of a room. The answer is null, also when there was none."""
        return self.call(Request[None]("DELETE", path_of("/v1/buildings/{}/rooms/{}/override", building_id, room_id), if_unchanged=if_unchanged))

    def post_feedback(self, building_id: str, room_id: str, body: FeedbackPost) -> Override | None:
        """A person finds the room too cold or too warm. Sets a small override, half a degree with each press and at most 2 K from the target or the plan, for three hours or until the programme asks for as much. The press is remembered for 28 days; after presses on several days at a similar time, `proposals` of the state has another programme or target, which a person accepts or dismisses on the website. Refused with `invalid_value` while the room is off or under manual power."""
        return self.call(Request[Override | None]("POST", path_of("/v1/buildings/{}/rooms/{}/feedback", building_id, room_id), Shape(Override, "optional"), body=body))

    def get_energy(self, building_id: str, *, from_: str | None = None, to: str | None = None, step: Literal["day", "hour"] | None = None) -> Energy:
        """Heat and cost of a building, room by room. An estimate, scaled by a heat meter where one reports. Not a bill. Days are those of the building."""
        return self.call(Request[Energy]("GET", path_of("/v1/buildings/{}/energy", building_id), Shape(Energy, "one"), query={"from": from_, "to": to, "step": step}))

    def get_room_energy(self, building_id: str, room_id: str, *, from_: str | None = None, to: str | None = None, step: Literal["day", "hour"] | None = None) -> RoomEnergy:
        """Heat and cost of a room. An estimate, scaled by a heat meter where one reports. Not a bill. Days are those of the building."""
        return self.call(Request[RoomEnergy]("GET", path_of("/v1/buildings/{}/rooms/{}/energy", building_id, room_id), Shape(RoomEnergy, "one"), query={"from": from_, "to": to, "step": step}))

    def get_house_report(self, building_id: str, *, outdoor_temperature: str | None = None, renovated: str | None = None) -> HouseReport:
        """What a house loses, and what it needs at design weather. From the learned models of the rooms and their last two weeks. Kilowatts only where a heat meter counted all of it. An answer takes a second or more."""
        return self.call(Request[HouseReport]("GET", path_of("/v1/buildings/{}/house-report", building_id), Shape(HouseReport, "one"), query={"outdoor_temperature": outdoor_temperature, "renovated": renovated}))

    def get_balancing(self, building_id: str, *, outdoor_temperature: str | None = None) -> Balancing:
        """By how much the water of each loop should change. From the learned models of the rooms and their last two weeks, without flow meters. An answer takes a second or more."""
        return self.call(Request[Balancing]("GET", path_of("/v1/buildings/{}/balancing", building_id), Shape(Balancing, "one"), query={"outdoor_temperature": outdoor_temperature}))

    def get_changes(self, *, since: str | None = None, wait: int | None = None) -> Changes:
        """Wait for changes. Answers at once if anything the key can see has changed since the cursor, else when it does, or empty after `wait` seconds. An empty answer costs no budget. `last_seen` alone is no change. Absences, also in the future, and alerts count for their building, overrides for their room. Then read what is named, and ask again with the new cursor."""
        return self.call(Request[Changes]("GET", "/v1/changes", Shape(Changes, "one"), query={"since": since, "wait": wait}))

    def get_log(self, *, building_id: str | None = None, room_id: str | None = None, before: str | None = None) -> Log:
        """Who changed what and when. Changes of settings that this interface shows, by people, keys and the service itself, the latest first. Of buildings in which the role of the key’s holder may see the change log; others are left out, or refused where they are named. People are not named."""
        return self.call(Request[Log]("GET", "/v1/log", Shape(Log, "one"), query={"building_id": building_id, "room_id": room_id, "before": before}))

    def get_state(self, building_id: str, *, wait: int | None = None) -> State:
        """Everything about a building that a panel shows. The building, its rooms, alerts, absence, overrides, outlooks and air, each as its own path answers it, and what is proposed for the rooms. With `If-None-Match` and `wait`, the answer comes as soon as anything in it has changed, else `304` when the time is over. One such request a minute takes the place of polling."""
        return self.call(Request[State]("GET", path_of("/v1/buildings/{}/state", building_id), Shape(State, "one"), query={"wait": wait}))

    def list_alerts(self, building_id: str) -> list[Alert]:
        """What needs a person in a building. Empty when all is well."""
        return self.call(Request[list[Alert]]("GET", path_of("/v1/buildings/{}/alerts", building_id), Shape(Alert, "list")))

    def get_outlook(self, building_id: str, room_id: str) -> Outlook:
        """What a room is heated towards. The setpoint now and why, until when, what comes next, and about when the setpoint is reached."""
        return self.call(Request[Outlook]("GET", path_of("/v1/buildings/{}/rooms/{}/outlook", building_id, room_id), Shape(Outlook, "one")))

    def get_air(self, building_id: str, room_id: str) -> Air:
        """How humid a room is, whether mould may grow, and whether airing helps. Dew point and absolute humidity of the air, the humidity at the coldest surface of the room, for how long that has been damp, and whether opening the windows dries the room now."""
        return self.call(Request[Air]("GET", path_of("/v1/buildings/{}/rooms/{}/air", building_id, room_id), Shape(Air, "one")))

    def get_key(self) -> Key:
        """The key in use. Lets an integration find out whether it may write. The headers `Hypocaust-Installation` and `Hypocaust-Version` tell which service it is, under whatever address."""
        return self.call(Request[Key]("GET", "/v1/key", Shape(Key, "one")))

    def get_programme(self, building_id: str, room_id: str) -> Programme | None:
        """The programme of a room. Null when there is none. A night mode is shown as the programme that it is."""
        return self.call(Request[Programme | None]("GET", path_of("/control/v1/buildings/{}/rooms/{}/programme", building_id, room_id), Shape(Programme, "optional")))

    def put_programme(self, building_id: str, room_id: str, body: Programme, *, if_unchanged: bool = False) -> Programme | None:
        """Set the programme of a room. Replaces the programme or night mode that was set before. It must have at least one step."""
        return self.call(Request[Programme | None]("PUT", path_of("/control/v1/buildings/{}/rooms/{}/programme", building_id, room_id), Shape(Programme, "optional"), body=body, if_unchanged=if_unchanged))

    def delete_programme(self, building_id: str, room_id: str, *, if_unchanged: bool = False) -> None:
        """Remove the programme of a room. The room is held at its target day and night. The answer is null, also when there was none."""
        return self.call(Request[None]("DELETE", path_of("/control/v1/buildings/{}/rooms/{}/programme", building_id, room_id), if_unchanged=if_unchanged))

    def get_programme_calendar(self, building_id: str, room_id: str) -> ProgrammeCalendar:
        """The programme of a room as a calendar. What the room is planned to be for four weeks, in the iCalendar format: programme, absences and calendars, without overrides and who is home."""
        return self.call(Request[ProgrammeCalendar]("GET", path_of("/control/v1/buildings/{}/rooms/{}/programme/calendar", building_id, room_id), Shape(ProgrammeCalendar, "one")))

    def copy_programme(self, building_id: str, room_id: str, body: ProgrammeCopies) -> ProgrammeCopies:
        """Copy the programme of a room to other rooms. All of them or none. A room without a programme makes the others rooms without one."""
        return self.call(Request[ProgrammeCopies]("POST", path_of("/control/v1/buildings/{}/rooms/{}/programme/copies", building_id, room_id), Shape(ProgrammeCopies, "one"), body=body))

    def get_room_comfort(self, building_id: str, room_id: str) -> RoomComfort:
        """Comfort band, temperatures and type of the floor, blinds, and settings against mould of a room."""
        return self.call(Request[RoomComfort]("GET", path_of("/control/v1/buildings/{}/rooms/{}/comfort", building_id, room_id), Shape(RoomComfort, "one")))

    def patch_room_comfort(self, building_id: str, room_id: str, body: RoomComfortPatch, *, if_unchanged: bool = False) -> RoomComfort:
        """Change comfort band, temperatures of the floor, blinds or settings against mould of a room. Only the fields sent change; one bad field, and nothing changes."""
        return self.call(Request[RoomComfort]("PATCH", path_of("/control/v1/buildings/{}/rooms/{}/comfort", building_id, room_id), Shape(RoomComfort, "one"), body=body, if_unchanged=if_unchanged))

    def get_building_comfort(self, building_id: str) -> BuildingComfort:
        """How firmly the rooms of a building are held at their setpoints."""
        return self.call(Request[BuildingComfort]("GET", path_of("/control/v1/buildings/{}/comfort", building_id), Shape(BuildingComfort, "one")))

    def put_building_comfort(self, building_id: str, body: BuildingComfort, *, if_unchanged: bool = False) -> BuildingComfort:
        """Choose between comfort and saving."""
        return self.call(Request[BuildingComfort]("PUT", path_of("/control/v1/buildings/{}/comfort", building_id), Shape(BuildingComfort, "one"), body=body, if_unchanged=if_unchanged))

    def get_cooling(self, building_id: str) -> Cooling:
        """Season, cooling targets and state of a building."""
        return self.call(Request[Cooling]("GET", path_of("/control/v1/buildings/{}/cooling", building_id), Shape(Cooling, "one")))

    def put_cooling(self, building_id: str, body: CoolingPut, *, if_unchanged: bool = False) -> Cooling:
        """Choose the season and what rooms are cooled to. The building cools only while a gateway that is online can cool, and a room only while its humidity and the temperature of the water are known and far enough apart."""
        return self.call(Request[Cooling]("PUT", path_of("/control/v1/buildings/{}/cooling", building_id), Shape(Cooling, "one"), body=body, if_unchanged=if_unchanged))

    def get_hot_water(self, building_id: str) -> HotWater:
        """Settings and state of the hot water of a building."""
        return self.call(Request[HotWater]("GET", path_of("/control/v1/buildings/{}/hot-water", building_id), Shape(HotWater, "one")))

    def put_hot_water(self, building_id: str, body: HotWaterPut, *, if_unchanged: bool = False) -> HotWater:
        """Choose how hot the tank is to be, and when. The control asks for charges where a gateway can ask the source for them, and else foresees when the source makes hot water. The own control of the source stays in charge: it is never kept from heating the tank. Settings in which legionella grow are refused with the reason."""
        return self.call(Request[HotWater]("PUT", path_of("/control/v1/buildings/{}/hot-water", building_id), Shape(HotWater, "one"), body=body, if_unchanged=if_unchanged))

    def get_flexibility(self, building_id: str) -> Flexibility:
        """What a building can do for the grid, and what it has done. From the plans of its rooms, worked out anew every five minutes. Less is called by a power limit of 0 W with basis agreed; more by a gateway that reports SG-Ready or own sun. Offers exclude one another."""
        return self.call(Request[Flexibility]("GET", path_of("/control/v1/buildings/{}/flexibility", building_id), Shape(Flexibility, "one")))

    def get_fleet_flexibility(self, *, after: str | None = None) -> FleetFlexibility:
        """What all buildings of the key can do for the grid together. The offers of up to 10 buildings, added up where the power is known."""
        return self.call(Request[FleetFlexibility]("GET", "/control/v1/flexibility", Shape(FleetFlexibility, "one"), query={"after": after}))

    def get_calendars(self, building_id: str) -> Calendars:
        """The calendars of a building, and their next events. Addresses are secrets and are not shown."""
        return self.call(Request[Calendars]("GET", path_of("/control/v1/buildings/{}/calendars", building_id), Shape(Calendars, "one")))

    def add_calendar(self, building_id: str, body: CalendarPut) -> Calendar:
        """Add a calendar to a building. The calendar is read before the answer is sent, and about every half hour afterwards. One that cannot be read is added too; `problem` says why."""
        return self.call(Request[Calendar]("POST", path_of("/control/v1/buildings/{}/calendars", building_id), Shape(Calendar, "one"), body=body))

    def put_calendar(self, building_id: str, calendar_id: str, body: CalendarPut) -> Calendar:
        """Change a calendar of a building. Its address or content stays unless another is sent."""
        return self.call(Request[Calendar]("PUT", path_of("/control/v1/buildings/{}/calendars/{}", building_id, calendar_id), Shape(Calendar, "one"), body=body))

    def delete_calendar(self, building_id: str, calendar_id: str) -> None:
        """Remove a calendar from a building. Nothing follows from its events any more. The answer is null."""
        return self.call(Request[None]("DELETE", path_of("/control/v1/buildings/{}/calendars/{}", building_id, calendar_id)))


class AsyncOperations(ABC):
    """Each method is awaited."""

    @abstractmethod
    async def call(self, request: Request[T]) -> T:
        """Send a request, retry while the service is busy or away, and return what it answers."""

    async def list_buildings(self) -> list[Building]:
        """All buildings the key can reach. Also the way to validate a key."""
        return await self.call(Request[list[Building]]("GET", "/v1/buildings", Shape(Building, "list")))

    async def get_building(self, building_id: str) -> Building:
        """One building."""
        return await self.call(Request[Building]("GET", path_of("/v1/buildings/{}", building_id), Shape(Building, "one")))

    async def list_rooms(self, building_id: str) -> list[Room]:
        """All rooms of a building. Each with the latest reading of its sensor. Poll every 30 to 60 seconds; send `If-None-Match`."""
        return await self.call(Request[list[Room]]("GET", path_of("/v1/buildings/{}/rooms", building_id), Shape(Room, "list")))

    async def patch_rooms(self, building_id: str, body: RoomPatches) -> list[Room]:
        """Change settings of several rooms. As `PATCH` of each room, but all in one transaction: one bad field, or one room that is not there, and nothing changes. Costs 5 writes, however many rooms. It cannot be made conditional."""
        return await self.call(Request[list[Room]]("PATCH", path_of("/v1/buildings/{}/rooms", building_id), Shape(Room, "list"), body=body))

    async def get_room(self, building_id: str, room_id: str) -> Room:
        """One room."""
        return await self.call(Request[Room]("GET", path_of("/v1/buildings/{}/rooms/{}", building_id, room_id), Shape(Room, "one")))

    async def patch_room(self, building_id: str, room_id: str, body: RoomPatch, *, if_unchanged: bool = False) -> Room:
        """Change settings of a room. Only the fields sent change; one bad field, and nothing changes. The change is on disk before the answer is sent. `power` and `hvac_action` may follow shortly after. A `target_temperature` is a wish for now: it holds until the next step of the programme, in an absence until it ends, and is the base of the programme from then on."""
        return await self.call(Request[Room]("PATCH", path_of("/v1/buildings/{}/rooms/{}", building_id, room_id), Shape(Room, "one"), body=body, if_unchanged=if_unchanged))

    async def get_history(self, building_id: str, room_id: str, *, from_: Instant, to: Instant) -> History:
        """A room’s past. Temperature, humidity, dew point, humidity at the coldest surface, power, setpoint and outdoor temperature between two times."""
        return await self.call(Request[History]("GET", path_of("/v1/buildings/{}/rooms/{}/history", building_id, room_id), Shape(History, "one"), query={"from": from_, "to": to}))

    async def get_explanation(self, building_id: str, room_id: str) -> Explanation | None:
        """Why the floor of a room does what it does. The heating control’s latest decision for the room, as data and as a sentence."""
        return await self.call(Request[Explanation | None]("GET", path_of("/v1/buildings/{}/rooms/{}/explanation", building_id, room_id), Shape(Explanation, "optional")))

    async def get_diagnosis(self, building_id: str, room_id: str) -> Diagnosis | None:
        """What is probably wrong with the heating of a room. Causes with their probabilities, what shows them, and what to check first. `causes` is empty when nothing is probably wrong. Worked out about once a day from the last ten days of all rooms of the building."""
        return await self.call(Request[Diagnosis | None]("GET", path_of("/v1/buildings/{}/rooms/{}/diagnosis", building_id, room_id), Shape(Diagnosis, "optional")))

    async def get_away(self, building_id: str) -> Away | None:
        """The absence of a building. Now or to come; null when there is none."""
        return await self.call(Request[Away | None]("GET", path_of("/v1/buildings/{}/away", building_id), Shape(Away, "optional")))

    async def put_away(self, building_id: str, body: AwayPut, *, if_unchanged: bool = False) -> Away | None:
        """Set the absence of a building. The rooms may cool, and are warm again by the return. Targets stay as they are. Replaces an absence that was set before."""
        return await self.call(Request[Away | None]("PUT", path_of("/v1/buildings/{}/away", building_id), Shape(Away, "optional"), body=body, if_unchanged=if_unchanged))

    async def delete_away(self, building_id: str, *, if_unchanged: bool = False) -> None:
        """End the absence of a building. Also cancels one to come. The answer is null, also when there was none."""
        return await self.call(Request[None]("DELETE", path_of("/v1/buildings/{}/away", building_id), if_unchanged=if_unchanged))

    async def get_power_limit(self, building_id: str) -> PowerLimit | None:
        """The limit of the grid on the power of the heat source. In force or to come, set through the interface or reported by a gateway; of several in force the strictest. Null when there is none."""
        return await self.call(Request[PowerLimit | None]("GET", path_of("/v1/buildings/{}/power-limit", building_id), Shape(PowerLimit, "optional")))

    async def put_power_limit(self, building_id: str, body: PowerLimitPut, *, if_unchanged: bool = False) -> PowerLimit | None:
        """Limit the power of the heat source for a while. The rooms are preheated until it begins, and share what is left by need while it lasts. Frost protection and manual power go before. Replaces a limit that was set before."""
        return await self.call(Request[PowerLimit | None]("PUT", path_of("/v1/buildings/{}/power-limit", building_id), Shape(PowerLimit, "optional"), body=body, if_unchanged=if_unchanged))

    async def delete_power_limit(self, building_id: str, *, if_unchanged: bool = False) -> None:
        """Withdraw the power limit that was set. Also cancels one to come. The answer is null, also when there was none. A limit that a gateway reports stays."""
        return await self.call(Request[None]("DELETE", path_of("/v1/buildings/{}/power-limit", building_id), if_unchanged=if_unchanged))

    async def get_presence(self, building_id: str) -> Presence:
        """Who is home, and what follows when nobody is. The people and devices that were reported, each as it was last. Not shown to guests. The rule is chosen on the website."""
        return await self.call(Request[Presence]("GET", path_of("/v1/buildings/{}/presence", building_id), Shape(Presence, "one")))

    async def put_presence(self, building_id: str, body: PresencePut, *, if_unchanged: bool = False) -> Presence:
        """Report who is home. A name that is not known yet is added, at most thirty of a building; people who are not named stay as they are, so that several sources can report. Report again at least every few hours, also without a change: a person who was not reported for a day counts as home. Nothing follows until a rule is chosen on the website."""
        return await self.call(Request[Presence]("PUT", path_of("/v1/buildings/{}/presence", building_id), Shape(Presence, "one"), body=body, if_unchanged=if_unchanged))

    async def get_override(self, building_id: str, room_id: str) -> Override | None:
        """The override of a room. Null when there is none."""
        return await self.call(Request[Override | None]("GET", path_of("/v1/buildings/{}/rooms/{}/override", building_id, room_id), Shape(Override, "optional")))

    async def put_override(self, building_id: str, room_id: str, body: OverridePut, *, if_unchanged: bool = False) -> Override | None:
        """Another target, or off, until a time. Ends by itself, or by a later PATCH of the target, the mode or manual power. The fields of the room stay what they are; `power` and `hvac_action` follow shortly after."""
        return await self.call(Request[Override | None]("PUT", path_of("/v1/buildings/{}/rooms/{}/override", building_id, room_id), Shape(Override, "optional"), body=body, if_unchanged=if_unchanged))

    async def delete_override(self, building_id: str, room_id: str, *, if_unchanged: bool = False) -> None:
        """End the override of a room. The answer is null, also when there was none."""
        return await self.call(Request[None]("DELETE", path_of("/v1/buildings/{}/rooms/{}/override", building_id, room_id), if_unchanged=if_unchanged))

    async def post_feedback(self, building_id: str, room_id: str, body: FeedbackPost) -> Override | None:
        """A person finds the room too cold or too warm. Sets a small override, half a degree with each press and at most 2 K from the target or the plan, for three hours or until the programme asks for as much. The press is remembered for 28 days; after presses on several days at a similar time, `proposals` of the state has another programme or target, which a person accepts or dismisses on the website. Refused with `invalid_value` while the room is off or under manual power."""
        return await self.call(Request[Override | None]("POST", path_of("/v1/buildings/{}/rooms/{}/feedback", building_id, room_id), Shape(Override, "optional"), body=body))

    async def get_energy(self, building_id: str, *, from_: str | None = None, to: str | None = None, step: Literal["day", "hour"] | None = None) -> Energy:
        """Heat and cost of a building, room by room. An estimate, scaled by a heat meter where one reports. Not a bill. Days are those of the building."""
        return await self.call(Request[Energy]("GET", path_of("/v1/buildings/{}/energy", building_id), Shape(Energy, "one"), query={"from": from_, "to": to, "step": step}))

    async def get_room_energy(self, building_id: str, room_id: str, *, from_: str | None = None, to: str | None = None, step: Literal["day", "hour"] | None = None) -> RoomEnergy:
        """Heat and cost of a room. An estimate, scaled by a heat meter where one reports. Not a bill. Days are those of the building."""
        return await self.call(Request[RoomEnergy]("GET", path_of("/v1/buildings/{}/rooms/{}/energy", building_id, room_id), Shape(RoomEnergy, "one"), query={"from": from_, "to": to, "step": step}))

    async def get_house_report(self, building_id: str, *, outdoor_temperature: str | None = None, renovated: str | None = None) -> HouseReport:
        """What a house loses, and what it needs at design weather. From the learned models of the rooms and their last two weeks. Kilowatts only where a heat meter counted all of it. An answer takes a second or more."""
        return await self.call(Request[HouseReport]("GET", path_of("/v1/buildings/{}/house-report", building_id), Shape(HouseReport, "one"), query={"outdoor_temperature": outdoor_temperature, "renovated": renovated}))

    async def get_balancing(self, building_id: str, *, outdoor_temperature: str | None = None) -> Balancing:
        """By how much the water of each loop should change. From the learned models of the rooms and their last two weeks, without flow meters. An answer takes a second or more."""
        return await self.call(Request[Balancing]("GET", path_of("/v1/buildings/{}/balancing", building_id), Shape(Balancing, "one"), query={"outdoor_temperature": outdoor_temperature}))

    async def get_changes(self, *, since: str | None = None, wait: int | None = None) -> Changes:
        """Wait for changes. Answers at once if anything the key can see has changed since the cursor, else when it does, or empty after `wait` seconds. An empty answer costs no budget. `last_seen` alone is no change. Absences, also in the future, and alerts count for their building, overrides for their room. Then read what is named, and ask again with the new cursor."""
        return await self.call(Request[Changes]("GET", "/v1/changes", Shape(Changes, "one"), query={"since": since, "wait": wait}))

    async def get_log(self, *, building_id: str | None = None, room_id: str | None = None, before: str | None = None) -> Log:
        """Who changed what and when. Changes of settings that this interface shows, by people, keys and the service itself, the latest first. Of buildings in which the role of the key’s holder may see the change log; others are left out, or refused where they are named. People are not named."""
        return await self.call(Request[Log]("GET", "/v1/log", Shape(Log, "one"), query={"building_id": building_id, "room_id": room_id, "before": before}))

    async def get_state(self, building_id: str, *, wait: int | None = None) -> State:
        """Everything about a building that a panel shows. The building, its rooms, alerts, absence, overrides, outlooks and air, each as its own path answers it, and what is proposed for the rooms. With `If-None-Match` and `wait`, the answer comes as soon as anything in it has changed, else `304` when the time is over. One such request a minute takes the place of polling."""
        return await self.call(Request[State]("GET", path_of("/v1/buildings/{}/state", building_id), Shape(State, "one"), query={"wait": wait}))

    async def list_alerts(self, building_id: str) -> list[Alert]:
        """What needs a person in a building. Empty when all is well."""
        return await self.call(Request[list[Alert]]("GET", path_of("/v1/buildings/{}/alerts", building_id), Shape(Alert, "list")))

    async def get_outlook(self, building_id: str, room_id: str) -> Outlook:
        """What a room is heated towards. The setpoint now and why, until when, what comes next, and about when the setpoint is reached."""
        return await self.call(Request[Outlook]("GET", path_of("/v1/buildings/{}/rooms/{}/outlook", building_id, room_id), Shape(Outlook, "one")))

    async def get_air(self, building_id: str, room_id: str) -> Air:
        """How humid a room is, whether mould may grow, and whether airing helps. Dew point and absolute humidity of the air, the humidity at the coldest surface of the room, for how long that has been damp, and whether opening the windows dries the room now."""
        return await self.call(Request[Air]("GET", path_of("/v1/buildings/{}/rooms/{}/air", building_id, room_id), Shape(Air, "one")))

    async def get_key(self) -> Key:
        """The key in use. Lets an integration find out whether it may write. The headers `Hypocaust-Installation` and `Hypocaust-Version` tell which service it is, under whatever address."""
        return await self.call(Request[Key]("GET", "/v1/key", Shape(Key, "one")))

    async def get_programme(self, building_id: str, room_id: str) -> Programme | None:
        """The programme of a room. Null when there is none. A night mode is shown as the programme that it is."""
        return await self.call(Request[Programme | None]("GET", path_of("/control/v1/buildings/{}/rooms/{}/programme", building_id, room_id), Shape(Programme, "optional")))

    async def put_programme(self, building_id: str, room_id: str, body: Programme, *, if_unchanged: bool = False) -> Programme | None:
        """Set the programme of a room. Replaces the programme or night mode that was set before. It must have at least one step."""
        return await self.call(Request[Programme | None]("PUT", path_of("/control/v1/buildings/{}/rooms/{}/programme", building_id, room_id), Shape(Programme, "optional"), body=body, if_unchanged=if_unchanged))

    async def delete_programme(self, building_id: str, room_id: str, *, if_unchanged: bool = False) -> None:
        """Remove the programme of a room. The room is held at its target day and night. The answer is null, also when there was none."""
        return await self.call(Request[None]("DELETE", path_of("/control/v1/buildings/{}/rooms/{}/programme", building_id, room_id), if_unchanged=if_unchanged))

    async def get_programme_calendar(self, building_id: str, room_id: str) -> ProgrammeCalendar:
        """The programme of a room as a calendar. What the room is planned to be for four weeks, in the iCalendar format: programme, absences and calendars, without overrides and who is home."""
        return await self.call(Request[ProgrammeCalendar]("GET", path_of("/control/v1/buildings/{}/rooms/{}/programme/calendar", building_id, room_id), Shape(ProgrammeCalendar, "one")))

    async def copy_programme(self, building_id: str, room_id: str, body: ProgrammeCopies) -> ProgrammeCopies:
        """Copy the programme of a room to other rooms. All of them or none. A room without a programme makes the others rooms without one."""
        return await self.call(Request[ProgrammeCopies]("POST", path_of("/control/v1/buildings/{}/rooms/{}/programme/copies", building_id, room_id), Shape(ProgrammeCopies, "one"), body=body))

    async def get_room_comfort(self, building_id: str, room_id: str) -> RoomComfort:
        """Comfort band, temperatures and type of the floor, blinds, and settings against mould of a room."""
        return await self.call(Request[RoomComfort]("GET", path_of("/control/v1/buildings/{}/rooms/{}/comfort", building_id, room_id), Shape(RoomComfort, "one")))

    async def patch_room_comfort(self, building_id: str, room_id: str, body: RoomComfortPatch, *, if_unchanged: bool = False) -> RoomComfort:
        """Change comfort band, temperatures of the floor, blinds or settings against mould of a room. Only the fields sent change; one bad field, and nothing changes."""
        return await self.call(Request[RoomComfort]("PATCH", path_of("/control/v1/buildings/{}/rooms/{}/comfort", building_id, room_id), Shape(RoomComfort, "one"), body=body, if_unchanged=if_unchanged))

    async def get_building_comfort(self, building_id: str) -> BuildingComfort:
        """How firmly the rooms of a building are held at their setpoints."""
        return await self.call(Request[BuildingComfort]("GET", path_of("/control/v1/buildings/{}/comfort", building_id), Shape(BuildingComfort, "one")))

    async def put_building_comfort(self, building_id: str, body: BuildingComfort, *, if_unchanged: bool = False) -> BuildingComfort:
        """Choose between comfort and saving."""
        return await self.call(Request[BuildingComfort]("PUT", path_of("/control/v1/buildings/{}/comfort", building_id), Shape(BuildingComfort, "one"), body=body, if_unchanged=if_unchanged))

    async def get_cooling(self, building_id: str) -> Cooling:
        """Season, cooling targets and state of a building."""
        return await self.call(Request[Cooling]("GET", path_of("/control/v1/buildings/{}/cooling", building_id), Shape(Cooling, "one")))

    async def put_cooling(self, building_id: str, body: CoolingPut, *, if_unchanged: bool = False) -> Cooling:
        """Choose the season and what rooms are cooled to. The building cools only while a gateway that is online can cool, and a room only while its humidity and the temperature of the water are known and far enough apart."""
        return await self.call(Request[Cooling]("PUT", path_of("/control/v1/buildings/{}/cooling", building_id), Shape(Cooling, "one"), body=body, if_unchanged=if_unchanged))

    async def get_hot_water(self, building_id: str) -> HotWater:
        """Settings and state of the hot water of a building."""
        return await self.call(Request[HotWater]("GET", path_of("/control/v1/buildings/{}/hot-water", building_id), Shape(HotWater, "one")))

    async def put_hot_water(self, building_id: str, body: HotWaterPut, *, if_unchanged: bool = False) -> HotWater:
        """Choose how hot the tank is to be, and when. The control asks for charges where a gateway can ask the source for them, and else foresees when the source makes hot water. The own control of the source stays in charge: it is never kept from heating the tank. Settings in which legionella grow are refused with the reason."""
        return await self.call(Request[HotWater]("PUT", path_of("/control/v1/buildings/{}/hot-water", building_id), Shape(HotWater, "one"), body=body, if_unchanged=if_unchanged))

    async def get_flexibility(self, building_id: str) -> Flexibility:
        """What a building can do for the grid, and what it has done. From the plans of its rooms, worked out anew every five minutes. Less is called by a power limit of 0 W with basis agreed; more by a gateway that reports SG-Ready or own sun. Offers exclude one another."""
        return await self.call(Request[Flexibility]("GET", path_of("/control/v1/buildings/{}/flexibility", building_id), Shape(Flexibility, "one")))

    async def get_fleet_flexibility(self, *, after: str | None = None) -> FleetFlexibility:
        """What all buildings of the key can do for the grid together. The offers of up to 10 buildings, added up where the power is known."""
        return await self.call(Request[FleetFlexibility]("GET", "/control/v1/flexibility", Shape(FleetFlexibility, "one"), query={"after": after}))

    async def get_calendars(self, building_id: str) -> Calendars:
        """The calendars of a building, and their next events. Addresses are secrets and are not shown."""
        return await self.call(Request[Calendars]("GET", path_of("/control/v1/buildings/{}/calendars", building_id), Shape(Calendars, "one")))

    async def add_calendar(self, building_id: str, body: CalendarPut) -> Calendar:
        """Add a calendar to a building. The calendar is read before the answer is sent, and about every half hour afterwards. One that cannot be read is added too; `problem` says why."""
        return await self.call(Request[Calendar]("POST", path_of("/control/v1/buildings/{}/calendars", building_id), Shape(Calendar, "one"), body=body))

    async def put_calendar(self, building_id: str, calendar_id: str, body: CalendarPut) -> Calendar:
        """Change a calendar of a building. Its address or content stays unless another is sent."""
        return await self.call(Request[Calendar]("PUT", path_of("/control/v1/buildings/{}/calendars/{}", building_id, calendar_id), Shape(Calendar, "one"), body=body))

    async def delete_calendar(self, building_id: str, calendar_id: str) -> None:
        """Remove a calendar from a building. Nothing follows from its events any more. The answer is null."""
        return await self.call(Request[None]("DELETE", path_of("/control/v1/buildings/{}/calendars/{}", building_id, calendar_id)))
