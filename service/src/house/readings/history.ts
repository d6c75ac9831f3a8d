import { type AirSample, dewPointC, surfacePcts } from '@hypocaust/control'
import { DAY_MS, DEFAULT_SURFACE_FACTOR, HOUR_MS, type RoomHistory, type SensorUse } from '@hypocaust/domain'
import { sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import { weightedMean } from '../room-sensors.ts'
import { type HistorySpan, type SensorSpan, sensorSpansOf } from './sensor-spans.ts'

/** Points fine enough for the span, and few enough for a phone: at most about 1500. */
const STEPS: { upToMs: number; stepMs: number }[] = [
  { upToMs: 2 * DAY_MS, stepMs: 300_000 },
  { upToMs: 10 * DAY_MS, stepMs: 600_000 },
  { upToMs: 45 * DAY_MS, stepMs: HOUR_MS },
  { upToMs: 200 * DAY_MS, stepMs: 21_600_000 },
  { upToMs: Number.POSITIVE_INFINITY, stepMs: DAY_MS },
]
/** A running control decides at least every half hour; beyond this nothing was decided. */
const DECISION_HOLDS_MS = HOUR_MS
/** Steps from this length on are taken as a whole. */
const WHOLE_FROM_MS = HOUR_MS

interface Bucket {
  startMs: number
  count: number
  meanC: number
  minC: number
  maxC: number
  humidityCount: number
  humidityPct: number | null
}

interface Decided {
  decidedAt: number
  power: number
  targetC: number
  outdoorC: number | null
}

type Control = Record<'power' | 'targetC' | 'outdoorC', number | null>

/** A room's past in even steps. A reading lives in one of three grains at a time, so all three are asked. */
export async function historyOf(store: Store, room: { id: string }, span: HistorySpan): Promise<RoomHistory> {
  const stepMs = stepFor(span)
  const fromMs = span.fromMs - (span.fromMs % stepMs)
  const aligned = { fromMs, toMs: span.toMs }
  const [buckets, decisions, surfaceFactor] = await Promise.all([
    bucketsOf(store, room.id, aligned, stepMs),
    decisionsOf(store, room.id, aligned),
    surfaceOf(store, room.id),
  ])
  const starts = Array.from(
    { length: Math.max(0, Math.ceil((span.toMs - fromMs) / stepMs)) },
    (_, i) => fromMs + i * stepMs,
  )
  const control = controlIn(decisions, starts, stepMs)
  const samples = starts.map((start, i) => sampleOf(buckets.get(start), control[i]?.outdoorC ?? null, stepMs))
  const column = <T>(pick: (bucket: Bucket) => T) => starts.map((start) => mapped(buckets.get(start), pick))
  return {
    step_s: stepMs / 1000,
    times: starts.map((start) => start / 1000),
    temperature: column(({ meanC }) => rounded(meanC, 2)),
    temperature_min: column(({ minC }) => minC),
    temperature_max: column(({ maxC }) => maxC),
    humidity: column(({ humidityPct }) => (humidityPct === null ? null : rounded(humidityPct, 1))),
    dew_point: column(({ meanC, humidityPct }) =>
      humidityPct === null ? null : rounded(dewPointC(meanC, humidityPct), 1),
    ),
    surface_humidity: surfacePcts(samples, surfaceFactor).map((pct) => mapped(pct, (value) => rounded(value, 1))),
    target: control.map(({ targetC }) => mapped(targetC, (value) => rounded(value, 2))),
    power: control.map(({ power }) => mapped(power, (value) => rounded(value, 3))),
    outdoor: control.map(({ outdoorC }) => mapped(outdoorC, (value) => rounded(value, 1))),
  }
}

async function surfaceOf({ db }: Store, roomId: string): Promise<number> {
  const row = await db.selectFrom('rooms').select('surfaceFactor').where('id', '=', roomId).executeTakeFirst()
  return row?.surfaceFactor ?? DEFAULT_SURFACE_FACTOR
}

/** Null where the air of a step is not known, inside or outdoors. */
function sampleOf(bucket: Bucket | undefined, outdoorC: number | null, stepMs: number): AirSample | null {
  if (!bucket || bucket.humidityPct === null || outdoorC === null) return null
  const { startMs: atMs, meanC: airC, humidityPct } = bucket
  return { atMs, hours: stepMs / HOUR_MS, airC, humidityPct, outdoorC }
}

export const stepFor = ({ fromMs, toMs }: HistorySpan): number =>
  STEPS.find(({ upToMs }) => toMs - fromMs <= upToMs)?.stepMs ?? DAY_MS

/** By the sensors that the room had at each time. */
async function bucketsOf(
  store: Store,
  roomId: string,
  span: HistorySpan,
  stepMs: number,
): Promise<Map<number, Bucket>> {
  const spans = await sensorSpansOf(store, roomId, span)
  const parts = await Promise.all(spans.map((each) => bucketsOfSpan(store, each, stepMs)))
  return merged(parts.flat())
}

async function bucketsOfSpan(store: Store, { use, sensors, ...span }: SensorSpan, stepMs: number): Promise<Bucket[]> {
  const rows = await sensorBuckets(
    store,
    sensors.map(({ id }) => id),
    span,
    stepMs,
  )
  const ofSensor = Map.groupBy(rows, ({ sensorId }) => sensorId)
  const weighed = sensors.flatMap(({ id, weight }) =>
    [...merged(ofSensor.get(id) ?? []).values()].map((bucket) => ({ ...bucket, weight })),
  )
  return [...Map.groupBy(weighed, ({ startMs }) => startMs).values()].map((buckets) => together(use, buckets))
}

/** Several sensors in one step: a band of what they show together, not of how far they are apart. */
function together(use: SensorUse, buckets: (Bucket & { weight: number })[]): Bucket {
  const coldest = buckets.reduce((cold, each) => (each.meanC < cold.meanC ? each : cold))
  if (use === 'coldest' || buckets.length === 1) return coldest
  const mean = (pick: (bucket: Bucket) => number | null, of = buckets) => {
    const values = of.flatMap((bucket) => {
      const value = pick(bucket)
      return value === null ? [] : [{ value, weight: bucket.weight }]
    })
    return weightedMean(values)
  }
  return {
    startMs: coldest.startMs,
    count: buckets.reduce((sum, { count }) => sum + count, 0),
    meanC: mean(({ meanC }) => meanC) ?? coldest.meanC,
    minC: mean(({ minC }) => minC) ?? coldest.minC,
    maxC: mean(({ maxC }) => maxC) ?? coldest.maxC,
    humidityCount: buckets.reduce((sum, { humidityCount }) => sum + humidityCount, 0),
    humidityPct: mean(({ humidityPct }) => humidityPct),
  }
}

async function sensorBuckets(
  { db }: Store,
  sensorIds: string[],
  { fromMs, toMs }: HistorySpan,
  stepMs: number,
): Promise<(Bucket & { sensorId: string })[]> {
  const startOf = (column: string) => sql<number>`${sql.ref(column)} - ${sql.ref(column)} % ${sql.lit(stepMs)}`
  const raw = db
    .selectFrom('readings')
    .select((eb) => [
      'sensorId',
      startOf('measured_at').as('startMs'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.avg<number>('temperatureC').as('meanC'),
      eb.fn.min('temperatureC').as('minC'),
      eb.fn.max('temperatureC').as('maxC'),
      eb.fn.count<number>('humidityPct').as('humidityCount'),
      eb.fn.avg<number | null>('humidityPct').as('humidityPct'),
    ])
    .where('sensorId', 'in', sensorIds)
    .where('measuredAt', '>=', fromMs)
    .where('measuredAt', '<', toMs)
    .groupBy(['sensorId', 'startMs'])
    .execute()
  const rolled = (table: 'readingsFiveMinute' | 'readingsHourly') =>
    db
      .selectFrom(table)
      .select([
        'sensorId',
        startOf('starts_at').as('startMs'),
        sql<number>`sum(count)`.as('count'),
        sql<number>`sum(mean_c * count) / sum(count)`.as('meanC'),
        sql<number>`min(min_c)`.as('minC'),
        sql<number>`max(max_c)`.as('maxC'),
        sql<number>`sum(humidity_count)`.as('humidityCount'),
        sql<number | null>`sum(humidity_pct * humidity_count) / nullif(sum(humidity_count), 0)`.as('humidityPct'),
      ])
      .where('sensorId', 'in', sensorIds)
      .where('startsAt', '>=', fromMs)
      .where('startsAt', '<', toMs)
      .groupBy(['sensorId', 'startMs'])
      .execute()
  return (await Promise.all([raw, rolled('readingsFiveMinute'), rolled('readingsHourly')])).flat()
}

/** At the seam between two grains a step can have a part of each. */
function merged(rows: Bucket[]): Map<number, Bucket> {
  const buckets = new Map<number, Bucket>()
  for (const row of rows) {
    const other = buckets.get(row.startMs)
    buckets.set(row.startMs, other ? join(other, row) : row)
  }
  return buckets
}

function join(a: Bucket, b: Bucket): Bucket {
  const count = a.count + b.count
  const humidityCount = a.humidityCount + b.humidityCount
  const humiditySum = (a.humidityPct ?? 0) * a.humidityCount + (b.humidityPct ?? 0) * b.humidityCount
  return {
    startMs: a.startMs,
    count,
    meanC: (a.meanC * a.count + b.meanC * b.count) / count,
    minC: Math.min(a.minC, b.minC),
    maxC: Math.max(a.maxC, b.maxC),
    humidityCount,
    humidityPct: humidityCount === 0 ? null : humiditySum / humidityCount,
  }
}

function decisionsOf({ db, statements }: Store, roomId: string, { fromMs, toMs }: HistorySpan): Promise<Decided[]> {
  return db
    .selectFrom('decisions')
    .select(['decidedAt', 'power', 'targetC'])
    .select(statements.jsonNumber('decision', 'outdoorC').as('outdoorC'))
    .where('roomId', '=', roomId)
    .where('decidedAt', '>=', fromMs - DECISION_HOLDS_MS)
    .where('decidedAt', '<', toMs)
    .orderBy('decidedAt')
    .execute()
}

/**
 * What was decided in each step. Power and outdoors are averaged over the time they were in force; of setpoints the one
 * that was in force the longest is shown, because a mean of two was never set. In long steps a time without decisions
 * counts as a time without heat: two hours at full power are no full day of it.
 */
function controlIn(decisions: Decided[], starts: number[], stepMs: number): Control[] {
  let first = 0
  return starts.map((start) => {
    const end = start + stepMs
    while (first + 1 < decisions.length && (decisions[first + 1] as Decided).decidedAt <= start) first++
    const power = new Mean()
    const targetC = new Longest()
    const outdoorC = new Mean()
    for (let i = first; i < decisions.length; i++) {
      const decided = decisions[i] as Decided
      if (decided.decidedAt >= end) break
      const until = Math.min(end, decisions[i + 1]?.decidedAt ?? end, decided.decidedAt + DECISION_HOLDS_MS)
      const ms = until - Math.max(start, decided.decidedAt)
      if (ms <= 0) continue
      power.add(decided.power, ms)
      targetC.add(decided.targetC, ms)
      if (decided.outdoorC !== null) outdoorC.add(decided.outdoorC, ms)
    }
    const decidedMs = stepMs < WHOLE_FROM_MS ? power.weight : stepMs
    return {
      power: power.weight === 0 ? null : power.sum / decidedMs,
      targetC: targetC.value,
      outdoorC: outdoorC.value,
    }
  })
}

class Mean {
  sum = 0
  weight = 0

  add(value: number, weight: number): void {
    this.sum += value * weight
    this.weight += weight
  }

  get value(): number | null {
    return this.weight === 0 ? null : this.sum / this.weight
  }
}

class Longest {
  readonly #ms = new Map<number, number>()

  add(value: number, ms: number): void {
    this.#ms.set(value, (this.#ms.get(value) ?? 0) + ms)
  }

  /** Of several as long as each other, the last. */
  get value(): number | null {
    let longest: [number, number] | null = null
    for (const entry of this.#ms) if (!longest || entry[1] >= longest[1]) longest = entry
    return longest?.[0] ?? null
  }
}

const mapped = <A, B>(value: A | null | undefined, pick: (value: A) => B): B | null =>
  value === undefined || value === null ? null : pick(value)

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))
