import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SLOT_S, type Slot } from '@hypocaust/control'
import { FLOOR_TYPES, type FloorType } from '@hypocaust/domain'

/** A recorded house: half hours of one room, in order. */
export type House = {
  name: string
  location: { lat: number; lng: number } | null
  floorTypes: [FloorType, ...FloorType[]]
  slots: Slot[]
}

const SLOT_MS = SLOT_S * 1000
const CALM_WIND_MS = 3.5

/** All houses of a folder, and what is wrong with the files that are none. */
export function readHouses(folder: string): { houses: House[]; problems: string[] } {
  const files = jsonFiles(folder)
  if (files.length === 0) throw new Error(`${folder} has no .json file; --data must be a folder of recorded houses`)
  const houses = new Map<string, House>()
  const problems: string[] = []
  for (const file of files) {
    try {
      const house = parseHouse(readFileSync(join(folder, file), 'utf8'), file)
      if (houses.has(house.name)) problems.push(`${file}: another file has the name "${house.name}" already`)
      else houses.set(house.name, house)
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  return { houses: [...houses.values()], problems }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function jsonFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .toSorted()
  } catch (error) {
    throw new Error(`${folder} cannot be read: ${messageOf(error)}`)
  }
}

export function parseHouse(text: string, file: string): House {
  const fail = (why: string): never => {
    throw new Error(`${file}: ${why}`)
  }
  const house = parsed(text, fail)
  const { name = file.replace(/\.json$/, ''), location = null, floorTypes, slots } = house
  if (typeof name !== 'string' || name === '') return fail('name must be a text')
  if (!Array.isArray(slots)) return fail('slots must be a list of half hours')
  return {
    name,
    location: locationOf(location, fail),
    floorTypes: floorTypesOf(floorTypes, fail),
    slots: inOrder(
      slots.flatMap((slot, i) => slotOf(slot, `slots[${i}]`, fail) ?? []),
      fail,
    ),
  }
}

type Fail = (why: string) => never

function parsed(text: string, fail: Fail): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return fail(`is not JSON: ${messageOf(error)}`)
  }
  return isObject(value) ? value : fail('must be an object with name, location, floorTypes and slots')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function locationOf(value: unknown, fail: Fail): House['location'] {
  if (value === null) return null
  const { lat, lng } = isObject(value) ? value : {}
  if (typeof lat !== 'number' || typeof lng !== 'number' || Math.abs(lat) > 90 || Math.abs(lng) > 180)
    return fail('location must be {lat, lng} in degrees, or null')
  return { lat, lng }
}

function floorTypesOf(value: unknown, fail: Fail): House['floorTypes'] {
  const all = Array.isArray(value) ? value : []
  const known = all.filter((type): type is FloorType => FLOOR_TYPES.includes(type))
  const [first, ...rest] = [...new Set(known)]
  if (first === undefined || known.length < all.length)
    return fail(`floorTypes must be a list of one or more of: ${FLOOR_TYPES.join(', ')}`)
  return [first, ...rest]
}

/** Null where heat or outdoor temperature were not recorded: nothing can be said of such a half hour. */
function slotOf(value: unknown, where: string, fail: Fail): Slot | null {
  if (!isObject(value)) return fail(`${where} must be an object`)
  const number = (field: string): number | null => {
    const given = value[field] ?? null
    if (given !== null && (typeof given !== 'number' || !Number.isFinite(given)))
      return fail(`${where}.${field} must be a number or null, not ${JSON.stringify(given)}`)
    return given
  }
  const endMs = number('endMs')
  if (endMs === null || endMs % SLOT_MS !== 0)
    return fail(`${where}.endMs must be the end of a half hour in milliseconds since 1970, not ${value.endMs}`)
  const [airC, power, outdoorC] = [number('airC'), number('power'), number('outdoorC')]
  if (power !== null && (power < 0 || power > 1)) return fail(`${where}.power must be from 0 to 1, not ${power}`)
  const [windMs, solarWm2] = [number('windMs') ?? CALM_WIND_MS, number('solarWm2') ?? 0]
  return power === null || outdoorC === null ? null : { endMs, airC, power, outdoorC, windMs, solarWm2 }
}

function inOrder(slots: Slot[], fail: Fail): Slot[] {
  const sorted = slots.toSorted((a, b) => a.endMs - b.endMs)
  const twice = sorted.find((slot, i) => slot.endMs === sorted[i + 1]?.endMs)
  if (twice) return fail(`the half hour that ends at ${new Date(twice.endMs).toISOString()} is there twice`)
  return sorted
}
