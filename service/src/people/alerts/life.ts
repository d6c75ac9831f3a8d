import { randomUUIDv7 } from 'node:crypto'
import { type AlertFacts, DAY_MS, MINUTE_MS, NOTIFIED_KINDS, type NotifiedKind } from '@hypocaust/domain'
import { HOUR_MS } from '@hypocaust/domain/facts'
import type { Compilable } from 'kysely'
import { raiseLive } from '../../house/revisions.ts'
import { statement } from '../../store/statement.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { queuedAlert } from '../webhooks/queue.ts'
import type { BuildingFacts } from './facts.ts'
import type { Verdict } from './judge.ts'
import { readersOf } from './readers.ts'

/** What comes back within this time was never away. */
const ENDS_AFTER_MS = 15 * MINUTE_MS
/** A router that starts anew is no news; the other kinds have waited long already. */
const FIRST_NOTIFIED_AFTER_MS: Partial<Record<NotifiedKind, number>> = { building_silent: 10 * MINUTE_MS }
/** For the second, third and later time within a day it must last longer: an alert that comes and goes is rarely sent. */
const AGAIN_TOLD_AFTER_MS = [HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS]

interface OpenAlert {
  id: string
  subject: string
  beganAt: number
  absentSince: number | null
  snoozedUntil: number | null
}

const openAlerts = statement((db, { buildingIds }: { buildingIds: unknown }, { isIn }) =>
  db
    .selectFrom('alerts')
    .select(['id', 'buildingId', 'subject', 'beganAt', 'absentSince', 'snoozedUntil'])
    .where(isIn('building_id', buildingIds))
    .where('openSubject', 'is not', null),
)

export const openAlertsOf = (store: Store, buildingIds: string[]): Promise<(OpenAlert & { buildingId: string })[]> =>
  openAlerts.all(store, { buildingIds: store.statements.list(buildingIds) })

/** Brings what is stored of a building's alerts in step with what was seen. Seen twice at once, it is done once. */
export async function follow(
  store: Store,
  building: BuildingFacts,
  verdicts: Verdict[],
  open: OpenAlert[],
  nowMs: number,
): Promise<void> {
  const bySubject = new Map(open.map((alert) => [alert.subject, alert]))
  for (const verdict of verdicts.filter(({ alert }) => isNotified(alert))) {
    const standing = bySubject.get(verdict.subject)
    if (!standing && verdict.state === 'holds') await begin(store, building, verdict, nowMs)
    if (!standing) continue
    const { changes, isEnd } = changesOf(store, standing, verdict, nowMs)
    if (changes.length === 0) continue
    const events = isEnd ? await queuedAlert(store, standing, verdict.alert, 'ended', nowMs) : []
    await store.batch([...changes, ...events, raiseLive.with(store, { buildingId: building.id, nowMs })])
  }
}

const isNotified = ({ kind }: AlertFacts): boolean => (NOTIFIED_KINDS as readonly string[]).includes(kind)

function changesOf(
  { db }: Store,
  { id, absentSince }: OpenAlert,
  { state }: Verdict,
  nowMs: number,
): { changes: Compilable[]; isEnd: boolean } {
  const update = (set: { absentSince: number | null } | { endedAt: number; openSubject: null }) =>
    db.updateTable('alerts').set(set).where('id', '=', id).where('endedAt', 'is', null)
  switch (state) {
    case 'unknown':
      return { changes: [], isEnd: false }
    case 'holds':
      return { changes: absentSince === null ? [] : [update({ absentSince: null })], isEnd: false }
    case 'lapsed': {
      const unsaid = db.updateTable('tellings').set({ dueAt: null }).where('alertId', '=', id)
      return { changes: [unsaid, update({ endedAt: nowMs, openSubject: null })], isEnd: true }
    }
    case 'gone': {
      if (absentSince === null) return { changes: [update({ absentSince: nowMs })], isEnd: false }
      const isEnd = nowMs - absentSince >= ENDS_AFTER_MS
      return { changes: isEnd ? [update({ endedAt: nowMs, openSubject: null })] : [], isEnd }
    }
  }
}

async function begin(store: Store, building: BuildingFacts, { alert, subject }: Verdict, nowMs: number): Promise<void> {
  const { db } = store
  const id = randomUUIDv7()
  const dueAt = nowMs + (await notifiedAfterMs(store, alert.kind as NotifiedKind, subject, nowMs))
  const readers = await readersOf(store, building.id, alert.kind as NotifiedKind, nowMs)
  const row = {
    id,
    buildingId: building.id,
    roomId: alert.room_id,
    subject,
    openSubject: subject,
    alert: JSON.stringify(alert),
  }
  const tellings = readers.map((reader) => ({ id: randomUUIDv7(), alertId: id, ...reader, dueAt, attempts: 0 }))
  try {
    await store.batch([
      raiseLive.with(store, { buildingId: building.id, nowMs }),
      db.insertInto('alerts').values({ ...row, beganAt: nowMs }),
      ...(tellings.length > 0 ? [db.insertInto('tellings').values(tellings)] : []),
      ...(await queuedAlert(store, { id, beganAt: nowMs }, alert, 'began', nowMs)),
    ])
  } catch (error) {
    // Another process saw it too; or the room, or a device, has just been removed: then the next look sees.
    if (!isStoreError(error, 'unique') && !isStoreError(error, 'foreign_key')) throw error
  }
}

async function notifiedAfterMs({ db }: Store, kind: NotifiedKind, subject: string, nowMs: number): Promise<number> {
  const { times } = await db
    .selectFrom('alerts')
    .select((eb) => eb.fn.countAll<number>().as('times'))
    .where('subject', '=', subject)
    .where('beganAt', '>', nowMs - DAY_MS)
    .executeTakeFirstOrThrow()
  if (Number(times) === 0) return FIRST_NOTIFIED_AFTER_MS[kind] ?? 0
  return AGAIN_TOLD_AFTER_MS[Math.min(Number(times), AGAIN_TOLD_AFTER_MS.length) - 1] ?? 0
}

const KEPT_DAYS = 90

export async function forgetOld({ db }: Store, nowMs: number): Promise<void> {
  await db
    .deleteFrom('alerts')
    .where('endedAt', '<', nowMs - KEPT_DAYS * DAY_MS)
    .execute()
}
