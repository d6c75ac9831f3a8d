import { MINUTE_MS } from '@hypocaust/domain/facts'
import { demoHouse, seededRandom, VirtualHouse } from '@hypocaust/simulator'
import { listeningWorld } from '@hypocaust/testing/client.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type Answer, openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HypocaustClient } from '../../client/src/client.ts'
import { SURROUNDINGS } from '../../client/src/retry.ts'
import { createLogger } from '../../service/src/base/logger.ts'
import { HouseFaults } from '../src/demo/faults/house-faults.ts'
import { ALL_FAULTS, type FaultKind, faultKindsOf, type HouseFault, REQUEST_FAULTS } from '../src/demo/faults/kinds.ts'
import { RequestFaults } from '../src/demo/faults/request-faults.ts'

const SECOND_MS = 1000

let wallMs = 0
let printed: string[] = []
let logged: string[] = []
let ongoing: HouseFault[] = []
let begun: HouseFault[] = []
let faults: RequestFaults

function badDay(kinds: readonly FaultKind[], seed = 1): RequestFaults {
  const sleep = async (ms: number) => {
    wallMs += ms
  }
  const house = {
    get ongoing() {
      return ongoing
    },
    begin: async (kind: HouseFault) => {
      begun.push(kind)
      ongoing = [...ongoing, kind]
    },
  }
  const parts = { nowMs: () => wallMs, sleep, tell: (line: string) => printed.push(line), house }
  return new RequestFaults({ kinds, random: seededRandom(seed), ...parts })
}

let world: World & { url: string }
let narrow: World
beforeAll(async () => {
  const limits = { read: 100_000, write: 1000 }
  const logger = createLogger('warn', { write: (line) => logged.push(line) })
  world = await listeningWorld({ faults: (asked) => faults.decide(asked), limits, logger })
  narrow = await openWorld('sqlite', { limits: { read: 1, write: 1 } })
})
afterAll(async () => {
  await world.close()
  await narrow.close()
})
beforeEach(() => {
  printed = []
  logged = []
  ongoing = []
  begun = []
})

const markOf = ({ headers }: Answer) => headers['x-hypocaust-fault']
const namesOf = ({ headers }: Answer) =>
  Object.keys(headers)
    .filter((name) => name !== 'x-hypocaust-fault')
    .sort()

/** Asks until something goes wrong, which takes twelve good answers at most. */
async function untilFault(): Promise<Answer> {
  for (let good = 0; good <= 12; good++) {
    const answer = await world.get(world.roomsPath)
    if (markOf(answer) !== undefined) return answer
    expect(answer.status).toBe(200)
  }
  throw new Error('thirteen good answers')
}

test('a refused key looks like one that has been revoked', async () => {
  faults = badDay(['401'])
  const arranged = await untilFault()
  const real = await world.get(world.roomsPath, { key: 'hyp_revoked' })
  expect([arranged.status, markOf(arranged), arranged.json]).toEqual([real.status, '401', real.json])
  expect(namesOf(arranged)).toEqual(namesOf(real))
  expect(arranged.headers.ratelimit).toBe(real.headers.ratelimit)
  expect((await world.get(world.roomsPath)).status).toBe(200)
})

test('a budget that is used up says until when, stays so until then, and leaves the other alone', async () => {
  faults = badDay(['429'])
  const arranged = await untilFault()
  await narrow.get('/v1/key')
  const real = await narrow.get('/v1/key')
  expect([arranged.status, arranged.json.error.code]).toEqual([429, real.json.error.code])
  expect(namesOf(arranged)).toEqual(namesOf(real))

  const waitS = Number(arranged.headers['retry-after'])
  expect(arranged.headers.ratelimit).toBe(`"read";r=0;t=${waitS}`)
  expect((await world.patch({ name: 'Bathroom' })).status).toBe(200)
  wallMs += (waitS - 1) * SECOND_MS
  expect((await world.get(world.roomsPath)).headers['retry-after']).toBe('1')
  wallMs += SECOND_MS
  expect((await world.get(world.roomsPath)).status).toBe(200)
})

test('a service that is away is away for reading and writing, and changes nothing', async () => {
  faults = badDay(['503'])
  const arranged = await untilFault()
  expect(arranged.status).toBe(503)
  expect(arranged.headers['retry-after']).toMatch(/^\d+$/)
  expect(arranged.json.error.code).toBe('unavailable')
  expect((await world.patch({ name: 'Lost' })).status).toBe(503)
  expect(logged).toEqual([])
  wallMs += MINUTE_MS
  expect((await world.bathroom()).name).toBe('Bathroom')
})

test('a late answer is late, and otherwise as it should be', async () => {
  faults = badDay(['delay'])
  const askedMs = wallMs
  const late = await untilFault()
  expect([late.status, markOf(late)]).toEqual([200, 'delay'])
  expect(wallMs - askedMs).toBeGreaterThanOrEqual(2 * SECOND_MS)
  const { etag = '' } = late.headers
  expect((await world.get(world.roomsPath, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('what is wrong in the house is marked too, and a browser may read the mark', async () => {
  faults = badDay([])
  ongoing = ['sensor']
  const answer = await world.get(world.roomsPath)
  expect([answer.status, markOf(answer)]).toEqual([200, 'sensor'])
  expect(answer.headers['access-control-expose-headers']).toContain('x-hypocaust-fault')
})

test('a request that is wrong by itself gets its own answer', async () => {
  faults = badDay(['503'])
  for (let i = 0; i < 30; i++) expect((await world.get(world.roomsPath, { key: 'hyp_wrong' })).status).toBe(401)
  expect(printed).toEqual([])
})

test('every kind comes in its turn, is printed with its request, and comes again by the same seed', async () => {
  const day = async (seed: number) => {
    faults = badDay(REQUEST_FAULTS, seed)
    const marks: string[] = []
    while (marks.length < 8) {
      const answer = await untilFault()
      marks.push(markOf(answer) ?? '')
      expect(printed.at(-1)).toContain(`to GET ${world.roomsPath}, request ${answer.headers['x-request-id']}`)
      wallMs += MINUTE_MS
    }
    return marks
  }
  const marks = await day(7)
  expect(marks.slice(0, 4).sort()).toEqual([...REQUEST_FAULTS])
  expect(marks.slice(4).sort()).toEqual([...REQUEST_FAULTS])
  expect(await day(7)).toEqual(marks)
})

/** A client whose waits take no time, in a house that is warmer at each look. */
function follow(signal: AbortSignal) {
  let temperatureC = 15
  const sleep = async (ms: number) => {
    wallMs += ms
    temperatureC += 0.1
    await world.report(BATHROOM_SENSOR, { temperatureC })
  }
  const surroundings = { now: () => wallMs, random: () => 1, sleep }
  const client = new HypocaustClient({
    baseUrl: world.url,
    apiKey: world.holder.readKey,
    ...{ [SURROUNDINGS]: surroundings },
  })
  const troubles: string[] = []
  const onTrouble = ({ code }: { code: string }) => troubles.push(code)
  return { troubles, looks: client.watch(world.holder.buildingId, { signal, onTrouble }) }
}

test('a client that follows a building goes on through such a day to the last change', async () => {
  faults = badDay(['429', '503', 'delay'])
  const stop = new AbortController()
  const { troubles, looks } = follow(stop.signal)
  for await (const { rooms } of looks) {
    const bathroom = rooms.find(({ id }) => id === world.bathroomId)
    if ((bathroom?.current_temperature ?? 0) > 25) stop.abort()
  }
  expect(new Set(troubles)).toEqual(new Set(['rate_limited', 'unavailable']))
  expect(printed.some((line) => line.startsWith('delay'))).toBe(true)
})

test('a refused key ends the following, since only another key would help', async () => {
  faults = badDay(['401'])
  const { looks } = follow(new AbortController().signal)
  const ending = async () => {
    for await (const _ of looks);
  }
  await expect(ending()).rejects.toMatchObject({ code: 'invalid_api_key' })
})

test('kinds are chosen by name, and a wrong name is refused with a list of the right ones', () => {
  expect(faultKindsOf(true)).toEqual([...REQUEST_FAULTS, 'sensor', 'silence'])
  expect(faultKindsOf('sensor,429')).toEqual(['429', 'sensor'])
  expect(() => faultKindsOf('404')).toThrow(
    /“404” is not a kind of fault; must be one of: 401,429,503,delay,sensor,silence/,
  )
})

test('what happens to requests and what happens in the house share the turns', async () => {
  faults = badDay(ALL_FAULTS, 5)
  const round = async () => {
    const come: string[] = []
    begun = []
    ongoing = []
    while (come.length + begun.length < ALL_FAULTS.length) {
      wallMs += MINUTE_MS
      const marks = (markOf(await world.get(world.roomsPath)) ?? '').split(', ')
      come.push(...REQUEST_FAULTS.filter((kind) => marks.includes(kind)))
    }
    return [...come, ...begun].sort()
  }
  expect(await round()).toEqual([...ALL_FAULTS])
  expect(await round()).toEqual([...ALL_FAULTS])
})

test('in the house something goes wrong for long enough to be seen, and right again', async () => {
  const startMs = Date.parse('2026-01-10T08:00:00Z')
  const house = new VirtualHouse(demoHouse({ seed: 1, startMs }))
  let nowMs = startMs
  let tick = () => {}
  const clock = {
    now: () => nowMs,
    every: (_ms: number, work: () => void) => {
      tick = work
      return () => {}
    },
  }
  const parts = { clock, house, silentAfterS: 300, tell: (line: string) => printed.push(line) }
  const day = new HouseFaults({ random: seededRandom(3), ...parts })
  let isOn = true
  day.start({
    start: async () => {
      isOn = true
    },
    stop: async () => {
      isOn = false
    },
  })
  const silentMin: number[] = []
  const lostMin: number[] = []
  const heard = new Map(house.plan.rooms.map(({ sensorId }) => [sensorId, startMs]))
  for (let minute = 0; minute < 24 * 60; minute++) {
    nowMs += MINUTE_MS
    tick()
    await day.settled()
    if (minute % 200 === 0) await day.begin('sensor')
    if (minute % 200 === 100) await day.begin('silence')
    if (!isOn) silentMin.push(minute)
    for (const { sensorId } of house.advance(60, new Map()).readings) heard.set(sensorId, nowMs)
    if ([...heard.values()].some((atMs) => nowMs - atMs > 60 * MINUTE_MS)) lostMin.push(minute)
  }
  await day.stop()
  const times = (minutes: number[]) => minutes.filter((minute) => !minutes.includes(minute - 1)).length
  expect(times(silentMin)).toBeGreaterThan(3)
  expect(silentMin.length / times(silentMin)).toBeGreaterThan(5)
  expect(times(lostMin)).toBeGreaterThan(3)
  expect(printed.filter((line) => line.endsWith('over')).length).toBeGreaterThan(6)
})
