import { BOOST, type Building, type RoomPatch } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { actingAs } from '../change-log/actor.ts'
import { patchRoom } from '../rooms/manage.ts'
import { endOverrides, overrideRooms } from '../rooms/override.ts'
import { dialRoom, dialTarget, type RoomNow, roomsNow } from '../rooms/thermostat.ts'
import { type Availability, buildingView, findBuilding } from './buildings.ts'

const MATTER = { kind: 'matter', name: '' } as const

/** One building as it is seen and changed from another process beside the service, which notices by the revision. */
export class BuildingRooms {
  readonly #store: Store
  readonly #clock: Clock
  readonly #availability: Availability
  readonly #buildingId: string

  constructor(store: Store, clock: Clock, availability: Availability, buildingId: string) {
    this.#store = store
    this.#clock = clock
    this.#availability = availability
    this.#buildingId = buildingId
  }

  async look(): Promise<{ building: Building; rooms: RoomNow[] } | undefined> {
    const row = await findBuilding(this.#store, this.#buildingId)
    if (!row) return undefined
    const nowMs = this.#clock.now()
    const rooms = await roomsNow(this.#store, row.id, nowMs)
    return { building: buildingView(row, this.#availability, nowMs), rooms }
  }

  async dial(roomId: string, celsius: number): Promise<void> {
    const scope = { buildingId: this.#buildingId, roomId }
    await actingAs(MATTER, () => dialRoom(this.#store, this.#clock, scope, celsius))
  }

  async preset(roomId: string, preset: 'comfort' | 'boost' | null): Promise<void> {
    const scope = { buildingId: this.#buildingId, roomId }
    await actingAs(MATTER, async () => {
      if (preset === 'comfort') await dialTarget(this.#store, this.#clock, scope)
      else if (preset === null) await endOverrides(this.#store, this.#clock, scope.buildingId, [roomId])
      else {
        const boost = { boost: BOOST.kelvin, hours: BOOST.hours }
        await overrideRooms(this.#store, this.#clock, scope.buildingId, [roomId], boost)
      }
    })
  }

  async patch(roomId: string, patch: RoomPatch): Promise<void> {
    const scope = { buildingId: this.#buildingId, roomId }
    await actingAs(MATTER, () => patchRoom(this.#store, this.#clock, scope, patch))
  }
}
