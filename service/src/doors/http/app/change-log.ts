import { ChangePage, ChangeQuery, ChangeSet, type Role } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { undoChange, undoTogether } from '../../../house/buildings/undo-change.ts'
import { changesOf, latestOf } from '../../../house/change-log/read.ts'
import { changeEntry, namesIn } from '../../../house/change-log/view.ts'
import type { Store } from '../../../store/store.ts'
import { DONE, ofBuilding, textOf } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import { changesCsv } from './csv.ts'
import type { InBuilding } from './scope.ts'

const PAGE = 50
/** More than a year of a busy house. */
const MOST_IN_FILE = 20_000

interface InChange {
  Params: { buildingId: string; sequence: string }
}

const ofChange = Type.Object({
  ...ofBuilding.properties,
  sequence: Type.String({ pattern: '^\\d{1,15}$', description: 'The `sequence` of the change.' }),
})

export function changeLogRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: HouseParts): void {
  app.get<InBuilding & { Querystring: ChangeQuery }>(
    '/buildings/:buildingId/changes',
    {
      config: { actions: ['change_log'] },
      schema: {
        hide: true,
        summary: 'Who changed what, the latest first',
        params: ofBuilding,
        querystring: ChangeQuery,
        response: { 200: ChangePage },
      },
    },
    async ({ params: { buildingId }, membership: { role }, query }) => {
      const entries = await entriesOf(store, buildingId, role, query, PAGE + 1)
      const changes = entries.slice(0, PAGE)
      return { changes, next: entries.length > PAGE ? (changes.at(-1)?.sequence ?? null) : null }
    },
  )

  app.get<InBuilding & { Querystring: ChangeQuery }>(
    '/buildings/:buildingId/changes.csv',
    {
      config: { actions: ['change_log'] },
      schema: {
        hide: true,
        summary: 'The same as a table',
        params: ofBuilding,
        querystring: ChangeQuery,
        response: textOf('text/csv', 'One line a change, the latest first, times in UTC.'),
      },
    },
    async ({ params: { buildingId }, membership: { role }, query }, reply) => {
      reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment')
      return changesCsv(await entriesOf(store, buildingId, role, query, MOST_IN_FILE))
    },
  )

  app.post<InBuilding & { Body: ChangeSet }>(
    '/buildings/:buildingId/changes/undo',
    {
      config: { actions: ['change_log'] },
      schema: {
        hide: true,
        summary: 'Undo changes that were made together, except of settings that have been changed again since',
        params: ofBuilding,
        body: ChangeSet,
        response: DONE,
      },
    },
    async ({ params: { buildingId }, body: { changes }, membership }, reply) => {
      await undoTogether(store, clock, { buildingId, sequences: changes }, membership)
      onBuildingChanged(buildingId)
      return reply.code(204).send()
    },
  )

  app.post<InChange>(
    '/buildings/:buildingId/changes/:sequence/undo',
    {
      config: { actions: ['change_log'] },
      schema: {
        hide: true,
        summary: 'Give a setting the value it had before its latest change',
        params: ofChange,
        response: DONE,
      },
    },
    async ({ params: { buildingId, sequence }, membership }, reply) => {
      await undoChange(store, clock, { buildingId, sequence: Number(sequence) }, membership)
      onBuildingChanged(buildingId)
      return reply.code(204).send()
    },
  )
}

async function entriesOf(store: Store, buildingId: string, role: Role, query: ChangeQuery, most: number) {
  const before = query.before === undefined ? undefined : Number(query.before)
  const [rows, names, latest] = await Promise.all([
    changesOf(store, { ...query, buildingId, role, before, most }),
    namesIn(store, buildingId),
    latestOf(store, buildingId),
  ])
  return rows.map((row) => changeEntry(row, { role, names, latest }))
}
