import { VirtualTank } from '@hypocaust/simulator'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BusySpan,
  type Energy,
  type HotWaterInput,
  type HotWaterState,
  hotWaterBusy,
  hotWaterOrder,
  roomPlan,
  stepHotWater,
  stepRoom,
  type TankSettings,
} from '../src/index.ts'
import { HOUR_MS, input, settings, WINTER_MS } from './room.ts'

const DAY_MS = 24 * HOUR_MS
const STEP_MS = 300_000
const TAP_C = 40
const hourOf = (atMs: number) => Math.floor((atMs % DAY_MS) / HOUR_MS)
const tank = (changes: Partial<TankSettings> = {}): TankSettings => ({
  ...{ volumeL: 250, fullC: 53, tapC: TAP_C, people: 3, disinfectC: null },
  isWished: () => true,
  hourOf,
  ...changes,
})
const heatPump = { kind: 'heat-pump' as const, quality: 0.42 }
/** Cheap by night and at noon. */
const priceAt = (hour: number) => (hour < 5 || hour === 12 || hour === 13 ? 0.15 : hour >= 17 && hour < 21 ? 0.45 : 0.3)
const prices = Array.from({ length: 96 }, (_, hour) => priceAt(hour % 24))
const priced: Energy = { prices: { startMs: WINTER_MS, stepS: 3600, perKwh: prices }, source: heatPump }

type Seen = { nowMs: number; tankC: number; order: string | null; isBusy: boolean; heatKwh: number }

type Household = {
  days: number
  seed: number
  settings?: TankSettings
  energy?: (nowMs: number) => Energy | null
  change?: (input: HotWaterInput) => HotWaterInput
  startC?: number
}

/** A household for some days, every five minutes; what it is like in each. */
function live({ days, seed, settings: own = tank(), change = (each) => each, ...more }: Household): Seen[] {
  const { energy = (nowMs) => ahead(nowMs), startC = 42 } = more
  const plan = { seed, volumeL: own.volumeL, startC, fullC: own.fullC, disinfectC: 62, heatKw: 7, people: own.people }
  const real = new VirtualTank(plan)
  let state: HotWaterState | null = null
  return Array.from({ length: (days * DAY_MS) / STEP_MS }, (_, i) => {
    const nowMs = WINTER_MS + i * STEP_MS
    const seen = { tankC: Math.round(2 * real.tankC) / 2, isBusy: real.isBusy }
    const can = { charge: true, disinfect: true }
    const given = { nowMs, settings: own, seen, can, energy: energy(nowMs), outdoorAt: () => 0, rooms: () => [] }
    state = stepHotWater(state, change(given))
    const order = hotWaterOrder(state)
    real.order(order)
    const heatKwh = real.advance(nowMs, STEP_MS / 1000)
    return { nowMs, tankC: real.tankC, order, isBusy: real.isBusy, heatKwh }
  })
}

const ahead = (nowMs: number): Energy => {
  const from = Math.floor((nowMs - WINTER_MS) / HOUR_MS)
  const perKwh = Array.from({ length: 48 }, (_, i) => priceAt((from + i) % 24))
  return { ...priced, prices: { startMs: WINTER_MS + from * HOUR_MS, stepS: 3600, perKwh } }
}
const paid = (lived: Seen[]) => lived.reduce((sum, { nowMs, heatKwh }) => sum + heatKwh * priceAt(hourOf(nowMs)), 0)
const heat = (lived: Seen[]) => lived.reduce((sum, { heatKwh }) => sum + heatKwh, 0)

describe('a tank whose source takes orders', () => {
  test('is heated in cheap hours, and pays less for a kWh than one that heats itself when it is cold', () => {
    const ours = live({ days: 5, seed: 3 })
    const alone = live({ days: 5, seed: 3, change: (each) => ({ ...each, can: { charge: false, disinfect: false } }) })
    expect(paid(ours) / heat(ours)).toBeLessThan(0.9 * (paid(alone) / heat(alone)))
  })

  test('is not begun for every cheap hour: hardly more than half a charge a day more than one that heats itself', () => {
    const chargesADay = (lived: Seen[]) => lived.filter(({ isBusy }, i) => isBusy && !lived[i - 1]?.isBusy).length / 8
    const plain = (each: HotWaterInput) => ({ ...each, can: { charge: false, disinfect: false } })
    const [ours, alone] = [{}, { change: plain }].map((more) => live({ days: 8, seed: 3, startC: 45, ...more }))
    expect(chargesADay(ours as Seen[])).toBeLessThan(chargesADay(alone as Seen[]) + 0.6)
  })

  test('is never below the temperature at the tap when water is to be hot', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        (seed, people, isPriced) => {
          const lived = live({
            days: 2,
            seed,
            startC: 20,
            settings: tank({ people }),
            ...(isPriced ? {} : { energy: () => null }),
          })
          expect(Math.min(...lived.map(({ tankC }) => tankC))).toBeGreaterThanOrEqual(TAP_C)
        },
      ),
      { numRuns: runs(20) },
    )
  })

  test('is warm at the times at which water is to be hot, and may be cooler at others', () => {
    const isWished = (atMs: number) => hourOf(atMs) >= 6 && hourOf(atMs) < 8
    const lived = live({ days: 4, seed: 5, settings: tank({ isWished }), startC: 20 })
    const [wished, others] = [
      lived.filter(({ nowMs }) => isWished(nowMs)),
      lived.filter(({ nowMs }) => !isWished(nowMs)),
    ]
    expect(Math.min(...wished.slice(24).map(({ tankC }) => tankC))).toBeGreaterThanOrEqual(TAP_C)
    expect(Math.min(...others.map(({ tankC }) => tankC))).toBeLessThan(TAP_C)
  })

  test('is disinfected at least every week where that is chosen, and never where it is not', () => {
    const hot = (lived: Seen[]) => lived.filter(({ tankC }) => tankC >= 60).map(({ nowMs }) => nowMs)
    const times = [WINTER_MS, ...hot(live({ days: 15, seed: 7, settings: tank({ disinfectC: 60 }) }))]
    const gaps = times.slice(1).map((atMs, i) => atMs - (times[i] as number))
    expect(times.length).toBeGreaterThan(2)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(7 * DAY_MS + 2 * HOUR_MS)
    expect(WINTER_MS + 15 * DAY_MS - (times.at(-1) as number)).toBeLessThan(7 * DAY_MS + 2 * HOUR_MS)
    expect(hot(live({ days: 8, seed: 7 }))).toEqual([])
  })

  test('is disinfected once a day at most where the source does not reach the temperature', () => {
    const own = tank({ disinfectC: 66 })
    const lived = live({ days: 10, seed: 7, settings: own })
    const begins = lived.filter(({ order }, i) => order === 'disinfect' && lived[i - 1]?.order !== 'disinfect')
    expect(begins.length).toBeGreaterThanOrEqual(3)
    expect(begins.length).toBeLessThanOrEqual(5)
  })

  test('waits while the grid operator locks the source, unless it began before', () => {
    const locked = live({ days: 1, seed: 2, energy: () => ({ ...priced, grid: 'locked' }) })
    expect(locked.every(({ order }) => order === null)).toBe(true)
  })

  test('is heated while the solar panels of the house give a surplus', () => {
    const sunny = (nowMs: number): Energy => {
      const noon = Math.floor(nowMs / DAY_MS) * DAY_MS + 12 * HOUR_MS
      return {
        prices: null,
        source: heatPump,
        sunny: [0, 1].map((day) => ({ fromMs: noon + day * DAY_MS, toMs: noon + day * DAY_MS + 2 * HOUR_MS })),
      }
    }
    const atNoon = (energy: (nowMs: number) => Energy) =>
      heat(live({ days: 5, seed: 4, energy }).filter(({ nowMs }) => hourOf(nowMs) >= 12 && hourOf(nowMs) < 14))
    expect(atNoon(sunny)).toBeGreaterThan(1.5 * atNoon(() => ({ prices: null, source: heatPump })))
  })

  test('is asked for again when a charge has failed, but not at once', () => {
    const deaf = live({
      days: 1,
      seed: 9,
      startC: 44,
      change: (each) => ({ ...each, seen: { ...each.seen, isBusy: false } }),
    })
    const begins = deaf.filter(({ order }, i) => order !== null && deaf[i - 1]?.order === null)
    expect(begins.length).toBeGreaterThan(0)
    expect(begins.length).toBeLessThanOrEqual(24)
  })
})

describe('a tank that nothing measures', () => {
  const blind = (each: HotWaterInput) => ({ ...each, seen: { tankC: null, isBusy: null } })

  test('is heated before the source would do so by itself', () => {
    const lived = live({ days: 4, seed: 6, change: blind })
    const heated = (isAsked: boolean) => heat(lived.filter(({ order }) => (order !== null) === isAsked))
    expect(heated(true)).toBeGreaterThan(2 * heated(false))
  })
})

describe('a source that takes no orders', () => {
  const timer = (nowMs: number) => hourOf(nowMs) === 4
  const foreseen = (days: number) => {
    const own = tank()
    let state: HotWaterState | null = null
    for (let nowMs = WINTER_MS; nowMs < WINTER_MS + days * DAY_MS; nowMs += STEP_MS) {
      const seen = { tankC: null, isBusy: timer(nowMs) }
      const can = { charge: false, disinfect: false }
      state = stepHotWater(state, {
        nowMs,
        settings: own,
        seen,
        can,
        energy: null,
        outdoorAt: () => 0,
        rooms: () => [],
      })
      expect(hotWaterOrder(state)).toBeNull()
    }
    return hotWaterBusy(state as HotWaterState, own, false)
  }

  test('is foreseen at the hours at which it makes hot water', () => {
    const spans = foreseen(14)
    expect(spans.map(({ fromMs }) => hourOf(fromMs))).toEqual([4, 4])
    expect(Math.min(...spans.map(({ share }) => share))).toBeGreaterThan(0.8)
  })
})

describe('rooms beside a tank', () => {
  test('are heated before a charge that is ahead, and not while it lasts', () => {
    const given = input({ weather: { outdoorC: 0, cloudPct: 100, windMs: 3, solarWm2: 0 } })
    const heatWithin = (fromH: number, untilH: number, busy: BusySpan[]) =>
      roomPlan(null, { ...given, busy })
        .filter(({ atMs }) => atMs > WINTER_MS + fromH * HOUR_MS && atMs <= WINTER_MS + untilH * HOUR_MS)
        .reduce((sum, { share }) => sum + share, 0)
    const busy = [{ fromMs: WINTER_MS + 4 * HOUR_MS, untilMs: WINTER_MS + 6 * HOUR_MS, share: 1 }]
    expect(heatWithin(4, 6, [])).toBeGreaterThan(0)
    expect(heatWithin(4, 6, busy)).toBe(0)
    expect(heatWithin(0, 4, busy)).toBeGreaterThan(heatWithin(0, 4, []))
  })

  test('move a charge that costs the same now and then out of the hours in which they need heat', () => {
    const target = { kind: 'target' as const, targetC: 19, setAtMs: WINTER_MS, untilMs: WINTER_MS + 4 * HOUR_MS }
    const given = input({ air: { kind: 'fresh', airC: 17.5, ageS: 0 }, settings: settings({ override: target }) })
    const room = { areaM2: 150, state: stepRoom(null, given).state, input: given }
    const charged = (rooms: ReturnType<HotWaterInput['rooms']>) => {
      const seen = { tankC: 46, isBusy: false }
      const can = { charge: true, disinfect: false }
      const energy = { prices: null, source: heatPump }
      const own = tank({ isWished: (atMs) => atMs >= WINTER_MS + 3 * HOUR_MS })
      const { charge } = stepHotWater(null, {
        nowMs: WINTER_MS,
        settings: own,
        seen,
        can,
        energy,
        outdoorAt: () => 0,
        rooms: () => rooms,
      })
      return charge
    }
    const loss = (fromMs: number) => {
      const planned = roomPlan(null, given).filter(({ atMs }) => atMs > fromMs && atMs <= fromMs + HOUR_MS)
      return planned.reduce((sum, { share }) => sum + share, 0)
    }
    const [alone, beside] = [charged([]), charged([room])]
    expect(loss(beside?.fromMs ?? 0)).toBeLessThanOrEqual(loss(alone?.fromMs ?? 0))
  })
})
