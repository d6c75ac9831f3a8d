import type { ScheduleInputs } from '@hypocaust/domain'
import {
  Actuator,
  AirSensor,
  forecastAt,
  RELAY,
  type RoomState,
  scoredC,
  seededRandom,
  settledState,
  stepRoomState,
  storedWhM2,
  THERMAL_ACTUATOR,
  weatherAt,
} from '@hypocaust/simulator'
import { scheduleInputsAt } from './irregular-week.ts'
import type { Plant, PlantStep, Setpoint } from './plant.ts'
import { during, setpointOf } from './scenarios.ts'
import type { WeatherReport, World } from './world.ts'

const copyOf = <T extends object>(of: T): T => Object.assign(Object.create(Object.getPrototypeOf(of)), of)

/** The house of the simulator behind the benchmark's interface. */
export class BuiltInPlant implements Plant {
  readonly state: RoomState = settledState(19.5)
  private readonly world: World
  private readonly actuator: Actuator
  private readonly sensor: AirSensor
  private nowS = 0
  private lastReportedC: number | null = null

  constructor(world: World) {
    this.world = world
    this.actuator = new Actuator(world.choice.floorType === 'electric' ? RELAY : THERMAL_ACTUATOR)
    this.sensor = new AirSensor(this.state.airC, seededRandom(world.choice.seed * 31 + 5))
  }

  advance({ dtS, open }: { dtS: number; open: number }): PlantStep {
    const { world, state } = this
    const boundary = world.boundary(this.nowS)
    const position = this.actuator.advance(dtS, open)
    const heatWhM2 = stepRoomState(state, world.physics, boundary, position, dtS)
    this.nowS += dtS
    const loss = world.scenario.sensorLoss
    const faults = { lossShare: loss?.lossShare ?? 0.1, silent: loss ? during([loss.silent], this.nowS) : false }
    const packet = this.sensor.advance(dtS, state.airC, boundary.outdoorC, faults)
    return {
      sensorC: packet && this.reported(packet.temperature),
      sensorRh: packet?.humidity ?? null,
      scoredC: scoredC(state),
      airC: state.airC,
      floorC: state.surfaceC,
      heatWhM2,
      storedWhM2: storedWhM2(state, world.physics),
    }
  }

  /** The same house at this moment, which goes its own way from now on. */
  fork(): BuiltInPlant {
    const { state, actuator, sensor } = this
    return Object.assign(copyOf(this), { state: { ...state }, actuator: copyOf(actuator), sensor: copyOf(sensor) })
  }

  /** As it is, or in steps and only when a new one is reached. */
  private reported(insideC: number): number | null {
    const { sensorStepK, outsideWallShare = 0 } = this.world.scenario
    const wallK = outsideWallShare * (this.world.boundary(this.nowS).outdoorC - insideC)
    const temperatureC = Math.round(10 * (insideC + wallK)) / 10
    if (!sensorStepK) return temperatureC
    const isNear = this.lastReportedC !== null && Math.abs(temperatureC - this.lastReportedC) < sensorStepK
    if (isNear) return null
    this.lastReportedC = Math.round(temperatureC / sensorStepK) * sensorStepK
    return this.lastReportedC
  }

  /** Puts the house into a given state; returns what it then holds, Wh/m². */
  enter(state: RoomState): number {
    Object.assign(this.state, state)
    return storedWhM2(this.state, this.world.physics)
  }

  weather(nowS: number, horizonS: number): WeatherReport {
    const { reports } = this.world
    const known = reports.get(nowS)
    if (known && known.hourly.length * 3600 > horizonS) return known
    const report = this.reportAt(nowS, horizonS)
    reports.set(nowS, report)
    return report
  }

  private reportAt(nowS: number, horizonS: number): WeatherReport {
    const { climate, startMs, scenario } = this.world
    const nowMs = startMs + nowS * 1000
    const wrong = scenario.forecast
    const hourly = Array.from({ length: Math.floor(horizonS / 3600) + 1 }, (_, hour) => {
      const forecast = forecastAt(climate, nowMs, nowMs + hour * 3_600_000)
      if (!wrong) return forecast
      const shifted = forecastAt(climate, nowMs, nowMs + hour * 3_600_000 + wrong.sunShiftS * 1000)
      return { ...forecast, outdoorC: forecast.outdoorC + wrong.outdoorK, solarWm2: shifted.solarWm2 }
    })
    return { now: weatherAt(climate, nowMs), hourly }
  }

  setpoint(nowS: number, knownS = nowS): Setpoint {
    return setpointOf(this.world.scenario, nowS, knownS)
  }

  scheduleInputs(knownS: number): ScheduleInputs | null {
    const { week } = this.world.scenario
    return week ? scheduleInputsAt(week, knownS) : null
  }
}
