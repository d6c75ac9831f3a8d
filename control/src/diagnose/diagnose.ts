import { CAUSES, type Cause, type FloorType, HOUR_MS } from '@hypocaust/domain'
import type { Location } from '../model/sun.ts'
import { rank } from './rank.ts'
import { hourly } from './room-shapes.ts'
import { type Examined, type Weights, weigh } from './weigh.ts'

/** What the last days of a room say, as plain JSON: kept, it is weighed together with the other rooms of the house. */
export type Examination = {
  atMs: number
  floorType: FloorType
  gains: Record<Cause, number>
  sinceMs: Record<Cause, number>
  /** For its sensor being that of another room, by the room. */
  swapped: Record<string, number>
  picture: Picture
}

/** What the room showed, what a healthy one would have shown, and one with each of the likelier causes. */
export type Picture = {
  fromMs: number
  stepMs: number
  measuredC: (number | null)[]
  healthyC: number[]
  withCauseC: Partial<Record<Cause, number[]>>
}

/** The most probable causes, if something is wrong; empty for a room in which nothing is seen to be. */
export type Diagnosis = {
  cause: Cause
  probability: number
  sinceMs: number
  /** With whose sensor it may have been swapped. */
  otherRoom: string | null
}[]

const PICTURE_STEP_H = 2
const PICTURED = 3
/** Below this nothing is said: a false diagnosis is worse than none. */
const NAMED_FROM = 0.7
const MENTIONED_FROM = 0.05

type House = { rooms: ReadonlyMap<string, Examined>; location: Location }

/** What the last days of a room of a house say; null where too little of them is known. */
export function examine({ rooms, location }: House, roomId: string, nowMs: number): Examination | null {
  const room = rooms.get(roomId)
  const others = [...rooms].filter(([id]) => id !== roomId)
  const inOthers = others.map(([, other]) => other)
  const weights = room && weigh(room, inOthers, location, nowMs)
  if (!room || !weights) return null
  const { byCause } = weights
  const swapped = others.map(([id], i) => [id, rounded(weights.swapped[i]?.gain ?? 0)])
  return {
    atMs: nowMs,
    floorType: room.floorType,
    gains: mapped(byCause, ({ gain }) => rounded(gain)),
    sinceMs: mapped(byCause, ({ sinceDays }) => nowMs - Math.round(sinceDays * 24) * HOUR_MS),
    swapped: Object.fromEntries(swapped),
    picture: pictureOf(weights),
  }
}

/** What is probably wrong with a room, by what all rooms of its house have shown. */
export function diagnose(house: ReadonlyMap<string, Examination>, roomId: string): Diagnosis {
  const own = house.get(roomId)
  const ids = [...house.keys()]
  if (!own) return []
  const rooms = [...house.values()].map(({ floorType, gains, swapped }) => ({
    floorType,
    gains,
    swapped: ids.map((id) => swapped[id] ?? 0),
  }))
  const ranked = rank(rooms, ids.indexOf(roomId))
  if ((ranked[0]?.probability ?? 0) < NAMED_FROM) return []
  return ranked
    .filter(({ probability }) => probability >= MENTIONED_FROM)
    .map(({ cause, probability, otherRoom }) => ({
      cause,
      probability: Math.round(100 * probability) / 100,
      sinceMs: own.sinceMs[cause],
      otherRoom: otherRoom === null ? null : (ids[otherRoom] ?? null),
    }))
}

function pictureOf({ byCause, shapes, fitted }: Weights): Picture {
  const slots = hourly(shapes.tape.slots)
  const shown = <T>(hours: T[]): T[] => hours.filter((_, i) => i % PICTURE_STEP_H === 0)
  const likely = CAUSES.map((cause) => ({ cause, weight: byCause[cause] }))
    .filter(({ weight }) => weight.gain > 0 && weight.changeK)
    .toSorted((a, b) => b.weight.gain - a.weight.gain)
    .slice(0, PICTURED)
  return {
    fromMs: slots[0]?.endMs ?? 0,
    stepMs: PICTURE_STEP_H * HOUR_MS,
    measuredC: shown(slots.map(({ airC }) => airC)),
    healthyC: shown(fitted()).map(tenth),
    withCauseC: Object.fromEntries(
      likely.map(({ cause, weight }) => [cause, shown(fitted(weight.changeK)).map(tenth)]),
    ),
  }
}

const mapped = <T>(values: Record<string, T>, of: (value: T) => number) =>
  Object.fromEntries(Object.entries(values).map(([cause, value]) => [cause, of(value)])) as Record<Cause, number>

const rounded = (value: number): number => Math.round(100 * value) / 100 + 0
const tenth = (value: number): number => Math.round(10 * value) / 10 + 0
