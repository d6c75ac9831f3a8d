import { HypocaustError } from './error.ts'
import { type EventsOptions, events, type HouseEvent } from './events.ts'
import type {
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
} from './generated/types.ts'
import { REAL_SURROUNDINGS, SURROUNDINGS, type Surroundings, withRetries } from './retry.ts'
import { checkShape, type Shape } from './shape.ts'
import { instantOf, type Timed, withInstants } from './times.ts'
import { type Request, Transport } from './transport.ts'
import { type Snapshot, type WatchedHouse, type WatchOptions, watch } from './watch.ts'

/** Below the minute after which proxies give up a request without an answer. */
const WATCH_WAIT_S = 50
/** Buildings that one client waits for at a time: the service lets 50 requests of a key wait. Further ones are polled. */
const MOST_WAITS = 40

export interface ClientOptions {
  /** Where the service is, without `/v1`. */
  baseUrl: string
  apiKey: string
  /** Another `fetch`, for instance through a proxy. */
  fetch?: typeof fetch
  /** For one try; 10 s unless given. */
  timeoutMs?: number
  /** Tries after the first, when the service is busy or away; 4 unless given. */
  retries?: number
  /** The longest `Retry-After` that is waited for; 60 s unless given. */
  longestWaitMs?: number
}

export interface ChangesOptions {
  since?: string | undefined
  waitS?: number
}

export interface LogOptions {
  /** Left out, all buildings that the key reaches. */
  buildingId?: string
  roomId?: string
  before?: string
}

export interface CallOptions {
  signal?: AbortSignal
}

export interface WriteOptions extends CallOptions {
  /**
   * Write only what is still as this client last read it, with the `get…` of the same name; otherwise the error is
   * `precondition_failed`. Such a write is tried once: after a lost answer a second try could not tell its own
   * change from another's.
   */
  ifUnchanged?: boolean
}

/** The interfaces `/v1` and `/control/v1` as methods, named as in their API documents. */
export class HypocaustClient {
  readonly #transport: Transport
  readonly #surroundings: Surroundings
  readonly #limits: { retries: number; longestWaitMs: number }
  #waits = 0

  /** Throws where the address or the key cannot be right. */
  constructor(options: ClientOptions) {
    const { timeoutMs = 10_000, retries = 4, longestWaitMs = 60_000 } = options
    const { [SURROUNDINGS]: surroundings = REAL_SURROUNDINGS } = options as { [SURROUNDINGS]?: Surroundings }
    const send = options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request))
    const baseUrl = addressOf(options.baseUrl)
    const apiKey = keyOf(options.apiKey)
    this.#transport = new Transport({ baseUrl, apiKey, timeoutMs, fetch: send }, surroundings)
    this.#surroundings = surroundings
    this.#limits = { retries, longestWaitMs }
  }

  /** The buildings the key can reach. */
  listBuildings(options: CallOptions = {}): Promise<Building[]> {
    return this.#call({ method: 'GET', path: '/v1/buildings', ...options }, { of: 'Building', as: 'list' })
  }

  getBuilding(buildingId: string, options: CallOptions = {}): Promise<Building> {
    return this.#call({ method: 'GET', path: pathOf(buildingId), ...options }, { of: 'Building' })
  }

  /** All rooms of a building, each with the latest reading of its sensor. */
  listRooms(buildingId: string, options: CallOptions = {}): Promise<Room[]> {
    return this.#call({ method: 'GET', path: `${pathOf(buildingId)}/rooms`, ...options }, { of: 'Room', as: 'list' })
  }

  getRoom(buildingId: string, roomId: string, options: CallOptions = {}): Promise<Room> {
    return this.#call({ method: 'GET', path: pathOf(buildingId, roomId), ...options }, { of: 'Room' })
  }

  /**
   * Changes the given settings and returns the room. `power` and `hvac_action` may follow a moment later.
   * Every field is an absolute value, so sending it twice does what sending it once does; it is retried like a read.
   */
  patchRoom(buildingId: string, roomId: string, patch: RoomPatch, options: WriteOptions = {}): Promise<Room> {
    return this.#call({ method: 'PATCH', path: pathOf(buildingId, roomId), body: patch, ...options }, { of: 'Room' })
  }

  /** Changes several rooms in one transaction, 100 at most, and returns them in the same order: all of it or nothing. */
  patchRooms(buildingId: string, rooms: RoomPatches['rooms'], options: CallOptions = {}): Promise<Room[]> {
    const path = `${pathOf(buildingId)}/rooms`
    return this.#call({ method: 'PATCH', path, body: { rooms }, ...options }, { of: 'Room', as: 'list' })
  }

  /** What was measured and done in a room between two times, at most a year apart. */
  getHistory(
    buildingId: string,
    roomId: string,
    { from, to }: { from: Date | string; to: Date | string },
    options: CallOptions = {},
  ): Promise<History> {
    const query = new URLSearchParams({ from: instantOf(from), to: instantOf(to) })
    return this.#call(
      { method: 'GET', path: `${pathOf(buildingId, roomId)}/history?${query}`, ...options },
      { of: 'History' },
    )
  }

  /** Heat and cost of a building, room by room, in days of the building; this month unless given. */
  getEnergy(buildingId: string, days: DaySpan = {}, options: CallOptions = {}): Promise<Energy> {
    return this.#call(
      { method: 'GET', path: `${pathOf(buildingId)}/energy${daysOf(days)}`, ...options },
      { of: 'Energy' },
    )
  }

  /** What a house loses, and what it needs at design weather. */
  getHouseReport(
    buildingId: string,
    { outdoor_temperature, renovated }: { outdoor_temperature?: number; renovated?: string } = {},
    options: CallOptions = {},
  ): Promise<HouseReport> {
    const query = new URLSearchParams({
      ...(outdoor_temperature !== undefined && { outdoor_temperature: String(outdoor_temperature) }),
      ...(renovated !== undefined && { renovated }),
    })
    return this.#call(
      { method: 'GET', path: `${pathOf(buildingId)}/house-report?${query}`, ...options },
      { of: 'HouseReport' },
    )
  }

  /** By how much the water of each loop should change. */
  getBalancing(
    buildingId: string,
    { outdoor_temperature }: { outdoor_temperature?: number } = {},
    options: CallOptions = {},
  ): Promise<Balancing> {
    const query = new URLSearchParams(
      outdoor_temperature === undefined ? {} : { outdoor_temperature: String(outdoor_temperature) },
    )
    return this.#call(
      { method: 'GET', path: `${pathOf(buildingId)}/balancing?${query}`, ...options },
      { of: 'Balancing' },
    )
  }

  /** Heat and cost of a room, in days of the building; this month unless given. */
  getRoomEnergy(
    buildingId: string,
    roomId: string,
    days: DaySpan = {},
    options: CallOptions = {},
  ): Promise<RoomEnergy> {
    return this.#call(
      { method: 'GET', path: `${pathOf(buildingId, roomId)}/energy${daysOf(days)}`, ...options },
      { of: 'RoomEnergy' },
    )
  }

  /** Why the floor does what it does; null while nothing has been decided. */
  getExplanation(buildingId: string, roomId: string, options: CallOptions = {}): Promise<Explanation | null> {
    return this.#call(
      { method: 'GET', path: `${pathOf(buildingId, roomId)}/explanation`, ...options },
      { of: 'Explanation', as: 'one or null' },
    )
  }

  /** What is probably wrong with the room, and what to check first; null while too little of it is known. */
  getDiagnosis(buildingId: string, roomId: string, options: CallOptions = {}): Promise<Diagnosis | null> {
    return this.#call(
      { method: 'GET', path: `${pathOf(buildingId, roomId)}/diagnosis`, ...options },
      { of: 'Diagnosis', as: 'one or null' },
    )
  }

  /** What the room's setpoint is now and why, until when, what comes next, and when the setpoint will be reached. */
  getOutlook(buildingId: string, roomId: string, options: CallOptions = {}): Promise<Outlook> {
    return this.#call({ method: 'GET', path: `${pathOf(buildingId, roomId)}/outlook`, ...options }, { of: 'Outlook' })
  }

  /** How humid the room is, whether mould may grow, and whether airing helps now. */
  getAir(buildingId: string, roomId: string, options: CallOptions = {}): Promise<Air> {
    return this.#call({ method: 'GET', path: `${pathOf(buildingId, roomId)}/air`, ...options }, { of: 'Air' })
  }

  /** The override of a room, or null. */
  getOverride(buildingId: string, roomId: string, options: CallOptions = {}): Promise<Override | null> {
    const path = `${pathOf(buildingId, roomId)}/override`
    return this.#call({ method: 'GET', path, ...options }, { of: 'Override', as: 'one or null' })
  }

  /** Another target, or off, until a time. A later change of the room's target, mode or manual power ends it. */
  putOverride(
    buildingId: string,
    roomId: string,
    override: Timed<OverridePut, 'until'>,
    options: WriteOptions = {},
  ): Promise<Override> {
    const path = `${pathOf(buildingId, roomId)}/override`
    return this.#call({ method: 'PUT', path, body: withInstants(override), ...options }, { of: 'Override' })
  }

  /** Ends the override of a room; there may be none. */
  async deleteOverride(buildingId: string, roomId: string, options: WriteOptions = {}): Promise<void> {
    await this.#call({ method: 'DELETE', path: `${pathOf(buildingId, roomId)}/override`, ...options })
  }

  /** A person finds the room too cold or too warm: the small override that this sets. */
  postFeedback(
    buildingId: string,
    roomId: string,
    feeling: FeedbackPost['feeling'],
    options: CallOptions = {},
  ): Promise<Override | null> {
    const path = `${pathOf(buildingId, roomId)}/feedback`
    return this.#call({ method: 'POST', path, body: { feeling }, ...options }, { of: 'Override', as: 'one or null' })
  }

  /** The absence of a building, now or to come, or null. */
  getAway(buildingId: string, options: CallOptions = {}): Promise<Away | null> {
    return this.#call(
      { method: 'GET', path: `${pathOf(buildingId)}/away`, ...options },
      { of: 'Away', as: 'one or null' },
    )
  }

  /** Lets the building cool until the return, when it is warm again. */
  putAway(buildingId: string, away: Timed<AwayPut, 'from' | 'until'>, options: WriteOptions = {}): Promise<Away> {
    const path = `${pathOf(buildingId)}/away`
    return this.#call({ method: 'PUT', path, body: withInstants(away), ...options }, { of: 'Away' })
  }

  /** Ends the absence of a building; there may be none. */
  async deleteAway(buildingId: string, options: WriteOptions = {}): Promise<void> {
    await this.#call({ method: 'DELETE', path: `${pathOf(buildingId)}/away`, ...options })
  }

  /** The limit of the grid on the heat source of a building, in force or to come, or null. */
  getPowerLimit(buildingId: string, options: CallOptions = {}): Promise<PowerLimit | null> {
    return this.#call(
      { method: 'GET', path: `${pathOf(buildingId)}/power-limit`, ...options },
      { of: 'PowerLimit', as: 'one or null' },
    )
  }

  /** Limits the power of the heat source for a while; the rooms share what is left. */
  putPowerLimit(
    buildingId: string,
    limit: Timed<PowerLimitPut, 'from' | 'until'>,
    options: WriteOptions = {},
  ): Promise<PowerLimit> {
    const path = `${pathOf(buildingId)}/power-limit`
    return this.#call({ method: 'PUT', path, body: withInstants(limit), ...options }, { of: 'PowerLimit' })
  }

  /** Withdraws the limit that was set; there may be none. */
  async deletePowerLimit(buildingId: string, options: WriteOptions = {}): Promise<void> {
    await this.#call({ method: 'DELETE', path: `${pathOf(buildingId)}/power-limit`, ...options })
  }

  /** Who is home, and what follows when nobody is. */
  getPresence(buildingId: string, options: CallOptions = {}): Promise<Presence> {
    return this.#call({ method: 'GET', path: `${pathOf(buildingId)}/presence`, ...options }, { of: 'Presence' })
  }

  /** Reports who is home and who is not; people who are not named stay as they are. */
  putPresence(buildingId: string, people: PresencePut['people'], options: WriteOptions = {}): Promise<Presence> {
    const path = `${pathOf(buildingId)}/presence`
    return this.#call({ method: 'PUT', path, body: { people }, ...options }, { of: 'Presence' })
  }

  /** What needs a person in a building. */
  listAlerts(buildingId: string, options: CallOptions = {}): Promise<Alert[]> {
    return this.#call({ method: 'GET', path: `${pathOf(buildingId)}/alerts`, ...options }, { of: 'Alert', as: 'list' })
  }

  /**
   * Everything about a building that a panel shows. With `waitS` (55 at most) it comes when something in it has changed
   * since this client last read it, or as it was after that time.
   */
  getState(buildingId: string, { waitS = 0 }: { waitS?: number } = {}, options: CallOptions = {}): Promise<State> {
    const keptAs = `${pathOf(buildingId)}/state`
    return this.#call(
      { method: 'GET', path: `${keptAs}?wait=${waitS}`, keptAs, extraMs: waitS * 1000, ...options },
      { of: 'State' },
    )
  }

  /**
   * What has changed since a cursor: at once if something has, else when it does, or nothing after `waitS` seconds (55
   * at most). Without a cursor, everything.
   */
  getChanges({ since, waitS = 0 }: ChangesOptions = {}, options: CallOptions = {}): Promise<Changes> {
    return this.#call(changesRequest({ since, waitS }, options), { of: 'Changes' })
  }

  /**
   * The states of all buildings that the key reaches, each now and again as soon as something in it has changed, on one
   * connection, which is opened again when it is lost.
   */
  getEvents(options: EventsOptions = {}): AsyncGenerator<HouseEvent, void, void> {
    const { buildingId, signal } = options
    const path = `/v1/events${buildingId === undefined ? '' : `?${new URLSearchParams({ building_id: buildingId })}`}`
    return events((lastEventId) => this.#transport.stream(path, lastEventId, signal), options, this.#surroundings)
  }

  /** Who changed what and when, the latest first; `before` is `next` of the page before. */
  getLog({ buildingId, roomId, before }: LogOptions = {}, options: CallOptions = {}): Promise<Log> {
    const given = { building_id: buildingId, room_id: roomId, before }
    const query = new URLSearchParams(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
    return this.#call({ method: 'GET', path: `/v1/log?${query}`, isUnique: true, ...options }, { of: 'Log' })
  }

  /** What the key in use is called, and whether it may write. */
  getKey(options: CallOptions = {}): Promise<Key> {
    return this.#call({ method: 'GET', path: '/v1/key', ...options }, { of: 'Key' })
  }

  /** The week plan of a room, or null. This and all below need a key that opens the settings of the heating control. */
  getProgramme(buildingId: string, roomId: string, options: CallOptions = {}): Promise<Programme | null> {
    const path = `${controlPathOf(buildingId, roomId)}/programme`
    return this.#call({ method: 'GET', path, ...options }, { of: 'Programme', as: 'one or null' })
  }

  /** Replaces the programme or night mode of a room. */
  putProgramme(
    buildingId: string,
    roomId: string,
    programme: Programme,
    options: WriteOptions = {},
  ): Promise<Programme> {
    const path = `${controlPathOf(buildingId, roomId)}/programme`
    return this.#call({ method: 'PUT', path, body: programme, ...options }, { of: 'Programme' })
  }

  /** Removes the programme of a room; there may be none. */
  async deleteProgramme(buildingId: string, roomId: string, options: WriteOptions = {}): Promise<void> {
    await this.#call({ method: 'DELETE', path: `${controlPathOf(buildingId, roomId)}/programme`, ...options })
  }

  /** Copies the programme of a room to other rooms of the building. */
  copyProgramme(
    buildingId: string,
    roomId: string,
    copies: ProgrammeCopies,
    options: CallOptions = {},
  ): Promise<ProgrammeCopies> {
    const path = `${controlPathOf(buildingId, roomId)}/programme/copies`
    return this.#call({ method: 'POST', path, body: copies, isUnique: true, ...options }, { of: 'ProgrammeCopies' })
  }

  /** What a room is planned to be for four weeks, in the iCalendar format. */
  getProgrammeCalendar(buildingId: string, roomId: string, options: CallOptions = {}): Promise<ProgrammeCalendar> {
    const path = `${controlPathOf(buildingId, roomId)}/programme/calendar`
    return this.#call({ method: 'GET', path, ...options }, { of: 'ProgrammeCalendar' })
  }

  getRoomComfort(buildingId: string, roomId: string, options: CallOptions = {}): Promise<RoomComfort> {
    const path = `${controlPathOf(buildingId, roomId)}/comfort`
    return this.#call({ method: 'GET', path, ...options }, { of: 'RoomComfort' })
  }

  patchRoomComfort(
    buildingId: string,
    roomId: string,
    patch: RoomComfortPatch,
    options: WriteOptions = {},
  ): Promise<RoomComfort> {
    const path = `${controlPathOf(buildingId, roomId)}/comfort`
    return this.#call({ method: 'PATCH', path, body: patch, ...options }, { of: 'RoomComfort' })
  }

  getBuildingComfort(buildingId: string, options: CallOptions = {}): Promise<BuildingComfort> {
    const path = `${controlPathOf(buildingId)}/comfort`
    return this.#call({ method: 'GET', path, ...options }, { of: 'BuildingComfort' })
  }

  putBuildingComfort(
    buildingId: string,
    comfort: BuildingComfort,
    options: WriteOptions = {},
  ): Promise<BuildingComfort> {
    const path = `${controlPathOf(buildingId)}/comfort`
    return this.#call({ method: 'PUT', path, body: comfort, ...options }, { of: 'BuildingComfort' })
  }

  getCooling(buildingId: string, options: CallOptions = {}): Promise<Cooling> {
    return this.#call({ method: 'GET', path: `${controlPathOf(buildingId)}/cooling`, ...options }, { of: 'Cooling' })
  }

  putCooling(buildingId: string, cooling: CoolingPut, options: WriteOptions = {}): Promise<Cooling> {
    const path = `${controlPathOf(buildingId)}/cooling`
    return this.#call({ method: 'PUT', path, body: cooling, ...options }, { of: 'Cooling' })
  }

  getHotWater(buildingId: string, options: CallOptions = {}): Promise<HotWater> {
    return this.#call({ method: 'GET', path: `${controlPathOf(buildingId)}/hot-water`, ...options }, { of: 'HotWater' })
  }

  putHotWater(buildingId: string, hotWater: HotWaterPut, options: WriteOptions = {}): Promise<HotWater> {
    const path = `${controlPathOf(buildingId)}/hot-water`
    return this.#call({ method: 'PUT', path, body: hotWater, ...options }, { of: 'HotWater' })
  }

  /** What a building can do for the grid, and what it has done. */
  getFlexibility(buildingId: string, options: CallOptions = {}): Promise<Flexibility> {
    return this.#call(
      { method: 'GET', path: `${controlPathOf(buildingId)}/flexibility`, ...options },
      { of: 'Flexibility' },
    )
  }

  /** The same of up to 10 buildings together; `after` is `next` of the answer before. */
  getFleetFlexibility(options: CallOptions & { after?: string } = {}): Promise<FleetFlexibility> {
    const { after, ...call } = options
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`
    return this.#call({ method: 'GET', path: `/control/v1/flexibility${query}`, ...call }, { of: 'FleetFlexibility' })
  }

  /** The calendars that the programme of a building follows. */
  getCalendars(buildingId: string, options: CallOptions = {}): Promise<Calendars> {
    return this.#call(
      { method: 'GET', path: `${controlPathOf(buildingId)}/calendars`, ...options },
      { of: 'Calendars' },
    )
  }

  addCalendar(buildingId: string, calendar: CalendarPut, options: CallOptions = {}): Promise<Calendar> {
    const path = `${controlPathOf(buildingId)}/calendars`
    return this.#call({ method: 'POST', path, body: calendar, isUnique: true, ...options }, { of: 'Calendar' })
  }

  /** The address stays unless another is sent. */
  putCalendar(
    buildingId: string,
    calendarId: string,
    calendar: CalendarPut,
    options: CallOptions = {},
  ): Promise<Calendar> {
    const path = `${controlPathOf(buildingId)}/calendars/${encodeURIComponent(calendarId)}`
    return this.#call({ method: 'PUT', path, body: calendar, ...options }, { of: 'Calendar' })
  }

  async deleteCalendar(buildingId: string, calendarId: string, options: CallOptions = {}): Promise<void> {
    const path = `${controlPathOf(buildingId)}/calendars/${encodeURIComponent(calendarId)}`
    await this.#call({ method: 'DELETE', path, ...options })
  }

  /**
   * The state of a building now, again as soon as something in it has changed, and when trouble is over. One request
   * waits for the next change.
   */
  async *watch(buildingId: string, options: WatchOptions = {}): AsyncGenerator<Snapshot, void, void> {
    const stoppable = options.signal ? { signal: options.signal } : {}
    const path = pathOf(buildingId)
    const waits = this.#waits < MOST_WAITS
    const get = <T>(request: Omit<Request, 'method'>, shape: Shape) =>
      this.#once<T>({ method: 'GET', ...request, ...stoppable }, shape)
    const house: WatchedHouse = {
      waits,
      state: (known) => get(stateRequest(path, known, waits && known ? WATCH_WAIT_S : 0), { of: 'State' }),
      building: () => get({ path }, { of: 'Building' }),
      rooms: () => get({ path: `${path}/rooms` }, { of: 'Room', as: 'list' }),
    }
    if (waits) this.#waits++
    try {
      yield* watch(house, options, this.#surroundings)
    } finally {
      if (waits) this.#waits--
    }
  }

  #call<T>(request: Request, shape?: Shape): Promise<T> {
    if (request.ifUnchanged) return this.#once(request, shape)
    const limits = { ...this.#limits, ...(request.signal && { signal: request.signal }) }
    return withRetries(() => this.#once<T>(request, shape), limits, this.#surroundings)
  }

  /** Without a shape nothing is expected but an answer. */
  async #once<T>(request: Request, shape?: Shape): Promise<T> {
    const value = await this.#transport.send(request)
    if (shape) checkShape(value, shape, request.path)
    return value as T
  }
}

/** First and last day, as 2026-01-31. */
export interface DaySpan {
  from?: string
  to?: string
  /** With `hour`, each day has its hours, too. */
  step?: 'day' | 'hour'
}

function daysOf(span: DaySpan): string {
  const query = new URLSearchParams(Object.entries(span).filter(([, value]) => value !== undefined))
  return query.size === 0 ? '' : `?${query}`
}

/** The answer may be as long in coming as it is asked to wait. */
function changesRequest({ since, waitS }: { since: string | undefined; waitS: number }, options: CallOptions): Request {
  const query = new URLSearchParams({ ...(since !== undefined && { since }), wait: String(waitS) })
  return { method: 'GET', path: `/v1/changes?${query}`, extraMs: waitS * 1000, isUnique: true, ...options }
}

/** Compared with what this watch has seen, and not with what another request of the client read since. */
const stateRequest = (path: string, known: State | undefined, waitS: number): Omit<Request, 'method'> => ({
  path: `${path}/state?wait=${waitS}`,
  extraMs: waitS * 1000,
  isUnique: true,
  ...(known && { known: { etag: `"${known.revision}"`, text: JSON.stringify(known) } }),
})

function addressOf(baseUrl: string): string {
  const parsed = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    const example = 'http://192.168.1.20:8080'
    throw new HypocaustError(
      'invalid_address',
      `"${baseUrl}" is not the address of a service; one looks like ${example}`,
    )
  }
  return baseUrl.replace(/\/+$/, '')
}

/** What no header can carry never was a key. */
function keyOf(apiKey: string): string {
  if (/^[!-~]+$/.test(apiKey)) return apiKey
  throw new HypocaustError('invalid_api_key', 'The API key is empty, or has characters that no key has.')
}

function pathOf(buildingId: string, roomId?: string): string {
  const building = `/v1/buildings/${encodeURIComponent(buildingId)}`
  return roomId === undefined ? building : `${building}/rooms/${encodeURIComponent(roomId)}`
}

const controlPathOf = (buildingId: string, roomId?: string): string => `/control${pathOf(buildingId, roomId)}`
