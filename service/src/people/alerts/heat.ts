import type { Decision } from '@hypocaust/control'
import { FLOOR_RESPONSE, HOUR_MS } from '@hypocaust/domain'
import { FROST } from '@hypocaust/domain/facts'
import type { RoomFacts, State } from './facts.ts'
import { isShort } from './shortage.ts'

export const LONGEST_LOOK_BACK_MS = 16 * HOUR_MS

const FULL_POWER = 0.9
/** Less than this below the band is not worth a word; the control goes by what people feel, not by the air alone. */
const SHORT_K = 0.5
const NEAR_K = 0.25
const ASKED_POWER = 0.3
/** A room without heat falls at least at this share of the book's pace; a leaky one, faster. */
const UNHEATED_SHARE = 0.5
const COLDER_K = 3
const OLDEST_READING_S = 1800
/** A running control decides at least every half hour. */
const LONGEST_STRETCH_MS = HOUR_MS

/** Only such a room's last hours are read. */
export const needsLastHours = (latest: Decision | undefined): boolean =>
  latest !== undefined && (isWithoutHeat(latest) || (isAllThereIs(latest) && isBelow(latest)))

export const isWithoutHeat = ({ notices }: Decision): boolean => notices.includes('boiler-off')

/** Then it is not the floor that is too small. */
const isDisturbed = (decision: Decision): boolean => isWithoutHeat(decision) || isWindowOpen(decision)

/** By its contact, or by how fast the temperature fell. */
export const isWindowOpen = ({ notices, caps }: Decision): boolean =>
  notices.includes('window-open') || caps.includes('open-window')

/** Either the valve stands open, or the floor may not become warmer. */
const isAllThereIs = ({ power, caps }: Decision): boolean => power >= FULL_POWER || caps.includes('floor-limit')

const isBelow = ({ mode, air, aim }: Decision): boolean => mode === 'heat' && air !== null && air.airC < aim.lowC

const isEmpty = ({ aim: { reason, occupied } }: Decision): boolean =>
  reason === 'away' || reason === 'presence' || (reason === 'calendar' && !occupied)

/**
 * All the heat there is, for hours, and the room is below its band all that time and not on its way there. A slow floor
 * that is warming up is on its way; a room after its setback was not below what was asked of it during the night.
 */
export function targetUnreachable(room: RoomFacts, nowMs: number): State {
  const latest = room.decisions.at(-1)
  if (!latest) return 'unknown'
  if (room.watchedSince !== null) return frozen(latest)
  if (latest.mode !== 'heat' || isEmpty(latest)) return 'lapsed'
  if (latest.rung === 'model-only' || latest.rung === 'learned-power' || latest.air === null) return 'unknown'
  if (latest.air.airC >= room.targetC - room.bandK - NEAR_K) return 'gone'
  if (isDisturbed(latest)) return 'unknown'
  if (isShort(room)) return 'holds'
  return hasTriedLong(room, latest, nowMs) ? 'holds' : 'unknown'
}

/** Whether a room gets warm is up to the thermostat that heats it, until its pipes may freeze. */
function frozen({ air }: Decision): State {
  if (air === null) return 'unknown'
  return air.airC < FROST.belowC ? 'holds' : 'lapsed'
}

function hasTriedLong({ floorType, decisions }: RoomFacts, { aim }: Decision, nowMs: number): boolean {
  const { patienceH, roomH } = FLOOR_RESPONSE[floorType]
  const spell = spellOf(decisions, nowMs - patienceH * HOUR_MS, nowMs)
  if (!spell?.every(({ decision }) => isBelow(decision) && !isDisturbed(decision))) return false
  const given = meanOf(spell, ({ decision }) => (isAllThereIs(decision) ? 1 : decision.power))
  const { endC, kelvinPerH } = trendOf(spell, nowMs)
  return given >= FULL_POWER && endC + Math.max(0, kelvinPerH) * roomH < aim.lowC - SHORT_K
}

/**
 * Heat was asked for during as long as the floor needs to answer, the model says that none came, and the room says the
 * same in plain figures: it is below its band and falling, and not because it has become colder outdoors.
 */
export function heatWithoutEffect(room: RoomFacts, nowMs: number): State {
  const latest = room.decisions.at(-1)
  if (!latest) return 'unknown'
  if (!isWithoutHeat(latest)) return 'gone'
  if (latest.mode === 'off' || room.watchedSince !== null) return 'lapsed'
  const spell = spellOf(room.decisions, nowMs - FLOOR_RESPONSE[room.floorType].answersH * HOUR_MS, nowMs)
  if (!spell) return 'unknown'
  if (spell.every(({ decision, airC }) => airC >= decision.aim.lowC)) return 'gone'
  const asked = meanOf(spell, ({ decision }) => decision.power)
  if (asked === 0) return 'lapsed'
  const { endC, kelvinPerH } = trendOf(spell, nowMs)
  const outdoorFellK = (spell[0]?.decision.outdoorC ?? 0) - (latest.outdoorC ?? 0)
  const unheatedKPerH = (endC - (latest.outdoorC ?? 0)) / FLOOR_RESPONSE[room.floorType].roomH
  const isFalling = -kelvinPerH >= UNHEATED_SHARE * unheatedKPerH && outdoorFellK < COLDER_K
  const isCold = spell.every(({ decision, airC }) => isWithoutHeat(decision) && airC < decision.aim.lowC)
  return asked >= ASKED_POWER && isCold && isFalling ? 'holds' : 'unknown'
}

interface Stretch {
  decision: Decision
  fromMs: number
  toMs: number
  airC: number
}

/** The decisions in force since then, each with its time; undefined where one is missing, or was made without a reading. */
export function spellOf(decisions: Decision[], sinceMs: number, nowMs: number): Stretch[] | undefined {
  const first = decisions.findLastIndex(({ atMs }) => atMs <= sinceMs)
  const inForce = first < 0 ? [] : decisions.slice(first)
  const spell = inForce.flatMap((decision, i) => {
    const { atMs, air } = decision
    const toMs = inForce[i + 1]?.atMs ?? nowMs
    const isKnown = air !== null && air.ageS <= OLDEST_READING_S && toMs - atMs <= LONGEST_STRETCH_MS
    return isKnown ? [{ decision, fromMs: Math.max(atMs, sinceMs), toMs, airC: air.airC }] : []
  })
  return spell.length > 0 && spell.length === inForce.length ? spell : undefined
}

function meanOf(spell: Stretch[], pick: (stretch: Stretch) => number): number {
  const sum = spell.reduce((total, stretch) => total + pick(stretch) * (stretch.toMs - stretch.fromMs), 0)
  return sum / spell.reduce((total, { fromMs, toMs }) => total + toMs - fromMs, 0)
}

/** A straight line through the readings, and where it ends. */
function trendOf(spell: Stretch[], nowMs: number): { endC: number; kelvinPerH: number } {
  const points = spell.map(({ decision, airC }) => ({ h: (decision.atMs - nowMs) / HOUR_MS, airC }))
  const mean = (pick: (point: { h: number; airC: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length
  const meanH = mean(({ h }) => h)
  const meanC = mean(({ airC }) => airC)
  const spread = mean(({ h }) => (h - meanH) ** 2)
  const kelvinPerH = spread === 0 ? 0 : mean(({ h, airC }) => (h - meanH) * (airC - meanC)) / spread
  return { endC: meanC - kelvinPerH * meanH, kelvinPerH }
}
