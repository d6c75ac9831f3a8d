import { NightMode, Programme, programmeProblems } from '@hypocaust/domain'
import { readYaml } from '@hypocaust/domain/yaml'
import Type from 'typebox'
import { stringify } from 'yaml'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { formProblems, type HouseProblem } from '../form-problems.ts'
import { changeRoom } from './manage.ts'

/** At most one of the two. */
export interface Plan {
  programme: Programme | null
  night_mode: NightMode | null
}

const PlanFile = Type.Object(
  { programme: Type.Optional(Programme), night_mode: Type.Optional(NightMode) },
  { additionalProperties: false },
)

const NO_PLAN: Plan = { programme: null, night_mode: null }

type ParsedPlan = { ok: true; plan: Plan } | { ok: false; problems: HouseProblem[] }

export async function planOf({ db }: Store, roomId: string): Promise<Plan> {
  const row = await db
    .selectFrom('rooms')
    .select(['programme', 'nightMode'])
    .where('id', '=', roomId)
    .executeTakeFirst()
  return {
    programme: row?.programme ? (JSON.parse(row.programme) as Programme) : null,
    night_mode: row?.nightMode ? (JSON.parse(row.nightMode) as NightMode) : null,
  }
}

const EXAMPLE = `# programme:
#   monday: [{ at: "05:30", setback: 0 }, { at: "22:30", setback: 2 }]
#   dates: [{ date: "2026-12-24", follows: sunday }]
`

/** As in a house file, to be edited. */
export function planText(name: string, { programme, night_mode }: Plan): string {
  const head = `# ${name}: kelvin below the target from each time on; the room is warm by then.\n`
  if (programme) return head + stringify({ programme }, { collectionStyle: 'any', lineWidth: 120 })
  return head + (night_mode ? stringify({ night_mode }) : EXAMPLE)
}

/** Empty: no plan. Errors name the line and the field. */
export function parsePlan(text: string): ParsedPlan {
  const read = readYaml(text)
  if (!read.ok) return { ok: false, problems: [{ line: read.line, field: '', message: read.message }] }
  if (read.value === null || read.value === undefined) return { ok: true, plan: NO_PLAN }
  const form = formProblems(PlanFile, read.value)
  const plan = { ...NO_PLAN, ...(read.value as Partial<Plan>) }
  const problems = form.length > 0 ? form : contradictionsIn(plan)
  if (problems.length === 0) return { ok: true, plan }
  return {
    ok: false,
    problems: problems.map(({ path, message }) => ({ line: read.lineOf(path), field: path.join('.'), message })),
  }
}

function contradictionsIn({ programme, night_mode }: Plan) {
  if (programme && night_mode)
    return [{ path: ['programme'], message: 'a room has either night_mode or programme, not both' }]
  return (programme ? programmeProblems(programme) : []).map(({ path, message }) => ({
    path: ['programme', ...path],
    message,
  }))
}

export async function changePlan(store: Store, clock: Clock, room: { id: string }, plan: Plan): Promise<void> {
  const row = await store.db.selectFrom('rooms').select('buildingId').where('id', '=', room.id).executeTakeFirst()
  if (!row) throw errors.noSuchRoom(room.id)
  const change = plan.programme || plan.night_mode ? onlyGiven(plan) : NO_PLAN
  await changeRoom(store, clock, { buildingId: row.buildingId, roomId: room.id }, change)
}

const onlyGiven = ({ programme, night_mode }: Plan) => ({
  ...(programme && { programme }),
  ...(night_mode && { night_mode }),
})
