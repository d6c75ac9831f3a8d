import { type Compilable, sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import type { ScreedRun } from '../loop-run/screed-run.ts'
import { runWrite } from '../loops/advance-runs.ts'
import type { Entry } from './entries.ts'
import { chained, type Link } from './record.ts'

interface Change {
  buildingId: string
  from: string | null
  to: ScreedRun
  entries: readonly Entry[]
  nowMs: number
}

/** The programme and its record, together or not at all. False where another process was faster. */
export async function writeScreed(store: Store, { buildingId, from, to, entries, nowMs }: Change): Promise<boolean> {
  const { run, links } = chained(to, entries)
  const text = JSON.stringify(run)
  const [written] = await store.batch([
    runWrite(store, buildingId, { from, to: run, nowMs }),
    ...links.map((link) => linkWrite(store, buildingId, { runId: run.id, text, link })),
    ...(run.ended ? [forgetLearned(store, run)] : []),
  ])
  return written?.affectedRows !== 0
}

/** Only beside the run that it belongs to. */
function linkWrite(
  { db }: Store,
  buildingId: string,
  { runId, text, link }: { runId: string; text: string; link: Link },
): Compilable {
  return (
    db
      .insertInto('screedRecords')
      .columns(['buildingId', 'runId', 'n', 'text', 'hash'])
      .expression(
        db
          .selectFrom('buildings')
          .select([
            'buildings.id',
            sql<string>`cast(${runId} as text)`.as('runId'),
            sql<number>`cast(${link.n} as integer)`.as('n'),
            sql<string>`cast(${link.text} as text)`.as('text'),
            sql<string>`cast(${link.hash} as text)`.as('hash'),
          ])
          .where('id', '=', buildingId)
          .where('loopRun', '=', text),
      )
      // Another process has written the very same.
      .onConflict((conflict) => conflict.doNothing())
  )
}

/** While the loops were held, rooms warmed for no reason the control knows: it learns nothing from that. */
const forgetLearned = ({ db }: Store, run: ScreedRun): Compilable =>
  db
    .deleteFrom('roomSlots')
    .where('endsAt', '>=', run.startedMs)
    .where('roomId', 'in', (eb) =>
      eb
        .selectFrom('valves')
        .select('valves.roomId')
        .where(({ or, and, eb: is }) =>
          or(
            run.loops.map(({ gatewayId, channel }) =>
              and([is('gatewayId', '=', gatewayId), is('channel', '=', channel)]),
            ),
          ),
        ),
    )

export const linksOf = ({ db }: Store, buildingId: string, runId: string): Promise<Link[]> =>
  db
    .selectFrom('screedRecords')
    .select(['n', 'text', 'hash'])
    .where('buildingId', '=', buildingId)
    .where('runId', '=', runId)
    .orderBy('n')
    .execute()
