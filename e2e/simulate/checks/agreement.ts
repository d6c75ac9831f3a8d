import { isDeepStrictEqual } from 'node:util'
import { type LoggedState, loggedStateOf, logOf, replayed } from '@hypocaust/testing/change-log.ts'
import type { Owners } from '../owners.ts'
import type { World } from '../world.ts'

/** What is said in several places, when all is well: it must be the same everywhere. */
export class AgreementCheck {
  readonly #world: World
  readonly #owners: Owners
  #first: LoggedState | undefined
  looks = 0

  constructor(world: World, owners: Owners) {
    this.#world = world
    this.#owners = owners
  }

  async look(): Promise<void> {
    const { scheduler } = this.#world
    // Right after the control has decided on new readings: until the next ones, the outlook goes on and the decision stays.
    const hasDecided = await this.#world.readingsStored()
    this.#world.fine(3000)
    await scheduler.sleep(2500)
    const { isCalm, network, service, gateway } = this.#world
    if (!isCalm) return
    if (!service.running || !gateway.agent || !network.isConnected) {
      const what = { service: !!service.running, agent: !!gateway.agent, connected: network.isConnected }
      return this.#world.journal.violated('everything is well again by itself', JSON.stringify(what))
    }
    if (this.#owners.settings.some(({ underWay }) => underWay > 0)) return
    this.looks++
    await this.#owners.look()
    if (hasDecided) await this.#agree()
  }

  async #agree(): Promise<void> {
    const { house, journal } = this.#world
    const { requests, building, key } = this.#owners
    if (key === '') return
    const found = await requests.inService(async ({ app, store }) => {
      // A disk that fails once fails the request, and who asks again is answered.
      const twice = <T>(work: () => Promise<T>): Promise<T> => work().catch(work)
      const get = (path: string) =>
        twice(async () => {
          const answer = await app.inject({ method: 'GET', url: path, headers: { 'x-api-key': key } })
          if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
          return answer.json()
        })
      const rooms = await get(`${building}/rooms`)
      const state = await get(`${building}/state`)
      const explanations = await Promise.all(
        rooms.map(async ({ id }: { id: string }) => ({
          id,
          outlook: await get(`${building}/rooms/${id}/outlook`),
          explanation: await get(`${building}/rooms/${id}/explanation`),
        })),
      )
      return {
        rooms,
        state,
        explanations,
        logged: await twice(() => loggedStateOf(store, house.buildingId)),
        log: await twice(() => logOf(store, house.buildingId)),
      }
    })
    if (!found) return
    journal.note(`look ${JSON.stringify(found.rooms)}`)
    this.#agreeOnRooms(found)
    this.#replay(found.logged, found.log)
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of the interface
  #agreeOnRooms({ rooms, state, explanations }: any): void {
    const { journal, valves, devices, house } = this.#world
    const expect = (isTrue: boolean, what: string) => {
      if (!isTrue) journal.violated('rooms, outlook and explanation agree', what)
    }
    expect(isDeepStrictEqual(rooms, state.rooms), 'the rooms of the state are others than the rooms')
    for (const { id, outlook, explanation } of explanations) {
      const room = rooms.find((each: { id: string }) => each.id === id)
      const heats = room.power > 0
      const is = `${room.name}: power ${room.power}, ${room.hvac_action}, outlook ${outlook.activity}, explanation ${explanation.activity} ${explanation.power}`
      expect(isDeepStrictEqual(state.outlooks?.[id] ?? outlook, outlook), `the outlook of the state is another: ${is}`)
      expect(outlook.activity === explanation.activity, is)
      expect(outlook.heating === heats, `outlook.heating is ${outlook.heating}: ${is}`)
      expect((room.hvac_action === 'heating') === heats, is)
      expect((room.hvac_mode === 'off') === (room.manual_power.enabled && room.manual_power.power === 0), is)
      const i = house.roomIds.indexOf(id)
      const channel = devices.rooms[i]?.channel ?? 0
      const commanded = valves.powerOf(channel)
      if (commanded !== undefined && Math.abs(commanded - room.power) > 1e-6)
        journal.violated(
          'the newest change wins',
          `${room.name} has power ${room.power}, and its valve was commanded ${commanded}`,
        )
    }
  }

  #replay(now: LoggedState, log: Parameters<typeof replayed>[1]): void {
    const law = 'the change log replays to the state'
    const { journal } = this.#world
    if (!this.#first) {
      this.#first = now
      this.#entries = log.length
      return
    }
    try {
      const made = replayed(this.#first, log.slice(this.#entries))
      if (!isDeepStrictEqual(new Map([...made].sort()), new Map([...now].sort())))
        journal.violated(law, `${JSON.stringify([...made])} is not ${JSON.stringify([...now])}`)
    } catch (error) {
      journal.violated(law, (error as Error).message)
    }
  }

  #entries = 0
}
