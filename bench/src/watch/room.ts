import { type History, type RoomControl, sharedEvidence } from '@hypocaust/control'
import type { FloorType } from '@hypocaust/domain'
import { BuiltInPlant } from '../comfort/built-in-plant.ts'
import { Ours, type OursOptions } from '../comfort/ours.ts'
import type { Plant } from '../comfort/plant.ts'
import { STEP_S } from '../comfort/run.ts'
import type { World } from '../comfort/world.ts'
import { PLACE } from '../comfort/world.ts'

/** A room that is heated by the law, moved on minute by minute. */
export class WatchedRoom {
  readonly floorType: FloorType
  /** Whose sensor stands for this room's. */
  readFrom: WatchedRoom = this
  private readonly plant: Plant
  private readonly ours: Ours
  private sensorC: number | null = null
  private nowS = 0

  constructor(floorType: FloorType, plant: Plant, options: OursOptions) {
    this.floorType = floorType
    this.plant = plant
    this.ours = new Ours(options)
  }

  private get state(): RoomControl | null {
    return this.ours.state
  }

  get slots(): History {
    return this.ours.history
  }

  /** A minute on, in a house of these rooms. */
  advance(house: WatchedRoom[]) {
    const others = house.filter((room) => room !== this).map(({ state }) => state)
    this.ours.otherRooms = this.state ? sharedEvidence(this.state.floorType, others) : []
    const open = this.ours.step({ nowS: this.nowS, sensorC: this.readFrom.sensorC, plant: this.plant })
    this.sensorC = this.plant.advance({ dtS: STEP_S, open }).sensorC
    this.nowS += STEP_S
  }

  /** Whether the law reports that heat does not arrive. */
  get alarmed(): boolean {
    return this.ours.decision?.notices.includes('boiler-off') ?? false
  }

  /** Whether the law reports that all the heat there is leaves the room too cold. */
  get short(): boolean {
    return this.ours.decision?.short !== undefined
  }
}

export function roomIn(world: World): WatchedRoom {
  const { choice, scenario, startMs } = world
  return new WatchedRoom(choice.floorType, new BuiltInPlant(world), {
    strategy: 'hold',
    floorType: scenario.configured?.[choice.floorType] ?? choice.floorType,
    startMs,
    location: { lat: PLACE.latDeg, lng: PLACE.lngDeg },
  })
}
