import {
  explained,
  fitRoom,
  predictAirC,
  type RoomControl,
  type RoomSettings,
  replayRoom,
  SLOT_S,
  type Slot,
  type StepInput,
  stepRoom,
} from '@hypocaust/control'
import { MAX_FLOOR_C } from '@hypocaust/domain'
import type { Draw } from './draw.ts'

/** What of the law a draw went through without a fault. */
export type Checked = 'estimate' | 'plan' | 'prediction' | 'accounts' | 'what-if' | 'fit'

const START_MS = Date.UTC(2026, 0, 12)
const GROUND_C = 12
const NEIGHBOUR_C = 20
const SLACK_K = 1e-6
/** No mat that may be learned gives more. */
const MOST_ELECTRIC_WM2 = 700
const SLOTS = 6
const HOTTEST_WATER_C = 55
/** Of a new room at 20 °C. */
const NEW_ROOM_C = [22.5, 22, 20]

const SETTINGS: RoomSettings = {
  targetC: 21,
  bandK: 0.5,
  strategy: 'hold',
  programme: null,
  override: null,
  away: null,
  presetMode: 'none',
  steering: { kind: 'automatic' },
  maxFloorC: MAX_FLOOR_C,
  frostProtection: true,
  timeZone: 'UTC',
}

/** How far a draw goes: plans take long, what-if and fit longer. */
export type Depth = 'moves' | 'plans' | 'learns'

/** Every fault as a sentence; none where the draw is sound. */
export function faultsOf(draw: Draw, depth: Depth): { faults: string[]; checked: Checked[] } {
  const faults: string[] = []
  const judge = (what: Checked, temperaturesC: ArrayLike<number>, range = rangeOf(draw)) => {
    const wrong = Array.from(temperaturesC).find((value) => !(value >= range.leastC && value <= range.mostC))
    if (wrong !== undefined) faults.push(`${what}: ${wrong} °C is outside ${range.leastC} to ${range.mostC} °C`)
  }
  const state = stateOf(draw)
  const steering = depth === 'moves' ? ({ kind: 'off' } as const) : SETTINGS.steering
  const input = inputOf(draw, START_MS + draw.dtS * 1000)
  const after = stepRoom(state, { ...input, settings: { ...SETTINGS, steering } })
  const { belief, brokenMs } = after.state
  if (!belief || brokenMs) {
    if (!isGrill(draw)) faults.push('estimate: the belief is lost')
  } else {
    judge('estimate', belief.mean.slice(0, 4))
    if (!isPositiveDefinite(belief.spread)) faults.push('estimate: the covariance is not positive definite')
  }
  if (!(after.power >= 0 && after.power <= 1)) faults.push(`plan: power ${after.power}`)
  if (JSON.stringify(after).includes('null,null')) faults.push('plan: a number is not finite')
  const slots = slotsOf(draw, SLOTS)
  judge('prediction', predictAirC(state, slots))
  const account = explained(state, slots)
  // There the water is that of the heating curve.
  judge(
    'accounts',
    account.flatMap(({ mean }) => mean.slice(0, 4)),
    rangeOf({ ...draw, waterC: HOTTEST_WATER_C }),
  )
  const isFlowing = account.every(({ heatKwhM2 }) => heatKwhM2 >= 0 && heatKwhM2 < 5)
  if (!isFlowing) faults.push('accounts: heat that no loop gives')
  const checked: Checked[] = ['estimate', 'prediction', 'accounts', ...(depth === 'moves' ? [] : ['plan' as const])]
  if (depth !== 'learns') return { faults, checked }
  const lived = slotsOf(draw, 100)
  const days = lived.map((slot, i) => ({ ...slot, airC: 20 + Math.sin(i / 5) }))
  const expectedC = predictAirC(state, lived)
  const asExpected = lived.map((slot, i) => ({ ...slot, airC: expectedC[i] as number }))
  // A record that contradicts the model is not replayed, and not counted either.
  const replayed = [days, asExpected].flatMap((record) => replayRoom(state, record, SETTINGS) ?? [])
  for (const { airC, heatKwhM2 } of replayed.flatMap(({ slots }) => slots)) {
    if (!(Number.isFinite(airC + heatKwhM2) && heatKwhM2 >= 0)) faults.push('what-if: a number is not finite')
    if (Math.abs(airC) >= 200) faults.push('what-if: no room is like that')
  }
  const fitted = fitRoom(state, days)
  if (!fitted.learned.every(Number.isFinite)) faults.push('fit: a number is not finite')
  return { faults, checked: [...checked, ...replayed.map(() => 'what-if' as const), 'fit'] }
}

/** A passive network of heat stays between the coldest and the warmest of its sources. */
function rangeOf({ floorType, statesC, outdoorC, waterC, power, dtS }: Draw): { leastC: number; mostC: number } {
  const isElectric = floorType === 'electric'
  const sources = [...statesC, ...NEW_ROOM_C, outdoorC, GROUND_C, NEIGHBOUR_C, ...(isElectric ? [] : [waterC])]
  // A mat is no temperature but a flow: it can lift what it heats by no more than its heat through the least of the losses.
  const liftK = isElectric && (power > 0 || dtS > 1800) ? MOST_ELECTRIC_WM2 * 20 : 0
  return { leastC: Math.min(...sources) - SLACK_K, mostC: Math.max(...sources) + SLACK_K + liftK }
}

/** A mat that makes its floor as hot as no belief may be. */
const isGrill = ({ floorType, power }: Draw): boolean => floorType === 'electric' && power > 0

/** New rooms by floor type. */
const newRooms = new Map<string, RoomControl>()

/** A room that has just been seen, with the model and the temperatures of the draw. */
function stateOf(draw: Draw): RoomControl {
  const air = { kind: 'fresh', airC: 20, ageS: 0 } as const
  const state = newRooms.get(draw.floorType) ?? stepRoom(null, { ...inputOf(draw, START_MS), air }).state
  newRooms.set(draw.floorType, state)
  const spread = state.belief?.spread ?? []
  return { ...state, learned: draw.learned, belief: { mean: [...draw.statesC, 0, 0], spread } }
}

function inputOf({ floorType, outdoorC, waterC, power }: Draw, nowMs: number): StepInput {
  return {
    nowMs,
    floorType,
    location: { lat: 51, lng: 0 },
    settings: SETTINGS,
    air: { kind: 'missing' },
    floorProbeC: null,
    weather: { outdoorC, cloudPct: 100, windMs: 3.5, solarWm2: 0 },
    forecast: null,
    appliedPower: power,
    supply: { measuredC: waterC, setC: waterC },
  }
}

const slotsOf = ({ outdoorC, waterC, power }: Draw, count: number): Slot[] =>
  Array.from({ length: count }, (_, i) => ({
    endMs: START_MS + (i + 1) * SLOT_S * 1000,
    airC: null,
    power,
    outdoorC,
    windMs: 3.5,
    solarWm2: 0,
    supplyC: waterC,
  }))

/** By Cholesky. */
function isPositiveDefinite(matrix: number[]): boolean {
  const n = Math.round(Math.sqrt(matrix.length))
  const lower = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j] as number
      for (let m = 0; m < j; m++) sum -= (lower[i * n + m] as number) * (lower[j * n + m] as number)
      if (i === j && !(sum > 0)) return false
      lower[i * n + j] = i === j ? Math.sqrt(sum) : sum / (lower[j * n + j] as number)
    }
  return true
}
