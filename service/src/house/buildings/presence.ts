import { isHomeAt, MOST_PEOPLE, type Occupant, type Presence, type PresencePut, timestampOf } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { raiseRevision } from '../revisions.ts'
import { occupantsOf, PRESENCE_COLUMNS, type PresenceRow, presenceRuleOf } from '../rooms/vacancy.ts'

/** Two sources may report at the same moment, each with its own people. */
const TRIES = 5

/** Takes in who is home. Only the present is stored: nobody's comings and goings are recorded. */
export async function reportPresence(
  store: Store,
  clock: Clock,
  buildingId: string,
  { people }: PresencePut,
  /** Only if this is still what is stored. */
  seen?: PresenceRow,
): Promise<void> {
  const reports = people.map(({ name, home }) => ({ name: name.trim(), home }))
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const row = seen ?? (await storedPresence(store, buildingId))
    const before = occupantsOf(row)
    const nowMs = clock.now()
    const after = reports.reduce((occupants, report) => reported(occupants, report, nowMs), before)
    if (after.length > MOST_PEOPLE) throw errors.invalidValue(`people: at most ${MOST_PEOPLE} of a building are known.`)
    const write = store.db
      .updateTable('buildings')
      .set({ presence: after.length === 0 ? null : JSON.stringify(after) })
      .where('id', '=', buildingId)
      .where('presence', 'is not distinct from', row.presence)
    // What is only repeated changes nothing that is shown or heated, and revises nothing.
    const isNews = JSON.stringify(before.map(stateOf)) !== JSON.stringify(after.map(stateOf))
    const results = await store.batch([...(isNews ? [raiseRevision.with(store, { buildingId, nowMs })] : []), write])
    if (results.at(-1)?.affectedRows === 1) return
    if (seen) throw errors.preconditionFailed('presence')
  }
  throw errors.unavailable()
}

const stateOf = ({ name, isHome }: Occupant) => [name, isHome]

function reported(
  occupants: Occupant[],
  { name, home }: { name: string; home: boolean | null },
  nowMs: number,
): Occupant[] {
  const known = occupants.find((each) => each.name === name)
  if (home === null) return occupants.filter((each) => each !== known)
  const sinceMs = known?.isHome === home ? Math.min(known.sinceMs, nowMs) : nowMs
  const now: Occupant = { name, isHome: home, sinceMs, reportedMs: nowMs }
  return known ? occupants.map((each) => (each === known ? now : each)) : [...occupants, now]
}

export async function storedPresence({ db }: Store, buildingId: string): Promise<PresenceRow> {
  const row = await db.selectFrom('buildings').select(PRESENCE_COLUMNS).where('id', '=', buildingId).executeTakeFirst()
  if (!row) throw errors.noSuchBuilding(buildingId)
  return row
}

export const presenceView = (row: PresenceRow, nowMs: number): Presence => ({
  people: occupantsOf(row).map((occupant) => ({
    name: occupant.name,
    home: isHomeAt(occupant, nowMs),
    changed_at: timestampOf(occupant.sinceMs),
    reported_at: timestampOf(occupant.reportedMs),
  })),
  rule: presenceRuleOf(row),
})
