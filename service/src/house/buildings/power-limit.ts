import { DAY_MS, LEAST_ENWG_W, type PowerLimitPut } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { endOf, momentOf } from '../moments.ts'
import { raiseRevision } from '../revisions.ts'
import { type KnownLimit, POWER_LIMIT_COLUMNS, type PowerLimitRow } from '../source/power-limit.ts'

const LONGEST_MS = 2 * DAY_MS

/** A limit on the power of the heat source; null withdraws the one that was set. */
export async function putPowerLimit(
  store: Store,
  clock: Clock,
  buildingId: string,
  put: PowerLimitPut | null,
  /** Only if this is still what is set. */
  seen?: PowerLimitRow,
): Promise<void> {
  const nowMs = clock.now()
  const powerLimit = put && JSON.stringify(limitOf(put, nowMs))
  const update = store.db.updateTable('buildings').set({ powerLimit }).where('id', '=', buildingId)
  const results = await store.batch([
    raiseRevision.with(store, { buildingId, nowMs }),
    seen ? update.where('powerLimit', 'is not distinct from', seen.powerLimit) : update,
  ])
  if (seen && results.at(-1)?.affectedRows === 0) throw errors.preconditionFailed('power limit')
}

function limitOf({ limit_w: powerW, from, until, basis = 'enwg_14a' }: PowerLimitPut, nowMs: number): KnownLimit {
  const untilMs = endOf('until', until, nowMs)
  const fromMs = from === undefined ? nowMs : momentOf('from', from)
  if (fromMs >= untilMs) throw errors.invalidValue('until must be later than from.')
  if (untilMs - Math.max(fromMs, nowMs) > LONGEST_MS)
    throw errors.invalidValue('until must be at most two days after from.')
  if (basis === 'enwg_14a' && powerW < LEAST_ENWG_W)
    throw errors.invalidValue(`limit_w must be at least ${LEAST_ENWG_W} with basis enwg_14a.`)
  return { fromMs, untilMs, powerW, basis, reportedBy: 'interface' }
}

/** As it is stored, for a change that is conditional on it. */
export async function storedPowerLimit({ db }: Store, buildingId: string): Promise<PowerLimitRow> {
  const row = await db
    .selectFrom('buildings')
    .select(POWER_LIMIT_COLUMNS)
    .where('id', '=', buildingId)
    .executeTakeFirst()
  if (!row) throw errors.noSuchBuilding(buildingId)
  return row
}
