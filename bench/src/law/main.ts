import { FITTED_DAYS, fitRoom, type History, type RoomControl, type StepInput, stepRoom } from '@hypocaust/control'
import { FLOOR_TYPES, type FloorType, MAX_FLOOR_C, programmeOfNight } from '@hypocaust/domain'
import { seededRandom } from '@hypocaust/simulator'

/** What the law itself costs: time per room and tick for ever more rooms, and the nightly fit. */
const ROOM_COUNTS = [10, 100, 1_000, 10_000, 100_000]
const FEWEST_STEPS = 9_000
const BATCH = 450
/** A room plans once in half an hour: in each measured tick, one room of thirty does. */
const PLAN_EVERY = 30
const FIT_ROOMS = 1_000
const START_MS = Date.UTC(2026, 0, 12)
const TICK_MS = 60_000

const forecast = {
  startMs: START_MS,
  hourly: Array.from({ length: 72 }, (_, hour) => ({
    outdoorC: 2 + 4 * Math.sin((2 * Math.PI * (hour - 9)) / 24),
    cloudPct: 60,
    windMs: 3,
    solarWm2: Math.max(0, 200 * Math.sin((2 * Math.PI * (hour - 6)) / 24)),
  })),
}

function inputOf(room: number, tick: number, airC: number): StepInput {
  const floorType = FLOOR_TYPES[room % FLOOR_TYPES.length] as FloorType
  return {
    nowMs: START_MS + tick * TICK_MS,
    floorType,
    location: { lat: 51, lng: 0 },
    settings: {
      targetC: 21,
      bandK: 0.5,
      strategy: 'hold',
      programme: programmeOfNight({ from: '22:30', to: '06:00', setback: 2 }),
      override: null,
      away: null,
      presetMode: 'none',
      steering: { kind: 'automatic' },
      maxFloorC: MAX_FLOOR_C,
      frostProtection: true,
      timeZone: 'Europe/Berlin',
    },
    air: { kind: 'fresh', airC, ageS: 5 },
    floorProbeC: null,
    weather: forecast.hourly[0] ?? null,
    forecast,
    appliedPower: null,
  }
}

main()

function main() {
  const stored = everyStage()
  measureTicks(stored, 300, 5)
  console.log('time per room and tick, processor time: a reading a minute, a plan every half hour')
  for (const rooms of ROOM_COUNTS) console.log(tickLine(stored, rooms))
  console.log(fitLine())
}

type Stored = { room: number; tick: number; state: string }

/** States as a store would hold them: each floor type at each minute of its half hour. */
function everyStage(): Stored[] {
  const random = seededRandom(1)
  return FLOOR_TYPES.flatMap((_, room) => {
    let state: RoomControl | null = null
    const kept: Stored[] = []
    for (let tick = 0; tick < 3 * PLAN_EVERY; tick++) {
      state = stepRoom(state, inputOf(room, tick, 20.4 + 0.4 * random.uniform())).state
      if (tick >= 2 * PLAN_EVERY - 1 && tick < 3 * PLAN_EVERY - 1)
        kept.push({ room, tick, state: JSON.stringify(state) })
    }
    return kept
  })
}

function tickLine(stored: Stored[], rooms: number): string {
  const { microseconds, bytes } = measureTicks(stored, rooms, Math.max(1, Math.ceil(FEWEST_STEPS / rooms)))
  const share = (microseconds * rooms) / 60e6
  return `  ${String(rooms).padStart(7)} rooms  ${microseconds.toFixed(1).padStart(7)} µs  ${(100 * share).toFixed(2).padStart(7)} % of a core  ${bytes} bytes of state`
}

/** Every room's next tick, `rounds` times over; parsing the state is the store's business and not counted. */
function measureTicks(stored: Stored[], rooms: number, rounds: number): { microseconds: number; bytes: number } {
  const steps = rooms * rounds
  let microseconds = 0
  for (let first = 0; first < steps; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, steps - first) }, (_, i) => prepared(stored, first + i))
    microseconds += cpuMicroseconds(() => {
      for (const { state, input } of batch) stepRoom(state, input)
    })
  }
  return { microseconds: microseconds / steps, bytes: stored[0]?.state.length ?? 0 }
}

function prepared(stored: Stored[], step: number): { state: RoomControl; input: StepInput } {
  const { room, tick, state } = stored[(step * 7) % stored.length] as Stored
  return { state: JSON.parse(state), input: inputOf(room, tick + 1, 20.4 + 0.4 * ((step * 0.618) % 1)) }
}

/** Time of the processor, not of the wall: the machine may have other work. */
function cpuMicroseconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** As many half hours for each room as the fit looks at, fitted as it is every night. */
function fitLine(): string {
  const random = seededRandom(2)
  const rooms = Array.from({ length: FIT_ROOMS }, (_, room) => {
    const { state } = stepRoom(null, inputOf(room, 0, 20.5))
    return { state: { ...state, updatedMs: START_MS + FITTED_DAYS * 86_400_000 }, history: recorded(random.uniform) }
  })
  let accepted = 0
  const microseconds = cpuMicroseconds(() => {
    for (const [i, { state, history }] of rooms.entries()) {
      accepted += fitRoom(state, history).fit.accepted
      if ((i + 1) % 100 === 0) process.stderr.write(`${i + 1} of ${FIT_ROOMS} fits\n`)
    }
  })
  const seconds = microseconds / 1e6
  return `nightly fit of ${FIT_ROOMS} rooms, processor time: ${seconds.toFixed(1)} s, ${((1000 * seconds) / FIT_ROOMS).toFixed(1)} ms a room, ${accepted} accepted`
}

function recorded(uniform: () => number): History {
  const leak = 0.7 + 0.6 * uniform()
  let airC = 20.5
  let floorC = 23
  return Array.from({ length: FITTED_DAYS * 48 }, (_, slot) => {
    const outdoorC = 2 + 4 * Math.sin(slot / 8) + uniform()
    const power = airC < 20.5 ? 0.6 : 0.1
    floorC += (0.5 * (power * 60 - 10 * (floorC - airC))) / 45
    airC += (0.5 * (10 * (floorC - airC) - leak * 1.4 * (airC - outdoorC) + 5)) / 60
    return {
      endMs: START_MS + (slot + 1) * 1_800_000,
      airC: Math.round(airC * 50) / 50,
      power,
      outdoorC,
      windMs: 3,
      solarWm2: Math.max(0, 150 * Math.sin((2 * Math.PI * (slot - 14)) / 48)),
    }
  })
}
