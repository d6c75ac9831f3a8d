import type { Decision } from '@hypocaust/control'
import {
  type AlertFacts,
  type AlertKind,
  BATTERY_LOW_PCT,
  type HeldOff,
  HOUR_MS,
  MINUTE_MS,
  READING_STALE_AFTER_MS,
  timestampOf,
} from '@hypocaust/domain'
import { isWithin } from '../../base/clock.ts'
import { UNANSWERED } from '../../house/fleet.ts'
import type { BuildingFacts, GatewayFacts, RoomFacts, State } from './facts.ts'
import { heatWithoutEffect, isWindowOpen, isWithoutHeat, targetUnreachable } from './heat.ts'
import { coldestLeft, leftCooling } from './left-cooling.ts'
import { isShort, Shortage } from './shortage.ts'

export interface Verdict {
  subject: string
  state: State
  alert: AlertFacts
}

const BATTERY_FINE_PCT = 20
/** The room goes on by its other sensors, and one that reports only changes may be silent for a night. */
const ONE_OF_SEVERAL_SILENT_AFTER_MS = 12 * HOUR_MS
const GATEWAY_SILENT_AFTER_MS = HOUR_MS
const GATEWAY_WATCHED_AFTER_MS = 3 * HOUR_MS

export interface Look {
  nowMs: number
  silentAfterS: number
  /** Subjects of the alerts that stand. */
  open: ReadonlySet<string>
}

const subjectOf = ({ kind, room_id, building_id }: AlertFacts): string => `${kind} ${room_id ?? building_id}`

/** What needs a person in a building: every kind, of every room, with what can be said of it now. */
export function judge(building: BuildingFacts, look: Look): Verdict[] {
  const isSilent = building.lastSeenAt === null || !isWithin(look.nowMs - building.lastSeenAt, look.silentAfterS * 1000)
  const about = (kind: AlertKind, state: State, facts: Partial<AlertFacts> = {}): Verdict => {
    const alert = { ...blank(building), ...facts, kind }
    return { subject: subjectOf(alert), state, alert }
  }
  const ofBuilding = about('building_silent', silence(building, isSilent), { since: stamp(building.lastSeenAt) })
  // What swapped rooms show of their heat is that of each other.
  const isSwapped = (room: RoomFacts) => building.swapped.some((pair) => pair.includes(room))
  const heat = new Map(
    building.rooms.map((room) => [room.id, isSwapped(room) ? 'lapsed' : heatWithoutEffect(room, look.nowMs)]),
  )
  const source = about('heat_source_failed', heatSource(building, heat))
  // One failed source is one alert, and stays one while the rooms recover one after the other.
  const isSource = source.state === 'holds' || look.open.has(source.subject)
  const shortage = new Shortage(building.rooms.filter((room) => !isSwapped(room)))
  const supply = about('supply_too_cold', shortage.supply, shortage.evidence(building.rooms))
  const isSupply = supply.state === 'holds' || look.open.has(supply.subject)
  const rooms = building.rooms.flatMap((room) => {
    const base = { room_id: room.id, room: room.name }
    const heatState = heat.get(room.id) ?? 'unknown'
    const latest = room.decisions.at(-1)
    const loop = about('loop_low_flow', isSupply ? 'lapsed' : shortage.loop(room), {
      ...base,
      ...shortage.evidence([room]),
    })
    const isExplained = isSwapped(room) || (isShort(room) && (isSupply || loop.state === 'holds'))
    return [
      about('sensor_silent', sensorSilence(room, look.nowMs), { ...base, since: stamp(room.allHeardAt) }),
      about('sensor_never_heard', room.allHeardAt === null ? 'holds' : 'gone', base),
      about('valve_without_effect', isSource && heatState === 'holds' ? 'unknown' : heatState, base),
      about('model_broken', modelState(latest), base),
      about('valve_silent', relayState(room, isSilentRelay), base),
      about('valve_stays_on', relayState(room, isStuckOpen), base),
      about('floor_probe_silent', relayState(room, isHeldBy('no_floor_probe')), base),
      about('auto_off_unproven', relayState(room, isHeldBy('auto_off_unproven')), base),
      about('floor_limit', relayState(room, isHeldBy('floor_limit')), base),
      loop,
      about('target_unreachable', isExplained ? 'lapsed' : targetUnreachable(room, look.nowMs), {
        ...base,
        value: room.decisions.at(-1)?.air?.airC ?? null,
      }),
      about('mould_risk', mouldState(room), { ...base, ...mouldFigures(room) }),
      about('close_blinds', blindsState(latest, look.nowMs), { ...base, value: latest?.shading?.openC ?? null }),
      about('window_open', latest && isWindowOpen(latest) ? 'holds' : 'gone', base),
    ]
  })
  const spoken = [
    source,
    supply,
    about('gateway_not_following', following(building, look)),
    about('two_agents', doubled(building)),
    about('disinfection_overdue', disinfection(building)),
    about('cooling_left_on', leftCooling(building, look.nowMs), coldestLeft(building, look.nowMs)),
    ...rooms,
  ]
  const batteries = building.rooms.map((room) =>
    about('battery_low', battery(room), { room_id: room.id, room: room.name, value: room.batteryPct }),
  )
  // While the whole building is silent, nothing of it is news; before it ever spoke, neither.
  return [
    ofBuilding,
    about('sensors_swapped', swappedState(building, isSilent), namesOf(building.swapped[0])),
    ...spoken.map((verdict) => (isSilent ? { ...verdict, state: 'unknown' as const } : verdict)),
    ...batteries,
  ]
}

/** Where it is not asked for, the question does not arise. */
function disinfection({ isDisinfectionOverdue }: BuildingFacts): State {
  if (isDisinfectionOverdue === null) return 'lapsed'
  return isDisinfectionOverdue ? 'holds' : 'gone'
}

function swappedState({ swapped }: BuildingFacts, isSilent: boolean): State {
  if (isSilent) return 'lapsed'
  return swapped.length > 0 ? 'holds' : 'gone'
}

const namesOf = (rooms: RoomFacts[] = []): Partial<AlertFacts> => ({ rooms: rooms.map(({ name }) => name) })

function silence({ lastSeenAt }: BuildingFacts, isSilent: boolean): State {
  if (lastSeenAt === null) return 'lapsed'
  return isSilent ? 'holds' : 'gone'
}

/** The control knows how long the sensor is silent at times although it works. */
function sensorSilence({ measuredAt, allHeardAt, decisions }: RoomFacts, nowMs: number): State {
  if (measuredAt === null || allHeardAt === null) return 'lapsed'
  if (allHeardAt < measuredAt && nowMs - allHeardAt > ONE_OF_SEVERAL_SILENT_AFTER_MS) return 'holds'
  const latest = decisions.at(-1)
  const wasSilent = (latest?.air?.ageS ?? 0) * 1000 > READING_STALE_AFTER_MS / 2
  const isUsual = wasSilent && !latest?.notices.includes('sensor-lost')
  return nowMs - measuredAt > READING_STALE_AFTER_MS && !isUsual ? 'holds' : 'gone'
}

/** Without a decision nothing is known; a watched room is not heated by its model. */
function modelState(latest: Decision | undefined): State {
  if (!latest) return 'unknown'
  return latest.notices.includes('model-broken') ? 'holds' : 'gone'
}

/** So long before the sun does harm people are told of it. */
const BLINDS_AHEAD_MS = 30 * MINUTE_MS

function blindsState(latest: Decision | undefined, nowMs: number): State {
  if (!latest) return 'unknown'
  const { shading } = latest
  if (!shading) return 'gone'
  return nowMs >= shading.closeMs - BLINDS_AHEAD_MS && nowMs < shading.openMs ? 'holds' : 'gone'
}

/** A raised risk begins no alert, and ends none. */
function mouldState({ mould }: RoomFacts): State {
  if (mould === null) return 'lapsed'
  if (mould.risk === 'high') return 'holds'
  return mould.risk === 'low' ? 'gone' : 'unknown'
}

const mouldFigures = ({ mould }: RoomFacts): Partial<AlertFacts> =>
  mould ? { value: mould.dampHours, ...(mould.airing && { airing: mould.airing }) } : {}

/** Between the two it may be either: a battery's percentage wavers with its temperature. */
function battery({ batteryPct }: RoomFacts): State {
  if (batteryPct === null) return 'lapsed'
  if (batteryPct <= BATTERY_LOW_PCT) return 'holds'
  return batteryPct < BATTERY_FINE_PCT ? 'unknown' : 'gone'
}

/** A relay that reports off although it was switched on follows as little as one that says nothing. */
const isSilentRelay = ({ state, stuck }: RoomFacts['relays'][number]): boolean =>
  state === 'silent' || (state === 'contradicts' && stuck !== 'open')

const isStuckOpen = ({ state, stuck }: RoomFacts['relays'][number]): boolean =>
  state === 'contradicts' && stuck === 'open'

const isHeldBy =
  (reason: HeldOff) =>
  ({ held }: RoomFacts['relays'][number]): boolean =>
    held === reason

function relayState(
  { relays, watchedSince }: RoomFacts,
  isFaulty: (relay: RoomFacts['relays'][number]) => boolean,
): State {
  if (relays.length === 0 || watchedSince !== null) return 'lapsed'
  return relays.some(isFaulty) ? 'holds' : 'gone'
}

/** Several rooms with water in their floors, and most of those that ask for heat: it is not their valves. */
function heatSource({ rooms }: BuildingFacts, heat: ReadonlyMap<string, State>): State {
  const withWater = rooms.filter(({ floorType, watchedSince }) => floorType !== 'electric' && watchedSince === null)
  const cold = withWater.filter(({ id }) => heat.get(id) === 'holds')
  const asking = withWater.filter(({ decisions }) => (decisions.at(-1)?.power ?? 0) > 0)
  if (cold.length >= 2 && cold.length > asking.length / 2) return 'holds'
  const latest = withWater.flatMap(({ decisions }) => decisions.slice(-1))
  return latest.some(isWithoutHeat) ? 'unknown' : 'gone'
}

const doubled = ({ gateways }: BuildingFacts): State => {
  if (gateways.length === 0) return 'lapsed'
  return gateways.some(({ isDoubled }) => isDoubled) ? 'holds' : 'gone'
}

function following({ gateways }: BuildingFacts, look: Look): State {
  const states = gateways.filter(({ hasRooms }) => hasRooms).map((gateway) => followingOf(gateway, look))
  return (['holds', 'unknown', 'gone'] as const).find((state) => states.includes(state)) ?? 'lapsed'
}

function followingOf(gateway: GatewayFacts, { nowMs, silentAfterS }: Look): State {
  const { lastSeenAt, createdAt, unanswered, refuses, obeyedAt } = gateway
  if (lastSeenAt === null || nowMs - createdAt < GATEWAY_WATCHED_AFTER_MS) return 'lapsed'
  if (nowMs - lastSeenAt > GATEWAY_SILENT_AFTER_MS) return 'holds'
  if (nowMs - lastSeenAt > silentAfterS * 1000) return 'unknown'
  if (unanswered < UNANSWERED && !refuses) return 'gone'
  return obeyedAt === null ? 'holds' : 'unknown'
}

const stamp = (atMs: number | null): string | null => (atMs === null ? null : timestampOf(atMs))

const blank = ({ id, name }: BuildingFacts): Omit<AlertFacts, 'kind'> => ({
  building_id: id,
  building: name,
  room_id: null,
  room: null,
  since: null,
  value: null,
})
