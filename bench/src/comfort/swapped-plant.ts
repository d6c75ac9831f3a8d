import type { ScheduleInputs } from '@hypocaust/domain'
import type { RoomState } from '@hypocaust/simulator'
import type { BuiltInPlant } from './built-in-plant.ts'
import type { Plant, PlantStep, Setpoint } from './plant.ts'
import type { Controller } from './run.ts'
import type { WeatherReport } from './world.ts'

/** A room whose sensor hangs in the next one, and that one's here: each is heated by the readings of the other. */
export class SwappedPlant implements Plant {
  private readonly room: BuiltInPlant
  private readonly next: BuiltInPlant
  /** Of the next room. */
  private readonly controller: Controller
  private sensorC: number | null = null
  private nowS = 0

  constructor(room: BuiltInPlant, next: BuiltInPlant, controller: Controller) {
    this.room = room
    this.next = next
    this.controller = controller
  }

  advance({ dtS, open }: { dtS: number; open: number }): PlantStep {
    const openNext = this.controller.step({ nowS: this.nowS, sensorC: this.sensorC, plant: this.next })
    const here = this.room.advance({ dtS, open })
    const there = this.next.advance({ dtS, open: openNext })
    this.sensorC = here.sensorC
    this.nowS += dtS
    return { ...here, sensorC: there.sensorC, sensorRh: there.sensorRh }
  }

  /** Puts both rooms into given states; returns what this one then holds, Wh/m². */
  enter(state: RoomState, nextState: RoomState): number {
    this.next.enter(nextState)
    return this.room.enter(state)
  }

  weather(nowS: number, horizonS: number): WeatherReport {
    return this.room.weather(nowS, horizonS)
  }

  setpoint(nowS: number, knownS = nowS): Setpoint {
    return this.room.setpoint(nowS, knownS)
  }

  scheduleInputs(knownS: number): ScheduleInputs | null {
    return this.room.scheduleInputs(knownS)
  }
}
