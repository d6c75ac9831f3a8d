import { FLEXIBILITY_S, type RoomsOffer } from '@hypocaust/control'
import {
  type BuildingFlexibility,
  FLEXIBILITY_DIRECTIONS,
  type FleetFlexibility,
  type FlexibilityOffer,
  MINUTE_MS,
  timestampOf,
} from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { readInputs } from '../heating/inputs.ts'
import { Replays } from '../replays/replays.ts'
import { lawSourceOf } from '../source/energy.ts'
import { knownPower } from './known-power.ts'
import { recordOf } from './record.ts'
import { roomsNow } from './rooms.ts'

interface Parts {
  store: Store
  clock: Clock
  availability: Availability
}

type Offers = Omit<BuildingFlexibility, 'record'>
interface Kept {
  revision: number
  madeMs: number
  offers: Promise<Offers>
}

/** Working offers out takes plans of every room, so they are kept for a while. */
const KEPT_MS = 5 * MINUTE_MS
const MOST_KEPT = 1000
const FLEET_PAGE = 10

type Summed = 'power_w' | 'energy_kwh' | 'planned_kwh' | 'later_kwh' | 'kelvin_hours'

/** What buildings can do for the grid. */
export class Flexibility {
  readonly #parts: Parts
  readonly #replays = new Replays()
  readonly #kept = new Map<string, Kept>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  stop(): Promise<void> {
    return this.#replays.stop()
  }

  async of(buildingId: string): Promise<BuildingFlexibility> {
    return { ...(await this.#offers(buildingId)), record: await recordOf(this.#parts.store, buildingId) }
  }

  /** Of the next of these buildings, one after the other. */
  async ofFleet(buildingIds: string[], after: string | undefined): Promise<FleetFlexibility> {
    const ahead = buildingIds.toSorted().filter((id) => after === undefined || id > after)
    const page = ahead.slice(0, FLEET_PAGE)
    const known: { id: string; offers: FlexibilityOffer[] }[] = []
    for (const id of page) {
      const { power_unknown, offers } = await this.#offers(id)
      if (power_unknown === null) known.push({ id, offers })
    }
    return {
      buildings: page.length,
      building_ids: known.map(({ id }) => id),
      next: ahead.length > page.length ? (page.at(-1) ?? null) : null,
      offers: known.length > 0 ? addedUp(known.map(({ offers }) => offers)) : [],
    }
  }

  async #offers(buildingId: string): Promise<Offers> {
    const { store, clock } = this.#parts
    const nowMs = clock.now()
    const building = await store.db
      .selectFrom('buildings')
      .select('revisedAt')
      .where('id', '=', buildingId)
      .executeTakeFirstOrThrow(() => errors.noSuchBuilding(buildingId))
    const revision = building.revisedAt
    const kept = this.#kept.get(buildingId)
    if (kept?.revision === revision && nowMs >= kept.madeMs && nowMs < kept.madeMs + KEPT_MS) return kept.offers
    const offers = this.#make(buildingId, nowMs)
    this.#kept.delete(buildingId)
    this.#kept.set(buildingId, { revision, madeMs: nowMs, offers })
    const [oldest] = this.#kept.size > MOST_KEPT ? this.#kept.keys() : []
    if (oldest !== undefined) this.#kept.delete(oldest)
    // What failed is tried again by the next request.
    offers.catch(() => this.#kept.delete(buildingId))
    return offers
  }

  async #make(buildingId: string, nowMs: number): Promise<Offers> {
    const { store, availability } = this.#parts
    const inputs = await readInputs(store, buildingId, nowMs)
    if (!inputs) throw errors.noSuchBuilding(buildingId)
    const source = lawSourceOf(inputs.building)
    const rooms = roomsNow(inputs, availability, nowMs)
    const { scale, unknown } = await knownPower(store, inputs, nowMs)
    const offers = await this.#replays.ask({ kind: 'flexibility', rooms, source, nowMs })
    return {
      calculated_at: timestampOf(nowMs),
      power_unknown: unknown,
      offers: (offers ?? []).map((offer) => offerView(offer, scale)),
    }
  }
}

function offerView(offer: RoomsOffer, scale: number | null): FlexibilityOffer {
  const { direction, durationS, kelvinHours, mostK, roomIds } = offer
  const kwh = (value: number) => (scale === null ? null : rounded(scale * value))
  return {
    ...{ direction, minutes: durationS / 60 },
    power_w: scale === null ? null : Math.round((scale * offer.kwh * 3.6e6) / durationS),
    energy_kwh: kwh(offer.kwh),
    planned_kwh: kwh(offer.plannedKwh),
    later_kwh: kwh(offer.laterKwh),
    kelvin_hours: rounded(kelvinHours),
    temperature_change: rounded(mostK),
    rooms: roomIds.length,
  }
}

/** Offer by offer: all buildings have the same directions and durations. */
const addedUp = (fleet: FlexibilityOffer[][]): FleetFlexibility['offers'] =>
  FLEXIBILITY_DIRECTIONS.flatMap((direction) =>
    FLEXIBILITY_S.map((durationS) => {
      const minutes = durationS / 60
      const same = fleet.flatMap((offers) =>
        offers.filter((offer) => offer.direction === direction && offer.minutes === minutes),
      )
      const sum = (name: Summed) => rounded(same.reduce((total, offer) => total + (offer[name] ?? 0), 0))
      return {
        ...{ direction, minutes },
        power_w: sum('power_w'),
        energy_kwh: sum('energy_kwh'),
        planned_kwh: sum('planned_kwh'),
        later_kwh: sum('later_kwh'),
        kelvin_hours: sum('kelvin_hours'),
      }
    }),
  )

const rounded = (value: number): number => Number(value.toFixed(2))
