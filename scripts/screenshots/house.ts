import type { Decision } from '@hypocaust/control'
import type { HouseFile } from '@hypocaust/domain'
import { DAY_MS, HOUR_MS, MINUTE_MS, PRESENCE_RULE } from '@hypocaust/domain/facts'
import type { Store } from '@hypocaust/service'
import { LAKESIDE } from '@hypocaust/testing/houses.ts'

const ROWS_A_WRITE = 500

const NIGHT = { from: '22:30', to: '05:30', setback: 2, weekend: { from: '23:30', to: '07:00' } }
const sensor = (n: number) => `a4:c1:38:5e:01:0${n}`
const valve = (channel: number) => [{ gateway: 'cellar', channel }]

export const HOUSE: HouseFile = {
  ...LAKESIDE,
  rooms: [
    {
      name: 'Bathroom',
      floor_type: 'screed',
      sensor: sensor(1),
      valves: valve(1),
      area_m2: 7,
      target_temperature: 22,
      preset_mode: 'low',
      night_mode: NIGHT,
      max_floor_temperature: 33,
    },
    { name: 'Kitchen', floor_type: 'screed', sensor: sensor(2), valves: valve(2), target_temperature: 21 },
    { name: 'Bedroom', floor_type: 'timber', sensor: sensor(3), valves: valve(3), target_temperature: 18.5 },
    {
      name: 'Living room',
      floor_type: 'timber',
      sensor: sensor(4),
      valves: [...valve(4), ...valve(5)],
      target_temperature: 21.5,
    },
    { name: 'Child’s room', floor_type: 'dry', sensor: sensor(5), valves: valve(6), target_temperature: 20.5 },
    { name: 'Cellar', floor_type: 'slab', sensor: sensor(6), valves: valve(7), target_temperature: 17 },
  ],
}

interface RoomNow {
  airC: number
  power: number
  ageMs?: number
  batteryPct?: number
}

/** How the rooms of HOUSE are just now; the Bedroom is off, the Living room's sensor quiet, the Cellar's battery low. */
const NOW: Record<string, RoomNow> = {
  Bathroom: { airC: 21.4, power: 0.35 },
  Kitchen: { airC: 20.9, power: 0 },
  Bedroom: { airC: 18.2, power: 0 },
  'Living room': { airC: 21.1, power: 0.1, ageMs: 42 * MINUTE_MS },
  'Child’s room': { airC: 19.2, power: 0.85 },
  Cellar: { airC: 16.8, power: 0.2, batteryPct: 9 },
}

/** Brings a house to life: a year in the Bathroom in all three grains, two days elsewhere, with a pause in each. */
export async function furnish(store: Store, buildingId: string, nowMs: number): Promise<void> {
  const { db } = store
  await db
    .updateTable('gateways')
    .set({ lastSeenAt: nowMs, channels: 8 })
    .where('buildingId', '=', buildingId)
    .execute()
  await db
    .updateTable('buildings')
    .set({
      ...{ controlledAt: nowMs, revisedAt: nowMs - DAY_MS },
      presence: JSON.stringify([
        { name: 'Anna', isHome: true, sinceMs: nowMs - 200 * MINUTE_MS, reportedMs: nowMs },
        { name: 'Ben', isHome: false, sinceMs: nowMs - 75 * MINUTE_MS, reportedMs: nowMs },
      ]),
      presenceRule: JSON.stringify(PRESENCE_RULE.usual),
    })
    .where('id', '=', buildingId)
    .execute()
  await db
    .insertInto('weather')
    .values({
      buildingId,
      updatedAt: nowMs - 20 * MINUTE_MS,
      temperatureC: -3.4,
      cloudPct: 80,
      windDeg: 220,
      windMs: 4,
    })
    .execute()
  const rooms = await db.selectFrom('rooms').selectAll().where('buildingId', '=', buildingId).execute()
  for (const room of rooms) {
    const now = NOW[room.name] ?? { airC: 20, power: 0 }
    const lastMs = nowMs - (now.ageMs ?? MINUTE_MS)
    const past = { buildingId, sensorId: room.sensorId, roomId: room.id, targetC: room.targetC, lastMs, now }
    await recordReadings(store, past, room.name === 'Bathroom' ? 365 : 2)
    await recordDecisions(store, past, nowMs, room.name === 'Bathroom' ? 365 : 2)
    await db
      .updateTable('sensors')
      .set({
        temperatureC: now.airC,
        humidityPct: 47,
        batteryPct: now.batteryPct ?? 81,
        rssiDbm: -71,
        measuredAt: lastMs,
      })
      .where('id', '=', room.sensorId)
      .execute()
    await db
      .updateTable('rooms')
      .set({
        controlPower: now.power,
        controlledWish: null,
        ...(room.name === 'Bedroom' && { manualEnabled: 1 as const }),
      })
      .where('id', '=', room.id)
      .execute()
  }
}

interface Past {
  buildingId: string
  sensorId: string
  roomId: string
  targetC: number
  lastMs: number
  now: RoomNow
}

const DAY = 2 * Math.PI
const outdoorAt = (atMs: number): number =>
  5 -
  11 * Math.cos(((atMs / DAY_MS - 15) / 365.25) * DAY) +
  3 * Math.sin((atMs / DAY_MS - 0.4) * DAY) +
  2 * Math.sin(atMs / DAY_MS / 1.7)

/** Ends at what the room shows now. */
function airAt(atMs: number, { targetC, lastMs, now }: Past): number {
  const wave = (ms: number) => 0.4 * Math.sin((ms / DAY_MS - 0.1) * DAY) + 0.25 * Math.sin(ms / DAY_MS / 0.37)
  const fading = Math.exp((atMs - lastMs) / (3 * HOUR_MS))
  return targetC - 0.3 + wave(atMs) + fading * (now.airC - (targetC - 0.3 + wave(lastMs)))
}

/** A gateway without power, once a day ago and once in spring. */
const isPause = (ageMs: number): boolean =>
  (ageMs > 15 * HOUR_MS && ageMs < 17 * HOUR_MS) || (ageMs > 200 * DAY_MS && ageMs < 212 * DAY_MS)

async function recordReadings({ db }: Store, past: Past, days: number): Promise<void> {
  const { buildingId, sensorId, lastMs } = past
  const humidityAt = (atMs: number) => 41 + 6 * Math.cos(((atMs - lastMs) / DAY_MS) * DAY * 2)
  const moments = (fromDays: number, toDays: number, stepMs: number) =>
    Array.from({ length: Math.max(0, Math.floor(((toDays - fromDays) * DAY_MS) / stepMs)) }, (_, i) => ({
      ageMs: fromDays * DAY_MS + i * stepMs,
    }))
      .filter(({ ageMs }) => !isPause(ageMs))
      .map(({ ageMs }) => lastMs - ageMs)
  const raw = moments(0, Math.min(days, 14), 5 * MINUTE_MS).map((measuredAt) => ({
    buildingId,
    sensorId,
    measuredAt,
    temperatureC: Math.round(airAt(measuredAt, past) * 10) / 10,
    humidityPct: Math.round(humidityAt(measuredAt)),
  }))
  for (const rows of chunks(raw)) await db.insertInto('readings').values(rows).execute()
  const rolled = (startsAt: number, stepMs: number, spreadK: number) => ({
    sensorId,
    startsAt: startsAt - (startsAt % stepMs),
    count: stepMs / MINUTE_MS,
    meanC: airAt(startsAt, past),
    minC: airAt(startsAt, past) - spreadK,
    maxC: airAt(startsAt, past) + spreadK,
    humidityCount: stepMs / MINUTE_MS,
    humidityPct: humidityAt(startsAt),
  })
  const fine = moments(14, Math.min(days, 92), 5 * MINUTE_MS).map((atMs) => rolled(atMs, 5 * MINUTE_MS, 0.1))
  for (const rows of chunks(fine)) await db.insertInto('readingsFiveMinute').values(rows).execute()
  const hourly = moments(92, days, HOUR_MS).map((atMs) => rolled(atMs, HOUR_MS, 0.35))
  for (const rows of chunks(hourly)) await db.insertInto('readingsHourly').values(rows).execute()
}

async function recordDecisions({ db }: Store, past: Past, nowMs: number, days: number): Promise<void> {
  const moments = Array.from({ length: days * 48 }, (_, i) => i * 30 * MINUTE_MS).filter((ageMs) => !isPause(ageMs))
  const rows = moments.map((ageMs) => {
    const decision = decisionAt(nowMs - ageMs - MINUTE_MS, past, ageMs <= 2 * HOUR_MS)
    return {
      roomId: past.roomId,
      decidedAt: decision.atMs,
      power: decision.power,
      targetC: decision.aim.targetC,
      decision: JSON.stringify(decision),
    }
  })
  for (const some of chunks(rows)) await db.insertInto('decisions').values(some).execute()
}

function decisionAt(atMs: number, past: Past, isLatest: boolean): Decision {
  const hour = new Date(atMs).getUTCHours()
  const isNight = hour >= 22 || hour < 4
  const targetC = past.targetC - (isNight ? 2 : 0)
  const outdoorC = Math.round(outdoorAt(atMs) * 10) / 10
  const airC = airAt(atMs, past)
  const needed = Math.min(1, Math.max(0, (targetC - airC) * 0.5 + (16 - outdoorC) / 60))
  const power = isLatest ? past.now.power : Math.round(needed * 100) / 100
  return {
    atMs,
    timeZone: 'Europe/Oslo',
    mode: 'heat',
    power,
    share: power,
    rung: 'measured',
    notices: [],
    caps: past.now.power > 0 && past.now.power < 0.15 ? ['preset'] : [],
    air: { airC, ageS: 60 },
    estimate: { airC, floorC: airC + 4.6, floorProbed: false },
    outdoorC,
    aim: {
      targetC,
      lowC: targetC - 0.5,
      highC: targetC + 0.5,
      occupied: !isNight,
      reason: isNight ? 'programme' : 'target',
    },
    without:
      past.now.power > 0
        ? { atMs: atMs + 3 * HOUR_MS, airC: targetC - 1.6, lowC: targetC - 0.5, floorNeedsS: 9600 }
        : null,
    warmsForMs: null,
    maxFloorC: 33,
    confidence: 0.8,
  }
}

function chunks<T>(rows: T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_A_WRITE) }, (_, i) =>
    rows.slice(i * ROWS_A_WRITE, (i + 1) * ROWS_A_WRITE),
  )
}

/** Sensors a gateway hears that are in no room yet. */
export async function hearSensors({ db }: Store, buildingId: string, nowMs: number): Promise<void> {
  const ids = [7, 8, 9].map(sensor)
  await db
    .insertInto('sensors')
    .values(ids.map((id) => ({ id, address: id, buildingId, createdAt: nowMs })))
    .execute()
}

/** Pictures take a while: before each, what reports has just reported, and one sensor was just breathed on. */
export async function reportAgain(
  { db }: Store,
  buildings: { own: string; alive: string; heard: string },
  stagedMs: number,
): Promise<void> {
  const nowMs = Date.now()
  const heardIds = [buildings.own, buildings.alive, buildings.heard]
  await db.updateTable('gateways').set({ lastSeenAt: nowMs, channels: 8 }).where('buildingId', 'in', heardIds).execute()
  const rooms = await db
    .selectFrom('rooms')
    .select(['id', 'name', 'sensorId'])
    .where('buildingId', '=', buildings.own)
    .execute()
  for (const { id, name, sensorId } of rooms) {
    const { power = 0, ageMs = MINUTE_MS } = NOW[name] ?? {}
    await db
      .updateTable('sensors')
      .set({ measuredAt: nowMs - ageMs })
      .where('id', '=', sensorId)
      .execute()
    // The service is at work meanwhile, on a house that does not answer: what it decided is not what is to be shown.
    await db.updateTable('rooms').set({ controlPower: power }).where('id', '=', id).execute()
    await db.deleteFrom('decisions').where('roomId', '=', id).where('decidedAt', '>=', stagedMs).execute()
  }
  for (const [i, sensorId] of [7, 8, 9].map(sensor).entries()) {
    const humidityPct = i === 1 ? 71 : 42
    const temperatureC = 19.5 + i
    const latest = { temperatureC, humidityPct, batteryPct: 90, rssiDbm: -58 - 9 * i, measuredAt: nowMs }
    await db.updateTable('sensors').set(latest).where('id', '=', sensorId).execute()
    const reading = { buildingId: buildings.heard, sensorId, temperatureC }
    await db
      .insertInto('readings')
      .values([
        { ...reading, measuredAt: nowMs - 5 * MINUTE_MS, humidityPct: 41 },
        { ...reading, measuredAt: nowMs, humidityPct },
      ])
      .execute()
  }
}
