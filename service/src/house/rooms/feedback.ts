import {
  type AppProposal,
  FEEDBACK_KEPT_MS,
  type Feeling,
  HOUR_MS,
  helpOf,
  type NightMode,
  type PlanProposal,
  type Press,
  type Proposal,
  proposalOf,
  setpointAt,
} from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { overrideColumn } from './override.ts'
import { findRoom } from './rooms.ts'
import { type AwayRow, programmeOf, readScheduleRows, type ScheduleRow, scheduleInputsOf } from './schedule-inputs.ts'
import { roomView } from './view.ts'
import { commitRooms, type RoomScope, updateRoom } from './write.ts'

/** Of so many presses at the same moment each counts. */
const MOST_TRIES = 10

/** "Too cold" or "too warm": a small override for a few hours, and the press is remembered. Nothing else changes. */
export async function pressFeedback(store: Store, clock: Clock, scope: RoomScope, feeling: Feeling): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) if (await tryPress(store, clock, scope, feeling)) return
  throw errors.unavailable()
}

/** False where another change of the override came between. */
async function tryPress(store: Store, clock: Clock, scope: RoomScope, feeling: Feeling): Promise<boolean> {
  const { buildingId, roomId } = scope
  const nowMs = clock.now()
  const [{ building, rooms }, row] = await Promise.all([readScheduleRows(store, buildingId), findRoom(store, scope)])
  const room = rooms.find(({ id }) => id === roomId)
  if (!row || !room) throw errors.noSuchRoom(roomId)
  const inputs = scheduleInputsOf(building, room)
  const { current_temperature: temperatureC } = roomView(row, nowMs)
  const help = helpOf(inputs, feeling, temperatureC, nowMs)
  if (!help) throw errors.invalidValue('feeling: the room is off or under manual power.')
  const { setpointC } = setpointAt(inputs, nowMs)
  const seen = { override: room.override }
  const update = updateRoom(store, nowMs, scope, { override: overrideColumn(help) }, { seen })
  const results = await commitRooms(store, clock, buildingId, [
    ...update,
    forget.with(store, { roomId, beforeMs: nowMs - FEEDBACK_KEPT_MS }),
    remember.with(store, { roomId, hourAt: nowMs - (nowMs % HOUR_MS), atMs: nowMs, feeling, setpointC, temperatureC }),
  ])
  return results[update.length - 1]?.affectedRows !== 0
}

/** The presses so far have been answered: others are needed for another proposal. */
export async function dismissProposal(store: Store, clock: Clock, { buildingId, roomId }: RoomScope): Promise<void> {
  await commitRooms(store, clock, buildingId, [forget.with(store, { roomId, beforeMs: clock.now() + 1 })])
}

const forget = statement((db, { roomId, beforeMs }: { roomId: string; beforeMs: number }) =>
  db.deleteFrom('comfortVotes').where('roomId', '=', roomId).where('pressedAt', '<', beforeMs),
)

/** The last press of an hour counts, so that there are never many. */
const remember = statement(
  (db, { roomId, hourAt, atMs, feeling, setpointC, temperatureC }: Press & { roomId: string; hourAt: number }) => {
    const vote = { pressedAt: atMs, feeling, setpointC, temperatureC }
    return db
      .insertInto('comfortVotes')
      .values({ roomId, hourAt, ...vote })
      .onConflict((conflict) => conflict.columns(['roomId', 'hourAt']).doUpdateSet(vote))
  },
)

const pressesOf = statement((db, { buildingId }: { buildingId: string }) =>
  db
    .selectFrom('comfortVotes')
    .innerJoin('rooms', 'rooms.id', 'comfortVotes.roomId')
    .select(['roomId', 'pressedAt as atMs', 'feeling', 'setpointC', 'temperatureC'])
    .where('rooms.buildingId', '=', buildingId),
)

/** What is proposed for the rooms of a building, by the ids of rooms. */
export async function proposalsOf(
  store: Store,
  buildingId: string,
  { building, rooms }: { building: Pick<AwayRow, 'timezone'>; rooms: ScheduleRow[] },
  nowMs: number,
): Promise<Map<string, PlanProposal>> {
  const presses = Map.groupBy(await pressesOf.all(store, { buildingId }), ({ roomId }) => roomId)
  return new Map(
    rooms.flatMap((room) => {
      const plan = { targetC: room.targetC, programme: programmeOf(room), timeZone: building.timezone }
      const proposal = proposalOf(presses.get(room.id) ?? [], plan, nowMs)
      return proposal ? [[room.id, proposal] as const] : []
    }),
  )
}

export const proposalView = ({ feeling, days, window, setpointC, proposedC }: PlanProposal): Proposal => ({
  feeling,
  days,
  window,
  setpoint: setpointC,
  proposed_setpoint: proposedC,
})

/** A night mode that stays as it is stays a night mode. */
export function appProposalView(proposal: PlanProposal, { nightMode }: Pick<ScheduleRow, 'nightMode'>): AppProposal {
  const { window, plan } = proposal
  const week =
    window === null && nightMode !== null
      ? { night_mode: JSON.parse(nightMode) as NightMode }
      : { programme: plan.programme }
  return { ...proposalView(proposal), change: { target_temperature: plan.targetC, ...week } }
}
