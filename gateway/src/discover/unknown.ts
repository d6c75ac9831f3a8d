import type { DeviceMessage } from '../adapters/adapter.ts'
import { namesTemperature, notARoom } from '../adapters/not-a-room.ts'
import { isObject, parseJson, textOf } from '../base/json.ts'

/** A temperature in a topic that no profile knows: a mapping a person may take over. */
export interface Proposal {
  topic: string
  /** `.` when the message is the bare value. */
  temperature: string
  value: number
}

const COLDEST_ROOM_C = 2
const WARMEST_ROOM_C = 40
const DEEPEST = 6
const MOST_FOUND = 8

/** The values that are called a temperature and could be a room's. */
export function proposalsIn({ topic, payload }: DeviceMessage): Proposal[] {
  if (/(?:^|\/)(?:config|set|get|command|cmnd)(?:\/|$)/.test(topic)) return []
  const value = parseJson(payload) ?? Number(textOf(payload) || Number.NaN)
  const lastLevels = topic.split('/').slice(-3).join('/')
  return leaves(value, '', DEEPEST)
    .filter((leaf) => couldBeARoom(leaf.value) && isCalledOne(leaf.path === '' ? lastLevels : leaf.path))
    .slice(0, MOST_FOUND)
    .map((leaf) => ({ topic, temperature: leaf.path === '' ? '.' : leaf.path, value: leaf.value }))
}

const couldBeARoom = (value: number): boolean => value >= COLDEST_ROOM_C && value <= WARMEST_ROOM_C

const isCalledOne = (name: string): boolean => namesTemperature(name) && notARoom(name) === undefined

function leaves(value: unknown, path: string, depth: number): { path: string; value: number }[] {
  if (typeof value === 'number' && Number.isFinite(value)) return [{ path, value }]
  if (depth === 0 || (!isObject(value) && !Array.isArray(value))) return []
  return Object.entries(value).flatMap(([key, part]) => leaves(part, step(path, key, Array.isArray(value)), depth - 1))
}

function step(path: string, key: string, inList: boolean): string {
  if (inList) return `${path}[${key}]`
  if (!/^[\w-]+$/.test(key)) return `${path}["${key.replaceAll('"', '')}"]`
  return path === '' ? key : `${path}.${key}`
}
