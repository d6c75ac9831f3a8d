import { type Candidate, findRoom, isAnswered, type Opening, type Search, safeShare } from '@hypocaust/control'
import { HOUR_MS } from '@hypocaust/domain'
import { demoHouse, VirtualHouse } from '@hypocaust/simulator'
import { expect, test } from 'vitest'

const LOOKED_EVERY_MIN = 10
const WINDOW_MS = 900_000
/** Each channel of the house opens the loop of another room. */
const SWAPPED: Record<number, number> = { 1: 4, 2: 1, 3: 6, 4: 2, 5: 3, 6: 5 }

interface Choice {
  seed: number
  start: string
  /** Of the sky; 3 is a cloudless week. */
  clearness?: number
  deadChannel?: number
}

/** Opens one channel after the other, as the service does, and returns what was found. */
function search({ seed, start, clearness = 0, deadChannel }: Choice) {
  const startMs = Date.parse(start)
  const plan = demoHouse({ seed, startMs: startMs - 6 * HOUR_MS })
  plan.climate.clearness = clearness
  const house = new VirtualHouse(plan)
  const candidates: Candidate[] = plan.rooms.map(({ name, floorType }) => ({
    roomId: name,
    floorType,
    maxFloorC: 29,
    readings: [],
    earlier: [],
  }))
  const live = (minutes: number, open: Map<number, number>) => {
    for (const { sensorId, atMs, temperature } of house.advance(60 * minutes, open).readings)
      candidates[plan.rooms.findIndex((room) => room.sensorId === sensorId)]?.readings.push({ atMs, airC: temperature })
  }
  while (house.nowMs < startMs) live(10, new Map(plan.rooms.map(({ channel }) => [channel, 0.4])))
  const { latDeg: lat, lngDeg: lng } = plan.climate.place
  const found = Object.entries(SWAPPED).map(([channel, roomChannel]) => {
    const { outdoorC } = house.weather()
    const opening: Opening = { fromMs: house.nowMs, toMs: house.nowMs, power: safeShare(candidates, 21, outdoorC) }
    for (;;) {
      for (let minute = 0; minute < LOOKED_EVERY_MIN; minute++) {
        const isOpen = house.nowMs % WINDOW_MS < opening.power * WINDOW_MS && Number(channel) !== deadChannel
        live(1, new Map([[roomChannel, isOpen ? 1 : 0]]))
      }
      opening.toMs = house.nowMs
      const task: Search = {
        candidates,
        sinceMs: startMs,
        opening,
        nowMs: house.nowMs,
        outdoorC: house.weather().outdoorC,
        location: { lat, lng },
      }
      const finding = findRoom(task)
      if (!isAnswered(finding, task)) continue
      candidates.find(({ roomId }) => roomId === finding.roomId)?.earlier.push({ ...opening })
      return { channel: Number(channel), ...finding }
    }
  })
  return { found, hours: (house.nowMs - startMs) / HOUR_MS, plan }
}

const wired = (rooms: { name: string; channel: number }[]) =>
  Object.entries(SWAPPED).map(([channel, room]) => [Number(channel), rooms.find((each) => each.channel === room)?.name])

test.each([31, 32])('in a winter night all six rooms are found (house %d)', (seed) => {
  const { found, hours, plan } = search({ seed, start: '2026-01-20T19:00:00Z' })
  console.log(`house ${seed}: ${hours.toFixed(1)} simulated hours`)
  expect(found.map(({ channel, roomId }) => [channel, roomId])).toEqual(wired(plan.rooms))
  expect(Math.min(...found.map(({ certainty }) => certainty))).toBeGreaterThan(0.9)
})

test('on a cloudless day in March the sun is not taken for a loop', () => {
  const { found, hours, plan } = search({ seed: 33, start: '2026-03-20T07:00:00Z', clearness: 3 })
  console.log(`in the sun: ${hours.toFixed(1)} simulated hours`)
  const sure = found.filter(({ certainty }) => certainty > 0.9)
  expect(sure.length).toBeGreaterThanOrEqual(5)
  for (const { channel, roomId } of sure) expect([channel, roomId]).toEqual(wired(plan.rooms)[channel - 1])
})

test.each([1, 4])('a loop without water warms no room (channel %d)', (deadChannel) => {
  const { found } = search({ seed: 34, start: '2026-01-20T19:00:00Z', deadChannel })
  expect(found.find(({ channel }) => channel === deadChannel)?.roomId).toBeNull()
})
