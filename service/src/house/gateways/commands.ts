import { fallbackAfterS, type PowerCommand, type SourceCommand, timestampOf } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { supplySetpointOf } from '../source/supply.ts'
import { commandedValves, type GatewayValves, type Sent, withHeadroom } from './valves.ts'

/** Outrun: another process has numbered a command since the gateway was looked at, perhaps for powers before ours. */
export type NextCommand =
  | { kind: 'due'; command: PowerCommand; source: SourceCommand | null }
  | { kind: 'nothing' }
  | { kind: 'outrun' }

/**
 * The command a gateway is due: its valves have changed since the last one, or a window has passed. Its number is on
 * disk before it is sent, so numbers never go back.
 */
export async function nextCommand(store: Store, clock: Clock, gateway: GatewayValves): Promise<NextCommand> {
  const { sent, gatewayId } = gateway
  const nowMs = clock.now()
  const valves = commandedValves(gateway, nowMs)
  const command = JSON.stringify(valves)
  if (sent.command === command && !isDue(sent, nowMs)) return { kind: 'nothing' }
  if (valves.length === 0 && sent.commandDueAt === null) return { kind: 'nothing' }
  const windows = valves.map(({ window_s }) => window_s)
  const seq = sent.commandSeq + 1
  const commandDueAt = valves.length === 0 ? null : nowMs + Math.min(...windows) * 1000
  const numbered = setCommand.with(store, { gatewayId, sentSeq: sent.commandSeq, seq, command, commandDueAt })
  const [updated] = await store.batch([numbered])
  if (updated?.affectedRows === 0) return { kind: 'outrun' }
  if (valves.length === 0) return { kind: 'nothing' }
  const valid_s = Math.min(fallbackAfterS(windows), testEndsInS(gateway, nowMs))
  const order = { epoch: await epochOf(store), seq, issued: timestampOf(nowMs), valid_s }
  const setpoint = supplySetpointOf(gateway.supply, nowMs)
  return {
    kind: 'due',
    command: { ...order, valves: withHeadroom(valves, gateway) },
    source: setpoint && { ...order, supply_c: setpoint.setC },
  }
}

/** Should the service end during a test, the gateway does not leave the loop open for longer than the test. */
function testEndsInS({ run }: GatewayValves, nowMs: number): number {
  if (!run || run.ended || run.untilMs === null || run.untilMs <= nowMs) return Number.POSITIVE_INFINITY
  return Math.ceil((run.untilMs - nowMs) / 1000)
}

interface NewCommand {
  gatewayId: string
  sentSeq: number
  seq: number
  command: string
  commandDueAt: number | null
}

const setCommand = statement((db, { gatewayId, sentSeq, seq, command, commandDueAt }: NewCommand) =>
  db
    .updateTable('gateways')
    .set({ commandSeq: seq, command, commandDueAt })
    .where('id', '=', gatewayId)
    .where('commandSeq', '=', sentSeq),
)

export const isDue = ({ commandDueAt }: Sent, nowMs: number): boolean => (commandDueAt ?? 0) <= nowMs

/** Buildings with a gateway whose command is to be repeated. */
export async function buildingsDue({ db }: Store, clock: Clock): Promise<string[]> {
  const rows = await db.selectFrom('gateways').select('buildingId').where('commandDueAt', '<=', clock.now()).execute()
  return [...new Set(rows.map(({ buildingId }) => buildingId))]
}

/** So that a command is said again, though nothing has changed: the gateway may not have heard it. */
export function dueNow(store: Store, which: { gatewayId: string } | { buildingId: string }): Compilable {
  return 'gatewayId' in which ? gatewayDue.with(store, which) : buildingDue.with(store, which)
}

const gatewayDue = statement((db, { gatewayId }: { gatewayId: string }) =>
  db.updateTable('gateways').set({ commandDueAt: 0 }).where('id', '=', gatewayId),
)

const buildingDue = statement((db, { buildingId }: { buildingId: string }) =>
  db.updateTable('gateways').set({ commandDueAt: 0 }).where('buildingId', '=', buildingId),
)

/** Raised when a database is restored from a backup, so that old numbers cannot win. */
async function epochOf(store: Store): Promise<number> {
  const row = await metaOf.first(store, { name: 'epoch' })
  if (!row) throw new Error('the database has no epoch')
  return Number(row.value)
}

const metaOf = statement((db, { name }: { name: string }) =>
  db.selectFrom('meta').select('value').where('name', '=', name),
)
