import { type PowerCommand, timestampOf } from '@hypocaust/domain'
import type { Clock } from '../clock.ts'
import type { Store } from '../store/store.ts'
import { commandedValves, type GatewayValves } from './valves.ts'

const WINDOWS_VALID = 3

/**
 * The command a gateway is due: its valves have changed since the last one, or a window has passed. Its number is on
 * disk before it is sent, so numbers never go back. Undefined when nothing is due, or another process was faster.
 */
export async function nextCommand(
  store: Store,
  clock: Clock,
  gateway: GatewayValves,
): Promise<PowerCommand | undefined> {
  const valves = commandedValves(gateway)
  if (valves.length === 0) return undefined
  const { db } = store
  const nowMs = clock.now()
  const last = await db
    .selectFrom('gateways')
    .select(['commandSeq', 'command', 'commandDueAt'])
    .where('id', '=', gateway.gatewayId)
    .executeTakeFirst()
  const command = JSON.stringify(valves)
  if (!last || (last.command === command && (last.commandDueAt ?? 0) > nowMs)) return undefined
  const windows = valves.map(({ window_s }) => window_s)
  const { numUpdatedRows } = await db
    .updateTable('gateways')
    .set({ commandSeq: last.commandSeq + 1, command, commandDueAt: nowMs + Math.min(...windows) * 1000 })
    .where('id', '=', gateway.gatewayId)
    .where('commandSeq', '=', last.commandSeq)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  return {
    epoch: await epochOf(store),
    seq: last.commandSeq + 1,
    issued: timestampOf(nowMs),
    valid_s: WINDOWS_VALID * Math.max(...windows),
    valves,
  }
}

/** Buildings with a gateway whose command is to be repeated. */
export async function buildingsDue({ db }: Store, clock: Clock): Promise<string[]> {
  const rows = await db
    .selectFrom('gateways')
    .select('buildingId')
    .distinct()
    .where('commandDueAt', '<=', clock.now())
    .execute()
  return rows.map(({ buildingId }) => buildingId)
}

/** So that a command is said again, though nothing has changed: the gateway may not have heard it. */
export async function makeDue({ db }: Store, which: { gatewayId: string } | { buildingId: string }): Promise<void> {
  const update = db.updateTable('gateways').set({ commandDueAt: 0 })
  await ('gatewayId' in which
    ? update.where('id', '=', which.gatewayId)
    : update.where('buildingId', '=', which.buildingId)
  ).execute()
}

/** Raised when a database is restored from a backup, so that old numbers cannot win. */
async function epochOf({ db }: Store): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', 'epoch').executeTakeFirstOrThrow()
  return Number(row.value)
}
