import { type AirSample, DAMP_PCT, followSurface, mouldRisk, type SurfaceRecord } from '@hypocaust/control'
import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import {
  type Climate,
  humidityPct,
  outdoorHumidityPct,
  seededRandom,
  settledMoisture,
  smoothNoise,
  stepMoisture,
  weatherAt,
} from '@hypocaust/simulator'

/** What the service does not know of a room. */
type DampRoom = {
  number: number
  factor: number
  /** Of the wall behind the coldest surface. */
  wallH: number
  dayC: number
  setbackK: number
  leakPerH: number
  airingsADay: number
  /** Of the people in it. */
  sourceGramsPerM3h: number
  sensorErrorPct: number
}

export type Winter = {
  room: DampRoom
  /** Hours with a damp surface, and hours in which it has been damp for half of the last days. */
  dampH: number
  riskH: number
  /** By the factor that is entered. */
  warnings: { factor: number; warnedH: number; rightH: number; count: number; falseCount: number }[]
}

const START_MS = Date.UTC(2025, 9, 15)
const DAYS = 168
const STEP_H = 1 / 6
const PLACE = { latDeg: 51, lngDeg: 7 }

export function drawRoom(number: number): DampRoom {
  const { uniform, gaussian } = seededRandom(7000 + number)
  const between = (low: number, high: number) => low + (high - low) * uniform()
  return {
    number,
    factor: between(0.5, 0.88),
    wallH: between(3, 14),
    dayC: between(18, 22.5),
    setbackK: between(0, 3),
    leakPerH: between(0.25, 0.8),
    airingsADay: Math.floor(between(0, 4)),
    sourceGramsPerM3h: between(0.8, 3),
    sensorErrorPct: 2 * gaussian(),
  }
}

/** One winter of a room: what is true, and what the service says with each factor that may be entered. */
export function winterOf(room: DampRoom, enteredFactors: number[]): Winter {
  const climate: Climate = { seed: 300 + room.number, place: PLACE, meanC: 9.5, seasonSwingK: 9, clearness: -0.2 }
  const random = seededRandom(9000 + room.number)
  const moisture = settledMoisture(55, room.dayC)
  let airC = room.dayC
  let wallOutdoorC = weatherAt(climate, START_MS).outdoorC
  let truth: SurfaceRecord | null = null
  const winter: Winter = { room, dampH: 0, riskH: 0, warnings: [] }
  const followed = enteredFactors.map((factor) => ({
    factor,
    record: null as SurfaceRecord | null,
    open: false,
    right: false,
  }))
  winter.warnings = enteredFactors.map((factor) => ({ factor, warnedH: 0, rightH: 0, count: 0, falseCount: 0 }))
  for (let atMs = START_MS; atMs < START_MS + DAYS * DAY_MS; atMs += STEP_H * HOUR_MS) {
    const { outdoorC } = weatherAt(climate, atMs)
    const outdoorPct = outdoorHumidityPct(climate, atMs)
    const hour = (atMs % DAY_MS) / HOUR_MS
    const isNight = hour >= 22 || hour < 6
    airC += (1 - Math.exp(-STEP_H / 4)) * (room.dayC - (isNight ? room.setbackK : 0) - airC)
    const home = isNight || hour < 8 || hour >= 17 ? 1.3 : 0.4
    const sourceGramsPerM3h =
      room.sourceGramsPerM3h * Math.max(0.1, home + 0.3 * smoothNoise(room.number, atMs / (3 * HOUR_MS)))
    const isAired = airingHours(room.airingsADay).some((aired) => hour >= aired && hour < aired + STEP_H)
    const airChanges = isAired ? 12 : room.leakPerH
    stepMoisture(moisture, { airC, outdoorC, outdoorPct, airChanges, sourceGramsPerM3h }, STEP_H)
    wallOutdoorC += (1 - Math.exp(-STEP_H / room.wallH)) * (outdoorC - wallOutdoorC)
    const surfaceC = wallOutdoorC + room.factor * (airC - wallOutdoorC)
    const isDamp = humidityPct(moisture.airGramsPerM3, surfaceC) > DAMP_PCT
    truth = trueRecord(truth, isDamp, atMs)
    const isAtRisk = mouldRisk(truth) === 'high'
    winter.dampH += isDamp ? STEP_H : 0
    winter.riskH += isAtRisk ? STEP_H : 0
    const sample: AirSample = {
      ...{ atMs, hours: STEP_H, outdoorC },
      airC: Math.round(10 * airC) / 10,
      humidityPct: Math.round(humidityPct(moisture.airGramsPerM3, airC) + room.sensorErrorPct + random.gaussian()),
    }
    for (const [i, each] of followed.entries()) {
      each.record = followSurface(each.record, [sample], each.factor)
      const risk = each.record && mouldRisk(each.record)
      const figures = winter.warnings[i] as Winter['warnings'][number]
      // As the alert: it begins with a high risk and ends with a low one.
      const isOpen = risk === 'high' || (each.open && risk !== 'low')
      if (isOpen && !each.open) {
        figures.count++
        each.right = false
      }
      if (!isOpen && each.open && !each.right) figures.falseCount++
      each.open = isOpen
      each.right ||= isAtRisk
      figures.warnedH += isOpen ? STEP_H : 0
      figures.rightH += isOpen && isAtRisk ? STEP_H : 0
    }
  }
  for (const [i, { open, right }] of followed.entries())
    if (open && !right) (winter.warnings[i] as Winter['warnings'][number]).falseCount++
  return winter
}

const airingHours = (times: number): number[] => [7, 19, 13].slice(0, times)

/** The same mean over days, of the surface as it is: air that is damp or dry at 20 degrees indoors and outdoors. */
function trueRecord(record: SurfaceRecord | null, isDamp: boolean, atMs: number): SurfaceRecord {
  const sample = { atMs, hours: STEP_H, airC: 20, outdoorC: 20, humidityPct: isDamp ? 100 : 0 }
  return followSurface(record, [sample], 1) as SurfaceRecord
}
