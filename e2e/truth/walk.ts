import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { formatsFor } from '../../web/src/i18n/formats.ts'
import { translatorIn } from '../../web/test/translate.ts'
import { type Language, ofHouse, ofRoom, type RoomMoment } from './contradictions.ts'
import { contradictionsOfHeat } from './heat.ts'
import { SimulatedHouse } from './house.ts'
import { EVENTS } from './week.ts'

const LANGUAGES: Language['name'][] = ['en', 'de']
const CHECKED_EVERY_MS = 15 * MINUTE_MS
const KEPT_WITHIN_K = 0.3
/** A promise counts as it stood this long before. */
const PROMISED_AHEAD_MS = HOUR_MS

interface Walked {
  moments: number
  contradictions: string[]
  doings: Record<string, number>
  promises: { room: string; atMs: number; promisedC: number; measuredC: number }[]
}

/** A simulated house over some hours: all its sentences against `/v1`, and its promises against what came. */
export async function walk(hours: number): Promise<Walked> {
  const house = await SimulatedHouse.open()
  const walked: Walked = { moments: 0, contradictions: [], doings: {}, promises: [] }
  const open = new Map<string, { atMs: number; promisedC: number }>()
  try {
    const startMs = house.nowMs
    const events = [...EVENTS]
    let last = 'nothing'
    while (house.nowMs - startMs < hours * HOUR_MS) {
      while (events[0] && house.nowMs - startMs >= events[0][0] * HOUR_MS) {
        const [, name, event] = events.shift() as (typeof EVENTS)[number]
        last = name
        await event(house)
      }
      await house.live(CHECKED_EVERY_MS)
      const hour = ((house.nowMs - startMs) / HOUR_MS).toFixed(2)
      const { found, moments, timezone } = await look(house)
      if (house.nowMs % HOUR_MS < CHECKED_EVERY_MS) found.push(...(await contradictionsOfHeat(house, timezone)))
      walked.moments += moments.length
      walked.contradictions.push(...found.map((each) => `h ${hour}, after ${last}: ${each}`))
      for (const { v1 } of moments) walked.doings[v1.outlook.activity] = (walked.doings[v1.outlook.activity] ?? 0) + 1
      follow(moments, house.nowMs, open, walked)
    }
    return walked
  } finally {
    await house.close()
  }
}

async function look(house: SimulatedHouse): Promise<{ found: string[]; moments: RoomMoment[]; timezone: string }> {
  const { world, ada, buildingId } = house
  const v1 = `/v1/buildings/${buildingId}/rooms`
  const key = world.holder.readKey
  const building = (await ada.call('GET', `/app/buildings?id=${buildingId}`)).json[0]
  const outlooks = (await ada.call('GET', `/app/buildings/${buildingId}/outlooks`)).json
  const rooms = (await world.get(v1, { key })).json
  const languages = LANGUAGES.map((name) => wording(name, house.nowMs, building.timezone))
  const moments: RoomMoment[] = []
  for (const room of rooms) {
    const explanation = (await world.get(`${v1}/${room.id}/explanation`, { key })).json
    if (!explanation) continue
    moments.push({
      app: {
        room: building.rooms.find(({ id }: { id: string }) => id === room.id),
        outlook: outlooks[room.id],
        explanation: (await ada.call('GET', `/app/rooms/${room.id}/explanation`)).json,
      },
      v1: { room, outlook: (await world.get(`${v1}/${room.id}/outlook`, { key })).json, explanation },
    })
  }
  const found = languages.flatMap((words) => [
    ...moments.flatMap((moment) => ofRoom(moment, words).map((each) => `${moment.v1.room.name}: ${each}`)),
    ...ofHouse(building, rooms, outlooks, words),
  ])
  return { found, moments, timezone: building.timezone }
}

function wording(name: Language['name'], now: number, timeZone: string): Language {
  const t = translatorIn(name)
  return { name, t, format: formatsFor(name, t, 'C', ['en-GB', 'de-DE']), timeZone, now }
}

/** Notes what is promised, and what came of it once its moment is there. */
function follow(
  moments: RoomMoment[],
  nowMs: number,
  open: Map<string, { atMs: number; promisedC: number }>,
  { promises }: Walked,
): void {
  for (const { v1 } of moments) {
    const promise = open.get(v1.room.id)
    if (promise && nowMs >= promise.atMs) {
      open.delete(v1.room.id)
      const measuredC = v1.room.current_temperature
      if (measuredC !== null && nowMs - promise.atMs < CHECKED_EVERY_MS)
        promises.push({ room: v1.room.name, ...promise, measuredC })
    }
    const { next, next_expected: promisedC } = v1.outlook
    const atMs = next ? Date.parse(next.at) : 0
    if (promisedC === null) open.delete(v1.room.id)
    else if (atMs - nowMs >= PROMISED_AHEAD_MS) open.set(v1.room.id, { atMs, promisedC })
  }
}

export const keptShare = ({ promises }: Walked): number =>
  promises.filter(({ promisedC, measuredC }) => Math.abs(promisedC - measuredC) <= KEPT_WITHIN_K).length /
  Math.max(1, promises.length)
