import { type BuildingEnergy, HOUR_MS } from '@hypocaust/domain'
import { countNext } from '../../service/src/house/heat/count.ts'
import { daysOf } from '../../web/src/building/energy-span.ts'
import { barsOf } from '../../web/src/building/heat-bars.ts'
import type { SimulatedHouse } from './house.ts'

/** Each figure is rounded by itself. */
const ROUNDING_KWH = 0.1
/** A room is counted every two hours, with the half hours that are over. */
const LATEST_MS = 3 * HOUR_MS

/** Where the figures of heat contradict each other or `/v1`. */
export async function contradictionsOfHeat(house: SimulatedHouse, timeZone: string): Promise<string[]> {
  const { world, ada, buildingId, nowMs } = house
  while (await countNext(world)) {}
  const today = new Intl.DateTimeFormat('sv', { timeZone }).format(nowMs)
  const query = new URLSearchParams(daysOf('month', today)).toString()
  const page: BuildingEnergy = (await ada.call('GET', `/app/buildings/${buildingId}/energy?${query}`)).json
  const key = world.holder.readKey
  const v1: BuildingEnergy = (await world.get(`/v1/buildings/${buildingId}/energy?${query}`, { key })).json
  const found: string[] = []
  const expect = (isTrue: boolean, what: string) => {
    if (!isTrue) found.push(`heat: ${what}`)
  }
  expect(JSON.stringify(page) === JSON.stringify(v1), 'the page and /v1 differ')
  if (v1.heat === null) return found
  const { rooms, heat } = v1
  const near = (a: number, b: number, roundings: number, what: string) =>
    expect(Math.abs(a - b) <= roundings * ROUNDING_KWH, `${what}: ${a} and ${b}`)
  const sumOf = (values: (number | null)[]) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  near(sumOf(rooms.map((room) => room.heat)), heat, rooms.length, 'the rooms and the house')
  near(sumOf(barsOf(page, page.rooms).map(({ total }) => total)), heat, 1, 'the bars and the house')
  for (const { name, days, share, heat: own } of rooms) {
    near(sumOf(days.map((day) => day.heat)), own ?? 0, 1, `the days of ${name} and their sum`)
    near((share ?? 0) * heat, own ?? 0, 1 + heat / 10, `the share of ${name}`)
  }
  const untilMs = Date.parse(v1.counted_until ?? '')
  expect(untilMs <= nowMs && untilMs >= Date.parse(v1.counted_from ?? ''), `counted until ${v1.counted_until}`)
  expect(!house.isConnected || nowMs - untilMs <= LATEST_MS, `counted only until ${v1.counted_until}`)
  return found
}
