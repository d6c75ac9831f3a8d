import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Heating } from '../../service/src/house/heating/heating.ts'
import { MINUTE_MS } from './clock.ts'
import type { Engine } from './database.ts'
import { heatingOf } from './heating.ts'
import { BATHROOM_SENSOR } from './houses.ts'
import { openWorld, type World } from './world.ts'

/** A world whose heating control follows every change of the building. */
interface HeatedWorld {
  world: World
  heating: Heating
  control(): Promise<void>
  /** Another process takes over: nothing that was kept in memory is left. */
  restart(): void
  /** Minutes of bathroom readings, each followed by a step of the control, as when a gateway reports. */
  live(minutes: number, temperatureC: number): Promise<void>
}

/** One for the suite it is called in; each test finds the building made anew. */
export function heatedWorld(engine: Engine): HeatedWorld {
  let world: World
  let heating: Heating
  beforeAll(async () => {
    world = await openWorld(engine, { onBuildingChanged: (id) => void heating.follow(id) })
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world = await world.refurnished()
    heating = heatingOf(world)
  })
  afterEach(() => heating.settled())
  const control = () => heating.control(world.holder.buildingId)
  return {
    get world() {
      return world
    },
    get heating() {
      return heating
    },
    control,
    restart() {
      heating = heatingOf(world)
    },
    async live(minutes, temperatureC) {
      for (let minute = 0; minute < minutes; minute++) {
        world.clock.advance(MINUTE_MS)
        await world.gatewaysReport()
        await world.report(BATHROOM_SENSOR, { temperatureC })
        await control()
      }
    },
  }
}
