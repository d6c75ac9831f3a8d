import { comfortAt } from './comfort-range.ts'
import { type Envelope, FLOOR_M2, settled, stepEnvelope, storedWhM2 } from './envelope.ts'
import { FAN_W, PUMP_W, RESTING, type Running, runAt, speedFor } from './heat-pump.ts'
import type { WeatherFile } from './reference.ts'
import { type Outdoors, outdoorsAt } from './weather.ts'

/** How the heat pump is driven: its speed itself, or on and off while it keeps its heating curve. */
type Drive = { kind: 'speed'; speed: number } | { kind: 'curve'; open: number }

export type HouseStep = {
  operativeC: number
  floorC: number
  supplyC: number
  heatW: number
  compressorW: number
  /** All that BOPTEST counts: compressor, fan and pump. */
  electricW: number
  speed: number
}

const WEATHER_EVERY_S = 300
const CURVE = { atC: 15, baseC: 26, slope: 0.48, highestC: 45 }

/** Water temperature by the weather; the same curve the installer of a floor heating would begin with. */
const curveC = (outdoorC: number) =>
  Math.min(CURVE.highestC, CURVE.baseC + CURVE.slope * Math.max(0, CURVE.atC - outdoorC))

export class BoptestHouse {
  readonly state: Envelope
  yearS: number
  private readonly file: WeatherFile
  private outdoors: Outdoors
  private outdoorsS: number

  constructor(file: WeatherFile, yearS: number) {
    this.file = file
    this.yearS = yearS
    this.state = settled(20)
    this.outdoors = outdoorsAt(file, yearS)
    this.outdoorsS = yearS
  }

  advance(drive: Drive, dtS: number): HouseStep {
    const { state } = this
    if (this.yearS - this.outdoorsS >= WEATHER_EVERY_S) {
      this.outdoors = outdoorsAt(this.file, this.yearS)
      this.outdoorsS = this.yearS
    }
    const { outdoorC } = this.outdoors
    const speed = speedOf(drive, state.waterC, outdoorC)
    const running: Running = speed > 0 ? runAt(speed, state.waterC, outdoorC) : RESTING
    const operativeC = stepEnvelope(state, this.outdoors, comfortAt(this.yearS).people, running.heatW, dtS)
    this.yearS += dtS
    return {
      operativeC,
      floorC: state.surfaceC,
      supplyC: speed > 0 ? running.supplyC : state.waterC,
      heatW: running.heatW,
      compressorW: running.compressorW,
      electricW: speed > 0 ? running.compressorW + FAN_W + PUMP_W : 0,
      speed,
    }
  }

  get storedWhM2(): number {
    return storedWhM2(this.state)
  }
}

export const perM2 = (watts: number) => watts / FLOOR_M2

function speedOf(drive: Drive, waterC: number, outdoorC: number): number {
  if (drive.kind === 'speed') return drive.speed
  return drive.open > 0 ? speedFor(curveC(outdoorC), waterC, outdoorC) : 0
}
