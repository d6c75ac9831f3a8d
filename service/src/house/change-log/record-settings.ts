import { type Compilable, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { EngineStatements } from '../../store/engine-statements.ts'
import { type Statement, statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Actor } from './actor.ts'
import { type By, byNow, compilable, type Found, insertFound } from './record.ts'
import { BUILDING_SETTINGS, ROOM_SETTINGS, type Setting, type SettingColumn, settingsWith } from './settings.ts'

type Changes = Record<string, string | number | null | undefined>
type Values = Changes & By & { buildingId: string; id: string }

interface Table {
  name: 'rooms' | 'buildings'
  settings: Setting[]
}

const ROOMS: Table = { name: 'rooms', settings: ROOM_SETTINGS }
const BUILDINGS: Table = { name: 'buildings', settings: BUILDING_SETTINGS }

interface Options {
  /** Only where the row has these values still. */
  seen?: Changes | undefined
  /** Unless it is the one who acts now. */
  actor?: Actor | undefined
}

/** An entry for each setting that differs from what is stored. Belongs before the update. */
export function recordRoom(
  store: Store,
  nowMs: number,
  { buildingId, roomId: id }: { buildingId: string; roomId: string },
  changes: Changes,
  { seen, actor }: Options = {},
): Compilable[] {
  return recordIn(ROOMS, store, { ...byNow(nowMs, actor), buildingId, id }, changes, seen)
}

export function recordBuilding(
  store: Store,
  nowMs: number,
  buildingId: string,
  changes: Changes,
  { seen, actor }: Options = {},
): Compilable[] {
  return recordIn(BUILDINGS, store, { ...byNow(nowMs, actor), buildingId, id: buildingId }, changes, seen)
}

type Scope = By & { buildingId: string; id: string }

function recordIn(table: Table, store: Store, scope: Scope, changes: Changes, seen?: Changes): Compilable[] {
  const names = Object.keys(changes).filter((name) => changes[name] !== undefined)
  const settings = settingsWith(table.settings, names)
  if (settings.length === 0) return []
  if (!seen) return [statementOf(table, settings, names).with(store, { ...changes, ...scope })]
  const where = isAsSeen(table, seen)
  const found = settings.map((setting) => foundIn(table, setting, names, { ...changes, ...scope }, store.statements))
  return [
    compilable(
      store.db,
      insertFound(
        scope,
        found.map((each) => sql`${each} and ${where}`),
      ),
    ),
  ]
}

const statements = new Map<string, Statement<Values, unknown>>()

/** One statement for each set of columns that are changed together. */
function statementOf(table: Table, settings: Setting[], names: string[]): Statement<Values, unknown> {
  const name = [table.name, ...names].join()
  const known = statements.get(name)
  if (known) return known
  const made = statement<Values, unknown>((db, values, engine) =>
    compilable(
      db,
      insertFound(
        values,
        settings.map((setting) => foundIn(table, setting, names, values, engine)),
      ),
    ),
  )
  statements.set(name, made)
  return made
}

function foundIn({ name }: Table, setting: Setting, names: string[], values: Values, engine: EngineStatements): Found {
  const given = ({ name: column, type }: SettingColumn) => sql`cast(${values[column]} as ${sql.raw(type)})`
  const stored = ({ column }: SettingColumn) => sql.ref(`${name}.${column}`)
  const isGiven = (column: SettingColumn) => names.includes(column.name)
  const before = setting.columns.map((column) => shown(column, stored(column)))
  const after = setting.columns.map((column) => shown(column, isGiven(column) ? given(column) : stored(column)))
  const differs = setting.columns
    .filter(isGiven)
    .map((column) => sql`${stored(column)} is distinct from ${given(column)}`)
  const { buildingId, id } = values
  const roomId = name === 'rooms' ? sql.ref('rooms.id') : sql`cast(null as text)`
  return sql`select cast(${buildingId} as text) as building_id, ${roomId} as room_id, ${sql.ref(`${name}.id`)} as subject_id,
      ${sql.ref(`${name}.name`)} as subject, cast(${sql.lit(setting.field)} as text) as field,
      ${engine.jsonArray(before)} as old_value, ${engine.jsonArray(after)} as new_value
    from ${sql.table(name)} where id = ${id} and ${sql.ref(name === 'rooms' ? 'building_id' : 'id')} = ${buildingId}
      and (${sql.join(differs, sql` or `)})`
}

const shown = ({ isSensor }: SettingColumn, value: RawBuilder<unknown>): RawBuilder<unknown> =>
  isSensor ? sql`(select address from sensors where sensors.id = ${value})` : value

/** For a condition of an update as well. */
function isAsSeen({ name, settings }: Table, seen: Changes): RawBuilder<SqlBool> {
  const known = new Map(settings.flatMap(({ columns }) => columns).map((column) => [column.name, column]))
  const same = Object.entries(seen)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => {
      const setting = known.get(column)
      if (!setting) throw new Error(`${name}.${column} is not a setting, so no change can depend on it`)
      return sql`${sql.ref(`${name}.${setting.column}`)} is not distinct from cast(${value} as ${sql.raw(setting.type)})`
    })
  return sql`(${sql.join(same, sql` and `)})`
}

export const isRoomAsSeen = (seen: Changes): RawBuilder<SqlBool> => isAsSeen(ROOMS, seen)
export const isBuildingAsSeen = (seen: Changes): RawBuilder<SqlBool> => isAsSeen(BUILDINGS, seen)
