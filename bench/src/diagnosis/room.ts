import { type History, type RoomControl, sharedEvidence } from '@hypocaust/control'
import type { FloorType } from '@hypocaust/domain'
import { sunPosition, throttledWk, verticalWm2, weatherAt } from '@hypocaust/simulator'
import { BuiltInPlant } from '../comfort/built-in-plant.ts'
import { Ours } from '../comfort/ours.ts'
import { STEP_S } from '../comfort/run.ts'
import { DAY_S } from '../comfort/scenarios.ts'
import { PLACE, type World, worldOf } from '../comfort/world.ts'
import { beginsOnDay, type Condition, type Fault, isFault, scenarioWith } from './faults.ts'

const LOW_FLOW = 0.3
/** A sensor in the sun shows so much more at 500 W/m², while the sun stands within this of its window. */
const SUNLIT_K = 5
const SUNLIT_WITHIN_DEG = 30

type RoomChoice = { floorType: FloorType; seed: number; condition: Condition; isPlanned: boolean }

/** A room that is heated by the law, with something wrong that the law does not know of. */
export class DiagnosedRoom {
  readonly choice: RoomChoice
  readonly configured: FloorType
  /** Whose sensor stands for this room's. */
  readFrom: DiagnosedRoom = this
  private readonly world: World
  private readonly plant: BuiltInPlant
  private readonly ours: Ours
  private readonly beginsS: number
  private sensorC: number | null = null
  private nowS = 0
  private isThrottled = false

  constructor(choice: RoomChoice) {
    const { floorType, seed, condition, isPlanned } = choice
    const scenario = scenarioWith(condition, seed)
    this.choice = choice
    this.configured = scenario.configured?.[floorType] ?? floorType
    this.beginsS = isFault(condition) ? beginsOnDay(condition, seed) * DAY_S : Number.POSITIVE_INFINITY
    this.world = worldOf({ floorType, scenario: scenario.name, seed }, scenario)
    this.plant = new BuiltInPlant(this.world)
    this.ours = new Ours({
      strategy: 'hold',
      floorType: this.configured,
      startMs: this.world.startMs,
      location: { lat: PLACE.latDeg, lng: PLACE.lngDeg },
      ...(!isPlanned && { isPlain: true }),
    })
  }

  get state(): RoomControl | null {
    return this.ours.state
  }

  get slots(): History {
    return this.ours.history
  }

  get nowMs(): number {
    return this.world.startMs + this.nowS * 1000
  }

  /** A minute on, in a house of these rooms. */
  advance(house: DiagnosedRoom[]) {
    const others = house.filter((room) => room !== this).map(({ state }) => state)
    this.ours.otherRooms = this.state ? sharedEvidence(this.state.floorType, others) : []
    const open = this.ours.step({ nowS: this.nowS, sensorC: this.readFrom.sensorC, plant: this.plant })
    if (this.fails('little-flow')) this.throttle()
    const { sensorC } = this.plant.advance({ dtS: STEP_S, open: this.positionFor(open) })
    this.nowS += STEP_S
    this.sensorC = this.shown(sensorC)
  }

  private fails(fault: Fault): boolean {
    return this.choice.condition === fault && this.nowS >= this.beginsS
  }

  private positionFor(open: 0 | 1): 0 | 1 {
    if (this.fails('stuck-closed')) return 0
    return this.fails('stuck-open') ? 1 : open
  }

  private shown(sensorC: number | null): number | null {
    if (sensorC !== null && this.fails('sensor-frozen')) return this.sensorC ?? sensorC
    if (sensorC !== null && this.fails('sensor-in-sun')) return Math.round(10 * (sensorC + this.sunlitK())) / 10
    // A lost packet leaves the last value to a sensor that goes on reporting it.
    return sensorC ?? (this.fails('sensor-frozen') ? this.sensorC : null)
  }

  private sunlitK(): number {
    const { solarWm2 } = weatherAt(this.world.climate, this.nowMs)
    const sun = sunPosition(this.nowMs, PLACE)
    const windowDeg = this.world.physics.facadeDeg
    const azimuthDeg = (sun.azimuthRad * 180) / Math.PI
    const isLit = Math.abs(azimuthDeg - windowDeg) < SUNLIT_WITHIN_DEG && sun.elevationRad > 0.09
    return isLit ? (SUNLIT_K * verticalWm2(sun, solarWm2, windowDeg)) / 500 : 0
  }

  private throttle() {
    const { heat } = this.world.physics
    if (this.isThrottled || heat.kind === 'electric') return
    this.isThrottled = true
    this.world.physics = { ...this.world.physics, heat: { ...heat, pipeWk: throttledWk(heat.pipeWk, LOW_FLOW) } }
  }
}
