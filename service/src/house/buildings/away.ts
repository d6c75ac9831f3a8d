import { type Absence, type AwayPut, type BuildingAway, timestampOf } from '@hypocaust/domain'
import type { Updateable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { BuildingTable } from '../../store/tables/building.ts'
import { endOf, momentOf } from '../moments.ts'
import { AWAY_COLUMNS, type AwayRow, absenceOf, NOBODY_AWAY } from '../rooms/schedule-inputs.ts'
import { updateBuilding } from './write.ts'

/** An absence of the whole house; null ends it. */
export async function putAway(
  store: Store,
  clock: Clock,
  buildingId: string,
  put: AwayPut | null,
  /** Only if the absence is still this one. */
  seen?: AwayRow,
): Promise<void> {
  const columns = put === null ? NOBODY_AWAY : awayColumns({ ...put, temperature: put.target_temperature }, clock.now())
  const { awayFrom, awayUntil, awayC, awayRooms } = seen ?? NOBODY_AWAY
  const options = seen ? { seen: { awayFrom, awayUntil, awayC, awayRooms } } : {}
  const results = await store.batch(updateBuilding(store, clock.now(), buildingId, columns, options))
  if (seen && results.at(-1)?.affectedRows === 0) throw errors.preconditionFailed('absence')
}

/** As it is stored, for a change that is conditional on it. */
export async function storedAway({ db }: Store, buildingId: string): Promise<AwayRow> {
  const row = await db.selectFrom('buildings').select(AWAY_COLUMNS).where('id', '=', buildingId).executeTakeFirst()
  if (!row) throw errors.noSuchBuilding(buildingId)
  return row
}

/** Null also when it is over. */
export const awayOf = async (store: Store, buildingId: string, nowMs: number): Promise<BuildingAway | null> =>
  awayIn(await storedAway(store, buildingId), nowMs)

export function awayIn(row: AwayRow, nowMs: number): BuildingAway | null {
  const absence = absenceOf(row)
  return absence && absence.untilMs > nowMs ? awayView(absence) : null
}

const awayView = ({ targetC, ...span }: Absence): BuildingAway => ({
  ...spanView(span),
  target_temperature: targetC,
})

export const spanView = ({ fromMs, untilMs }: Pick<Absence, 'fromMs' | 'untilMs'>) => ({
  from: timestampOf(fromMs),
  until: Number.isFinite(untilMs) ? timestampOf(untilMs) : null,
})

interface AwaySpan {
  from?: string
  /** Null: until it is ended. */
  until: string | null
  temperature: number
  /** Left out: the whole house. */
  room_ids?: string[] | null
}

export function awayColumns(away: AwaySpan | null, nowMs: number): Updateable<BuildingTable> {
  if (away === null) return NOBODY_AWAY
  const awayUntil = away.until === null ? null : endOf('until', away.until, nowMs)
  const awayFrom = away.from === undefined ? nowMs : momentOf('from', away.from)
  if (awayUntil !== null && awayFrom >= awayUntil) throw errors.invalidValue('until must be later than from.')
  const { room_ids: rooms = null } = away
  return {
    awayFrom,
    awayUntil,
    awayC: away.temperature,
    awaySetAt: nowMs,
    awayRooms: rooms === null ? null : JSON.stringify(rooms),
  }
}
