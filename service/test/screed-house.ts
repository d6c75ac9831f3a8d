import type { AppScreed } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import type { Engine } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { numberedCommand } from '../src/house/gateways/commands.ts'
import { commandedValves, gatewayValvesOf } from '../src/house/gateways/valves.ts'
import { advanceScreeds } from '../src/house/screed/advance.ts'

const STEP_MS = 5 * MINUTE_MS
const AVAILABILITY = { silentAfterS: 300 }

/** Which water the manifold has for the water that is asked for, or why none is reported. */
type Water = (askedC: number) => number | 'no probe' | 'hot water' | 'silent'

const obedient: Water = (askedC) => askedC + 0.5

/** A house with a screed whose heat source does as it is asked, for the suite that calls it. */
export function screedHouseOf(engine: Engine) {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world = await world.refurnished()
    await world.store.db.updateTable('gateways').set({ channels: 4 }).where('id', '=', gatewayId()).execute()
    await building({
      heatSource: '{"kind":"heat_pump","supply":{"min":20,"max":50}}',
      loopRun: null,
      loopRunDueAt: null,
    })
    await report(obedient)
  })
  const gatewayId = () => world.holder.gatewayIds[0] ?? ''
  const path = () => `/app/buildings/${world.holder.buildingId}/screed`
  const building = (columns: object) =>
    world.store.db.updateTable('buildings').set(columns).where('id', '=', world.holder.buildingId).execute()
  const gateway = async () => {
    const all = await gatewayValvesOf(world.store, world.holder.buildingId)
    const found = all.find((each) => each.gatewayId === gatewayId())
    if (!found) throw new Error('the house has no gateway')
    return found
  }
  const asked = async (): Promise<number | undefined> => {
    const nowMs = world.clock.now()
    const cellar = await gateway()
    const { order } = numberedCommand(world.store, cellar, commandedValves(cellar, nowMs), nowMs)
    return order?.source?.supply_c
  }
  async function report(water: Water) {
    const what = water((await asked()) ?? 20)
    if (what === 'silent') return
    const supply_c = typeof what === 'number' ? what : what === 'hot water' ? 55 : null
    const report = { lock: what === 'hot water' ? 'hot_water' : null, supply_c, supply_set_c: null, sg_ready: null }
    await world.store.db
      .updateTable('gateways')
      .set({ sourceReport: JSON.stringify(report), lastSeenAt: world.clock.now() })
      .where('id', '=', gatewayId())
      .execute()
  }
  return {
    get world() {
      return world
    },
    get ada() {
      return ada
    },
    path,
    building,
    asked,
    state: async (): Promise<AppScreed> => (await ada.call('GET', path())).json,
    start: (body: object) => ada.call('POST', path(), { restart_after_hours: 24, ...body }),
    record: async () => {
      const [latest] = (await ada.call('GET', path())).json.records
      return (await ada.call('GET', `${path()}/records/${latest.id}`)).json
    },
    /** Time passes, the gateway reports, and the service looks after the programme; or it does not run. */
    async pass(hours: number, water: Water = obedient, isServiceUp = true) {
      for (let ms = 0; ms < hours * 60 * MINUTE_MS; ms += STEP_MS) {
        world.clock.advance(STEP_MS)
        await report(water)
        if (isServiceUp) await advanceScreeds(world.store, world.clock, AVAILABILITY)
      }
    },
    /** What each loop is commanded, after the control has followed. */
    async powers() {
      await world.gatewaysReport()
      await heatingOf(world).control(world.holder.buildingId)
      return commandedValves(await gateway(), world.clock.now()).map(({ power }) => power)
    },
  }
}
