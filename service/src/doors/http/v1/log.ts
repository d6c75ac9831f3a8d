import { type Log, type LogEntry, mayDo } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { LOGGED_FIELDS, logEntryOf } from '../../../house/change-log/log-entry.ts'
import { type ChangeRow, changesOf } from '../../../house/change-log/read.ts'
import { requirePermission } from '../../../house/membership.ts'
import type { StampedBuilding } from '../../../people/keys/reach.ts'
import type { Store } from '../../../store/store.ts'
import { exampleOf } from './examples.ts'
import { BuildingId, namedBuildings, requireNamed } from './named-buildings.ts'
import { BuildingParams, QUERY_ERRORS, ReadHeaders, RoomParams, readResponses, success } from './schemas.ts'

const PAGE = 100
/** A page of the past is read in as many looks as there are buildings. */
const LOG_COST = 4

/** The last entry of each building that was on an earlier page. */
type Positions = Record<string, number>

const cursorOf = (positions: Positions): string => Buffer.from(JSON.stringify(positions)).toString('base64url')

const EXAMPLE_CURSOR = cursorOf({ [String(exampleOf(BuildingParams.properties.buildingId))]: 412 })

const LogQuery = Type.Object(
  {
    building_id: BuildingId,
    room_id: Type.Optional(
      Type.String({ description: 'Only changes of this room.', examples: [exampleOf(RoomParams.properties.roomId)] }),
    ),
    before: Type.Optional(Type.String({ description: '`next` of the page before.', examples: [EXAMPLE_CURSOR] })),
  },
  { additionalProperties: false },
)
type LogQuery = Static<typeof LogQuery>

interface LogParts {
  store: Store
  clock: Clock
}

export function logRoute(app: FastifyInstance, parts: LogParts): void {
  app.get<{ Querystring: LogQuery }>(
    '/log',
    {
      config: { cost: LOG_COST },
      schema: {
        operationId: 'getLog',
        summary: 'Who changed what and when',
        description:
          'Changes of settings that this interface shows, by people, keys and the service itself, the latest first. Of buildings in which the role of the key’s holder may see the change log; others are left out, or refused where they are named. People are not named.',
        tags: ['Changes'],
        querystring: LogQuery,
        headers: ReadHeaders,
        response: readResponses(success('A page of the log.', 'Log'), [...QUERY_ERRORS, 'not_permitted']),
      },
    },
    async (request) => {
      const { building_id: named, room_id: roomId, before } = request.query
      const buildings = await namedBuildings(parts, request)
      await requireNamed(parts, request, buildings)
      if (named !== undefined && buildings[0]) requirePermission(buildings[0].membership, 'change_log')
      const seen = buildings.filter(({ membership }) => mayDo(membership.role, 'change_log'))
      return pageOf(parts.store, seen, roomId?.toLowerCase(), positionsIn(before))
    },
  )
}

function positionsIn(cursor: string | undefined): Positions {
  if (!cursor) return {}
  const positions = parsed(Buffer.from(cursor, 'base64url').toString())
  const isRight = Object.entries(Object(positions)).every(([, sequence]) => Number.isSafeInteger(sequence))
  if (typeof positions !== 'object' || positions === null || !isRight)
    throw errors.invalidValue('before must be next of an earlier page.')
  return positions as Positions
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function pageOf(
  store: Store,
  buildings: StampedBuilding[],
  room: string | undefined,
  positions: Positions,
): Promise<Log> {
  const logs = await Promise.all(
    buildings.map(async ({ id, membership: { role } }) => {
      const sought = {
        buildingId: id,
        role,
        fields: LOGGED_FIELDS,
        before: positions[id],
        most: PAGE + 1,
        ...(room !== undefined && { room }),
      }
      return { id, rows: await changesOf(store, sought) }
    }),
  )
  const entries: LogEntry[] = []
  const reached = { ...positions }
  while (entries.length < PAGE) {
    const [latest] = logs.filter(({ rows }) => rows.length > 0).sort((a, b) => headOf(b.rows) - headOf(a.rows))
    const row = latest?.rows.shift()
    if (!latest || !row) break
    entries.push(logEntryOf(latest.id, row))
    reached[latest.id] = row.sequence
  }
  return { entries, next: logs.some(({ rows }) => rows.length > 0) ? cursorOf(reached) : null }
}

const headOf = ([row]: ChangeRow[]): number => row?.changedAt ?? 0
