import { type Calendar, type CalendarPut, type Calendars, MOST_CALENDAR_TEXT, UUID_PATTERN } from '@hypocaust/domain'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import {
  addCalendar,
  calendarsOf,
  putCalendar,
  removeCalendar,
  storedCalendar,
} from '../../house/calendars/calendars.ts'
import { type CalendarNetwork, calendarNetwork } from '../../house/calendars/network.ts'
import type { Store } from '../../store/store.ts'
import { rateLimits } from './common-limits.ts'
import type { RateLimits } from './limits.ts'

export interface CalendarDoorParts {
  store: Store
  clock: Clock
  logger: Logger
  /** Left out, public addresses only. */
  calendarNetwork?: CalendarNetwork
  onBuildingChanged(buildingId: string): void
}

/** A file in JSON may take six bytes for a character. */
export const MAX_CALENDAR_BODY_BYTES = 6 * MOST_CALENDAR_TEXT + 64 * 1024

/** Each change reads the calendar anew, and may fetch it from a stranger. */
const CHANGES = 20
const CHANGES_WITHIN_S = 15 * 60

export const calendarChanges = (
  name: string,
  { store, clock }: Pick<CalendarDoorParts, 'store' | 'clock'>,
): RateLimits => rateLimits(name, { read: 0, write: CHANGES }, store, clock, CHANGES_WITHIN_S)

export async function chargeCalendarChange(changes: RateLimits, changedBy: string): Promise<void> {
  const { exceeded, resetS } = await changes.spend(changedBy, 'write')
  if (exceeded) throw errors.rateLimited(resetS)
}

/** What both interfaces do with the calendars of a building. */
export class CalendarDesk {
  readonly #parts: CalendarDoorParts & { network: CalendarNetwork; random: () => number }
  readonly #changes

  constructor(parts: CalendarDoorParts) {
    const network = parts.calendarNetwork ?? calendarNetwork({ privateAddresses: false })
    this.#parts = { ...parts, network, random: Math.random }
    this.#changes = calendarChanges('calendar changes', parts)
  }

  async list(buildingId: string): Promise<Calendars> {
    return { calendars: await calendarsOf(this.#parts.store, buildingId, this.#parts.clock.now()) }
  }

  /** Refuses one that is not there. */
  async require(buildingId: string, calendarId: string): Promise<void> {
    const id = calendarId.toLowerCase()
    if (!UUID_PATTERN.test(id)) throw errors.noSuch('calendar', calendarId)
    await storedCalendar(this.#parts.store, { buildingId, calendarId: id })
  }

  async add(buildingId: string, put: CalendarPut): Promise<Calendar> {
    await chargeCalendarChange(this.#changes, buildingId)
    return this.#changed(buildingId, await addCalendar(this.#parts, buildingId, put))
  }

  async put(buildingId: string, calendarId: string, put: CalendarPut): Promise<Calendar> {
    await chargeCalendarChange(this.#changes, buildingId)
    await putCalendar(this.#parts, { buildingId, calendarId }, put)
    return this.#changed(buildingId, calendarId)
  }

  async remove(buildingId: string, calendarId: string): Promise<void> {
    await removeCalendar(this.#parts, { buildingId, calendarId })
    this.#parts.onBuildingChanged(buildingId)
  }

  async #changed(buildingId: string, calendarId: string): Promise<Calendar> {
    this.#parts.onBuildingChanged(buildingId)
    const found = (await this.list(buildingId)).calendars.find(({ id }) => id === calendarId)
    if (!found) throw errors.noSuch('calendar', calendarId)
    return found
  }
}
