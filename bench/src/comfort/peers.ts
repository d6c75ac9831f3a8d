import type { FloorType } from '@hypocaust/domain'
import { identified } from './identified.ts'
import { Pwm } from './pwm.ts'
import { type Controller, STEP_S, type View } from './run.ts'

/** The laws people run today, from their published formulas. */
export type PeerName = 'hysteresis' | 'tpi' | 'tpi-30min' | 'smartpi' | 'ha-smart' | 'adaptive'
export const PEERS: PeerName[] = ['hysteresis', 'tpi', 'tpi-30min', 'smartpi', 'ha-smart', 'adaptive']

/** What a patient owner can turn in hindsight. */
export type Tuning = { offsetK: number; earlyS: number }
export const AS_SHIPPED: Tuning = { offsetK: 0, earlyS: 0 }

type Start = (nowS: number) => number
type Seen = { airC: number; targetC: number; outdoorC: number; slopeKs: number }

/** Keeps the last reading and the weather of ten minutes, as a thermostat would. */
class Watcher {
  private airC: number | null = null
  private outdoorC = 0
  private slopeKs = 0
  private sinceS = 0
  private readonly tuning: Tuning
  private readonly start: Start | undefined

  constructor(tuning: Tuning, start?: Start) {
    this.tuning = tuning
    this.start = start
  }

  see({ nowS, sensorC, plant }: View): Seen | null {
    if (nowS % 600 === 0) this.outdoorC = plant.weather(nowS, 0).now.outdoorC
    this.sinceS += STEP_S
    if (sensorC !== null) {
      this.slopeKs = this.airC === null ? 0 : (sensorC - this.airC) / this.sinceS
      this.airC = sensorC
      this.sinceS = 0
    }
    if (this.airC === null) return null
    const { offsetK, earlyS } = this.tuning
    const nowC = this.start?.(nowS) ?? plant.setpoint(nowS).targetC
    const targetC = (earlyS > 0 ? Math.max(nowC, plant.setpoint(nowS + earlyS, nowS).targetC) : nowC) + offsetK
    return { airC: this.airC, targetC, outdoorC: this.outdoorC, slopeKs: this.slopeKs }
  }
}

/** `start` gives the target of a moment in place of the plant's: an early start of its own. */
export function createPeer(name: PeerName, floorType: FloorType, tuning: Tuning, start?: Start): Controller {
  const watcher = new Watcher(tuning, start)
  const law = lawOf(name, floorType)
  return {
    step(view) {
      const seen = watcher.see(view)
      return seen ? law(seen) : 0
    },
  }
}

function lawOf(name: PeerName, floorType: FloorType): (seen: Seen) => 0 | 1 {
  switch (name) {
    case 'hysteresis':
      return hysteresis()
    case 'tpi':
      return cycled(300, tpi)
    case 'tpi-30min':
      return cycled(1800, tpi)
    case 'smartpi':
      return cycled(1800, smartPi(floorType, 1800))
    case 'ha-smart':
      return cycled(900, haSmart())
    case 'adaptive':
      return cycled(900, adaptive())
  }
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))

/** The law is asked every step, so that integrals run on; the share counts at the start of a cycle. */
function cycled(cycleS: number, law: (seen: Seen) => number) {
  const pwm = new Pwm(cycleS, STEP_S)
  return (seen: Seen) => pwm.step(law(seen))
}

/** Home Assistant, generic thermostat. */
function hysteresis() {
  let open: 0 | 1 = 0
  return ({ airC, targetC }: Seen) => {
    if (targetC > airC + 0.3) open = 1
    else if (targetC < airC - 0.3) open = 0
    return open
  }
}

/** Versatile Thermostat. */
const tpi = ({ airC, targetC, outdoorC }: Seen) => clamp(0.6 * (targetC - airC) + 0.01 * (targetC - outdoorC))

/** SmartPI, given a model it would have to learn: the book's figures for the floor. */
function smartPi(floorType: FloorType, cycleS: number) {
  const { gainK, tauS, deadS } = identified(floorType)
  const a = gainK / tauS
  const b = 1 / tauS
  const lambdaS = Math.max(3 * deadS, 2 * cycleS, 300)
  const kp = 1 / (a * (lambdaS + deadS))
  const ki = kp / tauS
  let integral = 0
  return ({ airC, targetC, outdoorC }: Seen) => {
    const errorK = Math.abs(targetC - airC) < 0.05 ? 0 : targetC - airC
    const base = (b / a) * (targetC - outdoorC) + kp * errorK
    const share = base + integral
    if (share > 0 && share < 1) integral += ki * errorK * STEP_S
    return clamp(share)
  }
}

/** HASmartThermostat, in percent. */
function haSmart() {
  let integral = 0
  return ({ airC, targetC, outdoorC, slopeKs }: Seen) => {
    const errorK = targetC - airC
    const rest = 50 * errorK - 2000 * slopeKs + 0.6 * (targetC - outdoorC)
    if (rest + integral > 0 && rest + integral < 100)
      integral = Math.min(100, Math.max(0, integral + 0.01 * errorK * STEP_S))
    return clamp((rest + integral) / 100)
  }
}

/** Adaptive thermostat, hydronic floor, in percent; proportional on the measurement. */
function adaptive() {
  let integral = 0
  let proportional = 0
  let lastC: number | null = null
  return ({ airC, targetC, outdoorC, slopeKs }: Seen) => {
    proportional -= 0.3 * (airC - (lastC ?? airC))
    lastC = airC
    const rest = proportional - 2.5 * slopeKs * 3600 + 0.54 * (targetC - outdoorC)
    integral = Math.min(100, Math.max(-100, integral + (1.2 / 3600) * (targetC - airC) * STEP_S))
    return clamp((rest + integral) / 100)
  }
}
